//! How tight the volumes are, each judged by something slower and obviously right.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use xcollide_bounds::{Aabb, BoundingVolume, FixedCube, KDop, Obb, Sphere};
use xcollide_math::Pose;

type Point = [f64; 3];

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn rotation() -> impl Strategy<Value = Pose> {
    [-1.0..1.0, -1.0..1.0, -1.0..1.0, -1.0..1.0_f64].prop_map(|q| {
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y, z, w] = if length < 1e-3 { [0.0, 0.0, 0.0, 1.0] } else { q.map(|x| x / length) };
        Pose::from_quaternion([x, y, z, w], [0.0; 3]).unwrap()
    })
}

fn points(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Point>> {
    prop::collection::vec([-1.0..1.0, -0.7..0.7, -0.4..0.4], count)
}

fn corners(half: Point) -> Vec<Point> {
    let sign = |corner: usize, k: usize| if corner >> k & 1 == 0 { -1.0 } else { 1.0 };
    (0..8).map(|corner| [0, 1, 2].map(|k| sign(corner, k) * half[k])).collect()
}

/// The corners of an oriented box, a little inward: by more than a rounding error at its place.
fn inner_corners(obb: &Obb) -> Vec<Point> {
    let (c, axes) = (obb.center(), obb.axes());
    let error = 1e-15 * c.iter().chain(&obb.half_extents()).map(|x| x.abs()).sum::<f64>();
    let half = obb.half_extents().map(|half| (half - error).max(0.0));
    let place = |s: Point| [0, 1, 2].map(|k| c[k] + (0..3).map(|i| s[i] * axes[i][k]).sum::<f64>());
    corners(half).into_iter().map(place).collect()
}

/// The twin of the separating axis test: the widest gap between the shadows of all corners on all
/// fifteen lines, in units of length.
fn widest_gap(a: &Obb, b: &Obb) -> f64 {
    let mut lines: Vec<Point> = a.axes().iter().chain(b.axes()).copied().collect();
    for u in a.axes() {
        for v in b.axes() {
            let w = cross(*u, *v);
            let length = dot(w, w).sqrt();
            if length > 1e-3 {
                lines.push(w.map(|x| x / length));
            }
        }
    }
    let shadow = |obb: &Obb, line: Point| {
        let along = inner_corners(obb).into_iter().map(|p| dot(p, line)).collect::<Vec<_>>();
        let low = along.iter().copied().fold(f64::INFINITY, f64::min);
        (low, along.into_iter().fold(f64::NEG_INFINITY, f64::max))
    };
    let gap = |line: &Point| {
        let ((a, b), (c, d)) = (shadow(a, *line), shadow(b, *line));
        (c - b).max(a - d)
    };
    lines.iter().map(gap).fold(f64::NEG_INFINITY, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000, failure_persistence: None, ..ProptestConfig::default()
    })]

    /// Boxes at distances from deep overlap to clear separation.
    #[test]
    fn the_separating_axis_test_equals_its_twin(
        a in points(2..8), b in points(2..8), motion in rotation(),
        direction in [-1.0..1.0, -1.0..1.0, -1.0..1.0], far in 0.0..3.0_f64,
    ) {
        let a = Obb::fit(&a);
        let b = Obb::fit(&b).transformed(&motion.with_translation(direction.map(|x| x * far)));
        let gap = widest_gap(&a, &b);
        if gap > 1e-12 {
            prop_assert!(!a.overlaps(&b), "a gap of {gap:e} overlooked");
            prop_assert!(a.distance_squared(&b) >= gap * gap * 0.99 - 1e-12);
        } else if gap < -1e-12 {
            prop_assert!(a.overlaps(&b), "an overlap of {gap:e} denied");
            prop_assert_eq!(a.distance_squared(&b), 0.0);
        }
    }

    /// Given by its corners, a box with different sides is found again.
    #[test]
    fn a_turned_box_is_found_from_its_corners(
        motion in rotation(), x in 1.2..10.0, z in 0.01..0.8_f64,
    ) {
        let turned: Vec<Point> =
            corners([x, 1.0, z]).into_iter().map(|p| motion.apply(p)).collect();
        let half = Obb::fit(&turned).half_extents();
        for (found, expected) in half.into_iter().zip([x, 1.0, z]) {
            prop_assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
        }
    }

    /// Given by its triangles, any box is found again, also a cube, which has no principal axes.
    #[test]
    fn a_turned_box_is_found_from_its_triangles(
        motion in rotation(),
        half in prop_oneof![Just([1.0, 1.0, 1.0]), Just([2.0, 1.0, 1.0]), Just([2.0, 2.0, 1.0])],
    ) {
        let c: Vec<Point> = corners(half).into_iter().map(|p| motion.apply(p)).collect();
        let quads = [
            [0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3],
        ];
        let triangles: Vec<[Point; 3]> = quads
            .iter()
            .flat_map(|q| [[c[q[0]], c[q[1]], c[q[2]]], [c[q[0]], c[q[2]], c[q[3]]]])
            .collect();
        let found = Obb::fit_triangles(&triangles).half_extents();
        prop_assert!((0..3).all(|i| (found[i] - half[i]).abs() < 1e-9), "{found:?}");
    }

    /// A single triangle has a flat box with one of its sides on a side of the box.
    #[test]
    fn the_box_of_a_triangle_is_flat(triangle in [
        [-1.0..1.0, -1.0..1.0, -1.0..1.0], [-1.0..1.0, -1.0..1.0, -1.0..1.0],
        [-1.0..1.0, -1.0..1.0, -1.0..1.0_f64],
    ]) {
        let obb = Obb::fit_triangles(&[triangle]);
        let sides = [1, 2].map(|i| [0, 1, 2].map(|k| triangle[i][k] - triangle[0][k]));
        let normal = cross(sides[0], sides[1]);
        let area = dot(normal, normal).sqrt();
        prop_assume!(area > 1e-3);
        // Only rounding is left of the thickness, that of the normal included.
        prop_assert!(obb.volume() < 1e-11);
        // The smallest rectangle around a triangle has twice its area; both sides count.
        prop_assert!(obb.surface() <= 2.0 * area * (1.0 + 1e-9) + 1e-11);
    }

    #[test]
    fn more_freedom_makes_tighter_volumes(points in points(1..40)) {
        let slack = 1.0 + 1e-9;
        let aabb = Aabb::fit(&points);
        let dops = [
            KDop::<6>::fit(&points).volume(), KDop::<18>::fit(&points).volume(),
            KDop::<26>::fit(&points).volume(),
        ];
        prop_assert!((dops[0] - aabb.volume()).abs() <= 1e-12);
        prop_assert!(dops[1] <= dops[0] * slack + 1e-12 && dops[2] <= dops[1] * slack + 1e-12);
        prop_assert!(KDop::<14>::fit(&points).volume() <= dops[0] * slack + 1e-12);
        prop_assert!(Obb::fit(&points).surface() <= aabb.surface() * slack + 1e-12);
        let dops = [
            KDop::<6>::fit(&points).surface(), KDop::<18>::fit(&points).surface(),
            KDop::<26>::fit(&points).surface(),
        ];
        prop_assert!((dops[0] - aabb.surface()).abs() <= 1e-11);
        prop_assert!(dops[1] <= dops[0] * slack + 1e-11 && dops[2] <= dops[1] * slack + 1e-11);
    }

    /// Rotations that map the directions to each other lose nothing: the moved k-DOP is that of
    /// the moved points.
    #[test]
    fn a_k_dop_is_moved_without_loss_by_its_own_symmetries(points in points(1..20)) {
        let quarter = Pose::from_matrix([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]], [1.0, 2.0, 3.0]).unwrap();
        let third = Pose::from_matrix([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [0.5; 3]).unwrap();
        fn check<const N: usize>(points: &[Point], motion: &Pose) {
            let moved = KDop::<N>::fit(points).transformed(motion);
            let images: Vec<Point> = points.iter().map(|p| motion.apply(*p)).collect();
            let refitted = KDop::<N>::fit(&images);
            for i in 0..N {
                assert!((moved.reach()[i] - refitted.reach()[i]).abs() < 1e-12);
            }
        }
        for motion in [quarter, third] {
            check::<6>(&points, &motion);
            check::<14>(&points, &motion);
            check::<18>(&points, &motion);
            check::<26>(&points, &motion);
        }
    }

    /// A moved 18- or 26-DOP reaches no further than the moved box: the weights of its planes come
    /// from splitting those of the box's planes, and `h(x + y) ≤ h(x) + h(y)`.
    #[test]
    fn more_directions_make_a_moved_k_dop_tighter(points in points(4..20), motion in rotation()) {
        let box_alone = KDop::<6>::fit(&points).transformed(&motion);
        let eighteen = KDop::<18>::fit(&points).transformed(&motion);
        let all = KDop::<26>::fit(&points).transformed(&motion);
        for axis in 0..3 {
            let opposite = |half: usize| [axis, axis + half];
            for (six, (more, most)) in
                opposite(3).into_iter().zip(opposite(9).into_iter().zip(opposite(13)))
            {
                prop_assert!(eighteen.reach()[more] <= box_alone.reach()[six] + 1e-12);
                prop_assert!(all.reach()[most] <= box_alone.reach()[six] + 1e-12);
            }
        }
    }

    /// Oriented boxes and spheres lose nothing in motion but rounding.
    #[test]
    fn boxes_and_spheres_keep_their_size_in_motion(points in points(1..20), motion in rotation()) {
        let (obb, sphere) = (Obb::fit(&points), Sphere::fit(&points));
        let moved = obb.transformed(&motion);
        for i in 0..3 {
            prop_assert!(moved.half_extents()[i] <= obb.half_extents()[i] + 1e-12);
        }
        prop_assert!(sphere.transformed(&motion).radius <= sphere.radius + 1e-13);
    }

    /// The smallest sphere around two spheres: no larger than the distance and the radii ask for.
    #[test]
    fn merged_spheres_are_the_smallest(a in points(1..6), b in points(1..6), shift in -3.0..3.0) {
        let b: Vec<Point> = b.into_iter().map(|[x, y, z]| [x + shift, y, z]).collect();
        let (a, b) = (Sphere::fit(&a), Sphere::fit(&b));
        let d = [0, 1, 2].map(|k| b.center[k] - a.center[k]);
        let needed = (0.5 * (dot(d, d).sqrt() + a.radius + b.radius)).max(a.radius).max(b.radius);
        prop_assert!((a.merged(&b).radius - needed).abs() < 1e-14);
    }

    #[test]
    fn merged_boxes_are_no_larger_than_the_axis_aligned_ones(a in points(1..9), b in points(1..9)) {
        let (a, b) = (Obb::fit(&a), Obb::fit(&b));
        let aligned = a.aabb().merged(&b.aabb());
        prop_assert!(a.merged(&b).surface() <= aligned.surface() * (1.0 + 1e-11) + 1e-11);
    }

    /// At any orientation, and never larger than it must be.
    #[test]
    fn a_fixed_cube_holds_its_object_at_any_orientation(
        points in points(1..20), motion in rotation(), far in prop_oneof![Just(0.0), Just(1e9)],
    ) {
        let motion = motion.with_translation([far, -far, 0.5 * far]);
        let cube = FixedCube::around(&points);
        let placed = cube.at(&motion);
        for p in &points {
            prop_assert!(placed.contains(motion.apply(*p)));
        }
        let side = 2.0 * Sphere::fit(&points).radius;
        prop_assert!(placed.size().iter().all(|s| (s - side).abs() <= 1e-13 + 1e-14 * far));
    }
}
