//! Fast bounds on the distance of a point from a triangle, for those who look for the nearest of many triangles.
//!
//! A point of the triangle bounds the distance from above. From below, any direction n does: no point of the triangle is
//! nearer than its nearest corner along n. Along the way to the closest point both are the same, so a closest point that is
//! computed fast and without care (Ericson, *Real-Time Collision Detection*, 5.1.5) gives bounds that are proved, and
//! tight unless rounding spoiled it.

use crate::Point;
use crate::orientation::minus;

/// Numbers between which the distance of [`closest_points`](crate::closest_points) of a point and a triangle is, computed in a
/// fraction of the time. The bounds are about 2⁻³⁸ of the farthest corner's distance apart, and farther only for needles.
///
/// ```
/// use xcollide_predicates::{closest_points, distance_bounds};
///
/// let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let point = [0.25, 0.25, 2.0];
/// let [least, most] = distance_bounds(point, &triangle);
/// let distance = closest_points(&[point], &triangle).distance;
/// assert!(least <= distance && distance <= most && most - least < 1e-9);
/// ```
#[must_use]
#[inline]
pub fn distance_bounds(point: Point, triangle: &[Point; 3]) -> [f64; 2] {
    /// More than the error of `closest_points`, 2⁻⁴⁰ of the greatest difference of coordinates, and that of the terms here.
    const ERROR: f64 = 1.0 / (1_u64 << 39) as f64;
    let [a, b, c] =
        [minus(triangle[0], point), minus(triangle[1], point), minus(triangle[2], point)];
    let [ab, ac] = [minus(b, a), minus(c, a)];
    let way = closest_point(a, b, c, ab, ac);
    let square = dot(way, way);
    let size = taxicab(a).max(taxicab(b)).max(taxicab(c)) + taxicab(ab) + taxicab(ac);
    if !(size > 1e-120 && size < 1e120) {
        return [0.0, f64::INFINITY];
    }
    let error = ERROR * size;
    let length = square.sqrt();
    let along = dot(a, way).min(dot(b, way)).min(dot(c, way));
    let least = if length > error { along / length - error } else { 0.0 };
    [least.max(0.0), length + error]
}

/// The point of a triangle that is closest to the origin, rounded; it is in the triangle up to rounding in any case.
#[inline]
fn closest_point(a: Point, b: Point, c: Point, ab: Point, ac: Point) -> Point {
    let (d1, d2) = (-dot(ab, a), -dot(ac, a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let (d3, d4) = (-dot(ab, b), -dot(ac, b));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return moved(a, part(d1, d1 - d3), ab);
    }
    let (d5, d6) = (-dot(ab, c), -dot(ac, c));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return moved(a, part(d2, d2 - d6), ac);
    }
    let va = d3 * d6 - d5 * d4;
    let (to_c, to_b) = (d4 - d3, d5 - d6);
    if va <= 0.0 && to_c >= 0.0 && to_b >= 0.0 {
        return moved(b, part(to_c, to_c + to_b), minus(c, b));
    }
    let sum = va + vb + vc;
    let (v, w) = (part(vb, sum), part(vc, sum));
    moved(moved(a, v.min(1.0 - w), ab), w, ac)
}

/// A quotient between 0 and 1.
#[inline]
fn part(some: f64, all: f64) -> f64 {
    let quotient = some / all;
    if quotient > 0.0 { quotient.min(1.0) } else { 0.0 }
}

#[inline]
fn moved(from: Point, by: f64, along: Point) -> Point {
    [from[0] + by * along[0], from[1] + by * along[1], from[2] + by * along[2]]
}

#[inline]
fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
fn taxicab(a: Point) -> f64 {
    a[0].abs() + a[1].abs() + a[2].abs()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closest_points;
    use xcollide_fixtures::Random;

    /// Fat triangles and needles, far from the origin and near, of all sizes: the plain function is between the bounds.
    #[test]
    fn distances_are_between_the_bounds() {
        let mut random = Random::new(77);
        let mut tight = 0;
        const ROUNDS: usize = 40_000;
        for round in 0..ROUNDS {
            let scale = [1.0, 1e-9, 1e9, 1e-150, 1e200][round % 5];
            let thin = [1.0, 1e-4, 1e-9, 0.0][round / 5 % 4];
            let far = [0.0, 1.0, 1e6][round / 20 % 3];
            let mut point = || [(); 3].map(|()| random.signed());
            let (place, start, along, across) = (point(), point(), point(), point());
            let at = |s: f64, t: f64| {
                [0, 1, 2].map(|k| scale * (far + start[k] + s * along[k] + t * thin * across[k]))
            };
            let triangle = [at(0.0, 0.0), at(1.0, 0.0), at(0.3, 1.0)];
            let place =
                if round % 7 == 0 { at(0.4, 0.2) } else { place.map(|x| scale * (far + x)) };
            let [least, most] = distance_bounds(place, &triangle);
            let distance = closest_points(&[place], &triangle).distance;
            assert!(
                least <= distance && distance <= most,
                "{place:?} {triangle:?}: {least} {distance} {most}"
            );
            tight += usize::from(most - least <= 1e-9 * scale);
        }
        assert!(tight > ROUNDS / 4, "{tight}");
    }
}
