//! Functions on vectors of three f64.
//!
//! Sums are computed from left to right, each operation rounded on its own: `dot` is
//! `(a₀b₀ + a₁b₁) + a₂b₂`.

/// The scalar product.
#[inline(always)]
#[must_use]
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The cross product; its first coordinate is `a₁b₂ − a₂b₁`.
#[inline(always)]
#[must_use]
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// `a + b`.
#[inline(always)]
#[must_use]
pub fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a − b`.
#[inline(always)]
#[must_use]
pub fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `factor · v`.
#[inline(always)]
#[must_use]
pub fn scale(v: [f64; 3], factor: f64) -> [f64; 3] {
    [v[0] * factor, v[1] * factor, v[2] * factor]
}

/// `−v`.
#[inline(always)]
#[must_use]
pub fn neg(v: [f64; 3]) -> [f64; 3] {
    [-v[0], -v[1], -v[2]]
}

/// The square of the length: `dot(v, v)`.
#[inline(always)]
#[must_use]
pub fn length_squared(v: [f64; 3]) -> f64 {
    dot(v, v)
}

/// The Euclidean length: the root of `dot(v, v)`.
#[inline(always)]
#[must_use]
pub fn length(v: [f64; 3]) -> f64 {
    dot(v, v).sqrt()
}

/// The [`length`] of a vector of any size: squares neither overflow nor underflow. Off by a few roundings.
///
/// ```
/// use xcollide_math::vector::{length, scaled_length};
///
/// assert_eq!(length([3e-200, 0.0, 4e-200]), 0.0);
/// for size in [1e-200, 1.0, 1e200] {
///     let length = scaled_length([3.0 * size, 0.0, 4.0 * size]);
///     assert!((length / size - 5.0).abs() < 1e-15);
/// }
/// ```
#[inline]
#[must_use]
pub fn scaled_length(v: [f64; 3]) -> f64 {
    let most = largest(v);
    if most == 0.0 || !most.is_finite() {
        return most;
    }
    most * length(v.map(|x| x / most))
}

/// `v` at length 1, rounded; `None` where its length is 0 or not finite.
#[inline(always)]
#[must_use]
pub fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let length = length(v);
    (length > 0.0 && length.is_finite()).then(|| scale(v, 1.0 / length))
}

/// Some direction across `v`: the cross product with the axis that is farthest from it, or that axis
/// where this is 0.
#[must_use]
pub fn perpendicular(v: [f64; 3]) -> [f64; 3] {
    let [x, y, z] = v.map(f64::abs);
    let axis = if x <= y && x <= z {
        [1.0, 0.0, 0.0]
    } else if y <= z {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let across = cross(v, axis);
    if length_squared(across) > 0.0 { across } else { axis }
}

/// The largest magnitude of a coordinate; NaN is passed over.
#[inline(always)]
#[must_use]
pub fn largest([x, y, z]: [f64; 3]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    larger(larger(larger(0.0, x.abs()), y.abs()), z.abs())
}

/// The sum of the magnitudes of the coordinates.
#[inline(always)]
#[must_use]
pub fn taxicab([x, y, z]: [f64; 3]) -> f64 {
    x.abs() + y.abs() + z.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_go_from_left_to_right() {
        // From right to left it would be 0.
        assert_eq!(dot([1.0, -1.0, 1e-30], [1.0; 3]), 1e-30);
        assert_eq!(dot([1e-30, 1.0, -1.0], [1.0; 3]), 0.0);
        assert_eq!(taxicab([-1.0, 2.0, -4.0]), 7.0);
    }

    #[test]
    fn products_are_those_of_the_right_hand() {
        assert_eq!(cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
        let (a, b) = ([1.0, 2.0, 3.0], [-2.0, 0.5, 4.0]);
        assert_eq!((dot(a, cross(a, b)), dot(b, cross(a, b))), (0.0, 0.0));
        assert_eq!(add(sub(a, b), b), a);
        assert_eq!(neg(scale(a, 2.0)), [-2.0, -4.0, -6.0]);
    }

    #[test]
    fn a_perpendicular_is_across_and_never_zero() {
        for v in [[1.0, 2.0, 3.0], [0.0, 0.0, -4.0], [5.0, 0.0, 0.0], [0.0; 3]] {
            let across = perpendicular(v);
            assert!(dot(v, across) == 0.0 && length(across) > 0.0, "{v:?}");
        }
    }

    #[test]
    fn magnitudes() {
        let v = [2.0, -6.0, 3.0];
        assert_eq!((length(v), length_squared(v), largest(v)), (7.0, 49.0, 6.0));
        assert_eq!(unit([0.0, -5.0, 0.0]), Some([0.0, -1.0, 0.0]));
        assert_eq!((unit([0.0; 3]), unit([f64::INFINITY, 0.0, 0.0])), (None, None));
        assert_eq!(largest([f64::NAN, 1.0, f64::NAN]), 1.0);
        assert_eq!(largest([f64::INFINITY, 1.0, f64::NAN]), f64::INFINITY);
    }
}
