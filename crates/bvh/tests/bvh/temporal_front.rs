//! A temporal front never changes an answer: along walks of every kind, every pair of triangles with
//! a common point in the world is shown in every frame. The slow twins are [`all_pairs`], which
//! tests all of them, and a fresh descent.
#![allow(clippy::unwrap_used)]

use crate::searches;
use crate::support;

use std::ops::ControlFlow;

use support::{Triangle, ball, lattice, motion, scaled, soup, world};
use xcollide_bvh::Counts;
use xcollide_bvh::wide::{TemporalFront, Traversal, WideOptions, WideTree};
use xcollide_fixtures::long_run;
use xcollide_math::Pose;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::{Placement, Poses, Random};

struct Body {
    mesh: Vec<Triangle>,
    tree: WideTree,
}

fn indexed(mesh: &[Triangle]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    (mesh.concat(), (0..mesh.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

impl Body {
    fn new(mesh: Vec<Triangle>) -> Self {
        let (positions, triangles) = indexed(&mesh);
        Self { tree: WideTree::build(&positions, &triangles, WideOptions::default()), mesh }
    }

    fn at<'s>(&'s self, pose: &'s Pose) -> (&'s WideTree, &'s Pose) {
        (&self.tree, pose)
    }
}

fn all_pairs(a: &[Triangle], b: &[Triangle]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for (i, s) in a.iter().enumerate() {
        for (j, t) in b.iter().enumerate() {
            let apart = (0..3).any(|axis| {
                let [s, t] = [s, t].map(|t| t.map(|corner| corner[axis]));
                let above = |s: [f64; 3], t: [f64; 3]| s.iter().all(|x| t.iter().all(|y| x > y));
                above(s, t) || above(t, s)
            });
            if !apart && triangles_intersect(s, t) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

/// Everything that is remembered of one pair in a test: a front that is broken off at the first
/// hit, as is usual, and one that is never broken off, so that its cut goes through collisions too.
#[derive(Default)]
struct Fronts {
    first: TemporalFront,
    all: TemporalFront,
    traversal: Traversal,
    work: Counts,
}

/// What came out of some frames.
#[derive(Debug, Default)]
struct Tally {
    hits: usize,
    apart: usize,
    /// Tests of fresh descents, to the end, and of the front that is never broken off.
    fresh: u64,
    front: u64,
}

impl Fronts {
    fn portable() -> Self {
        Self { traversal: Traversal::portable(), ..Self::default() }
    }

    /// One frame, compared with the twins.
    fn check(&mut self, a: (&Body, Pose), b: (&Body, Pose), tally: &mut Tally) -> bool {
        let (s, t) = (world(&a.0.mesh, &a.1), world(&b.0.mesh, &b.1));
        let expected = all_pairs(&s, &t);
        let meet = |i: u32, j: u32| triangles_intersect(&s[i as usize], &t[j as usize]);
        let mut corners = |i: u32, j: u32| [s[i as usize], t[j as usize]];
        let placed = [a.0.at(&a.1), b.0.at(&b.1)];

        let mut hit = None;
        let mut first = |i, j| {
            if meet(i, j) {
                hit = Some((i, j));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        };
        let [x, y] = placed;
        let flow = self.first.search(x, y, &mut self.traversal, &mut (), &mut first, &mut corners);
        assert_eq!(flow.is_break(), hit.is_some());
        match hit {
            Some((i, j)) => assert!(expected.contains(&(i, j)), "{i}, {j} do not meet"),
            None => {
                assert!(
                    expected.is_empty(),
                    "{} pairs lost at {:?} {:?}",
                    expected.len(),
                    a.1,
                    b.1
                );
            }
        }

        let mut found = Vec::new();
        let before = self.work.volumes;
        let mut every = |i, j| {
            if meet(i, j) {
                found.push((i, j));
            }
            ControlFlow::Continue(())
        };
        let flow =
            self.all.search(x, y, &mut self.traversal, &mut self.work, &mut every, &mut corners);
        assert!(flow.is_continue());
        found.sort_unstable();
        found.dedup();
        assert_eq!(found, expected, "{:?} {:?}", a.1, b.1);

        let mut fresh = Counts::default();
        let flow = searches::candidates(x, y, &mut Traversal::new(), &mut fresh, &mut |_, _| {
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        tally.fresh += fresh.volumes;
        tally.front += self.work.volumes - before;
        *if expected.is_empty() { &mut tally.apart } else { &mut tally.hits } += 1;
        !expected.is_empty()
    }
}

/// A body that moves about another one, back and forth across the border of contact.
struct Walk {
    placement: Placement,
    way: [f64; 3],
    poses: Poses,
    random: Random,
}

impl Walk {
    /// Beginning where `b`, coming from a distance, first meets `a`; both of about size `size`.
    fn new(seed: u64, size: f64, a: (&Body, Pose), b: &Body) -> Self {
        let mut poses = Poses::new(seed);
        let (rotation, way) = (poses.rotation(), poses.direction());
        let from = a.1.translation();
        let along = |x: f64| [0, 1, 2].map(|axis| way[axis] * x + from[axis]);
        let s = world(&a.0.mesh, &a.1);
        let meet = |x: f64| {
            let there = motion(rotation, along(x));
            let t = world(&b.mesh, &there);
            let mut exact = |i, j| triangles_intersect(&s[i as usize], &t[j as usize]);
            searches::first_hit(a.0.at(&a.1), b.at(&there), &mut Traversal::new(), &mut exact)
                .is_some()
        };
        let (mut low, mut high) = (3.0 * size, 3.0 * size);
        while low > 0.0 && !meet(low) {
            (low, high) = (low - 0.05 * size, low);
        }
        for _ in 0..20 {
            let middle = 0.5 * (low + high);
            *if meet(middle) { &mut low } else { &mut high } = middle;
        }
        let placement = Placement::turned(rotation, along(low));
        Self { placement, way, poses, random: Random::new(seed) }
    }

    /// A step of about the given size, turning as much, away from the other body if they meet.
    fn step(&mut self, size: f64, step: f64, meeting: bool) -> Pose {
        let turn = (step / size).min(3.0) * self.random.unit();
        self.placement = self.poses.nudged(&self.placement, step * self.random.unit(), turn);
        let push = if meeting { step } else { -step } * self.random.unit();
        for axis in 0..3 {
            self.placement.translation[axis] += push * self.way[axis];
        }
        self.placement.pose()
    }

    /// Between two lengths, all orders of magnitude alike.
    fn length(&mut self, low: f64, high: f64) -> f64 {
        let mut length = low;
        let orders = (high / low).log10() * self.random.unit();
        for _ in 0..orders as u32 {
            length *= 10.0;
        }
        length * self.random.between(1.0, 10.0)
    }
}

fn bodies(factor: f64) -> Vec<Body> {
    let mut random = Random::new(4);
    // One is in a unit of its own.
    let small = scaled(&ball(6, 4), 0.1);
    [ball(5, 8), soup(80, 0.3, &mut random), lattice(40, &mut random), small]
        .map(|mesh| Body::new(scaled(&mesh, factor)))
        .into()
}

fn moved(motion: Pose, by: [f64; 3]) -> Pose {
    let t = motion.translation();
    motion.with_translation([0, 1, 2].map(|axis| t[axis] + by[axis]))
}

/// Frames of walks for all pairs of bodies, with steps between two lengths (relative to the bodies),
/// of bodies of a size at a distance from the origin of the world.
fn walks(
    frames: usize,
    seed: u64,
    steps: [f64; 2],
    factor: f64,
    far: f64,
    mut fronts: impl FnMut() -> Fronts,
) -> Tally {
    let bodies = bodies(factor);
    let mut tally = Tally::default();
    for pair in 0..bodies.len() * bodies.len() {
        let (a, b) = (&bodies[pair % bodies.len()], &bodies[pair / bodies.len()]);
        let seed = seed.wrapping_mul(1000) + pair as u64;
        let mut poses = Poses::new(seed + 100);
        let turned = motion(poses.rotation(), poses.direction().map(|x| x * far));
        let mut walk = Walk::new(seed, factor, (a, turned), b);
        let mut fronts = fronts();
        let mut meeting = false;
        for _ in 0..frames {
            let step = factor * walk.length(steps[0], steps[1]);
            let there = walk.step(factor, step, meeting);
            meeting = fronts.check((a, turned), (b, there), &mut tally);
        }
    }
    tally
}

#[test]
fn every_pair_that_meets_is_shown_in_every_frame_of_small_steps() {
    let tally = walks(100, 0, [1e-6, 1e-3], 1.0, 0.0, Fronts::default);
    assert!(tally.hits > 200 && tally.apart > 200, "{tally:?}");
    assert!(3 * tally.front < 2 * tally.fresh, "the front saves work: {tally:?}");
}

#[test]
fn and_of_mixed_steps_on_both_kernels() {
    for fronts in [Fronts::default, Fronts::portable] {
        let tally = walks(50, 0, [1e-7, 0.3], 1.0, 0.0, fronts);
        assert!(tally.hits > 200 && tally.apart > 200, "{tally:?}");
    }
}

#[test]
fn and_of_any_size() {
    for factor in [1e-9, 1e9, 1e-150, 1e100] {
        let tally = walks(20, 0, [1e-4, 0.01], factor, 0.0, Fronts::default);
        assert!(tally.hits > 50 && tally.apart > 50, "{factor}: {tally:?}");
    }
}

/// At 10⁹ a unit in the last place is 10⁻⁷: steps of a few of them, some of one body and some of
/// both, which move their rounded corners against each other.
#[test]
fn and_far_from_the_origin() {
    for (far, steps) in [(1e9, [1e-8, 1e-5]), (1e12, [1e-5, 1e-2]), (1e15, [0.01, 1.0])] {
        let tally = walks(30, 0, steps, 1.0, far, Fronts::default);
        assert!(tally.hits > 50 && tally.apart > 50, "{far}: {tally:?}");
    }
    // Both are carried along together, at a distance of a hundredth and less.
    let bodies = bodies(1.0);
    let mut tally = Tally::default();
    for seed in 0..8 {
        let turned = motion(Poses::new(seed + 100).rotation(), [0.0; 3]);
        let mut walk = Walk::new(seed, 1.0, (&bodies[0], turned), &bodies[3]);
        let mut meeting = false;
        let mut fronts = Fronts::default();
        let mut carried = [1e9, -2e9, 3e9];
        for _ in 0..100 {
            let there = walk.step(1.0, 1e-4, meeting);
            carried = carried.map(|x| x + 1e3 * walk.random.between(-1.0, 1.0));
            meeting = fronts.check(
                (&bodies[0], moved(turned, carried)),
                (&bodies[3], moved(there, carried)),
                &mut tally,
            );
        }
    }
    assert!(tally.hits > 50 && tally.apart > 50, "{tally:?}");
}

/// The same position many times, a teleport now and then, a half turn on the spot.
#[test]
fn jumps_between_frames_of_rest_are_noticed() {
    let bodies = bodies(1.0);
    let mut tally = Tally::default();
    let mut poses = Poses::new(9);
    let mut fronts = Fronts::default();
    for jump in 0..60_u32 {
        let mut there = motion(poses.rotation(), poses.direction().map(|x| x * 2.2));
        for frame in 0..12 {
            if frame == 6 && jump % 3 == 0 {
                let [r0, r1, r2] = *there.rotation();
                let half_turn = [r0.map(|x| -x), r1.map(|x| -x), r2];
                there = Pose::from_stored(half_turn, there.translation()).unwrap();
            }
            fronts.check((&bodies[0], Pose::IDENTITY), (&bodies[1], there), &mut tally);
        }
    }
    assert!(tally.hits > 100 && tally.apart > 100, "{tally:?}");
    assert!(2 * tally.front < tally.fresh, "rest costs nothing: {tally:?}");
}

/// Matrices of quaternions of length 1 ± 10⁻⁶ are no rotations, each another one.
#[test]
fn nearly_rotations_are_allowed_for() {
    let bodies = bodies(1.0);
    let mut tally = Tally::default();
    for seed in 0..8 {
        let start = (&bodies[3], Pose::IDENTITY);
        let mut walk = Walk::new(seed, 1.0, start, &bodies[0]);
        let mut fronts = Fronts::default();
        let mut meeting = false;
        for _ in 0..100 {
            walk.step(1.0, 1e-4, meeting);
            let length = 1.0 + 0.999e-6 * walk.random.between(-1.0, 1.0);
            let Placement { rotation, translation } = walk.placement;
            let there = motion(rotation.quaternion().map(|x| x * length), translation);
            let here = (&bodies[3], Pose::IDENTITY);
            meeting = fronts.check(here, (&bodies[0], there), &mut tally);
        }
    }
    assert!(tally.hits > 50 && tally.apart > 50, "{tally:?}");
}

/// One front for everything: trees exchanged for each other, others, rebuilt where the last one
/// was, refitted in place, empty; and motions that are none.
#[test]
fn other_trees_are_noticed() {
    let mut bodies = bodies(1.0);
    bodies.push(Body::new(Vec::new()));
    let mut random = Random::new(17);
    let mut tally = Tally::default();
    let mut fronts = Fronts::default();
    let start = (&bodies[0], Pose::IDENTITY);
    let mut walk = Walk::new(3, 1.0, start, &bodies[1]);
    let mut meeting = false;
    for frame in 0..900_u32 {
        let there = walk.step(1.0, 1e-3, meeting);
        let [i, j] = match frame / 3 % 5 {
            0 => [0, 1],
            1 => [1, 0],
            2 => [0, 0],
            3 => [0, 4],
            _ => [2, 1],
        };
        if frame % 7 == 0 {
            // Grown or shrunken a little: what was apart may meet now.
            let body = &mut bodies[1];
            body.mesh = scaled(&body.mesh, random.between(0.9, 1.1));
            let (positions, triangles) = indexed(&body.mesh);
            if frame % 2 == 0 {
                body.tree.refit(&positions, &triangles);
            } else {
                body.tree = WideTree::build(&positions, &triangles, WideOptions::default());
            }
        }
        meeting = fronts.check((&bodies[i], Pose::IDENTITY), (&bodies[j], there), &mut tally);
    }
    assert!(tally.hits > 100 && tally.apart > 100, "{tally:?}");

    let lost = Pose::from_translation([0.0, f64::NAN, 0.0]);
    let [x, y] = [bodies[0].at(&Pose::IDENTITY), bodies[0].at(&lost)];
    for _ in 0..5 {
        let flow = fronts.first.search(
            x,
            y,
            &mut Traversal::new(),
            &mut (),
            &mut |_, _| ControlFlow::Continue(()),
            &mut |_, _| [[[0.0; 3]; 3]; 2],
        );
        assert!(flow.is_continue());
    }
    let there = (&bodies[0], Pose::IDENTITY);
    assert!(fronts.check(there, there, &mut tally), "and found back");
}

/// Surfaces that run along each other everywhere need more pairs than are kept. That is found out
/// once, and then not tried again for long.
#[test]
fn memory_is_bounded_and_what_overflows_is_left_off() {
    let inner = Body::new(scaled(&ball(100, 200), 0.9995));
    let outer = Body::new(ball(100, 200));
    let (mut front, mut traversal) = (TemporalFront::new(), Traversal::new());
    let (mut bytes, mut measured) = (0, Vec::new());
    for frame in 0..32 {
        let there = Pose::from_translation([1e-7 * f64::from(frame), 0.0, 0.0]);
        let corners = |s: u32, t: u32| {
            [outer.mesh[s as usize], inner.mesh[t as usize].map(|p| there.apply(p))]
        };
        let exact = |s, t| {
            let [s, t] = corners(s, t);
            if triangles_intersect(&s, &t) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let (x, y) = (outer.at(&Pose::IDENTITY), inner.at(&there));
        // Gaps of triangles are measured only where a cut is made.
        let mut gaps = 0;
        let world = |s, t| {
            gaps += 1;
            corners(s, t)
        };
        assert!(
            front
                .search(x, y, &mut traversal, &mut (), &mut { exact }, &mut { world })
                .is_continue()
        );
        bytes = bytes.max(front.bytes());
        measured.push(gaps);
    }
    assert!(measured[1] > 0, "a cut is tried");
    assert_eq!(measured.iter().filter(|&&gaps| gaps > 0).count(), 1, "{measured:?}");
    assert!(bytes > 0 && bytes < 100_000, "what did not fit is not kept: {bytes} bytes");
}

#[test]
fn fronts_give_the_answers_of_searches_from_the_root_soak() {
    let run = long_run(40, 2000);
    for (steps, far) in [([1e-9, 1e-5], 0.0), ([1e-6, 1e-2], 0.0), ([1e-8, 1e-3], 1e9)] {
        let tally = walks(run.cases as usize, run.seed, steps, 1.0, far, Fronts::default);
        let least = run.cases as usize / 2;
        assert!(tally.hits as usize > least && tally.apart as usize > least, "{tally:?}");
    }
}
