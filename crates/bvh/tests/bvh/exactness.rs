//! Every kind of volume, every builder and every rule gives the answer of brute force.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its trees should panic")]

use crate::support;

use std::ops::ControlFlow;

use support::{SPLITS, Triangle, anywhere, ball, lattice, quarter_turns, scaled, soup, world};
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_bvh::binary::{
    AabbTest, AabbTraversal, Builder, Bvh, Fit, OverlapVisitor, PairTraversal,
};
use xcollide_bvh::{Candidates, Counts, DescentRule};
use xcollide_fixtures::long_run;
use xcollide_math::Pose;
use xcollide_predicates::{triangle_distance, triangles_intersect, triangles_within};
use xcollide_scenes::Random;

const RULES: [DescentRule; 3] =
    [DescentRule::LargerFirst, DescentRule::Alternate, DescentRule::Both];

/// Two meshes at two poses.
struct Case {
    a: Vec<Triangle>,
    b: Vec<Triangle>,
    motion_a: Pose,
    motion_b: Pose,
    /// Whether every builder meets every rule, or they take turns.
    full: bool,
}

impl Case {
    fn new(a: &[Triangle], motion_a: Pose, b: &[Triangle], motion_b: Pose) -> Self {
        Self { a: a.to_vec(), b: b.to_vec(), motion_a, motion_b, full: false }
    }

    /// The slow, obviously right twin: all pairs of triangles over world positions.
    fn brute_force(&self) -> Vec<(u32, u32)> {
        let (a, b) = (world(&self.a, &self.motion_a), world(&self.b, &self.motion_b));
        let mut hits = Vec::new();
        for (i, s) in (0..).zip(&a) {
            for (j, t) in (0..).zip(&b) {
                if triangles_intersect(s, t) {
                    hits.push((i, j));
                }
            }
        }
        hits
    }

    /// Checks everything; returns how many pairs collide.
    fn check(&self) -> usize {
        let hits = self.brute_force();
        self.check_volume::<Aabb>(&hits);
        self.check_aligned(&hits);
        self.check_volume::<Obb>(&hits);
        self.check_volume::<Sphere>(&hits);
        self.check_volume::<KDop<6>>(&hits);
        self.check_volume::<KDop<14>>(&hits);
        self.check_volume::<KDop<18>>(&hits);
        self.check_volume::<KDop<26>>(&hits);
        hits.len()
    }

    /// The tests of axis-aligned boxes on more lines: the same answers from fewer candidates.
    fn check_aligned(&self, hits: &[(u32, u32)]) {
        let (a, b) = (world(&self.a, &self.motion_a), world(&self.b, &self.motion_b));
        let exact = |i: u32, j: u32| triangles_intersect(&a[i as usize], &b[j as usize]);
        let [tree_a, tree_b] =
            [&self.a, &self.b].map(|mesh| Builder::default().build::<Aabb, 3>(mesh).unwrap());
        let mut most = u64::MAX;
        for test in [AabbTest::Three, AabbTest::Six, AabbTest::Fifteen] {
            let mut counts = Counts::default();
            let mut pairing =
                AabbTraversal::new((&tree_a, &self.motion_a), (&tree_b, &self.motion_b))
                    .test(test)
                    .counting(&mut counts);
            assert_eq!(pairing.all(exact), hits, "{test:?}");
            assert!(counts.primitives <= most, "more lines, more candidates: {test:?}");
            most = counts.primitives;
        }
    }

    fn check_volume<V: BoundingVolume>(&self, hits: &[(u32, u32)]) {
        let (a, b) = (world(&self.a, &self.motion_a), world(&self.b, &self.motion_b));
        let exact = |i: u32, j: u32| triangles_intersect(&a[i as usize], &b[j as usize]);
        for (index, split) in SPLITS.into_iter().enumerate() {
            let fit = if index % 2 == 0 { Fit::Tight } else { Fit::Merged };
            let builder = Builder::new(split).leaf_size(1 + index as u32 % 4).fit(fit);
            let tree_a: Bvh<V> = builder.build(&self.a).unwrap();
            let tree_b: Bvh<V> = builder.leaf_size(1).build(&self.b).unwrap();
            for (turn, rule) in RULES.into_iter().enumerate() {
                if !self.full && turn != index % 3 {
                    continue;
                }
                let what = || format!("{} {split:?} {rule:?}", std::any::type_name::<V>());
                let mut counts = Counts::default();
                let mut pairing =
                    PairTraversal::new((&tree_a, &self.motion_a), (&tree_b, &self.motion_b))
                        .rule(rule);
                assert_eq!(pairing.all(exact), hits, "all: {}", what());
                assert_eq!(pairing.count(exact), hits.len() as u64, "count: {}", what());
                let first = pairing.first(exact);
                assert_eq!(first.is_some(), !hits.is_empty(), "first: {}", what());
                assert!(first.is_none_or(|pair| hits.binary_search(&pair).is_ok()));
                let mut seen = Vec::new();
                let mut pairing = pairing.counting(&mut counts);
                let _ = pairing.visit(&mut OverlapVisitor(|i, j| {
                    seen.push((i, j));
                    ControlFlow::Continue(())
                }));
                assert_eq!(seen.len() as u64, counts.primitives);
                seen.sort_unstable();
                assert!(seen.is_sorted_by(|x, y| x < y), "a pair came twice: {}", what());
            }
        }
    }
}

fn random(seed: u64) -> Random {
    Random::new(seed)
}

#[test]
fn all_trees_agree_on_random_soups() {
    let mut random = random(1);
    let mut total = 0;
    for round in 0..6 {
        let (a, b) = (soup(50, 0.7, &mut random), soup(37, 0.9, &mut random));
        let poses = [anywhere(0.5, &mut random), anywhere(1.0, &mut random)];
        let mut case = Case::new(&a, poses[0], &b, poses[1]);
        case.full = round == 0;
        total += case.check();
    }
    assert!(total > 50, "the test sees no collisions");
}

#[test]
fn all_trees_agree_on_touching_triangles() {
    let mut random = random(2);
    let mut total = 0;
    for _ in 0..4 {
        let (a, b) = (lattice(40, &mut random), lattice(40, &mut random));
        let mut turned = || {
            let translation = [0; 3].map(|_| (random.bits() % 3) as f64 - 1.0);
            Pose::from_matrix(quarter_turns(&mut random), translation).unwrap()
        };
        total += Case::new(&a, turned(), &b, turned()).check();
    }
    assert!(total > 50, "the test sees no collisions");
}

#[test]
fn all_trees_agree_on_identical_meshes_at_the_same_pose() {
    let mut random = random(3);
    let mesh = ball(6, 8);
    for distance in [0.0, 3.0, 1e9] {
        let pose = anywhere(distance, &mut random);
        assert!(Case::new(&mesh, pose, &mesh, pose).check() >= mesh.len());
    }
}

/// b has the world positions of a as seen from its own pose, so that the two surfaces lie within
/// rounding of each other; whether triangles meet is then decided by the last bits.
#[test]
fn all_trees_agree_within_rounding_of_contact() {
    let mut random = random(4);
    let mut total = 0;
    for distance in [0.1, 1.0, 1e3, 1e6, 1e12] {
        for lifted in [false, true] {
            let a = if lifted { ball(5, 8) } else { soup(40, 0.3, &mut random) };
            let (motion_a, motion_b) =
                (anywhere(distance, &mut random), anywhere(distance, &mut random));
            let back = motion_b.inverse();
            let b: Vec<Triangle> =
                world(&a, &motion_a).iter().map(|t| t.map(|p| back.apply(p))).collect();
            total += Case::new(&a, motion_a, &b, motion_b).check();
        }
    }
    assert!(total > 500, "the test sees no collisions");
}

/// Two plates, exactly plane and apart in their own frames, at one place far away, where rounding
/// pushes them through each other. A traversal without margin loses pairs.
#[test]
fn all_trees_agree_where_only_rounding_collides() {
    let mut random = random(10);
    let plate = |height: f64| -> Vec<Triangle> {
        let at = |x: u32, y: u32| [f64::from(x) * 0.3 - 0.8, f64::from(y) * 0.3 - 0.7, height];
        let squares = (0..5).flat_map(|x| (0..5).map(move |y| (x, y)));
        squares
            .flat_map(|(x, y)| {
                let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
                [[a, b, d], [a, d, c]]
            })
            .collect()
    };
    let mut total = 0;
    for distance in [1e2, 1e3, 1e6, 1e9] {
        let pose = anywhere(distance, &mut random);
        // A quarter turn in the plane of the plates is exact.
        let turned =
            Pose::from_stored(pose.rotation().map(|[x, y, z]| [y, -x, z]), pose.translation())
                .unwrap();
        let gap = distance * f64::EPSILON / 16.0;
        for motion_b in [pose, turned] {
            total += Case::new(&plate(0.0), pose, &plate(gap), motion_b).check();
        }
    }
    assert!(total > 50, "the test sees no collisions");
}

/// Sizes from 1e-9 to 1e9, near the origin and far from it, where the corners of a small mesh are
/// rounded to a few points of the world.
#[test]
fn all_trees_agree_at_all_scales() {
    let mut random = random(5);
    let mut total = 0;
    for (scale, distance) in [
        (1e-9, 1e-9),
        (1e-9, 1.0),
        (1e-9, 1e7),
        (1e9, 1e9),
        (1e9, 1e18),
        (1e-200, 1e-200),
        (5e-324, 1e-323),
        (1e99, 1e99),
        (1e150, 1e150),
        (1.0, 1e120),
    ] {
        let (a, b) = (soup(40, 0.5, &mut random), soup(40, 0.5, &mut random));
        let place = random.direction().map(|x| x * distance);
        let poses = [(); 2].map(|()| anywhere(0.0, &mut random).with_translation(place));
        let hits = Case::new(&scaled(&a, scale), poses[0], &scaled(&b, scale), poses[1]).check();
        assert!(hits > 0, "no collisions at scale {scale:e}");
        total += hits;
    }
    assert!(total > 100);
}

/// The quaternion of a pose may be off by 1e-6 in length; then its matrix stretches.
#[test]
fn all_trees_agree_under_rotations_that_stretch() {
    let mut random = random(6);
    let mut total = 0;
    for factor in [1.0 - 2e-6, 1.0 + 2e-6] {
        let mesh = ball(5, 8);
        let mut a = anywhere(1e3, &mut random);
        let rows = a.rotation().map(|row| row.map(|x| x * factor));
        a = Pose::from_stored(rows, a.translation()).unwrap();
        let b = anywhere(0.0, &mut random).with_translation(a.translation());
        total += Case::new(&mesh, a, &scaled(&mesh, factor), b).check();
    }
    assert!(total > 20, "the test sees no collisions");
}

#[test]
fn trees_of_few_or_no_primitives_answer() {
    let one = soup(1, 0.5, &mut random(7));
    let many = soup(20, 0.5, &mut random(8));
    for (a, b) in [(&[][..], &[][..]), (&[], &many), (&many, &[]), (&one, &one), (&one, &many)] {
        Case::new(a, Pose::IDENTITY, b, Pose::IDENTITY).check();
    }
}

/// Many small cases of all kinds: random and touching, near the origin and far, large and small.
#[test]
fn all_trees_agree_soak() {
    let run = long_run(8, 400);
    let mut random = random(11 + run.seed);
    let (mut total, mut missed) = (0, 0);
    for round in 0..run.cases as u32 {
        let mut mesh = |round: u32| match round % 3 {
            0 => soup(24, 0.6, &mut random),
            1 => lattice(24, &mut random),
            _ => ball(3, 4 + round % 5),
        };
        let (a, b) = (mesh(round / 7), mesh(round / 3));
        // Powers of 2 keep touching things touching.
        let scale = [1.0, 1.0, 2.0_f64.powi(-30), 2.0_f64.powi(30)][(random.bits() % 4) as usize];
        let far = [0.0, 1.0, 2.0_f64.powi(20), 2.0_f64.powi(50)][(random.bits() % 4) as usize];
        let place = random.direction().map(|x| (x * 8.0).round() * far * scale);
        let mut pose = || {
            let offset = random.in_ball().map(|x| (x * 16.0).round() / 8.0 * scale);
            let translation = [0, 1, 2].map(|axis| place[axis] + offset[axis]);
            if round % 2 == 0 {
                anywhere(0.0, &mut random).with_translation(translation)
            } else {
                Pose::from_matrix(quarter_turns(&mut random), translation).unwrap()
            }
        };
        let (motion_a, motion_b) = (pose(), pose());
        let hits = Case::new(&scaled(&a, scale), motion_a, &scaled(&b, scale), motion_b).check();
        total += hits;
        missed += usize::from(hits == 0);
    }
    // A sample may be one-sided.
    assert!(
        !run.is_whole || total > 2000 && missed > 20,
        "{total} collisions, {missed} poses apart"
    );
}

/// The distance of brute force, and its answer to exact tolerances.
#[test]
fn nearest_and_within_match_brute_force() {
    fn check<V: BoundingVolume>(a: &[Triangle], b: &[Triangle], poses: [Pose; 2]) {
        let (world_a, world_b) = (world(a, &poses[0]), world(b, &poses[1]));
        let pair = |i: u32, j: u32| (&world_a[i as usize], &world_b[j as usize]);
        let measure = |i: u32, j: u32| triangle_distance(pair(i, j).0, pair(i, j).1);
        let least = (0..a.len() as u32)
            .flat_map(|i| (0..b.len() as u32).map(move |j| (i, j)))
            .map(|(i, j)| measure(i, j))
            .fold(f64::INFINITY, f64::min);
        for (split, rule) in SPLITS.into_iter().zip([RULES, RULES].concat()) {
            let [a, b] = [a, b].map(|mesh| Builder::new(split).build::<V, 3>(mesh).unwrap());
            let mut counts = Counts::default();
            let mut pairing = PairTraversal::new((&a, &poses[0]), (&b, &poses[1])).rule(rule);
            let nearest = pairing.nearest(f64::INFINITY, measure).unwrap();
            assert_eq!(nearest.distance, least);
            assert_eq!(measure(nearest.a, nearest.b), least);
            assert_eq!(pairing.nearest(least, measure).map(|n| n.distance), Some(least));
            assert_eq!(pairing.nearest(0.999 * least, measure).is_some(), least == 0.0);
            for tolerance in [0.0, 0.5 * least, 0.999 * least, 1.001 * least, 2.0 * least] {
                let decide = |i, j| triangles_within(pair(i, j).0, pair(i, j).1, tolerance);
                let found = pairing.within(tolerance, decide);
                assert_eq!(found.is_some(), tolerance >= least, "{tolerance} of {least}");
            }
            let mut pairing = pairing.counting(&mut counts);
            let _ = pairing.nearest(f64::INFINITY, measure);
            let all = (a.order().len() * b.order().len()) as u64;
            assert!(counts.primitives < all / 2, "no branch was ever cut off");
        }
    }
    let mut random = random(9);
    for (distance, scale) in [(4.0, 1.0), (3.0, 1.0), (0.0, 1.0), (4.0, 1e-9), (1e9, 1e9)] {
        let [a, b] = [(); 2].map(|()| scaled(&soup(30, 0.2, &mut random), scale));
        let mut poses = [(); 2].map(|()| anywhere(0.0, &mut random));
        let t = random.direction().map(|x| x * distance * scale.min(1.0));
        poses[1] = poses[1].with_translation(t);
        check::<Aabb>(&a, &b, poses);
        check::<Obb>(&a, &b, poses);
        check::<Sphere>(&a, &b, poses);
        check::<KDop<18>>(&a, &b, poses);
    }
}

/// Counting changes no answer and counts what the slides count: one test for the roots, then those
/// of the pairs of children.
#[test]
fn counts_are_those_of_the_test_tree() {
    let a: Bvh<Aabb> = Builder::default().build(&[[[0.0; 3]], [[1.0; 3]]]).unwrap();
    let far = Pose::from_translation([9.0, 0.0, 0.0]);
    let count = |rule, motion: &Pose| {
        let mut counts = Counts::default();
        let pairs = PairTraversal::new((&a, &Pose::IDENTITY), (&a, motion))
            .rule(rule)
            .counting(&mut counts)
            .count(|_, _| true);
        assert_eq!(pairs, counts.primitives);
        counts
    };
    assert_eq!(count(DescentRule::Both, &far), Counts { volumes: 1, primitives: 0, moved: 1 });
    // The roots, then all four pairs of leaves, two of which meet.
    let both = count(DescentRule::Both, &Pose::IDENTITY);
    assert_eq!(both, Counts { volumes: 5, primitives: 2, moved: 3 });
    // The roots, a's two children against b's root, each then against b's two.
    for rule in [DescentRule::LargerFirst, DescentRule::Alternate] {
        let counts = count(rule, &Pose::IDENTITY);
        assert_eq!(counts, Counts { volumes: 7, primitives: 2, moved: 5 });
    }
}
