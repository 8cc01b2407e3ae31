//! All that a search returns, compared with all pairs of spheres.

#![allow(clippy::unwrap_used)]

use std::f64::consts::PI;

use xcollide_bounds::Sphere;
use xcollide_math::Pose;
use xcollide_math::vector::{add, cross, length, scale, sub};
use xcollide_scenes::{Poses, Random};

use super::build::wrapped;
use super::{InnerSphereTree, ProximitySearch, common_point, proximity};

/// Disjoint spheres of many sizes in a cube of side 2.
fn spheres(count: usize, seed: u64) -> Vec<Sphere> {
    let mut random = Random::new(seed);
    let mut found: Vec<Sphere> = Vec::new();
    while found.len() < count {
        let center = [(); 3].map(|()| random.between(-1.0, 1.0));
        let gap = |s: &Sphere| length(sub(s.center, center)) - s.radius;
        let free = found.iter().map(gap).fold(0.3, f64::min);
        if free > 0.01 {
            found.push(Sphere::new(center, free * random.between(0.5, 0.999)));
        }
    }
    found
}

/// The slow twin: least gap, volume, force and torque about the origin, over all pairs in the world.
fn by_all_pairs(a: (&[Sphere], &Pose), b: (&[Sphere], &Pose)) -> (f64, f64, [f64; 3], [f64; 3]) {
    let (mut gap, mut volume, mut force, mut torque) = (f64::INFINITY, 0.0, [0.0; 3], [0.0; 3]);
    for s in a.0 {
        for t in b.0 {
            let (p, q) = (a.1.apply(s.center), b.1.apply(t.center));
            let d = length(sub(q, p));
            gap = gap.min(d - s.radius - t.radius);
            let (r, u) = (s.radius, t.radius);
            if d < r + u {
                let small = r.min(u);
                // Weisstein, "Sphere-Sphere Intersection".
                let common = match d <= (r - u).abs() {
                    true => 4.0 / 3.0 * PI * small.powi(3),
                    false => {
                        let rest = d * d + 2.0 * d * (r + u) - 3.0 * (r - u) * (r - u);
                        PI * (r + u - d).powi(2) * rest / (12.0 * d)
                    }
                };
                volume += common;
                let on_a = scale(sub(p, q), common / d);
                let part = match d <= (r - u).abs() {
                    true => f64::from(u8::from(u < r)),
                    false => 0.5 + (r * r - u * u) / (2.0 * d * d),
                };
                force = add(force, on_a);
                torque = add(torque, cross(add(p, scale(sub(q, p), part)), on_a));
            }
        }
    }
    (gap, volume, force, torque)
}

#[test]
fn searches_agree_with_all_pairs() {
    let sets = [spheres(300, 1), spheres(77, 2), spheres(5, 3), spheres(1, 4)];
    let trees = sets.each_ref().map(|set| InnerSphereTree::build(set, 2.0));
    let mut poses = Poses::new(7);
    let mut memory = ProximitySearch::new();
    let (mut apart, mut common) = (0, 0);
    for (a, tree_a) in sets.iter().zip(&trees) {
        for (b, tree_b) in sets.iter().zip(&trees) {
            for distance in [0.0, 0.5, 1.5, 2.0, 2.5, 4.0] {
                let (at_a, at_b) =
                    (poses.at_distance(0.1).pose(), poses.at_distance(distance).pose());
                let (gap, volume, force, torque) = by_all_pairs((a, &at_a), (b, &at_b));
                let found = proximity((tree_a, &at_a), (tree_b, &at_b), &mut memory, None);
                assert!(found.complete);
                if gap > 1e-9 {
                    apart += 1;
                    assert!(found.distance_at_least <= gap && gap <= found.distance_at_most);
                    assert!(found.distance_at_most - found.distance_at_least < 1e-11);
                    let [p, q] = found.points.unwrap();
                    assert!((length(sub(q, p)) - gap).abs() < 1e-11);
                    assert_eq!((found.volume_at_least, found.volume_at_most), (0.0, 0.0));
                } else if gap < -1e-9 {
                    common += 1;
                    assert_eq!(found.distance_at_most, 0.0);
                    assert!(
                        found.volume_at_least <= volume && volume <= found.volume_at_most + 1e-11
                    );
                    assert!(found.volume_at_most - found.volume_at_least < 1e-11);
                    assert!(length(sub(found.force, force)) < 1e-11);
                    let of_a = found.torque_about(at_a.translation(), [0.0; 3]);
                    assert!(length(sub(of_a, torque)) < 1e-10, "{of_a:?} {torque:?}");
                    let [p, _] = found.points.unwrap();
                    let is_in = |set: &[Sphere], pose: &Pose| {
                        set.iter().any(|s| length(sub(pose.apply(s.center), p)) < s.radius)
                    };
                    assert!(is_in(a, &at_a) && is_in(b, &at_b));
                }
                let point = common_point((tree_a, &at_a), (tree_b, &at_b), &mut memory, None);
                assert_eq!(point.is_some(), found.distance_at_most == 0.0);
            }
        }
    }
    assert!(apart > 20 && common > 20, "{apart} apart, {common} not");
}

/// A search that ends early has bounds around the truth, which get closer, and the end has them all.
#[test]
fn a_search_that_ends_early_has_bounds() {
    let tree = InnerSphereTree::build(&spheres(600, 5), 2.0);
    let mut poses = Poses::new(3);
    let mut memory = ProximitySearch::new();
    for distance in [0.3, 1.0, 3.5] {
        let pose = poses.at_distance(distance).pose();
        let mut ask = |most: u32| {
            let mut left = most;
            let mut go_on = || {
                let more = left > 0;
                left = left.saturating_sub(1);
                more
            };
            proximity((&tree, &Pose::IDENTITY), (&tree, &pose), &mut memory, Some(&mut go_on))
        };
        let full = ask(u32::MAX);
        assert!(full.complete);
        let mut widths = Vec::new();
        for most in [0, 1, 3, 10, 30, 100, 300, 1000, 100_000] {
            let early = ask(most);
            assert_eq!(early, ask(most), "the same steps, the same result");
            assert!(early.volume_at_least <= full.volume_at_most);
            assert!(full.volume_at_least <= early.volume_at_most, "{most}");
            assert!(early.distance_at_least <= full.distance_at_most);
            assert!(full.distance_at_least <= early.distance_at_most);
            widths.push(early.volume_at_most - early.volume_at_least);
        }
        assert!(widths.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{widths:?}");
        assert_eq!(widths.last(), Some(&(full.volume_at_most - full.volume_at_least)));
        assert!(ask(100_000).complete && !ask(0).complete);
    }
}

/// Volumes and distances hold for poses that are rotations only within 1e-6.
#[test]
fn a_stretched_pose_keeps_its_bounds() {
    let tree = InnerSphereTree::build(&[Sphere::new([0.0; 3], 1.0)], 1.0);
    let stretched = |by: f64, x: f64| {
        let rows = [[by, 0.0, 0.0], [0.0, by, 0.0], [0.0, 0.0, by]];
        Pose::from_matrix(rows, [x, 0.0, 0.0]).unwrap()
    };
    let ask =
        |a: &Pose, b: &Pose| proximity((&tree, a), (&tree, b), &mut ProximitySearch::new(), None);
    for by in [1.0 - 4e-7, 1.0 + 4e-7] {
        for (a, b) in [(Pose::IDENTITY, stretched(by, 3.0)), (stretched(by, 3.0), Pose::IDENTITY)] {
            let found = ask(&a, &b);
            let gap = 2.0 - by;
            assert!(found.distance_at_most >= gap && found.distance_at_most < gap + 5e-6);
        }
        let (a, b) = (stretched(by, 0.0), stretched(by, 0.0));
        let found = ask(&a, &b);
        let volume = 4.0 / 3.0 * PI * by * by * by;
        assert!(found.volume_at_least <= volume && found.volume_at_least > volume * (1.0 - 1e-5));
    }
}

#[test]
fn wrapped_spheres_hold_all_and_are_small() {
    let set = spheres(64, 9);
    let around = wrapped(&set);
    for sphere in &set {
        assert!(length(sub(sphere.center, around.center)) + sphere.radius <= around.radius);
    }
    assert!(around.radius < 2.0);
}

#[test]
fn what_is_no_sphere_is_left_out_and_overlaps_are_noticed() {
    let odd = [
        Sphere::EMPTY,
        Sphere::new([f64::NAN, 0.0, 0.0], 1.0),
        Sphere::new([0.0; 3], f64::INFINITY),
    ];
    let none = InnerSphereTree::build(&odd, 1.0);
    assert!(none.spheres().is_empty());
    let found = proximity(
        (&none, &Pose::IDENTITY),
        (&none, &Pose::IDENTITY),
        &mut ProximitySearch::new(),
        None,
    );
    assert_eq!(
        (found.distance_at_most, found.volume_at_most, found.points),
        (f64::INFINITY, 0.0, None)
    );
    let two = |x: f64| {
        InnerSphereTree::build(&[Sphere::new([0.0; 3], 1.0), Sphere::new([x, 0.0, 0.0], 1.0)], 3.0)
    };
    assert!(two(2.0).is_disjoint() && !two(1.99).is_disjoint());
    assert!(InnerSphereTree::build(&spheres(200, 6), 2.0).is_disjoint());
}

/// A force changes by no more than what the cross section sweeps, also where one sphere goes into the other.
#[test]
fn forces_change_continuously_with_the_pose() {
    let [large, small] =
        [1.0, 0.5].map(|radius| InnerSphereTree::build(&[Sphere::new([0.0; 3], radius)], radius));
    let mut memory = ProximitySearch::new();
    let mut force_at = |x: f64| {
        let pose = Pose::from_translation([x, 0.0, 0.0]);
        proximity((&large, &Pose::IDENTITY), (&small, &pose), &mut memory, None).force
    };
    let step = 1e-3;
    let most = 1.001 * step * PI * 0.5 * 0.5;
    let mut last = force_at(1.75);
    assert_eq!(last, [0.0; 3], "they are apart");
    for number in 1..=1700 {
        let next = force_at(1.75 - step * f64::from(number));
        assert!(length(sub(next, last)) <= most, "step {number}: {last:?} {next:?}");
        last = next;
    }
    // All of the small one.
    assert!((length(last) - PI / 6.0).abs() < 1e-9, "{last:?}");
}
