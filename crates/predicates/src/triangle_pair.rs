//! Triangle against triangle.
//!
//! Source: Devillers and Guigue, *Faster Triangle-Triangle Intersection Tests*, INRIA RR-4488, 2002.
//! Two triangles that cross each other's planes each cut an interval out of the common line of the
//! planes. Two signs of volumes compare the ends of the intervals, without a division or a rounded
//! point. The paper omits triangles with collinear corners; they are tested like coplanar ones.

use crate::orientation::{TrianglePlane, certain_turn, volume_sign};
use crate::projected::{
    convex_polygons_meet, facing, main_axis, project, project_counter_clockwise, turn,
};
use crate::segment::segments_intersect;
use crate::triangle::{hull_of_collinear, segment_intersects_triangle};
use crate::{Point, Point2, Sign};

/// Whether two closed triangles have a point in common. Each may be a segment or a point. Exact for all
/// finite coordinates; symmetric in the triangles and in their corners.
///
/// Most disjoint pairs take three plane sides, others at most six plane sides and two volumes.
///
/// ```
/// use xcollide_predicates::triangles_intersect;
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let above = floor.map(|[x, y, _]| [x, y, 5e-324]);
/// let spike = [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [2.0, 1.0, 1.0]];
/// assert!(!triangles_intersect(&floor, &above));
/// assert!(triangles_intersect(&floor, &spike), "touching is intersecting");
/// ```
#[inline]
#[must_use]
pub fn triangles_intersect(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let plane = TrianglePlane::new(a);
    let Some(b_sides) = plane.certain_sides(b) else { return meet_near_plane(a, b) };
    if on_one_side(b_sides) {
        return false;
    }
    let plane = TrianglePlane::new(b);
    let Some(a_sides) = plane.certain_sides(a) else { return meet_near_plane(a, b) };
    if on_one_side(a_sides) {
        return false;
    }
    intervals_meet(a, b, a_sides, b_sides)
}

/// [`triangles_intersect`] if a corner of one is so near the plane of the other that its side takes exact arithmetic, which is
/// slow. Most of these pairs are neighbors in a plane, and apart in a projection.
#[cold]
#[inline(never)]
fn meet_near_plane(a: &[Point; 3], b: &[Point; 3]) -> bool {
    if are_parted_in_projection(a, b) {
        return false;
    }
    let plane = TrianglePlane::new(a);
    let b_sides = b.each_ref().map(|corner| plane.side_of(corner));
    if on_one_side(b_sides) {
        return false;
    }
    let plane = TrianglePlane::new(b);
    let a_sides = a.each_ref().map(|corner| plane.side_of(corner));
    !on_one_side(a_sides) && intervals_meet(a, b, a_sides, b_sides)
}

/// Whether a line along an edge certainly parts two triangles in the coordinate plane that faces the first most. Without exact
/// arithmetic.
fn are_parted_in_projection(a: &[Point; 3], b: &[Point; 3]) -> bool {
    let axis = main_axis(TrianglePlane::new(a).normal());
    let (a, b) = (a.map(|corner| project(corner, axis)), b.map(|corner| project(corner, axis)));
    let parts = |own: &[Point2; 3], other: &[Point2; 3]| {
        (0..3).any(|i| {
            let [tail, head, apex] = [own[i], own[(i + 1) % 3], own[(i + 2) % 3]];
            certain_turn(tail, head, apex).is_some_and(|side| {
                other.iter().all(|&corner| certain_turn(tail, head, corner) == Some(-side))
            })
        })
    };
    parts(&a, &b) || parts(&b, &a)
}

#[inline(always)]
pub(crate) fn on_one_side(sides: [Sign; 3]) -> bool {
    !sides[0].is_zero() && sides[0] == sides[1] && sides[1] == sides[2]
}

/// ```text
///          p            Each triangle is turned so that p lies on the positive side of the
///         / \           other's plane (or on it), q and r on the negative side (or on it).
///   -----i---j-----D    The common line D of the planes is directed along the product of the
///       /     \         normals, that of the first triangle first. The first triangle covers
///      q       r        [j, i] of it, the second [k, l] with k on its edge pq and l on pr.
/// ```
/// They meet iff k ≤ i and j ≤ l. Whether k ≤ i is how the lines p₁q₁ and p₂q₂ turn about each
/// other: orient3d(p₁, q₁, p₂, q₂) ≤ 0; and j ≤ l is orient3d(p₁, r₁, p₂, r₂) ≥ 0.
#[inline(never)]
fn intervals_meet(a: &[Point; 3], b: &[Point; 3], a_sides: [Sign; 3], b_sides: [Sign; 3]) -> bool {
    match Crossing::new(a, b, a_sides, b_sides) {
        Some(crossing) => crossing.is_met(),
        None => flat_triangles_meet(a, b),
    }
}

/// Two triangles that cross each other's planes, corners ordered as in [`intervals_meet`].
pub(crate) struct Crossing<'t> {
    first: [&'t Point; 3],
    second: [&'t Point; 3],
}

impl<'t> Crossing<'t> {
    /// From the sides of the corners of each triangle, not all on one side of the other's plane;
    /// `None` if one triangle lies in a plane of the other.
    #[inline(always)]
    pub(crate) fn new(
        a: &'t [Point; 3],
        b: &'t [Point; 3],
        a_sides: [Sign; 3],
        b_sides: [Sign; 3],
    ) -> Option<Self> {
        let (a_apex, b_apex) = (APEX[index(a_sides)], APEX[index(b_sides)]);
        if a_apex == Apex::NONE || b_apex == Apex::NONE {
            return None;
        }
        // Exchanging two corners of the other triangle turns its plane over and puts the apex on the
        // positive side.
        let (first, second) = (a_apex.first(a, b_apex.negative), b_apex.first(b, a_apex.negative));
        Some(Self { first, second })
    }

    #[inline(always)]
    pub(crate) fn is_met(&self) -> bool {
        let ([p1, q1, r1], [p2, q2, r2]) = (self.first, self.second);
        !volume_sign(p1, q1, p2, q2).is_positive() && !volume_sign(p1, r1, p2, r2).is_negative()
    }

    /// The edge that cuts D at the upper end of the common interval, at i or at l, and whether it
    /// belongs to the first triangle; for intervals that [meet](Self::is_met).
    #[inline(always)]
    pub(crate) fn upper_edge(&self) -> ([Point; 2], bool) {
        let ([p1, q1, _], [p2, _, r2]) = (self.first, self.second);
        // Whether i ≤ l, like k ≤ i.
        if volume_sign(p1, q1, p2, r2).is_negative() {
            ([*p2, *r2], false)
        } else {
            ([*p1, *q1], true)
        }
    }
}

/// The corner that is alone on its side of a plane; the other two are on the other side or on the plane.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Apex {
    corner: u8,
    /// Whether the other two corners are on the positive side.
    negative: bool,
}

impl Apex {
    /// All corners are on the plane (or all strictly on one side, which does not occur here).
    const NONE: Self = Self { corner: 3, negative: false };

    /// The apex of a triangle with its corners on these sides.
    const fn of(sides: [i8; 3]) -> Self {
        let mut corner = 0;
        while corner < 3 {
            let others = [sides[(corner + 1) % 3], sides[(corner + 2) % 3]];
            let (own, low, high) = if others[0] < others[1] {
                (sides[corner], others[0], others[1])
            } else {
                (sides[corner], others[1], others[0])
            };
            if (own > 0 && high <= 0) || (own == 0 && high < 0) {
                return Self { corner: corner as u8, negative: false };
            }
            if (own < 0 && low >= 0) || (own == 0 && low > 0) {
                return Self { corner: corner as u8, negative: true };
            }
            corner += 1;
        }
        Self::NONE
    }

    /// The corners in cyclic order from the apex on, reversed on request.
    #[inline(always)]
    fn first(self, triangle: &[Point; 3], reverse: bool) -> [&Point; 3] {
        const NEXT: [usize; 5] = [0, 1, 2, 0, 1];
        let corner = self.corner as usize;
        let [p, q, r] = [0, 1, 2].map(|i| &triangle[NEXT[corner + i]]);
        if reverse { [p, r, q] } else { [p, q, r] }
    }
}

/// The apex for each of the 27 combinations of three signs.
const APEX: [Apex; 27] = {
    let mut table = [Apex::NONE; 27];
    let mut i = 0;
    while i < 27 {
        table[i] = Apex::of([(i / 9) as i8 - 1, (i / 3 % 3) as i8 - 1, (i % 3) as i8 - 1]);
        i += 1;
    }
    table
};

#[inline(always)]
fn index(sides: [Sign; 3]) -> usize {
    (sides[0] as i32 * 9 + sides[1] as i32 * 3 + sides[2] as i32 + 13) as usize
}

/// [`triangles_intersect`] for coplanar triangles, or if the corners of one are collinear.
#[cold]
#[inline(never)]
fn flat_triangles_meet(a: &[Point; 3], b: &[Point; 3]) -> bool {
    match (facing(a), facing(b)) {
        (Some((axis, a_facing)), Some(_)) => {
            // The same plane, so the axis suits both; b may have the other orientation.
            let b_facing = turn(axis, b[0], b[1], b[2]);
            convex_polygons_meet(
                &project_counter_clockwise(a, axis, a_facing),
                &project_counter_clockwise(b, axis, b_facing),
            )
        }
        (Some(_), None) => segment_intersects_triangle(&hull_of_collinear(b), a),
        (None, Some(_)) => segment_intersects_triangle(&hull_of_collinear(a), b),
        (None, None) => segments_intersect(&hull_of_collinear(a), &hull_of_collinear(b)),
    }
}
