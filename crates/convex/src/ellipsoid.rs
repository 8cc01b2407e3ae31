//! The smallest ellipsoid about a polytope, and the part of it that the polytope fills.
//!
//! One ellipsoid about a set of points is smallest (Löwner and John). Its center and shape are the mean and three times
//! the covariance of the points under certain weights. The weights are found by multiplying each one repeatedly by how
//! far out its point is (Titterington, *Estimation of correlation coefficients by ellipsoidal trimming*, 1978; Silvey's
//! algorithm for D-optimal designs). Proofs do not rely on the ellipsoid being smallest, but on it holding all vertices;
//! so it is scaled up at the end until it does.
//!
//! The shape S stands for the set of all center + L y with |y| ≤ 1, where S = L Lᵀ. Along a direction d it reaches
//! √(dᵀ S d) from its center, and in a frame of any rotation R the shape is R S Rᵀ, without an inversion.

use crate::body::UNIT;
use crate::point_set::PointSet;
use crate::point_set::farthest::farthest;
use crate::polytope::Polytope;
use crate::support::{VertexSearch, brute_force};
use xcollide_math::vector::{add, cross, dot, largest, length_squared, scale, sub};
use xcollide_simd::Simd;
use xcollide_simd::vec3::splat;

/// An ellipsoid about a polytope, and a smaller one of the same form inside of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ellipsoid {
    /// In the polytope's frame; not the mean of the vertices.
    pub(crate) center: [f64; 3],
    pub(crate) shape: Shape,
    /// Bounds the half axes, and the polytope's distance from the origin of its frame.
    pub(crate) size: f64,
    /// Scaled about its center by this factor the ellipsoid is inside of the polytope; zero for a flat polytope.
    pub(crate) inner: f64,
    /// A lower bound of the depth of the center in the polytope.
    pub(crate) ball: f64,
    polar: Option<PointSet>,
}

/// The face of a polytope that a point is farthest beyond.
#[derive(Clone, Copy)]
pub(crate) struct HighestFace {
    /// For [`Ellipsoid::normal`].
    pub(crate) number: usize,
    /// The height of the point above the center.
    pub(crate) height: f64,
    /// A lower bound of the depth of the point in the polytope; not positive if it may be outside.
    pub(crate) depth: f64,
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
pub(crate) type Shape = [f64; 6];

/// The twelfth powers of these sizes are normal numbers.
const SIZES: std::ops::RangeInclusive<f64> = 1e-12..=1e12;

/// Half axes are at least about this part of the longest one, so that flat bodies have an ellipsoid, too, and rounding
/// errors stay small against its thickness.
const THINNEST: f64 = 1e-3;

/// The most multiplications of the weights.
const ROUNDS: usize = 40;

/// The iteration ends when no vertex is farther out than this, squared; for the smallest ellipsoid it is 1. Boxes, prisms
/// and simplices end at once.
const ENOUGH: f64 = 1.001;

/// Of more vertices, only the extreme ones in some directions have weights.
const WEIGHED: usize = 64;

impl Ellipsoid {
    /// The ellipsoid of a polytope, in linear time; `None` for a point, and for sizes beyond 10¹²
    /// or below its inverse.
    pub(crate) fn of(polytope: &Polytope) -> Option<Self> {
        let positions = polytope.positions();
        if polytope.reach() > *SIZES.end() || positions.len() < 2 {
            return None;
        }
        let even = vec![1.0 / positions.len() as f64; positions.len()];
        let mut found = Moments::of(positions, &even)?;
        let chosen = if positions.len() > WEIGHED {
            extremes(polytope, &found.root)
        } else {
            positions.to_vec()
        };
        let mut weights = vec![1.0 / chosen.len() as f64; chosen.len()];
        for _ in 0..ROUNDS {
            found = Moments::of(&chosen, &weights)?;
            let mut farthest = 0.0_f64;
            for (weight, &point) in weights.iter_mut().zip(&chosen) {
                let out = length_squared(found.root.solve(sub(point, found.center)));
                farthest = farthest.max(out);
                *weight *= 0.25 * (1.0 + 3.0 * out);
            }
            if farthest <= ENOUGH {
                break;
            }
            let sum: f64 = weights.iter().sum();
            weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        let Moments { center, shape, root } = found;
        let out = |&p: &[f64; 3]| length_squared(root.solve(sub(p, center)));
        let factor = positions.iter().map(out).fold(0.0, f64::max) * (1.0 + 1e-9);
        let shape = shape.map(|value| value * factor);
        let half_axes = ((shape[0] + shape[1]) + shape[2]).sqrt();
        if !SIZES.contains(&half_axes) {
            return None;
        }
        let size = half_axes + 2.0 * polytope.reach();
        let mut ellipsoid = Self { center, shape, size, inner: 0.0, ball: 0.0, polar: None };
        if polytope.dimension() == 3 {
            ellipsoid.measure(polytope);
        }
        Some(ellipsoid)
    }

    /// Bounds the half axes.
    pub(crate) fn radius(&self) -> f64 {
        let [xx, yy, zz, ..] = self.shape;
        ((xx + yy) + zz).sqrt()
    }

    /// The face that a point is farthest beyond, or least below; `None` for polytopes with many faces.
    #[inline(always)]
    pub(crate) fn highest_face<S: Simd>(&self, from_center: [f64; 3]) -> Option<HighestFace> {
        let polar = self.polar.as_ref()?;
        let number = farthest::<S::F64x8>(&polar.blocks, splat(from_center));
        let height = dot(polar.point(number), from_center);
        // Heights are rounded by 4u|y|/ball each. Points beyond the range of the planes' error bounds are outside.
        let within = largest(from_center) <= self.size;
        let depth = (1.0 - height) * self.ball - 64.0 * UNIT * self.size;
        Some(HighestFace { number, height, depth: if within { depth } else { -1.0 } })
    }

    /// The normal of a face, outward, with a length such that the face has height 1 above the center.
    #[inline]
    pub(crate) fn normal(&self, face: &HighestFace) -> [f64; 3] {
        self.polar.as_ref().map_or([0.0; 3], |polar| polar.point(face.number))
    }

    /// Measures the inner factor from the planes of the faces.
    ///
    /// A face has the normal N, computed from three corners p, q, r with an error below E = 16u |q − p| |r − p|. So the
    /// height N · (p − c) of the plane above the center, or above any other point of the hull, is too great by at most E
    /// times their distance plus 8u |N| times the greatest coordinate, which are subtracted.
    fn measure(&mut self, polytope: &Polytope) {
        let reach = polytope.reach();
        let (mut inner, mut ball) = (f64::INFINITY, f64::INFINITY);
        let mut polar = Vec::with_capacity(polytope.facets.len());
        for corners in polytope.facets() {
            let at = |i: usize| polytope.position(corners[i % corners.len()]);
            let turns = (0..corners.len()).map(|i| {
                let [one, two] = [sub(at(i + 1), at(i)), sub(at(i + 2), at(i + 1))];
                (cross(one, two), (length_squared(one) * length_squared(two)).sqrt(), at(i))
            });
            let best = turns.max_by(|u, v| length_squared(u.0).total_cmp(&length_squared(v.0)));
            let Some((normal, sides, corner)) = best else { return };
            let length = length_squared(normal).sqrt();
            let error = UNIT * (16.0 * sides * 8.0 * reach + 16.0 * reach * length);
            let height = dot(normal, sub(corner, self.center)) - error;
            if height <= 0.0 || !height.is_finite() {
                return;
            }
            let across = dot(normal, product(&self.shape, normal)).max(0.0).sqrt();
            inner = inner.min(height / (across + 1e-10 * self.size * length));
            ball = ball.min(height / length);
            polar.push(scale(normal, 1.0 / height));
        }
        (self.inner, self.ball) = (inner, ball * (1.0 - 1e-12));
        if polar.len() <= 2 * VertexSearch::ALL_VERTICES_UP_TO {
            self.polar = Some(PointSet::new(&polar));
        }
    }
}

/// Mean and covariance of weighted points, times three.
struct Moments {
    center: [f64; 3],
    shape: Shape,
    root: Root,
}

impl Moments {
    /// `None` if all points are equal.
    fn of(points: &[[f64; 3]], weights: &[f64]) -> Option<Self> {
        let mut center = [0.0; 3];
        for (&point, &weight) in points.iter().zip(weights) {
            center = add(center, scale(point, weight));
        }
        let mut shape = [0.0; 6];
        for (&point, &weight) in points.iter().zip(weights) {
            let [x, y, z] = sub(point, center);
            let products = [x * x, y * y, z * z, x * y, x * z, y * z];
            for (value, product) in shape.iter_mut().zip(products) {
                *value += 3.0 * weight * product;
            }
        }
        let least = THINNEST * THINNEST * ((shape[0] + shape[1]) + shape[2]);
        for value in &mut shape[..3] {
            *value += least;
        }
        let root = Root::of(&shape)?;
        Some(Self { center, shape, root })
    }
}

/// The lower triangular L of L Lᵀ (Cholesky): the diagonal, then yx, zx, zy.
struct Root([f64; 6]);

impl Root {
    fn of(&[xx, yy, zz, xy, xz, yz]: &Shape) -> Option<Self> {
        let x = xx.sqrt();
        let (yx, zx) = (xy / x, xz / x);
        let y = (yy - yx * yx).sqrt();
        let zy = (yz - zx * yx) / y;
        let z = (zz - zx * zx - zy * zy).sqrt();
        // False for NaN.
        let regular = x > 0.0 && y > 0.0 && z > 0.0 && (x + y + z).is_finite();
        regular.then_some(Self([x, y, z, yx, zx, zy]))
    }

    /// The y with L y = v.
    fn solve(&self, v: [f64; 3]) -> [f64; 3] {
        let [x, y, z, yx, zx, zy] = self.0;
        let first = v[0] / x;
        let second = (v[1] - yx * first) / y;
        [first, second, (v[2] - zx * first - zy * second) / z]
    }

    /// The d with Lᵀ d = v.
    fn solve_transposed(&self, v: [f64; 3]) -> [f64; 3] {
        let [x, y, z, yx, zx, zy] = self.0;
        let third = v[2] / z;
        let second = (v[1] - zy * third) / y;
        [(v[0] - yx * second - zx * third) / x, second, third]
    }
}

/// The vertices that are farthest in directions all around, in the frame where the covariance is round.
fn extremes(polytope: &Polytope, root: &Root) -> Vec<[f64; 3]> {
    let steps = -2..=2;
    let all = steps.clone().flat_map(|x| steps.clone().map(move |y| (x, y)));
    let all = all.flat_map(|(x, y)| (-2..=2).map(move |z| [x, y, z].map(f64::from)));
    // A coordinate of ±1 leaves one direction of each ray.
    let odd = |d: &[f64; 3]| d.iter().any(|x| x.abs() == 1.0);
    let farthest = |d| brute_force(polytope, root.solve_transposed(d));
    let mut found: Vec<u32> = all.filter(odd).map(farthest).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().map(|vertex| polytope.position(vertex)).collect()
}

#[inline]
pub(crate) fn product(&[xx, yy, zz, xy, xz, yz]: &Shape, [x, y, z]: [f64; 3]) -> [f64; 3] {
    [(xx * x + xy * y) + xz * z, (xy * x + yy * y) + yz * z, (xz * x + yz * y) + zz * z]
}

/// Shapes in the lanes of registers.
pub(crate) mod lanes {
    use xcollide_simd::SimdFloat;
    use xcollide_simd::vec3::dot;

    #[inline(always)]
    pub(crate) fn product<F: SimdFloat>(&[xx, yy, zz, xy, xz, yz]: &[F; 6], v: [F; 3]) -> [F; 3] {
        [dot([xx, xy, xz], v), dot([xy, yy, yz], v), dot([xz, yz, zz], v)]
    }

    /// The shapes in frames whose rotations have the rows r, s and t.
    #[inline(always)]
    pub(crate) fn rotated<F: SimdFloat>(shape: &[F; 6], [r, s, t]: [[F; 3]; 3]) -> [F; 6] {
        let (first, second, third) = (product(shape, r), product(shape, s), product(shape, t));
        [dot(first, r), dot(second, s), dot(third, t), dot(first, s), dot(first, t), dot(second, t)]
    }

    /// The inverse of a shape times its determinant, and the determinant.
    #[inline(always)]
    pub(crate) fn adjugate<F: SimdFloat>(&[xx, yy, zz, xy, xz, yz]: &[F; 6]) -> ([F; 6], F) {
        let adjugate = [
            yy.mul(zz).sub(yz.mul(yz)),
            xx.mul(zz).sub(xz.mul(xz)),
            xx.mul(yy).sub(xy.mul(xy)),
            xz.mul(yz).sub(xy.mul(zz)),
            xy.mul(yz).sub(xz.mul(yy)),
            xy.mul(xz).sub(xx.mul(yz)),
        ];
        let determinant = xx.mul(adjugate[0]).add(xy.mul(adjugate[3])).add(xz.mul(adjugate[4]));
        (adjugate, determinant)
    }
}

#[cfg(test)]
mod tests;
