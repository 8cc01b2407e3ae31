//! Every stage against the exact one, on numbers of all sizes.

use super::*;
use proptest::prelude::*;

/// Numbers of all sizes, many of them equal or nearly so.
fn coordinate() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<f64>().prop_filter("finite", |x| x.is_finite()),
        (-3i32..=3).prop_map(f64::from),
        (-3i32..=3, -1074i32..=1020).prop_map(|(x, k)| f64::from(x) * power_of_two(k)),
        (-3i32..=3, -540i32..=-350).prop_map(|(x, k)| f64::from(x) * power_of_two(k)),
        (-3i32..=3, 0u32..3)
            .prop_map(|(x, ulps)| { (0..ulps).fold(f64::from(x), |x, _| x.next_up()) }),
    ]
}

fn points<const D: usize, const N: usize>() -> impl Strategy<Value = [[f64; D]; N]> {
    // All four of one kind, so that they are comparable, or wildly mixed.
    let scaled =
        (prop::collection::vec(-3i32..=3, D * N), -1070i32..=1020).prop_map(|(integers, k)| {
            let mut points = [[0.0; D]; N];
            for (x, integer) in points.as_flattened_mut().iter_mut().zip(integers) {
                *x = f64::from(integer) * power_of_two(k);
            }
            points
        });
    let mixed = prop::collection::vec(coordinate(), D * N).prop_map(|values| {
        let mut points = [[0.0; D]; N];
        points.as_flattened_mut().copy_from_slice(&values);
        points
    });
    prop_oneof![scaled, mixed]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn orient2d_is_that_of_big_integers([a, b, c] in points::<2, 3>()) {
        prop_assert_eq!(orient2d(a, b, c), orient2d_exact(a, b, c));
        prop_assert_eq!(orient2d(b, c, a), orient2d(a, b, c));
        prop_assert_eq!(orient2d(b, a, c), -orient2d(a, b, c));
    }

    #[test]
    fn orient3d_is_that_of_big_integers([a, b, c, d] in points::<3, 4>()) {
        prop_assert_eq!(orient3d(a, b, c, d), orient3d_exact(a, b, c, d));
        prop_assert_eq!(orient3d(b, c, a, d), orient3d(a, b, c, d));
        prop_assert_eq!(orient3d(a, b, d, c), -orient3d(a, b, c, d));
    }

    #[test]
    fn dot_sign_is_that_of_big_integers([a, b, c, d] in points::<3, 4>()) {
        prop_assert_eq!(dot_sign(a, b, c, d), dot_slow(a, b, c, d));
        prop_assert_eq!(dot_sign(b, a, c, d), -dot_sign(a, b, c, d));
    }

    #[test]
    fn plane_side_is_that_of_big_integers([n, p] in points::<3, 2>(), offset in coordinate()) {
        prop_assert_eq!(plane_side(n, offset, p), plane_side_slow(n, offset, p));
        let inner = n[0] * p[0];
        if inner.is_finite() {
            prop_assert_eq!(plane_side(n, inner, p), plane_side_slow(n, inner, p));
        }
    }

    /// Where filters fail: points rounded onto a plane, a line, a right angle.
    #[test]
    fn rounded_incidences_are_decided_like_big_integers(
        [a, b, c] in points::<3, 3>(), s in -2.0..2.0, t in -2.0..2.0, k in -1000i32..=0,
    ) {
        let [a, b, c] = [a, b, c].map(|p| p.map(|x| x * power_of_two(k)));
        let d: Point = [0, 1, 2].map(|i| a[i] + s * (b[i] - a[i]) + t * (c[i] - a[i]));
        let e: Point = [0, 1, 2].map(|i| a[i] + s * (b[i] - a[i]));
        prop_assume!(d.iter().chain(&e).all(|x| x.is_finite()));
        prop_assert_eq!(orient3d(a, b, c, d), orient3d_exact(a, b, c, d));
        let flat = |p: Point| [p[0], p[1]];
        prop_assert_eq!(
            orient2d(flat(a), flat(b), flat(e)),
            orient2d_exact(flat(a), flat(b), flat(e))
        );
        prop_assert_eq!(dot_sign(a, b, d, e), dot_slow(a, b, d, e));
    }

    /// Exactness of stage 2 at the ends of its range.
    #[test]
    fn expansions_are_exact_where_they_are_used(
        integers in prop::array::uniform4(prop::array::uniform3(-1i64 << 52..1 << 52)),
        shifts in prop::array::uniform4(prop::array::uniform3(-250i32..=0)),
        degenerate in any::<bool>(),
    ) {
        let mut points = [[0.0; 3]; 4];
        for i in 0..4 {
            for k in 0..3 {
                points[i][k] = integers[i][k] as f64 * power_of_two(shifts[i][k] - 52);
            }
        }
        if degenerate {
            points[3] = [0, 1, 2].map(|k| 0.5 * points[0][k] + 0.5 * points[1][k]);
        }
        prop_assume!(in_expansion_range(points).is_some());
        let [a, b, c, d] = points;
        prop_assert_eq!(orient3d_slow(a, b, c, d), orient3d_exact(a, b, c, d));
        let flat = |p: Point| [p[2], p[1]];
        let [a, b, c] = [a, b, d].map(flat);
        prop_assert_eq!(orient2d_slow(a, b, c), orient2d_exact(a, b, c));
    }
}

/// Every stage is entered by the points that are meant to enter it.
#[test]
fn all_three_stages_are_reached() {
    let unit = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let (height, bound) = TrianglePlane::new(&unit).height(&[0.25, 0.25, 1e-12]);
    assert!(height > bound);
    for (scale, in_range) in [(1.0, true), (1e-300, true), (1e150, true), (1e-320, true)] {
        let points = [unit[1], unit[2], [0.0, 0.0, 1.0]].map(|p| p.map(|x| x * scale));
        assert_eq!(in_expansion_range(points).is_some(), in_range);
    }
    assert!(in_expansion_range([[1e-300, 1e150, 0.0]]).is_none());
    assert!(in_expansion_range([[0.0, f64::INFINITY, 1.0]]).is_none());
}

/// There is no promise about the sign, but that there is one: the exact stages do not panic, and end.
#[test]
fn numbers_that_are_not_finite_do_no_harm() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let p = [bad, 0.0, 1.0];
        let _ = orient3d(p, [1.0; 3], [0.0; 3], [2.0, 1.0, 0.0]);
        let _ = orient2d([bad, 0.0], [1.0; 2], [0.0; 2]);
        let _ = dot_sign(p, [1.0; 3], p, [0.0; 3]);
        let _ = plane_side(p, bad, p);
    }
}
