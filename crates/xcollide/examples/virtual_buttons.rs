//! Virtual buttons (Zachmann 1994, chapter 9), pressed by an object, the finger.
//!
//! "A virtual button is considered pressed when the finger object and the button object collide." A
//! panel adds its buttons and the finger to the world, and callbacks update each button's status;
//! the application polls the panel and knows nothing of collisions.
//!
//! `cargo run -p xcollide --example virtual_buttons`
#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use xcollide::prelude::*;

/// A button of an input device, as the application sees it.
struct Button {
    name: &'static str,
    is_pressed: Arc<AtomicBool>,
}

impl Button {
    /// Adds a button to the world; only this finger presses it.
    fn new(
        name: &'static str,
        world: &mut World,
        finger: ObjectId,
        model: &Model,
        pose: &Pose,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        let object = world.add(model, pose)?;
        world.set_static(object, true)?;
        world.interest_mut().set_pair(finger, object, true);
        let is_pressed = Arc::<AtomicBool>::default();
        let status = is_pressed.clone();
        world.set_pair_callback(finger, object, move |report, _, _| {
            status.store(report.collision().is_some(), Ordering::Relaxed);
        });
        Ok(Self { name, is_pressed })
    }

    fn is_pressed(&self) -> bool {
        self.is_pressed.load(Ordering::Relaxed)
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Only pairs of the finger and a button are tested.
    let mut world = World::builder().interest(InterestMatrix::nothing()).build();
    let model = |spec: &str| -> Result<Model, Box<dyn std::error::Error>> {
        Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
    };
    let finger = world.add(&model("icosahedron")?, &Pose::from_translation([-9.0, 0.0, 4.0]))?;
    let (knob, table) = (model("box")?, model("torus?faces=60")?);
    let buttons = ["back", "stop", "play", "next"]
        .into_iter()
        .zip([-6.0, -2.0, 2.0, 6.0])
        .map(|(name, x)| {
            Button::new(name, &mut world, finger, &knob, &Pose::from_translation([x, 0.0, 0.0]))
        })
        .collect::<Result<Vec<_>, _>>()?;
    // An obstacle in the finger's way, of no interest.
    world.add(&table, &Pose::from_translation([0.0, 0.0, 1.0]))?;

    let mut before = vec![false; buttons.len()];
    let mut presses = 0;
    for step in 0..=72 {
        let x = -9.0 + 0.25 * f64::from(step);
        // Up and down twelve times along the row.
        let z = [4.0, 3.0, 1.5, 1.0, 1.5, 3.0][step as usize % 6];
        world.set_pose(finger, &Pose::from_translation([x, 0.0, z]))?;
        let frame = world.check();
        assert!(frame.stats.pairs <= buttons.len() && frame.failures.is_empty());
        for (button, before) in buttons.iter().zip(&mut before) {
            let now = button.is_pressed();
            if now != *before {
                println!("step {step:2}: {} {}", button.name, if now { "down" } else { "up" });
                presses += usize::from(now);
            }
            *before = now;
        }
    }
    println!("{presses} presses");
    assert!(presses >= buttons.len() && !before.contains(&true));
    Ok(())
}
