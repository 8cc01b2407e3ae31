//! GJK over the cores of two shapes, in registers: nearest points and a direction with bounds of the distance.
//!
//! ```text
//!        d  the newest        The corners are differences q − p of core points. d was farthest towards the
//!       ╱│╲                   origin ○, so the feature that is nearest to the origin has d as a corner:
//!      ╱ │ ╲                  of a tetrahedron three faces remain.
//!     a──┼──c    ○
//!        b
//! ```
//!
//! Each step searches one direction, which bounds the distance from below, and keeps the nearest feature, whose nearest
//! point bounds it from above. A corner that brings nothing nearer is dropped.
//!
//! The latency of the steps is the whole running time. So every number is in all lanes of a register, and directions have
//! any length: the roots and quotients that bounds need are not waited for.
//!
//! Sources: Gilbert, Johnson and Keerthi 1988; van den Bergen 1999; regions of a triangle: Ericson 2005, 5.1.5.

use xcollide_simd::vec3::{add, cross, dot, first, neg, scale, splat, sub};
use xcollide_simd::{F64x4, Simd, SimdFloat, SimdKernel};

use super::moved::MovedShape;
use xcollide_math::vector;

/// The most steps. Polytopes, capsules and balls take ten, curved bodies some thirty, or a hundred if they nearly touch.
const MOST_STEPS: usize = 160;

/// Below this distance, relative to the size, the nearest point is mostly rounding.
const NEAR_CONTACT: f64 = 1e-6;

/// A search for the nearest points of two cores that are shrunk about centers.
pub(super) struct NearestSearch<'a> {
    pub(super) sides: [MovedShape<'a>; 2],
    pub(super) centers: [[f64; 3]; 2],
    pub(super) factors: [f64; 2],
    /// The first direction, of any length but zero.
    pub(super) start: [f64; 3],
    /// The size of both shapes.
    pub(super) scale: f64,
    /// The search ends when the bounds differ by this part of the size,
    pub(super) enough: f64,
    /// or the cores are farther apart than this,
    pub(super) apart: f64,
    /// or the shrunk cores nearer than this.
    pub(super) near: f64,
}

/// What a search found.
pub(super) struct Nearest {
    /// The direction with the widest gap, of any length, and the points of the cores that are farthest along it.
    pub(super) direction: [f64; 3],
    pub(super) farthest: [[f64; 3]; 2],
    /// The nearest points of the shrunk cores.
    pub(super) points: [[f64; 3]; 2],
}

/// A difference q − p of two points of shrunk cores, and these points.
#[derive(Clone, Copy)]
struct Corner<F> {
    difference: [F; 3],
    ends: [[F; 3]; 2],
}

/// Up to four of the corners with their weights in the point nearest to the origin.
#[derive(Clone, Copy)]
struct Feature<F> {
    len: usize,
    slots: [usize; 4],
    weights: [F; 3],
    nearest: [F; 3],
    /// Squared.
    distance: F,
}

impl SimdKernel for NearestSearch<'_> {
    type Output = Nearest;

    #[inline(always)]
    fn run<S: Simd>(self) -> Nearest {
        let zero = S::F64x4::splat(0.0);
        let mut direction = splat::<S::F64x4>(self.start);
        let mut corners = [Corner { difference: [zero; 3], ends: [[zero; 3]; 2] }; 4];
        let mut feature = Feature::of_corner(0, [zero; 3]);
        feature.len = 0;
        let (mut widest, mut widest_along, mut widest_ends) =
            (f64::NEG_INFINITY, direction, [[zero; 3]; 2]);
        let (mut at_most, mut tried, mut holds_origin) = (f64::INFINITY, false, false);
        let shrinks = self.factors != [0.0; 2];
        for _ in 0..MOST_STEPS {
            let length = dot(direction, direction).sqrt();
            let [a, b] = &self.sides;
            let mut ends = [a.farthest::<S>(direction), b.farthest::<S>(neg(direction))];
            let mut difference = sub(ends[1], ends[0]);
            let gap = dot(direction, difference).div(length).first();
            if gap > widest {
                (widest, widest_along, widest_ends) = (gap, direction, ends);
                if gap > self.apart {
                    break;
                }
            }
            if shrinks {
                for k in 0..2 {
                    let keep = S::F64x4::splat(1.0 - self.factors[k]);
                    let center = splat::<S::F64x4>(self.centers[k]);
                    ends[k] = add(center, scale(sub(ends[k], center), keep));
                }
                difference = sub(ends[1], ends[0]);
            }
            let newest = feature.free_slot();
            corners[newest] = Corner { difference, ends };
            let Some(found) = feature.with(&corners, newest) else {
                let [i, j, k, _] = feature.slots;
                (feature.slots, holds_origin) = ([newest, i, j, k], true);
                break;
            };
            let distance = found.distance.sqrt().first();
            let nearer = distance < at_most;
            let ended = if nearer {
                (feature, at_most, tried) = (found, distance, false);
                distance < self.near || distance - widest <= self.enough * (distance + self.scale)
            } else {
                std::mem::replace(&mut tried, true)
            };
            if ended {
                break;
            }
            // Near contact the nearest point is noise, but the feature still has a direction. On curved shapes the
            // feature may be too thin to have one. If one direction fails, the other is tried.
            let near_contact = at_most < NEAR_CONTACT * self.scale;
            direction = if near_contact == nearer {
                feature.towards_origin(&corners)
            } else {
                feature.nearest
            };
            let square = dot(direction, direction).first();
            if !(square > 0.0 && square < f64::INFINITY) {
                break;
            }
        }
        let [i, j, k, l] = feature.slots;
        let weights = if holds_origin {
            of_origin([
                first(corners[i % 4].difference),
                first(corners[j % 4].difference),
                first(corners[k % 4].difference),
                first(corners[l % 4].difference),
            ])
        } else {
            let [u, v, w] = first(feature.weights);
            [u, v, w, 0.0]
        };
        let len = if holds_origin { 4 } else { feature.len };
        let mut points = [[0.0; 3]; 2];
        for (&slot, &weight) in feature.slots.iter().zip(&weights).take(len) {
            let [p, q] = corners[slot % 4].ends;
            points[0] = vector::add(points[0], vector::scale(first(p), weight));
            points[1] = vector::add(points[1], vector::scale(first(q), weight));
        }
        Nearest {
            direction: first(widest_along),
            farthest: [first(widest_ends[0]), first(widest_ends[1])],
            points,
        }
    }
}

impl<F: F64x4> Feature<F> {
    #[inline(always)]
    fn of_corner(slot: usize, nearest: [F; 3]) -> Self {
        let weights = [F::splat(1.0), F::splat(0.0), F::splat(0.0)];
        Self { len: 1, slots: [slot, 0, 0, 0], weights, nearest, distance: dot(nearest, nearest) }
    }

    /// The first slot that none of at most three corners has.
    #[inline(always)]
    fn free_slot(&self) -> usize {
        let [i, j, k, _] = self.slots;
        let (i, j, k) = (1 << i, 1 << j, 1 << k);
        let used = match self.len {
            0 => 0_u32,
            1 => i,
            2 => i | j,
            _ => i | j | k,
        };
        used.trailing_ones() as usize
    }

    /// The feature of these corners and the newest that is nearest to the origin; `None` if all four hold it.
    #[inline(always)]
    fn with(&self, corners: &[Corner<F>; 4], newest: usize) -> Option<Self> {
        let [i, j, k, _] = self.slots;
        match self.len {
            0 => Some(Self::of_corner(newest, corners[newest % 4].difference)),
            1 => Some(Self::on_segment(corners, [newest, i])),
            2 => Some(Self::on_triangle(corners, [newest, i, j])),
            _ => Self::on_tetrahedron(corners, [newest, i, j, k]),
        }
    }

    #[inline(always)]
    fn on_segment(corners: &[Corner<F>; 4], [i, j]: [usize; 2]) -> Self {
        let (a, b) = (corners[i % 4].difference, corners[j % 4].difference);
        let line = sub(b, a);
        let (along, length) = (F::splat(0.0).sub(dot(a, line)), dot(line, line));
        if along.first() <= 0.0 {
            return Self::of_corner(i, a);
        }
        if along.first() >= length.first() {
            return Self::of_corner(j, b);
        }
        let t = along.div(length);
        let nearest = add(a, scale(line, t));
        let weights = [F::splat(1.0).sub(t), t, F::splat(0.0)];
        Self { len: 2, slots: [i, j, 0, 0], weights, nearest, distance: dot(nearest, nearest) }
    }

    /// By Voronoi regions, without the corners that have no weight.
    #[inline(always)]
    fn on_triangle(corners: &[Corner<F>; 4], [i, j, k]: [usize; 3]) -> Self {
        let zero = F::splat(0.0);
        let [a, b, c] =
            [corners[i % 4].difference, corners[j % 4].difference, corners[k % 4].difference];
        let (ab, ac) = (sub(b, a), sub(c, a));
        let (d1, d2) = (zero.sub(dot(ab, a)), zero.sub(dot(ac, a)));
        if d1.first() <= 0.0 && d2.first() <= 0.0 {
            return Self::of_corner(i, a);
        }
        let (d3, d4) = (zero.sub(dot(ab, b)), zero.sub(dot(ac, b)));
        if d3.first() >= 0.0 && d4.first() <= d3.first() {
            return Self::of_corner(j, b);
        }
        let on_c = d1.mul(d4).sub(d3.mul(d2));
        if on_c.first() <= 0.0 && d1.first() >= 0.0 && d3.first() <= 0.0 {
            return Self::on_segment(corners, [i, j]);
        }
        let (d5, d6) = (zero.sub(dot(ab, c)), zero.sub(dot(ac, c)));
        if d6.first() >= 0.0 && d5.first() <= d6.first() {
            return Self::of_corner(k, c);
        }
        let on_b = d5.mul(d2).sub(d1.mul(d6));
        if on_b.first() <= 0.0 && d2.first() >= 0.0 && d6.first() <= 0.0 {
            return Self::on_segment(corners, [i, k]);
        }
        let on_a = d3.mul(d6).sub(d5.mul(d4));
        let [of_b, of_c] = [d4.sub(d3), d5.sub(d6)];
        if on_a.first() <= 0.0 && of_b.first() >= 0.0 && of_c.first() >= 0.0 {
            return Self::on_segment(corners, [j, k]);
        }
        let part = F::splat(1.0).div(on_a.add(on_b).add(on_c));
        let (v, w) = (on_b.mul(part), on_c.mul(part));
        let weights = [F::splat(1.0).sub(v).sub(w), v, w];
        let nearest = add(add(scale(a, weights[0]), scale(b, v)), scale(c, w));
        Self { len: 3, slots: [i, j, k, 0], weights, nearest, distance: dot(nearest, nearest) }
    }

    /// `None` if the four corners hold the origin. The first is the newest.
    #[inline(always)]
    fn on_tetrahedron(corners: &[Corner<F>; 4], [n, i, j, k]: [usize; 4]) -> Option<Self> {
        let d = corners[n % 4].difference;
        let (a, b, c) =
            (corners[i % 4].difference, corners[j % 4].difference, corners[k % 4].difference);
        let (da, db, dc) = (sub(a, d), sub(b, d), sub(c, d));
        let normals = [cross(da, db), cross(db, dc), cross(dc, da)];
        let volume = dot(normals[0], dc);
        let reach = dot(da, da).max(dot(db, db)).max(dot(dc, dc));
        // So flat that the signs are noise: take all faces. The result is a hint only; proofs do not rely on it.
        let flat = volume.mul(volume).first() < 1e-28 * reach.mul(reach).mul(reach).first();
        let mut best = Self { distance: F::splat(f64::INFINITY), ..Self::of_corner(n, d) };
        let faces = [[n, i, j], [n, j, k], [n, k, i], [i, j, k]];
        // By rounding the origin may be beyond the face that was nearest.
        let last = cross(sub(b, a), sub(c, a));
        let heights = [
            dot(normals[0], d),
            dot(normals[1], d),
            dot(normals[2], d),
            F::splat(0.0).sub(dot(last, a)),
        ];
        let mut outside = false;
        for face in 0..4 {
            if flat || heights[face].mul(volume).first() > 0.0 {
                let found = Self::on_triangle(corners, faces[face]);
                if found.distance.first() < best.distance.first() {
                    best = found;
                }
                outside = true;
            }
        }
        outside.then_some(best)
    }

    /// The direction from the origin to the feature, computed in a way that stays sharp if the nearest point is almost
    /// the origin.
    #[inline(always)]
    fn towards_origin(&self, corners: &[Corner<F>; 4]) -> [F; 3] {
        let [i, j, k, _] = self.slots;
        let [a, b, c] =
            [corners[i % 4].difference, corners[j % 4].difference, corners[k % 4].difference];
        let square = dot(self.nearest, self.nearest).first();
        if self.len == 3 {
            let normal = cross(sub(b, a), sub(c, a));
            if dot(normal, normal).first() == 0.0 {
                return self.nearest;
            }
            return if dot(normal, a).first() >= 0.0 { normal } else { neg(normal) };
        }
        if self.len == 2 {
            let line = sub(b, a);
            if square == 0.0 {
                return splat(vector::perpendicular(first(line)));
            }
            let along = dot(self.nearest, line).div(dot(line, line));
            return sub(self.nearest, scale(line, along));
        }
        self.nearest
    }
}

/// The sums of pairs of points with weights.
#[inline]
pub(super) fn weighted(ends: &[[[f64; 3]; 2]], weights: &[f64]) -> [[f64; 3]; 2] {
    let mut sums = [[0.0; 3]; 2];
    for (ends, &weight) in ends.iter().zip(weights) {
        sums = [0, 1].map(|k| vector::add(sums[k], vector::scale(ends[k], weight)));
    }
    sums
}

/// The weights with which four points make the origin: not negative, with sum 1 up to rounding.
///
/// For curved shapes that hardly meet, the four are close together and almost in a plane. So the weights are those of
/// the edges, and are refined twice.
#[inline(always)]
pub(super) fn of_origin([a, b, c, d]: [[f64; 3]; 4]) -> [f64; 4] {
    let (ab, ac, ad) = (vector::sub(b, a), vector::sub(c, a), vector::sub(d, a));
    let sides = [vector::cross(ac, ad), vector::cross(ad, ab), vector::cross(ab, ac)];
    let part = -1.0 / vector::dot(ab, sides[0]);
    let [mut u, mut v, mut w] = [0.0; 3];
    let mut rest = a;
    for _ in 0..3 {
        u += vector::dot(rest, sides[0]) * part;
        v += vector::dot(rest, sides[1]) * part;
        w += vector::dot(rest, sides[2]) * part;
        let made = vector::add(vector::scale(ab, u), vector::scale(ac, v));
        rest = vector::add(a, vector::add(made, vector::scale(ad, w)));
    }
    let weights = [1.0 - (u + v + w), u, v, w].map(|weight| weight.max(0.0));
    let part = 1.0 / weights.iter().sum::<f64>();
    weights.map(|weight| weight * part)
}
