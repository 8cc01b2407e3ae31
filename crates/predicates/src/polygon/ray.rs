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
//! The printed list in the thesis is garbled (one diagonal appears three times, the other with one
//! sign missing), its test of t divides, and its "≤" in (1) misses points on vertical edges. The
//! rules here, for an edge from a to b and q = (x, y):
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

/// What decided an edge in [`Projection::locate_by_ray`]: a pre-check of the thesis or a determinant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeCheck {
    /// (1) Both ends are left of the point.
    Left,
    /// (2) Both ends are above the ray.
    Above,
    /// (3) Both ends are below the ray or on its line.
    Below,
    /// (4) Both ends are right of the point, on different sides of the ray.
    Right,
    /// (5) Both ends are above the rising diagonal through the point.
    AboveDiagonal,
    /// (6) Both ends are below the falling diagonal through the point.
    BelowDiagonal,
    /// None of these; a determinant decided.
    Computed,
}

impl Projection {
    /// Where `p` is, by one ray. Any contours, even-odd rule, O(n): a few comparisons an edge and
    /// rarely a determinant.
    #[must_use]
    pub fn locate_by_ray<C: Contour>(self, p: Point, contours: &[C]) -> Location {
        self.locate_by_ray_observed(p, contours, |_| ())
    }

    /// [`locate_by_ray`](Self::locate_by_ray) that calls `observe` with what decided each edge.
    pub fn locate_by_ray_observed<C: Contour>(
        self,
        p: Point,
        contours: &[C],
        mut observe: impl FnMut(EdgeCheck),
    ) -> Location {
        let q = self.apply(p);
        let mut inside = false;
        for contour in contours {
            for (tail, head) in edges(contour) {
                let (check, passage) = passage(q, self.apply(tail), self.apply(head));
                observe(check);
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

#[inline(always)]
fn passage(q: Point2, a: Point2, b: Point2) -> (EdgeCheck, Passage) {
    let [x, y] = q;
    if a[0] < x && b[0] < x {
        return (EdgeCheck::Left, Passage::Missed);
    }
    if a[1] > y && b[1] > y {
        return (EdgeCheck::Above, Passage::Missed);
    }
    if a[1] <= y && b[1] <= y {
        let level = a[1] == y && b[1] == y && a[0].min(b[0]) <= x && x <= a[0].max(b[0]);
        let touched = level || a == q || b == q;
        return (EdgeCheck::Below, if touched { Passage::Touched } else { Passage::Missed });
    }
    if a[0] > x && b[0] > x {
        return (EdgeCheck::Right, Passage::Crossed);
    }
    if a[1] - y > a[0] - x && b[1] - y > b[0] - x {
        return (EdgeCheck::AboveDiagonal, Passage::Missed);
    }
    if y - a[1] > a[0] - x && y - b[1] > b[0] - x {
        return (EdgeCheck::BelowDiagonal, Passage::Missed);
    }
    // The edge passes the height of q: it is right of q if q is left of the edge taken upwards.
    let side = orient2d(a, b, q);
    let side = if b[1] > y { side } else { -side };
    let passage = match side {
        Sign::Positive => Passage::Crossed,
        Sign::Zero => Passage::Touched,
        Sign::Negative => Passage::Missed,
    };
    (EdgeCheck::Computed, passage)
}
