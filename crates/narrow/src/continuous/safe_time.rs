//! How long two moving bodies are certainly apart: conservative advancement (Mirtich 1996; for hierarchies Tang, Kim
//! and Manocha, *C²A*, 2009) with directional bounds of second order.
//!
//! Along a direction n of length 1, two sets of points with a gap g > 0 between them stay apart for the time τ if the
//! first gets forward, and the second back, by less than g together. [`Speed::progress`] bounds this by a polynomial
//! of degree 2 in τ, in which the rate of the moment is exact: so steps shrink quadratically towards a contact, and a
//! body that slides along another, with n across the way, is free for long.
//!
//! The hierarchies are opened best first, by the time for which the two boxes are safe, until the least safe pair is
//! one of triangles.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use xcollide_bounds::{BoundingVolume, Obb};
use xcollide_bvh::binary::{Bvh, NodeId};
use xcollide_math::vector::{add, cross, dot, largest, length, neg, scale, sub, unit};
use xcollide_math::{Path, Pose, Progress, Speed};
use xcollide_predicates::closest_points;

use super::Moving;
use super::motion_front::{Children, MovingPair, Parting, children};
use crate::Model;
use crate::hierarchy::prepared::prepared;
use crate::query::{Deadline, OutOfTime};

/// The first search ends when it has found this part of the longest step: far from contact the last pairs of boxes cost more
/// than another step.
const ENOUGH_AT_FIRST: f64 = 0.5;

type Vector = [f64; 3];
type Triangle = [Vector; 3];

/// One of the two bodies at the beginning of a step.
pub(super) struct Side<'a> {
    pub(super) model: &'a Model,
    pub(super) pose: Pose,
    path: &'a dyn Path,
    center: Vector,
    /// The center in the world.
    center_now: Vector,
    speed: Speed,
}

impl<'a> Side<'a> {
    pub(super) fn new(moving: &Moving<'a>, from: f64, to: f64) -> Self {
        let (pose, center) = (moving.path().at(from), moving.path().center());
        Self {
            model: moving.model(),
            pose,
            path: moving.path(),
            center,
            center_now: pose.apply(center),
            speed: moving.path().speed(from, to),
        }
    }

    pub(super) fn triangle(&self, number: u32) -> Triangle {
        self.model.triangulation().triangles()[number as usize]
            .map(|vertex| self.pose.apply(self.model.mesh().position(vertex)))
    }

    /// The largest magnitude of a coordinate of the model, times √3.
    fn reach(&self) -> f64 {
        let local = self.model.local_box();
        1.8 * largest(local.min).max(largest(local.max))
    }

    /// A world direction in the frame of the model: `n · Rx` is `local(n) · x`.
    fn local(&self, n: Vector) -> Vector {
        let [r, s, t] = self.pose.rotation();
        [0, 1, 2].map(|k| r[k] * n[0] + s[k] * n[1] + t[k] * n[2])
    }

    /// The height of a box along a direction.
    fn of_box(&self, volume: &Obb, n: Vector) -> f64 {
        support(volume, self.local(n)) + dot(n, self.pose.translation())
    }

    /// How that height, which is `now`, may grow, and the height at a later time but for the half change.
    fn of_box_in_motion(&self, volume: &Obb, n: Vector, now: f64, later: f64) -> (Height, f64) {
        let progress = self.speed.along(n);
        let lever = self.local(progress.lever);
        let of_center = dot(lever, self.center);
        let arm = length(sub(volume.center(), self.center)) + length(volume.half_extents());
        // The axes of boxes are orthonormal up to 128 · 2⁻⁵³.
        let slack = length(progress.lever) * arm / (1_u64 << 43) as f64;
        let most = support(volume, lever) - of_center + slack;
        let height = Height::new(now, progress.of(most, arm));
        let [errors, _] = progress.of(slack, arm);
        let leaning = support(volume, add(self.local(n), scale(lever, later)));
        let leaning = leaning + dot(n, self.pose.translation()) - later * of_center;
        (height, leaning + later * errors)
    }

    /// The velocity of its center.
    pub(super) fn velocity(&self) -> Vector {
        self.speed.velocity
    }

    /// The height of a point in the world along a direction and how it may grow.
    pub(super) fn of_point(&self, point: &PointInMotion, n: Vector, progress: &Progress) -> Height {
        let progress = progress.of(dot(progress.lever, point.arm), point.distance);
        Height::new(dot(n, point.place), progress)
    }

    /// How its points get along a direction of length 1.
    pub(super) fn along(&self, n: Vector) -> Progress {
        self.speed.along(n)
    }

    pub(super) fn point(&self, place: Vector) -> PointInMotion {
        let arm = sub(place, self.center_now);
        PointInMotion { place, arm, distance: length(arm) }
    }
}

/// The height of a box in the frame of its model along a direction in it.
fn support(volume: &Obb, local: Vector) -> f64 {
    let (center, half) = (volume.center(), volume.half_extents());
    let reach = |k: usize| half[k] * dot(volume.axes()[k], local).abs();
    dot(local, center) + reach(0) + reach(1) + reach(2)
}

/// A point of a body at the beginning of a step.
#[derive(Clone, Copy)]
pub(super) struct PointInMotion {
    /// In the world.
    pub(super) place: Vector,
    /// From the center.
    arm: Vector,
    /// From the center.
    distance: f64,
}

/// The height of points along a direction: after a time τ at most `now + rate · τ + half_change · τ²`.
#[derive(Clone, Copy)]
pub(super) struct Height {
    now: f64,
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

/// Both bodies at the beginning of a step.
pub(super) struct Step<'a> {
    pub(super) sides: [Side<'a>; 2],
    /// By how much a computed gap between points may exceed the true one.
    pub(super) margin: f64,
    /// The same between boxes.
    margin_of_boxes: f64,
    /// The time until the end of the step.
    pub(super) remaining: f64,
}

impl<'a> Step<'a> {
    pub(super) fn new(bodies: [&Moving<'a>; 2], from: f64, to: f64) -> Self {
        let sides = bodies.map(|moving| Side::new(moving, from, to));
        // The points are rounded at the beginning and at the time of the answer; heights are sums of three products
        // of numbers of this size, and for boxes of some dozen.
        let size = |side: &Side<'_>| {
            side.reach() + 1.8 * largest(side.pose.translation()) + length(side.center)
        };
        let sizes = size(&sides[0]) + size(&sides[1]);
        let rounding = |side: &Side<'_>| 2.0 * side.path.rounding(side.reach());
        let margin = rounding(&sides[0]) + rounding(&sides[1]) + 8.0 * f64::EPSILON * sizes;
        Self {
            sides,
            margin,
            margin_of_boxes: 1.25 * margin + sizes / (1_u64 << 43) as f64,
            // Rounded up, so that it is not shorter than the time between.
            remaining: (to - from) * (1.0 + f64::EPSILON),
        }
    }

    /// A step whose length is searched for. Its margins are larger than those of the proof, which rounds a sum that is
    /// next to 0 in its own way.
    pub(super) fn to_search(bodies: [&Moving<'a>; 2], from: f64, to: f64) -> Self {
        let step = Self::new(bodies, from, to);
        let [margin, margin_of_boxes] = [step.margin, step.margin_of_boxes].map(|m| 1.2 * m);
        Self { margin, margin_of_boxes, ..step }
    }

    /// The same step as if nothing were rounded, for guesses.
    pub(super) fn without_margins(self) -> Self {
        Self { margin: 0.0, margin_of_boxes: 0.0, ..self }
    }

    pub(super) fn speeds(&self) -> [Speed; 2] {
        [self.sides[0].speed, self.sides[1].speed]
    }

    /// For how long two boxes are certainly apart along a direction, up to the time that remains.
    fn of_boxes(&self, boxes: [&Obb; 2], n: Vector) -> f64 {
        let [a, b] = &self.sides;
        let (now_a, now_b) = (a.of_box(boxes[0], n), b.of_box(boxes[1], neg(n)));
        // Most pairs of boxes overlap along most directions.
        if now_a + now_b + self.margin_of_boxes >= 0.0 {
            return 0.0;
        }
        let (of_a, later_a) = a.of_box_in_motion(boxes[0], n, now_a, self.remaining);
        let (of_b, later_b) = b.of_box_in_motion(boxes[1], neg(n), now_b, self.remaining);
        let mut height = of_a.above(of_b);
        height.now += self.margin_of_boxes;
        // Each point's height is a convex function of time, so that both ends decide for the whole time.
        let change = height.half_change * self.remaining * self.remaining;
        let later = later_a + later_b + self.margin_of_boxes + 1.001 * change;
        if height.now < 0.0 && later < 0.0 {
            return self.remaining;
        }
        height.time_below_zero(self.remaining)
    }

    /// For how long two triangles in the world are certainly apart along a direction, up to the time that remains.
    fn of_triangles(&self, triangles: &[[PointInMotion; 3]; 2], n: Vector) -> f64 {
        let heights = |k: usize, n: Vector| {
            let (side, progress) = (&self.sides[k], self.sides[k].along(n));
            triangles[k].map(|point| side.of_point(&point, n, &progress))
        };
        let (of_a, of_b) = (heights(0, n), heights(1, neg(n)));
        let highest = |of: &[Height; 3]| of[0].now.max(of[1].now).max(of[2].now);
        if highest(&of_a) + highest(&of_b) + self.margin >= 0.0 {
            return 0.0;
        }
        let pairs = of_a.iter().flat_map(|one| of_b.iter().map(|other| one.above(*other)));
        pairs.fold(self.remaining, |shortest, mut height| {
            // A little more than verification asks for, which rounds in another order.
            height.now += 1.25 * self.margin;
            height.time_below_zero(shortest)
        })
    }

    /// The direction along which two boxes are safe for longest, and the time; or the first of those tried that is
    /// safe for as long as is `enough`.
    pub(super) fn best_of_boxes(&self, boxes: [&Obb; 2], enough: f64) -> (Vector, f64) {
        let centers = [0, 1].map(|k| self.sides[k].pose.apply(boxes[k].center()));
        let between = sub(centers[1], centers[0]);
        let normals = [0, 1].into_iter().flat_map(|k| {
            let pose = &self.sides[k].pose;
            boxes[k].axes().iter().map(|&axis| pose.rotate(axis))
        });
        let directions = [between].into_iter().chain(normals);
        self.best(directions, between, enough, |n| self.of_boxes(boxes, n))
    }

    /// The direction along which two triangles in the world are safe for longest, and the time: that between their
    /// closest points, or across a face or an edge of each. Close to contact only the latter are accurate.
    pub(super) fn best_of_triangles(
        &self,
        triangles: [&Triangle; 2],
        enough: f64,
    ) -> (Vector, f64) {
        let closest = closest_points(triangles[0], triangles[1]);
        let between = sub(closest.b, closest.a);
        let [of_a, of_b] = triangles.map(|[p, q, r]| [sub(*q, *p), sub(*r, *q), sub(*p, *r)]);
        let normals = [of_a, of_b].map(|[first, second, _]| cross(first, second));
        let across = of_a.iter().flat_map(|&one| of_b.iter().map(move |&other| cross(one, other)));
        let directions = [between].into_iter().chain(normals).chain(across);
        let points = [0, 1].map(|k| triangles[k].map(|place| self.sides[k].point(place)));
        self.best(directions, between, enough, |n| self.of_triangles(&points, n))
    }

    /// The best of some directions, each turned so that it points along `between`, or the first that is enough.
    fn best(
        &self,
        directions: impl Iterator<Item = Vector>,
        between: Vector,
        enough: f64,
        time: impl Fn(Vector) -> f64,
    ) -> (Vector, f64) {
        let mut best = ([0.0; 3], 0.0);
        for direction in directions {
            let Some(n) = unit(direction) else { continue };
            let n = if dot(n, between) < 0.0 { neg(n) } else { n };
            let found = time(n);
            if found > best.1 {
                best = (n, found);
            }
            if found >= enough {
                break;
            }
        }
        best
    }

    /// How long the surfaces of the two bodies are certainly apart, up to the time that remains, by their hulls or by
    /// [hierarchies](Self::safe_time). `None` if a model is too large for a hierarchy.
    ///
    /// # Errors
    /// The time of the query is used up.
    pub(super) fn longest_safe_time(
        &self,
        near: &mut Option<[u32; 2]>,
        deadline: &mut Deadline,
    ) -> Result<Option<f64>, OutOfTime> {
        deadline.check()?;
        match self.best_of_hulls() {
            Some((_, time)) if time >= self.remaining || self.are_convex() => Ok(Some(time)),
            by_hulls => {
                let time = self.safe_time(near, deadline)?;
                Ok(time.map(|time| by_hulls.map_or(time, |(_, by_hulls)| by_hulls.max(time))))
            }
        }
    }

    /// How long the surfaces of the two bodies are certainly apart, up to the time that remains, found pair by pair.
    /// `None` if a model is too large for a hierarchy. `near` is two triangles that may be safe for a short time only,
    /// such as those that were in the last step, and becomes those that are least safe in this one.
    ///
    /// # Errors
    /// The time of the query is used up.
    pub(super) fn safe_time(
        &self,
        near: &mut Option<[u32; 2]>,
        deadline: &mut Deadline,
    ) -> Result<Option<f64>, OutOfTime> {
        let Some(trees) = self.trees() else { return Ok(None) };
        let mut shortest = self.remaining;
        let enough = if near.is_none() { ENOUGH_AT_FIRST } else { 1.0 };
        if let Some([s, t]) = *near {
            let pair = [self.sides[0].triangle(s), self.sides[1].triangle(t)];
            let (_, time) = self.best_of_triangles([&pair[0], &pair[1]], shortest);
            shortest = shortest.min(time);
        }
        let mut waiting = BinaryHeap::new();
        let mut serial = 0_u32;
        let mut wait =
            |nodes: [NodeId; 2], before: f64, shortest: f64, heap: &mut BinaryHeap<_>| {
                let boxes = [trees[0].volume(nodes[0]), trees[1].volume(nodes[1])];
                let (_, time) = self.best_of_boxes(boxes, shortest);
                // What holds of the parents holds of these.
                let time = time.max(before);
                if time < shortest {
                    serial = serial.wrapping_add(1);
                    // Times are not negative, so their bits are in order. Of equal ones the newest.
                    heap.push((Reverse(time.to_bits()), serial, nodes));
                }
            };
        if let [Some(a), Some(b)] = trees.map(Bvh::root) {
            wait([a, b], 0.0, shortest, &mut waiting);
        }
        while let Some((Reverse(bits), _, nodes)) = waiting.pop() {
            deadline.check()?;
            let time = f64::from_bits(bits);
            if time >= enough * shortest {
                shortest = shortest.min(time);
                break;
            }
            match children(trees, nodes) {
                Children::Nodes(children) => {
                    for child in children {
                        wait(child, time, shortest, &mut waiting);
                    }
                }
                Children::Triangles([of_a, of_b]) => {
                    for &s in of_a {
                        let first = self.sides[0].triangle(s);
                        for &t in of_b {
                            let second = self.sides[1].triangle(t);
                            let (_, safe) = self.best_of_triangles([&first, &second], shortest);
                            let safe = safe.max(time);
                            if safe < shortest {
                                shortest = safe;
                                *near = Some([s, t]);
                            }
                        }
                    }
                }
            }
        }
        Ok(Some(shortest))
    }
}

impl MovingPair for Step<'_> {
    fn trees(&self) -> Option<[&Bvh<Obb>; 2]> {
        let [a, b] = [0, 1].map(|k| prepared::<Bvh<Obb>>(self.sides[k].model));
        Some([a?, b?])
    }

    fn part_nodes(&self, nodes: [NodeId; 2]) -> Option<Vector> {
        let trees = self.trees()?;
        if trees.map(Bvh::root) == nodes.map(Some)
            && let Some((direction, time)) = self.best_of_hulls()
            && time >= self.remaining
        {
            return Some(direction);
        }
        let boxes = [trees[0].volume(nodes[0]), trees[1].volume(nodes[1])];
        let (direction, time) = self.best_of_boxes(boxes, self.remaining);
        (time >= self.remaining).then_some(direction)
    }

    fn part_triangles(&self, [s, t]: [u32; 2]) -> Option<Parting> {
        let (first, second) = (self.sides[0].triangle(s), self.sides[1].triangle(t));
        let (direction, time) = self.best_of_triangles([&first, &second], self.remaining);
        (time >= self.remaining).then_some(Parting::Along(direction))
    }

    fn are_apart_along(&self, triangles: [&[u32]; 2], n: Vector) -> bool {
        // The greatest heights at both ends; between them they are convex functions.
        let highest = |side: &Side<'_>, triangles: &[u32], n: Vector| {
            let progress = side.along(n);
            let points = triangles.iter().flat_map(|&t| side.triangle(t));
            let points = points.map(|place| side.point(place));
            points.map(|point| side.of_point(&point, n, &progress)).fold(
                [f64::NEG_INFINITY; 2],
                |[now, later], height| {
                    [now.max(height.now), later.max(height.after(self.remaining))]
                },
            )
        };
        let of_a = highest(&self.sides[0], triangles[0], n);
        let of_b = highest(&self.sides[1], triangles[1], neg(n));
        (0..2).all(|end| of_a[end] + of_b[end] + self.margin < 0.0)
    }

    /// There is none for paths of any kind.
    fn are_apart_exactly(&self, _: [&[u32]; 2]) -> bool {
        false
    }
}
