//! How far a body fills the polytope that is its convex hull.

/// Two lengths, in the frame of a polytope: a ball about its center that the surface of the body does not
/// enter, and how deep below the border of the polytope the surface may be.
///
/// Whoever makes the polytope of a body measures them: [`Polytope::set_solidity`](crate::Polytope::set_solidity).
/// Certificates of contact are as right as these numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solidity {
    /// The surface keeps this distance from [`Polytope::center`](crate::Polytope::center), which is in the body.
    pub inner: f64,
    /// Each point of the polytope that is deeper than this is in the body.
    pub dent: f64,
}
