//! Sum of angles, exactly (thesis section 3.2.2).
//!
//! The thesis adds up arc cosines and asks whether the sum is about 2π. Only whole turns matter,
//! so quadrants are enough: an edge that leads from one quadrant around the point to the next
//! turns by one quarter in sum with its neighbours, and for an edge that skips a quadrant a sign
//! tells which way around it went. No angle is computed and the sum is an integer.

use super::{Contour, Location, Projection, edges};
use crate::{Point, Point2, Sign, orient2d};

impl Projection {
    /// Where `p` is, by the sum of the angles under which it sees the edges. Any contours, O(n).
    ///
    /// The sum is 2π times the winding number, whose parity is that of the crossings: even-odd
    /// rule.
    #[must_use]
    pub fn locate_by_angles<C: Contour>(self, p: Point, contours: &[C]) -> Location {
        let q = self.apply(p);
        let mut quarters = 0;
        for contour in contours {
            for (tail, head) in edges(contour) {
                match quarters_turned(q, self.apply(tail), self.apply(head)) {
                    Some(turned) => quarters += turned,
                    None => return Location::Border,
                }
            }
        }
        if quarters / 4 % 2 == 0 { Location::Outside } else { Location::Inside }
    }
}

/// By how many quadrants the direction from `q` turns along an edge; nothing if `q` is on it.
fn quarters_turned(q: Point2, tail: Point2, head: Point2) -> Option<i64> {
    let (from, to) = (quadrant(q, tail)?, quadrant(q, head)?);
    match (to - from).rem_euclid(4) {
        0 => Some(0),
        1 => Some(1),
        3 => Some(-1),
        // Opposite quadrants, among which are all opposite directions.
        _ => match orient2d(q, tail, head) {
            Sign::Positive => Some(2),
            Sign::Negative => Some(-2),
            Sign::Zero => None,
        },
    }
}

/// The quadrant around `q` in which `p` is; each contains the half-axis it begins with, so that
/// opposite directions are always in opposite quadrants. Nothing if the points are equal.
fn quadrant(q: Point2, p: Point2) -> Option<i64> {
    let (right, left) = (p[0] > q[0], p[0] < q[0]);
    let (above, below) = (p[1] > q[1], p[1] < q[1]);
    if right && !below {
        Some(0)
    } else if above && !right {
        Some(1)
    } else if left && !above {
        Some(2)
    } else if below && !left {
        Some(3)
    } else {
        None
    }
}
