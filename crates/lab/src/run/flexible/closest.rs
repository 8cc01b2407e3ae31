//! Nearest points of points, triangles and segments, rounded: what the response pushes apart. Source: Ericson, *Real-Time
//! Collision Detection*, 2005, 5.1.9.

use xcollide::math::vector::{add, cross, dot, length_squared, scale, sub};

type Vector = [f64; 3];

/// The weights of the corners of a triangle in its point nearest to `p`.
pub(super) fn on_triangle(p: Vector, corners: [Vector; 3]) -> [f64; 3] {
    let [a, b, c] = corners;
    let (ab, ac, ap) = (sub(b, a), sub(c, a), sub(p, a));
    let normal = cross(ab, ac);
    // Of the point below p in the plane; NaN in a triangle without area.
    let [v, w] =
        [cross(ap, ac), cross(ab, ap)].map(|across| dot(across, normal) / length_squared(normal));
    if v >= 0.0 && w >= 0.0 && v + w <= 1.0 {
        return [1.0 - v - w, v, w];
    }
    let on_edge = |from: usize| {
        let to = (from + 1) % 3;
        let edge = sub(corners[to], corners[from]);
        let along = part(dot(sub(p, corners[from]), edge), length_squared(edge));
        let mut weights = [0.0; 3];
        (weights[from], weights[to]) = (1.0 - along, along);
        weights
    };
    let distance = |weights: &[f64; 3]| length_squared(sub(weighted(corners, *weights), p));
    let [first, second, third] = [0, 1, 2].map(on_edge);
    let nearer = |a, b| if distance(&b) < distance(&a) { b } else { a };
    nearer(nearer(first, second), third)
}

/// How far along two segments their nearest points are, from 0 to 1.
pub(super) fn of_segments([a, b]: [Vector; 2], [c, d]: [Vector; 2]) -> [f64; 2] {
    let (u, v, w) = (sub(b, a), sub(d, c), sub(a, c));
    let [uu, vv, uv] = [length_squared(u), length_squared(v), dot(u, v)];
    let [uw, vw] = [dot(u, w), dot(v, w)];
    // The point of the first line nearest to the second; then the nearest point of the second segment, and the point of
    // the first segment nearest to that. A segment may be a point.
    let s = part(uv * vw - uw * vv, uu * vv - uv * uv);
    let t = part(uv * s + vw, vv);
    [part(uv * t - uw, uu), t]
}

/// A sum of points, weighted.
pub(super) fn weighted<const N: usize>(points: [Vector; N], weights: [f64; N]) -> Vector {
    let parts = points.into_iter().zip(weights);
    parts.fold([0.0; 3], |sum, (point, weight)| add(sum, scale(point, weight)))
}

fn part(of: f64, whole: f64) -> f64 {
    if whole > 0.0 { (of / whole).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xcollide::math::vector::length;

    fn point() -> impl Strategy<Value = Vector> {
        prop::array::uniform3(-4..=4i32).prop_map(|numbers| numbers.map(f64::from))
    }

    /// Points of a triangle or a segment, close together.
    fn grid() -> impl Iterator<Item = [f64; 2]> {
        (0..=40).flat_map(|i| (0..=40).map(move |j| [f64::from(i) / 40.0, f64::from(j) / 40.0]))
    }

    proptest! {
        // Corners and ends may be the same point.
        #[test]
        fn no_point_of_a_triangle_is_nearer(p in point(), corners in prop::array::uniform3(point())) {
            let found = on_triangle(p, corners);
            prop_assert!(found.iter().all(|weight| (-1e-12..=1.0 + 1e-12).contains(weight)));
            let distance = |weights| length(sub(p, weighted(corners, weights)));
            for [s, t] in grid().filter(|[s, t]| s + t <= 1.0) {
                prop_assert!(distance(found) <= distance([1.0 - s - t, s, t]) + 1e-9);
            }
        }

        #[test]
        fn no_points_of_two_segments_are_nearer(ends in prop::array::uniform4(point())) {
            let [a, b, c, d] = ends;
            let found = of_segments([a, b], [c, d]);
            let distance = |[s, t]: [f64; 2]| length(weighted([a, b, c, d], [1.0 - s, s, t - 1.0, -t]));
            for parts in grid() {
                prop_assert!(distance(found) <= distance(parts) + 1e-9);
            }
        }
    }
}
