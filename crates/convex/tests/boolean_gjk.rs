//! The search for the origin: against exact integers where sets are small, against all differences
//! where they are not, and its kernels against each other, bit for bit.
#![allow(clippy::unwrap_used)]

use xcollide_convex::{
    BooleanGjk, GjkOutcome, GjkResult, GjkStart, NormalFan, PointSet, SupportPair,
};
use xcollide_math::Pose;
use xcollide_scenes::Random;

#[path = "support/brute_hull.rs"]
mod brute_hull;
#[path = "support/point_sets.rs"]
mod point_sets;

use brute_hull::{arcs, on_sphere};
use point_sets::{Place, Sets, Vector, below, determinant, dot, place, sub};

/// What is found from a direction on, by all kernels.
fn found(sets: &Sets, direction: Vector) -> GjkResult {
    let points = sets.points.each_ref().map(|points| PointSet::new(points));
    let search = search(sets, [&points[0], &points[1]], [None; 2]);
    let start = GjkStart::Direction(direction);
    let found = search.run(start);
    assert_eq!(bits(&found), bits(&search.run_portable(start)), "{:?}", sets.points);
    found
}

fn search<'a>(
    sets: &'a Sets,
    points: [&'a PointSet; 2],
    fans: [Option<&'a NormalFan>; 2],
) -> BooleanGjk<'a> {
    let motions = [&sets.motions[0], &sets.motions[1]];
    BooleanGjk { sets: points, fans, motions, shift: sets.shift }
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
    assert!(probes <= 64);
    if probes > 0 {
        assert_eq!(difference, sets.difference(ends));
        assert_eq!(gap, dot(direction, difference));
        assert!((heights[1] - heights[0] - gap).abs() <= ERROR * dot(direction, direction).sqrt());
    }
    match origin {
        GjkOutcome::Separated => {
            let least = sets.differences().into_iter().map(|d| dot(direction, d));
            let least = least.fold(f64::INFINITY, f64::min);
            assert!(gap > 0.0 && least >= gap - ERROR * dot(direction, direction).sqrt());
        }
        GjkOutcome::Intersecting(ends) => {
            let [a, b, c, d] = ends.map(|ends| sub(sets.difference(ends), sets.shift));
            let parts = [
                determinant(b, c, d),
                -determinant(a, c, d),
                determinant(a, b, d),
                -determinant(a, b, c),
            ];
            let all: f64 = parts.iter().sum();
            assert!(parts.iter().all(|part| part / all >= -1e-7), "{parts:?}");
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
        let mut point = || [(); 3].map(|()| random.between(-4.0, 4.0).round());
        let points = [(); 2].map(|()| (0..4).map(|_| point()).collect::<Vec<Vector>>());
        let motions = [Pose::IDENTITY, Pose::from_translation(point())];
        let sets = Sets { points, motions, shift: [0.0; 3] };
        let found = found(&sets, [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7]][case % 2]);
        check(&sets, &found);
        let differences = sets.differences();
        let flat =
            |&a: &Vector, &b: &Vector| differences.iter().all(|&c| determinant(a, b, c) == 0.0);
        if differences.iter().all(|a| differences.iter().all(|b| flat(a, b))) {
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

/// A simplex that does not hold the origin is as good a start as any.
#[test]
fn a_search_goes_on_from_a_feature() {
    let mut random = Random::new(3);
    let (mut same, mut total) = (0, 0);
    for case in 1..2000 {
        let sets = Sets::random(&mut random, 3 * case + 1);
        let points = sets.points.each_ref().map(|points| PointSet::new(points));
        let search = search(&sets, [&points[0], &points[1]], [None; 2]);
        let direct = search.run(GjkStart::Direction([1.0, 0.2, 0.1]));
        let mut some = || {
            let ends = sets.points.each_ref().map(|points| below(&mut random, points.len()) as u32);
            (sub(sets.difference(ends), sets.shift), ends)
        };
        let corner = some();
        if dot(corner.0, corner.0) == 0.0 {
            continue;
        }
        let start = GjkStart::Feature { corners: &[corner], direction: corner.0 };
        let found = search.run(start);
        check(&sets, &found);
        assert_eq!(bits(&found), bits(&search.run_portable(start)));
        total += 1;
        same += u32::from(
            std::mem::discriminant(&found.origin) == std::mem::discriminant(&direct.origin),
        );
    }
    assert!(same * 100 >= total * 99, "{same} of {total}");
    let set = PointSet::new(&[[0.0; 3]]);
    let search = BooleanGjk {
        sets: [&set, &set],
        fans: [None; 2],
        motions: [&Pose::IDENTITY, &Pose::IDENTITY],
        shift: [0.0; 3],
    };
    let nothing = search.run(GjkStart::Feature { corners: &[], direction: [1.0, 0.0, 0.0] });
    assert_eq!((nothing.origin, nothing.probes), (GjkOutcome::Inconclusive, 0));
    let coincide = search.run(GjkStart::Direction([1.0, 0.0, 0.0]));
    assert_eq!(coincide.origin, GjkOutcome::Inconclusive, "two points that coincide");
}

/// Looked up or looked at, the origin is in the same place, on all kernels.
#[test]
fn what_is_looked_up_is_as_good_as_what_is_looked_at() {
    let mut random = Random::new(8);
    let (mut held, mut beyond) = (0, 0);
    for case in 0..24 {
        let counts = [33 + case % 9, if case % 4 == 0 { 12 } else { 36 }];
        let points = counts.map(|count| on_sphere(&mut random, count));
        let fans = points.each_ref().map(|points| NormalFan::new(points, &arcs(points)));
        let of_points = points.each_ref().map(|points| PointSet::new(points));
        for pose in 0..200 {
            // Most of them nearly in touch.
            let apart = if pose % 3 == 0 { random.between(0.2, 2.2) } else { 1.9 };
            let shift = random.direction().map(|x| apart * x);
            let turn = Pose::from_quaternion(random.rotation(), [0.3; 3]).unwrap();
            let motions = [turn, turn.with_translation(shift.map(|x| x + 0.3))];
            let sets = Sets { points: points.clone(), motions, shift: [0.0; 3] };
            let of_points = [&of_points[0], &of_points[1]];
            let looked_at = search(&sets, of_points, [None; 2]);
            // The second has none where there are few.
            let second = (counts[1] > 32).then_some(&fans[1]);
            let looked_up = search(&sets, of_points, [Some(&fans[0]), second]);
            let start = GjkStart::Direction(shift);
            let [at, up] = [looked_at.run(start), looked_up.run(start)];
            check(&sets, &up);
            assert_eq!(bits(&up), bits(&looked_up.run_portable(start)));
            let kinds = [at.origin, up.origin].map(|origin| std::mem::discriminant(&origin));
            assert_eq!(kinds[0], kinds[1]);
            held += u32::from(matches!(up.origin, GjkOutcome::Intersecting(_)));
            beyond += u32::from(up.origin == GjkOutcome::Separated);
        }
    }
    assert!(held > 500 && beyond > 500, "{held} {beyond}");
}
