//! How long two moving bodies are certainly apart: conservative advancement (Mirtich 1996; for hierarchies Tang, Kim
//! and Manocha, *C²A*, 2009) with directional bounds of second order.
//!
//! Along a direction n of length 1, two sets of points with a gap g > 0 between them stay apart for the time τ if the
//! first gets forward, and the second back, by less than g together. [`Speed::progress`] bounds this by a polynomial
//! of degree 2 in τ, in which the rate of the moment is exact: so steps shrink quadratically towards a contact, and a
//! body that slides along another, with n across the way, is free for long.

use xcollide_bounds::{BoundingVolume, Obb};
use xcollide_math::Progress;
#[cfg(doc)]
use xcollide_math::Speed;
use xcollide_math::vector::{add, cross, dot, length, length_squared, neg, scale, sub, unit};
use xcollide_predicates::closest_points;

use super::body_in_motion::{PointInMotion, Side, Step, Triangle};

type Vector = [f64; 3];

/// For how long parts of two bodies are apart.
#[derive(Clone, Copy)]
pub(super) struct Safe {
    /// They are apart along this direction of length 1.
    pub(super) direction: Vector,
    /// For so long from the beginning of the step.
    pub(super) time: f64,
    /// Whether they are probably apart for much longer, so that it pays to look again when this time is over.
    pub(super) is_loose: bool,
}

impl Safe {
    /// Takes another if it is for longer.
    #[inline]
    pub(super) fn raise(best: &mut Option<Self>, other: Self) {
        if other.time > best.map_or(0.0, |best| best.time) {
            *best = Some(other);
        }
    }
}

/// How many directions are tried.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effort {
    /// Those across edges only if no other tells anything.
    Little,
    Whole,
}

/// The part of a gap that the bound on the change of the rate uses up, from which on the bound is a loose one.
const LOOSE: f64 = 0.25;

/// A box of a body at the beginning of a step.
#[derive(Clone, Copy)]
struct BoxInMotion {
    /// In the world.
    center: Vector,
    /// The directions of the sides in the world, at half their lengths.
    axes: [Vector; 3],
    /// The center from that of the path.
    arm: Vector,
    /// No point of it is farther from the center of the path.
    distance: f64,
}

impl BoxInMotion {
    /// How far the box reaches from its center along a vector, times the length of the vector.
    #[inline]
    fn reach(&self, v: Vector) -> f64 {
        dot(self.axes[0], v).abs() + dot(self.axes[1], v).abs() + dot(self.axes[2], v).abs()
    }
}

/// The height of points along a direction: after a time τ at most `now + rate · τ + half_change · τ²`.
#[derive(Clone, Copy)]
pub(super) struct Height {
    pub(super) now: f64,
    rate: f64,
    half_change: f64,
}

impl Height {
    fn new(now: f64, [rate, half_change]: [f64; 2]) -> Self {
        Self { now, rate, half_change }
    }

    /// The height above that of others, which were measured along the opposite direction.
    fn above(self, other: Self) -> Self {
        Self {
            now: self.now + other.now,
            rate: self.rate + other.rate,
            half_change: self.half_change + other.half_change,
        }
    }

    /// The height after a time, rounded up.
    pub(super) fn after(self, time: f64) -> f64 {
        let (rate, change) = (time * self.rate, time * (time * self.half_change));
        self.now + (rate + change + 4.0 * f64::EPSILON * (rate.abs() + change))
    }

    /// The rate at which that height changes.
    pub(super) fn rate_at(self, time: f64) -> f64 {
        self.rate + 2.0 * self.half_change * time
    }

    /// For how long, up to a given time, the height is certainly below 0.
    fn time_below_zero(self, until: f64) -> f64 {
        let gap = -self.now;
        // NaN after an overflow.
        if gap.is_nan() || gap <= 0.0 {
            return 0.0;
        }
        // A convex function is below 0 where it is so at both ends.
        if self.after(until) < 0.0 {
            return until;
        }
        let Self { rate, half_change, .. } = self;
        let root = (rate * rate + 4.0 * half_change * gap).sqrt();
        let time = if rate >= 0.0 {
            2.0 * gap / (rate + root)
        } else {
            (root - rate) / (2.0 * half_change)
        };
        let short = (time * (1.0 - 1e-9)).min(until);
        if self.after(short) < 0.0 { short } else { 0.0 }
    }
}

impl Side<'_> {
    fn volume(&self, volume: &Obb) -> BoxInMotion {
        let (half, center) = (volume.half_extents(), volume.center());
        let local = sub(center, self.center);
        BoxInMotion {
            center: self.pose.apply(center),
            axes: [0, 1, 2].map(|k| scale(self.pose.rotate(volume.axes()[k]), half[k])),
            arm: self.pose.rotate(local),
            distance: length(local) + length(half),
        }
    }

    /// How the points of a box get along a direction of length 1 at most: their rate, and half its change.
    fn of_box(&self, volume: &BoxInMotion, progress: &Progress) -> [f64; 2] {
        let lever = progress.lever;
        // The axes of boxes are orthonormal up to 128 · 2⁻⁵³.
        let slack = length(lever) * volume.distance / (1_u64 << 43) as f64;
        let most = dot(lever, volume.arm) + volume.reach(lever) + slack;
        progress.of(most, volume.distance)
    }

    /// The velocity of a point at the beginning, but for the errors.
    fn velocity(&self, point: &PointInMotion) -> Vector {
        add(self.speed.velocity, cross(self.speed.spin, point.arm))
    }

    /// The height of a point in the world along a direction and how it may grow.
    pub(super) fn of_point(&self, point: &PointInMotion, n: Vector, progress: &Progress) -> Height {
        let progress = progress.of(dot(progress.lever, point.arm), point.distance);
        Height::new(dot(n, point.place), progress)
    }
}

impl Step<'_> {
    /// For how long two boxes are certainly apart along a direction of any length, up to the time that remains; `None`
    /// if they overlap along it.
    fn of_boxes(
        &self,
        [a, b]: &[BoxInMotion; 2],
        between: Vector,
        direction: Vector,
    ) -> Option<Safe> {
        let (reach, apart) = (a.reach(direction) + b.reach(direction), dot(direction, between));
        // Most pairs of boxes overlap along most directions.
        if apart.abs() <= reach {
            return None;
        }
        let factor = 1.0 / length(direction);
        if !factor.is_finite() {
            return None;
        }
        let n = scale(direction, factor.copysign(apart));
        let now = (reach - apart.abs()) * factor + self.margin_of_boxes;
        let [rate_a, change_a] = self.sides[0].of_box(a, &self.sides[0].along(n));
        let [rate_b, change_b] = self.sides[1].of_box(b, &self.sides[1].along(neg(n)));
        let height = Height { now, rate: rate_a + rate_b, half_change: change_a + change_b };
        let time = height.time_below_zero(self.remaining);
        let is_loose = height.half_change * time * time > LOOSE * -now;
        Some(Safe { direction: n, time, is_loose })
    }

    /// For how long two triangles in the world are certainly apart along a direction, up to the time that remains, if that
    /// is for longer than `known`.
    fn of_triangles(&self, triangles: &[[PointInMotion; 3]; 2], n: Vector, known: f64) -> f64 {
        let [of_a, of_b] = triangles.each_ref().map(|of| of.each_ref().map(|p| dot(n, p.place)));
        let gap = of_b.into_iter().fold(f64::INFINITY, f64::min)
            - of_a.into_iter().fold(f64::NEG_INFINITY, f64::max);
        // Most directions show no gap.
        if gap.is_nan() || gap <= self.margin {
            return 0.0;
        }
        let heights = |k: usize, n: Vector| {
            let (side, progress) = (&self.sides[k], self.sides[k].along(n));
            triangles[k].map(|point| side.of_point(&point, n, &progress))
        };
        let (of_a, of_b) = (heights(0, n), heights(1, neg(n)));
        let mut shortest = self.remaining;
        for one in &of_a {
            for other in &of_b {
                let mut height = one.above(*other);
                // A little more than verification asks for, which rounds in another order.
                height.now += 1.25 * self.margin;
                shortest = height.time_below_zero(shortest);
                if shortest <= known {
                    return 0.0;
                }
            }
        }
        shortest
    }

    /// The direction along which two boxes are safe for longest, of those tried; `None` if no time is found.
    pub(super) fn best_of_boxes(&self, volumes: [&Obb; 2]) -> Option<Safe> {
        let boxes = [0, 1].map(|k| self.sides[k].volume(volumes[k]));
        let between = sub(boxes[1].center, boxes[0].center);
        let velocity = |k: usize| {
            let speed = &self.sides[k].speed;
            add(speed.velocity, cross(speed.spin, boxes[k].arm))
        };
        let way = sub(velocity(0), velocity(1));
        // The last axis is that of the shortest side.
        let sideways = [between, boxes[0].axes[2], boxes[1].axes[2]].map(|v| across(v, way));
        let axes = boxes.iter().flat_map(|volume| volume.axes);
        let mut best = None;
        for direction in sideways.into_iter().chain([between]).chain(axes) {
            let Some(safe) = self.of_boxes(&boxes, between, direction) else { continue };
            Safe::raise(&mut best, safe);
            if safe.time >= self.remaining {
                break;
            }
        }
        best
    }

    /// The direction along which two triangles are safe for longest, of those tried: that between their closest points,
    /// and across a face or an edge of each; `None` if no time is found. Close to contact only the latter are accurate.
    pub(super) fn best_of_triangles(&self, numbers: [u32; 2]) -> Option<Safe> {
        let triangles = [0, 1].map(|k| self.sides[k].triangle(numbers[k]));
        let closest = closest_points(&triangles[0], &triangles[1]);
        self.best_along(&triangles, sub(closest.b, closest.a), Effort::Whole)
    }

    /// The same with the direction between the centers in place of that between the closest points, which take most of the
    /// time.
    pub(super) fn good_of_triangles(&self, numbers: [u32; 2], effort: Effort) -> Option<Safe> {
        let triangles = [0, 1].map(|k| self.sides[k].triangle(numbers[k]));
        let center = |[p, q, r]: Triangle| add(add(p, q), r);
        self.best_along(&triangles, sub(center(triangles[1]), center(triangles[0])), effort)
    }

    /// The best of a direction from the first triangle to the second and those across their faces and edges.
    fn best_along(
        &self,
        triangles: &[Triangle; 2],
        between: Vector,
        effort: Effort,
    ) -> Option<Safe> {
        let [of_a, of_b] = triangles.map(|[p, q, r]| [sub(q, p), sub(r, q), sub(p, r)]);
        let normals = [of_a, of_b].map(|[first, second, _]| cross(first, second));
        let edges = of_a.iter().flat_map(|&one| of_b.iter().map(move |&other| cross(one, other)));
        let edges = edges.map(|direction| (direction, effort));
        let points = [0, 1].map(|k| triangles[k].map(|place| self.sides[k].point(place)));
        let velocities = [0, 1].map(|k| points[k].map(|point| self.sides[k].velocity(&point)));
        let way = sub(velocities[0][0], velocities[1][0]);
        let others = [between, across(between, way)].into_iter().chain(normals);
        let directions = others.map(|direction| (direction, Effort::Whole)).chain(edges);
        let mut best = None;
        for (direction, effort) in directions {
            let known = best.map_or(0.0, |best: Safe| best.time);
            if known > 0.0 && effort == Effort::Little {
                break;
            }
            // Most directions show no gap, or one that closes too soon.
            let direction = if dot(direction, between) < 0.0 { neg(direction) } else { direction };
            let [last, first] =
                [extreme(&triangles[0], direction), extreme(&triangles[1], neg(direction))];
            let gap = -(last.1 + first.1);
            let closing = dot(direction, sub(velocities[0][last.0], velocities[1][first.0]));
            if gap <= known * closing * (1.0 - 1e-9) {
                continue;
            }
            let Some(n) = unit(direction) else { continue };
            let time = self.of_triangles(&points, n, known);
            Safe::raise(&mut best, Safe { direction: n, time, is_loose: true });
            if time >= self.remaining {
                break;
            }
        }
        best
    }
}

/// The point that is farthest along a direction, and how far.
#[inline]
fn extreme(triangle: &Triangle, direction: Vector) -> (usize, f64) {
    let [first, second, third] = triangle.map(|point| dot(direction, point));
    let farther = if second > first { (1, second) } else { (0, first) };
    if third > farther.1 { (2, third) } else { farther }
}

/// A direction less its part along a way: along it, two points do not get nearer that go this way past each other.
fn across(direction: Vector, way: Vector) -> Vector {
    let square = length_squared(way);
    if square > 0.0 { sub(direction, scale(way, dot(way, direction) / square)) } else { direction }
}
