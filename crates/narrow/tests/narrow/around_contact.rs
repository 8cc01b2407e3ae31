//! Where rounding could tempt an algorithm to guess: pairs of shapes that are moved together until
//! they just touch, looked at on both sides of that instant, down to one unit in the last place.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use crate::support;

use support::{Random, agreed_among, hierarchies, random_pose, shape};
use xcollide_fixtures::long_run;
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};

/// Shapes of all kinds: closed, open, one-sided, with holes, soups, coplanar facets.
const SHAPES: [&str; 8] = [
    "shape:box",
    "shape:sphere?faces=40",
    "shape:tetraflake?depth=1",
    "shape:torus?faces=40",
    "shape:mobius?faces=24",
    "shape:frame",
    "shape:soup?faces=30",
    "shape:polytope?vertices=12&kind=plate&seed=3",
];

fn at(pose: &Pose, direction: [f64; 3], along: f64) -> Pose {
    let t = direction.map(|d| d * along);
    pose.with_translation(t)
}

fn collides(a: &Model, b: &Model, pose: &Pose) -> bool {
    let (a, b) = (Placed::new(a, &Pose::IDENTITY).unwrap(), Placed::new(b, pose).unwrap());
    let verdict = Arbitrary::default().test(a, b, &Query::new(), &mut PairCache::new());
    verdict.decided().unwrap()
}

/// The greatest distance along the direction at which the pair still collides, to the last bit,
/// when it comes from far away; `None` if it misses.
fn contact(a: &Model, b: &Model, pose: &Pose, direction: [f64; 3]) -> Option<f64> {
    let hit = |along: f64| collides(a, b, &at(pose, direction, along));
    let mut inside = (0..12).map(|i| 3.0 - 0.25 * f64::from(i)).find(|&along| hit(along))?;
    let mut outside = inside + 0.25;
    while outside > inside.next_up() {
        let middle = 0.5 * (inside + outside);
        if middle <= inside || middle >= outside {
            break;
        }
        if hit(middle) { inside = middle } else { outside = middle }
    }
    Some(inside)
}

/// Runs one pair of shapes around the first contact of `rounds` random approaches.
fn look_around(
    algorithms: &[Box<dyn NarrowPhase>],
    a: &Model,
    b: &Model,
    random: &mut Random,
    rounds: usize,
) -> [usize; 2] {
    let mut answers = [0; 2];
    for _ in 0..rounds {
        let pose = random_pose(random, 1.0);
        let direction = nalgebra::Vector3::from(random_pose(random, 1.0).rotate([1.0, 0.0, 0.0]));
        let direction = [direction.x, direction.y, direction.z];
        let Some(last) = contact(a, b, &pose, direction) else { continue };
        let steps = [
            last,
            last.next_up(),
            last.next_down(),
            last + 1e-15,
            last - 1e-15,
            last + 1e-12,
            last - 1e-12,
            last + 1e-6,
        ];
        for along in steps {
            let pose = at(&pose, direction, along);
            let placed = [Placed::new(a, &Pose::IDENTITY).unwrap(), Placed::new(b, &pose).unwrap()];
            for semantics in [Semantics::Solid, Semantics::Surface] {
                let (hit, _) = agreed_among(algorithms, placed[0], placed[1], semantics);
                answers[usize::from(hit)] += 1;
            }
        }
    }
    answers
}

fn all_exact_algorithms_agree_around_contact(rounds: usize, seed: u64) {
    let models = SHAPES.map(shape);
    let mut algorithms: Vec<Box<dyn NarrowPhase>> = hierarchies();
    algorithms.push(Box::new(BruteForce));
    let plain = Arbitrary {
        edge_object_box: false,
        edge_face_box: false,
        collect: false,
        relaxed: false,
        ordered: false,
    };
    algorithms.push(Box::new(plain));
    algorithms.push(Box::new(Arbitrary::default()));
    let mut random = Random::new(42 + seed);
    let mut answers = [0; 2];
    for (i, a) in models.iter().enumerate() {
        for b in &models[i..] {
            let [apart, hit] = look_around(&algorithms, a, b, &mut random, rounds);
            answers = [answers[0] + apart, answers[1] + hit];
        }
    }
    println!("{} apart, {} colliding", answers[0], answers[1]);
    assert!(answers.iter().all(|&count| count > 100 * rounds), "{answers:?}: one-sided");
}

#[test]
fn exact_algorithms_agree_around_contact() {
    all_exact_algorithms_agree_around_contact(1, 0);
}

#[test]
fn exact_algorithms_agree_around_contact_soak() {
    let run = long_run(1, 40);
    all_exact_algorithms_agree_around_contact(run.cases as usize, run.seed);
}
