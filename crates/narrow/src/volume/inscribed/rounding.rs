//! How much volume the rounding of a polyhedron's corners moves.
//!
//! A triangle whose corners move sweeps the volume of what they move along its normal, weighted with the place on the triangle. A
//! coordinate moves by half a unit in the last place, so that by far less where it is small, and only as much as the normal is along it
//! counts.

use xcollide_bounds::Aabb;
use xcollide_math::vector::{cross, dot, largest, length, scale, sub};
use xcollide_predicates::Point;

use super::Inscribed;

/// A little more than half a unit in the last place.
const UNIT: f64 = 0.505 * f64::EPSILON;

impl Inscribed {
    /// How far a corner moves, at most.
    pub(in crate::volume) fn error(&self) -> f64 {
        let far = self.corners.iter().map(|&p| largest(p)).fold(0.0, f64::max);
        self.error + 2.0 * UNIT * far
    }

    /// A bound of the volume in a box between the polyhedron and what it would be without rounding.
    pub(in crate::volume) fn rounding(&self, within: &Aabb) -> f64 {
        let triangles = self.triangles_near().into_iter();
        let triangles = triangles.map(|corners| corners.map(|c| self.corners[c as usize]));
        let sum: f64 = triangles.map(|corners| moved_volume(&corners, self.error, within)).sum();
        // The triangles move in all, too.
        1.25 * sum
    }
}

/// A bound of the volume in a box that a triangle moves through where its corners are rounded, and before were off by an error at most.
///
/// Of a triangle's plane no more than half of the surface of a box is in this; and between two planes that are t apart no more than
/// 2 t/e of a triangle that extends over e across them.
pub(in crate::volume) fn moved_volume(corners: &[Point; 3], error: f64, within: &Aabb) -> f64 {
    let bounds = Aabb::from_points(*corners);
    if !bounds.overlaps(within) {
        return 0.0;
    }
    let (center, half) = (within.center(), within.size().map(|size| 0.5 * size));
    let [p, q, r] = *corners;
    let normal = cross(sub(q, p), sub(r, p));
    let [x, y, z] = normal.map(f64::abs);
    let reach = x * half[0] + y * half[1] + z * half[2];
    // Written so that NaN is no reason to leave a triangle out.
    if dot(normal, sub(center, p)).abs() > reach * (1.0 + 1e-9) {
        return 0.0;
    }
    let [all, common] = [bounds.size(), bounds.intersection(within).size()];
    let between = (0..3).map(|k| (2.0 * common[k] / all[k]).min(1.0));
    let part = between.fold(1.0, f64::min);
    let area = (0.5 * length(normal) * part).min(0.5 * within.surface());
    area * moved(corners, error, normal, (center, half))
}

/// How far a triangle moves along its normal, at most, where it is in a box.
fn moved(
    corners: &[Point; 3],
    error: f64,
    normal: [f64; 3],
    (center, half): (Point, Point),
) -> f64 {
    let square = dot(normal, normal);
    let size = square.sqrt();
    let sides = [0, 1, 2].map(|k| sub(corners[(k + 2) % 3], corners[(k + 1) % 3]));
    let longest = sides.iter().map(|&side| length(side)).fold(0.0, f64::max);
    let far = corners.iter().map(|&p| largest(p)).fold(0.0, f64::max);
    // The normal turns, and is rounded, by so much at most: of a triangle without area to anywhere.
    let turned = 16.0 * (error + f64::EPSILON * (far + longest)) * longest / size;
    let turned = if turned < 1.0 { turned } else { 1.0 };
    let (mut sum, mut most) = (0.0, 0.0_f64);
    for k in 0..3 {
        let corner = corners[k];
        let along: f64 = (0..3).map(|i| normal[i].abs() / size * corner[i].abs()).sum();
        let along = if along.is_finite() { along } else { 2.0 * largest(corner) };
        let error = error + UNIT * (along + 2.0 * turned * largest(corner));
        // The weight of the corner is 1 there and 0 on the opposite side.
        let gradient = scale(cross(normal, sides[k]), 1.0 / square);
        let there = dot(gradient, sub(center, corners[(k + 1) % 3]));
        let reach: f64 = (0..3).map(|i| gradient[i].abs() * half[i]).sum();
        let weight = there + reach + 1e-12 + 64.0 * turned;
        sum += error * if weight < 1.0 { weight.max(0.0) } else { 1.0 };
        most = most.max(error);
    }
    // The weights are 1 in all.
    most.min(sum)
}
