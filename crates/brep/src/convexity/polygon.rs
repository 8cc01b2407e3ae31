//! Convexity of faces, by the signs of their turns and the number of their extrema.
//!
//! Source: Zachmann 1994, 4.2.2, "Convex polygons". The thesis counts the extrema of x and y, two of
//! each on a convex polygon; this detects self-overlaps, but an arrowhead may have two as well. Here
//! both of these are tested exactly:
//!
//! - all turns have the same direction, and no corner turns back;
//! - the walk changes between going right and going left (up and down on vertical edges) exactly twice.
//!
//! A polygon that always turns the same way completes a full turn between one change from left to right
//! and the next. So two changes mean a single full turn, and the polygon is convex.
//!
//! ```text
//!      pentagram: all turns left,          arrowhead: two extrema in x and
//!      but four changes (two circles)      in y, but one turn to the right
//! ```

use crate::planarity::FittedPlane;
use crate::projection::{largest_component, project};
use crate::{Face, PolygonMesh, VertexId};
use xcollide_predicates::{Point2, Sign, orient2d};

/// Whether a face is a convex polygon: one contour, no coinciding consecutive corners, no turn back, no
/// overlap. Corners of 180° are allowed. O(n) in the corners.
///
/// `base`: three non-collinear corners. Exact for exactly planar faces, because dropping a
/// coordinate keeps the order of points in a plane. For other faces, exact for the projection along
/// the largest component of Newell's normal.
pub(crate) fn is_convex_face(mesh: &PolygonMesh, face: Face<'_>, base: [VertexId; 3]) -> bool {
    let corners = face.outer();
    if corners.len() == 3 {
        return face.holes().len() == 0;
    }
    if corners.len() < 3 || face.holes().len() > 0 {
        return false;
    }
    let hint = largest_component(FittedPlane::of(mesh, face, base).normal);
    let [a, b, c] = base.map(|corner| mesh.position(corner));
    let axis = [hint, (hint + 1) % 3, (hint + 2) % 3]
        .into_iter()
        .find(|&axis| !orient2d(project(a, axis), project(b, axis), project(c, axis)).is_zero());
    axis.is_some_and(|axis| {
        is_convex_polygon(corners.iter().map(|&corner| project(mesh.position(corner), axis)))
    })
}

fn is_convex_polygon(corners: impl Iterator<Item = Point2> + Clone) -> bool {
    let mut turn = Sign::Zero;
    let mut changes = 0;
    let second = corners.clone().cycle().skip(1);
    let third = corners.clone().cycle().skip(2);
    for ((a, b), c) in corners.zip(second).zip(third) {
        let (Some(arriving), Some(leaving)) = (goes_right(a, b), goes_right(b, c)) else {
            return false;
        };
        changes += usize::from(arriving != leaving);
        match orient2d(a, b, c) {
            Sign::Zero if arriving != leaving => return false,
            Sign::Zero => {}
            sign if turn == Sign::Zero => turn = sign,
            sign if turn != sign => return false,
            _ => {}
        }
    }
    turn != Sign::Zero && changes == 2
}

/// Whether b is right of a, or above a if both have the same x; `None` if they coincide.
fn goes_right(a: Point2, b: Point2) -> Option<bool> {
    match b.partial_cmp(&a)? {
        std::cmp::Ordering::Greater => Some(true),
        std::cmp::Ordering::Less => Some(false),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn convex(corners: &[[i32; 2]]) -> bool {
        let answer = is_convex_polygon(corners.iter().map(|c| c.map(f64::from)));
        // Convexity depends neither on the start of a polygon nor on its orientation.
        for start in 0..corners.len() {
            let mut moved = corners.to_vec();
            moved.rotate_left(start);
            assert_eq!(is_convex_polygon(moved.iter().map(|c| c.map(f64::from))), answer);
            moved.reverse();
            assert_eq!(is_convex_polygon(moved.iter().map(|c| c.map(f64::from))), answer);
        }
        answer
    }

    #[test]
    fn convex_polygons_with_straight_corners_are_convex() {
        assert!(convex(&[[0, 0], [4, 0], [4, 4], [0, 4]]));
        assert!(convex(&[[0, 0], [1, 0], [2, 0], [4, 0], [4, 3], [4, 4], [0, 4], [0, 2]]));
        assert!(convex(&[[0, 0], [3, 1], [4, 3], [3, 5], [1, 5], [-1, 2]]));
    }

    #[test]
    fn self_overlapping_polygons_are_not() {
        // Thesis figure 4.7: all turns alike, two circles.
        let pentagram = [[0, 10], [6, -8], [-10, 3], [10, 3], [-6, -8]];
        assert!(!convex(&pentagram));
        let square = [[0, 0], [4, 0], [4, 4], [0, 4]];
        assert!(!convex(&[square, square].concat()), "wound twice");
        assert!(!convex(&[[0, 0], [4, 4], [4, 0], [0, 4]]), "a bow tie");
    }

    #[test]
    fn notches_spikes_and_flat_polygons_are_not() {
        assert!(!convex(&[[0, 0], [4, 0], [1, 1], [0, 4]]), "an arrowhead");
        assert!(!convex(&[[0, 0], [4, 0], [4, 4], [4, 7], [4, 4], [0, 4]]), "a spike");
        assert!(!convex(&[[0, 0], [6, 0], [4, 0], [4, 4]]), "a turn back along a side");
        assert!(!convex(&[[0, 0], [1, 0], [2, 0], [1, 0]]), "without area");
        assert!(!convex(&[[0, 0], [4, 0], [4, 0], [0, 4]]), "a corner twice");
    }

    /// Brute force: a polygon is convex iff it has area, its corners are distinct, and all of them lie
    /// on the same side of each of its sides.
    #[test]
    fn small_polygons_agree_with_all_pairs_of_sides_and_corners() {
        let mut convex_ones = 0;
        let points: Vec<[i32; 2]> = (0..9).map(|i| [i % 3, i / 3]).collect();
        for code in 0..9_u32.pow(5) {
            let polygon: Vec<[i32; 2]> =
                (0..5).map(|digit| points[(code / 9_u32.pow(digit) % 9) as usize]).collect();
            let expected = slowly_convex(&polygon);
            assert_eq!(
                is_convex_polygon(polygon.iter().map(|c| c.map(f64::from))),
                expected,
                "{polygon:?}"
            );
            convex_ones += usize::from(expected);
        }
        assert!(convex_ones > 500, "{convex_ones}");
    }

    fn slowly_convex(polygon: &[[i32; 2]]) -> bool {
        let n = polygon.len();
        let side = |a: [i32; 2], b: [i32; 2], c: [i32; 2]| {
            ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])).signum()
        };
        let all = |wanted: i32| {
            (0..n).all(|i| {
                let (a, b) = (polygon[i], polygon[(i + 1) % n]);
                polygon.iter().all(|&c| side(a, b, c) * wanted >= 0)
            })
        };
        let area: i32 = (0..n)
            .map(|i| {
                let (a, b) = (polygon[i], polygon[(i + 1) % n]);
                a[0] * b[1] - a[1] * b[0]
            })
            .sum();
        let distinct = (0..n).all(|i| (0..i).all(|j| polygon[i] != polygon[j]));
        area != 0 && distinct && (all(1) || all(-1))
    }
}
