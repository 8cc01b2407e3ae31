use xcollide_io::Format;

use super::{check, refused};

const VERTEX: &str = "element vertex 1\nproperty float x\nproperty float y\nproperty float z\n";
const FACE: &str = "element face 1\nproperty list uchar int vertex_indices\n";

#[test]
fn headers() {
    let with = |rest: &str| refused(Format::Ply, format!("ply\n{rest}").as_bytes());
    let line = "expected a PLY header line such as `element vertex 8`";
    check(
        Format::Ply,
        &[
            ("", "the file is empty, expected `ply`"),
            ("plyx\n", "line 1: `plyx`, expected `ply`"),
            ("ply", "line 1: the file ends, expected `end_header`"),
        ],
    );
    assert_eq!(with("format ascii 1.0\n"), "line 2: the file ends, expected `end_header`");
    assert_eq!(
        with("end_header\n"),
        "line 2: `end_header`, expected a line `format ascii 1.0` before it"
    );
    assert_eq!(
        with("format ascii one\nend_header\n"),
        format!("line 2: `format ascii one`, {line}")
    );
    assert_eq!(
        with("format ascii 1.0\nelement vertex -1\nend_header\n"),
        format!("line 3: `element vertex -1`, {line}")
    );
    assert_eq!(
        with("format ascii 1.0\nelement vertex 99999999999999999999\nend_header\n"),
        format!("line 3: `element vertex 99999999999999999999`, {line}")
    );
    assert_eq!(
        with("format ascii 1.0\nproperty float x\nend_header\n"),
        format!("line 3: `property float x`, {line}")
    );
    assert_eq!(with("format ascii 1.0\nend_header\n"), "line 3: no element `vertex`, expected one");
    assert_eq!(
        with("format ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n"),
        "line 3: vertices without a number `y`, expected x, y and z"
    );
    assert_eq!(
        with("format ascii 1.0\nelement vertex 1\nproperty float x\nproperty int x\nend_header\n"),
        "line 5: `property int x`, expected a name that was not used before"
    );
    assert_eq!(
        with("format ascii 1.0\nelement a 1\nelement a 2\nend_header\n"),
        "line 4: `element a 2`, expected a name that was not used before"
    );
    assert_eq!(
        with(&format!("format ascii 1.0\n{VERTEX}element face 1\nend_header\n0 0 0\n")),
        "line 7: elements `face` without vertex numbers, expected one list of integers called \
         vertex_indices"
    );
    let list = FACE.replace("int ", "float ");
    assert_eq!(
        with(&format!("format ascii 1.0\n{VERTEX}{list}end_header\n0 0 0\n1 0")),
        "line 7: elements `face` without vertex numbers, expected one list of integers called \
         vertex_indices"
    );
    let list = FACE.replace("uchar", "double");
    assert_eq!(
        with(&format!("format ascii 1.0\n{VERTEX}{list}end_header\n0 0 0\n1 0")),
        "line 7: list `vertex_indices` with a length that is no integer, expected an integer type \
         such as uchar"
    );
    let many = VERTEX.replace("vertex 1", "vertex 4000000000");
    assert_eq!(
        with(&format!("format ascii 1.0\n{many}end_header\n0 0 0\n")),
        "line 3: 4000000000 elements `vertex`, expected at most 1 in the bytes that follow"
    );
    let properties: String = (0..1001).map(|i| format!("property char p{i}\n")).collect();
    assert_eq!(
        with(&format!("format ascii 1.0\nelement vertex 0\n{properties}end_header\n")),
        "line 1003: a header with more than 1000 elements and properties is not supported, \
         expected fewer"
    );
}

#[test]
fn text() {
    let with = |rest: &str| {
        let header = format!("ply\nformat ascii 1.0\n{VERTEX}{FACE}end_header\n");
        refused(Format::Ply, format!("{header}{rest}").as_bytes())
    };
    assert_eq!(with("0 0 0 \n\n\n"), "line 13: the file ends, expected face 0 of 1");
    assert_eq!(with("0 0\n1 0\n"), "line 10: the end of the line, expected property `z`");
    assert_eq!(with("0 0 nan\n1 0\n"), "line 10: coordinate `nan`, expected a finite number");
    assert_eq!(with("0 1e39 0\n1 0\n"), "line 10: coordinate `1e39`, expected a finite number");
    assert_eq!(with("0 x 0\n1 0\n"), "line 10: `x`, expected property `y`, a number");
    assert_eq!(with("0 0 0\n0 0\n"), "line 11: a face of 0 vertices, expected at least 1");
    assert_eq!(with("0 0 0\n0  \n"), "line 11: a face of 0 vertices, expected at least 1");
    assert_eq!(
        with("0 0 0\n-1 0\n"),
        "line 11: `-1`, expected the length of list `vertex_indices`"
    );
    assert_eq!(
        with("0 0 0\n4000000000 0\n"),
        "line 11: the end of the line, expected property `vertex_indices`"
    );
    assert_eq!(
        with("0 0 0\n1 4000000000\n"),
        "line 11: `4000000000`, expected property `vertex_indices`, a int"
    );
    assert_eq!(with("0 0 0\n1 1\n"), "line 11: vertex number 1 in a face, expected 0..=0");
    assert_eq!(with("0 0 0\n\n1 -1\n"), "line 12: vertex number -1 in a face, expected 0..=0");
}

#[test]
fn binary() {
    let with = |rest: &[u8]| {
        let header = format!("ply\nformat binary_little_endian 1.0\n{VERTEX}{FACE}end_header\n");
        refused(Format::Ply, &[header.as_bytes(), rest].concat())
    };
    let zero = [0u8; 12];
    assert_eq!(
        with(&zero[..10]),
        "line 3: 1 elements `vertex`, expected at most 0 in the bytes that follow"
    );
    assert_eq!(
        with(&[&zero[..], &[3, 0, 0]].concat()),
        "face 0 at byte 181: the file ends, expected all values of a face"
    );
    let nan = [&zero[..8], &f32::NAN.to_le_bytes()].concat();
    assert_eq!(
        with(&[&nan[..], &[1, 0, 0, 0, 0]].concat()),
        "vertex 0 at byte 169: coordinate NaN, expected a finite number"
    );
    assert_eq!(
        with(&[&zero[..], &[0]].concat()),
        "face 0 at byte 181: a face of 0 vertices, expected at least 1"
    );
    assert_eq!(
        with(&[&zero[..], &[1, 0, 0, 0, 0x80]].concat()),
        "face 0 at byte 181: vertex number -2147483648 in a face, expected 0..=0"
    );
    let header = "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty list int int q\n\
                  property char x\nproperty char y\nproperty char z\nend_header\n";
    let bytes = [header.as_bytes(), &[0xff, 0xff, 0xff, 0xff, 0, 0, 0]].concat();
    assert_eq!(
        refused(Format::Ply, &bytes),
        "vertex 0 at byte 133: List length cannot be negative (i32)., expected the values of a \
         vertex"
    );
    let bytes = [header.as_bytes(), &[0x7f, 0xff, 0xff, 0xff, 0, 0, 0]].concat();
    assert_eq!(
        refused(Format::Ply, &bytes),
        "vertex 0 at byte 133: the file ends, expected all values of a vertex"
    );
}
