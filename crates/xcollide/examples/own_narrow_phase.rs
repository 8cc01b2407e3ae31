//! A user's narrow phase: spheres first, the exact algorithm if they overlap.
//!
//! It stores a sphere with each model and implements the same trait as all others, so it fits into
//! a `World`, a `Chain`, or a test against brute force.
//!
//! `cargo run -p xcollide --example own_narrow_phase`
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use xcollide::bounds::{BoundingVolume, Sphere};
use xcollide::convex::Bias;
use xcollide::narrow::combine::Chain;
use xcollide::narrow::mesh::{BruteForce, Wide};
use xcollide::narrow::{Guarantee, PrepareError, PreparedData, Reason};
use xcollide::prelude::*;

/// Answers `Apart` if the spheres are apart, else `Undecided`.
struct Spheres;

/// Stored with a model.
struct Around(Sphere);

impl PreparedData for Around {}

impl Spheres {
    /// The sphere of a model, computed once.
    fn around(model: &Model) -> Arc<Around> {
        model.prepared(|model| Around(Sphere::fit(model.mesh().positions())))
    }

    /// The sphere in the world.
    fn sphere(placed: Placed<'_>) -> Sphere {
        Self::around(placed.model()).0.transformed(placed.pose())
    }
}

impl NarrowPhase for Spheres {
    fn name(&self) -> &'static str {
        "spheres"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::FalseHits
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        Self::around(model);
        Ok(())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, _: &Query, _: &mut PairCache) -> Verdict {
        if Self::sphere(a).overlaps(&Self::sphere(b)) {
            Verdict::Undecided(Reason::Biased(Bias::Collides))
        } else {
            Verdict::Apart(Separation::Pairwise)
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let torus = Model::from_mesh(xcollide_scenes::shape("torus?faces=200")?)?;
    let mut worlds = [
        World::builder().narrow_phase(Chain(Spheres, Wide::new())).build(),
        World::builder().narrow_phase(BruteForce).build(),
    ];
    for step in 0..20 {
        let mut counts = Vec::new();
        for world in &mut worlds {
            let x = 3.0 - 0.2 * f64::from(step);
            world.add(&torus, &Pose::from_translation([x, 0.3 * f64::from(step % 4), 0.0]))?;
            counts.push(world.check().stats.colliding);
        }
        assert_eq!(counts[0], counts[1], "the chain is exact");
        println!("{} objects, {} collisions", step + 1, counts[0]);
    }
    Ok(())
}
