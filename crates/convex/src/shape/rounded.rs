//! A polytope with a radius.

use std::sync::Arc;

use super::{Shape, ShapeError, length};
use crate::polytope::Polytope;
use crate::support::{BruteForce, Mixed, Support};
/// A polytope, and all points near it.
///
/// With a radius of zero it is the polytope itself, ideally moved.
#[derive(Clone, Debug)]
pub struct Rounded {
    polytope: Arc<Polytope>,
    radius: f64,
}

impl Rounded {
    /// A polytope with a radius of 0 or more.
    ///
    /// # Errors
    /// The polytope has no vertices or is not of a size between 1e-60 and 1e60, or the radius is
    /// neither that nor 0.
    pub fn new(polytope: Arc<Polytope>, radius: f64) -> Result<Self, ShapeError> {
        if polytope.is_empty() || !(polytope.is_certifiable() || polytope.reach() == 0.0) {
            return Err(ShapeError::Polytope);
        }
        let radius = if radius == 0.0 { 0.0 } else { length("radius", radius)? };
        Ok(Self { polytope, radius })
    }
}

impl Shape for Rounded {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        let polytope = &*self.polytope;
        let mut vertex = Mixed(polytope).farthest(direction, 0);
        // The slack of climbing is in units of 2⁻⁵⁰.
        if 8.0 * Mixed(polytope).slack(vertex) > self.slack() {
            vertex = BruteForce(polytope).farthest(direction, 0);
        }
        polytope.position(vertex)
    }

    fn radius(&self) -> f64 {
        self.radius
    }

    fn reach(&self) -> f64 {
        self.polytope.reach()
    }

    fn slack(&self) -> f64 {
        64.0
    }

    fn inner_ball(&self) -> ([f64; 3], f64) {
        let inner = self.polytope.solidity().map_or(0.0, |solidity| solidity.inner);
        (self.polytope.center(), inner)
    }
}
