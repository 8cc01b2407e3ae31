//! Single faces: planar, convex, degenerate, duplicate, with holes.

use super::shapes::*;
use xcollide_brep::{Brep, DuplicateFace, FaceId, PLANARITY_TOLERANCE, PolygonMesh, Topology};

fn one_face(corners: &[[f64; 3]]) -> Made {
    let numbers: Vec<u32> = (0..corners.len() as u32).collect();
    Brep::from_polygons(corners.to_vec(), [numbers])
}

fn flat(corners: &[[i32; 2]]) -> Made {
    let corners: Vec<[f64; 3]> = corners
        .iter()
        .map(|c| [f64::from(c[0]), f64::from(c[1]), f64::from(c[0] + c[1])])
        .collect();
    one_face(&corners)
}

#[test]
fn planarity_is_exact_first_and_within_the_tolerance_then() -> Outcome {
    let lifted =
        |height: f64| one_face(&[[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, height], [0.0, 1.0, 0.0]]);
    let exact = lifted(0.0)?;
    assert!(exact.classification().is_exactly_planar());
    assert_eq!(exact.classification().planarity_deviation, 0.0);

    // The smallest number there is: no tolerance, no rounding hides it.
    let barely = lifted(5e-324)?;
    assert!(barely.topology().contains(Topology::PLANAR_FACES));
    assert_eq!(barely.classification().nearly_planar_faces, [FaceId(0)]);

    // The middle of four corners lies a quarter of the height from each, along the normal.
    let height = 3.9 * PLANARITY_TOLERANCE;
    let nearly = lifted(height)?;
    assert!(nearly.topology().contains(Topology::PLANAR_FACES));
    assert!((nearly.classification().planarity_deviation / (height / 4.0) - 1.0).abs() < 1e-6);

    let skew = lifted(4.1 * PLANARITY_TOLERANCE)?;
    assert!(!skew.topology().contains(Topology::PLANAR_FACES));
    assert_eq!(skew.classification().nonplanar_faces, [FaceId(0)]);
    assert!(skew.classification().nearly_planar_faces.is_empty());
    Ok(())
}

#[test]
fn planarity_does_not_depend_on_scale() -> Outcome {
    for scale in [1e-300, 1e-150, 1.0, 1e150, 1e307] {
        let lifted = |height: f64| {
            let corners =
                [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, height], [-1.0, 1.0, 0.0]];
            one_face(&corners.map(|c| c.map(|x| x * scale)))
        };
        assert!(lifted(0.0)?.classification().is_exactly_planar(), "{scale}");
        assert!(lifted(1e-6)?.topology().contains(Topology::PLANAR_FACES), "{scale}");
        assert_eq!(lifted(1e-6)?.classification().nearly_planar_faces.len(), 1, "{scale}");
        assert!(!lifted(1e-3)?.topology().contains(Topology::PLANAR_FACES), "{scale}");
        assert!(lifted(0.0)?.topology().contains(Topology::CONVEX_FACES), "{scale}");
    }
    Ok(())
}

/// Thesis figure 4.7: polygons that overlap themselves, where no single corner looks wrong.
#[test]
fn self_overlapping_polygons_are_not_convex() -> Outcome {
    let pentagram = flat(&[[0, 10], [6, -8], [-10, 3], [10, 3], [-6, -8]])?;
    let wound_twice = flat(&[[0, 0], [4, 0], [0, 4], [0, 0], [4, 0], [0, 4]])?;
    let bow_tie = flat(&[[0, 0], [4, 4], [4, 0], [0, 4]])?;
    for face in [pentagram, wound_twice, bow_tie] {
        assert!(face.topology().contains(Topology::PLANAR_FACES));
        assert_eq!(face.classification().nonconvex_faces, [FaceId(0)]);
        assert!(face.classification().degenerate_faces.is_empty());
    }
    let straight = flat(&[[0, 0], [2, 0], [4, 0], [4, 2], [4, 4], [0, 4]])?;
    assert!(straight.topology().contains(Topology::CONVEX_FACES));
    Ok(())
}

#[test]
fn faces_without_area_are_degenerate_however_they_hide_it() -> Outcome {
    let thirds = [1.0, 3.0, 5.0].map(|k| [k / 3.0, k / 3.0, k / 3.0]);
    let on_a_line = one_face(&thirds)?;
    assert_eq!(on_a_line.classification().degenerate_faces, [FaceId(0)]);
    let off_by_the_least =
        one_face(&[thirds[0], thirds[1], [5.0 / 3.0, 5.0 / 3.0, 1.666_666_666_666_667]])?;
    assert!(off_by_the_least.classification().degenerate_faces.is_empty());
    for corners in [&[0][..], &[0, 1], &[0, 1, 0], &[0, 0, 0], &[0, 1, 2, 1], &[0, 1, 2, 3, 2, 1]] {
        let face = Brep::from_polygons(tetrahedron_corners(), [corners])?;
        assert_eq!(face.classification().degenerate_faces, [FaceId(0)], "{corners:?}");
        assert_eq!(face.classification().nonconvex_faces, [FaceId(0)], "{corners:?}");
    }
    // Contours that have none by themselves have none together.
    let mut mesh = PolygonMesh::from_positions(tetrahedron_corners())?;
    mesh.push_face_with_holes(&[1], &[&[2, 0]])?;
    mesh.push_face_with_holes(&[0, 1, 0, 1], &[&[2, 3, 3]])?;
    assert_eq!(Brep::new(mesh)?.classification().degenerate_faces, [FaceId(0), FaceId(1)]);
    // Repeats a vertex, and yet has area.
    let figure_eight = Brep::from_polygons(tetrahedron_corners(), [[0, 1, 2, 0, 2, 3]])?;
    assert!(figure_eight.classification().degenerate_faces.is_empty());
    Ok(())
}

#[test]
fn duplicates_are_found_in_every_rotation_and_direction() -> Outcome {
    let corners = cube_corners([0.0; 3]);
    let faces: [&[u32]; 8] = [
        &[0, 1, 2, 3],
        &[2, 3, 0, 1],
        &[1, 0, 3, 2],
        // The same vertices in another order are another polygon.
        &[0, 2, 1, 3],
        &[4, 5, 6],
        &[5, 6, 4],
        &[7],
        &[7],
    ];
    let brep = Brep::from_polygons(corners, faces)?;
    let found: Vec<(u32, u32)> =
        brep.classification().duplicate_faces.iter().map(|d| (d.face.0, d.original.0)).collect();
    assert_eq!(found, [(1, 0), (2, 0), (5, 4), (7, 6)]);
    Ok(())
}

#[test]
fn faces_with_holes_are_duplicates_if_their_holes_are() -> Outcome {
    let mut mesh = square_with_hole()?;
    mesh.push_face(&[0, 1, 2, 3])?;
    mesh.push_face_with_holes(&[3, 2, 1, 0], &[&[6, 7, 4, 5]])?;
    let brep = Brep::new(mesh)?;
    assert_eq!(
        brep.classification().duplicate_faces,
        [DuplicateFace { face: FaceId(2), original: FaceId(0) }]
    );
    Ok(())
}

/// A ring has the Euler characteristic 0, whether the hole is a contour of its own or bridged.
#[test]
fn nested_and_bridged_holes_are_classified_alike() -> Outcome {
    let nested = Brep::new(square_with_hole()?)?;
    let corners = square_with_hole()?.positions().to_vec();
    let bridged = Brep::from_polygons(corners, [[0, 4, 5, 6, 7, 4, 0, 1, 2, 3]])?;
    for (brep, edges) in [(&nested, 8), (&bridged, 9)] {
        let found = brep.classification();
        assert_eq!((found.vertices, found.edges, found.faces), (8, edges, 1));
        assert_eq!((found.euler_characteristic, found.boundary_edges.len()), (0, 8));
        assert!(brep.topology().contains(
            Topology::MANIFOLD | Topology::ORIENTED | Topology::PLANAR_FACES | Topology::CONNECTED
        ));
        assert_eq!(found.nonconvex_faces, [FaceId(0)]);
        assert!(found.degenerate_faces.is_empty());
    }
    Ok(())
}
