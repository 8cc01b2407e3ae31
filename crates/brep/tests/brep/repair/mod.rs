//! What `repair` promises: on hand-made cases, and as laws on random soups.

#![allow(clippy::unwrap_used)]

mod laws;
mod meshes;

use meshes::{Place, cube, is_closed_and_oriented, mesh, place, soup, volume, welded};
use xcollide_brep::{
    Change, Defect, DropReason, FaceId, PolygonMesh, RepairOptions, Repaired, VertexId, Weld,
    repair,
};

fn assert_idempotent(repaired: &Repaired, options: &RepairOptions) {
    let again = repair(&repaired.mesh, options);
    assert_eq!(again.report.changes, [], "second repair of {:?}", repaired.mesh);
    assert_eq!(again.mesh, repaired.mesh);
}

/// Repairs, and checks what must always hold.
fn checked(mesh: &PolygonMesh, options: RepairOptions) -> Repaired {
    let repaired = repair(mesh, &options);
    assert_eq!(repaired.vertex_origin.len(), repaired.mesh.vertex_count());
    assert_eq!(repaired.face_origin.len(), repaired.mesh.face_count());
    assert!(repaired.face_origin.is_sorted());
    assert!(repaired.vertex_origin.is_sorted());
    if !matches!(options.weld, Weld::Grid(_)) {
        for (new, &old) in repaired.vertex_origin.iter().enumerate() {
            assert_eq!(repaired.mesh.positions()[new], mesh.position(old));
        }
    }
    assert_idempotent(&repaired, &options);
    repaired
}

#[test]
fn a_soup_of_a_cube_becomes_a_cube() {
    let faces = cube([0; 3], 1);
    let repaired = checked(&soup(&faces), RepairOptions::default());
    assert_eq!(repaired.mesh, welded(&faces));
    assert_eq!(
        repaired.report.changes.iter().filter(|c| matches!(c, Change::VertexWelded { .. })).count(),
        24 - 8
    );
    assert_eq!(repaired.report.changes.len(), 24 - 8);
    assert_eq!(repaired.report.to_string(), "16 vertices welded");
}

#[test]
fn a_good_mesh_stays_as_it_is() {
    let good = welded(&cube([-3; 3], 5));
    let repaired = checked(&good, RepairOptions::default());
    assert_eq!(repaired.mesh, good);
    assert!(repaired.report.changes.is_empty() && repaired.report.defects.is_empty());
    assert_eq!(repaired.report.to_string(), "nothing to repair");
}

#[test]
fn negative_zero_is_zero() {
    let mut positions: Vec<[f64; 3]> = soup(&cube([0; 3], 1)).positions().to_vec();
    for (i, x) in positions.iter_mut().flatten().enumerate() {
        if *x == 0.0 && i % 2 == 0 {
            *x = -0.0;
        }
    }
    let faces: Vec<[u32; 4]> = (0..6).map(|i| [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]).collect();
    let mesh = PolygonMesh::from_polygons(positions, faces).unwrap();
    assert_eq!(repair(&mesh, &RepairOptions::default()).mesh.vertex_count(), 8);
}

#[test]
fn welding_within_a_tolerance_closes_gaps() {
    let mut positions = soup(&cube([0; 3], 1)).positions().to_vec();
    for (i, x) in positions.iter_mut().flatten().enumerate() {
        *x += (i % 7) as f64 * 1e-9;
    }
    let faces: Vec<[u32; 4]> = (0..6).map(|i| [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3]).collect();
    let mesh = PolygonMesh::from_polygons(positions, faces).unwrap();
    assert_eq!(checked(&mesh, RepairOptions::default()).mesh.vertex_count(), 24);
    let repaired =
        checked(&mesh, RepairOptions { weld: Weld::Grid(1e-6), ..RepairOptions::default() });
    assert_eq!(repaired.mesh.vertex_count(), 8);
    assert!(is_closed_and_oriented(&repaired.mesh));
}

#[test]
fn faces_without_area_go_and_the_rest_stays_closed() {
    let good = welded(&cube([0; 3], 2));
    let mut bad = good.clone();
    bad.push_face(&[3]).unwrap();
    bad.push_face(&[3, 4]).unwrap();
    bad.push_face(&[0, 1, 0]).unwrap(); // two vertices
    bad.push_face(&[0, 1, 2, 1]).unwrap(); // there and back
    let middle = bad.push_vertex([5.0, 5.0, 5.0]).unwrap().0;
    let end = bad.push_vertex([6.0, 6.0, 6.0]).unwrap().0;
    bad.push_face(&[0, middle, end]).unwrap(); // on one line, joins nothing
    bad.push_face(&[1, 1, 2, 2, middle, 1]).unwrap(); // a triangle with repeated corners
    let repaired =
        checked(&bad, RepairOptions { split_non_manifold: false, ..RepairOptions::default() });
    let reasons: Vec<DropReason> = repaired
        .report
        .changes
        .iter()
        .filter_map(
            |c| if let Change::FaceDropped { reason, .. } = c { Some(*reason) } else { None },
        )
        .collect();
    use DropReason as R;
    let few = R::TooFewVertices;
    assert_eq!(reasons, [few, few, few, R::EdgesCancel, R::Collinear]);
    assert!(
        repaired.report.changes.contains(&Change::CornersDropped { face: FaceId(11), corners: 3 })
    );
    assert!(repaired.report.changes.contains(&Change::VertexDropped { vertex: VertexId(end) }));
    assert_eq!(repaired.mesh.face_count(), 7);
}

#[test]
fn holes_without_area_go() {
    let square = |lo: i64, hi: i64| [[lo, lo, 0], [hi, lo, 0], [hi, hi, 0], [lo, hi, 0]];
    let places: Vec<Place> = [square(0, 9), square(1, 2), square(1, 2)].concat();
    let mut bad = mesh(&places, &[]);
    let hole: &[u32] = &[4, 7, 6, 5];
    bad.push_face_with_holes(&[0, 1, 2, 3], &[&[4, 8], hole, &[9]]).unwrap();
    bad.push_face_with_holes(hole, &[&[8, 9, 10, 11]]).unwrap();
    let repaired = checked(&bad, RepairOptions::default());
    let cancels = DropReason::EdgesCancel;
    assert_eq!(
        repaired.report.changes[..2],
        [
            Change::HolesDropped { face: FaceId(0), holes: 2 },
            Change::FaceDropped { face: FaceId(1), reason: cancels }
        ]
    );
    let mut expected = mesh(&places[..8], &[]);
    expected.push_face_with_holes(&[0, 1, 2, 3], &[hole]).unwrap();
    assert_eq!(repaired.mesh, expected);
}

#[test]
fn a_sliver_that_joins_faces_stays() {
    // The front of a cube has a corner more on its top edge; a sliver closes the gap.
    let mut faces = cube([0; 3], 2);
    let front = faces.iter().position(|f| f.iter().all(|p| p[1] == 0)).unwrap();
    let at = faces[front].iter().position(|&p| p == [2, 0, 2]).unwrap();
    faces[front].insert(at + 1, [1, 0, 2]);
    faces.push(vec![[0, 0, 2], [1, 0, 2], [2, 0, 2]]);
    let closed = welded(&faces);
    assert!(is_closed_and_oriented(&closed));
    let repaired = checked(&closed, RepairOptions::default());
    assert_eq!(repaired.mesh, closed);
    assert_eq!(repaired.report.defects, [Defect::CollinearKept { face: FaceId(6) }]);
}

#[test]
fn duplicates_go_either_way_round() {
    let good = welded(&cube([0; 3], 1));
    let mut bad = good.clone();
    for face in [0u32, 3] {
        let corners: Vec<u32> = good.face(FaceId(face)).outer().iter().map(|v| v.0).collect();
        let rotated = [corners[2], corners[3], corners[0], corners[1]];
        bad.push_face(&rotated).unwrap();
        bad.push_face(&[rotated[3], rotated[2], rotated[1], rotated[0]]).unwrap();
    }
    // The same vertices in another order are another face.
    let corners = good.face(FaceId(5)).outer();
    let repaired = checked(&bad, RepairOptions::default());
    assert_eq!(repaired.mesh, good);
    let duplicates: Vec<(u32, u32)> = repaired
        .report
        .changes
        .iter()
        .map(|c| match c {
            Change::DuplicateDropped { face, of } => (face.0, of.0),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(duplicates, [(6, 0), (7, 0), (8, 3), (9, 3)]);
    let mut bow_tie = good.clone();
    bow_tie.push_face(&[corners[0].0, corners[2].0, corners[1].0, corners[3].0]).unwrap();
    assert_eq!(
        repair(&bow_tie, &RepairOptions::default())
            .report
            .changes
            .iter()
            .filter(|c| { matches!(c, Change::DuplicateDropped { .. }) })
            .count(),
        0
    );
}

#[test]
fn bodies_that_share_a_wall_keep_it_and_part() {
    let faces = [cube([0; 3], 1), cube([1, 0, 0], 1)].concat();
    for mesh in [welded(&faces), soup(&faces)] {
        let repaired = checked(&mesh, RepairOptions::default());
        assert!(is_closed_and_oriented(&repaired.mesh));
        assert_eq!(repaired.mesh.face_count(), 12);
        assert_eq!(repaired.mesh.vertex_count(), 16, "each cube has its own");
        assert_eq!(repaired.report.defects.len(), 1, "the wall");
    }
}

#[test]
fn bodies_that_touch_in_an_edge_or_a_corner_part() {
    for (other, shared) in [([1, 1, 0], 2), ([1, 1, 1], 1)] {
        let faces = [cube([0; 3], 1), cube(other, 1)].concat();
        let repaired = checked(&welded(&faces), RepairOptions::default());
        assert!(is_closed_and_oriented(&repaired.mesh));
        assert_eq!(repaired.mesh.vertex_count(), 16);
        let split = repaired
            .report
            .changes
            .iter()
            .filter(|c| matches!(c, Change::VertexSplit { copies: 2, .. }))
            .count();
        assert_eq!((split, repaired.report.changes.len()), (shared, shared));
        // Even if one of them is inside out.
        let mut inside_out = faces.clone();
        inside_out[6..].iter_mut().for_each(|face| face.reverse());
        let repaired = checked(&welded(&inside_out), RepairOptions::default());
        assert!(is_closed_and_oriented(&repaired.mesh));
        assert_eq!(volume(&repaired.mesh, (0..12).map(FaceId)), 12);
        // A file that parts them already is left alone.
        let parted = checked(&repaired.mesh, RepairOptions::default());
        assert!(parted.report.changes.is_empty());
        let unsplit = checked(
            &welded(&faces),
            RepairOptions { split_non_manifold: false, ..RepairOptions::default() },
        );
        assert_eq!(unsplit.mesh, welded(&faces));
    }
}

#[test]
fn a_fin_is_parted_from_the_sheet_it_stands_on() {
    // Three squares around one edge: two flat, one upright.
    let (a, b) = ([0, 0, 0], [0, 1, 0]);
    let faces = vec![
        vec![a, [1, 0, 0], [1, 1, 0], b],
        vec![a, b, [0, 1, 1], [0, 0, 1]],
        vec![b, [-1, 1, 0], [-1, 0, 0], a],
    ];
    let repaired = checked(&welded(&faces), RepairOptions::default());
    let outer = |face: u32| repaired.mesh.face(FaceId(face)).outer();
    let shared = |f: u32, g: u32| outer(f).iter().filter(|v| outer(g).contains(v)).count();
    assert_eq!((shared(0, 1), shared(0, 2), shared(1, 2)), (0, 2, 0));
}

#[test]
fn neighbours_are_turned_to_look_the_same_way() {
    for mask in 0u32..64 {
        let mut faces = cube([0; 3], 1);
        for (i, face) in faces.iter_mut().enumerate() {
            if mask >> i & 1 == 1 {
                face.reverse();
            }
        }
        let repaired = checked(&welded(&faces), RepairOptions::default());
        assert!(is_closed_and_oriented(&repaired.mesh));
        assert_eq!(volume(&repaired.mesh, (0..6).map(FaceId)), 6, "outward");
        let turned = repaired
            .report
            .changes
            .iter()
            .filter(|c| matches!(c, Change::FaceTurned { .. }))
            .count();
        assert_eq!(turned, mask.count_ones() as usize);
    }
}

#[test]
fn an_open_surface_follows_its_majority() {
    let mut faces = cube([0; 3], 1);
    faces.pop();
    faces[1].reverse();
    let mut inward = faces.clone();
    inward.iter_mut().for_each(|face| face.reverse());
    for faces in [faces, inward] {
        let repaired = checked(&welded(&faces), RepairOptions::default());
        assert_eq!(repaired.report.changes, [Change::FaceTurned { face: FaceId(1) }]);
    }
}

#[test]
fn cavities_stay_cavities_and_parts_parts() {
    let shell = |cavity_inward: bool, all_inside_out: bool| {
        let mut inner = cube([1; 3], 3);
        if cavity_inward {
            inner.iter_mut().for_each(|face| face.reverse());
        }
        // In the cavity floats a body.
        let mut faces = [cube([0; 3], 5), inner, cube([2; 3], 1)].concat();
        if all_inside_out {
            faces.iter_mut().for_each(|face| face.reverse());
        }
        welded(&faces)
    };
    let volumes = |mesh: &PolygonMesh| {
        [0, 6, 12].map(|first| volume(mesh, (first..first + 6).map(FaceId)) / 6)
    };
    let default = RepairOptions::default();
    for all_inside_out in [false, true] {
        assert_eq!(volumes(&checked(&shell(true, all_inside_out), default).mesh), [125, -27, 1]);
        assert_eq!(volumes(&checked(&shell(false, all_inside_out), default).mesh), [125, 27, 1]);
    }
    // Where the file contradicts itself, depth decides.
    let mixed = shell(false, false);
    let faces: Vec<Vec<Place>> = mixed
        .faces()
        .map(|face| {
            let mut face_places: Vec<Place> =
                face.outer().iter().map(|&v| place(&mixed, v)).collect();
            if [1, 8, 15].contains(&face.id().0) {
                face_places.reverse();
            }
            face_places
        })
        .collect();
    assert_eq!(volumes(&checked(&welded(&faces), default).mesh), [125, -27, 1]);
}

#[test]
fn a_moebius_strip_is_reported_and_left() {
    // Five quads in a ring, the last joined to the first with a twist.
    let places: Vec<Place> = (0..10).map(|i| [i / 2 * (5 - i / 2), i / 2 * i / 2, i % 2]).collect();
    let faces: Vec<Vec<u32>> = vec![
        vec![0, 2, 3, 1],
        vec![2, 4, 5, 3],
        vec![4, 6, 7, 5],
        vec![6, 8, 9, 7],
        vec![8, 1, 0, 9],
    ];
    let strip = mesh(&places, &faces);
    let repaired = checked(&strip, RepairOptions::default());
    assert_eq!(repaired.mesh, strip);
    assert!(matches!(repaired.report.defects[..], [Defect::NotOrientable { .. }]));
    assert!(repaired.report.to_string().contains("1 edge left whose faces cannot look"));
}

#[test]
fn polygons_become_triangles_on_demand() {
    let mut faces = cube([0; 3], 2);
    faces[0].insert(1, [0, 1, 0]);
    let repaired =
        checked(&soup(&faces), RepairOptions { triangulate: true, ..RepairOptions::default() });
    assert!(repaired.mesh.faces().all(|face| face.corners().len() == 3));
    // No neighbour has the corner in the middle of an edge: its sliver is needless.
    let needless = Change::TriangleDropped { face: FaceId(0), reason: DropReason::Collinear };
    assert!(repaired.report.changes.contains(&needless));
    assert!(is_closed_and_oriented(&repaired.mesh));
    assert_eq!(repaired.mesh.face_count(), 12);
    assert_eq!(volume(&repaired.mesh, (0..12).map(FaceId)), 6 * 8);
    assert_eq!(repaired.face_origin[..4], [0, 0, 1, 1].map(FaceId));
    let cut = repaired
        .report
        .changes
        .iter()
        .filter(|c| matches!(c, Change::FaceTriangulated { .. }))
        .count();
    assert_eq!(cut, 6);
}

#[test]
fn doing_nothing_does_nothing() {
    let bad = soup(&[cube([0; 3], 1), vec![vec![[0; 3], [0; 3]], vec![[9; 3]]]].concat());
    let nothing = RepairOptions {
        weld: Weld::Off,
        drop_degenerate: false,
        drop_duplicates: false,
        split_non_manifold: false,
        orient: false,
        triangulate: false,
        drop_unused: false,
    };
    let repaired = checked(&bad, nothing);
    assert_eq!(repaired.mesh, bad);
    assert!(repaired.report.changes.is_empty());
}

/// Found by chance: welding gives vertices the same number, by which faces at an edge of many faces are paired; so another
/// repair of the result split more.
#[test]
fn what_welding_changes_is_repaired_too() {
    let mut faces = [cube([0, 2, 0], 1), cube([2, 1, 1], 1)].concat();
    faces.remove(10);
    faces.push(vec![[0, 1, 2]]);
    faces.push(vec![[2, 0, 0], [0, 0, 0], [2, 2, 0]]);
    faces.push(vec![[2, 0, 0], [2, 2, 0], [2, 0, 0], [2, 2, 0], [2, 0, 2]]);
    let options = RepairOptions {
        weld: Weld::Grid(1.5),
        drop_degenerate: false,
        drop_duplicates: false,
        drop_unused: false,
        ..RepairOptions::default()
    };
    checked(&soup(&faces), options);
}
