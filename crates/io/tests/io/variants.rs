//! Variants of the formats that the readers accept.

#![allow(clippy::unwrap_used)]

use crate::{readable_samples, samples};

use samples::{buffer, container, glb, gltf, samples, scene};
use xcollide_io::{Format, PolygonMesh, Position, read_bytes, read_path};

/// Face by face, the vertex numbers.
fn faces(mesh: &PolygonMesh) -> Vec<Vec<u32>> {
    let numbers = |face: xcollide_brep::Face<'_>| face.corners().iter().map(|v| v.0).collect();
    mesh.faces().map(numbers).collect()
}

fn read(format: Format, text: &str) -> PolygonMesh {
    match read_bytes(text.as_bytes(), Some(format)) {
        Ok(mesh) => mesh,
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[test]
fn samples_are_read_and_known_by_their_content() {
    for sample in readable_samples() {
        let mesh = read_bytes(&sample.bytes, Some(sample.format)).unwrap();
        assert!(mesh.face_count() >= 2, "{}", sample.name);
        assert_eq!(Format::of_content(&sample.bytes), Some(sample.format), "{}", sample.name);
        assert_eq!(read_bytes(&sample.bytes, None).unwrap(), mesh, "{}", sample.name);
    }
}

/// With a byte order mark, of either order; names may have characters beyond 16 bits.
#[test]
fn obj_in_utf16_is_read_as_in_utf8() {
    let text = "# \u{1f4e6} k\u{fc}bel\r\no \u{1f4e6}\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvv\nf 1 2 3\n";
    let expected = xcollide_io::MeshFile::from_bytes(text.as_bytes(), None).unwrap();
    let units = || ['\u{feff}'].into_iter().chain(text.chars()).collect::<String>();
    let little: Vec<u8> = units().encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = units().encode_utf16().flat_map(u16::to_be_bytes).collect();
    for bytes in [little, big] {
        assert_eq!(xcollide_io::MeshFile::from_bytes(&bytes, None).unwrap(), expected);
        let cut = &bytes[..bytes.len() - 9];
        let message = read_bytes(cut, Some(Format::Obj)).unwrap_err().to_string();
        assert!(message.starts_with("line 7: "), "{message}");
    }
}

#[test]
fn obj_keeps_polygons_numbers_and_two_vertex_faces() {
    let sample = &samples()[0];
    let mesh = read_bytes(&sample.bytes, None).unwrap();
    let expected: [&[u32]; 6] =
        [&[0, 3, 2, 1], &[0, 1, 4], &[1, 2, 4], &[2, 3, 4], &[3, 0, 4], &[0, 4]];
    assert_eq!(faces(&mesh), expected);
    assert_eq!(mesh.positions()[1], [2.0, 0.0, 0.0]);
    assert_eq!(mesh.positions()[4], [1.0, 1.0, 0.35]);
}

#[test]
fn obj_line_ends_encodings_and_order_do_not_matter() {
    let triangle = read(Format::Obj, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    for text in [
        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3\r",
        "\u{feff}v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
        "f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n",
        "v\t0 0 0 # origin\n\n  v 1 0 0\nv 0 \\\n1 0\nf 1 \\\r\n 2 3 # end \\\n",
        "o C:\\meshes\\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nfo 1 2 3",
        "v +0 0. .0e1\nv 1E0 0 -0\nv 0 10e-1 0\nf 1/ 2/7 3//9",
    ] {
        let mesh = read(Format::Obj, text);
        assert_eq!((mesh.positions(), faces(&mesh)), (triangle.positions(), faces(&triangle)));
    }
    let latin1 = b"# caf\xe9 \\\nv 0 0 0\ng \xff\xfe\nf 1\n";
    assert_eq!(read_bytes(latin1, Some(Format::Obj)).unwrap().face_count(), 1);
}

#[test]
fn stl_welds_equal_coordinates_and_reads_all_solids() {
    let sample = &samples()[2];
    let mesh = read_bytes(&sample.bytes, None).unwrap();
    assert_eq!(faces(&mesh), [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(mesh.positions()[1], [1.5, 0.0, 0.0]);

    let zeros = "solid\nfacet normal 0 0 0\nouter loop\nvertex 0 -0 1\nvertex -0 0 1\n\
                 vertex 0 0 1.0000000000000002\nendloop\nendfacet\nendsolid\n";
    assert_eq!(faces(&read(Format::Stl, zeros)), [[0, 0, 1]]);
}

#[test]
fn binary_stl_may_begin_with_solid_and_end_with_padding() {
    let sample = &samples()[3];
    let mesh = read_bytes(&sample.bytes, None).unwrap();
    for head in ["solid", "solid ", "solid cube\n", "SOLID", "ply", "OFF", "{\"", "# x"] {
        let mut bytes = sample.bytes.clone();
        bytes[..head.len()].copy_from_slice(head.as_bytes());
        assert_eq!(read_bytes(&bytes, None).unwrap(), mesh, "{head}");
        bytes.extend([b'\n'; 49]);
        assert_eq!(read_bytes(&bytes, Some(Format::Stl)).unwrap(), mesh, "{head}, padded");
    }
}

#[test]
fn ply_elements_and_types_may_be_any() {
    let mesh = read_bytes(&samples()[4].bytes, None).unwrap();
    assert_eq!(faces(&mesh), [vec![0, 1, 2], vec![0, 1, 2, 3]]);
    let square = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
    assert_eq!(mesh.positions(), square);
}

#[test]
fn ply_headers_may_have_any_line_end_and_comments_any_encoding() {
    let header: &[u8] = b"ply\nformat binary_big_endian 1.0\ncomment caf\xe9\nelement vertex 1\n\
        property uchar x\nproperty short y\nproperty float z\nelement none 9\nend_header\n";
    // The payload begins with the byte of a line end.
    let payload = [b'\n', 0xff, 0xfe, 0x3f, 0x80, 0, 0];
    for end in [&b"\n"[..], b"\r\n", b"\r"] {
        let lines: Vec<&[u8]> = header.split(|&byte| byte == b'\n').collect();
        let bytes = [lines.join(end), payload.to_vec(), b"\n\0".to_vec()].concat();
        let mesh = read_bytes(&bytes, Some(Format::Ply)).unwrap();
        assert_eq!(mesh.positions(), [[10.0, -2.0, 1.0]], "{end:?}");
    }
}

#[test]
fn ply_floats_are_rounded_once_whatever_their_spelling() {
    // Between two f32, just above their middle; by way of f64 it would come to lie on it.
    let text = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n\
        property double z\nproperty float q\nend_header\n\
        1.00000005960464477540 +.5e1 -1.E-1 nan\n";
    let mesh = read(Format::Ply, text);
    assert_eq!(mesh.positions(), [[f64::from(1.0f32.next_up()), 5.0, -0.1]]);
}

#[test]
fn ply_triangle_strips_become_triangles() {
    let text = "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\n\
        property float z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n\
        0 0 0\n0 0 0\n0 0 0\n0 0 0\n0 0 0\n8 0 1 2 3 -1 2 3 4\n";
    assert_eq!(faces(&read(Format::Ply, text)), [[0, 1, 2], [2, 1, 3], [2, 3, 4]]);
}

#[test]
fn off_headers_and_counts_may_be_any() {
    let body = "0 0 0 9 9 9\n\n1 0 0\n# here\n0 1 0\n\n3 0 1 2 255 0 0\n1 0 # a point\n";
    let expected = read(Format::Off, &format!("OFF\n3 2 0\n{body}"));
    assert_eq!(faces(&expected), [vec![0, 1, 2], vec![0]]);
    for header in [
        "OFF 3 2 0\n",
        "OFF3 2 0\n",
        "OFF\n3 2\n",
        "OFF 3 2\n",
        "OFF\n\n3\n2\n0\n",
        "3 2 0\n",
        "# c\n3 2\n",
        "COFF\n3 2 99\n",
        "NOFF\n3 2 -1 extra\n",
        "STOFF # t\n3 2 0 # n\n",
        "\r\nSTCNOFF\r\n3 2 0\r\n",
        "\u{feff}OFF\r3 2 0\r",
    ] {
        assert_eq!(read(Format::Off, &format!("{header}{body}")), expected, "{header:?}");
    }
    assert_eq!(read(Format::Off, "OFF\n0 0 0").vertex_count(), 0);
}

#[test]
fn gltf_scenes_are_placed_mirrored_and_concatenated() {
    let mesh = read_bytes(gltf().as_bytes(), None).unwrap();
    assert_eq!(read_bytes(&glb(), None).unwrap(), mesh);
    // Two nodes, each with the dense positions, shared by two primitives, and the sparse ones.
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];
    let sparse = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 2.0]];
    let both = || square.into_iter().chain(sparse);
    let moved = both().map(|[x, y]| [x + 10.0, y, -0.0]);
    let turned = both().map(|[x, y]| [-2.0 * y + 11.0, 2.0 * x + 2.0, 3.0]);
    assert_eq!(mesh.positions(), moved.chain(turned).collect::<Vec<_>>());
    let expected = [
        [1, 0, 2],
        [2, 0, 3],
        [6, 5, 4],
        [7, 6, 4],
        [8, 9, 10],
        [8, 10, 11],
        [13, 14, 12],
        [14, 15, 12],
    ];
    assert_eq!(faces(&mesh), expected);
}

#[test]
fn gltf_without_scenes_or_nodes_is_read_whole() {
    let json = scene("");
    let all_roots = json.replace(r#""scene":0,"scenes":[{"nodes":[0]}],"#, "");
    let chunk = buffer();
    let read = |json: &str| read_bytes(&container(json, &chunk), None).unwrap();
    assert_eq!(read(&all_roots), read(&json));
    let nodes = all_roots.find(r#""nodes""#).unwrap()..all_roots.find(r#""meshes""#).unwrap();
    let mut bare = all_roots.clone();
    bare.replace_range(nodes, "");
    assert_eq!(faces(&read(&bare)), [[0, 1, 2], [0, 2, 3], [5, 6, 4], [6, 7, 4]]);
}

#[test]
fn gltf_quantised_and_interleaved_positions_are_read() {
    let chunk = [0, 0, 0, 9, 255, 0, 0, 9, 0, 51, 0, 9];
    let json = r#"{"asset":{"version":"2.0"},"extensionsRequired":["KHR_mesh_quantization"],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
        "accessors":[{"bufferView":0,"componentType":5121,"normalized":true,"count":3,
        "type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":11,"byteStride":4}],
        "buffers":[{"byteLength":12}]}"#;
    let mesh = read_bytes(&container(json, &chunk), None).unwrap();
    assert_eq!(mesh.positions(), [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.2, 0.0]]);
    assert_eq!(faces(&mesh), [[0, 1, 2]]);
}

/// Signed and unsigned, as they are and as fractions of the greatest number.
#[test]
fn gltf_positions_of_16_bits_are_read() {
    let numbers: [i16; 12] = [0, 0, 0, 9, 300, 0, 0, 9, 0, -300, 0, 9];
    let chunk: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    for (kind, normalized, [x, y]) in [
        (5122, false, [300.0, -300.0]),
        (5122, true, [300.0 / 32767.0, -300.0 / 32767.0]),
        (5123, false, [300.0, 65236.0]),
        (5123, true, [300.0 / 65535.0, 65236.0 / 65535.0]),
    ] {
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsRequired":["KHR_mesh_quantization"],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
            "accessors":[{{"bufferView":0,"componentType":{kind},"normalized":{normalized},
            "count":3,"type":"VEC3"}}],
            "bufferViews":[{{"buffer":0,"byteLength":24,"byteStride":8}}],
            "buffers":[{{"byteLength":24}}]}}"#
        );
        let mesh = read_bytes(&container(&json, &chunk), None).unwrap();
        assert_eq!(mesh.positions(), [[0.0; 3], [x, 0.0, 0.0], [0.0, y, 0.0]]);
    }
}

#[test]
fn gltf_buffers_beside_the_file_are_found_from_a_path_only() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("my data")).unwrap();
    std::fs::write(folder.path().join("my data/part.bin"), buffer()).unwrap();
    let json = scene(r#""uri":"my%20data/part.bin","#);
    let path = folder.path().join("scene.gltf");
    std::fs::write(&path, &json).unwrap();
    assert_eq!(read_path(&path).unwrap(), read_bytes(&glb(), None).unwrap());

    let error = read_bytes(json.as_bytes(), None).unwrap_err();
    assert!(matches!(error.position(), Position::Element { .. }));
    assert_eq!(
        error.to_string(),
        "buffer 0: a buffer in the file `my%20data/part.bin` is not supported, expected buffers \
         inside, as there is only this input and no path"
    );
}

#[test]
fn files_are_read_by_content_where_the_ending_lies() {
    let folder = tempfile::tempdir().unwrap();
    for sample in readable_samples() {
        let mesh = read_bytes(&sample.bytes, Some(sample.format)).unwrap();
        for ending in ["obj", "STL", "ply", "off", "gltf", "glb", "mesh", ""] {
            let path = folder.path().join("mesh").with_extension(ending);
            std::fs::write(&path, &sample.bytes).unwrap();
            // OBJ bears no mark, so there a known ending is believed.
            if sample.format != Format::Obj || matches!(ending, "obj" | "mesh" | "") {
                assert_eq!(read_path(&path).unwrap(), mesh, "{} as .{ending}", sample.name);
            }
        }
    }
}
