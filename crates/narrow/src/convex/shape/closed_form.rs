//! Nearest points of cores that have a formula for them: points, segments, boxes.
//!
//! The points that the formulas give are in the cores; that none are nearer is found out as in any other
//! search, by the gap along the line between them. So nothing that is proved depends on
//! the formulas, and where they lose digits, as of nearly parallel segments, the search goes on.

use super::placed::PlacedShape;
use super::{Core, Shape};
use crate::convex::vector::{Vector, add, dot, scaled, sub};

/// A point of each core, shrunk about its centre by a factor: the nearest ones, up to rounding. `None`
/// where there is no formula.
pub(super) fn nearest<A, B>(
    a: &PlacedShape<'_, A>,
    b: &PlacedShape<'_, B>,
    factors: [f64; 2],
) -> Option<[Vector; 2]>
where
    A: Shape + ?Sized,
    B: Shape + ?Sized,
{
    match (a.shape().core(), b.shape().core()) {
        (Core::Point, Core::Point) => Some([a.centre(), b.centre()]),
        (Core::Point, Core::Segment { half }) => {
            Some([a.centre(), on_segment(b, half * (1.0 - factors[1]), a.centre())])
        }
        (Core::Segment { half }, Core::Point) => {
            Some([on_segment(a, half * (1.0 - factors[0]), b.centre()), b.centre()])
        }
        (Core::Point, Core::Cuboid { half }) => {
            Some([a.centre(), in_box(b, scaled(half, 1.0 - factors[1]), a.centre())])
        }
        (Core::Cuboid { half }, Core::Point) => {
            Some([in_box(a, scaled(half, 1.0 - factors[0]), b.centre()), b.centre()])
        }
        (Core::Segment { half: of_a }, Core::Segment { half: of_b }) => {
            Some(on_segments([a.centre(), b.centre()], [a.axis(), b.axis()], [of_a, of_b]))
        }
        _ => None,
    }
}

/// The point of a segment about a centre that is nearest to another.
fn on_segment<S: Shape + ?Sized>(placed: &PlacedShape<'_, S>, half: f64, point: Vector) -> Vector {
    let (centre, axis) = (placed.centre(), placed.axis());
    let along = dot(axis, sub(point, centre)) / dot(axis, axis);
    add(centre, scaled(axis, along.clamp(-half, half)))
}

/// The point of a box that is nearest to another.
fn in_box<S: Shape + ?Sized>(placed: &PlacedShape<'_, S>, half: Vector, point: Vector) -> Vector {
    let local = placed.local(point);
    placed.moved([0, 1, 2].map(|k| local[k].clamp(-half[k], half[k])))
}

/// The nearest points of two segments: of the lines, then moved into one segment, then the other.
fn on_segments(centres: [Vector; 2], axes: [Vector; 2], half: [f64; 2]) -> [Vector; 2] {
    let line = sub(centres[1], centres[0]);
    let [of_a, of_b] = axes.map(|axis| dot(axis, axis));
    let both = dot(axes[0], axes[1]);
    let [a, b] = axes.map(|axis| dot(axis, line));
    // The square of the sine; of parallels any point of the first will do.
    let turn = of_a * of_b - both * both;
    let start = if turn > 0.0 { (a * of_b - b * both) / turn } else { 0.0 };
    let start = start.clamp(-half[0], half[0]);
    let on_b = ((start * both - b) / of_b).clamp(-half[1], half[1]);
    let on_a = ((a + on_b * both) / of_a).clamp(-half[0], half[0]);
    [add(centres[0], scaled(axes[0], on_a)), add(centres[1], scaled(axes[1], on_b))]
}
