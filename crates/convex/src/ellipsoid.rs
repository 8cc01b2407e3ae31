//! The smallest ellipsoid about a polytope, and how much of it the polytope fills.
//!
//! Of all ellipsoids about a set of points one is smallest (Löwner and John), and it is the one
//! whose center and shape are the mean and three times the covariance of the points under certain
//! weights. Those are found by multiplying each weight by how far out its point is, again and again
//! (Titterington, *Estimation of correlation coefficients by ellipsoidal trimming*, 1978; Silvey's
//! algorithm for D-optimal designs). That it is the smallest is not relied on; that it holds all
//! vertices is, so it is blown up in the end until it does.
//!
//! The shape S stands for the set of all center + L y with |y| ≤ 1, where S = L Lᵀ. Along a
//! direction d it reaches √(dᵀ S d) from its center, in a frame of any rotation R the shape is
//! R S Rᵀ: nothing is ever inverted.

use crate::point_set::PointSet;
use crate::polytope::Polytope;
use crate::support::{VertexSearch, brute_force};
use xcollide_math::vector::{add, cross, dot, largest, length_squared, scale, sub};

/// An ellipsoid that holds a polytope, and a smaller one of the same form that the polytope holds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ellipsoid {
    center: [f64; 3],
    shape: Shape,
    /// Bounds its half axes, and how far from the origin of the frame the polytope reaches.
    size: f64,
    inner: f64,
    ball: f64,
    polar: Option<PointSet>,
}

/// What the faces of a polytope tell of a point.
#[derive(Clone, Copy)]
pub(crate) struct HighestFace {
    /// Outward normal of the face, of such a length that its plane has height 1 above the center.
    pub(crate) normal: [f64; 3],
    /// Of the point above the center.
    pub(crate) height: f64,
    /// How deep in the polytope the point is, at least; not positive where it may be outside.
    pub(crate) depth: f64,
}

/// A symmetric matrix: xx, yy, zz, xy, xz, yz.
pub(crate) type Shape = [f64; 6];

/// Sizes for which the twelfth power of a length is a number like any other.
const SIZES: std::ops::RangeInclusive<f64> = 1e-12..=1e12;

/// Half axes are at least about this part of the longest one: so flat bodies have one, too, and
/// rounding errors stay small against its thickness.
const THINNEST: f64 = 1e-3;

/// How often the weights are multiplied at most.
const ROUNDS: usize = 40;

/// No vertex farther out than this, squared, is near enough to the smallest, where it is 1: boxes,
/// prisms and simplices are there at once.
const ENOUGH: f64 = 1.001;

/// Of more vertices, those that are extreme in some directions are weighed.
const WEIGHED: usize = 64;

/// u = 2⁻⁵³, the relative error of one rounding.
const UNIT: f64 = f64::EPSILON / 2.0;

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

    /// Its center, in the polytope's frame; not the mean of the vertices.
    #[inline]
    pub(crate) fn center(&self) -> [f64; 3] {
        self.center
    }

    /// Scaled about its center by this factor it is inside of the polytope; zero for a flat polytope.
    #[inline]
    pub(crate) fn inner(&self) -> f64 {
        self.inner
    }

    #[inline]
    pub(crate) fn shape(&self) -> Shape {
        self.shape
    }

    #[inline]
    pub(crate) fn size(&self) -> f64 {
        self.size
    }

    /// How deep in the polytope the center is, at least.
    #[inline]
    pub(crate) fn ball(&self) -> f64 {
        self.ball
    }

    /// The face that a point is farthest beyond, or least below; `None` where there are many faces.
    #[inline]
    pub(crate) fn highest_face(&self, from_center: [f64; 3]) -> Option<HighestFace> {
        let polar = self.polar.as_ref()?;
        let normal = polar.point(polar.farthest(from_center));
        let height = dot(normal, from_center);
        // Heights are rounded by 4u|y|/ball each. What is farther from the center than all that the
        // error bounds of the planes are good for is outside.
        let within = largest(from_center) <= self.size;
        let depth = (1.0 - height) * self.ball - 64.0 * UNIT * self.size;
        Some(HighestFace { normal, height, depth: if within { depth } else { -1.0 } })
    }

    /// Finds how much of it the polytope holds, from the planes of the faces.
    ///
    /// A face has the normal N, computed from three corners p, q, r with an error below
    /// E = 16u |q − p| |r − p|; so by how much the height N · (p − c) of the plane above the center, or
    /// of any other point of the hull, may be too great is E times their distance and 8u |N| times the
    /// greatest coordinate. What is left of it is taken to be the height.
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
        if polar.len() <= 2 * VertexSearch::BRUTE_FORCE_UP_TO {
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
    /// `None` where all points are one.
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
        // False for what is not a number.
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

/// The vertices that are farthest in directions all around, as seen where the polytope is round.
fn extremes(polytope: &Polytope, root: &Root) -> Vec<[f64; 3]> {
    let steps = -2..=2;
    let all = steps.clone().flat_map(|x| steps.clone().map(move |y| (x, y)));
    let all = all.flat_map(|(x, y)| (-2..=2).map(move |z| [x, y, z].map(f64::from)));
    // One of each line: those with a coordinate of 1, or of 2 beside one that is odd.
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

#[cfg(test)]
mod tests;
