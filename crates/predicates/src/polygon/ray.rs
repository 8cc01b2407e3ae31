//! One-shot: count the edges that a ray from the point crosses (thesis section 3.2.2).
//!
//! ```text
//!   (5) \       | (2) both above |       /
//!         \     |                |     /        The ray starts at q and runs to the right.
//!  (1) both \   |                |   /          Six comparisons of the ends of an edge with q
//!   left      \ | q              | /            decide nearly all edges.
//!  ─ ─ ─ ─ ─ ─ ─●━━━━━━━━━━━━━━━━━━━━━━━━━━━▶
//!             / | \                (4) both right, and not (2) or (3): crossed
//!       (6) /   |   \    (3) both below
//! ```
//!
//! The list printed in the thesis has errors (one diagonal three times, a "≤" in (1) that misses
//! points on vertical edges). The rules here, for an edge from a to b and q = (x, y):
//!
//! 1. a.x < x and b.x < x: the edge is left of q, not crossed.
//! 2. a.y > y and b.y > y: above, not crossed.
//! 3. a.y ≤ y and b.y ≤ y: below, not crossed. A vertex *on* the line of the ray counts as below
//!    it, which is the thesis's perturbation of q by +ε upwards.
//! 4. a.x > x and b.x > x: the edge has passed (2) and (3), so its ends are on both sides: crossed.
//! 5. a.y − y > a.x − x, the same for b: both ends are above the diagonal through q, so at the
//!    height of q the edge is left of it, not crossed.
//! 6. y − a.y > a.x − x, the same for b: below the other diagonal, likewise.
//!
//! All other edges need the side of q by `orient2d`. Rounding is monotone: if rounded differences
//! compare strictly, so do the true ones, and (5) and (6) are exact. All comparisons that discard an
//! edge are strict, except those in (3), where equality is checked: q on the border is never missed.

use super::{Contour, Location, Projection, edges};
use crate::{Point, Point2, Sign, orient2d};

impl Projection {
    /// Where `p` is, by one ray. Any contours, even-odd rule, O(n): a few comparisons an edge and
    /// rarely a determinant.
    #[must_use]
    pub fn locate_by_ray<C: Contour>(self, p: Point, contours: &[C]) -> Location {
        self.locate_with(p, contours, |_| ())
    }

    /// The same, and counts by which rule each edge was decided: (1) to (6) of the thesis, and last the
    /// edges whose side was computed.
    ///
    /// ```
    /// use xcollide_predicates::polygon::{Location, Projection};
    ///
    /// let square = [[0.0, 0.0, 5.0], [8.0, 0.0, 5.0], [8.0, 8.0, 5.0], [0.0, 8.0, 5.0]];
    /// let mut decided = [0; 7];
    /// let projection = Projection::of(&[square]);
    /// let found = projection.locate_by_ray_counted([4.0, 4.0, 5.0], &[square], &mut decided);
    /// assert_eq!(found, Location::Inside);
    /// // The sides on the left, above and below are not crossed, that on the right is.
    /// assert_eq!(decided, [1, 1, 1, 1, 0, 0, 0]);
    /// ```
    pub fn locate_by_ray_counted<C: Contour>(
        self,
        p: Point,
        contours: &[C],
        decided: &mut [u64; 7],
    ) -> Location {
        self.locate_with(p, contours, |rule| decided[rule] += 1)
    }

    #[inline(always)]
    fn locate_with<C: Contour>(
        self,
        p: Point,
        contours: &[C],
        mut decided_by: impl FnMut(usize),
    ) -> Location {
        let q = self.apply(p);
        let mut inside = false;
        for contour in contours {
            for (tail, head) in edges(contour) {
                let (passage, rule) = passage(q, self.apply(tail), self.apply(head));
                decided_by(rule);
                match passage {
                    Passage::Missed => {}
                    Passage::Crossed => inside = !inside,
                    Passage::Touched => return Location::Border,
                }
            }
        }
        if inside { Location::Inside } else { Location::Outside }
    }
}

/// Relation of the ray to an edge.
enum Passage {
    Missed,
    Crossed,
    /// The ray starts on it.
    Touched,
}

/// Applies the rules (1) to (6), else computes the side; and the index of the rule that decided.
#[inline(always)]
fn passage(q: Point2, a: Point2, b: Point2) -> (Passage, usize) {
    let [x, y] = q;
    if a[0] < x && b[0] < x {
        return (Passage::Missed, 0);
    }
    if a[1] > y && b[1] > y {
        return (Passage::Missed, 1);
    }
    if a[1] <= y && b[1] <= y {
        let level = a[1] == y && b[1] == y && a[0].min(b[0]) <= x && x <= a[0].max(b[0]);
        let is_touched = level || a == q || b == q;
        return (if is_touched { Passage::Touched } else { Passage::Missed }, 2);
    }
    if a[0] > x && b[0] > x {
        return (Passage::Crossed, 3);
    }
    if a[1] - y > a[0] - x && b[1] - y > b[0] - x {
        return (Passage::Missed, 4);
    }
    if y - a[1] > a[0] - x && y - b[1] > b[0] - x {
        return (Passage::Missed, 5);
    }
    // The edge passes the height of q: it is right of q if q is left of the edge taken upwards.
    let side = orient2d(a, b, q);
    let passage = match if b[1] > y { side } else { -side } {
        Sign::Positive => Passage::Crossed,
        Sign::Zero => Passage::Touched,
        Sign::Negative => Passage::Missed,
    };
    (passage, 6)
}
