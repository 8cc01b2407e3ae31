//! Against exact integers for small sets, against all differences for others, and the kernels against each other.

use xcollide_math::Pose;
use xcollide_math::vector::{dot, sub};
use xcollide_scenes::Random;
use xcollide_simd::SimdLevel;

use super::*;
use crate::polytope::Polytope;
use crate::tests::hulls::{arcs, on_sphere, point_cloud};
use crate::tests::point_sets::{
    Place, Sets, Vector, are_flat, hold_origin, integer_sets, place, weights,
};

/// An error far above that of rounding.
const ERROR: f64 = 1e-12;

fn mean(points: &[Vector], motion: &Pose) -> Vector {
    let share = 1.0 / points.len() as f64;
    let sum = points.iter().fold([0.0; 3], |s: Vector, p| [s[0] + p[0], s[1] + p[1], s[2] + p[2]]);
    motion.apply(sum.map(|x| x * share))
}

fn centers(sets: &Sets) -> [Vector; 2] {
    [0, 1].map(|i| mean(&sets.points[i], &sets.motions[i]))
}

/// The result of a search to any depth, which must be the same on all levels.
fn run(sets: &Sets, clouds: &[Polytope; 2], direction: Vector, roundness: f64) -> MprPairResult {
    run_to(sets, clouds, direction, roundness, f64::INFINITY)
}

fn run_to(
    sets: &Sets,
    [a, b]: &[Polytope; 2],
    direction: Vector,
    roundness: f64,
    deepest: f64,
) -> MprPairResult {
    let bodies = [Body::new(a, &sets.motions[0]), Body::new(b, &sets.motions[1])];
    let of = MprPair { bodies, centers: centers(sets), direction, roundness, deepest };
    let found = of.run();
    for level in SimdLevel::ALL {
        let other = pair_kernel::search_at(level, bodies, of);
        // NaN and the two zeros are told apart.
        let same = |other: MprPairResult| format!("{other:?}") == format!("{found:?}");
        assert!(other.is_none_or(same), "{level:?}: {found:?}");
    }
    check(sets, &found);
    found
}

/// What each answer promises, of all differences.
fn check(sets: &Sets, found: &MprPairResult) {
    let MprPairResult { origin, last, probes } = *found;
    let SupportPair { direction, ends, difference, gap, heights } = last;
    assert!((1..=MOST_PROBES).contains(&probes));
    assert_eq!((difference, gap), (sets.difference(ends), dot(direction, difference)));
    let length = dot(direction, direction).sqrt();
    assert!((heights[1] - heights[0] - gap).abs() <= ERROR * length);
    match origin {
        MprOutcome::Separated => {
            let least = sets.least(direction);
            assert!(gap > 0.0 && least >= gap - ERROR * length);
        }
        MprOutcome::Held(PortalPoint { ends, point, of_center, to_twin }) => {
            let [p, q] = centers(sets);
            let [b, c, d] = ends.map(|ends| sets.difference(ends));
            let corners = [sub(q, p), b, c, d];
            assert!(hold_origin(corners), "{corners:?}");
            // The rest is claimed only if no weight is negative.
            if of_center > 1e-3 {
                let weights = weights(corners);
                let corners =
                    ends.map(|[end, _]| sets.motions[0].apply(sets.points[0][end as usize]));
                for axis in 0..3 {
                    let sum: f64 = (0..3).map(|i| weights[i + 1] * corners[i][axis]).sum();
                    assert!((weights[0] * p[axis] + sum - point[axis]).abs() < 1e-9);
                }
                assert!((weights[0] - of_center).abs() < 1e-9 && to_twin < 1e-9);
            }
        }
        MprOutcome::Near | MprOutcome::Far => {}
    }
}

#[test]
fn answers_are_what_they_promise_and_all_kernels_agree() {
    let mut random = Random::new(11);
    let (mut separated, mut held, mut near) = (0, 0, 0);
    for case in 0..4000 {
        let sets = Sets::random(&mut random, case);
        let direction = if case % 2 == 0 { random.direction() } else { [0.0, 0.0, 2.0] };
        let roundness = [0.0, 0.5, 0.9, 1.0][case % 4];
        match run(&sets, &sets.clouds(), direction, roundness).origin {
            MprOutcome::Separated => separated += 1,
            MprOutcome::Held(_) => held += 1,
            MprOutcome::Near | MprOutcome::Far => near += 1,
        }
    }
    assert!(separated > 300 && held > 300 && near > 5, "{separated} {held} {near}");
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
        let direction = [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7]][case % 2];
        let found = run(&sets, &sets.clouds(), direction, 0.3);
        match place(&differences) {
            Place::Inside => {
                inside += 1;
                given_up += u32::from(found.origin == MprOutcome::Near);
                assert_ne!(found.origin, MprOutcome::Separated, "{:?}", sets.points);
            }
            Place::Outside => {
                outside += 1;
                assert_eq!(found.origin, MprOutcome::Separated, "{:?}", sets.points);
            }
            // Borrowed corners are no integers, so rounding may separate or hold, but not clearly.
            Place::Border => match found.origin {
                MprOutcome::Separated => {
                    let SupportPair { direction, gap, .. } = found.last;
                    assert!(gap < 1e-13 * dot(direction, direction).sqrt());
                }
                MprOutcome::Held(held) => {
                    assert!(held.of_center.is_nan() || held.of_center <= 1e-13, "{held:?}");
                }
                MprOutcome::Near | MprOutcome::Far => {}
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
    let (mut held, mut separated, mut probes) = (0, 0, 0);
    for case in 0..400 {
        let away = random.direction().map(|x| 1.9 * x);
        let chosen = [&hulls[case % 2], &hulls[(case / 2) % 2]];
        let motions =
            [[0.0; 3], away].map(|shift| Pose::from_quaternion(random.rotation(), shift).unwrap());
        let points = chosen.map(|(points, _)| points.clone());
        let sets = Sets { points, motions, shift: [0.0; 3] };
        let all = run(&sets, &sets.clouds(), away, 0.8);
        let fans = chosen.map(|(points, arcs)| point_cloud(points, arcs));
        let by_fans = run(&sets, &fans, away, 0.8);
        assert_eq!(format!("{all:?}"), format!("{by_fans:?}"));
        held += u32::from(matches!(by_fans.origin, MprOutcome::Held(_)));
        separated += u32::from(by_fans.origin == MprOutcome::Separated);
        probes += by_fans.probes;
    }
    assert!(held > 40 && separated > 40, "{held} {separated}");
    assert!(probes < 6 * 400, "{probes}");
}

/// A search is given up if the points overlap by more than a depth along the first direction, and only then.
#[test]
fn a_recalled_direction_is_a_start_where_the_points_are_near() {
    let mut random = Random::new(5);
    let (mut far, mut others) = (0, 0);
    for case in 1..2000 {
        let sets = Sets::random(&mut random, 3 * case + 1);
        let (clouds, direction) = (sets.clouds(), random.direction());
        let least = sets.differences().into_iter().map(|difference| dot(direction, difference));
        let gap = least.fold(f64::INFINITY, f64::min);
        let depth = random.between(0.5, 1.5) * gap.abs();
        let found = run_to(&sets, &clouds, direction, 0.3, depth);
        if -gap > depth * (1.0 + 1e-9) {
            assert_eq!((found.origin, found.probes), (MprOutcome::Far, 1));
            far += 1;
        } else if -gap < depth * (1.0 - 1e-9) {
            let to_any = run(&sets, &clouds, direction, 0.3);
            assert_eq!(format!("{found:?}"), format!("{to_any:?}"));
            others += 1;
        }
    }
    assert!(far > 300 && others > 300, "{far} {others}");
}

/// A first direction that leads nowhere is replaced.
#[test]
fn a_direction_aside_of_the_ray_is_no_harm() {
    let mut random = Random::new(21);
    let mut decided = 0;
    for case in 0..600 {
        let sets = Sets::random(&mut random, 3 * case + 1);
        let [p, q] = centers(&sets);
        let aside = [q[1] - p[1], p[0] - q[0], 0.0];
        if dot(aside, aside) == 0.0 {
            decided += 1;
            continue;
        }
        let found = run(&sets, &sets.clouds(), aside, 0.2);
        decided += u32::from(found.origin != MprOutcome::Near);
    }
    assert!(decided > 560, "{decided}");
}
