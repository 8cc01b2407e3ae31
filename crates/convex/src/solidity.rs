//! How far a body fills the polytope that is its convex hull.

/// Two lengths in the frame of a polytope. Whoever makes the polytope of a body measures them for
/// [`Polytope::set_solidity`](crate::Polytope::set_solidity); certificates of contact rely on them.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Solidity {
    /// The surface keeps this distance from [`Polytope::center`](crate::Polytope::center), which is in the body.
    pub inner: f64,
    /// Each point of the polytope that is deeper than this is in the body.
    pub dent: f64,
}

/// 1 % for the matrix, which is a rotation up to 1e-5 only, and for rounding.
pub(crate) const SAFETY: f64 = 1.02;
