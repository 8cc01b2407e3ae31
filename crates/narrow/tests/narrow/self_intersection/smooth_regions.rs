//! What is left out by proof: nothing that meets.

#![allow(clippy::unwrap_used)]

use super::integer_twin::{IntegerMesh, integer_mesh};
use crate::support::{Random, joined, model, shape};
use xcollide_brep::{FaceId, PolygonMesh};
use xcollide_narrow::self_intersection::{SelfIntersections, SelfSearch};
use xcollide_narrow::{Grain, Model, PairCache, Query};

pub(super) fn sphere() -> PolygonMesh {
    xcollide_scenes::shape("shape:sphere?faces=500").unwrap()
}

/// The same faces, every other one turned over, so that hardly any neighbors face one direction.
pub(super) fn turned_over(mesh: &PolygonMesh) -> Model {
    let faces: Vec<Vec<u32>> = mesh
        .faces()
        .enumerate()
        .map(|(number, face)| {
            let corners = face.outer().iter().map(|v| v.0);
            if number % 2 == 0 { corners.collect() } else { corners.rev().collect() }
        })
        .collect();
    model(mesh.positions().to_vec(), &faces)
}

/// All pairs as they are found where no region is smooth.
fn meeting_faces(mesh: &PolygonMesh) -> Vec<[FaceId; 2]> {
    let (found, tests) = counted(&turned_over(mesh));
    assert!(tests as usize >= 2 * mesh.face_count(), "{tests}");
    found.pairs
}

/// All pairs, and the tests of triangles that they took; by one thread and by several.
fn counted(model: &Model) -> (SelfIntersections, u64) {
    let search = SelfSearch::new();
    let (query, mut cache) = (Query::new().stats(true), PairCache::new());
    let found = search.pairs(model, usize::MAX, &query, &mut cache);
    let tests = cache.stats().primitive_tests;
    let fine = search.pairs(model, usize::MAX, &query.grain(Grain::Fine), &mut cache);
    assert_eq!(fine, found);
    assert_eq!(cache.stats().primitive_tests, tests);
    let verdict = search.test(model, &Query::new(), &mut cache);
    assert_eq!(verdict.is_intersection(), found.count > 0);
    (found, tests)
}

#[test]
fn smooth_regions_need_no_tests_and_nothing_is_lost_that_meets_others() {
    let mut random = Random::new(8);
    for spec in ["sphere?faces=2000", "torus?faces=2000", "knot?faces=3000"] {
        let mesh = xcollide_scenes::shape(&format!("shape:{spec}")).unwrap();
        // Faces with more corners are cut otherwise if they are turned over.
        let triangles = mesh.triangulate();
        let corners = triangles.triangles().iter().map(|corners| corners.map(|v| v.0));
        let mesh = PolygonMesh::from_polygons(mesh.positions().to_vec(), corners).unwrap();
        let shifted: Vec<_> =
            mesh.positions().iter().map(|[x, y, z]| [x + 0.3, *y, z + 0.2]).collect();
        let two = joined(&[mesh.clone(), mesh.moved(shifted).unwrap()]);
        // A body that is squeezed flat, so that its sides pass through each other.
        let through: Vec<_> =
            mesh.positions().iter().map(|[x, y, z]| [*x, *y, z * x.signum()]).collect();
        let rough: Vec<_> =
            mesh.positions().iter().map(|at| at.map(|x| x + 0.02 * random.signed())).collect();
        for mesh in [mesh.clone(), two, mesh.moved(through).unwrap(), mesh.moved(rough).unwrap()] {
            let expected = meeting_faces(&mesh);
            let (found, _) = counted(&Model::from_mesh(mesh).unwrap());
            assert_eq!(found.pairs, expected, "{spec}");
        }
    }
    // Most of a smooth surface is skipped: it has 12 pairs of neighbors for each two triangles.
    let model = shape("shape:sphere?faces=20000");
    let (found, tests) = counted(&model);
    assert!(found.count == 0 && tests < 2 * 20_000, "{tests}");
}

/// A ramp that winds twice about an axis and sinks through its first turn faces upward everywhere, and its outline crosses itself.
#[test]
fn a_region_that_faces_one_direction_may_meet_itself() {
    for steps in [6_u32, 15, 60] {
        let ramp = |step: u32, radius: f64| {
            let angle = f64::from(step) * 4.0 * std::f64::consts::PI / f64::from(steps);
            // It rises for one turn and sinks for another.
            let height = 0.1 * (1.0 - (f64::from(step) / f64::from(steps) - 0.45).abs());
            [radius * angle.cos(), radius * angle.sin(), height]
        };
        let corners = (0..=steps).flat_map(|step| [ramp(step, 1.0), ramp(step, 2.0)]).collect();
        let faces: Vec<Vec<u32>> = (0..steps)
            .map(|step| 2 * step)
            .flat_map(|i| [vec![i, i + 1, i + 2], vec![i + 2, i + 1, i + 3]])
            .collect();
        let model = model(corners, &faces);
        let (found, _) = counted(&model);
        assert!(found.count > 0);
        assert_eq!(found.pairs, meeting_faces(model.mesh()));
    }
}

#[test]
fn surfaces_that_face_nowhere_are_searched_whole() {
    assert_eq!(counted(&turned_over(&sphere())).0.count, 0);
    let empty = Model::from_mesh(PolygonMesh::new()).unwrap();
    assert_eq!(counted(&empty).0.count, 0);
}

/// Sheets over a small grid of integers, whose regions nearly all face upward: their outlines fold, touch and cross.
#[test]
fn sheets_that_face_upward_are_judged_as_by_the_integer_twin() {
    let mut random = Random::new(24);
    let (mut clear, mut skipped) = (0, 0);
    for round in 0..600 {
        let cells = 2 + round % 3;
        let at = |i: usize, j: usize| (i * (cells + 1) + j) as u32;
        let places = (0..cells * cells).map(|cell| (cell / cells, cell % cells));
        let faces = places.flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        });
        // Some corners are moved to others, or past them.
        let often = 6 + 6 * random.below(5);
        let mut corner = |place: usize| {
            let [x, y] = [place / (cells + 1), place % (cells + 1)].map(|k| {
                let step = if random.below(often) == 0 { random.integer(-3, 3) } else { 0 };
                2 * k as i64 + step
            });
            [x, y, random.integer(0, 1)]
        };
        let corners = (0..(cells + 1) * (cells + 1)).map(&mut corner).collect();
        let mesh = IntegerMesh { corners, faces: faces.collect() };
        let (found, tests) = counted(&mesh.model());
        assert_eq!(found.pairs, mesh.pairs(), "{round}");
        clear += usize::from(found.count == 0);
        skipped += usize::from(tests == 0);
    }
    assert!(clear > 100 && clear < 500 && skipped > 50, "{clear} {skipped}");
}

/// What is left out by proof changes the number of tests, and no answer.
#[test]
fn every_pair_can_be_tested_and_the_answers_are_the_same() {
    let mut random = Random::new(31);
    let shapes = ["sphere?faces=2000", "torus?faces=2000", "klein", "box"];
    let mut models: Vec<Model> =
        shapes.iter().map(|spec| shape(&format!("shape:{spec}"))).collect();
    models.extend((0..200).map(|kind| integer_mesh(&mut random, kind).model()));
    let query = Query::new().stats(true);
    for (number, model) in models.iter().enumerate() {
        let (found, tests) = counted(model);
        let (search, mut cache) = (SelfSearch::new().every_pair(), PairCache::new());
        assert_eq!(search.pairs(model, usize::MAX, &query, &mut cache), found, "{number}");
        let all_tests = cache.stats().primitive_tests;
        assert_eq!(search.pairs_left_out(model), 0);
        let left_out = SelfSearch::new().pairs_left_out(model);
        assert!(tests <= all_tests && all_tests - tests <= left_out, "{tests} of {all_tests}");
        // Two triangles of the first two have a dozen pairs of neighbors.
        let is_smooth = number < 2;
        if is_smooth {
            assert!(all_tests >= 5 * 2000 && 4 * tests < all_tests, "{tests} of {all_tests}");
        }
    }
}
