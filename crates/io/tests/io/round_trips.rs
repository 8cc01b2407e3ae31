//! Round trips: every bit through OBJ, PLY and OFF, f32 triangles through STL.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use xcollide_brep::{MeshError, PolygonMesh};
use xcollide_io::ply::{self, Encoding};
use xcollide_io::{Format, WriteError, read_bytes, read_path, write_bytes, write_path};

/// Any finite coordinates (subnormal and negative zero included), faces of any size over them.
fn soup() -> impl Strategy<Value = PolygonMesh> {
    let kinds = prop::num::f64::POSITIVE
        | prop::num::f64::NEGATIVE
        | prop::num::f64::NORMAL
        | prop::num::f64::SUBNORMAL
        | prop::num::f64::ZERO;
    let positions = prop::collection::vec(prop::array::uniform3(kinds), 1..30);
    positions.prop_flat_map(|positions| {
        let face = prop::collection::vec(0..positions.len() as u32, 1..9);
        prop::collection::vec(face, 0..20)
            .prop_map(move |faces| PolygonMesh::from_polygons(positions.clone(), faces).unwrap())
    })
}

/// Triangles with f32 coordinates.
fn triangles() -> impl Strategy<Value = Vec<[[f32; 3]; 3]>> {
    let normal = prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO;
    let value = normal | prop::num::f32::POSITIVE | prop::num::f32::NEGATIVE;
    prop::collection::vec(prop::array::uniform3(prop::array::uniform3(value)), 0..20)
}

/// Equality of meshes takes 0 and -0 for the same; this does not.
fn assert_same_bits(found: &PolygonMesh, expected: &PolygonMesh) {
    assert_eq!(found, expected);
    let bits = |mesh: &PolygonMesh| -> Vec<[u64; 3]> {
        mesh.positions().iter().map(|position| position.map(f64::to_bits)).collect()
    };
    assert_eq!(bits(found), bits(expected));
}

proptest! {
    #[test]
    fn text_formats_and_ply_give_back_every_bit(mesh in soup()) {
        for format in [Format::Obj, Format::Off, Format::Ply] {
            let bytes = write_bytes(&mesh, format).unwrap();
            assert_same_bits(&read_bytes(&bytes, Some(format)).unwrap(), &mesh);
        }
        for encoding in [Encoding::Text, Encoding::LittleEndian, Encoding::BigEndian] {
            let mut bytes = Vec::new();
            ply::write(&mesh, encoding, &mut bytes).unwrap();
            assert_same_bits(&read_bytes(&bytes, None).unwrap(), &mesh);
        }
    }

    #[test]
    fn stl_gives_back_triangles_with_f32_coordinates(triangles in triangles()) {
        let positions: Vec<_> =
            triangles.iter().flatten().map(|position| position.map(f64::from)).collect();
        let faces = (0..triangles.len() as u32).map(|face| [3 * face, 3 * face + 1, 3 * face + 2]);
        let mesh = PolygonMesh::from_polygons(positions, faces).unwrap();
        let bytes = write_bytes(&mesh, Format::Stl).unwrap();
        let back = read_bytes(&bytes, None).unwrap();
        prop_assert_eq!(back.face_count(), triangles.len());
        for (face, triangle) in back.faces().zip(&triangles) {
            let found: Vec<_> = face.outer().iter().map(|&vertex| back.position(vertex)).collect();
            prop_assert_eq!(found, triangle.map(|position| position.map(f64::from)));
        }
        // No two vertices stand at the same place.
        let mut places: Vec<_> =
            back.positions().iter().map(|p| p.map(|x| (x + 0.0).to_bits())).collect();
        places.sort_unstable();
        places.dedup();
        prop_assert_eq!(places.len(), back.vertex_count());
    }
}

/// A cube of quadrilaterals, one with a square hole.
fn holed_cube() -> Result<PolygonMesh, MeshError> {
    let mut positions: Vec<[f64; 3]> =
        (0..8u8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|bit| 3.0 * f64::from(bit))).collect();
    positions.extend([[1.0, 1.0, 3.0], [2.0, 1.0, 3.0], [2.0, 2.0, 3.0], [1.0, 2.0, 3.0]]);
    let sides: [[u32; 4]; 5] =
        [[0, 2, 3, 1], [0, 1, 5, 4], [1, 3, 7, 5], [3, 2, 6, 7], [2, 0, 4, 6]];
    let mut mesh = PolygonMesh::from_polygons(positions, sides)?;
    mesh.push_face_with_holes(&[4, 5, 7, 6], &[&[8, 11, 10, 9]])?;
    Ok(mesh)
}

#[test]
fn holes_are_written_bridged() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = holed_cube()?;
    for format in [Format::Obj, Format::Off, Format::Ply] {
        let back = read_bytes(&write_bytes(&mesh, format)?, Some(format))?;
        assert_eq!(back.face_count(), mesh.face_count());
        assert_same_bits(&back, &mesh.bridged());
    }
    Ok(())
}

/// 5 quadrilaterals of 2 triangles and a ring between two squares of 8.
#[test]
fn stl_has_the_triangles_of_the_triangulation() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = holed_cube()?;
    let back = read_bytes(&write_bytes(&mesh, Format::Stl)?, None)?;
    assert_eq!((back.vertex_count(), back.face_count()), (12, 18));
    let triangulation = mesh.triangulate();
    for (face, triangle) in back.faces().zip(triangulation.triangles()) {
        let found: Vec<_> = face.outer().iter().map(|&vertex| back.position(vertex)).collect();
        assert_eq!(found, triangle.map(|vertex| mesh.position(vertex)));
    }
    Ok(())
}

#[test]
fn stl_normals_follow_the_right_hand_and_vanish_without_area()
-> Result<(), Box<dyn std::error::Error>> {
    let positions = vec![[0.0; 3], [0.0, 2e38, 0.0], [0.0, 0.0, 2e38], [0.0, 1e38, 0.0]];
    let mesh = PolygonMesh::from_polygons(positions, [[0, 1, 2], [0, 3, 1]])?;
    let bytes = write_bytes(&mesh, Format::Stl)?;
    let float = |at: usize| f32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
    assert_eq!([84, 88, 92].map(float), [1.0, 0.0, 0.0]);
    assert_eq!([134, 138, 142].map(float), [0.0; 3]);
    Ok(())
}

#[test]
fn what_cannot_be_written_is_an_error_and_leaves_files_alone()
-> Result<(), Box<dyn std::error::Error>> {
    let mesh = PolygonMesh::from_polygons(vec![[1e39, 0.0, 0.0]], [[0]])?;
    let error = write_bytes(&mesh, Format::Stl).unwrap_err();
    assert_eq!(
        error.to_string(),
        "vertex 0: coordinate 1e39 is too large for STL, expected at most 3.4028235e38"
    );
    assert!(matches!(
        write_bytes(&mesh, Format::Gltf),
        Err(WriteError::NotWritten { format: Format::Gltf })
    ));
    let folder = tempfile::tempdir()?;
    for (name, message) in [
        ("a.glb", "glTF is not written, expected OBJ, STL, PLY or OFF"),
        ("a.xyz", "the name has no ending of a format, expected .obj, .stl, .ply or .off"),
        ("a", "the name has no ending of a format, expected .obj, .stl, .ply or .off"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, "kept")?;
        let error = write_path(&path, &mesh).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: {message}", path.display()));
        assert_eq!(std::fs::read_to_string(&path)?, "kept");
    }
    Ok(())
}

#[test]
fn the_empty_mesh_comes_back() -> Result<(), Box<dyn std::error::Error>> {
    let mesh = PolygonMesh::new();
    for format in [Format::Obj, Format::Off, Format::Ply, Format::Stl] {
        assert_eq!(read_bytes(&write_bytes(&mesh, format)?, None)?, mesh, "{format}");
    }
    Ok(())
}

#[test]
fn files_come_back_by_their_path() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let mesh = holed_cube()?.bridged();
    for name in ["a.obj", "a.PLY", "a.off"] {
        let path = folder.path().join(name);
        write_path(&path, &mesh)?;
        assert_same_bits(&read_path(&path)?, &mesh);
    }
    Ok(())
}
