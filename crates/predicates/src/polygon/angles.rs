//! Sum of angles, exactly (thesis section 3.2.2).
//!
//! The thesis adds arc cosines and compares the sum with 2π. Here quadrants around the point count
//! turns exactly: an edge into the next quadrant adds a quarter turn; for an edge into the opposite
//! quadrant, the sign of a determinant gives the direction.

use super::{Contour, Location, Projection};
use crate::{Point, Point2, Sign, orient2d};

impl Projection {
    /// Where `p` is, by the sum of the angles under which it sees the edges. Any contours, O(n).
    ///
    /// The sum is 2π times the winding number; its parity gives the even-odd rule.
    #[must_use]
    pub fn locate_by_angles<C: Contour>(self, p: Point, contours: &[C]) -> Location {
        let q = self.apply(p);
        let mut quarters = 0;
        for contour in contours {
            let count = contour.vertex_count();
            if count == 0 {
                continue;
            }
            let mut tail = self.apply(contour.vertex(count - 1));
            let mut from = quadrant(q, tail);
            for i in 0..count {
                let head = self.apply(contour.vertex(i));
                let to = quadrant(q, head);
                if to == ON_VERTEX {
                    return Location::Border;
                }
                let turn = (to - from).rem_euclid(4);
                quarters += QUARTERS[turn as usize];
                // Opposite quadrants: the only ones that can hold opposite directions.
                if turn == 2 {
                    match orient2d(q, tail, head) {
                        Sign::Positive => {}
                        Sign::Negative => quarters -= 4,
                        Sign::Zero => return Location::Border,
                    }
                }
                (tail, from) = (head, to);
            }
        }
        if quarters / 4 % 2 == 0 { Location::Outside } else { Location::Inside }
    }
}

/// Quarter turns between quadrants, by their difference modulo 4; an opposite one counts as left.
const QUARTERS: [i64; 4] = [0, 1, 2, -1];

/// In place of a quadrant: the vertex equals the point.
const ON_VERTEX: i64 = 4;

/// The quadrant of `p` around `q`, 0 to 3 counter-clockwise. Each contains the half-axis it begins
/// with, so that opposite directions are always in opposite quadrants.
#[inline]
fn quadrant(q: Point2, p: Point2) -> i64 {
    /// By row left of, above or below, and right of q; by column below, level with, above q.
    const QUADRANTS: [[i64; 3]; 3] = [[2, 2, 1], [3, ON_VERTEX, 1], [3, 0, 0]];
    let place = |k: usize| usize::from(p[k] > q[k]) + usize::from(p[k] >= q[k]);
    QUADRANTS[place(0)][place(1)]
}
