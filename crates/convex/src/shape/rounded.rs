//! A polytope with a radius.

use std::sync::Arc;

use super::{Shape, ShapeError, length};
use crate::polytope::Polytope;
use crate::support::{VertexSearch, brute_force, mixed};

/// A polytope, and all points at most a radius away. With a radius of zero it is the polytope itself, ideally moved.
#[derive(Clone, Debug)]
pub struct Rounded {
    polytope: Arc<Polytope>,
    radius: f64,
}

impl Rounded {
    /// A polytope with a radius of 0 or more.
    ///
    /// # Errors
    /// The polytope has no vertices or a size that is not between 1e-60 and 1e60, or the radius is neither 0 nor between
    /// those.
    pub fn new(polytope: Arc<Polytope>, radius: f64) -> Result<Self, ShapeError> {
        if polytope.is_empty() || !(polytope.is_certifiable() || polytope.reach() == 0.0) {
            return Err(ShapeError::Polytope);
        }
        let radius = if radius == 0.0 { 0.0 } else { length("radius", radius)? };
        Ok(Self { polytope, radius })
    }

    /// The polytope.
    #[must_use]
    pub fn polytope(&self) -> &Polytope {
        &self.polytope
    }
}

impl Shape for Rounded {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        let polytope = &*self.polytope;
        let mut vertex = mixed(polytope, direction, 0);
        // The slack of a vertex is in units of 2⁻⁵⁰.
        if 8.0 * VertexSearch::Mixed.slack(polytope, vertex) > self.slack() {
            vertex = brute_force(polytope, direction);
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
