//! Guarantees of scenes and simulations.

#![allow(clippy::unwrap_used)]

mod every_shape;
mod golden;
mod height_fields;
mod link_paths;
mod messages;
mod motion;
mod placing;
mod response;
mod robots;
mod round_trip;
mod stored;

use xcollide_scenes::{Placement, Scene, Simulation, embedded};

/// An embedded scene.
fn scene(name: &str) -> Scene {
    embedded(name).unwrap_or_else(|error| panic!("{error}"))
}

/// An embedded scene, begun.
fn begin(name: &str) -> Simulation {
    Simulation::new(&scene(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// All wanted pairs with overlapping bounding spheres, in place of collision detection.
fn overlapping(simulation: &Simulation) -> Vec<(usize, usize)> {
    let (instances, poses) = (simulation.instances(), isometries(simulation));
    let mut pairs = Vec::new();
    for a in 0..poses.len() {
        for b in a + 1..poses.len() {
            let gap = (poses[a].translation.vector - poses[b].translation.vector).norm_squared();
            let reach = instances[a].radius + instances[b].radius;
            if gap <= reach * reach && simulation.is_wanted(a, b) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// Every bit of the poses of a frame.
fn bits(simulation: &Simulation) -> Vec<[u64; 7]> {
    let of_pose = |pose: &nalgebra::Isometry3<f64>| {
        let ([x, y, z], [i, j, k, w]) = (
            [pose.translation.x, pose.translation.y, pose.translation.z],
            [pose.rotation.i, pose.rotation.j, pose.rotation.k, pose.rotation.w],
        );
        [x, y, z, i, j, k, w].map(f64::to_bits)
    };
    isometries(simulation).iter().map(of_pose).collect()
}

/// A placement by its quaternion.
pub(crate) fn isometry(placement: &Placement) -> nalgebra::Isometry3<f64> {
    let [i, j, k, w] = placement.rotation.quaternion();
    let rotation = nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(w, i, j, k));
    nalgebra::Isometry3::from_parts(placement.translation.into(), rotation)
}

/// Where the instances are.
pub(crate) fn isometries(simulation: &Simulation) -> Vec<nalgebra::Isometry3<f64>> {
    simulation.placements().iter().map(isometry).collect()
}
