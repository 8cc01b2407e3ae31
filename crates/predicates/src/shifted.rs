//! Signs for two sets of which one is moved by a symbolic infinitesimal, so that no point of one is in the plane of a
//! triangle of the other.
//!
//! The second set is moved by (ε³, ε, ε²) for every small enough ε > 0 (simulation of simplicity: Edelsbrunner and Mücke
//! 1990). A determinant that depends on the shift by a vector n is then the determinant without it, and where that is
//! zero the first of n's coordinates y, z, x that is not. If all are zero the determinant is zero for every shift: the
//! triangle has no area, or the two edges are parallel. Neither is ever crossed.
//!
//! The order of the coordinates is that of [`ray_crossing`](crate::ray_crossing), so that its rays along x serve here, too.

use crate::exact;
use crate::orientation::{TrianglePlane, orient2d, volume_sign};
use crate::ray::edge_count;
use crate::{Point, Sign};

/// Which of the two arguments of a predicate belongs to the set that is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Shifted {
    /// The first argument.
    First,
    /// The second argument.
    Second,
}

impl Shifted {
    /// If the sets change places.
    #[must_use]
    pub fn swapped(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    fn turn(self, sign: Sign) -> Sign {
        match self {
            Self::First => -sign,
            Self::Second => sign,
        }
    }
}

/// The order of the coordinates.
const ORDER: [usize; 3] = [1, 2, 0];

/// Whether the point (the second argument) is before (positive), behind (negative) or, if the triangle has no area, neither
/// before nor behind the plane of the triangle (the first), one of which is moved. Exact for all finite coordinates.
///
/// ```
/// use xcollide_predicates::{Shifted, Sign, shifted_side};
///
/// let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let on_it = [0.25, 0.25, 0.0];
/// assert_eq!(shifted_side(&triangle, on_it, Shifted::Second), Sign::Positive, "moved upwards");
/// assert_eq!(shifted_side(&triangle, on_it, Shifted::First), Sign::Negative);
/// ```
#[inline]
#[must_use]
pub fn shifted_side(triangle: &[Point; 3], point: Point, shifted: Shifted) -> Sign {
    let [a, b, c] = triangle;
    match volume_sign(a, b, c, &point) {
        Sign::Zero => shifted.turn(first_of_normal(triangle)),
        sign => sign,
    }
}

/// The [sides](shifted_side) of three points, sooner than one by one.
#[inline]
#[must_use]
pub fn shifted_sides(triangle: &[Point; 3], points: &[Point; 3], shifted: Shifted) -> [Sign; 3] {
    TrianglePlane::new(triangle)
        .certain_sides(points)
        .unwrap_or_else(|| points.map(|point| shifted_side(triangle, point, shifted)))
}

/// The first coordinate of the normal that is not zero.
#[cold]
fn first_of_normal(&[a, b, c]: &[Point; 3]) -> Sign {
    let coordinate = |axis: usize| {
        let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
        let flat = |p: Point| [p[i], p[j]];
        orient2d(flat(a), flat(b), flat(c))
    };
    ORDER.into_iter().map(coordinate).find(|sign| *sign != Sign::Zero).unwrap_or(Sign::Zero)
}

/// The sign of [`orient3d`](crate::orient3d) of the ends of one segment and those of another, one of which is moved: on which
/// side of the one the other passes. Zero if they are parallel. Exact for all finite coordinates.
#[inline]
#[must_use]
pub fn shifted_passage(one: [&Point; 2], other: [&Point; 2], shifted: Shifted) -> Sign {
    match volume_sign(one[0], one[1], other[0], other[1]) {
        Sign::Zero => shifted.turn(first_of_cross(one, other)),
        sign => sign,
    }
}

/// The first coordinate of (other₁ − other₀) × (one₁ − one₀) that is not zero.
#[cold]
fn first_of_cross(one: [&Point; 2], other: [&Point; 2]) -> Sign {
    let [d, w] = [one, other].map(|[from, to]| exact::difference(*from, *to));
    let normal = exact::cross(&w, &d);
    ORDER
        .into_iter()
        .map(|axis| normal[axis].sign())
        .find(|s| *s != Sign::Zero)
        .unwrap_or(Sign::Zero)
}

/// How a segment crosses a triangle, one of which is moved: `Positive` from the front of the triangle to its back,
/// `Negative` from the back to the front, `Zero` if it does not. The front is the side from which the corners
/// are counter-clockwise. Exact for all finite coordinates.
///
/// The crossings of all edges of a closed surface with a triangle, and of the triangle's edges with the surface, fit each other:
/// the segments in which the surface meets the triangle have two ends each.
///
/// ```
/// use xcollide_predicates::{Shifted, Sign, shifted_crossing};
///
/// let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let down = |x: f64| [[x, 0.0, 1.0], [x, 0.0, -1.0]];
/// assert_eq!(shifted_crossing(down(0.5), &triangle, Shifted::First), Sign::Positive, "moved to y > 0");
/// assert_eq!(shifted_crossing(down(0.5), &triangle, Shifted::Second), Sign::Zero);
/// ```
#[inline]
#[must_use]
pub fn shifted_crossing(segment: [Point; 2], triangle: &[Point; 3], shifted: Shifted) -> Sign {
    let of_point = shifted.swapped();
    let side = shifted_side(triangle, segment[0], of_point);
    if side == Sign::Zero || shifted_side(triangle, segment[1], of_point) == side {
        return Sign::Zero;
    }
    let [a, b, c] = triangle;
    let segment = segment.each_ref();
    let passage = shifted_passage(segment, [a, b], shifted);
    let is_through = passage != Sign::Zero
        && passage == shifted_passage(segment, [b, c], shifted)
        && passage == shifted_passage(segment, [c, a], shifted);
    if is_through { side } else { Sign::Zero }
}

/// How the ray p + s·(1, 0, 0), s ≥ 0, crosses a triangle, where the point (the second argument) or the triangle (the first) is
/// moved: 1 if it leaves through the front, −1 if it enters there, else 0. The sum over a closed surface is the
/// winding number about the point. Exact for all finite coordinates.
///
/// `Shifted::First` mirrors both at the origin, and looks along −x.
#[must_use]
pub fn shifted_ray_crossing(triangle: &[Point; 3], point: Point, shifted: Shifted) -> i32 {
    let (triangle, point, sign) = match shifted {
        Shifted::Second => (*triangle, point, 1),
        Shifted::First => (triangle.map(|p| p.map(|x| -x)), point.map(|x| -x), -1),
    };
    let [a, b, c] = triangle;
    let winding = edge_count(point, a, b) + edge_count(point, b, c) + edge_count(point, c, a);
    if winding == 0 {
        return 0;
    }
    let is_ahead = shifted_side(&triangle, point, Shifted::Second) as i32 == -winding;
    if is_ahead { sign * winding } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{orient3d, triangles_intersect};
    use xcollide_fixtures::Random;

    /// Moved really, by numbers that are small enough for integers up to 3, but exact.
    fn moved(p: Point) -> Point {
        [p[0] + 1.0 / (1_u64 << 40) as f64, p[1] + 1.0 / 4096.0, p[2] + 1.0 / (1 << 25) as f64]
    }

    /// Small integers, where half of the tests are degenerate, against points that are really moved.
    #[test]
    fn signs_are_those_of_points_that_are_really_moved() {
        let mut random = Random::new(91);
        let (mut zero, mut crossings, mut rays) = (0, [0; 3], [0; 3]);
        for _ in 0..60_000 {
            let mut point = || [(); 3].map(|()| random.integer(-2, 2) as f64);
            let (t, p, q) = ([(); 3].map(|()| point()), point(), point());
            let plain = |t: &[Point; 3], p: Point| orient3d(t[0], t[1], t[2], p);
            let there = t.map(moved);
            assert_eq!(shifted_side(&t, p, Shifted::Second), plain(&t, moved(p)));
            assert_eq!(shifted_side(&t, p, Shifted::First), plain(&there, p));
            for shifted in [Shifted::First, Shifted::Second] {
                let one_by_one = [q, p, t[1]].map(|point| shifted_side(&t, point, shifted));
                assert_eq!(shifted_sides(&t, &[q, p, t[1]], shifted), one_by_one);
            }
            zero += usize::from(plain(&t, p) == Sign::Zero);
            for (shifted, segment, triangle) in
                [(Shifted::First, [moved(p), moved(q)], t), (Shifted::Second, [p, q], there)]
            {
                let found = shifted_crossing([p, q], &t, shifted);
                let meets = triangles_intersect(&[segment[0], segment[1], segment[1]], &triangle);
                let side = plain(&triangle, segment[0]);
                let expected = if meets { side } else { Sign::Zero };
                assert_eq!(found, expected, "{t:?} {p:?} {q:?} {shifted:?}");
                crossings[(found as i32 + 1) as usize] += 1;
            }
            let found = shifted_ray_crossing(&t, p, Shifted::Second);
            assert_eq!(found, crate::ray_crossing(moved(p), &t).winding);
            rays[(found + 1) as usize] += 1;
            // Mirrored, the ray goes to the other side; a closed surface has the same sum.
            let apex = point();
            let solid =
                [[t[0], t[2], t[1]], [t[0], t[1], apex], [t[1], t[2], apex], [t[2], t[0], apex]];
            let sum = |place: Point, moved: &dyn Fn(Point) -> Point| -> i32 {
                solid.iter().map(|face| crate::ray_crossing(place, &face.map(moved)).winding).sum()
            };
            let shifted = |shifted| -> i32 {
                solid.iter().map(|face| shifted_ray_crossing(face, p, shifted)).sum()
            };
            assert_eq!(shifted(Shifted::First), sum(p, &moved), "{solid:?} {p:?}");
            assert_eq!(shifted(Shifted::Second), sum(moved(p), &|p| p));
        }
        assert!(
            zero > 5000 && crossings.iter().chain(&rays).all(|count| *count > 500),
            "{zero} {crossings:?} {rays:?}"
        );
    }
}
