use xcollide_io::{Format, read_path};

use super::refused;
use crate::samples::{buffer, container, scene};

#[test]
fn containers() {
    let glb = |version: u8, length: u32| {
        let mut bytes = container("{}", &[0; 4]);
        bytes[4] = version;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        bytes
    };
    let refused = |bytes: &[u8]| refused(Format::Gltf, bytes);
    let expected = "expected a GLB of version 2: a JSON chunk, and maybe a BIN chunk";
    assert_eq!(refused(b""), "the file is empty, expected glTF");
    assert_eq!(
        refused(b"glTF\x02\0"),
        "byte 6: the file ends, expected the 12 bytes of a GLB header"
    );
    // The crate would subtract the length of the header from this.
    assert_eq!(refused(&glb(2, 11)), "byte 8: a GLB of 11 bytes, expected 12..=36 bytes");
    assert_eq!(refused(&glb(2, 37)), "byte 8: a GLB of 37 bytes, expected 12..=36 bytes");
    assert_eq!(refused(&glb(3, 36)), format!("byte 0: GLB version 3, {expected}"));
    assert!(
        refused(&glb(1, 36)).starts_with("version `1.0` of glTF is not supported, expected 2.0: ")
    );
    assert_eq!(refused(&glb(2, 12)), format!("byte 0: the end of the file, {expected}"));
    assert_eq!(refused(&glb(2, 30)), format!("byte 0: the end of the file, {expected}"));
    assert_eq!(refused(&glb(2, 24)), "byte 22: missing field `asset`, expected glTF 2.0 as JSON");
    assert_eq!(
        refused(b"{\n\"asset\": 3}"),
        "line 2: invalid type: integer `3`, expected struct Asset, expected glTF 2.0 as JSON"
    );
    assert_eq!(
        refused(b"{\"asset\": "),
        "line 1: EOF while parsing a value, expected glTF 2.0 as JSON"
    );
    assert_eq!(
        refused(br#"{"asset":{"version":"2.0"},"extensionsRequired":["EXT_bent_triangles"]}"#),
        "the required extension `EXT_bent_triangles` is not supported, expected plain buffers, \
         triangles and nodes: export without it"
    );
    for (version, shown) in [("1", "1"), ("\"1.0\"", "1.0"), ("\"3.0\"", "3.0")] {
        let json = format!(r#"{{"asset":{{"version":{version}}},"nodes":[]}}"#);
        let advice = ": convert it, for example with gltf-pipeline, or export it again";
        let advice = if shown == "3.0" { "" } else { advice };
        let expected = format!("version `{shown}` of glTF is not supported, expected 2.0{advice}");
        assert_eq!(refused(json.as_bytes()), expected);
    }
}

#[test]
fn scenes() {
    let sound = scene("");
    let chunk = buffer();
    let with = |from: &str, to: &str| {
        assert!(sound.contains(from), "{from}");
        refused(Format::Gltf, &container(&sound.replacen(from, to, 1), &chunk))
    };
    let table = [
        (
            r#""scene":0"#,
            r#""scene":1"#,
            "scene 1, which does not exist, expected a number below 1",
        ),
        (
            r#"[{"nodes":[0]}]"#,
            r#"[{"nodes":[3]}]"#,
            "node 3, which does not exist, expected a number below 3",
        ),
        (
            r#""children":[1,2]"#,
            r#""children":[1,0]"#,
            "node 0: a node that is reached twice, expected a tree of nodes",
        ),
        (
            r#""children":[1,2]"#,
            r#""children":[1,1]"#,
            "node 1: a node that is reached twice, expected a tree of nodes",
        ),
        (
            r#""mesh":0"#,
            r#""mesh":1"#,
            "node 1: mesh 1, which does not exist, expected a number below 1",
        ),
        (
            "2,0,1,2,3,1]",
            "2,1,1,2,3,1]",
            "node 2: a matrix with another last row, expected 0, 0, 0, 1",
        ),
        (
            r#""scale":[1,1,-1]"#,
            r#""rotation":[0,0,0,0]"#,
            "node 1: the rotation [0.0, 0.0, 0.0, 0.0], expected a unit quaternion",
        ),
        (
            r#""translation":[10,"#,
            r#""translation":[1e39,"#,
            "mesh 0, primitive 0, vertex 0: coordinate inf, expected a finite number",
        ),
        (
            r#""POSITION":0"#,
            r#""POSITION":7"#,
            "accessor 7, which does not exist, expected a number below 3",
        ),
        (
            r#""indices":1"#,
            r#""indices":3"#,
            "accessor 3, which does not exist, expected a number below 3",
        ),
        (
            r#""indices":1"#,
            r#""indices":0"#,
            "accessor 0: indices of another type, expected SCALAR",
        ),
        (r#""mode":6"#, r#""mode":7"#, "mesh 0, primitive 1: an unknown mode, expected 0..=6"),
        (
            r#""mode":6"#,
            r#""mode":4"#,
            "mesh 0, primitive 1: 4 corners of triangles, expected a multiple of 3",
        ),
        (
            r#""type":"VEC3""#,
            r#""type":"VEC2""#,
            "accessor 0: positions of another type, expected VEC3 of numbers",
        ),
        (
            r#""count":4"#,
            r#""count":5"#,
            "accessor 0: 5 elements in an accessor, expected at most 4 in the bytes that follow",
        ),
        (
            r#""count":4"#,
            r#""count":18446744073709551615"#,
            "accessor 0: meshes that are repeated again and again, expected at most 1357056 \
             vertices and corners from a file of this size",
        ),
        (
            r#""count":4"#,
            r#""byteOffset":18446744073709551615,"count":4"#,
            "accessor 0: 4 elements in an accessor, expected at most 0 in the bytes that follow",
        ),
        (
            r#""componentType":5123"#,
            r#""componentType":5126"#,
            "accessor 1: indices of another type, expected unsigned integers",
        ),
        (
            r#""componentType":5123,"count":6"#,
            r#""componentType":5123,"count":4"#,
            "mesh 0, primitive 0: 4 corners of triangles, expected a multiple of 3",
        ),
        (
            r#""byteOffset":48,"byteLength":12"#,
            r#""byteOffset":62,"byteLength":12"#,
            "mesh 0, primitive 0: vertex number 16384 in a face, expected 0..=3",
        ),
        (
            r#""byteOffset":48,"byteLength":12"#,
            r#""byteOffset":65,"byteLength":12"#,
            "accessor 1: a bufferView that leaves its buffer, expected a part of its 76 bytes",
        ),
        (
            r#""byteOffset":48"#,
            r#""byteOffset":18446744073709551615"#,
            "accessor 1: a bufferView that leaves its buffer, expected a part of its 76 bytes",
        ),
        (
            r#"{"buffer":0,"byteLength":48}"#,
            r#"{"buffer":1,"byteLength":48}"#,
            "accessor 0: buffer 1, which does not exist, expected a number below 1",
        ),
        (
            r#""byteLength":48"#,
            r#""byteLength":48,"byteStride":8"#,
            "accessor 0: a byteStride of 8, expected at least 12",
        ),
        (
            r#"{"bufferView":1"#,
            r#"{"bufferView":9"#,
            "accessor 1: bufferView 9, which does not exist, expected a number below 4",
        ),
        (r#"{"bufferView":1,"#, "{", "accessor 1: no bufferView, expected one, or sparse values"),
        (
            r#""sparse":{"count":1"#,
            r#""sparse":{"count":2"#,
            "accessor 2: 2 elements in an accessor, expected at most 1 in the bytes that follow",
        ),
        (
            r#""indices":{"bufferView":2"#,
            r#""indices":{"bufferView":3,"byteOffset":7"#,
            "accessor 2: sparse index 64, expected less than 4",
        ),
        (
            r#""count":4,"type":"VEC3","sparse""#,
            r#""count":100000000,"type":"VEC3","sparse""#,
            "accessor 2: meshes that are repeated again and again, expected at most 1360128 \
             vertices and corners from a file of this size",
        ),
        (
            r#""byteLength":76"#,
            r#""byteLength":77"#,
            "buffer 0: 76 bytes, expected 77 as its byteLength says",
        ),
        (
            r#""buffers":[{"#,
            r#""buffers":[{"uri":"data:;base64,A*==","#,
            "buffer 0: Invalid symbol 42, offset 1., expected base64",
        ),
        (
            r#""buffers":[{"#,
            r#""buffers":[{"uri":"data:text/plain,abc","#,
            "buffer 0: `text/plain,abc` is not supported, expected a data URI in base64",
        ),
        (
            r#""buffers":[{"#,
            r#""buffers":[{"byteLength":0},{"#,
            "buffer 1: a buffer without data, expected a `uri`, or a BIN chunk",
        ),
    ];
    for (from, to, message) in table {
        let found = with(from, to);
        // Sizes depend on the length of the JSON; they are no promise.
        let unsized_text = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
        // A number beyond f32 is refused by serde_json where its feature `float_roundtrip` is on, as
        // another crate of a build may ask; else it becomes infinite, which is refused here.
        if found == "byte 20: number out of range, expected glTF 2.0 as JSON" {
            assert!(to.contains("1e39"), "{to}");
        } else if message.contains("again and again") {
            assert_eq!(unsized_text(&found), unsized_text(message), "{to}");
        } else {
            assert_eq!(found, message, "{to}");
        }
    }
}

#[test]
fn a_gltf_cannot_multiply_without_bound() {
    // A thousand nodes show a mesh that draws the same fan a thousand times.
    let nodes: Vec<String> = (0..1000).map(|node| node.to_string()).collect();
    let fan = r#"{"attributes":{"POSITION":0},"mode":6}"#;
    let json = format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{}]}}],"nodes":[{}],
        "meshes":[{{"primitives":[{}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":5000,"type":"VEC3"}}],
        "bufferViews":[{{"buffer":0,"byteLength":60000}}],"buffers":[{{"byteLength":60000}}]}}"#,
        nodes.join(","),
        [r#"{"mesh":0}"#; 1000].join(","),
        [fan; 1000].join(",")
    );
    let message = refused(Format::Gltf, &container(&json, &[0; 60_000]));
    assert!(message.contains("meshes that are repeated again and again"), "{message}");
}

/// Only regular files inside the reach of a relative path: anything else might never end.
#[test]
fn buffers_are_not_taken_from_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    std::fs::write(folder.path().join("short.bin"), [0; 75]).unwrap();
    let path = folder.path().join("a.gltf");
    for (uri, message) in [
        (
            "/dev/zero",
            "buffer 0: a buffer in the file `/dev/zero` is not supported, expected a relative path",
        ),
        (
            "http://a/b.bin",
            "buffer 0: a buffer in the file `http://a/b.bin` is not supported, expected a relative path",
        ),
        ("sub", "buffer 0: a buffer in the file `sub`, expected a regular file"),
        ("short.bin", "buffer 0: 75 bytes in `short.bin`, expected 76 as its byteLength says"),
    ] {
        std::fs::write(&path, scene(&format!(r#""uri":"{uri}","#))).unwrap();
        let found = read_path(&path).unwrap_err().to_string();
        assert_eq!(found, format!("{}: {message}", path.display()));
    }
    std::fs::write(&path, scene(r#""uri":"none.bin","#)).unwrap();
    let found = read_path(&path).unwrap_err().to_string();
    assert!(found.contains("buffer 0: cannot be read: ") && found.contains("none.bin"), "{found}");
}
