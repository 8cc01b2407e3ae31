//! Meshes, options and results go through serde and come back the same; damaged ones are refused.
#![cfg(feature = "serde")]

use xcollide_brep::{
    Brep, Change, Defect, DropReason, Interior, MassProperties, PolygonMesh, RepairOptions,
    Topology, VertexId, Weld, repair,
};
use xcollide_fixtures::{assert_comes_back, cube};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// A cube with inexact corners, a repeated face, a turned face and a face with a hole.
fn mesh() -> Result<PolygonMesh, Box<dyn std::error::Error>> {
    let (corners, faces) = cube();
    let corners = corners.map(|corner| corner.map(|x| x / 3.0 - 0.0)).to_vec();
    let mut mesh = PolygonMesh::from_polygons(corners, faces)?;
    mesh.push_face(&[0, 2, 3, 1])?;
    mesh.push_face(&[7, 5, 3])?;
    mesh.push_face_with_holes(&[0, 1, 3, 2], &[&[4, 5, 6], &[5, 6, 7]])?;
    mesh.push_face(&[1, 2, 4])?;
    Ok(mesh)
}

#[test]
fn meshes_come_back_as_they_were() -> Outcome {
    for mesh in [PolygonMesh::new(), mesh()?] {
        assert_eq!(assert_comes_back(&mesh), mesh);
    }
    let text = r#"{"positions":[[0,0,0],[1,0,0],[0,1,0]],"faces":[[[0,1,2]]]}"#;
    assert_eq!(serde_json::from_str::<PolygonMesh>(text)?.face_count(), 1);
    for (from, to) in [("2]", "3]"), ("[0,1,2]", ""), ("[0,1,2]", "[]"), ("[1,", "[null,")] {
        assert!(serde_json::from_str::<PolygonMesh>(&text.replace(from, to)).is_err(), "{to}");
    }
    Ok(())
}

#[test]
fn options_and_results_come_back_as_they_were() -> Outcome {
    let brep = Brep::new(mesh()?)?;
    assert_comes_back(brep.classification());
    for topology in [Topology::empty(), Topology::MANIFOLD | Topology::CLOSED, Topology::all()] {
        assert_eq!(assert_comes_back(&topology), topology);
    }
    assert!(serde_json::from_str::<Topology>("\"CLOSED | ROUND\"").is_err());
    for weld in [Weld::Off, Weld::Equal, Weld::Grid(0.1)] {
        let options = RepairOptions { weld, triangulate: true, ..RepairOptions::default() };
        assert_comes_back(&options);
        assert_comes_back(&repair(brep.mesh(), &options));
    }
    let (corners, faces) = cube();
    let cube = PolygonMesh::from_polygons(corners.map(|c| c.map(|x| 0.1 * x)).to_vec(), faces)?;
    assert_comes_back(&MassProperties::of(&cube)?);
    for interior in [Interior::Winding, Interior::Parity, Interior::None] {
        assert_comes_back(&interior);
    }
    assert_comes_back(&Change::VertexSplit { vertex: VertexId(3), copies: 2 });
    assert_comes_back(&Change::FaceDropped { face: 1.into(), reason: DropReason::Collinear });
    assert_comes_back(&Defect::NonManifoldEdge { edge: [0.into(), 1.into()], faces: 3 });
    Ok(())
}
