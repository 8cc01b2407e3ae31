//! Volumes of overlap where surfaces coincide, or nearly do: there no refinement tells which part of a body is in the other one.
//!
//! What does not bound the overlap is left out. A body that is in another one up to a distance e has its own volume in common with it,
//! less its surface times e at most: by the cancellation law of convex sets what is deeper than e in it is in the other one. A
//! cylinder or cone whose side has all of the other body inside, up to e, is only a slab between its ends, a box; what
//! is wrong about that is a shell of the thickness e. [Boxes with a radius](rounded_boxes) along the same axes have one in common.
//!
//! Positions are compared in the frame of one body, with twice the digits of f64: e contains the rounding of poses.

use std::f64::consts::PI;

use xcollide_convex::shape::{Core, Cuboid};
use xcollide_math::vector::largest;

use super::number::{Double, Number, Vector, dot};
use super::seen::{Part, Seen, ends, longest, size};
use super::{OverlapVolume, WIDTH, rounded_boxes};
use crate::formula::pair::Side;
use crate::{Formula, Placed, Pose};

/// Farther apart, in parts of the size, surfaces do not nearly coincide.
const NEAR: f64 = 1e-4;
/// More than the rounding of some operations in f64, and of the lengths that the matrix of a pose changes.
const ROUNDING: f64 = 1e-14;
const DRIFT: f64 = 1e-4;

/// What is simpler than the volume that two bodies have in common.
pub(super) enum Simpler {
    /// The volume.
    Known(OverlapVolume),
    /// The volume of one of them, less so much at most.
    Whole(usize, f64),
    /// What they have in common if a box is in place of one of them, at the same pose, less so much at most.
    Boxed(usize, Cuboid, f64),
}

impl Simpler {
    fn lost(&self) -> f64 {
        match self {
            Self::Known(OverlapVolume { at_least, at_most }) => at_most - at_least,
            Self::Whole(_, lost) | Self::Boxed(_, _, lost) => *lost,
        }
    }
}

/// What is simpler for two formulas, and loses least; `None` for half spaces, and where nothing is.
pub(super) fn simpler(placed: [Placed<'_>; 2]) -> Option<Simpler> {
    let found = [[0, 1], [1, 0]].into_iter().filter_map(|order| simpler_of(placed, order));
    found.min_by(|one, other| one.lost().total_cmp(&other.lost()))
}

/// The same with the first body in the second one, of a pair in some order.
fn simpler_of(placed: [Placed<'_>; 2], [a, b]: [usize; 2]) -> Option<Simpler> {
    let formulas = [placed[0].model().formula()?, placed[1].model().formula()?];
    let shapes = [formulas[0].shape()?, formulas[1].shape()?];
    let (core, pose) = (shapes[b].core(), placed[b].pose());
    // A ball is as it is, whatever the matrix.
    let from = match core {
        Core::Point => Pose::from_translation(pose.translation()),
        _ => *pose,
    };
    let seen = Seen::new(formulas[a], placed[a].pose(), &from)?;
    let bounds = placed[a].world_box();
    let near = NEAR * bounds.size().into_iter().fold(0.0, f64::max);
    let of_boxes =
        rounded_boxes::volume([(formulas[a], placed[a].pose()), (formulas[b], placed[b].pose())]);
    if let Some(known) = of_boxes.filter(|known| known.is_narrow(WIDTH)) {
        return Some(Simpler::Known(known));
    }
    let of_ellipsoids = match core {
        Core::Ellipsoid { half } => seen.beyond_ellipsoid(half),
        Core::Point => seen.beyond_ellipsoid([shapes[b].radius(); 3]),
        _ => None,
    };
    let far = of_ellipsoids.or_else(|| beyond(formulas[a], [placed[a], placed[b]]));
    if let Some(far) = far.filter(|&far| far < near) {
        return Some(Simpler::Whole(a, 1.01 * far.max(0.0) * bounds.surface()));
    }
    seen.between_ends(core).map(|(cuboid, lost)| Simpler::Boxed(b, cuboid, lost))
}

/// How far a body with a radius may be out of another one, at most; `None` if the core is out of it, or has a formula that is round.
fn beyond(formula: &Formula, [placed, other]: [Placed<'_>; 2]) -> Option<f64> {
    let shape = formula.shape().filter(|shape| shape.radius() > 0.0)?;
    let Side::Shape(_, other) = Side::of(other) else { return None };
    let mut beyond = f64::NEG_INFINITY;
    for point in ends(formula)? {
        let moved = placed.pose().apply(point);
        let depth = other.depth_at(moved);
        if depth == 0.0 {
            return None;
        }
        let far = largest(moved).max(largest(placed.pose().translation())) + shape.reach();
        beyond = beyond.max(shape.radius() - depth + 16.0 * f64::EPSILON * far);
    }
    Some(beyond)
}

impl Seen {
    /// How far an ellipsoid may be out of one about the origin along the axes, at most; `None` if it is no ellipsoid.
    fn beyond_ellipsoid(&self, half: [f64; 3]) -> Option<f64> {
        let [Part { center, map }] = &self.parts[..] else { return None };
        let unit = |k: usize, x: &Double| x.div(&Double::of(half[k]));
        let center = [0, 1, 2].map(|k| unit(k, &center[k]));
        let rows: [Vector<Double>; 3] = [0, 1, 2].map(|k| map[k].each_ref().map(|x| unit(k, x)));
        // No eigenvalue of the map times its transpose is greater than the greatest sum of a row.
        let sum = |i: usize| (0..3).map(|j| size(&dot(&rows[i], &rows[j]))).sum::<f64>();
        let stretch = sum(0).max(sum(1)).max(sum(2)).sqrt();
        let excess = (longest(&center) + stretch) * (1.0 + ROUNDING) - 1.0;
        Some(excess * half.into_iter().fold(0.0, f64::max) * (1.0 + DRIFT))
    }

    /// A box that is in place of a cylinder or cone if its side has the body inside, nearly, and the volume of what is out of it.
    ///
    /// From the axis a point of a part is no farther than its center and the longest vector of the map across the axis.
    fn between_ends(&self, core: Core) -> Option<(Cuboid, f64)> {
        let (half, radius, slope) = match core {
            Core::Cylinder { half, radius } => (half, radius, 0.0),
            Core::Cone { half, radius } => (half, radius, 0.5 * radius / half),
            _ => return None,
        };
        let mut beyond = f64::NEG_INFINITY;
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        for Part { center, map: [x, y, z] } in &self.parts {
            let [xx, xy, yy] = [dot(x, x), dot(x, y), dot(y, y)];
            let root = (size(&xx.sub(&yy)).powi(2) + 4.0 * size(&xy).powi(2)).sqrt();
            let across = (0.5 * (size(&xx) + size(&yy) + root)).sqrt();
            let [from, to] = center[2].bounds();
            let along = longest(z);
            [low, high] = [low.min(from - along), high.max(to + along)];
            // The side is at radius − slope (z + half).
            let place = (to + along).abs() + half;
            let side = radius - slope * (to + along + half);
            let rounding = ROUNDING * (radius + slope * place);
            beyond = beyond.max(longest(&center[..2]) + across - side + rounding);
        }
        let [low, high] = [low.max(-half), high.min(half)];
        let widest = radius - slope * (low + half) + ROUNDING * radius;
        if beyond > NEAR * radius || low > high {
            return None;
        }
        let beyond = beyond.max(0.0);
        let shell = 2.0 * PI * (widest + beyond) * beyond * (high - low) * (1.0 + DRIFT);
        // Beside the body, but near, as far corners are rounded more.
        let wide = 1.0625 * radius;
        Some((Cuboid::new([wide, wide, half]).ok()?, shell))
    }
}
