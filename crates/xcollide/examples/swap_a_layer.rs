//! One running world under all broad phases and bounding strategies: the answers stay, the times
//! change.
//!
//! `cargo run --release -p xcollide --example swap_a_layer`
#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stdout)]

use xcollide::nalgebra::{Isometry3, Vector3};
use xcollide::prelude::*;
use xcollide::registry::Kind;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::from_mesh(xcollide_scenes::shape("polytope?vertices=20")?)?;
    let mut world = World::new();
    let objects = (0..500)
        .map(|number| {
            let [x, y, z] = [number % 8, number / 8 % 8, number / 64].map(f64::from);
            world.add(&model, &Pose::from_translation([1.5 * x, 1.5 * y, 1.5 * z]))
        })
        .collect::<Result<Vec<_>, _>>()?;
    println!(
        "{:>16} {:>13} {:>6} {:>10} {:>9}",
        "broad phase", "bounding", "pairs", "colliding", "µs"
    );
    let mut frame = Frame::new();
    let mut found = std::collections::BTreeSet::new();
    for broad in registry::of_kind(Kind::Broad) {
        for bounds in registry::of_kind(Kind::Bounds) {
            // Collisions persist under every layer.
            if let (Some(broad), Some(bounds)) = (broad.broad_phase(false), bounds.bounding()) {
                world.set_broad_phase(broad);
                world.set_bounding(bounds);
            }
            for turn in 0..10 {
                for (number, &object) in objects.iter().enumerate() {
                    let at = Vector3::from(world.pose(object)?.translation());
                    let angle = 0.1 * f64::from(turn) + number as f64;
                    world.set_pose(
                        object,
                        &Pose::try_from(Isometry3::new(at, Vector3::new(0.0, 0.0, angle))).unwrap(),
                    )?;
                }
                world.check_into(&mut frame);
            }
            found.insert(frame.stats.colliding);
            println!(
                "{:>16} {:>13} {:>6} {:>10} {:>9.1}",
                broad.name,
                bounds.name,
                frame.stats.pairs,
                frame.stats.colliding,
                frame.times.total().as_secs_f64() * 1e6
            );
        }
    }
    assert_eq!(found.len(), 1, "the answers stay");
    Ok(())
}
