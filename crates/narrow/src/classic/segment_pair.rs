//! The nearest points of two segments, rounded (Ericson, *Real-Time Collision Detection*, 2005, 5.1.9).
//!
//! [`closest_points`](xcollide_predicates::closest_points) does the same with an exact zero, at several
//! times the cost.

use xcollide_math::vector::{add, dot, length_squared, scale, sub};

/// A nearest point of each segment. Segments may be points; parallel ones have several nearest pairs.
pub(crate) fn nearest_on_segments(
    [p, p_end]: &[[f64; 3]; 2],
    [q, q_end]: &[[f64; 3]; 2],
) -> [[f64; 3]; 2] {
    let (u, v, between) = (sub(*p_end, *p), sub(*q_end, *q), sub(*p, *q));
    let (uu, uv, vv) = (length_squared(u), dot(u, v), length_squared(v));
    let (along_u, along_v) = (dot(u, between), dot(v, between));
    let share =
        |part: f64, whole: f64| if whole > 0.0 { (part / whole).clamp(0.0, 1.0) } else { 0.0 };
    // The point of the first line nearest to the second; then the nearest point of the second segment, and
    // the point of the first segment nearest to that.
    let on_first = share(uv * along_v - along_u * vv, uu * vv - uv * uv);
    let on_second = share(along_v + uv * on_first, vv);
    let on_first = share(uv * on_second - along_u, uu);
    [add(*p, scale(u, on_first)), add(*q, scale(v, on_second))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_predicates::closest_points;
    use xcollide_scenes::Random;

    /// On a small grid: crossing, parallel, in one line, points. The referee is exact.
    #[test]
    fn no_points_of_the_segments_are_nearer() {
        let mut random = Random::new(4);
        let mut parallel = 0;
        for _ in 0..20_000 {
            let mut point = || [(); 3].map(|()| random.between(-1.0, 2.0).floor());
            let (a, b) = ([point(), point()], [point(), point()]);
            let [p, q] = nearest_on_segments(&a, &b);
            let distance = length_squared(sub(q, p)).sqrt();
            let exact = closest_points(&a, &b).distance;
            assert!((distance - exact).abs() < 1e-12, "{a:?} {b:?}: {distance} {exact}");
            let [u, v] = [sub(a[1], a[0]), sub(b[1], b[0])];
            parallel += u32::from(dot(u, v).powi(2) == length_squared(u) * length_squared(v));
        }
        assert!(parallel > 1000);
    }
}
