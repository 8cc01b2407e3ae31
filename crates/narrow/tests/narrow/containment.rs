//! Points in bodies by a hierarchy are what they are by a pass over all triangles: on vertices,
//! edges and faces, on rays through them, for every kind of mesh.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Random, cuboid, flipped, hierarchies, joined, random_pose};
use xcollide_brep::{Interior, PolygonMesh};
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};

fn shape(spec: &str) -> PolygonMesh {
    xcollide_scenes::shape(spec).unwrap()
}

/// The mesh without its first face.
fn opened(mesh: &PolygonMesh) -> PolygonMesh {
    let faces = mesh.faces().skip(1);
    let faces: Vec<Vec<u32>> = faces.map(|f| f.outer().iter().map(|v| v.0).collect()).collect();
    PolygonMesh::from_polygons(mesh.positions().to_vec(), &faces).unwrap()
}

/// The mesh with its first face turned over.
fn half_flipped(mesh: &PolygonMesh) -> PolygonMesh {
    let faces: Vec<Vec<u32>> = mesh
        .faces()
        .enumerate()
        .map(|(i, face)| {
            let corners = face.outer().iter().map(|v| v.0);
            if i == 0 { corners.rev().collect() } else { corners.collect() }
        })
        .collect();
    PolygonMesh::from_polygons(mesh.positions().to_vec(), &faces).unwrap()
}

fn meshes() -> Vec<(&'static str, PolygonMesh, Interior)> {
    let sphere = shape("shape:sphere?faces=900");
    let torus = shape("shape:torus?faces=800");
    let small = {
        let at = |p: &[f64; 3]| p.map(|x| 0.5 * x);
        let positions = sphere.positions().iter().map(at).collect();
        let faces: Vec<Vec<u32>> =
            sphere.faces().map(|f| f.outer().iter().map(|v| v.0).collect()).collect();
        PolygonMesh::from_polygons(positions, &faces).unwrap()
    };
    vec![
        ("sphere", sphere.clone(), Interior::Winding),
        ("inward", flipped(&torus), Interior::Winding),
        ("hollow", joined(&[sphere.clone(), flipped(&small)]), Interior::Winding),
        ("filled twice", joined(&[sphere.clone(), small]), Interior::Winding),
        ("overlapping", joined(&[sphere.clone(), torus.clone()]), Interior::Winding),
        ("cubes", shape("shape:cubes?n=5"), Interior::Winding),
        ("parity", half_flipped(&torus), Interior::Parity),
        ("open", opened(&sphere), Interior::None),
    ]
}

/// Points where it is hard: on corners, edges and faces, at the same heights as vertices, and near.
fn points(placed: Placed<'_>, random: &mut Random) -> Vec<[f64; 3]> {
    let triangles = placed.model().triangulation().len();
    let middle = |p: [f64; 3], q: [f64; 3]| [0, 1, 2].map(|k| 0.5 * p[k] + 0.5 * q[k]);
    let bounds = placed.world_box();
    let mut points = vec![bounds.center()];
    for _ in 0..40 {
        let [a, b, c] = placed.triangle(random.integer(0, triangles as i64 - 1) as usize);
        let edge = middle(a, b);
        let face = middle(edge, c);
        for p in [a, edge, face] {
            points.push(p);
            points.push([bounds.min[0], p[1], p[2]]);
            points.push([p[0] * 0.5 + bounds.center()[0] * 0.5, p[1], p[2]]);
            points.push([p[0], p[1], p[2].next_up()]);
        }
        points.push(
            [0, 1, 2].map(|k| {
                bounds.center()[k] + 0.5 * random.signed() * (bounds.max[k] - bounds.min[k])
            }),
        );
    }
    points
}

#[test]
fn points_are_located_by_a_hierarchy_as_by_all_triangles() {
    let mut random = Random::new(5);
    for (name, mesh, interior) in meshes() {
        let plain = Model::from_mesh(mesh.clone()).unwrap();
        let prepared = Model::from_mesh(mesh).unwrap();
        Wide::new().prepare(&prepared).unwrap();
        assert_eq!(plain.interior(), interior, "{name}");
        let mut seen = [0; 3];
        let far = Pose::from_translation([1e8, -3e7, 5e6]);
        for pose in [Pose::IDENTITY, random_pose(&mut random, 1.0), far] {
            let of = |model| Placed::new(model, &pose).unwrap();
            for point in points(of(&plain), &mut random) {
                let expected = locate(of(&plain), point);
                assert_eq!(locate(of(&prepared), point), expected, "{name}: {point:?}");
                seen[expected as usize] += 1;
            }
        }
        let kinds = if interior == Interior::None { &seen[1..] } else { &seen[..] };
        assert!(kinds.iter().all(|&count| count > 20), "{name}: {seen:?}");
    }
}

/// Bodies in bodies by every hierarchy as by the algorithm that has none, also with many pieces.
#[test]
fn nested_bodies_are_found_by_every_hierarchy() {
    let cube = |at: [f64; 3]| cuboid(at.map(|x| x - 0.01), at.map(|x| x + 0.01));
    let mut random = Random::new(6);
    let one = Model::from_mesh(cube([0.0; 3])).unwrap();
    let many: Vec<PolygonMesh> =
        (0..30).map(|_| cube([random.signed(), random.signed(), random.signed()])).collect();
    let many = Model::from_mesh(joined(&many)).unwrap();
    let mut answers = [0; 2];
    for (name, mesh, _) in meshes() {
        let outer = Model::from_mesh(mesh).unwrap();
        let a = Placed::new(&outer, &Pose::IDENTITY).unwrap();
        for _ in 0..12 {
            for inner in [&one, &many] {
                let pose = random_pose(&mut random, if inner.is_same(&one) { 1.0 } else { 0.1 });
                let b = Placed::new(inner, &pose).unwrap();
                let ask = |algorithm: &dyn NarrowPhase| {
                    algorithm.test(a, b, &Query::new(), &mut PairCache::new()).decided()
                };
                let expected = ask(&Arbitrary::default());
                answers[usize::from(expected == Some(true))] += 1;
                for algorithm in hierarchies() {
                    assert_eq!(ask(&*algorithm), expected, "{name}: {}", algorithm.name());
                }
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 10), "{answers:?}");
    assert_eq!(Location::Inside as usize, 0, "as counted above");
}
