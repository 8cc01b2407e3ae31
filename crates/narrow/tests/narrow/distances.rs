//! Distances and exact tolerances are those of all pairs of triangles.

#![allow(clippy::unwrap_used)]

use crate::support;

use std::time::Duration;

use support::{Random, cuboid, joined, random_pose, shape};
use xcollide_narrow::{Model, PairCache, Placed, Pose, Query, Semantics, Stop, proximity};
use xcollide_predicates::{triangle_distance, triangles_within};

type Triangle = [[f64; 3]; 3];

/// The slow, obviously right twin.
fn all_pairs(a: Placed<'_>, b: Placed<'_>) -> Vec<(Triangle, Triangle)> {
    let count = |placed: Placed<'_>| placed.model().triangulation().len();
    (0..count(a)).flat_map(|s| (0..count(b)).map(move |t| (a.triangle(s), b.triangle(t)))).collect()
}

/// Checks both queries of two surfaces; returns the distance.
fn check(a: Placed<'_>, b: Placed<'_>) -> f64 {
    let pairs = all_pairs(a, b);
    let least = pairs.iter().map(|(s, t)| triangle_distance(s, t)).fold(f64::INFINITY, f64::min);
    let found = proximity::distance(a, b, Semantics::Surface).unwrap();
    assert_eq!(found.value, least);
    let [p, q] = found.points;
    let between = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
    let largest = p.iter().chain(&q).fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!((between - least).abs() <= 1e-11 * (largest + least), "{between} of {least}");
    for tolerance in [0.0, 0.5 * least, least.next_down(), least, least.next_up(), 2.0 * least] {
        let expected = pairs.iter().any(|(s, t)| triangles_within(s, t, tolerance));
        let near = proximity::within(a, b, tolerance, Semantics::Surface);
        assert_eq!(near.is_some(), expected, "tolerance {tolerance} of {least}");
    }
    least
}

#[test]
fn distances_match_brute_force() {
    let models = [
        shape("shape:torus?faces=60"),
        shape("shape:sphere?faces=60"),
        shape("shape:tetraflake?depth=2"),
        shape("shape:soup?faces=40"),
        Model::from_mesh(cuboid([-0.5; 3], [0.5, 0.25, 1.0])).unwrap(),
    ];
    let mut random = Random::new(17);
    let (mut apart, mut together) = (0, 0);
    for round in 0..20 {
        let (a, b) = (&models[round % 5], &models[(round / 5 + round) % 5]);
        let poses = [0.5, 3.0].map(|reach| random_pose(&mut random, reach));
        let [a, b] = [Placed::new(a, &poses[0]).unwrap(), Placed::new(b, &poses[1]).unwrap()];
        if check(a, b) > 0.0 { apart += 1 } else { together += 1 }
    }
    assert!(apart >= 5 && together >= 2, "{apart} apart, {together} together");
}

/// Where world coordinates are coarse, distances of neighbours are a few of their last places.
#[test]
fn distances_match_brute_force_far_from_the_origin() {
    let torus = shape("shape:torus?faces=50");
    let mut random = Random::new(18);
    let mut close = 0;
    for (round, far) in [1e3, 1e6, 1e9, 1e12, 1e15].into_iter().enumerate() {
        for gap in [0.0, 1e-9, 1e-3, 1.0] {
            let at = random_pose(&mut random, far);
            let size = torus.local_box().size()[0];
            let aside = Pose::from_translation([(1.0 + gap) * size, 0.0, 0.0]);
            let poses = [at, at * aside];
            let [a, b] = poses.each_ref().map(|pose| Placed::new(&torus, pose).unwrap());
            close += usize::from(check(a, b) < 0.01 * size && round < 4);
        }
    }
    assert!(close >= 4, "the test sees no neighbours");
}

/// Two pieces of one model are both near; the nearer counts, and the pieces far from the origin
/// that enlarge every bound do not harm.
#[test]
fn the_nearest_of_disjoint_contacts_is_found() {
    let comb = joined(&[
        cuboid([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]),
        cuboid([3.0, 0.0, 0.0], [4.0, 1.0, 1.25]),
        cuboid([1e7, 0.0, 0.0], [1e7 + 1.0, 1.0, 1.0]),
    ]);
    let comb = Model::from_mesh(comb).unwrap();
    let plate = Model::from_mesh(cuboid([-1.0, -1.0, 2.0], [5.0, 2.0, 3.0])).unwrap();
    let identity = Pose::IDENTITY;
    let [a, b] = [&comb, &plate].map(|model| Placed::new(model, &identity).unwrap());
    assert_eq!(check(a, b), 0.75);
    let found = proximity::distance(a, b, Semantics::Solid).unwrap();
    assert_eq!((found.points[0][2], found.points[1][2]), (1.25, 2.0));
    for (drop, distance) in [(0.75, 0.0), (0.75_f64.next_up(), 0.0), (0.5, 0.25)] {
        let pose_lowered = Pose::from_translation([0.0, 0.0, -drop]);
        let lowered = Placed::new(&plate, &pose_lowered).unwrap();
        assert_eq!(check(a, lowered), distance, "lowered by {drop}");
    }
}

#[test]
fn nested_solids_have_no_distance_and_their_surfaces_have() {
    let shell =
        joined(&[cuboid([-5.0; 3], [5.0; 3]), support::flipped(&cuboid([-3.0; 3], [3.0; 3]))]);
    let shell = Model::from_mesh(shell).unwrap();
    let stone = Model::from_mesh(cuboid([-0.5; 3], [0.5; 3])).unwrap();
    let identity = Pose::IDENTITY;
    let a = Placed::new(&shell, &identity).unwrap();
    for (x, solid, surface) in [(0.0, 2.5, 2.5), (4.0, 0.0, 0.5), (9.0, 3.5, 3.5)] {
        let pose_b = Pose::from_translation([x, 0.0, 0.0]);
        let b = Placed::new(&stone, &pose_b).unwrap();
        assert_eq!(check(a, b), surface);
        let found = proximity::distance(a, b, Semantics::Solid).unwrap();
        assert_eq!((found.value, found.faces.is_none()), (solid, solid == 0.0));
        assert_eq!(proximity::within(a, b, 0.0, Semantics::Solid).is_some(), solid == 0.0);
    }
}

#[test]
fn what_has_no_faces_has_no_distance() {
    let none = support::model(vec![[0.0; 3]], &[]);
    let some = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3])).unwrap();
    let identity = Pose::IDENTITY;
    let [a, b] = [&none, &some].map(|model| Placed::new(model, &identity).unwrap());
    for (a, b) in [(a, b), (b, a), (a, a)] {
        assert_eq!(proximity::distance(a, b, Semantics::Solid), None);
        assert_eq!(proximity::within(a, b, f64::INFINITY, Semantics::Solid), None);
    }
}

/// The bounds hold the true distance and keep the error that is allowed; without one, it is the distance.
#[test]
fn a_bounded_distance_keeps_its_error() {
    let models = ["shape:torus?faces=400", "shape:knot?faces=600", "shape:sphere?faces=200"];
    let models = models.map(shape);
    let mut random = Random::new(77);
    let (mut inexact, mut count) = (0, 0);
    for round in 0..120 {
        let poses = [(); 2].map(|()| random_pose(&mut random, 3.0));
        let place =
            |k: usize| Placed::new(&models[(round + k * round / 3) % 3], &poses[k]).unwrap();
        let (a, b) = (place(0), place(1));
        for semantics in [Semantics::Surface, Semantics::Solid] {
            let exact = proximity::distance(a, b, semantics).unwrap();
            let bounded = |relative, absolute| {
                proximity::bounded_distance(a, b, relative, absolute, semantics).unwrap()
            };
            assert_eq!(bounded(0.0, 0.0).nearest, exact);
            assert_eq!(bounded(f64::NAN, -1.0).nearest, exact);
            for (relative, absolute) in
                [(0.0, 0.0), (0.01, 0.0), (0.5, 0.0), (0.0, 0.1), (0.2, 0.5)]
            {
                let found = bounded(relative, absolute);
                let value = found.nearest.value;
                assert!(found.at_least <= exact.value && exact.value <= value);
                let rounding = 1e-9 * (1.0 + value);
                assert!(
                    value <= found.at_least * (1.0 + relative) + absolute + rounding,
                    "{found:?}"
                );
                inexact += usize::from(value > exact.value);
                count += 1;
            }
        }
    }
    assert!(inexact > count / 20, "{inexact} of {count}");
}

/// Whenever the time is over, both bounds hold; with enough time the distance is that without a limit.
#[test]
fn a_distance_in_time_is_between_its_bounds() {
    let models = [shape("shape:knot?faces=3000"), shape("shape:torus?faces=2000")];
    let mut random = Random::new(78);
    let (mut ended, mut sharp) = (0, 0);
    for round in 0..24 {
        let poses = [(); 2].map(|()| random_pose(&mut random, [3.0, 9.0][round % 2]));
        let [a, b] = [0, 1].map(|k| Placed::new(&models[k], &poses[k]).unwrap());
        for semantics in [Semantics::Surface, Semantics::Solid] {
            let exact = proximity::distance(a, b, semantics).unwrap();
            let query = Query::new().semantics(semantics);
            let in_time = |query: &Query, cache: &mut PairCache| {
                let found = proximity::distance_in_time(a, b, query, cache).unwrap();
                assert!(found.at_least <= exact.value, "{found:?} of {exact:?}");
                assert!(exact.value <= found.nearest.value, "{found:?} of {exact:?}");
                if found.parts_left == 0 {
                    assert_eq!(found.nearest, exact);
                    assert!(found.at_least >= exact.value * (1.0 - 1e-8) - 1e-9, "{found:?}");
                }
                found
            };
            let cache = &mut PairCache::new();
            assert_eq!(in_time(&query, cache).parts_left, 0);
            in_time(&query.stats(true), cache);
            assert!(cache.stats().volume_tests > 0 && cache.stats().primitive_tests > 0);
            for step in 0..30 {
                let budget = Duration::from_secs_f64(1e-6 * 1.3_f64.powi(step));
                let found = in_time(&query.budget(budget), cache);
                ended += usize::from(found.parts_left > 0);
                sharp += usize::from(found.parts_left > 0 && 2.0 * found.at_least > exact.value);
            }
            let (stop, mut cache) = (Stop::new(), PairCache::new());
            stop.stop();
            cache.set_stop(Some(stop));
            let found = in_time(&query, &mut cache);
            assert!(found.parts_left > 0 || found.nearest.value == 0.0);
        }
    }
    assert!(ended > 100 && sharp > 10, "{ended} {sharp}");
}
