//! Whether one of two surfaces continues on both sides of the other.
//!
//! Around a segment in which they meet, surfaces are half-planes that end in the line of the segment. They cross if two of
//! the first and two of the second alternate about the line. If the segment is inside a triangle of each, in different planes,
//! they do. Else the line is that of an edge, so that the half-planes can be ordered by their corners, exactly.

use std::ops::ControlFlow;

use xcollide_predicates::{
    ExactPoint, Point, Sign, TrianglePlane, orient2d, orient3d, segment_cells,
    triangle_pair_overlap,
};

use super::facts::Contacts;
use super::operand::Operand;

/// Whether two surfaces cross each other along a segment.
pub(super) fn cross_each_other(operands: &[Operand<'_>; 2], contacts: &Contacts) -> bool {
    let crossing = |&[s, t]: &[u32; 2]| {
        let pair = [operands[0].triangle(s), operands[1].triangle(t)];
        match crossing_of(&pair) {
            Crossing::None => ControlFlow::Continue(()),
            Crossing::Inside => ControlFlow::Break(()),
            Crossing::Along(edge) => {
                // All that contain a point of the segment: those of the one touch the triangle of the other.
                let of_a = contacts.partners(1, t).map(|s| operands[0].triangle(s)).collect();
                let of_b = contacts.partners(0, s).map(|t| operands[1].triangle(t)).collect();
                if alternate(edge, &pair, [of_a, of_b]) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            }
        }
    };
    contacts.pairs().iter().try_for_each(crossing).is_break()
}

enum Crossing {
    /// They meet in a point, or in one plane.
    None,
    /// In a segment that is inside both.
    Inside,
    /// In a segment of this edge of one of them.
    Along([Point; 2]),
}

fn crossing_of([s, t]: &[[Point; 3]; 2]) -> Crossing {
    let is_segment = triangle_pair_overlap(s, t).is_some_and(|common| common.corners().len() == 2);
    let sides = |plane: &[Point; 3], corners: &[Point; 3]| {
        let plane = TrianglePlane::new(plane);
        corners.map(|corner| plane.side(corner))
    };
    let (of_s, of_t) = (sides(t, s), sides(s, t));
    // A triangle without area has no plane, and all corners count as on it.
    let is_flat = |sides: [Sign; 3]| sides == [Sign::Zero; 3];
    if !is_segment || is_flat(of_s) || is_flat(of_t) {
        return Crossing::None;
    }
    let edge_on = |sides: [Sign; 3], triangle: &[Point; 3]| {
        let apex = sides.iter().position(|side| !side.is_zero())?;
        let is_edge = sides.iter().filter(|side| side.is_zero()).count() == 2;
        is_edge.then(|| [triangle[(apex + 1) % 3], triangle[(apex + 2) % 3]])
    };
    match edge_on(of_t, t).or_else(|| edge_on(of_s, s)) {
        Some(edge) => Crossing::Along(edge),
        None => Crossing::Inside,
    }
}

/// A half-plane that ends in a line: through a corner, or opposite to it.
#[derive(Clone, Copy)]
struct HalfPlane {
    corner: Point,
    is_opposite: bool,
}

/// Whether, about some point of an edge that is in both triangles of a pair, half-planes of two surfaces alternate.
fn alternate(edge: [Point; 2], pair: &[[Point; 3]; 2], surfaces: [Vec<[Point; 3]>; 2]) -> bool {
    let cutters: Vec<[Point; 3]> = surfaces.iter().flatten().copied().collect();
    segment_cells(&edge, &cutters).iter().any(|point| {
        let is_common = pair.iter().all(|triangle| point.is_on_triangle(triangle));
        is_common && {
            let about = surfaces.each_ref().map(|surface| half_planes(edge, point, surface));
            alternate_about(edge, &about)
        }
    })
}

/// The half-planes of the triangles that contain a point of an edge, as they are near it. The point is in no corner.
fn half_planes(edge: [Point; 2], point: &ExactPoint, surface: &[[Point; 3]]) -> Vec<HalfPlane> {
    let mut found = Vec::new();
    for triangle in surface.iter().filter(|triangle| point.is_on_triangle(triangle)) {
        let beside: Vec<Point> =
            triangle.iter().copied().filter(|&corner| !is_on_line(edge, corner)).collect();
        let Some(&corner) = beside.first() else { continue };
        found.push(HalfPlane { corner, is_opposite: false });
        // The line passes through the inside if corners are on both sides of it.
        if beside.iter().any(|&other| is_across(edge, corner, other)) {
            found.push(HalfPlane { corner, is_opposite: true });
        }
    }
    found
}

/// An axis along which the plane of a line and a point is projected without degenerating; `None` if the point is on the
/// line.
fn axis_of([p, q]: [Point; 2], corner: Point) -> Option<usize> {
    (0..3).find(|&axis| !turn(axis, p, q, corner).is_zero())
}

fn is_on_line(edge: [Point; 2], corner: Point) -> bool {
    axis_of(edge, corner).is_none()
}

/// Whether two points of one plane are on different sides of a line in it.
fn is_across(edge: [Point; 2], corner: Point, other: Point) -> bool {
    axis_of(edge, corner).is_some_and(|axis| {
        let [p, q] = edge;
        (turn(axis, p, q, corner) * turn(axis, p, q, other)).is_negative()
    })
}

fn turn(axis: usize, p: Point, q: Point, r: Point) -> Sign {
    let flat = |p: Point| [p[(axis + 1) % 3], p[(axis + 2) % 3]];
    orient2d(flat(p), flat(q), flat(r))
}

/// The order of half-planes about a line.
struct About {
    edge: [Point; 2],
    start: HalfPlane,
}

impl About {
    /// The quarter in which the angle from the start is: 0, below half a turn, half a turn, above it.
    fn quarter(&self, plane: HalfPlane) -> u8 {
        let [p, q] = self.edge;
        let flip = self.start.is_opposite != plane.is_opposite;
        match orient3d(p, q, self.start.corner, plane.corner) {
            Sign::Zero => {
                let is_across = is_across(self.edge, self.start.corner, plane.corner);
                if is_across == flip { 0 } else { 2 }
            }
            // Seen against the direction of the edge, or along it: the same for all.
            Sign::Positive => {
                if flip {
                    3
                } else {
                    1
                }
            }
            Sign::Negative => {
                if flip {
                    1
                } else {
                    3
                }
            }
        }
    }

    /// Whether the first angle from the start is less than the second.
    fn is_before(&self, first: HalfPlane, second: HalfPlane) -> bool {
        let (one, two) = (self.quarter(first), self.quarter(second));
        one < two
            || one == two && one % 2 == 1 && {
                let [p, q] = self.edge;
                let side = orient3d(p, q, first.corner, second.corner);
                let is_flipped = first.is_opposite != second.is_opposite;
                if is_flipped { side.is_negative() } else { side.is_positive() }
            }
    }
}

fn alternate_about(edge: [Point; 2], [of_a, of_b]: &[Vec<HalfPlane>; 2]) -> bool {
    of_a.iter().enumerate().any(|(i, &start)| {
        let about = About { edge, start };
        of_a[i + 1..].iter().any(|&other| {
            let is_between =
                |plane: HalfPlane| about.quarter(plane) != 0 && about.is_before(plane, other);
            let is_beyond = |plane: HalfPlane| about.is_before(other, plane);
            about.quarter(other) != 0
                && of_b.iter().any(|&plane| is_between(plane))
                && of_b.iter().any(|&plane| is_beyond(plane))
        })
    })
}
