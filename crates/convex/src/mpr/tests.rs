//! Against all differences and exact integers, pairs in other lanes and the kernels against each other.

use xcollide_math::Pose;
use xcollide_math::vector::{dot, neg, sub, taxicab};
use xcollide_scenes::Random;
use xcollide_simd::{F64x8, Simd, SimdFloat, SimdKernel, SimdLevel, dispatch_at};

use super::*;
use crate::batch::{Motions, MovedSets, rows};
use crate::body::Body;
use crate::gjk::boolean::{BooleanGjk, GjkOutcome};
use crate::polytope::Polytope;
use crate::support_pair::SupportPair;
use crate::tests::hulls::{arcs, on_sphere, point_cloud};
use crate::tests::point_sets::{
    Place, Sets, Vector, are_flat, below, hold_origin, integer_sets, place,
};

/// The error of the heights in all searches.
const DOUBT: f64 = 1e-14;

/// A pair of sets, and the first direction of its search.
struct Pair {
    sets: Sets,
    polytopes: [Polytope; 2],
    direction: Vector,
    roundness: f64,
    center: Vector,
    first: SupportPair,
    points: [Vector; 2],
    height: f64,
}

impl Pair {
    fn new(sets: Sets, direction: Vector, roundness: f64) -> Self {
        let polytopes = sets.clouds();
        Self::with(sets, polytopes, direction, roundness)
    }

    fn with(sets: Sets, polytopes: [Polytope; 2], direction: Vector, roundness: f64) -> Self {
        let differences = sets.differences();
        let share = 1.0 / differences.len() as f64;
        let sum = differences
            .iter()
            .fold([0.0; 3], |s: Vector, d| [s[0] + d[0], s[1] + d[1], s[2] + d[2]]);
        let center = sum.map(|x| x * share);
        let [a, b] = [0, 1].map(|i| Body::new(&polytopes[i], &sets.motions[i]));
        let farthest = |body: &Body<'_>, direction| {
            let local = body.local(direction);
            let fan = body.polytope().fan.as_ref();
            fan.map_or_else(
                || body.polytope().points.farthest(local),
                |fan| fan.fan.farthest(local),
            )
        };
        let ends = [farthest(&a, direction) as u32, farthest(&b, neg(direction)) as u32];
        let (p, q) = (a.position(ends[0]), b.position(ends[1]));
        let difference = sub(q, p);
        let heights = [dot(direction, p), dot(direction, q)];
        let first =
            SupportPair { direction, ends, difference, gap: dot(direction, difference), heights };
        let height = dot(direction, sub(center, difference)).max(1e-3);
        Self { sets, polytopes, direction, roundness, center, first, points: [p, q], height }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Found {
    separated: Option<([f64; 3], [u32; 2])>,
    heights: [f64; 2],
    is_clear: bool,
    /// The points of the portal that holds the origin.
    portal: Option<[[u32; 2]; 3]>,
    probes: u32,
}

/// Searches one to eight pairs.
#[derive(Clone, Copy)]
struct Eight<'a>(&'a [&'a Pair]);

impl SimdKernel for Eight<'_> {
    type Output = Vec<Found>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Vec<Found> {
        let count = self.0.len();
        let each: [&Pair; EIGHT] = std::array::from_fn(|lane| self.0[lane.min(count - 1)]);
        let bodies =
            [0, 1].map(|i| each.map(|pair| Body::new(&pair.polytopes[i], &pair.sets.motions[i])));
        let of = [bodies[0].each_ref(), bodies[1].each_ref()];
        let motions = of.map(|of| Motions::<S::F64x8>::of(of.map(Body::pose)));
        let set = |i: usize| MovedSets::<S> { each: &of[i], motions: &motions[i] };
        let sets = [set(0), set(1)];
        let number = |of: fn(&Pair) -> f64| S::F64x8::load(&each.map(of));
        let search = MprBatch {
            sets: &sets,
            center: S::F64x8::from_vectors(rows(&each, |pair| &pair.center)),
            direction: S::F64x8::from_vectors(rows(&each, |pair| &pair.direction)),
            ends: [0, 1].map(|i| each.map(|pair| pair.first.ends[i])),
            points: [0, 1].map(|i| S::F64x8::from_vectors(rows(&each, |pair| &pair.points[i]))),
            height: number(|pair| pair.height),
            roundness: number(|pair| pair.roundness),
            doubt: number(|_| DOUBT),
            resolution: 1e-14,
        };
        let mut result = MprBatchResult::default();
        _ = search.run(u32::from(u8::MAX) >> (EIGHT - count), &mut result);
        let found = |lane: usize| Found {
            separated: result.separated(lane),
            heights: result.heights.map(|heights| heights[lane]),
            is_clear: result.clear >> lane & 1 == 1,
            portal: (result.held >> lane & 1 == 1)
                .then(|| [0, 1, 2].map(|number| result.corner(lane, number))),
            probes: result.probes(lane),
        };
        (0..count).map(found).collect()
    }
}

/// The results of pairs, which must be the same on all levels.
fn run(pairs: &[&Pair]) -> Vec<Found> {
    let eight = |eight: &[&Pair]| {
        let plain = dispatch_at(SimdLevel::Portable, Eight(eight)).unwrap();
        for level in SimdLevel::ALL {
            if let Some(found) = dispatch_at(level, Eight(eight)) {
                assert_eq!(format!("{found:?}"), format!("{plain:?}"), "{level:?}");
            }
        }
        plain
    };
    pairs.chunks(EIGHT).flat_map(eight).collect()
}

/// The result of a pair that the first direction does not separate.
fn run_one(pair: &Pair) -> Option<Found> {
    if pair.first.gap > 0.0 { None } else { run(&[pair]).pop() }
}

/// Checks the promises of an answer against all differences, with an error far above that of rounding.
fn check(pair: &Pair, found: Found) {
    const ERROR: f64 = 1e-12;
    if let Some((direction, ends)) = found.separated {
        let heights = found.heights;
        assert_eq!(found.is_clear, heights[1] - heights[0] > DOUBT * taxicab(direction));
        let length = dot(direction, direction).sqrt();
        let gap = dot(direction, pair.sets.difference(ends));
        assert!((heights[1] - heights[0] - gap).abs() <= ERROR * length);
        let least = pair.sets.least(direction);
        assert!(gap > 0.0 && least >= gap - ERROR * length);
    }
    if let Some(ends) = found.portal {
        let [b, c, d] = ends.map(|ends| pair.sets.difference(ends));
        assert!(hold_origin([pair.center, b, c, d]), "{ends:?}");
    }
}

/// Pairs that the first direction does not separate.
fn open_pairs(random: &mut Random, count: usize) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for case in 0..count {
        let sets = Sets::random(random, case);
        let direction = if case % 2 == 0 { random.direction() } else { [0.0, 0.0, 2.0] };
        let pair = Pair::new(sets, direction, [0.0, 0.5, 0.9, 1.0][case % 4]);
        if pair.first.gap <= 0.0 {
            pairs.push(pair);
        }
    }
    pairs
}

#[test]
fn answers_are_what_they_promise_and_all_kernels_agree() {
    let pairs = open_pairs(&mut Random::new(11), 4000);
    let (mut beyond, mut held, mut near) = (0, 0, 0);
    for (pair, found) in pairs.iter().zip(run(&pairs.iter().collect::<Vec<_>>())) {
        check(pair, found);
        match found {
            Found { separated: Some(_), .. } => beyond += 1,
            Found { portal: Some(_), .. } => held += 1,
            _ => near += 1,
        }
    }
    assert!(beyond > 300 && held > 300 && near > 5, "{beyond} {held} {near}");
}

/// The result of a pair depends neither on its lane nor on the pairs beside it.
#[test]
fn no_pair_changes_another() {
    let mut random = Random::new(3);
    let pairs = open_pairs(&mut random, 200);
    let alone: Vec<Found> = pairs.iter().flat_map(|pair| run(&[pair])).collect();
    for _ in 0..60 {
        let chosen: Vec<usize> =
            (0..1 + below(&mut random, 20)).map(|_| below(&mut random, pairs.len())).collect();
        let group: Vec<&Pair> = chosen.iter().map(|&i| &pairs[i]).collect();
        for (found, &number) in run(&group).iter().zip(&chosen) {
            assert_eq!(format!("{found:?}"), format!("{:?}", alone[number]));
        }
    }
}

/// Integers: every determinant is exact, so the place of the origin is known.
#[test]
fn of_integers_nothing_is_mistaken() {
    let mut random = Random::new(5);
    let (mut inside, mut outside, mut given_up) = (0, 0, 0);
    for case in 0..1500 {
        let sets = integer_sets(&mut random);
        let differences = sets.differences();
        if are_flat(&differences) {
            continue;
        }
        let pair = Pair::new(sets, [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7]][case % 2], 0.3);
        let found = run_one(&pair);
        let is_beyond = found.is_none_or(|found| found.separated.is_some());
        if let Some(found) = found {
            check(&pair, found);
        }
        match place(&differences) {
            Place::Inside => {
                inside += 1;
                let is_open = |f: Found| f.separated.is_none() && f.portal.is_none();
                given_up += u32::from(found.is_some_and(is_open));
                assert!(!is_beyond, "{:?} {found:?}", pair.sets.points);
            }
            Place::Outside => {
                outside += 1;
                assert!(is_beyond, "{:?} {found:?}", pair.sets.points);
            }
            // Borrowed corners are no integers, so rounding may separate, but not clearly.
            Place::Border => match found {
                Some(Found { separated: Some((direction, ends)), is_clear, .. }) => {
                    let gap = dot(direction, pair.sets.difference(ends));
                    let length = dot(direction, direction).sqrt();
                    assert!(!is_clear && gap < 1e-13 * length, "{direction:?}, {gap}");
                }
                Some(_) => {}
                None => assert_eq!(pair.first.gap, 0.0),
            },
        }
    }
    assert!(inside > 200 && outside > 200, "{inside} {outside}");
    // If the ray goes through an edge of every portal, rounding decides.
    assert!(given_up * 10 < inside, "{given_up} of {inside}");
}

/// Round sets that nearly touch take few directions, with the same answer in fans.
#[test]
fn fans_answer_as_all_points_do() {
    let mut random = Random::new(9);
    let hulls = [40, 70].map(|count| {
        let points = on_sphere(&mut random, count);
        let arcs = arcs(&points);
        (points, arcs)
    });
    let (mut held, mut open, mut probes) = (0, 0, 0);
    for case in 0..400 {
        let away = random.direction().map(|x| 1.9 * x);
        let chosen = [&hulls[case % 2], &hulls[(case / 2) % 2]];
        let motions =
            [[0.0; 3], away].map(|shift| Pose::from_quaternion(random.rotation(), shift).unwrap());
        let sets = || {
            let points = chosen.map(|(points, _)| points.clone());
            Sets { points, motions, shift: [0.0; 3] }
        };
        let all = run_one(&Pair::new(sets(), away, 0.8));
        let fans = chosen.map(|(points, arcs)| point_cloud(points, arcs));
        let pair = Pair::with(sets(), fans, away, 0.8);
        let by_fans = run_one(&pair);
        assert_eq!(format!("{all:?}"), format!("{by_fans:?}"));
        if let Some(found) = by_fans {
            check(&pair, found);
            held += u32::from(found.portal.is_some());
            probes += found.probes;
            open += 1;
        }
    }
    assert!(held > 40 && open > held + 20, "{held} {open}");
    assert!(probes < 8 * open, "{probes} of {open}");
}

/// So the first direction may lead nowhere; and boolean GJK finds the same.
#[test]
fn a_direction_aside_of_the_ray_is_no_harm() {
    let mut random = Random::new(21);
    let (mut right, mut total) = (0, 0);
    for case in 0..600 {
        let sets = Sets::random(&mut random, 3 * case + 1);
        let Pair { sets, polytopes, center, .. } = Pair::new(sets, [1.0, 0.0, 0.0], 0.2);
        let pair = Pair::with(sets, polytopes, [center[1], -center[0], 0.0], 0.2);
        if pair.first.gap > 0.0 || dot(pair.direction, pair.direction) == 0.0 {
            continue;
        }
        let found = run(&[&pair])[0];
        check(&pair, found);
        let bodies = [0, 1].map(|i| Body::new(&pair.polytopes[i], &pair.sets.motions[i]));
        let gjk = BooleanGjk { bodies, shift: [0.0; 3] };
        total += 1;
        right += u32::from(match gjk.run(pair.direction).origin {
            GjkOutcome::Separated => found.separated.is_some(),
            GjkOutcome::Intersecting(_) => found.portal.is_some(),
            GjkOutcome::Inconclusive => false,
        });
    }
    assert!(right * 20 > total * 19 && total > 100, "{right} of {total}");
}
