//! Two objects, one of which moves: the smallest program that detects a collision.
//!
//! `cargo run -p xcollide --example hello_world`
#![allow(clippy::print_stdout)]

use xcollide::prelude::*;

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    let tetrahedron = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    let mut world = World::new();
    world.add(&tetrahedron, &Pose::IDENTITY)?;
    let moving = world.add(&tetrahedron, &Pose::IDENTITY)?;
    for step in 0..10 {
        world
            .set_pose(moving, &Pose::from_translation([2.0 - 0.25 * f64::from(step), 0.0, 0.0]))?;
        for collision in &world.check().began {
            println!("{:?} collide at {:?}", collision.pair, collision.proof.point());
        }
    }
    Ok(())
}
