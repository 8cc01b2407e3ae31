//! Orthonormal frames: three unit vectors, the rows of a matrix.

use crate::rounding::{UNIT, largest_magnitude};
use xcollide_math::vector::{cross, dot};

/// Three axes, the rows of a rotation.
pub(crate) type Frame = [[f64; 3]; 3];

/// The axes of the world.
pub(crate) const WORLD: Frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// The scalar products of the axes of every stored frame are orthonormal up to this: 16u when fitted
/// ([`orthonormal`]), and a few units more with each motion until [`turned`] straightens them.
pub(crate) const FRAME_ERROR: f64 = 128.0 * UNIT;

/// The unit vector in a direction; `None` for zero and non-finite vectors.
pub(crate) fn unit(v: [f64; 3]) -> Option<[f64; 3]> {
    let largest = largest_magnitude(v);
    if largest == 0.0 || !largest.is_finite() {
        return None;
    }
    // Scaled first, so that squares neither overflow nor underflow.
    let v = v.map(|x| x / largest);
    let length = dot(v, v).sqrt();
    Some(v.map(|x| x / length))
}

/// A frame with its first axis along `u` and its second as close to `v` as possible; any frame if the
/// vectors do not span a plane. Scalar products are orthonormal up to 16 · 2⁻⁵³.
pub(crate) fn orthonormal(u: [f64; 3], v: [f64; 3]) -> Frame {
    let Some(first) = unit(u) else { return WORLD };
    let across = |v| unit(reject(v, first)).and_then(|v| unit(reject(v, first)));
    let second = across(v).unwrap_or_else(|| {
        let smallest = (1..3).fold(0, |s, i| if first[i].abs() < first[s].abs() { i } else { s });
        unit(cross(first, WORLD[smallest])).unwrap_or(WORLD[1])
    });
    let third = cross(first, second);
    [first, second, unit(third).unwrap_or(third)]
}

/// As [`orthonormal`], but faster if the vectors are nearly orthonormal already.
#[inline]
pub(crate) fn straightened(u: [f64; 3], v: [f64; 3]) -> Frame {
    let near = |value: f64, expected: f64| (value - expected).abs() < 1e-3;
    let (uu, uv, vv) = (dot(u, u), dot(u, v), dot(v, v));
    if !(near(uu, 1.0) && near(uv, 0.0) && near(vv, 1.0)) {
        return orthonormal(u, v);
    }
    let scale = 1.0 / uu.sqrt();
    let first = u.map(|x| x * scale);
    let along = dot(v, first);
    let rest = [0, 1, 2].map(|i| v[i] - along * first[i]);
    let scale = 1.0 / dot(rest, rest).sqrt();
    let second = rest.map(|x| x * scale);
    [first, second, cross(first, second)]
}

/// The frame after a rotation, whose rows are orthonormal to 16u; up to the sign of its last axis.
///
/// Two axes are turned, the third is their cross product, so only the first two can be off. Where
/// these have lost 48u they are straightened. The square of the length of a cross product is then
/// off by 2 · 52u and its own rounding, 12u: all products are within [`FRAME_ERROR`].
#[inline]
pub(crate) fn turned(rotation: &Frame, frame: &Frame) -> Frame {
    const DRIFT: f64 = 48.0 * UNIT;
    let [u, v] = [frame[0], frame[1]].map(|axis| rotation.map(|row| dot(row, axis)));
    let lost = (dot(u, u) - 1.0).abs().max((dot(v, v) - 1.0).abs()).max(dot(u, v).abs());
    if lost < DRIFT { [u, v, cross(u, v)] } else { straightened(u, v) }
}

/// The frame with a given normal as its last axis.
pub(crate) fn with_normal(normal: [f64; 3]) -> Frame {
    let [n, u, v] = orthonormal(normal, [0.0; 3]);
    [u, v, n]
}

/// The part of `v` across the unit vector `axis`; zero if only rounding errors remain.
fn reject(v: [f64; 3], axis: [f64; 3]) -> [f64; 3] {
    let along = dot(v, axis);
    let rest = [0, 1, 2].map(|i| v[i] - along * axis[i]);
    if dot(rest, rest) <= 1e-24 * along * along { [0.0; 3] } else { rest }
}

/// The eigenvectors of a symmetric matrix by Jacobi's rotations, the largest eigenvalue first.
///
/// Uses only +, −, ×, ÷ and square roots, so the bits are the same on every platform.
pub(crate) fn eigenvectors(mut m: [[f64; 3]; 3]) -> Frame {
    let mut axes = WORLD;
    for _ in 0..16 {
        let off = m[0][1].abs() + m[0][2].abs() + m[1][2].abs();
        let diagonal = m[0][0].abs() + m[1][1].abs() + m[2][2].abs();
        if off <= 1e-18 * diagonal {
            break;
        }
        for [p, q] in [[0, 1], [0, 2], [1, 2]] {
            rotate(&mut m, &mut axes, p, q);
        }
    }
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| m[j][j].total_cmp(&m[i][i]));
    orthonormal(axes[order[0]], axes[order[1]])
}

/// One Jacobi rotation: makes `m[p][q]` zero.
fn rotate(m: &mut [[f64; 3]; 3], axes: &mut Frame, p: usize, q: usize) {
    if m[p][q] == 0.0 {
        return;
    }
    let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    if !s.is_finite() {
        return;
    }
    for k in 0..3 {
        [m[k][p], m[k][q]] = [c * m[k][p] - s * m[k][q], s * m[k][p] + c * m[k][q]];
    }
    for k in 0..3 {
        [m[p][k], m[q][k]] = [c * m[p][k] - s * m[q][k], s * m[p][k] + c * m[q][k]];
        [axes[p][k], axes[q][k]] =
            [c * axes[p][k] - s * axes[q][k], s * axes[p][k] + c * axes[q][k]];
    }
}

/// The sums of products of the points' coordinates about their mean.
pub(crate) fn covariance(points: impl Iterator<Item = [f64; 3]> + Clone) -> [[f64; 3]; 3] {
    let (mut sum, mut count) = ([0.0; 3], 0.0);
    for p in points.clone() {
        sum = [0, 1, 2].map(|i| sum[i] + p[i]);
        count += 1.0;
    }
    let mean = sum.map(|x| x / count);
    let mut covariance = [[0.0; 3]; 3];
    for p in points {
        let d = [0, 1, 2].map(|i| p[i] - mean[i]);
        for i in 0..3 {
            for j in 0..3 {
                covariance[i][j] += d[i] * d[j];
            }
        }
    }
    covariance
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector() -> impl Strategy<Value = [f64; 3]> {
        let component = prop_oneof![Just(0.0), Just(1.0), -1.0..1.0, -1e-9..1e-9, -1e60..1e60];
        [component.clone(), component.clone(), component]
    }

    fn is_orthonormal(frame: Frame) -> Result<(), TestCaseError> {
        for i in 0..3 {
            for j in 0..3 {
                let expected = if i == j { 1.0 } else { 0.0 };
                // The product itself is off by 4 units.
                let error = (dot(frame[i], frame[j]) - expected).abs();
                prop_assert!(error <= 12.0 * f64::EPSILON / 2.0, "{error:e} in {frame:?}");
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// The bound that every margin for oriented boxes rests on.
        #[test]
        fn frames_are_orthonormal_to_sixteen_units(u in vector(), v in vector()) {
            is_orthonormal(orthonormal(u, v))?;
        }

        #[test]
        fn so_are_straightened_ones(u in vector(), v in vector(), [s, t, w] in [-1e-4..1e-4, -1e-4..1e-4, -1e-4..1e-4]) {
            let [a, b, c] = orthonormal(u, v);
            let mix = |s: f64, a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|i| a[i] + s * b[i]);
            is_orthonormal(straightened(mix(t, mix(s, a, b), a), mix(w, mix(t, b, a), c)))?;
        }

        #[test]
        fn eigenvectors_make_the_matrix_diagonal(
            points in prop::collection::vec([-1.0..1.0, -2.0..2.0, -0.1..0.1], 1..20)
        ) {
            let m = covariance(points.into_iter());
            let axes = eigenvectors(m);
            let times = |v: [f64; 3]| m.map(|row| dot(row, v));
            let size = m[0][0] + m[1][1] + m[2][2];
            let product = |i: usize, j: usize| dot(axes[i], times(axes[j]));
            for [i, j] in [[0, 1], [0, 2], [1, 2]] {
                prop_assert!(product(i, j).abs() <= 1e-13 * size);
                prop_assert!(product(i, i) >= product(j, j) - 1e-13 * size);
            }
        }
    }
}
