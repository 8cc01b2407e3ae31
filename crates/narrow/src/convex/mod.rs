#![doc = include_str!("README.md")]

pub(crate) mod certified;
pub(crate) mod exact_fallback;
pub(crate) mod minkowski_simplex;
pub(crate) mod pair_memory;
pub(crate) mod penetration;
pub(crate) mod prepare;
pub(crate) mod solidity;
mod vertex_tree;

use xcollide_convex::{GjkSearch, HybridSearch, SatSearch};

pub use certified::Certified;
pub use minkowski_simplex::MinkowskiSimplex;
pub use prepare::polytope_of;

/// The last certificate, ellipsoids, a separating vector and its reflection, then GJK: the fastest algorithm
/// for convex bodies.
pub type Hybrid = Certified<HybridSearch>;

/// Boolean GJK, from the simplex of the last query.
pub type Gjk = Certified<GjkSearch>;

/// The separating axis test: the last axis, then all faces and all pairs of edges that can separate.
pub type Sat = Certified<SatSearch>;
