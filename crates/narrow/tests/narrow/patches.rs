//! Convex patches as an algorithm: equal to brute force wherever walks could mislead it, and what
//! its hierarchy saves.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use crate::support;

use std::time::Duration;

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use support::{Random, agreed_among, model, random_pose, shape};
use xcollide_bounds::KDop;
use xcollide_narrow::classic::PatchTrees;
use xcollide_narrow::mesh::{BinaryTrees, BruteForce};
use xcollide_narrow::{
    Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Semantics, Verdict,
};

fn referees() -> Vec<Box<dyn NarrowPhase>> {
    vec![Box::new(BruteForce), Box::new(PatchTrees::new())]
}

fn placed<'m>(model: &'m Model, pose: &'m Pose) -> Placed<'m> {
    Placed::new(model, pose).unwrap()
}

/// A closed or open sheet over a grid of integers, folded at random: plane parts, bulges, hollows,
/// saddles, with some triangles degenerate by coordinates.
fn crumpled(random: &mut Random) -> Model {
    let (nx, ny) = (random.integer(1, 4) as u32, random.integer(1, 4) as u32);
    let height = random.integer(0, 2);
    let mut positions = Vec::new();
    for y in 0..=ny {
        for x in 0..=nx {
            let z = random.integer(0, height);
            let stuck = i64::from(random.integer(0, 9) == 0);
            positions.push([(i64::from(x) - stuck) as f64, f64::from(y), z as f64]);
        }
    }
    let at = |x: u32, y: u32| y * (nx + 1) + x;
    let mut faces = Vec::new();
    for y in 0..ny {
        for x in 0..nx {
            let [a, b, c, d] = [at(x, y), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)];
            if random.integer(0, 1) == 0 {
                faces.extend([vec![a, b, c], vec![a, c, d]]);
            } else {
                faces.extend([vec![a, b, d], vec![b, c, d]]);
            }
        }
    }
    // Some triangles turned over, doubled, or with a third neighbour.
    for _ in 0..random.integer(0, 2) {
        let chosen = random.integer(0, faces.len() as i64 - 1) as usize;
        match random.integer(0, 2) {
            0 => faces[chosen].reverse(),
            1 => faces.push(faces[chosen].clone()),
            _ => faces.push(vec![faces[chosen][0], faces[chosen][1], at(nx, ny)]),
        }
    }
    model(positions, &faces)
}

/// A turn of a cube whose quaternion has no rounded number, and an integer move.
fn exact_pose(random: &mut Random, reach: i64) -> Pose {
    const TURNS: [[f64; 4]; 4] =
        [[0.0, 0.0, 0.0, 1.0], [0.5, 0.5, 0.5, 0.5], [1.0, 0.0, 0.0, 0.0], [0.5, -0.5, 0.5, 0.5]];
    let [x, y, z, w] = TURNS[random.integer(0, 3) as usize];
    let t = [(); 3].map(|()| random.integer(-reach, reach) as f64);
    Pose::try_from(Isometry3::from_parts(
        Translation3::from(t),
        UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z)),
    ))
    .unwrap()
}

/// Integers below 16 are far from any rounding, so brute force decides in exact arithmetic what
/// touches: and on a grid nearly everything that meets does.
#[test]
fn patches_equal_brute_force_on_crumpled_integer_sheets() {
    let mut random = Random::new(11);
    let algorithms = referees();
    let mut answers = [0; 2];
    for _ in 0..1500 {
        let (a, b) = (crumpled(&mut random), crumpled(&mut random));
        let (here, there) = (exact_pose(&mut random, 1), exact_pose(&mut random, 3));
        let (meet, _) =
            agreed_among(&algorithms, placed(&a, &here), placed(&b, &there), Semantics::Solid);
        answers[usize::from(meet)] += 1;
    }
    assert!(answers.iter().all(|&count| count > 200), "{answers:?}");
}

const SHAPES: [&str; 9] = [
    "shape:box",
    "shape:sphere?faces=200",
    "shape:icosphere?frequency=3",
    "shape:torus?faces=120",
    "shape:tetraflake?depth=2",
    "shape:gear",
    "shape:klein?faces=80",
    "shape:soup?faces=40",
    "shape:plane?faces=32",
];

/// Poses around the first contact of random approaches, down to one unit in the last place.
#[test]
fn patches_equal_brute_force_around_contact() {
    let models = SHAPES.map(shape);
    let algorithms = referees();
    let mut random = Random::new(12);
    let mut answers = [0; 2];
    for (i, a) in models.iter().enumerate() {
        for b in &models[i..] {
            let turned = random_pose(&mut random, 0.2);
            let first = random_pose(&mut random, 0.5);
            let here = placed(a, &first);
            let at = |x: f64| {
                let mut pose = turned;
                let mut moved = pose.translation();
                moved[0] += x;
                pose = pose.with_translation(moved);
                pose
            };
            let hit = |x: f64| {
                let pose = at(x);
                let query = Query::new().semantics(Semantics::Surface);
                let there = placed(b, &pose);
                BinaryTrees::<KDop<18>>::new()
                    .test(here, there, &query, &mut PairCache::new())
                    .is_collision()
            };
            let Some(mut inside) = (0..16).map(|k| 3.0 - 0.2 * f64::from(k)).find(|&x| hit(x))
            else {
                continue;
            };
            let mut outside = inside + 0.2;
            for _ in 0..60 {
                let middle = 0.5 * (inside + outside);
                if hit(middle) { inside = middle } else { outside = middle }
            }
            for gap in [0.0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-6, 1e-3, -0.05, -0.3] {
                for semantics in [Semantics::Solid, Semantics::Surface] {
                    let pose = at(inside + gap);
                    let (meet, _) = agreed_among(&algorithms, here, placed(b, &pose), semantics);
                    answers[usize::from(meet)] += 1;
                }
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 200), "{answers:?}");
}

/// Rounded world positions, coarse far from the origin, are where convex patches are convex no
/// more.
#[test]
fn patches_equal_brute_force_far_from_the_origin_and_at_all_scales() {
    let mut random = Random::new(13);
    let algorithms = referees();
    let mut answers = [0; 2];
    for (scale, away) in
        [(1.0, 1e9), (1.0, 1e15), (1e-9, 1.0), (1e-9, 0.0), (1e-160, 0.0), (1e120, 0.0)]
    {
        for spec in ["shape:icosphere?frequency=3", "shape:torus?faces=80"] {
            let unit = xcollide_scenes::shape(spec).unwrap();
            let positions = unit.positions().iter().map(|p| p.map(|x| x * scale)).collect();
            let faces: Vec<Vec<u32>> =
                unit.faces().map(|face| face.outer().iter().map(|v| v.0).collect()).collect();
            let shape = model(positions, &faces);
            for _ in 0..12 {
                let mut poses = [random_pose(&mut random, 1.3), random_pose(&mut random, 1.3)];
                for pose in &mut poses {
                    *pose = pose.with_translation(
                        (nalgebra::Vector3::from(pose.translation()) * (scale)).into(),
                    );
                    let mut moved = pose.translation();
                    moved[1] += away;
                    *pose = pose.with_translation(moved);
                }
                let [a, b] = poses.each_ref().map(|pose| placed(&shape, pose));
                let (meet, _) = agreed_among(&algorithms, a, b, Semantics::Surface);
                answers[usize::from(meet)] += 1;
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 10), "{answers:?}");
}

/// Sheets in one plane, copies at the same pose, copies in stacks: everything touches or is a unit
/// in the last place away from it.
#[test]
fn patches_equal_brute_force_on_coplanar_stacks() {
    let algorithms = referees();
    let sheet = shape("shape:plane?faces=50");
    let bulge = shape("shape:icosphere?frequency=2");
    let mut random = Random::new(14);
    let turned = random_pose(&mut random, 1.0);
    let mut answers = [0; 2];
    for copy in [&sheet, &bulge] {
        for pose in [Pose::IDENTITY, turned] {
            let a = placed(copy, &pose);
            for shift in [0.0, 1e-15, 1e-12, 0.25, 2.0, 2.0_f64.next_up(), 3.0] {
                for axis in 0..3 {
                    let mut moved = [0.0; 3];
                    moved[axis] = shift;
                    let [x, y, z] = moved;
                    let there = pose * Pose::from_translation([x, y, z]);
                    let (meet, _) =
                        agreed_among(&algorithms, a, placed(copy, &there), Semantics::Surface);
                    answers[usize::from(meet)] += 1;
                }
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 10), "{answers:?}");
}

#[test]
fn a_limit_is_kept_and_what_is_listed_is_in_contact() {
    let torus = shape("shape:torus?faces=400");
    let (here, there) = (Pose::IDENTITY, Pose::from_translation([0.4, 0.2, 0.1]));
    let (a, b) = (placed(&torus, &here), placed(&torus, &there));
    let (query, mut cache) = (Query::new(), PairCache::new());
    let mut all = Vec::new();
    assert!(BruteForce.contacts(a, b, &query, usize::MAX, &mut cache, &mut all).is_collision());
    for limit in [0, 1, 2, 7, all.len() - 1, all.len(), all.len() + 1] {
        let mut some = Vec::new();
        let verdict = PatchTrees::new().contacts(a, b, &query, limit, &mut cache, &mut some);
        assert!(verdict.is_collision());
        assert_eq!(some.len(), limit.min(all.len()));
        assert!(some.is_sorted() && some.iter().all(|pair| all.binary_search(pair).is_ok()));
    }
    assert_eq!(PatchTrees::new().count_contacts(a, b, &query, &mut cache).0, all.len());
}

#[test]
fn an_interrupted_query_is_undecided_and_says_why() {
    let sphere = shape("shape:sphere?faces=2000");
    let inner = shape("shape:sphere?faces=2000&radius=0.999");
    let (a, b) = (placed(&sphere, &Pose::IDENTITY), placed(&inner, &Pose::IDENTITY));
    let surface = Query::new().semantics(Semantics::Surface);
    let mut cache = PairCache::new();
    let hurried = PatchTrees::new().test(a, b, &surface.budget(Duration::ZERO), &mut cache);
    assert_eq!(hurried, Verdict::Undecided(Reason::OutOfTime));
    let listing = PatchTrees::new().each_contact(
        a,
        b,
        &surface.budget(Duration::ZERO),
        &mut cache,
        &mut |_, _| panic!("no time for contacts"),
    );
    assert!(!listing.complete);
    // With time enough the same cache gives the answer; one is nested in the other.
    let ample = surface.budget(Duration::from_secs(3600));
    assert!(PatchTrees::new().test(a, b, &ample, &mut cache).is_apart());
    assert!(PatchTrees::new().test(a, b, &Query::new(), &mut cache).is_collision());
}

/// Also when the clock is looked at in the middle of the descent.
#[test]
fn a_short_budget_ends_a_long_query() {
    let sphere = shape("shape:sphere?faces=20000");
    let inner = shape("shape:sphere?faces=20000&radius=0.9999");
    let (a, b) = (placed(&sphere, &Pose::IDENTITY), placed(&inner, &Pose::IDENTITY));
    PatchTrees::new().prepare(&sphere).unwrap();
    PatchTrees::new().prepare(&inner).unwrap();
    let query = Query::new().semantics(Semantics::Surface).stats(true);
    let mut cache = PairCache::new();
    let whole = PatchTrees::new().test(a, b, &query, &mut cache);
    assert!(whole.is_apart());
    let all = cache.stats().volume_tests;
    let short = query.budget(Duration::from_micros(50));
    let verdict = PatchTrees::new().test(a, b, &short, &mut cache);
    let Verdict::Undecided(reason) = verdict else { panic!("{verdict:?}") };
    assert!(reason.is_out_of_time(), "{reason:?}");
    assert!(cache.stats().volume_tests < all, "of {all}");
}

/// Patches answer as the plain tree of 18-DOPs does, at and about the last bit of contact. With
/// `--nocapture` it prints what the patches are like, and how many tests (`N_V`, `N_P`) both need.
#[test]
fn patches_answer_as_the_plain_tree_at_contact_and_beside_it() {
    use xcollide_bvh::classic::patches::{PatchOptions, Patches};

    println!("shape | triangles | patches | triangles a patch | pose | N_V, N_P: patches | plain");
    for spec in ["sphere?faces=5000", "torus?faces=5000", "tetraflake?depth=5", "knot?faces=5000"] {
        let model = shape(&format!("shape:{spec}"));
        let triangles: Vec<[u32; 3]> =
            model.triangulation().triangles().iter().map(|t| t.map(|v| v.0)).collect();
        let most = PatchOptions::default().most;
        let patches = Patches::new(model.mesh().positions(), &triangles, most).unwrap();
        let mean = triangles.len() as f64 / patches.len() as f64;
        let size = model.local_box().size().into_iter().fold(0.0, f64::max);
        for (name, gap) in [("near", 0.001), ("touching", 0.0), ("deep", -0.1)] {
            let mut random = Random::new(15);
            let mut sums = [[0; 2]; 2];
            for _ in 0..20 {
                let turned = random_pose(&mut random, 0.0);
                let hit = |x: f64| {
                    let pose = Pose::from_translation([x, 0.0, 0.0]) * turned;
                    let query = Query::new().semantics(Semantics::Surface);
                    let (a, b) = (placed(&model, &Pose::IDENTITY), placed(&model, &pose));
                    BinaryTrees::<KDop<18>>::new()
                        .test(a, b, &query, &mut PairCache::new())
                        .is_collision()
                };
                let (mut inside, mut outside) = (0.0, 2.0 * size);
                for _ in 0..52 {
                    let middle = 0.5 * (inside + outside);
                    if hit(middle) { inside = middle } else { outside = middle }
                }
                let pose = Pose::from_translation([inside + gap * size, 0.0, 0.0]) * turned;
                let (a, b) = (placed(&model, &Pose::IDENTITY), placed(&model, &pose));
                let query = Query::new().semantics(Semantics::Surface).stats(true);
                let algorithms: [&dyn NarrowPhase; 2] =
                    [&PatchTrees::new(), &BinaryTrees::<KDop<18>>::new()];
                let mut answers = [None; 2];
                for ((sum, answer), algorithm) in sums.iter_mut().zip(&mut answers).zip(algorithms)
                {
                    let mut cache = PairCache::new();
                    *answer = algorithm.test(a, b, &query, &mut cache).decided();
                    let stats = cache.stats();
                    *sum = [sum[0] + stats.volume_tests, sum[1] + stats.primitive_tests];
                }
                assert!(answers[0].is_some());
                assert_eq!(answers[0], answers[1], "{spec}, {name}");
            }
            let [[v, p], [plain_v, plain_p]] = sums.map(|sum| sum.map(|all| all / 20));
            println!(
                "{spec} | {} | {} | {mean:.2} | {name} | {v}, {p} | {plain_v}, {plain_p}",
                triangles.len(),
                patches.len()
            );
        }
    }
}

/// The source's search at leaves: whatever it shows is right and proved, it finds most contacts, and it claims to have
/// missed none only where no leaves overlap.
#[test]
fn the_search_of_2002_is_right_where_it_decides() {
    let algorithm = PatchTrees::of_2002();
    let models = ["shape:sphere?faces=80", "shape:torus?faces=60", "shape:tetraflake?depth=1"];
    let models = models.map(shape);
    let (mut random, mut cache) = (Random::new(12), PairCache::new());
    let [mut hits, mut found, mut apart, mut undecided] = [0; 4];
    for round in 0..300 {
        let poses = [random_pose(&mut random, 1.5), random_pose(&mut random, 1.5)];
        let a = placed(&models[round % 3], &poses[0]);
        let b = placed(&models[round / 3 % 3], &poses[1]);
        let truth = BruteForce.test(a, b, &Query::new(), &mut PairCache::new()).is_collision();
        let verdict = algorithm.test(a, b, &Query::new(), &mut cache);
        match &verdict {
            Verdict::Collides(witness) => witness.verify(a, b, Semantics::Solid).unwrap(),
            Verdict::Apart(proof) => proof.verify(a, b, Semantics::Solid).unwrap(),
            Verdict::Undecided(why) => {
                assert_eq!(*why, Reason::Biased(xcollide_convex::Bias::Apart));
                undecided += 1;
            }
        }
        hits += usize::from(truth);
        found += usize::from(verdict.is_collision());
        apart += usize::from(verdict.is_apart());
    }
    println!("{found} of {hits} contacts, {apart} apart, {undecided} undecided");
    assert!(10 * found > 9 * hits && hits > 60, "{found} of {hits}");
    assert!(apart > 30 && undecided > 3, "{apart} apart, {undecided} undecided");
}
