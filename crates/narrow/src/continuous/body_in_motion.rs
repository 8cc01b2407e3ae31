//! Two bodies on their paths, for the whole motion and from a time on.

use xcollide_bounds::Obb;
use xcollide_bvh::binary::Bvh;
use xcollide_math::vector::{largest, length, scaled_length, sub};
use xcollide_math::{Path, Pose, Progress, Speed};

use super::Moving;
use crate::Model;
use crate::hierarchy::prepared::prepared;

type Vector = [f64; 3];
pub(super) type Triangle = [Vector; 3];

/// A body on its path, and what holds of it all the time.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub(super) model: &'a Model,
    path: &'a dyn Path,
    /// The largest magnitude of a coordinate of the model, times √3.
    pub(super) reach: f64,
    /// Of the path, for points of the model.
    pub(super) rounding: f64,
    pub(super) center: Vector,
    /// No vertex of the model is farther from the center.
    pub(super) arm: f64,
    /// From time 0 to 1.
    speed: Speed,
    /// Whether no shorter time has narrower bounds on the speed, as far as some of them tell.
    is_uniform: bool,
}

impl<'a> Body<'a> {
    fn new(moving: &Moving<'a>) -> Self {
        let path = moving.path();
        let local = moving.model().local_box();
        let center = path.center();
        let reach = 1.8 * largest(local.min).max(largest(local.max));
        let speed = path.speed(0.0, 1.0);
        let is_same = |length: f64| {
            [0.0, 0.5, 1.0 - length].map(|from| path.speed(from, from + length)) == [speed; 3]
        };
        Self {
            model: moving.model(),
            path,
            reach,
            rounding: path.rounding(reach),
            center,
            arm: scaled_length(
                [0, 1, 2].map(|k| {
                    (local.max[k] - center[k]).abs().max((local.min[k] - center[k]).abs())
                }),
            ),
            speed,
            is_uniform: [0.5, 0.0625, 1e-3, 1e-6].into_iter().all(is_same),
        }
    }

    pub(super) fn pose(&self, time: f64) -> Pose {
        self.path.at(time)
    }

    /// Bounds on the speed between two times.
    pub(super) fn speed(&self, from: f64, to: f64) -> Speed {
        if self.is_uniform { self.speed } else { self.path.speed(from, to) }
    }
}

/// Two bodies on their paths.
#[derive(Clone, Copy)]
pub(super) struct Bodies<'a>(pub(super) [Body<'a>; 2]);

impl<'a> Bodies<'a> {
    pub(super) fn new(bodies: [&Moving<'a>; 2]) -> Self {
        Self(bodies.map(Body::new))
    }

    /// The hierarchies of the models; `None` if a model is too large for one.
    pub(super) fn trees(&self) -> Option<[&'a Bvh<Obb>; 2]> {
        let [a, b] = self.0.map(|body| prepared::<Bvh<Obb>>(body.model));
        Some([a?, b?])
    }

    /// Whether both models have triangles.
    pub(super) fn have_triangles(&self) -> bool {
        self.0.iter().all(|body| !body.model.triangulation().is_empty())
    }

    /// Whether bounds on the speed are the same for shorter times.
    pub(super) fn are_uniform(&self) -> bool {
        self.0.iter().all(|body| body.is_uniform)
    }
}

/// One of the two bodies from a time on.
pub(super) struct Side<'a> {
    pub(super) model: &'a Model,
    pub(super) pose: Pose,
    /// Of the path, in the model.
    pub(super) center: Vector,
    /// The center in the world.
    center_now: Vector,
    pub(super) speed: Speed,
}

impl<'a> Side<'a> {
    fn new(body: &Body<'a>, from: f64, to: f64) -> Self {
        let (pose, center) = (body.path.at(from), body.center);
        let speed = body.speed(from, to);
        Self { model: body.model, pose, center, center_now: pose.apply(center), speed }
    }

    /// A triangle in the world.
    pub(super) fn triangle(&self, number: u32) -> Triangle {
        self.model.triangulation().triangles()[number as usize]
            .map(|vertex| self.pose.apply(self.model.mesh().position(vertex)))
    }

    pub(super) fn point(&self, place: Vector) -> PointInMotion {
        let arm = sub(place, self.center_now);
        PointInMotion { place, arm, distance: length(arm) }
    }

    /// How its points get along a direction of length 1.
    pub(super) fn along(&self, n: Vector) -> Progress {
        self.speed.along(n)
    }
}

/// A point of a body at the beginning of a step.
#[derive(Clone, Copy)]
pub(super) struct PointInMotion {
    /// In the world.
    pub(super) place: Vector,
    /// From the center.
    pub(super) arm: Vector,
    /// From the center.
    pub(super) distance: f64,
}

/// Both bodies from a time on, up to another.
pub(super) struct Step<'a> {
    pub(super) sides: [Side<'a>; 2],
    pub(super) from: f64,
    pub(super) to: f64,
    /// By how much a computed gap between points may exceed the true one.
    pub(super) margin: f64,
    /// The same between boxes.
    pub(super) margin_of_boxes: f64,
    /// The time until the end of the step.
    pub(super) remaining: f64,
}

impl<'a> Step<'a> {
    pub(super) fn new(bodies: &Bodies<'a>, from: f64, to: f64) -> Self {
        let sides = bodies.0.map(|body| Side::new(&body, from, to));
        // The points are rounded at the beginning and at the time of the answer; heights are sums of three products
        // of numbers of this size, and for boxes of some dozen.
        let size = |k: usize| {
            let side = &sides[k];
            bodies.0[k].reach + 1.8 * largest(side.pose.translation()) + length(side.center)
        };
        let sizes = size(0) + size(1);
        let rounding = 2.0 * (bodies.0[0].rounding + bodies.0[1].rounding);
        let margin = rounding + 8.0 * f64::EPSILON * sizes;
        Self {
            sides,
            from,
            to,
            margin,
            margin_of_boxes: 1.25 * margin + sizes / (1_u64 << 43) as f64,
            // Rounded up, so that it is not shorter than the time between.
            remaining: (to - from) * (1.0 + f64::EPSILON),
        }
    }

    /// A step whose length is searched for. Its margins are larger than those of the proof, which rounds a sum that is
    /// next to 0 in its own way.
    pub(super) fn to_search(bodies: &Bodies<'a>, from: f64, to: f64) -> Self {
        let step = Self::new(bodies, from, to);
        let [margin, margin_of_boxes] = [step.margin, step.margin_of_boxes].map(|m| 1.2 * m);
        Self { margin, margin_of_boxes, ..step }
    }

    /// The same step as if nothing were rounded, for guesses.
    pub(super) fn without_margins(self) -> Self {
        Self { margin: 0.0, margin_of_boxes: 0.0, ..self }
    }

    /// The time up to which what is safe for so long from the beginning is certainly apart.
    pub(super) fn until(&self, safe: f64) -> f64 {
        if safe >= self.remaining {
            self.to
        } else {
            (self.from + safe).next_down().clamp(self.from, self.to)
        }
    }
}
