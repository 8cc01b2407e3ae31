//! Frames, and the vector functions for them.

#[cfg(any(test, feature = "serde"))]
use xcollide_math::vector::dot;
use xcollide_math::vector::{cross, length};

pub(super) type Vector = [f64; 3];

/// Three vectors, nearly orthonormal, one a row.
pub(super) type Frame = [Vector; 3];

pub(super) const IDENTITY: Frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The vector at length 1; `None` if its length is 0, too small for a direction, or not a number.
#[inline]
pub(super) fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length > 1e-150 && length < 1e150).then(|| a.map(|x| x / length))
}

/// Two unit vectors that complete a unit vector to a frame.
pub(super) fn perpendiculars(normal: Vector) -> Option<[Vector; 2]> {
    let [x, y, z] = normal.map(f64::abs);
    let smallest = if x <= y && x <= z { 0 } else { 2 - usize::from(y <= z) };
    let u = unit(cross(normal, IDENTITY[smallest]))?;
    Some([u, cross(normal, u)])
}

/// Whether the rows are orthonormal up to a tolerance in each of their products.
#[cfg(any(test, feature = "serde"))]
pub(super) fn is_orthonormal(frame: &Frame, tolerance: f64) -> bool {
    (0..3).all(|i| {
        (i..3).all(|j| {
            let expected = if i == j { 1.0 } else { 0.0 };
            (dot(frame[i], frame[j]) - expected).abs() < tolerance
        })
    })
}
