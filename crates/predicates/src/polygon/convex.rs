//! Convex polygons: logarithmic search (thesis section 3.3).

use super::{Contour, Location, Projection};
use crate::{Point, Point2, Sign, orient2d};

/// A contour known to be convex, for queries in O(log n) each.
///
/// Its projection turns the same way at every vertex, once around. Straight angles are allowed,
/// repeated vertices are not.
///
/// ```
/// use xcollide_predicates::polygon::{ConvexPolygon, Location, Projection};
///
/// let kite = [[0.0, 0.0, 0.0], [2.0, 1.0, 1.0], [8.0, 8.0, 8.0], [1.0, 2.0, 1.5]];
/// let projection = Projection::of(&[kite]);
/// let polygon = ConvexPolygon::new(&kite, projection).expect("it is convex");
/// assert_eq!(polygon.locate_by_wedges([1.0, 1.0, 0.5]), Location::Inside);
/// assert_eq!(polygon.locate_by_fibonacci([1.0, 1.0, 0.5]), Location::Inside);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct ConvexPolygon<'a, C: ?Sized> {
    contour: &'a C,
    projection: Projection,
    /// Whether the projection is counter-clockwise.
    turn: Sign,
    /// A vertex with a strict turn. Searches count from it.
    first: usize,
}

impl<'a, C: Contour + ?Sized> ConvexPolygon<'a, C> {
    /// The contour as a convex polygon, or `None` if its projection is not convex. O(n), exact.
    #[must_use]
    pub fn new(contour: &'a C, projection: Projection) -> Option<Self> {
        let count = contour.vertex_count();
        let at = |i: usize| projection.apply(contour.vertex(i % count));
        let mut turn = Sign::Zero;
        let mut first = 0;
        let mut peaks = 0;
        for i in 0..count {
            let [a, b, c] = [at(i), at(i + 1), at(i + 2)];
            if a == b {
                return None;
            }
            peaks += usize::from(height(b) > height(a) && height(b) > height(c));
            match orient2d(a, b, c) {
                // Straight on is allowed, straight back is not.
                Sign::Zero if (height(b) > height(a)) != (height(c) > height(b)) => return None,
                Sign::Zero => {}
                own if turn.is_zero() => (turn, first) = (own, (i + 1) % count),
                own if own != turn => return None,
                _ => {}
            }
        }
        // More than one peak means more than one turn around.
        (peaks == 1 && !turn.is_zero()).then_some(Self { contour, projection, turn, first })
    }

    /// Where `p` is, by binary search among the wedges between vertex 0 and the edges. O(log n).
    ///
    /// The thesis takes wedges from the barycenter; those from a vertex need signs of given points only,
    /// which are exact.
    #[must_use]
    pub fn locate_by_wedges(&self, p: Point) -> Location {
        let q = self.projection.apply(p);
        let (apex, last) = (self.vertex(0), self.contour.vertex_count() - 1);
        if q == apex {
            return Location::Border;
        }
        let side = |i: usize| self.turn * orient2d(apex, self.vertex(i), q);
        // The fan opens by less than a half turn, because the contour turns at vertex 0.
        let (from_first, from_last) = (side(1), side(last));
        if from_first.is_negative() || from_last.is_positive() {
            return Location::Outside;
        }
        // Several vertices may be on either border of the fan. The last edge that begins left of
        // q's direction, or on it where that is the first border, leads past it.
        let begins_before =
            |side: Sign| side.is_positive() || (side.is_zero() && from_first.is_zero());
        let (mut low, mut high) = (1, last);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if begins_before(side(middle)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        match self.turn * orient2d(self.vertex(low), self.vertex(high), q) {
            Sign::Negative => Location::Outside,
            Sign::Zero => Location::Border,
            Sign::Positive if from_first.is_zero() || from_last.is_zero() => Location::Border,
            Sign::Positive => Location::Inside,
        }
    }

    /// Where `p` is, by Fibonacci search for the two edges that a line through `p` crosses.
    /// O(log n): comparisons of coordinates, and two signs at the end.
    ///
    /// The line is horizontal, tilted by a symbolic ε: heights compare by y, then by x. So all
    /// heights differ, rise once and fall once around the contour, and the line crosses exactly two
    /// edges or none. The search printed in the thesis may bracket the wrong side (its case 2); this one
    /// is a standard Fibonacci search.
    #[must_use]
    pub fn locate_by_fibonacci(&self, p: Point) -> Location {
        let q = self.projection.apply(p);
        let beyond = match self.search_beyond(q) {
            Search::Hit => return Location::Border,
            Search::None => return Location::Outside,
            Search::Found(beyond) => beyond,
        };
        // The line crosses one edge on each of the two paths from vertex 0 to `beyond`.
        let first = self.side_of_crossed_edge(q, 0, beyond);
        let second = self.side_of_crossed_edge(q, beyond, self.contour.vertex_count());
        match first.min(second) {
            Sign::Negative => Location::Outside,
            Sign::Zero => Location::Border,
            Sign::Positive => Location::Inside,
        }
    }

    /// Vertex `i` from the first turn on, projected; `i` up to the count of vertices.
    #[inline]
    fn vertex(&self, i: usize) -> Point2 {
        let (i, count) = (i + self.first, self.contour.vertex_count());
        self.projection.apply(self.contour.vertex(if i >= count { i - count } else { i }))
    }

    /// Finds a vertex on the other side of the line through `q` than vertex 0.
    fn search_beyond(&self, q: Point2) -> Search {
        let level = height(q);
        let start = height(self.vertex(0));
        if start == level {
            return Search::Hit;
        }
        // Search for the lowest vertex if vertex 0 is above the line, for the highest if below.
        let down = start > level;
        let nearer = |a: [f64; 2], b: [f64; 2]| if down { a < b } else { a > b };
        let count = self.contour.vertex_count();
        // Count in the direction that leads towards the extreme vertex.
        let forward = nearer(height(self.vertex(1)), start);
        if !forward && !nearer(height(self.vertex(count - 1)), start) {
            return Search::None; // vertex 0 itself is the extreme one
        }
        let index = |i: usize| if forward { i } else { count - i };
        // Vertices after a certain one are farther than vertex 0 again: from there on, and beyond
        // the end, the extreme vertex is to the left.
        let probe = |i: usize| -> Option<[f64; 2]> {
            (i < count).then(|| height(self.vertex(index(i)))).filter(|&h| nearer(h, start))
        };
        // The extreme vertex is in (low, low + long + short), where long and short are Fibonacci
        // numbers, and the two probes are at low + short and low + long.
        let (mut low, mut short, mut long) = (0, 1, 1);
        while long + short < count {
            (short, long) = (long, long + short);
        }
        let (mut left, mut right) = (probe(low + short), probe(low + long));
        loop {
            for (height, i) in [(left, low + short), (right, low + long)] {
                if height == Some(level) {
                    return Search::Hit;
                }
                if height.is_some_and(|height| nearer(height, level)) {
                    return Search::Found(index(i));
                }
            }
            if long <= 1 {
                return Search::None;
            }
            let keep_left = match (left, right) {
                (Some(left), Some(right)) => nearer(left, right),
                (_, None) => true,
                (None, Some(_)) => false,
            };
            if keep_left {
                (short, long) = (long - short, short);
                right = left;
                left = probe(low + short);
            } else {
                low += short;
                (short, long) = (long - short, short);
                left = right;
                right = probe(low + long);
            }
        }
    }

    /// On which side of the crossed edge `q` is, positive inside. `low` and `high` are vertices on
    /// different sides of the line through `q`.
    fn side_of_crossed_edge(&self, q: Point2, mut low: usize, mut high: usize) -> Sign {
        let above = |i: usize| height(self.vertex(i)) > height(q);
        let low_above = above(low);
        while high - low > 1 {
            let middle = low.midpoint(high);
            if above(middle) == low_above {
                low = middle;
            } else {
                high = middle;
            }
        }
        self.turn * orient2d(self.vertex(low), self.vertex(high), q)
    }
}

/// Result of the search for a vertex on the other side of a line.
enum Search {
    /// A vertex is the query point.
    Hit,
    /// All are on the same side.
    None,
    Found(usize),
}

/// The height above a line tilted by a symbolic ε, to be compared lexicographically.
#[inline]
fn height(p: Point2) -> [f64; 2] {
    [p[1], p[0]]
}
