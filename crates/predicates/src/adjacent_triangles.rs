//! Triangles that share a vertex or an edge: whether they meet in more than that.
//!
//! Neighbours on a surface always meet in what they share, so [`triangles_intersect`](crate::triangles_intersect) tells
//! nothing about them. What is shared is given by the arguments, as by vertex numbers; coordinates decide the rest. Two
//! different arguments may be the same point.
//!
//! # A shared vertex
//!
//! If no corner of the one triangle is above the vertex v on some axis, and both others of the second are, all other points of
//! the second are above: the triangles meet in v only. Most neighbours on a smooth surface are told so.
//!
//! With v as the origin, let the triangles be v, a, b and v, c, d. If c and d are strictly on one side of the plane of the
//! first, the triangles meet in v only, and likewise for a and b. Else write [x, y, z] for the determinant. If neither plane
//! contains the other triangle, the planes cross in a line through v, along
//!
//! > (a × b) × (c × d) = \[a, b, d\] c − \[a, b, c\] d = \[a, c, d\] b − \[b, c, d\] a.
//!
//! The second triangle covers a segment of the line from v on. [a, b, c] and [a, b, d] are not of one sign, so one side of
//! the first equation is a sum of c and d with two weights that are not negative, or minus such a sum: their signs tell
//! in which of the two directions the segment goes. The second equation tells the same of the first triangle. The triangles
//! meet in more than v iff the directions are equal. So the four signs that decide about the planes decide everything.
//!
//! In one plane, or without area, the triangles are angles at v, or rays. They meet in more than v iff a ray along an edge
//! of one is in the other: the common part of two angles is an angle or a ray, and its border is that of one of them.
//!
//! # A shared edge
//!
//! Let the edge be uv, the third corners a and c. If the four are not coplanar, the planes cross in the line uv, and each
//! triangle has only the edge on it. In one plane, the triangles have area on one side of the line each. Without area, the
//! triangles are segments on one line, which reach beyond the edge on the same side or do not.

use crate::orientation::{TrianglePlane, dot_sign, volume_sign};
use crate::projected::{collinear, facing, main_axis, project, turn};
use crate::triangle_pair::on_one_side;
use crate::{Point, Sign, orient2d};

/// Whether two closed triangles that share a vertex have another common point. Each is given by its two other corners;
/// triangles may be segments or points. Exact for all finite coordinates; symmetric in the triangles and in their corners.
///
/// Takes comparisons of coordinates for most neighbours on a smooth surface, else two plane sides or four.
///
/// ```
/// use xcollide_predicates::triangles_meet_beyond_vertex;
///
/// let vertex = [0.0; 3];
/// let floor = [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let blade = [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]];
/// assert!(triangles_meet_beyond_vertex(&vertex, &floor, &blade));
/// let on_the_other_side = blade.map(|[x, y, z]| [-x, -y, z]);
/// assert!(!triangles_meet_beyond_vertex(&vertex, &floor, &on_the_other_side));
/// ```
#[inline]
#[must_use]
pub fn triangles_meet_beyond_vertex(
    vertex: &Point,
    first: &[Point; 2],
    second: &[Point; 2],
) -> bool {
    if (0..3).any(|axis| are_parted_on_axis(vertex, first, second, axis)) {
        return false;
    }
    let (s, t) = ([*vertex, first[0], first[1]], [*vertex, second[0], second[1]]);
    let plane = TrianglePlane::new(&s);
    let of_second = [plane.side_of(&t[1]), plane.side_of(&t[2])];
    if are_on_one_side(of_second) {
        return false;
    }
    let plane = TrianglePlane::new(&t);
    let of_first = [plane.side_of(&s[1]), plane.side_of(&s[2])];
    if are_on_one_side(of_first) {
        return false;
    }
    if of_first == [Sign::Zero; 2] || of_second == [Sign::Zero; 2] {
        return flat_angles_meet(&s, &t);
    }
    let first_is_ahead = of_first[0].is_positive() || of_first[1].is_negative();
    let second_is_ahead = of_second[1].is_positive() || of_second[0].is_negative();
    first_is_ahead == second_is_ahead
}

/// Whether the vertex separates the other corners of the two triangles on an axis, and is strictly below or above one pair.
#[inline(always)]
fn are_parted_on_axis(
    vertex: &Point,
    first: &[Point; 2],
    second: &[Point; 2],
    axis: usize,
) -> bool {
    let at = vertex[axis];
    let ends = |of: &[Point; 2]| {
        let [a, b] = [of[0][axis], of[1][axis]];
        [a.min(b), a.max(b)]
    };
    let ([low_first, high_first], [low_second, high_second]) = (ends(first), ends(second));
    let is_between = |high: f64, low: f64| high <= at && at <= low && high < low;
    is_between(high_first, low_second) || is_between(high_second, low_first)
}

#[inline(always)]
fn are_on_one_side([a, b]: [Sign; 2]) -> bool {
    on_one_side([a, b, b])
}

/// [`triangles_meet_beyond_vertex`] for triangles in one plane, or without area; the vertex is the first corner of both.
#[cold]
#[inline(never)]
fn flat_angles_meet(s: &[Point; 3], t: &[Point; 3]) -> bool {
    let on_border = |of: &[Point; 3], angle: &[Point; 3]| {
        of[1..].iter().any(|corner| is_ray_in_angle(corner, angle))
    };
    on_border(s, t) || on_border(t, s)
}

/// Whether a point of the ray from the apex, the first corner of the triangle, through another point is in the triangle's
/// angle, other than the apex.
fn is_ray_in_angle(through: &Point, angle: &[Point; 3]) -> bool {
    let [apex, b, c] = *angle;
    if *through == apex {
        return false;
    }
    let Some((axis, facing)) = facing(angle) else {
        // Two rays, or points.
        return [b, c].iter().any(|&corner| {
            corner != apex
                && collinear(apex, corner, *through)
                && dot_sign(apex, corner, apex, *through).is_positive()
        });
    };
    let is_outside = |from: Point, to: Point| turn(axis, apex, from, to) == -facing;
    volume_sign(&apex, &b, &c, through).is_zero()
        && !is_outside(b, *through)
        && !is_outside(*through, c)
}

/// Whether two closed triangles that share an edge have a common point off it. Each is given by its third corner; triangles
/// and edge may be segments or points. Exact for all finite coordinates; symmetric in the triangles and in the ends of the
/// edge.
///
/// Takes two turns in a coordinate plane unless the triangles are folded sharply, else one volume.
///
/// ```
/// use xcollide_predicates::triangles_meet_beyond_edge;
///
/// let edge = [[0.0; 3], [4.0, 0.0, 0.0]];
/// let corner = [1.0, 2.0, 0.0];
/// assert!(!triangles_meet_beyond_edge(&edge, &corner, &[1.0, -2.0, 0.0]), "flat");
/// assert!(!triangles_meet_beyond_edge(&edge, &corner, &[3.0, 1.0, 5e-324]), "nearly closed");
/// assert!(triangles_meet_beyond_edge(&edge, &corner, &[3.0, 1.0, 0.0]), "folded over");
/// ```
#[inline]
#[must_use]
pub fn triangles_meet_beyond_edge(edge: &[Point; 2], first: &Point, second: &Point) -> bool {
    if are_parted_by_edge(edge, first, second) {
        return false;
    }
    let [u, v] = edge;
    volume_sign(u, v, first, second).is_zero() && flat_neighbours_meet(edge, first, second)
}

/// Whether the line of the edge parts the two triangles strictly in the coordinate plane that faces the first. Then each
/// common point is projected to the line, and those points of the first triangle are on the edge.
#[inline(always)]
fn are_parted_by_edge(edge: &[Point; 2], first: &Point, second: &Point) -> bool {
    let triangle = [edge[0], edge[1], *first];
    let axis = main_axis(TrianglePlane::new(&triangle).normal());
    let [tail, head] = [project(edge[0], axis), project(edge[1], axis)];
    let here = orient2d(tail, head, project(*first, axis));
    !here.is_zero() && orient2d(tail, head, project(*second, axis)) == -here
}

/// [`triangles_meet_beyond_edge`] for coplanar points.
#[cold]
#[inline(never)]
fn flat_neighbours_meet(&[u, v]: &[Point; 2], &a: &Point, &c: &Point) -> bool {
    match (facing(&[u, v, a]), facing(&[u, v, c])) {
        (Some((axis, side)), Some(_)) => turn(axis, u, v, c) == side,
        // On the line of the edge, a triangle with area has only the edge.
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => {
            // Points on a line are ordered as their coordinates are.
            let (low, high) = if u < v { (u, v) } else { (v, u) };
            collinear(u, a, c) && ((a < low && c < low) || (a > high && c > high))
        }
    }
}
