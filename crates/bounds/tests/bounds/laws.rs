//! The laws of `BoundingVolume`, for every kind of volume.
//!
//! Points have coordinates up to 1e9 and beyond, motions any rotation (also matrices that are
//! rotations only up to 1e-6) and translations up to 1e9. What a volume must hold is known by
//! construction: the points it was fitted to, their images, and combinations of them that lie
//! inside by far more than a rounding error.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_math::Pose;

type Point = [f64; 3];
type Law = Result<(), TestCaseError>;

fn combine(a: Point, s: f64, b: Point, t: f64) -> Point {
    [0, 1, 2].map(|k| s * a[k] + t * b[k])
}

/// Clouds of 1 to 12 points: small or large, near the origin or far from it, solid, flat, thin.
fn cloud() -> impl Strategy<Value = Vec<Point>> {
    let points = prop::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0], 1..12);
    let scale = prop_oneof![Just(1.0), Just(1e-9), Just(1e9), Just(1e-150), Just(1e60)];
    let stretch = prop_oneof![
        Just([1.0, 1.0, 1.0]),
        Just([1.0, 1.0, 0.0]),
        Just([1.0, 1e-3, 1e-9]),
        Just([0.0, 0.0, 1.0])
    ];
    let center = prop_oneof![Just(0.0), Just(1.0), Just(1e4), Just(1e9)];
    let direction = [-1.0..1.0, -1.0..1.0, -1.0..1.0];
    (points, scale, stretch, center, direction, any::<bool>()).prop_map(
        |(points, scale, stretch, center, direction, tilted)| {
            let scale = if center > 1.0 { 1.0 } else { scale };
            points
                .into_iter()
                .map(|p| {
                    let [x, y, z] = [0, 1, 2].map(|k| p[k] * stretch[k] * scale);
                    let p = if tilted { [x + z, y - 0.5 * x, z - 0.3 * y] } else { [x, y, z] };
                    combine(p, 1.0, direction, center * scale)
                })
                .collect()
        },
    )
}

/// Rotations, exact up to rounding or only up to 1e-6, with translations up to 1e9.
fn motion() -> impl Strategy<Value = Pose> {
    let quaternion = [-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0_f64];
    let stretch = prop_oneof![Just(1.0), Just(1.0 + 0.999e-6), Just(1.0 - 0.999e-6)];
    let distance = prop_oneof![Just(0.0), Just(1.0), Just(1e4), Just(1e9)];
    let direction = [-1.0..1.0, -1.0..1.0, -1.0..1.0];
    (quaternion, stretch, distance, direction).prop_map(|(q, stretch, distance, direction)| {
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let q = if length < 1e-3 { [0.0, 0.0, 0.0, 1.0] } else { q.map(|x| x / length * stretch) };
        Pose::from_quaternion(q, combine(direction, distance, [0.0; 3], 0.0)).unwrap()
    })
}

fn holds_all<V: BoundingVolume>(volume: &V, points: &[Point]) -> Law {
    for p in points {
        prop_assert!(volume.contains(*p), "{volume:?} lacks {p:?}");
    }
    Ok(())
}

fn a_fitted_volume_holds_its_points<V: BoundingVolume>(points: &[Point]) -> Law {
    holds_all(&V::fit(points), points)?;
    let triangles: Vec<[Point; 3]> =
        points.iter().map(|p| [*p, points[0], points[points.len() / 2]]).collect();
    holds_all(&V::fit_triangles(&triangles), points)
}

fn a_merged_volume_holds_both_parts<V: BoundingVolume>(a: &[Point], b: &[Point]) -> Law {
    let (fit_a, fit_b) = (V::fit(a), V::fit(b));
    let merged = fit_a.merged(&fit_b);
    holds_all(&merged, a)?;
    holds_all(&merged, b)?;
    let empty = V::fit(&[]);
    holds_all(&fit_a.merged(&empty), a)?;
    holds_all(&empty.merged(&fit_a), a)
}

fn a_moved_volume_holds_every_rounded_image<V: BoundingVolume>(
    points: &[Point],
    motion: &Pose,
) -> Law {
    let images: Vec<Point> = points.iter().map(|p| motion.apply(*p)).collect();
    let fitted = V::fit(points);
    let moved = fitted.transformed(motion);
    holds_all(&moved, &images)?;
    prop_assert!(moved.overlaps(&V::fit(&images)));
    // And back and forth again: errors do not build up unseen.
    let again = moved.transformed(&motion.inverse()).transformed(motion);
    holds_all(&again, &images)
}

fn an_expanded_volume_holds_what_is_within_the_margin<V: BoundingVolume>(
    points: &[Point],
    motion: &Pose,
    direction: Point,
    margin: f64,
) -> Law {
    let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    prop_assume!(length > 1e-3);
    // A hair less than the margin, and none at all where that is lost in the rounding.
    let step = direction.map(|x| x / length * margin * (1.0 - 1e-12));
    let shifted: Vec<Point> = points.iter().map(|p| combine(*p, 1.0, step, 1.0)).collect();
    let far = points.iter().flatten().any(|x| x.abs() > 1e3 * margin);
    if !far {
        holds_all(&V::fit(points).expanded(margin), &shifted)?;
    }
    let image = |p: &Point| combine(motion.apply(*p), 1.0, step, 1.0);
    let images: Vec<Point> = points.iter().map(image).collect();
    if !far && motion.translation().iter().all(|x| x.abs() <= 1e3 * margin) {
        holds_all(&V::fit(points).moved(&V::prepare(motion, margin)), &images)?;
    }
    Ok(())
}

/// Two clouds of integers that touch in one point at least: the plane through `x` with the normal
/// `n` has one on each side, and in it two edges that cross at x. All exact in f64.
fn touching() -> impl Strategy<Value = (Vec<Point>, Vec<Point>)> {
    let small = || -3_i64..=3;
    let vector = move || [small(), small(), small()];
    let rest = move || prop::collection::vec([-50_i64..=50, -50..=50, -50..=50], 0..6);
    let center = prop_oneof![Just(0_i64), Just(1000), Just(1_000_000_007)];
    (vector(), vector(), vector(), rest(), rest(), center).prop_map(|(n, r, s, a, b, center)| {
        let x = [center, -center, center / 3];
        let cross = |u: [i64; 3], v: [i64; 3]| {
            [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
        };
        let cloud = |edge: [i64; 3], rest: Vec<[i64; 3]>, side: i64| {
            let mut offsets = vec![edge, edge.map(|e| -e)];
            offsets.extend(rest.into_iter().map(|p| {
                let height: i64 = (0..3).map(|k| n[k] * p[k]).sum();
                if height * side < 0 { p.map(|c| -c) } else { p }
            }));
            offsets.into_iter().map(|p| [0, 1, 2].map(|k| (x[k] + p[k]) as f64)).collect()
        };
        (cloud(cross(n, r), a, 1), cloud(cross(n, s), b, -1))
    })
}

fn touching_volumes_overlap<V: BoundingVolume>(a: &[Point], b: &[Point]) -> Law {
    let (a, b) = (V::fit(a), V::fit(b));
    prop_assert!(a.overlaps(&b), "{a:?} {b:?}");
    prop_assert!(b.overlaps(&a), "{a:?} {b:?}");
    prop_assert_eq!(a.distance_squared(&b), 0.0);
    prop_assert_eq!(b.distance_squared(&a), 0.0);
    Ok(())
}

/// Touching clouds, one moved to the other's frame as a hierarchy does it: the world points decide,
/// and coincide exactly where the law applies.
fn points_that_coincide_in_the_world_overlap<V: BoundingVolume>(
    points: &[Point],
    others: &[Point],
    motions: &[Pose; 2],
) -> Law {
    let [a, b] = motions;
    let world = a.apply(points[0]);
    let mut image = b.inverse().apply(world);
    // Look among the neighbours for a point that has exactly the same world position.
    for _ in 0..4 {
        let missed = combine(world, 1.0, b.apply(image), -1.0);
        image = combine(image, 1.0, b.inverse().rotate(missed), 1.0);
    }
    prop_assume!(b.apply(image) == world);
    let mut others = others.to_vec();
    others.push(image);
    let reach = |points: &[Point]| points.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    for others in [others.as_slice(), &[image]] {
        for points in [points, &points[..1]] {
            let margin = Pose::relative_margin(a, b, reach(points), reach(others));
            let into_a = V::prepare(&Pose::relative(a, b), margin);
            let (fit, other) = (V::fit(points), V::fit(others).moved(&into_a));
            prop_assert!(fit.overlaps(&other), "{fit:?} {other:?}");
            prop_assert!(other.overlaps(&fit), "{fit:?} {other:?}");
        }
    }
    Ok(())
}

fn the_distance_is_not_more_than_that_of_any_two_points<V: BoundingVolume>(
    a: &[Point],
    b: &[Point],
) -> Law {
    let (fit_a, fit_b) = (V::fit(a), V::fit(b));
    let bound = fit_a.distance_squared(&fit_b);
    prop_assert!(bound >= 0.0);
    if bound > 0.0 {
        prop_assert!(!fit_a.contains(b[0]) || !fit_b.contains(b[0]));
    }
    for p in a {
        for q in b {
            let d = combine(*p, 1.0, *q, -1.0);
            let distance_squared = d.iter().map(|x| x * x).sum::<f64>();
            // The true distance is rounded here by a few units.
            prop_assert!(bound <= distance_squared * (1.0 + 1e-15), "{bound} {distance_squared}");
        }
    }
    Ok(())
}

fn the_empty_volume_is_neutral<V: BoundingVolume>() {
    let (empty, one) = (V::fit(&[]), V::fit(&[[1.0, 2.0, 3.0], [0.0; 3]]));
    let shifted = Pose::from_translation([1.0, 2.0, 3.0]);
    for empty in
        [empty.clone(), empty.transformed(&shifted), empty.expanded(2.0), empty.merged(&empty)]
    {
        assert!(!empty.overlaps(&one) && !one.overlaps(&empty) && !empty.overlaps(&empty));
        assert!(!empty.contains([0.0; 3]) && !empty.contains([1.0, 2.0, 3.0]));
        assert!(empty.volume() == 0.0 && empty.surface() == 0.0);
        let merged = one.merged(&empty);
        assert!(merged.volume() == one.volume() && merged.surface() == one.surface());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Spheres with one common point, exactly: Lebesgue's quadruples a² + b² + c² = d², whose squares
    /// do not fit in an f64.
    #[test]
    fn spheres_that_touch_in_one_point_overlap(
        [m, n, p, q] in [1_i64..30_000, 1_i64..30_000, 1_i64..30_000, 1_i64..30_000], share in 0.0..1.0_f64,
    ) {
        let apart = [m * m + n * n - p * p - q * q, 2 * (m * q + n * p), 2 * (n * q - m * p)];
        let sum = (m * m + n * n + p * p + q * q) as f64;
        let radius = (share * sum).floor();
        let center = apart.map(|x| x as f64);
        let (one, two) = (Sphere { center: [0.0; 3], radius }, Sphere { center, radius: sum - radius });
        let whole = Sphere { center, radius: sum };
        prop_assert!(one.overlaps(&two) && two.overlaps(&one));
        prop_assert!(whole.contains([0.0; 3]));
        prop_assert_eq!(one.distance_squared(&two), 0.0);
        let short = Sphere { center, radius: (sum - radius) * (1.0 - 1e-12) - 1e-12 * sum };
        prop_assert!(!one.overlaps(&short));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Many motions, one after the other: the axes of a moved box stay orthonormal, so what it must
    /// hold it holds, and it is hardly larger than it must be.
    #[test]
    fn a_box_that_was_moved_often_holds_every_image(
        points in cloud(), motions in prop::collection::vec(motion(), 1..5), rounds in 1..60_usize,
    ) {
        let mut images = points.clone();
        let (fitted, mut moved) = (Obb::fit(&points), Obb::fit(&points));
        let rigid = motions.iter().all(|m| {
            let [x, y, z] = m.rotation()[0];
            (x * x + y * y + z * z - 1.0).abs() < 1e-12
        });
        let mut largest = points.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
        let mut steps = 0.0;
        for motion in motions.iter().cycle().take(rounds) {
            moved = moved.transformed(motion);
            for p in &mut images {
                *p = motion.apply(*p);
                largest = p.iter().fold(largest, |m, x| m.max(x.abs()));
            }
            steps += 1.0;
            holds_all(&moved, &images)?;
            let axes = moved.axes();
            for i in 0..3 {
                for j in 0..3 {
                    let product: f64 = (0..3).map(|k| axes[i][k] * axes[j][k]).sum();
                    let error = (product - f64::from(u8::from(i == j))).abs();
                    prop_assert!(error <= 136.0 * f64::EPSILON / 2.0, "{error:e} after {steps}");
                }
            }
        }
        if rigid {
            for (half, new) in fitted.half_extents().into_iter().zip(moved.half_extents()) {
                let size: f64 = fitted.half_extents().iter().sum();
                prop_assert!(new - half <= steps * (1e-12 * size + 1e-14 * largest) + 1e-300);
            }
        }
    }
}

macro_rules! laws {
    ($($name:ident: $volume:ty;)*) => {$(
        mod $name {
            use super::*;

            proptest! {
                // Three of four pairs of motions have no point that coincides exactly.
                #![proptest_config(ProptestConfig {
                    cases: 400, max_global_rejects: 10_000, failure_persistence: None,
                    ..ProptestConfig::default()
                })]

                #[test]
                fn a_fitted_volume_holds_its_points(points in cloud()) {
                    super::a_fitted_volume_holds_its_points::<$volume>(&points)?;
                }

                #[test]
                fn a_merged_volume_holds_both_parts(a in cloud(), b in cloud()) {
                    super::a_merged_volume_holds_both_parts::<$volume>(&a, &b)?;
                }

                #[test]
                fn a_moved_volume_holds_every_rounded_image(points in cloud(), motion in motion()) {
                    super::a_moved_volume_holds_every_rounded_image::<$volume>(&points, &motion)?;
                }

                #[test]
                fn an_expanded_volume_holds_what_is_within_the_margin(
                    points in cloud(),
                    motion in motion(),
                    direction in [-1.0..1.0, -1.0..1.0, -1.0..1.0],
                    margin in prop_oneof![Just(1e-9), Just(1.0), Just(1e7), 0.0..10.0],
                ) {
                    super::an_expanded_volume_holds_what_is_within_the_margin::<$volume>(
                        &points, &motion, direction, margin,
                    )?;
                }

                #[test]
                fn touching_volumes_overlap((a, b) in touching()) {
                    super::touching_volumes_overlap::<$volume>(&a, &b)?;
                }

                #[test]
                fn points_that_coincide_in_the_world_overlap(
                    points in cloud(), others in cloud(), [a, mut b] in [motion(), motion()],
                    near in any::<bool>(),
                ) {
                    if near {
                        // Far from the origin and close to each other: what is rounded in the
                        // world no longer shows in the relative motion.
                        b = b.with_translation(combine(a.translation(), 1.0, [0.25, -0.5, 1.0], 1.0));
                    }
                    super::points_that_coincide_in_the_world_overlap::<$volume>(
                        &points, &others, &[a, b],
                    )?;
                }

                #[test]
                fn the_distance_is_not_more_than_that_of_any_two_points(
                    a in cloud(), b in cloud(),
                ) {
                    super::the_distance_is_not_more_than_that_of_any_two_points::<$volume>(&a, &b)?;
                }
            }

            #[test]
            fn the_empty_volume_is_neutral() {
                super::the_empty_volume_is_neutral::<$volume>();
            }
        }
    )*};
}

laws! {
    aabb: Aabb;
    obb: Obb;
    sphere: Sphere;
    dop6: KDop<6>;
    dop14: KDop<14>;
    dop18: KDop<18>;
    dop26: KDop<26>;
}
