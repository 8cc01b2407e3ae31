//! A part of a surface as convex polygons, and how it is cut by a plane across an axis.

use crate::convex::vector::{Vector, add, scaled, sub};

/// A convex polygon: a triangle, or what cuts have left of one; also a segment or a point.
pub(super) type Polygon = Vec<Vector>;

/// Cuts polygons along the plane where a coordinate has a value: those below, and those above.
///
/// What lies in the plane is below. A point of the cut is rounded: off by less than 32 · 2⁻⁵³ of
/// the largest coordinate.
pub(super) fn cut(polygons: &[Polygon], axis: usize, at: f64) -> [Vec<Polygon>; 2] {
    let (mut below, mut above) = (Vec::new(), Vec::new());
    for polygon in polygons {
        let low = polygon.iter().any(|p| p[axis] < at);
        let high = polygon.iter().any(|p| p[axis] > at);
        match (low, high) {
            (_, false) => below.push(polygon.clone()),
            (false, true) => above.push(polygon.clone()),
            (true, true) => {
                below.push(side(polygon, axis, at, 1.0));
                above.push(side(polygon, axis, at, -1.0));
            }
        }
    }
    [below, above]
}

/// The part of a polygon below the plane, or above where the sign is negative (Sutherland and
/// Hodgman 1974).
fn side(polygon: &[Vector], axis: usize, at: f64, sign: f64) -> Polygon {
    let mut kept = Polygon::with_capacity(polygon.len() + 1);
    let outside = |p: Vector| sign * (p[axis] - at) > 0.0;
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        if !outside(p) {
            kept.push(p);
        }
        let crosses = (p[axis] < at && q[axis] > at) || (p[axis] > at && q[axis] < at);
        if crosses {
            kept.push(crossing(p, q, axis, at));
        }
    }
    kept
}

/// Where an edge crosses the plane: the same point from either end.
fn crossing(p: Vector, q: Vector, axis: usize, at: f64) -> Vector {
    let (p, q) = if p[axis] < q[axis] { (p, q) } else { (q, p) };
    let part = (at - p[axis]) / (q[axis] - p[axis]);
    let mut point = add(p, scaled(sub(q, p), part));
    point[axis] = at;
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_share_the_cut_and_keep_the_rest() {
        let triangle = vec![[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]];
        let [below, above] = cut(&[triangle], 0, 1.0);
        assert_eq!(
            below,
            [vec![[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [1.0, 3.0, 1.0], [0.0, 4.0, 1.0]]]
        );
        assert_eq!(above, [vec![[1.0, 0.0, 1.0], [4.0, 0.0, 1.0], [1.0, 3.0, 1.0]]]);
    }

    #[test]
    fn what_touches_the_plane_is_not_cut() {
        let polygons = [
            vec![[0.0; 3], [1.0, 0.0, 0.0]],
            vec![[1.0, 0.0, 0.0], [2.0, 1.0, 0.0]],
            vec![[1.0; 3]],
        ];
        let [below, above] = cut(&polygons, 0, 1.0);
        assert_eq!(below, [polygons[0].clone(), polygons[2].clone()]);
        assert_eq!(above, [polygons[1].clone()]);
    }
}
