//! Exact tests for diagonals: segments between corners of a contour through its inside.
//!
//! Contours may touch themselves, as bridged ones do, but not cross. So a segment is a diagonal if it
//! leads inside at both ends and meets no edge in between.

use xcollide_predicates::{Point2, Sign, orient2d};

use crate::VertexId;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub(crate) vertex: VertexId,
    pub(crate) point: Point2,
}

/// Whether the direction from `at` to `target` is strictly between the next and the previous edge:
/// inside a counter-clockwise contour.
///
/// ```text
///   prev ·                 Where both edges leave in the same direction, the corner is the end of
///         \   inside       a slit, and all other directions are inside.
///          at ----· next
/// ```
pub(crate) fn enters(prev: Point2, at: Point2, next: Point2, target: Point2) -> bool {
    let left_of_next = orient2d(at, next, target);
    match orient2d(at, next, prev) {
        Sign::Positive => {
            left_of_next == Sign::Positive && orient2d(at, target, prev) == Sign::Positive
        }
        Sign::Negative => {
            left_of_next == Sign::Positive || orient2d(at, target, prev) == Sign::Positive
        }
        Sign::Zero if before(at, next) == before(at, prev) => {
            left_of_next != Sign::Zero || before(at, next) != before(at, target)
        }
        Sign::Zero => left_of_next == Sign::Positive,
    }
}

/// Whether the edge `a b` blocks the view between `p` and `q`: it crosses the open segment, ends in
/// it or overlaps it.
pub(crate) fn blocks(a: Point2, b: Point2, p: Point2, q: Point2) -> bool {
    let (side_a, side_b) = (orient2d(p, q, a), orient2d(p, q, b));
    if side_a == Sign::Zero && side_b == Sign::Zero {
        // All on one line: do the open segments overlap?
        let ((a, b), (p, q)) = (sorted(a, b), sorted(p, q));
        return before(a, q) && before(p, b);
    }
    let ends_inside = |side: Sign, end: Point2| side == Sign::Zero && between(end, p, q);
    if ends_inside(side_a, a) || ends_inside(side_b, b) {
        return true;
    }
    let opposite = |s: Sign, t: Sign| s != Sign::Zero && t != Sign::Zero && s != t;
    opposite(side_a, side_b) && opposite(orient2d(a, b, p), orient2d(a, b, q))
}

pub(crate) fn before(a: Point2, b: Point2) -> bool {
    a[0] < b[0] || (a[0] == b[0] && a[1] < b[1])
}

fn sorted(a: Point2, b: Point2) -> (Point2, Point2) {
    if before(a, b) { (a, b) } else { (b, a) }
}

/// Whether `x`, on the line of `p` and `q`, is strictly between them.
fn between(x: Point2, p: Point2, q: Point2) -> bool {
    let (p, q) = sorted(p, q);
    before(p, x) && before(x, q)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_into_a_corner() {
        let at = [0.0, 0.0];
        let (east, north, west, south) = ([1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]);
        let diagonal = [1.0, 1.0];
        // Convex: next east, previous north.
        assert!(enters(north, at, east, diagonal));
        assert!(!enters(north, at, east, east) && !enters(north, at, east, north));
        assert!(!enters(north, at, east, south) && !enters(north, at, east, west));
        // Reflex: the other way round.
        assert!(!enters(east, at, north, diagonal));
        assert!(!enters(east, at, north, east) && !enters(east, at, north, north));
        assert!(enters(east, at, north, south) && enters(east, at, north, west));
        // Straight, and the end of a slit.
        assert!(enters(west, at, east, north) && !enters(west, at, east, south));
        assert!(!enters(west, at, east, east) && !enters(west, at, east, west));
        assert!(enters(east, at, east, north) && enters(east, at, east, west));
        assert!(!enters(east, at, east, [5.0, 0.0]));
    }

    #[test]
    fn edges_in_the_way() {
        let (p, q) = ([0.0, 0.0], [4.0, 0.0]);
        assert!(blocks([2.0, -1.0], [2.0, 1.0], p, q), "crosses");
        assert!(blocks([2.0, 0.0], [2.0, 1.0], p, q), "ends inside");
        assert!(blocks([2.0, 0.0], [9.0, 0.0], p, q), "overlaps");
        assert!(blocks(q, p, p, q), "is the segment");
        assert!(!blocks([0.0, -1.0], [0.0, 1.0], p, q), "touches the end");
        assert!(!blocks([0.0, 0.0], [1.0, 1.0], p, q), "starts at the end");
        assert!(!blocks([4.0, 0.0], [9.0, 0.0], p, q), "goes on from the end");
        assert!(!blocks([5.0, -1.0], [5.0, 1.0], p, q), "beyond");
    }
}
