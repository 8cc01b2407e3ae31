//! Polygons in space that meet in more than points of their borders: exact.
//!
//! In one plane, they do not if the line of an edge parts them. In two planes, each of them has a segment on the line that is common to
//! the planes, if it has corners on both sides of the other plane; and these segments are compared.

use crate::exact::{Dyadic, Vector, cross, dot, minus, vector};
use crate::projected::collinear;
use crate::quadric::{Form, form, homogeneous, value};
use crate::rounded_hull::RoundedHull;
use crate::{ConvexBody, MovedSolid, Point, Sign, Solid};

/// What two polygons have in common, more than points of the border of one of them; see [`ConvexBody::sheet_contact`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetContact {
    /// They are in one plane, and have an area in common.
    Area,
    /// They are in different planes, and cross along a segment.
    Crossing,
}

impl ConvexBody {
    /// What two polygons without a radius have in common but for points of the border of one of them. Exact for all finite numbers.
    ///
    /// `None` if there is nothing such, or if one of them is no polygon.
    ///
    /// ```
    /// use xcollide_predicates::{ConvexBody, SheetContact};
    ///
    /// let sheet = |x: f64, turned: bool| {
    ///     let corners = [[x, 0.0], [x + 2.0, 0.0], [x, 2.0]];
    ///     let corners = corners.map(|[x, y]| if turned { [x, 0.5, y - 1.0] } else { [x, y, 0.0] });
    ///     let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    ///     ConvexBody::rounded(&corners, [[0, 1, 2]], 0.0, matrix, [0.0; 3]).unwrap()
    /// };
    /// assert_eq!(sheet(0.0, false).sheet_contact(&sheet(1.0, false)), Some(SheetContact::Area));
    /// assert_eq!(sheet(0.0, false).sheet_contact(&sheet(1.0, true)), Some(SheetContact::Crossing));
    /// assert_eq!(sheet(0.0, false).sheet_contact(&sheet(1.5, true)), None);
    /// ```
    #[must_use]
    pub fn sheet_contact(&self, other: &Self) -> Option<SheetContact> {
        contact(self.hull()?, other.hull()?)
    }

    /// Whether a surface of triangles continues on both sides of a polygon without a radius, along a segment in the inside of the polygon.
    /// Exact for all finite numbers. n triangles with an edge in the plane of the polygon take O(n²).
    ///
    /// False for other bodies than polygons.
    ///
    /// ```
    /// use xcollide_predicates::ConvexBody;
    ///
    /// let corners = [[0.0; 3], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    /// let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let square = ConvexBody::rounded(&corners, [[0, 1, 2, 3]], 0.0, matrix, [0.0; 3]).unwrap();
    /// let [above, below] = [1.0, -1.0].map(|z| [[1.0, 0.5, 0.0], [1.0, 9.0, 0.0], [1.0, 1.0, z]]);
    /// assert!(!square.is_crossed_by(&[above]));
    /// assert!(square.is_crossed_by(&[above, below]));
    /// ```
    #[must_use]
    pub fn is_crossed_by(&self, surface: &[[Point; 3]]) -> bool {
        let Some(polygon) = self.hull().filter(|hull| !hull.is_round()) else { return false };
        let Some(plane) = polygon.sheet() else { return false };
        let normal = normal_of(&plane);
        // The edges in the plane, of what is above and of what is below.
        let mut edges = [Vec::new(), Vec::new()];
        for triangle in surface {
            let sides =
                triangle.map(|corner| value(&plane, &homogeneous(&vector(corner), 1.0)).sign());
            let [is_above, is_below] =
                [Sign::Positive, Sign::Negative].map(|side| sides.contains(&side));
            if is_above && is_below {
                let crosses = contact(polygon, &hull_of(triangle)) == Some(SheetContact::Crossing);
                if crosses {
                    return true;
                }
                continue;
            }
            let zeros = sides.iter().filter(|side| side.is_zero()).count();
            if zeros == 2
                && let Some(apex) = sides.iter().position(|side| !side.is_zero())
            {
                let [p, q] = [triangle[(apex + 1) % 3], triangle[(apex + 2) % 3]];
                edges[usize::from(is_below)].push(if p < q { [p, q] } else { [q, p] });
            }
        }
        let [above, below] = edges;
        let common =
            above.iter().flat_map(|one| below.iter().filter_map(|other| common(one, other)));
        let mut common = common.map(|segment| hull_of(&segment));
        common
            .any(|segment| !parts(polygon, &segment, &normal) && !parts(&segment, polygon, &normal))
    }
}

/// What two segments with ordered ends have in common, if that is a segment.
fn common(&[p, q]: &[Point; 2], &[r, s]: &[Point; 2]) -> Option<[Point; 2]> {
    let (from, to) = (if p < r { r } else { p }, if q < s { q } else { s });
    (from < to && collinear(p, q, r) && collinear(p, q, s)).then_some([from, to])
}

/// A triangle or a segment.
fn hull_of<const N: usize>(corners: &[Point; N]) -> RoundedHull {
    let matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let frame = MovedSolid { solid: Solid::HalfSpace, matrix, translation: [0.0; 3] };
    let face: Vec<u32> = (0..N as u32).collect();
    RoundedHull::new(corners, [face], 0.0, &frame)
}

fn contact(one: &RoundedHull, other: &RoundedHull) -> Option<SheetContact> {
    if one.is_round() || other.is_round() {
        return None;
    }
    let (of_one, of_other) = (one.sheet()?, other.sheet()?);
    let normal = normal_of(&of_one);
    let line = cross(&normal, &normal_of(&of_other));
    if line.iter().all(|x| x.sign().is_zero()) {
        let is_within = value(&of_one, &homogeneous(&other.corners()[0], 1.0)).sign().is_zero();
        let is_parted = parts(one, other, &normal) || parts(other, one, &normal);
        return (is_within && !is_parted).then_some(SheetContact::Area);
    }
    let [low, high] = segment(one, &of_other, &line)?;
    let [from, to] = segment(other, &of_one, &line)?;
    (is_less(&low, &to) && is_less(&from, &high)).then_some(SheetContact::Crossing)
}

fn normal_of([x, y, z, _]: &Form) -> Vector {
    [x.clone(), y.clone(), z.clone()]
}

/// Whether the line of an edge of a polygon parts it from another one in its plane.
fn parts(polygon: &RoundedHull, other: &RoundedHull, normal: &Vector) -> bool {
    polygon.edges().any(|[p, q]| {
        let line = form(&cross(normal, &minus(q, p)), p);
        let has = |hull: &RoundedHull, sign: Sign| {
            hull.corners()
                .iter()
                .any(|corner| value(&line, &homogeneous(corner, 1.0)).sign() == sign)
        };
        [Sign::Negative, Sign::Positive]
            .into_iter()
            .any(|sign| !has(polygon, sign) && !has(other, -sign))
    })
}

/// A numerator and a positive denominator.
type Fraction = [Dyadic; 2];

fn is_less([a, b]: &Fraction, [c, d]: &Fraction) -> bool {
    a * d < c * b
}

/// Where along a line a polygon passes through the plane of another one.
fn segment(polygon: &RoundedHull, plane: &Form, line: &Vector) -> Option<[Fraction; 2]> {
    let height = |point: &Vector| value(plane, &homogeneous(point, 1.0));
    let has = |sign| polygon.corners().iter().any(|corner| height(corner).sign() == sign);
    if !has(Sign::Negative) || !has(Sign::Positive) {
        return None;
    }
    let crossings = polygon.edges().filter_map(|[p, q]| {
        let heights = [height(p), height(q)];
        let (below, above, [low, high]) = if heights[0] < heights[1] {
            (p, q, heights)
        } else {
            (q, p, [1, 0].map(|i: usize| heights[i].clone()))
        };
        let is_crossed = low < high && !low.sign().is_positive() && !high.sign().is_negative();
        let place = &(&dot(line, below) * &high) - &(&dot(line, above) * &low);
        is_crossed.then(|| [place, &high - &low])
    });
    crossings.fold(None, |ends: Option<[Fraction; 2]>, place| {
        let [low, high] = ends.unwrap_or_else(|| [place.clone(), place.clone()]);
        Some([
            if is_less(&place, &low) { place.clone() } else { low },
            if is_less(&high, &place) { place } else { high },
        ])
    })
}
