//! A separating plane.

/// A plane `normal · x = offset` between two bodies: for every point x of the first
/// `normal · x ≤ offset`, for every point of the second `normal · x ≥ offset`, and one of the two
/// strictly. The normal need not have length 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Plane {
    /// Normal, pointing from the first body to the second.
    pub normal: [f64; 3],
    /// Signed distance of the plane from the origin, times the length of the normal.
    pub offset: f64,
}
