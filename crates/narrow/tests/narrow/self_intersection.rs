//! Self-intersections against a slow twin in integers, and what the shapes promise.

#![allow(clippy::unwrap_used)]

mod integer_twin;
mod smooth_regions;

use std::time::Duration;

use crate::support::{Random, joined, model, shape};
use integer_twin::{Grid, IntegerMesh, integer_mesh, shared};
use smooth_regions::{sphere, turned_over};
use xcollide_brep::{FaceId, PolygonMesh};
use xcollide_fixtures::long_run;
use xcollide_narrow::self_intersection::{
    SelfIntersections, SelfSearch, SelfVerdict, self_intersections,
};
use xcollide_narrow::{Grain, Model, PairCache, Placed, Pose, ProofError, Query, Reason, Stop};
use xcollide_predicates::triangles_intersect;

/// Compares `meshes` meshes with the twin. Of some the proofs are verified too, and whatever else gives an answer.
fn compare(meshes: u64, seed: u64) {
    let mut random = Random::new(seed);
    let mut met = [0; 8];
    let mut cache = PairCache::new();
    for round in 0..meshes as usize {
        let mesh = integer_mesh(&mut random, round);
        let expected = mesh.pairs();
        let model = mesh.model();
        let found = SelfSearch::new().pairs(&model, usize::MAX, &Query::new(), &mut cache);
        assert_eq!(found.pairs, expected, "{:?} {:?}", mesh.corners, mesh.faces);
        assert_eq!(found.verdict.decided(), Some(!expected.is_empty()));
        met[round % 8] += usize::from(!expected.is_empty());
        if round / 8 % 16 == 0 {
            found.verdict.verify(&model).unwrap();
            check_ways(&model, &expected);
        }
    }
    let each = meshes as usize / 8;
    assert!(met.iter().all(|&met| met > each / 20), "too few that meet: {met:?} of {each}");
    assert!(met[6] < each * 19 / 20 && met[7] < each * 19 / 20, "too few are clear: {met:?}");
}

/// Every way to ask gives the same answer.
fn check_ways(model: &Model, expected: &[[FaceId; 2]]) {
    let mut cache = PairCache::new();
    let search = SelfSearch::new();
    let verdict = search.test(model, &Query::new(), &mut cache);
    assert_eq!(verdict.decided(), Some(!expected.is_empty()));
    verdict.verify(model).unwrap();
    for limit in [0, 1, 2, expected.len()] {
        for grain in [Grain::Coarse, Grain::Fine] {
            let query = Query::new().grain(grain).stats(true);
            let found = search.pairs(model, limit, &query, &mut cache);
            assert!(found.complete);
            assert_eq!(found.count, expected.len());
            assert_eq!(found.pairs, expected[..limit.min(expected.len())]);
            found.verdict.verify(model).unwrap();
        }
    }
    let fine = search.test(model, &Query::new().grain(Grain::Fine), &mut cache);
    assert_eq!(fine, verdict, "threads change nothing");
}

#[test]
fn pairs_are_those_of_the_integer_twin() {
    compare(8000, 1);
}

#[test]
fn self_intersections_of_integer_meshes_soak() {
    let run = long_run(2000, 1_000_000);
    compare(run.cases, 2 + run.seed);
}

fn faces(pairs: &[[u32; 2]]) -> Vec<[FaceId; 2]> {
    pairs.iter().map(|pair| pair.map(FaceId)).collect()
}

fn found(positions: &[[f64; 3]], polygons: &[&[u32]]) -> Vec<[FaceId; 2]> {
    let polygons: Vec<Vec<u32>> = polygons.iter().map(|face| face.to_vec()).collect();
    let model = model(positions.to_vec(), &polygons);
    let found = self_intersections(&model, &Query::new());
    found.verdict.verify(&model).unwrap();
    check_ways(&model, &found.pairs);
    found.pairs
}

const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];

/// What it shows, the faces, and the pairs.
type Case = (&'static str, &'static [&'static [u32]], &'static [[u32; 2]]);

#[test]
fn named_triangles() {
    let mut corners = SQUARE.to_vec();
    corners.extend([[2.0, 2.0, 0.0], [2.0, 2.0, 3.0], [1.0, 1.0, 0.0], SQUARE[0]]);
    let cases: [Case; 14] = [
        ("neighbours in a plane", &[&[0, 1, 2], &[0, 2, 3]], &[]),
        ("neighbours of opposite windings", &[&[0, 1, 2], &[0, 3, 2]], &[]),
        ("a fold-over", &[&[0, 1, 2], &[0, 1, 3]], &[[0, 1]]),
        ("a duplicate", &[&[0, 1, 2], &[2, 1, 0]], &[[0, 1]]),
        ("a duplicate without area", &[&[0, 4, 2], &[2, 4, 0]], &[]),
        ("a vertex in a neighbour's edge", &[&[0, 1, 2], &[2, 3, 4]], &[[0, 1]]),
        ("a vertex in an edge, nothing shared", &[&[0, 1, 2], &[4, 3, 5]], &[[0, 1]]),
        ("vertices that coincide", &[&[0, 1, 2], &[7, 3, 5]], &[[0, 1]]),
        ("an edge that coincides but for a number", &[&[0, 1, 2], &[7, 2, 3]], &[[0, 1]]),
        ("a face of one corner on another", &[&[0, 1, 2], &[4]], &[[0, 1]]),
        ("faces of one and two corners", &[&[0, 1], &[0], &[1, 0], &[1, 2]], &[]),
        ("a face of two corners across a diagonal", &[&[0, 1, 3], &[0, 6]], &[[0, 1]]),
        ("a spike in the edge of another", &[&[0, 1, 2], &[2, 0, 4]], &[]),
        ("a spike beyond the edge, between two", &[&[0, 4, 5], &[0, 4, 2], &[4, 2, 3]], &[]),
    ];
    for (name, polygons, expected) in cases {
        assert_eq!(found(&corners, polygons), faces(expected), "{name}");
    }
}

/// Faces of several triangles: a shared edge may be a diagonal of one, or covered by several edges.
#[test]
fn named_polygons() {
    let mut corners = SQUARE.to_vec();
    corners.extend([[2.0, 0.0, 0.0], [2.0, -3.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 5.0]]);
    let cases: [Case; 9] = [
        ("a wall on an edge of a square", &[&[0, 1, 2, 3], &[0, 1, 7]], &[]),
        ("a wall on the diagonal of a square", &[&[0, 1, 2, 3], &[0, 2, 7]], &[[0, 1]]),
        ("both diagonals", &[&[0, 1, 2, 3], &[1, 3, 7], &[0, 2, 7]], &[[0, 1], [0, 2], [1, 2]]),
        ("a vertex in an edge of both", &[&[0, 4, 1, 2, 3], &[4, 0, 5], &[1, 4, 5]], &[]),
        (
            "a vertex in the edge of one",
            &[&[0, 1, 2, 3], &[4, 0, 5], &[1, 4, 5]],
            &[[0, 1], [0, 2]],
        ),
        ("the same square twice", &[&[0, 1, 2, 3], &[3, 2, 1, 0]], &[[0, 1]]),
        ("a face of two corners on an edge", &[&[0, 1, 2, 3], &[0, 1]], &[]),
        ("a face of two corners on the diagonal", &[&[0, 1, 2, 3], &[0, 2]], &[[0, 1]]),
        ("a face of one corner within", &[&[0, 1, 2, 3], &[6]], &[[0, 1]]),
    ];
    for (name, polygons, expected) in cases {
        assert_eq!(found(&corners, polygons), faces(expected), "{name}");
    }
}

/// Two squares of a sheet share an edge or a vertex, which covers what their triangles may have in common.
#[test]
fn pairs_of_squares_are_those_of_the_integer_twin() {
    let mut random = Random::new(7);
    let mut met = 0;
    for _ in 0..400 {
        let mut corners: Vec<Grid> =
            (0..5).flat_map(|i| (0..5).map(move |j| [2 * i, 2 * j, 0])).collect();
        for _ in 0..3 {
            corners[random.below(25)] = [(); 3].map(|()| random.integer(-1, 9));
        }
        let squares: Vec<Vec<u32>> = (0..16_u32)
            .map(|n| (n / 4 * 5) + n % 4)
            .map(|at| vec![at, at + 5, at + 6, at + 1])
            .collect();
        let positions = corners.iter().map(|p| p.map(|x| x as f64)).collect();
        let model = model(positions, &squares);
        let triangulation = model.triangulation();
        let triangles: Vec<[u32; 3]> =
            triangulation.triangles().iter().map(|t| t.map(|v| v.0)).collect();
        let mesh = IntegerMesh { corners, faces: triangles };
        let mut expected = Vec::new();
        for (a, b) in (0..16).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let shared = shared(&squares[a], &squares[b]);
            let pair = [a, b].map(FaceId::from_index);
            let [of_a, of_b] = pair.map(|face| &mesh.faces[triangulation.triangles_of(face)]);
            if of_a.iter().any(|&s| of_b.iter().any(|&t| mesh.meet_outside(&shared, s, t))) {
                expected.push(pair);
            }
        }
        expected.sort_unstable();
        let found = self_intersections(&model, &Query::new());
        assert_eq!(found.pairs, expected, "{:?}", mesh.corners);
        met += usize::from(!expected.is_empty());
        found.verdict.verify(&model).unwrap();
    }
    assert!(met > 100 && met < 400, "{met}");
}

/// Of the generated shapes, the Klein bottle passes through itself and a soup does as it likes; the others must not.
#[test]
fn generated_shapes_are_embedded_but_for_two() {
    for name in xcollide_scenes::list().iter().map(|shape| shape.name) {
        let model = shape(&format!("shape:{name}"));
        let found = self_intersections(&model, &Query::new());
        assert!(found.complete);
        if !["klein", "soup"].contains(&name) {
            assert_eq!(found.verdict, SelfVerdict::Clear, "{name}");
            continue;
        }
        found.verdict.verify(&model).unwrap();
        assert!(found.count > 10, "{name}: {}", found.count);
        // No more and no fewer, pair by pair.
        let faces = || (0..model.mesh().face_count()).map(FaceId::from_index);
        let placed = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let share = |[a, b]: [FaceId; 2]| {
            let corners = model.mesh().face(b).corners();
            model.mesh().face(a).corners().iter().any(|corner| corners.contains(corner))
        };
        let meet = |[a, b]: [FaceId; 2]| {
            let of_b = model.triangulation().triangles_of(b);
            model.triangulation().triangles_of(a).any(|s| {
                of_b.clone().any(|t| triangles_intersect(&placed.triangle(s), &placed.triangle(t)))
            })
        };
        let far: Vec<[FaceId; 2]> = faces()
            .flat_map(|a| faces().skip(a.index() + 1).map(move |b| [a, b]))
            .filter(|&pair| !share(pair) && meet(pair))
            .collect();
        let of_far: Vec<_> = found.pairs.iter().copied().filter(|&pair| !share(pair)).collect();
        assert_eq!(of_far, far, "{name}: faces that share no vertex");
    }
}

/// The bits at the ends of the range of f64: an exact scale changes nothing.
#[test]
fn scale_changes_nothing() {
    let mut random = Random::new(5);
    for round in 0..300 {
        let mesh = integer_mesh(&mut random, round);
        let expected = mesh.pairs();
        for exponent in [-1070, -600, 600, 1019] {
            let scale = |x: i64| {
                x as f64 * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2)
            };
            let positions = mesh.corners.iter().map(|p| p.map(scale)).collect();
            let faces: Vec<Vec<u32>> = mesh.faces.iter().map(|face| face.to_vec()).collect();
            let model = model(positions, &faces);
            assert_eq!(self_intersections(&model, &Query::new()).pairs, expected, "2^{exponent}");
        }
    }
}

#[test]
fn a_query_ends_when_its_time_is_over_or_it_is_stopped() {
    let model = shape("shape:sphere?faces=5000");
    let late = Query::new().budget(Duration::ZERO);
    let undecided = SelfVerdict::Undecided(Reason::OutOfTime);
    let mut cache = PairCache::new();
    assert_eq!(SelfSearch::new().test(&model, &late, &mut cache), undecided);
    let found = SelfSearch::new().pairs(&model, 9, &late, &mut cache);
    let nothing =
        SelfIntersections { verdict: undecided, count: 0, pairs: vec![], complete: false };
    assert_eq!(found, nothing);
    let stop = Stop::new();
    cache.set_stop(Some(stop.clone()));
    assert_eq!(SelfSearch::new().test(&model, &Query::new(), &mut cache), SelfVerdict::Clear);
    stop.stop();
    assert_eq!(SelfSearch::new().test(&model, &Query::new(), &mut cache), nothing.verdict);
}

/// A search that the time ends tells where it was and how much was left; the pairs that it has shown are pairs. On several threads, too.
#[test]
fn what_was_left_of_a_search_is_told() {
    let clear = turned_over(&xcollide_scenes::shape("shape:sphere?faces=4000").unwrap());
    let tangled = turned_over(&xcollide_scenes::shape("shape:cubes?n=5").unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for model in [&clear, &tangled] {
        let search = SelfSearch::new();
        search.prepare(model);
        let all = self_intersections(model, &Query::new()).pairs;
        let placed = Placed::new(model, &Pose::IDENTITY).unwrap();
        for grain in [Grain::Coarse, Grain::Fine] {
            let (mut unfinished, mut parts_left) = (0, 0);
            for round in 0..100 {
                let budget = Duration::from_secs_f64(1e-6 * 1.15_f64.powi(round));
                let query = Query::new().grain(grain).budget(budget);
                let found =
                    pool.install(|| search.pairs(model, usize::MAX, &query, &mut PairCache::new()));
                assert!(found.pairs.iter().all(|pair| all.binary_search(pair).is_ok()));
                match found.verdict {
                    SelfVerdict::Undecided(reason @ Reason::Unfinished { near, parts }) => {
                        assert!(reason.is_out_of_time() && !found.complete && parts > 0);
                        near.verify(placed, placed).unwrap();
                        (unfinished, parts_left) = (unfinished + 1, parts.max(parts_left));
                    }
                    SelfVerdict::Undecided(reason) => assert_eq!(reason, Reason::OutOfTime),
                    _ if found.complete => {
                        assert_eq!(found.pairs, all);
                        break;
                    }
                    _ => {}
                }
            }
            assert!(unfinished > 0 && parts_left > 5, "{unfinished} {parts_left} {grain:?}");
        }
    }
}

#[test]
fn work_is_counted() {
    // Every other face is turned over, so that no region is smooth.
    let (model, mut cache) = (turned_over(&sphere()), PairCache::new());
    let query = Query::new().stats(true);
    assert_eq!(SelfSearch::new().test(&model, &query, &mut cache), SelfVerdict::Clear);
    let serial = cache.stats();
    // Each triangle has three neighbours across an edge and some at its corners.
    assert!(serial.primitive_tests >= 6 * 500 && serial.volume_tests > 500, "{serial:?}");
    let fine = query.grain(Grain::Fine);
    assert_eq!(SelfSearch::new().test(&model, &fine, &mut cache), SelfVerdict::Clear);
    assert_eq!(cache.stats(), serial);
}

#[test]
fn false_proofs_are_refuted() {
    let ball = xcollide_scenes::shape("shape:sphere?faces=60").unwrap();
    let moved: Vec<_> = ball.positions().iter().map(|[x, y, z]| [x + 0.5, *y, *z]).collect();
    let two = joined(&[ball.clone(), ball.moved(moved).unwrap()]);
    let both = Model::from_mesh(two).unwrap();
    let one = Model::from_mesh(ball).unwrap();
    assert!(matches!(SelfVerdict::Clear.verify(&both), Err(ProofError::MoreThanShared { .. })));
    let verdict = self_intersections(&both, &Query::new()).verdict;
    verdict.verify(&both).unwrap();
    assert!(verdict.verify(&one).is_err(), "one ball has no such faces, or they are apart");
    // Neighbours meet, but only in what they share.
    let placed = Placed::new(&one, &Pose::IDENTITY).unwrap();
    let next = (1..one.triangulation().len())
        .find_map(|t| xcollide_narrow::Contact::of_triangles(placed, 0, placed, t))
        .unwrap();
    let only_shared = SelfVerdict::Intersects(next).verify(&one);
    assert!(matches!(only_shared, Err(ProofError::OnlyShared { .. })), "{only_shared:?}");
}

#[test]
fn a_model_without_faces_is_clear() {
    let model = Model::from_mesh(PolygonMesh::new()).unwrap();
    check_ways(&model, &[]);
}
