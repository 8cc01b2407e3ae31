//! Nearest points of points, triangles and segments, rounded: what the response pushes apart. Source: Ericson, *Real-Time
//! Collision Detection*, 2005, 5.1.5 and 5.1.9.

use xcollide::math::vector::{add, dot, length_squared, scale, sub};

type Vector = [f64; 3];

/// The weights of the corners of a triangle in its point nearest to `p`.
pub(super) fn on_triangle(p: Vector, [a, b, c]: [Vector; 3]) -> [f64; 3] {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let along = |from: Vector| [dot(ab, sub(p, from)), dot(ac, sub(p, from))];
    let [[d1, d2], [d3, d4], [d5, d6]] = [along(a), along(b), along(c)];
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let [va, vb, vc] = [d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2];
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let part = ratio(d1, d1 - d3);
        return [1.0 - part, part, 0.0];
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let part = ratio(d2, d2 - d6);
        return [1.0 - part, 0.0, part];
    }
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let part = ratio(d4 - d3, (d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - part, part];
    }
    let (v, w) = (ratio(vb, va + vb + vc), ratio(vc, va + vb + vc));
    [1.0 - v - w, v, w]
}

/// How far along two segments their nearest points are, from 0 to 1.
pub(super) fn of_segments([a, b]: [Vector; 2], [c, d]: [Vector; 2]) -> [f64; 2] {
    let (u, v, w) = (sub(b, a), sub(d, c), sub(a, c));
    let [uu, vv, uv] = [length_squared(u), length_squared(v), dot(u, v)];
    let [uw, vw] = [dot(u, w), dot(v, w)];
    let across = uu * vv - uv * uv;
    let s = if across > 0.0 { ((uv * vw - uw * vv) / across).clamp(0.0, 1.0) } else { 0.0 };
    let t = ratio(uv * s + vw, vv);
    match t {
        t if t < 0.0 => [ratio(-uw, uu).clamp(0.0, 1.0), 0.0],
        t if t > 1.0 => [ratio(uv - uw, uu).clamp(0.0, 1.0), 1.0],
        t => [s, t],
    }
}

/// A sum of points, weighted.
pub(super) fn weighted<const N: usize>(points: [Vector; N], weights: [f64; N]) -> Vector {
    let parts = points.into_iter().zip(weights);
    parts.fold([0.0; 3], |sum, (point, weight)| add(sum, scale(point, weight)))
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
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
