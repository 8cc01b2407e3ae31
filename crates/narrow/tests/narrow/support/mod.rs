//! Shapes, random numbers and checks that the tests of this crate share.
#![allow(dead_code, unreachable_pub, clippy::print_stderr, clippy::unwrap_used)]

use xcollide_bounds::{Aabb, KDop, Obb, Sphere};
use xcollide_brep::{FaceId, PolygonMesh};
use xcollide_bvh::classic::box_tree::{BoxTest, BoxTree};
use xcollide_bvh::classic::interval_tree::IntervalTree;
use xcollide_bvh::wide::CompactTree;
use xcollide_narrow::classic::{Arbitrary, EdgeFaceTrees, PatchTrees, SphereOctrees};
use xcollide_narrow::convex::polytope_of;
use xcollide_narrow::mesh::{BinaryTrees, BruteForce, BvhPair, Wide};
use xcollide_narrow::{Formula, Model, NarrowPhase, PairCache, Placed, Query, Semantics, Verdict};

pub use xcollide_fixtures::Random;

/// Says how far a long test is, each tenth of it, if it runs in full.
pub fn progress(run: &xcollide_fixtures::LongRun, done: u64) {
    if run.is_whole && done.is_multiple_of((run.cases / 10).max(1)) {
        eprintln!("{done} of {}", run.cases);
    }
}

/// A pose with a random rotation and a translation of the given length.
pub fn random_pose(random: &mut Random, reach: f64) -> xcollide_narrow::Pose {
    use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
    let q = loop {
        let q = [(); 4].map(|()| random.signed());
        let square: f64 = q.iter().map(|x| x * x).sum();
        if (0.01..=1.0).contains(&square) {
            break Quaternion::new(q[0], q[1], q[2], q[3]);
        }
    };
    let t = [(); 3].map(|()| random.signed() * reach);
    xcollide_narrow::Pose::try_from(Isometry3::from_parts(
        Translation3::from(t),
        UnitQuaternion::new_normalize(q),
    ))
    .unwrap()
}

pub fn model(positions: Vec<[f64; 3]>, faces: &[Vec<u32>]) -> Model {
    Model::from_mesh(PolygonMesh::from_polygons(positions, faces).unwrap()).unwrap()
}

pub fn shape(spec: &str) -> Model {
    Model::from_mesh(xcollide_scenes::shape(spec).unwrap()).unwrap()
}

pub fn unmoved(model: &Model) -> Placed<'_> {
    Placed::new(model, &xcollide_narrow::Pose::IDENTITY).unwrap()
}

/// A body of each kind of formula, about as large as a number, the half space last.
pub fn formulas(size: f64) -> Vec<Formula> {
    use xcollide_convex::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
    let tetrahedron = polytope_of(&shape(&format!("tetrahedron?radius={}", 0.75 * size)));
    let extents = [0.5, 0.75, 0.25].map(|x| x * size);
    vec![
        Formula::Ball(Ball::new(0.75 * size).unwrap()),
        Formula::Capsule(Capsule::new(0.75 * size, 0.25 * size).unwrap()),
        Formula::Cuboid(Cuboid::new(extents).unwrap()),
        Formula::Cylinder(Cylinder::new(0.75 * size, 0.5 * size).unwrap()),
        Formula::Cone(Cone::new(0.75 * size, 0.5 * size).unwrap()),
        Formula::Ellipsoid(Ellipsoid::new(extents).unwrap()),
        Formula::rounded(tetrahedron, 0.25 * size).unwrap(),
        Formula::HalfSpace,
    ]
}

/// An axis-parallel box between two corners; faces are quads, oriented outward.
pub fn cuboid(min: [f64; 3], max: [f64; 3]) -> PolygonMesh {
    let positions = (0..8)
        .map(|i| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { min[axis] } else { max[axis] }))
        .collect();
    PolygonMesh::from_polygons(positions, xcollide_fixtures::cube().1).unwrap()
}

/// Several meshes as one.
pub fn joined(meshes: &[PolygonMesh]) -> PolygonMesh {
    let mut all = PolygonMesh::new();
    for mesh in meshes {
        let offset = all.vertex_count() as u32;
        for &position in mesh.positions() {
            all.push_vertex(position).unwrap();
        }
        for face in mesh.faces() {
            let corners: Vec<u32> = face.outer().iter().map(|v| v.0 + offset).collect();
            all.push_face(&corners).unwrap();
        }
    }
    all
}

/// The mesh with every face turned over.
pub fn flipped(mesh: &PolygonMesh) -> PolygonMesh {
    let faces =
        mesh.faces().map(|face| face.outer().iter().rev().map(|v| v.0).collect::<Vec<u32>>());
    PolygonMesh::from_polygons(mesh.positions().to_vec(), faces).unwrap()
}

/// The algorithm of every hierarchy that follows moving vertices.
pub fn hierarchies() -> Vec<Box<dyn NarrowPhase>> {
    vec![
        Box::new(Wide::new()),
        Box::new(BvhPair::<CompactTree>::new()),
        Box::new(BinaryTrees::<Obb>::new()),
        Box::new(BinaryTrees::<Aabb>::new()),
        Box::new(BinaryTrees::<KDop<18>>::new()),
        Box::new(BinaryTrees::<Sphere>::new()),
        Box::new(BvhPair::<BoxTree>::new()),
        Box::new(EdgeFaceTrees::default()),
        Box::new(EdgeFaceTrees::of_1994()),
        Box::new(BvhPair::<IntervalTree>::new()),
        Box::new(PatchTrees::new()),
    ]
}

/// Every exact algorithm and every combination of pre-checks that keeps it exact.
pub fn exact_algorithms() -> Vec<Box<dyn NarrowPhase>> {
    let mut all = hierarchies();
    all.push(Box::new(SphereOctrees::new()));
    all.push(Box::new(BruteForce));
    all.push(Box::new(EdgeFaceTrees { boxes: BoxTest::Realigned, ..EdgeFaceTrees::default() }));
    for bits in 0..8 {
        for collect in [false, true] {
            all.push(Box::new(Arbitrary {
                edge_object_box: bits & 1 != 0,
                edge_face_box: bits & 2 != 0,
                ordered: bits & 4 != 0,
                collect,
                relaxed: false,
            }));
        }
    }
    all
}

/// Runs every exact algorithm, also with the models exchanged, checks every proof and that all
/// agree, contact sets included; returns the answer.
pub fn agreed(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> (bool, Vec<(FaceId, FaceId)>) {
    agreed_among(&exact_algorithms(), a, b, semantics)
}

/// The same for some algorithms.
pub fn agreed_among(
    algorithms: &[Box<dyn NarrowPhase>],
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
) -> (bool, Vec<(FaceId, FaceId)>) {
    let query = Query::new().semantics(semantics).certify(true);
    let mut answer: Option<(bool, Vec<(FaceId, FaceId)>)> = None;
    for algorithm in algorithms {
        let mut contacts = Vec::new();
        let mut cache = PairCache::new();
        let verdict = algorithm.contacts(a, b, &query, usize::MAX, &mut cache, &mut contacts);
        checked(&verdict, a, b, semantics);
        // The same cache again, in the other order: nothing stale may be used.
        let swapped = algorithm.test(b, a, &query, &mut cache);
        checked(&swapped, b, a, semantics);
        assert_eq!(verdict.decided(), swapped.decided(), "{} is not symmetric", algorithm.name());
        let found = (verdict.is_collision(), contacts);
        match &answer {
            None => answer = Some(found),
            Some(first) => assert_eq!(*first, found, "{} disagrees", algorithm.name()),
        }
    }
    answer.unwrap()
}

/// Asserts that a verdict is decided and its proof holds.
pub fn checked(verdict: &Verdict, a: Placed<'_>, b: Placed<'_>, semantics: Semantics) {
    match verdict {
        Verdict::Collides(witness) => witness.verify(a, b, semantics).unwrap(),
        Verdict::Apart(separation) => separation.verify(a, b, semantics).unwrap(),
        Verdict::Undecided(reason) => panic!("undecided: {reason:?}"),
    }
}
