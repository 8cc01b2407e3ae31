//! A narrow phase of one's own: spheres first, the exact algorithm where they do not tell.
//!
//! It keeps a sphere with each model, made once, and implements the same trait as all others; so it
//! goes wherever one of ours goes: into a `World`, a `Chain`, a test against brute force.
//!
//! `cargo run -p xcollide --example own_narrow_phase`
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use xcollide::bounds::{BoundingVolume, Sphere};
use xcollide::narrow::combine::Chain;
use xcollide::narrow::mesh::{BruteForce, Wide};
use xcollide::narrow::{Bias, Guarantee, PrepareError, Reason};
use xcollide::prelude::*;

/// Says `Apart` where the spheres around the models are apart, and nothing else for certain.
struct Spheres;

/// What it keeps with a model.
struct Around(Sphere);

impl Spheres {
    /// That of a model, built with the first call.
    fn around(model: &Model) -> Arc<Around> {
        model.prepared(|model| Around(Sphere::fit(model.mesh().positions())))
    }

    /// The same, in the world.
    fn sphere(placed: Placed<'_>) -> Sphere {
        Self::around(placed.model()).0.transformed(placed.transform().motion())
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
            world.add(&torus, &Pose::translation(x, 0.3 * f64::from(step % 4), 0.0))?;
            counts.push(world.check().stats.colliding);
        }
        assert_eq!(counts[0], counts[1], "the chain is exact");
        println!("{} objects, {} collisions", step + 1, counts[0]);
    }
    Ok(())
}
