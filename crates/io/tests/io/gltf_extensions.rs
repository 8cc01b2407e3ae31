//! glTF extensions: compressed meshes are decoded, others are reported.

#![allow(clippy::unwrap_used)]

use crate::samples::{draco, meshopt};

use xcollide_io::{Format, MeshFile, RemarkKind, read_bytes};

fn message(bytes: &[u8]) -> String {
    read_bytes(bytes, Some(Format::Gltf)).unwrap_err().to_string()
}

#[cfg(any(feature = "draco", feature = "meshopt"))]
fn replaced(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = bytes.windows(from.len()).position(|part| part == from.as_bytes()).unwrap();
    [&bytes[..at], to.as_bytes(), &bytes[at + to.len()..]].concat()
}

#[cfg(feature = "draco")]
#[test]
fn draco_is_decoded() {
    let file = MeshFile::from_bytes(&draco(), None).unwrap();
    // In the order of the decoder of the reference implementation.
    let expected = [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
    assert_eq!(file.mesh.positions(), expected);
    let faces: Vec<Vec<u32>> =
        file.mesh.faces().map(|face| face.corners().iter().map(|v| v.0).collect()).collect();
    assert_eq!(faces, [[0, 1, 2], [2, 1, 3], [1, 0, 3], [2, 3, 0]]);
    assert!(file.report.remarks().is_empty());
    let broken = replaced(&draco(), "\"POSITION\":0}}", "\"POSITION\":5}}");
    assert_eq!(
        message(&broken),
        "mesh 0, primitive 0: POSITION as attribute 5, which does not exist, expected an attribute \
         of the compressed mesh"
    );
    let broken = replaced(&draco(), "DRACO", "DRAC0");
    let found = message(&broken);
    assert!(found.starts_with("mesh 0, primitive 0: "), "{found}");
    assert!(found.ends_with("expected a mesh compressed by Draco"), "{found}");
}

/// The feature is named, and what is there uncompressed too is read without it.
#[cfg(not(feature = "draco"))]
#[test]
fn without_the_feature_draco_is_refused() {
    assert_eq!(
        message(&draco()),
        "mesh 0, primitive 0: a primitive compressed by Draco, expected xcollide-io with the \
         feature `draco`: enable it, or export without compression"
    );
}

#[cfg(not(feature = "meshopt"))]
#[test]
fn without_the_feature_meshopt_is_refused() {
    let sound = meshopt("EXT_meshopt_compression");
    assert_eq!(
        message(&sound),
        "bufferView 0: a view compressed by meshopt, expected xcollide-io with the feature \
         `meshopt`: enable it, or export without compression"
    );
}

#[cfg(feature = "meshopt")]
#[test]
fn meshopt_is_decoded() {
    for name in ["EXT_meshopt_compression", "KHR_meshopt_compression"] {
        let file = MeshFile::from_bytes(&meshopt(name), None).unwrap();
        assert_eq!((file.mesh.vertex_count(), file.mesh.face_count()), (5, 6));
        assert_eq!(file.mesh.positions()[4], [0.5, 0.5, 1.0]);
        let first = file.mesh.faces().next().unwrap();
        assert_eq!(first.corners().iter().map(|v| v.0).collect::<Vec<_>>(), [0, 1, 4]);
        assert!(file.report.remarks().is_empty());
    }
    let sound = meshopt("EXT_meshopt_compression");
    for (from, to, expected) in [
        (
            "\"TRIANGLES\"",
            "\"POLYGONS!\"",
            "bufferView 1: `POLYGONS!`, expected ATTRIBUTES, TRIANGLES or",
        ),
        ("\"count\":18,\"mode\"", "\"count\":99,\"mode\"", "bufferView 1: "),
        (
            "\"byteOffset\":79",
            "\"byteOffset\":99",
            "bufferView 1: a compressed bufferView that leaves",
        ),
        ("\"byteStride\":4,", "\"byteStride\":3,", "bufferView 1: "),
        ("\"fallback\":true", "\"fallback\":null", "buffer 1: a buffer without data"),
    ] {
        let found = message(&replaced(&sound, from, to));
        assert!(found.contains(expected), "{found}, expected {expected}");
    }
}

/// Nothing is allocated by a count that the compressed bytes cannot hold.
#[cfg(feature = "meshopt")]
#[test]
fn compressed_views_cannot_announce_more_than_they_hold() {
    let json = r#"{"asset":{"version":"2.0"},"bufferViews":[{"buffer":0,"byteLength":1,"extensions":{
        "EXT_meshopt_compression":{"buffer":0,"byteLength":4,"byteStride":4,"count":COUNT,
        "mode":"INDICES"}}}],"buffers":[{"byteLength":4}]}"#;
    for count in ["1000", "1000000000", "18446744073709551615"] {
        let found =
            message(&crate::samples::container(&json.replace("COUNT", count), &[0xd1, 0, 0, 0]));
        let expected = format!("expected {count} compressed elements");
        assert!(found.starts_with("bufferView 0: ") && found.ends_with(&expected), "{found}");
    }
}

#[test]
fn unknown_extensions_are_reported() {
    let json = r#"{"asset":{"version":"2.0"},
        "extensionsUsed":["KHR_materials_unlit","MSFT_lod"],"textures":[{}]}"#;
    let file = MeshFile::from_bytes(json.as_bytes(), None).unwrap();
    let found: Vec<(RemarkKind, String)> =
        file.report.remarks().iter().map(|remark| (remark.kind, remark.thing())).collect();
    let expected = [
        (RemarkKind::Attribute, "extension `KHR_materials_unlit`".to_owned()),
        (RemarkKind::Unknown, "extension `MSFT_lod`".to_owned()),
    ];
    assert_eq!(found, expected);
}

/// They change no shape, so a file may even require them.
#[test]
fn extensions_on_appearance_are_no_warning() {
    for name in [
        "KHR_materials_clearcoat",
        "KHR_texture_transform",
        "KHR_lights_punctual",
        "EXT_texture_webp",
    ] {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["{name}"],
            "extensionsRequired":["{name}"]}}"#
        );
        let report = MeshFile::from_bytes(json.as_bytes(), None).unwrap().report;
        assert_eq!((report.remarks().len(), report.warnings().count()), (1, 0), "{name}");
    }
}

/// With the decoder or without it, the compressed bytes are not looked at: here they are none.
#[test]
fn uncompressed_data_of_a_primitive_come_first() {
    let json = r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_draco_mesh_compression"],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0},"extensions":{
        "KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]}"#;
    let chunk = crate::samples::floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let mesh = read_bytes(&crate::samples::container(json, &chunk), None).unwrap();
    assert_eq!(mesh.positions(), [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    assert_eq!(mesh.face_count(), 1);
}

/// The bytes of the view itself are there, for readers without the extension.
#[cfg(not(feature = "meshopt"))]
#[test]
fn without_the_feature_meshopt_uncompressed_views_are_read() {
    let json = r#"{"asset":{"version":"2.0"},"extensionsUsed":["EXT_meshopt_compression"],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "bufferViews":[{"buffer":0,"byteLength":36,"extensions":{"EXT_meshopt_compression":{
        "buffer":0,"byteLength":36,"byteStride":12,"count":3,"mode":"ATTRIBUTES"}}}],
        "buffers":[{"byteLength":36}]}"#;
    let chunk = crate::samples::floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    let mesh = read_bytes(&crate::samples::container(json, &chunk), None).unwrap();
    assert_eq!(mesh.positions(), [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]);
}

/// No damage to the compressed bytes makes the decoders panic.
#[test]
fn damaged_compressed_bytes_are_read_or_refused() {
    for sound in [draco(), meshopt("EXT_meshopt_compression")] {
        let start = sound.windows(4).position(|part| part == b"BIN\0").unwrap() + 4;
        for at in start..sound.len() {
            for value in [0, 1, 2, 3, 7, 0x10, 0x40, 0x7f, 0x80, 0xa1, 0xe0, 0xfe, 0xff] {
                let mut bytes = sound.clone();
                bytes[at] = value;
                if let Ok(mesh) = read_bytes(&bytes, None) {
                    assert!(mesh.positions().as_flattened().iter().all(|x| x.is_finite()));
                }
            }
        }
    }
}
