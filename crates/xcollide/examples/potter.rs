//! The Potter (Zachmann 1994, chapter 8): a fingertip models a turning lump of clay.
//!
//! In each frame the world finds whether the two collide, and the faces of the lump that the tip meets are pushed inside
//! along their normal. `set_vertices` gives the world the new shape; what the algorithms know of the lump is refitted.
//!
//! `cargo run -p xcollide --example potter`
#![allow(clippy::print_stdout)]

use xcollide::math::vector::{add, cross, scale, sub, unit};
use xcollide::prelude::*;
use xcollide_scenes::shape;

/// How far a face is pushed in a frame.
const DEPTH: f64 = 0.01;

fn model_lump(frames: u32) -> Result<(usize, f64), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let clay = Model::from_mesh(shape("shape:sphere?faces=4220")?)?;
    let finger = Model::from_mesh(shape("shape:capsule?radius=0.1&length=0.3")?)?;
    let lump = world.add(&clay, &Pose::IDENTITY)?;
    let tip = world.add(&finger, &Pose::from_translation([1.2, 0.0, 0.0]))?;
    let mut vertices = clay.mesh().positions().to_vec();
    let mut pushed = 0;
    for frame in 0..frames {
        let part = f64::from(frame) / f64::from(frames);
        let turned = Pose::from_axis_angle([0.0, 0.0, 1.0], 6.0 * part, [0.0; 3])?;
        world.set_pose(lump, &turned)?;
        world.set_pose(tip, &Pose::from_translation([1.2 - 0.4 * part, 0.0, 0.0]))?;
        if !world.check().collides(lump, tip) {
            continue;
        }
        // The faces that the tip meets, each once.
        let contacts = xcollide::contacts(world.placed(lump)?, world.placed(tip)?)?;
        let mut faces: Vec<_> = contacts.iter().map(|contact| contact.faces[0]).collect();
        faces.sort_unstable();
        faces.dedup();
        for &face in &faces {
            let corners = clay.mesh().face(face).outer();
            let [a, b, c] = [0, 1, 2].map(|k| vertices[corners[k].index()]);
            let Some(normal) = unit(cross(sub(b, a), sub(c, a))) else { continue };
            for corner in corners {
                let vertex = &mut vertices[corner.index()];
                *vertex = add(*vertex, scale(normal, -DEPTH));
            }
        }
        pushed += faces.len();
        world.set_vertices(lump, &vertices)?;
    }
    let deepest = vertices.iter().map(|&[x, y, z]| (x * x + y * y + z * z).sqrt());
    Ok((pushed, 1.0 - deepest.fold(1.0, f64::min)))
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (pushed, deepest) = model_lump(200)?;
    println!("{pushed} faces pushed; the groove is {deepest:.2} deep");
    if pushed == 0 || deepest < 0.1 {
        return Err("the finger did not model the lump".into());
    }
    Ok(())
}
