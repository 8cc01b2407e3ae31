//! Compares a user's algorithm with those of the registry.
//!
//! `cargo run --release -p xcollide-lab --example own_algorithm`
//!
//! The algorithm tries a handful of directions for a separating plane before brute force. It only
//! implements the trait; the comparison creates it as needed, compares its answers frame by frame,
//! and would stop with a scene that shows an error.

#![allow(clippy::print_stdout)]

use xcollide::brep::Topology;
use xcollide::narrow::mesh::BruteForce;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Separation, Verdict,
};
use xcollide_lab::compare::{Algorithm, Comparison, Motion, table};
use xcollide_scenes::{NoFiles, embedded};

/// A plane first, brute force if there is none.
struct PlaneFirst;

impl NarrowPhase for PlaneFirst {
    fn name(&self) -> &'static str {
        "plane-first"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        match Separation::find_plane(a, b) {
            Some(plane) => Verdict::Apart(Separation::Plane(plane)),
            None => BruteForce.test(a, b, query, cache),
        }
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let scene = embedded("cage?objects=10&faces=60&side=4&frames=100")?;
    let motion = Motion::record(&scene, &mut NoFiles, |_| ())?;
    let comparison = Comparison::new()
        .narrow(Algorithm::own_narrow_phase("plane-first", || PlaneFirst))
        .narrow(Algorithm::narrow_phase("brute-force").ok_or("no such algorithm")?)
        .narrow(Algorithm::narrow_phase("wide-obb").ok_or("no such algorithm")?);
    let outcome = comparison.run(&motion, |_| ())?;
    println!("{}", table(&outcome));
    assert_eq!(outcome.figures.len(), 3);
    Ok(())
}
