//! Meshes in whole numbers, and what to ask of them without the code that is tested.

use std::collections::BTreeMap;

use xcollide_brep::{FaceId, PolygonMesh, VertexId};

pub(crate) type Place = [i64; 3];

pub(crate) fn mesh(places: &[Place], faces: &[Vec<u32>]) -> PolygonMesh {
    let positions = places.iter().map(|place| place.map(|x| x as f64)).collect();
    PolygonMesh::from_polygons(positions, faces).unwrap()
}

pub(crate) fn place(mesh: &PolygonMesh, vertex: VertexId) -> Place {
    mesh.position(vertex).map(|x| x as i64)
}

/// Faces of the unit cube at a place, outward, by places.
pub(crate) fn cube(at: Place, size: i64) -> Vec<Vec<Place>> {
    let corner = |bits: i64| [0, 1, 2].map(|k| at[k] + size * (bits >> k & 1));
    xcollide_fixtures::cube()
        .1
        .map(|face| face.map(|number| corner(number.into())).to_vec())
        .to_vec()
}

/// A mesh of faces given by places, equal places having one number.
pub(crate) fn welded(faces: &[Vec<Place>]) -> PolygonMesh {
    let mut numbers = BTreeMap::new();
    let mut places = Vec::new();
    let mut number = |place: Place| {
        *numbers.entry(place).or_insert_with(|| {
            places.push(place);
            places.len() as u32 - 1
        })
    };
    let faces: Vec<Vec<u32>> =
        faces.iter().map(|face| face.iter().map(|&place| number(place)).collect()).collect();
    mesh(&places, &faces)
}

/// A mesh of faces given by places, each with vertices of its own.
pub(crate) fn soup(faces: &[Vec<Place>]) -> PolygonMesh {
    let mut next = 0..;
    let numbers: Vec<Vec<u32>> =
        faces.iter().map(|face| next.by_ref().take(face.len()).collect()).collect();
    mesh(&faces.concat(), &numbers)
}

/// How often each edge between vertex numbers is run up and down.
pub(crate) fn edge_runs(mesh: &PolygonMesh) -> BTreeMap<(u32, u32), (u32, u32)> {
    let mut runs = BTreeMap::new();
    for contour in mesh.faces().flat_map(|face| face.contours().collect::<Vec<_>>()) {
        for (i, p) in contour.iter().enumerate() {
            let q = contour[(i + 1) % contour.len()];
            let (up, down) = runs.entry((p.0.min(q.0), p.0.max(q.0))).or_insert((0, 0));
            *if p.0 < q.0 { up } else { down } += 1;
        }
    }
    runs
}

/// The directed edges between places that are left after opposite ones cancel.
pub(crate) fn chain(mesh: &PolygonMesh) -> BTreeMap<(Place, Place), i64> {
    let mut chain = BTreeMap::new();
    for contour in mesh.faces().flat_map(|face| face.contours().collect::<Vec<_>>()) {
        for (i, &p) in contour.iter().enumerate() {
            let (p, q) = (place(mesh, p), place(mesh, contour[(i + 1) % contour.len()]));
            if p != q {
                *chain.entry((p.min(q), p.max(q))).or_insert(0) += if p < q { 1 } else { -1 };
            }
        }
    }
    chain.retain(|_, sum| *sum != 0);
    chain
}

/// Six times the volume.
pub(crate) fn volume(mesh: &PolygonMesh, faces: impl Iterator<Item = FaceId>) -> i64 {
    let det = |[a, b, c]: [Place; 3]| -> i64 {
        (0..3)
            .map(|k| a[k] * (b[(k + 1) % 3] * c[(k + 2) % 3] - b[(k + 2) % 3] * c[(k + 1) % 3]))
            .sum()
    };
    faces
        .map(|face| {
            let corners = mesh.face(face).outer();
            (2..corners.len())
                .map(|i| det([corners[0], corners[i - 1], corners[i]].map(|v| place(mesh, v))))
                .sum::<i64>()
        })
        .sum()
}

pub(crate) fn is_closed_and_oriented(mesh: &PolygonMesh) -> bool {
    edge_runs(mesh).values().all(|&runs| runs == (1, 1))
}
