//! The volume that boxes with a radius have in common, capsules among them, where they are along the same axes and differ in one of
//! these only.
//!
//! For convex sets whose union is convex, (A ∩ B) + K is (A + K) ∩ (B + K) for all convex K. So two capsules along one axis have the
//! capsule about the common part of their segments in common, and boxes with a radius the box about the common part of their cores if
//! these are as wide and as high as each other. Where they are not, the volume is between that of the common part, and that of
//! cores that are made as wide and as high. The volume of a box with a radius is Steiner's polynomial.

use std::f64::consts::PI;

use xcollide_bounds::Aabb;
use xcollide_math::vector::length;
use xcollide_predicates::Point;

use super::number::{Double, Number, dot, doubles, rounded};
use super::seen::{Seen, ends, longest, size};
use super::{OverlapVolume, WIDTH};
use crate::{Formula, Pose};

/// A body at a pose in the frame of another one; `None` if one has no radius or is no box, or they are not along the same axes.
pub(super) fn volume(bodies: [(&Formula, &Pose); 2]) -> Option<OverlapVolume> {
    let [(formula, pose), (other, from)] = bodies;
    let radii = [formula.shape()?.radius(), other.shape()?.radius()];
    if !radii.iter().all(|radius| *radius > 0.0) {
        return None;
    }
    let (of_other, off_other) = box_of(&ends(other)?)?;
    let seen = Seen::new(formula, pose, from)?;
    let centers: Vec<Point> = seen.parts.iter().map(|part| rounded(&part.center)).collect();
    let (of_body, off) = box_of(&centers)?;
    // How far the matrix is from a rotation, which changes lengths.
    let rows = from.rotation().map(doubles);
    let products = (0..9).map(|k| dot(&rows[k / 3], &rows[k % 3]));
    let one = |k: usize| Double::of(if k.is_multiple_of(4) { 1.0 } else { 0.0 });
    let drift: f64 = products.enumerate().map(|(k, product)| size(&product.sub(&one(k)))).sum();
    let place = longest(&seen.parts.first()?.center);
    let error = off + off_other + (8.0 * f64::EPSILON + drift) * (place + length(of_body.size()));
    let error = error + drift * (radii[0] + radii[1]);
    let (low, high) = (radii[0].min(radii[1]), radii[0].max(radii[1]));
    if error + drift * low > 0.01 * WIDTH * low {
        return None;
    }
    let pair = Cores { boxes: [of_body, of_other], radii: [(low - error).max(0.0), high + error] };
    let bounds = pair.bounds()?;
    let [at_least, at_most] = [bounds[0] * (1.0 - 0.02 * WIDTH), bounds[1] * (1.0 + 0.02 * WIDTH)];
    debug_assert!(at_least <= at_most, "{bodies:?}: {bounds:?}");
    Some(OverlapVolume { at_least, at_most: at_most.max(at_least) })
}

/// Two cores along the axes, and the least and the greatest radius about them.
struct Cores {
    boxes: [Aabb; 2],
    radii: [f64; 2],
}

impl Cores {
    /// The common part of the cores, which is negative along an axis where they do not meet.
    fn common(&self) -> [f64; 3] {
        let [a, b] = &self.boxes;
        [0, 1, 2].map(|k| a.max[k].min(b.max[k]) - a.min[k].max(b.min[k]))
    }

    /// The axis along which the cores differ most.
    fn along(&self) -> usize {
        let ([a, b], common) = (&self.boxes, self.common());
        let all = a.merged(b).size();
        let differ = |k: usize| all[k] - common[k];
        (1..3).fold(0, |best, k| if differ(k) > differ(best) { k } else { best })
    }

    /// For any two cores; `None` if they do not meet along the axis.
    fn bounds(&self) -> Option<[f64; 2]> {
        let ([a, b], common, along) = (&self.boxes, self.common(), self.along());
        if common[along] < 0.0 {
            return None;
        }
        // Cores without extent that do not meet are moved until they do.
        let gap = length(common.map(|length| (-length).max(0.0)));
        let least = (self.radii[0] - gap).max(0.0);
        let all = a.merged(b).size();
        let widest = [0, 1, 2].map(|k| if k == along { common[k] } else { all[k] });
        Some([steiner(common.map(|length| length.max(0.0)), least), steiner(widest, self.radii[1])])
    }
}

/// A box whose corners are these points, each at least once, up to a distance; `None` if it is no box.
fn box_of(points: &[Point]) -> Option<(Aabb, f64)> {
    let bounds = Aabb::from_points(points.iter().copied());
    let corner = |i: usize| -> Point {
        [0, 1, 2].map(|k| if i >> k & 1 == 0 { bounds.min[k] } else { bounds.max[k] })
    };
    let distance = |p: Point, q: Point| length([0, 1, 2].map(|k| p[k] - q[k]));
    let least = |distances: &mut dyn Iterator<Item = f64>| distances.fold(f64::INFINITY, f64::min);
    let of_points = points.iter().map(|&p| least(&mut (0..8).map(|i| distance(p, corner(i)))));
    let of_corners = (0..8).map(|i| least(&mut points.iter().map(|&p| distance(p, corner(i)))));
    let off = of_points.chain(of_corners).fold(0.0, f64::max);
    (off < WIDTH * (1.0 + length(bounds.size()))).then_some((bounds, off))
}

/// The volume of all points that are at most a radius from a box.
fn steiner([a, b, c]: [f64; 3], radius: f64) -> f64 {
    let ball = 4.0 / 3.0 * PI * radius * radius * radius;
    a * b * c + 2.0 * radius * (a * b + b * c + c * a) + PI * radius * radius * (a + b + c) + ball
}
