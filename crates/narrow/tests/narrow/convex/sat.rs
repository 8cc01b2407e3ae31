//! The axes of the separating axis test, without the GJK that follows where none separates.

use xcollide_brep::ConvexHull;
use xcollide_convex::{Body, Pair, Plane, SatSearch};
use xcollide_narrow::convex::{Sat, polytope_of};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Separation, Verdict};
use xcollide_scenes::Random;

type Vector = [f64; 3];

fn of_points(points: &[Vector]) -> Model {
    Model::from_mesh(ConvexHull::of(points).unwrap().into_mesh()).unwrap()
}

/// What the axes say, and how many were tried.
fn axes(a: &Model, b: &Model, there: &Pose) -> (Option<Plane>, u64) {
    let (of_a, of_b) = (polytope_of(a), polytope_of(b));
    let here = Placed::new(a, &Pose::IDENTITY).unwrap();
    let there = Placed::new(b, there).unwrap();
    let [here, there] = [here.pose(), there.pose()];
    let mut pair = Pair::new(Body::new(&of_a, here), Body::new(&of_b, there));
    let plane = SatSearch.separating_axis(&mut pair);
    (plane, pair.primitive_tests())
}

fn meet(a: &Model, b: &Model, there: &Pose) -> bool {
    let here = Placed::new(a, &Pose::IDENTITY).unwrap();
    let there = Placed::new(b, there).unwrap();
    Wide::new().test(here, there, &Query::new(), &mut PairCache::new()).is_collision()
}

/// Hulls of one to nine points of a small grid: bodies, polygons, segments, points.
#[test]
fn whenever_hulls_are_apart_an_axis_parts_them() {
    let mut random = Random::new(41);
    let (mut apart, mut flat, mut hits) = (0, 0, 0);
    for round in 0..6000 {
        let reach = [1.0, 2.0, 4.0, 12.0][round % 4];
        let mut hull = |flat: bool| {
            let count = 1 + (random.bits() % 9) as usize;
            let mut point = || [(); 3].map(|()| random.between(-reach, reach).round());
            let points: Vec<Vector> = (0..count).map(|_| point()).collect();
            let flattened = points.iter().map(|p| [p[0], p[1], if flat { 0.0 } else { p[2] }]);
            of_points(&flattened.collect::<Vec<_>>())
        };
        let (a, b) = (hull(round % 10 == 0), hull(round % 15 == 0));
        let [x, y, z] = [(); 3].map(|()| random.between(-reach, reach).round());
        let there = Pose::from_translation([x, y, z]);
        let (plane, _) = axes(&a, &b, &there);
        if meet(&a, &b, &there) {
            assert!(plane.is_none());
            hits += 1;
            continue;
        }
        // Two points in the origins of their frames have no error bounds: no plane is sure.
        let sure = [&a, &b].iter().any(|m| polytope_of(m).is_certifiable());
        assert_eq!(plane.is_some(), sure, "{:?} {:?} {there:?}", a.mesh(), b.mesh());
        apart += 1;
        let dimensions = [&a, &b].map(|m| polytope_of(m).dimension());
        flat += usize::from(dimensions != [3, 3]);
    }
    assert!(apart > 1500 && flat > 500 && hits > 1000, "{apart} {flat} {hits}");
}

/// The axes of two round bodies that meet are all tried, and they are O(n).
#[test]
fn the_number_of_axes_is_linear() {
    let mut random = Random::new(42);
    for vertices in [20, 100, 500] {
        let round = |seed| {
            let kind = xcollide_scenes::PolytopeKind::Ellipsoid;
            let mesh = xcollide_scenes::polytope(vertices, kind, seed).unwrap();
            Model::from_mesh(mesh).unwrap()
        };
        let (a, b) = (round(1), round(2));
        for _ in 0..10 {
            let [x, y, z] = [(); 3].map(|()| random.between(-0.2, 0.2));
            let (plane, tried) = axes(&a, &b, &Pose::from_translation([x, y, z]));
            assert_eq!(plane, None);
            let edges = [&a, &b].map(|m| polytope_of(m).regions().edge_count() as u64);
            let sum = edges[0] + edges[1];
            assert!(tried > sum / 4 && tried < 2 * sum, "{tried} axes, {edges:?} edges");
        }
    }
}

/// What is kept of an axis are its features: where both bodies turn together, so that the axis is another one, the first that
/// is tried separates again.
#[test]
fn the_features_of_an_axis_turn_with_the_bodies() {
    let mut random = Random::new(43);
    let round = |seed| {
        let kind = xcollide_scenes::PolytopeKind::Ellipsoid;
        Model::from_mesh(xcollide_scenes::polytope(40, kind, seed).unwrap()).unwrap()
    };
    let (a, b) = (round(1), round(2));
    let quarters = [
        [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]],
        [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
        [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
    ];
    let (mut kept, mut searched) = (0, 0);
    for number in 0..90 {
        let away = [1.2, 1.6, 2.2][number / 3 % 3];
        let way = random.direction().map(|x| away * x);
        let poses = [Pose::IDENTITY, Pose::from_translation(way)];
        let turn = Pose::from_matrix(quarters[number % 3], [0.0; 3]).unwrap();
        let turned = poses.map(|pose| turn * pose);
        let mut cache = PairCache::new();
        let mut tried = |poses: &[Pose; 2]| {
            let (a, b) = (Placed::new(&a, &poses[0]).unwrap(), Placed::new(&b, &poses[1]).unwrap());
            let verdict = Sat::default().test(a, b, &Query::new().stats(true), &mut cache);
            let is_plane = matches!(verdict, Verdict::Apart(Separation::Plane(_)));
            (is_plane && cache.stats().fallbacks == 0).then(|| cache.stats().primitive_tests)
        };
        if tried(&poses).is_some_and(|axes| axes > 1) {
            searched += 1;
            kept += usize::from(tried(&turned) == Some(0));
        }
    }
    assert!(searched > 10 && kept == searched, "{kept} of {searched}");
}
