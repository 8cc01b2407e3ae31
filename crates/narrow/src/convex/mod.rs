#![doc = include_str!("README.md")]

pub(crate) mod certified;
pub(crate) mod exact_fallback;
pub(crate) mod minkowski_simplex;
pub(crate) mod pair_memory;
pub(crate) mod penetration;
pub(crate) mod prepare;
pub(crate) mod solidity;

use xcollide_convex::{GjkSearch, HybridSearch, SatSearch};

pub use certified::Certified;
pub use minkowski_simplex::MinkowskiSimplex;
pub use penetration::{PenetrationError, penetration};
pub use prepare::polytope_of;

/// What held last time, ellipsoids, a vector and its reflection, then GJK: the fastest of those here.
pub type Hybrid = Certified<HybridSearch>;

/// Boolean GJK, from the simplex of the last query.
pub type Gjk = Certified<GjkSearch>;

/// The separating axis test: all faces and all pairs of edges that can separate, the last axis first.
pub type Sat = Certified<SatSearch>;
