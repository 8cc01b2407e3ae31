//! All contacts of vertices, faces and edges in linear motion: against all pairs by the faces alone, and what follows from
//! there being none.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use proptest::prelude::*;
use xcollide_brep::VertexId;
use xcollide_fixtures::long_run;
use xcollide_narrow::continuous::{
    MeshesVerdict, MovingMesh, PrimitiveContacts, PrimitivePairs, Primitives, meshes_contact,
};
use xcollide_narrow::self_intersection::{SelfSearch, self_intersections};
use xcollide_narrow::{PairCache, Pose, ProofError, Query, QueryError, Reason, Semantics};
use xcollide_predicates::closest_points;
use xcollide_predicates::moving::{MovingPoint, edge_edge_contact, vertex_face_contact};

use crate::support::{Random, model, random_pose, shape};

type Grid = [i8; 3];

fn grid() -> impl Strategy<Value = Grid> {
    prop::array::uniform3(-3..=3_i8)
}

/// Some triangles over few vertices, so that they share some, and where the vertices are at time 0 and 1.
fn mesh() -> impl Strategy<Value = (Vec<[Grid; 2]>, Vec<[u32; 3]>)> {
    let faces = prop::collection::vec(prop::array::uniform3(0..8_u32), 1..7).prop_map(|faces| {
        let is_triangle = |[a, b, c]: &[u32; 3]| a != b && b != c && c != a;
        faces.into_iter().filter(is_triangle).collect()
    });
    (prop::collection::vec([grid(), grid()], 8), faces)
}

fn moving((corners, faces): &(Vec<[Grid; 2]>, Vec<[u32; 3]>)) -> MovingMesh {
    let [start, end] = [0, 1].map(|which| -> Vec<[f64; 3]> {
        corners.iter().map(|ends| ends[which].map(f64::from)).collect()
    });
    let faces: Vec<Vec<u32>> = faces.iter().map(|face| face.to_vec()).collect();
    MovingMesh::deforming(&model(start, &faces), &Pose::IDENTITY, &end).unwrap()
}

fn triangles(mesh: &MovingMesh) -> impl Iterator<Item = [VertexId; 3]> {
    mesh.model().triangulation().triangles().iter().copied()
}

fn vertices_and_edges(mesh: &MovingMesh) -> (BTreeSet<VertexId>, BTreeSet<[VertexId; 2]>) {
    let edges = |[a, b, c]: [VertexId; 3]| [[a, b], [b, c], [c, a]];
    let edges = triangles(mesh).flat_map(edges).map(|[a, b]| [a.min(b), a.max(b)]);
    (triangles(mesh).flatten().collect(), edges.collect())
}

/// All pairs of primitives that are pairs for [`PrimitivePairs`], without hierarchies and representatives.
fn all_pairs(first: &MovingMesh, other: Option<&MovingMesh>) -> BTreeSet<Primitives> {
    let second = other.unwrap_or(first);
    let is_shared = |one: &[VertexId], two: &[VertexId]| {
        other.is_none() && one.iter().any(|vertex| two.contains(vertex))
    };
    let (vertices, edges) = vertices_and_edges(first);
    let (other_vertices, other_edges) = vertices_and_edges(second);
    let mut pairs = BTreeSet::new();
    for &vertex in &vertices {
        for (number, corners) in (0..).zip(triangles(second)) {
            if !is_shared(&[vertex], &corners) {
                pairs.insert(Primitives::VertexFace(vertex, number));
            }
        }
    }
    if other.is_some() {
        for &vertex in &other_vertices {
            let numbers = 0..triangles(first).count() as u32;
            pairs.extend(numbers.map(|number| Primitives::FaceVertex(number, vertex)));
        }
    }
    for &edge in &edges {
        for &with in &other_edges {
            if !is_shared(&edge, &with) && (other.is_some() || edge < with) {
                pairs.insert(Primitives::EdgeEdge(edge, with));
            }
        }
    }
    pairs
}

/// The contacts, which are those of all pairs.
fn checked(first: &MovingMesh, other: Option<&MovingMesh>) -> PrimitiveContacts {
    let pairs =
        other.map_or(PrimitivePairs::within(first), |other| PrimitivePairs::between(first, other));
    let found = pairs.contacts(0.0, &Query::new()).unwrap();
    let expected: Vec<_> = all_pairs(first, other)
        .into_iter()
        .filter_map(|primitives| Some((primitives, pairs.earliest(primitives, 0.0)?)))
        .collect();
    let told: Vec<_> = found.contacts.iter().map(|one| (one.primitives, one.contact)).collect();
    assert_eq!(told, expected);
    assert_eq!(found.undecided, None);
    found.verify(&pairs).unwrap();
    // Wider intervals contain the exact ones.
    let wide = pairs.contacts(1e-3, &Query::new()).unwrap();
    wide.verify(&pairs).unwrap();
    assert_eq!(wide.contacts.len(), found.contacts.len());
    found
}

/// Whether a triangle has no area at some time.
fn loses_area(mesh: &MovingMesh) -> bool {
    (0..triangles(mesh).count() as u32).any(|number| {
        let points = mesh.triangle(number);
        (0..3).any(|k| {
            let [p, a, b]: [MovingPoint; 3] = [0, 1, 2].map(|i| points[(k + i) % 3]);
            edge_edge_contact(&[p, p], &[a, b], f64::INFINITY).is_some()
        })
    })
}

/// Without a contact a mesh that is clear at the start is so at the end.
fn assert_stays_clear(mesh: &MovingMesh, found: &PrimitiveContacts) -> bool {
    if !found.contacts.is_empty() || loses_area(mesh) {
        return false;
    }
    let at = |which: fn(MovingPoint) -> [f64; 3]| {
        let count = mesh.model().mesh().vertex_count();
        let points = (0..count).map(|vertex| which(mesh.vertex(VertexId::from_index(vertex))));
        mesh.model().moved(points.collect()).unwrap()
    };
    let [start, end] = [at(|point| point.start), at(|point| point.end)]
        .map(|model| self_intersections(&model, &Query::new()).count);
    assert!(start > 0 || end == 0, "{mesh:?}");
    start == 0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn contacts_within_a_mesh_are_those_of_all_pairs(mesh in mesh()) {
        let mesh = moving(&mesh);
        assert_stays_clear(&mesh, &checked(&mesh, None));
    }

    #[test]
    fn contacts_between_meshes_are_those_of_all_pairs(
        a in mesh(),
        b in mesh(),
        to in prop::array::uniform3(-5..=5_i8),
    ) {
        let (a, b) = (moving(&a), moving(&b));
        let (a, b) = (&a, &b);
        let found = checked(a, Some(b));
        // A mesh that does not change its shape has other boxes.
        let pose = Pose::from_translation(to.map(f64::from));
        let rigid = MovingMesh::between(b.model(), &Pose::IDENTITY, &pose).unwrap();
        for (one, other) in [(a, &rigid), (&rigid, b), (&rigid, &rigid)] {
            let _ = checked(one, Some(other));
        }
        // The first contact of all is that of the surfaces.
        let query = Query::new().semantics(Semantics::Surface);
        let first = meshes_contact(a, b, 0.0, &query).unwrap();
        match (first, found.earliest()) {
            (MeshesVerdict::Collides { contact, .. }, Some(earliest)) => {
                prop_assert!(contact.time.lo <= earliest.contact.time.lo);
                prop_assert!(contact.triangles.is_none() || earliest.contact.time.lo <= contact.time.hi);
            }
            // They cross at the start, and nothing else touches.
            (MeshesVerdict::Collides { contact, .. }, None) => {
                prop_assert_eq!(contact.triangles, None);
            }
            (verdict, earliest) => prop_assert!(verdict.interval().is_none() && earliest.is_none()),
        }
    }

    #[test]
    fn candidates_are_all_that_come_within_the_margin(mesh in mesh(), margin in 0..4_u8) {
        let mesh = moving(&mesh);
        let pairs = PrimitivePairs::within(&mesh);
        let margin = f64::from(margin);
        let mut found = BTreeSet::new();
        let end = pairs.candidates(margin, |primitives| {
            assert!(found.insert(primitives), "{primitives:?} twice");
            ControlFlow::Continue(())
        });
        prop_assert_eq!(end, Some(ControlFlow::Continue(())));
        for primitives in all_pairs(&mesh, None) {
            let points = pairs.points(primitives);
            for at in [|point: MovingPoint| point.start, |point: MovingPoint| point.end] {
                let [a, b, c, d] = points.map(at);
                let distance = match primitives {
                    Primitives::EdgeEdge(..) => closest_points(&[a, b], &[c, d]).distance,
                    _ => closest_points(&[a], &[b, c, d]).distance,
                };
                prop_assert!(distance > margin || found.contains(&primitives));
            }
        }
    }
}

/// Larger meshes, whose vertices move a little: the proofs look at all pairs.
#[test]
fn contacts_of_shapes_are_proved() {
    let mut random = Random::new(3);
    let mut contacts = 0;
    for (spec, amount) in
        [("sphere?faces=100", 0.2), ("torus?faces=160", 0.1), ("knot?faces=240", 0.3)]
    {
        let model = shape(&format!("shape:{spec}"));
        let mut end = |amount: f64| -> Vec<[f64; 3]> {
            let moved = model.mesh().positions().iter();
            moved.map(|at| at.map(|x| x + amount * random.signed())).collect()
        };
        let (small, large) = (end(0.01 * amount), end(amount));
        for end in [small, large] {
            let moving = MovingMesh::deforming(&model, &Pose::IDENTITY, &end).unwrap();
            let pairs = PrimitivePairs::within(&moving);
            let found = pairs.contacts(1e-6, &Query::new()).unwrap();
            found.verify(&pairs).unwrap();
            contacts += found.contacts.len();
            let pose = random_pose(&mut Random::new(5), 0.3);
            let body = MovingMesh::between(&model, &Pose::IDENTITY, &pose).unwrap();
            let pairs = PrimitivePairs::between(&moving, &body);
            let found = pairs.contacts(1e-6, &Query::new()).unwrap();
            found.verify(&pairs).unwrap();
            contacts += found.contacts.len();
        }
    }
    assert!(contacts > 300, "{contacts}");
}

#[test]
fn lists_that_were_changed_are_refused() {
    let start = vec![[0.0; 3], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [4.0, 4.0, 0.0], [1.0, 1.0, 8.0]];
    let strip = model(start.clone(), &[vec![0, 1, 2], vec![2, 1, 3], vec![2, 3, 4]]);
    let mut end = start;
    end[4][2] = -8.0;
    let moving = MovingMesh::deforming(&strip, &Pose::IDENTITY, &end).unwrap();
    let pairs = PrimitivePairs::within(&moving);
    let found = pairs.contacts(1e-9, &Query::new()).unwrap();
    let mut fewer = found.clone();
    let gone = fewer.contacts.remove(0);
    let primitives = gone.primitives;
    assert_eq!(fewer.verify(&pairs), Err(ProofError::ContactLeftOut { primitives }));
    fewer.undecided = Some(Reason::OutOfTime);
    assert_eq!(fewer.verify(&pairs), Ok(()));
    let mut late = found.clone();
    late.contacts[0].contact.time.lo = 0.75;
    assert_eq!(late.verify(&pairs), Err(ProofError::NoSuchContact { primitives }));
    let mut more = found;
    more.contacts[0].primitives = Primitives::VertexFace(VertexId(4), 1);
    assert!(matches!(more.verify(&pairs), Err(ProofError::NoSuchContact { .. })));
}

#[test]
fn budgets_and_widths_are_heeded() {
    let model = shape("shape:torus?faces=400");
    let end: Vec<_> = model.mesh().positions().iter().map(|&[x, y, z]| [-x, y, z]).collect();
    let moving = MovingMesh::deforming(&model, &Pose::IDENTITY, &end).unwrap();
    let pairs = PrimitivePairs::within(&moving);
    let none = pairs.contacts(1e-9, &Query::new().budget(Duration::ZERO)).unwrap();
    assert_eq!(none.undecided, Some(Reason::OutOfTime));
    assert!(none.contacts.is_empty());
    for width in [f64::NAN, -1.0] {
        let refused = pairs.contacts(width, &Query::new());
        assert!(matches!(refused, Err(QueryError::Width { .. })), "{refused:?}");
    }
}

/// The same by the million, where asked for.
#[test]
fn meshes_without_contacts_stay_clear_soak() {
    let run = long_run(2000, 1_000_000);
    let mut random = Random::new(run.seed);
    let mut cache = PairCache::new();
    let (mut clear, mut met) = (0, 0);
    for _ in 0..run.cases {
        // A small way, so that many meshes stay clear.
        let mut corner = || {
            let start = [(); 3].map(|()| (4.0 * random.signed()).round() as i8);
            let end = start.map(|x| x + (0.7 * random.signed()).round() as i8);
            [start, end]
        };
        let corners: Vec<_> = (0..7).map(|_| corner()).collect();
        let faces = vec![[0, 1, 2], [2, 1, 3], [2, 3, 4], [4, 3, 5], [4, 5, 6]];
        let mesh = moving(&(corners, faces));
        let pairs = PrimitivePairs::within(&mesh);
        let found = pairs.contacts(0.0, &Query::new()).unwrap();
        clear += u32::from(assert_stays_clear(&mesh, &found));
        met += u32::from(!found.contacts.is_empty());
        let told: Vec<_> = found.contacts.iter().map(|contact| contact.primitives).collect();
        let touch = |primitives: &Primitives| {
            let [a, b, c, d] = pairs.points(*primitives);
            match primitives {
                Primitives::EdgeEdge(..) => edge_edge_contact(&[a, b], &[c, d], 1.0).is_some(),
                _ => vertex_face_contact(&a, &[b, c, d], 1.0).is_some(),
            }
        };
        let expected: Vec<_> = all_pairs(&mesh, None).into_iter().filter(touch).collect();
        assert_eq!(told, expected);
        // What touches at the start is a self-intersection.
        let at_start = found.earliest().is_some_and(|one| one.contact.time.hi == 0.0);
        if at_start && !loses_area(&mesh) {
            assert!(
                SelfSearch::new().test(mesh.model(), &Query::new(), &mut cache).is_intersection()
            );
        }
    }
    assert!(clear > run.cases as u32 / 50 && met > run.cases as u32 / 4, "{clear} {met}");
}
