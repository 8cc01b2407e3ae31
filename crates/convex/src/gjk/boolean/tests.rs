//! Against exact integers for small sets, against all differences for others, and the kernels against each other.

use xcollide_math::Pose;
use xcollide_math::vector::{dot, sub};
use xcollide_scenes::Random;
use xcollide_simd::SimdLevel;

use super::*;
use crate::polytope::Polytope;
use crate::tests::hulls::{arcs, on_sphere, point_cloud};
use crate::tests::point_sets::{Place, Sets, Vector, are_flat, hold_origin, integer_sets, place};

/// The result of a search, which must be the same on all levels.
fn run(of: BooleanGjk<'_>, direction: Vector) -> GjkResult {
    let found = of.run(direction);
    for level in SimdLevel::ALL {
        let search = BooleanSearch { direction, shift: of.shift };
        let other = pair_kernel::search_at(level, of.bodies, search);
        assert!(other.is_none_or(|other| bits(&other) == bits(&found)), "{level:?}: {found:?}");
    }
    found
}

fn found(sets: &Sets, direction: Vector) -> GjkResult {
    run(search(sets, &sets.clouds()), direction)
}

fn search<'a>(sets: &'a Sets, [a, b]: &'a [Polytope; 2]) -> BooleanGjk<'a> {
    let bodies = [Body::new(a, &sets.motions[0]), Body::new(b, &sets.motions[1])];
    BooleanGjk { bodies, shift: sets.shift }
}

/// NaN and the two zeros are told apart.
fn bits(found: &GjkResult) -> String {
    format!("{found:?}")
}

/// What each answer promises, of all differences; with an error far above that of the rounding.
fn check(sets: &Sets, found: &GjkResult) {
    const ERROR: f64 = 1e-12;
    let GjkResult { origin, last, probes } = *found;
    let SupportPair { direction, ends, difference, gap, heights } = last;
    assert!((1..=64).contains(&probes));
    assert_eq!(difference, sets.difference(ends));
    assert_eq!(gap, dot(direction, difference));
    assert!((heights[1] - heights[0] - gap).abs() <= ERROR * dot(direction, direction).sqrt());
    match origin {
        GjkOutcome::Separated => {
            let least = sets.least(direction);
            assert!(gap > 0.0 && least >= gap - ERROR * dot(direction, direction).sqrt());
        }
        GjkOutcome::Intersecting(ends) => {
            let corners = ends.map(|ends| sub(sets.difference(ends), sets.shift));
            assert!(hold_origin(corners), "{corners:?}");
        }
        GjkOutcome::Inconclusive => {}
    }
}

#[test]
fn answers_are_what_they_promise_and_all_kernels_agree() {
    let mut random = Random::new(11);
    let (mut beyond, mut held, mut near) = (0, 0, 0);
    for case in 0..4000 {
        let sets = Sets::random(&mut random, case);
        let direction = if case % 2 == 0 { random.direction() } else { [0.0, 0.0, 2.0] };
        let found = found(&sets, direction);
        check(&sets, &found);
        match found.origin {
            GjkOutcome::Separated => beyond += 1,
            GjkOutcome::Intersecting(_) => held += 1,
            GjkOutcome::Inconclusive => near += 1,
        }
    }
    assert!(beyond > 500 && held > 500 && near > 5, "{beyond} {held} {near}");
}

/// Integers: every determinant is exact, so it is known where the origin is. Strictly inside and strictly
/// outside it is found, whatever the first direction.
#[test]
fn of_integers_nothing_is_mistaken() {
    let mut random = Random::new(5);
    let (mut inside, mut outside, mut given_up) = (0, 0, 0);
    for case in 0..1500 {
        let sets = integer_sets(&mut random);
        let found = found(&sets, [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7]][case % 2]);
        check(&sets, &found);
        let differences = sets.differences();
        if are_flat(&differences) {
            continue;
        }
        match place(&differences) {
            Place::Inside => {
                inside += 1;
                given_up += u32::from(found.origin == GjkOutcome::Inconclusive);
                assert!(found.origin != GjkOutcome::Separated);
            }
            Place::Outside => {
                outside += 1;
                assert_eq!(found.origin, GjkOutcome::Separated, "{:?}", sets.points);
            }
            Place::Border => assert!(found.origin != GjkOutcome::Separated),
        }
    }
    assert!(inside > 200 && outside > 200, "{inside} {outside}");
    // Where the origin is on a face between corners, it is in two tetrahedra and strictly in none.
    assert!(given_up * 10 < inside, "{given_up} of {inside}");
}

#[test]
fn two_points_that_coincide_are_inconclusive() {
    let point = point_cloud(&[[0.0; 3]], &[]);
    let bodies = [Body::new(&point, &Pose::IDENTITY); 2];
    let search = BooleanGjk { bodies, shift: [0.0; 3] };
    let found = run(search, [1.0, 0.0, 0.0]);
    assert_eq!(found.origin, GjkOutcome::Inconclusive);
}

/// A search in fans and one of all points find the origin in the same place.
#[test]
fn fans_answer_as_all_points_do() {
    let mut random = Random::new(8);
    let (mut held, mut beyond) = (0, 0);
    for case in 0..24 {
        let counts = [33 + case % 9, if case % 4 == 0 { 12 } else { 36 }];
        let points = counts.map(|count| on_sphere(&mut random, count));
        let [a, b] = &points;
        let of_all = [point_cloud(a, &[]), point_cloud(b, &[])];
        // Few points have no fan.
        let of_b = if counts[1] > 32 { arcs(b) } else { Vec::new() };
        let in_fans = [point_cloud(a, &arcs(a)), point_cloud(b, &of_b)];
        for pose in 0..200 {
            // Most of them nearly touch.
            let apart = if pose % 3 == 0 { random.between(0.2, 2.2) } else { 1.9 };
            let shift = random.direction().map(|x| apart * x);
            let turn = Pose::from_quaternion(random.rotation(), [0.3; 3]).unwrap();
            let motions = [turn, turn.with_translation(shift.map(|x| x + 0.3))];
            let sets = Sets { points: points.clone(), motions, shift: [0.0; 3] };
            let all = run(search(&sets, &of_all), shift);
            let fans = run(search(&sets, &in_fans), shift);
            check(&sets, &fans);
            let kinds = [all.origin, fans.origin].map(|origin| std::mem::discriminant(&origin));
            assert_eq!(kinds[0], kinds[1]);
            held += u32::from(matches!(fans.origin, GjkOutcome::Intersecting(_)));
            beyond += u32::from(fans.origin == GjkOutcome::Separated);
        }
    }
    assert!(held > 500 && beyond > 500, "{held} {beyond}");
}
