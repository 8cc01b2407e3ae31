//! A fast lower bound of the distance of two triangles.

use xcollide_math::vector::{cross, dot, length, sub};

type Point = [f64; 3];

/// A lower bound of the distance of two triangles by their planes; 0 if neither plane has the other triangle
/// on one side.
///
/// For the plane of a, b, c with n = (b − a) × (c − a) the distance is at least
/// min |n · (q − a)| / |n| over the corners q of the other, if all have one sign. With u = 2⁻⁵³,
/// m = |b − a|·|c − a| and w = |q − a| (largest and added coordinates): differences of coordinates have
/// relative errors of u, so a coordinate of n is off by less than 8.2um and is at most 2m, and the product
/// with q − a is off by 17umw. 2⁻⁴⁸mw = 32umw is subtracted, and 2⁻⁴⁸m added to |n|. If m or w is so small
/// that a product might underflow, or not finite, the bound is 0. The caller must allow for errors in
/// proportion to the result (division, root: less than 8u).
pub(super) fn triangle_gap(s: &[Point; 3], t: &[Point; 3]) -> f64 {
    let by_s = plane_gap(s, t);
    let by_t = plane_gap(t, s);
    if by_s > by_t { by_s } else { by_t }
}

fn plane_gap([a, b, c]: &[Point; 3], other: &[Point; 3]) -> f64 {
    /// 2⁻⁴⁸.
    const ERROR: f64 = 16.0 * f64::EPSILON;
    /// Products of two lengths above this, and of such a product with a length, are far from
    /// underflow, as are their products with 2⁻⁴⁸.
    const SMALLEST: f64 = 1e-100;
    let (u, v) = (sub(*b, *a), sub(*c, *a));
    let normal = cross(u, v);
    let size = largest(&u) * largest(&v);
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    let mut farthest = 0.0;
    for corner in other {
        let way = sub(*corner, *a);
        let height = dot(normal, way);
        lowest = if height < lowest { height } else { lowest };
        highest = if height > highest { height } else { highest };
        let sum = way[0].abs() + way[1].abs() + way[2].abs();
        farthest = if sum > farthest { sum } else { farthest };
    }
    let height = if lowest > 0.0 { lowest } else { -highest };
    let length = length(normal);
    let gap = (height - ERROR * size * farthest) / (length + ERROR * size);
    let regular = size > SMALLEST && farthest > SMALLEST && gap.is_finite() && length.is_finite();
    if regular && gap > 0.0 { gap } else { 0.0 }
}

fn largest(v: &Point) -> f64 {
    let [x, y, z] = v.map(f64::abs);
    let larger = if x > y { x } else { y };
    if larger > z { larger } else { z }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_predicates::{triangle_distance, triangles_intersect};
    use xcollide_scenes::Random;

    /// Never above the distance, and 0 for triangles that meet: fat ones and slivers, near each
    /// other and far, of all sizes, also far from the origin.
    #[test]
    fn it_is_a_lower_bound_of_the_distance() {
        let mut random = Random::new(5);
        let (mut bounded, mut tight) = (0, 0);
        for round in 0..40_000 {
            let thin = [1.0, 1e-3, 1e-9, 0.0][round % 4];
            let apart = [0.0, 1e-6, 0.1, 3.0][round / 4 % 4];
            let factor = [1.0, 1e-60, 1e60][round / 16 % 3];
            let base = random.direction().map(|x| x * [0.0, 1e6, 1e12][round / 48 % 3]);
            let way = random.direction();
            let mut triangle = |shift: f64| {
                let (a, u, v) = (random.in_ball(), random.in_ball(), random.in_ball());
                [0.0, 1.0, -1.0].map(|k: f64| {
                    [0, 1, 2].map(|axis| {
                        let local = a[axis] + k * u[axis] + k.abs() * thin * v[axis];
                        (base[axis] + local + shift * way[axis]) * factor
                    })
                })
            };
            let (s, t) = (triangle(0.0), triangle(apart));
            let gap = triangle_gap(&s, &t);
            let distance = triangle_distance(&s, &t);
            assert!(gap <= distance * (1.0 + 1e-12), "{gap:e} above {distance:e}: {s:?} {t:?}");
            assert!(gap == 0.0 || !triangles_intersect(&s, &t), "{s:?} {t:?}");
            bounded += usize::from(gap > 0.0);
            tight += usize::from(gap > 0.99 * distance && gap > 0.0);
        }
        assert!(bounded > 10_000 && tight > 1000, "{bounded} bounded, {tight} tightly");
    }

    #[test]
    fn without_a_number_or_a_plane_there_is_none() {
        let flat = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let above = flat.map(|[x, y, _]| [x, y, 2.0]);
        assert!((triangle_gap(&flat, &above) - 2.0).abs() < 1e-12);
        assert_eq!(triangle_gap(&[[0.0; 3]; 3], &[[1.0; 3]; 3]), 0.0);
        let lost = above.map(|[x, y, _]| [x, y, f64::NAN]);
        assert_eq!(triangle_gap(&flat, &lost), 0.0);
        let endless = above.map(|[x, y, _]| [x, y, f64::INFINITY]);
        assert_eq!(triangle_gap(&flat, &endless), 0.0);
    }
}
