//! What readers skip is in the report, and the mesh is that of the rest.

#![allow(clippy::unwrap_used)]

use xcollide_io::{Format, MeshFile, NoFaces, RemarkKind, read_bytes, read_path};

fn read(format: Format, bytes: impl AsRef<[u8]>) -> MeshFile {
    MeshFile::from_bytes(bytes.as_ref(), Some(format)).unwrap()
}

fn warnings(file: &MeshFile) -> Vec<String> {
    file.report.warnings().map(ToString::to_string).collect()
}

fn counts(file: &MeshFile) -> (usize, usize) {
    (file.mesh.vertex_count(), file.mesh.face_count())
}

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

#[test]
fn obj_statements_are_counted_by_name() {
    let text = format!(
        "o part\n{TRIANGLE}v 0 0 1 .5 .5 .5\nvn 0 0 1\nvp 1\nvp 2\nff 1 2\n\
         f 1 2 3\nl 1 2\ncall a.obj\np 1\nff 7\nvp 3"
    );
    let file = read(Format::Obj, text);
    assert_eq!(counts(&file), (4, 1));
    assert_eq!(
        warnings(&file),
        [
            "skipped 3 statements `vp`, the first in line 7",
            "skipped 2 statements `ff`, the first in line 9",
            "skipped 1 statement `l` in line 11",
            "skipped 1 statement `call` in line 12",
            "skipped 1 statement `p` in line 13",
        ]
    );
    let quiet = file.report.remarks().iter().filter(|one| one.kind == RemarkKind::Attribute);
    let quiet: Vec<String> = quiet.map(xcollide_io::Remark::thing).collect();
    assert_eq!(quiet, ["vertex colour", "statement `o`", "statement `vn`"]);
    assert_eq!(file.report.no_faces(), None);
}

#[test]
fn obj_statements_on_appearance_are_quiet_and_others_are_warnings() {
    let with = |statement: &str| {
        let file = read(Format::Obj, format!("{TRIANGLE}{statement}\nf 1 2 3\n"));
        assert_eq!(file.mesh.face_count(), 1, "{statement}");
        warnings(&file)
    };
    for quiet in [
        "vt 0 0",
        "vn 0 0 1",
        "s off",
        "o part",
        "g left",
        "usemtl tin",
        "mtllib a.mtl",
        "v 0 0 1 0.5",
        "v 0 0 1 0.5 0.5 0.5",
    ] {
        assert!(with(quiet).is_empty(), "{quiet}");
    }
    for loud in [
        "l 1 2",
        "p 1",
        "vp 0.5",
        "cstype bezier",
        "curv 0 1 1 2",
        "surf 0 1 0 1 1",
        "call a.obj",
        "csh ls",
        "ff 1",
    ] {
        let (word, _) = loud.split_once(' ').unwrap();
        assert_eq!(with(loud), [format!("skipped 1 statement `{word}` in line 4")]);
    }
}

/// Each of two nodes shows them.
#[test]
fn gltf_points_and_lines_are_warnings() {
    let lines = crate::samples::gltf();
    let points = lines.replace(r#""mode":1"#, r#""mode":0"#);
    for (text, what) in [(lines, "lines"), (points, "points")] {
        let expected = format!("skipped 2 primitives of {what}, the first at mesh 0, primitive 2");
        assert_eq!(warnings(&read(Format::Gltf, text)), [expected]);
    }
}

#[test]
fn nothing_skipped_is_nothing_reported() {
    for (format, text) in [
        (Format::Obj, format!("{TRIANGLE}f 1 2 3\n")),
        (Format::Off, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n# end\n".to_owned()),
        (Format::Stl, "solid\nendsolid\n".to_owned()),
    ] {
        assert!(read(format, text).report.remarks().is_empty(), "{format}");
    }
}

#[test]
fn off_may_have_an_appearance_colours_and_more_lines_than_announced() {
    let text = "appearance {\n +texturing { a }\n}\nOFF\n3 1 0\n0 0 0 1 1 1\n1 0 0\n0 1 0 # c\n\
                3 0 1 2 255 0 0\n# comment\n3 2 1 0\n3 0 2 1\n";
    let file = read(Format::Off, text);
    assert_eq!(counts(&file), (3, 1));
    assert_eq!(warnings(&file), ["skipped 2 lines after the last face, the first in line 11"]);
    let all: Vec<String> = file.report.remarks().iter().map(ToString::to_string).collect();
    assert_eq!(
        all[..3],
        [
            "skipped 1 appearance in line 1",
            "skipped 1 vertex attribute in line 6",
            "skipped 1 face colour in line 9"
        ]
    );
}

const PLY: &str = "ply\nformat ascii 1.0\nCreated by hand\nelement vertex 3\nproperty float x\n\
    property float y\nproperty float z\nproperty uchar red\nelement edge 1\n\
    property int vertex1\nproperty int vertex2\nelement face 1\n\
    property list uchar int vertex_indices\nelement camera 1\nproperty float f\nend_header\n\
    0 0 0 9\n1 0 0 9 1 2\n0 1 0 9\n0 1\n3 0 1 2 255\n35\n3 2 1 0\n";

#[test]
fn ply_may_have_other_elements_values_and_lines() {
    let file = read(Format::Ply, PLY);
    assert_eq!(counts(&file), (3, 1));
    assert_eq!(
        warnings(&file),
        [
            "skipped 1 line of the header in line 3",
            "skipped 1 element `edge` in line 9",
            "skipped 3 values behind those of a line, the first in line 18",
            "skipped 1 line after the last element in line 23",
        ]
    );
    let binary = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty char x\n\
                  property char y\nproperty char z\nend_header\n\x01\x02\x03more";
    let file = read(Format::Ply, binary);
    assert_eq!(file.mesh.positions(), [[1.0, 2.0, 3.0]]);
    assert_eq!(warnings(&file), ["skipped 4 bytes after the last element, the first at byte 115"]);
}

#[test]
fn ply_elements_over_vertices_are_warned_about() {
    let text = PLY.replace(
        "element camera 1\nproperty float f",
        "element patch 1\n\
        property list int int vertex_index",
    );
    let file = read(Format::Ply, text.replace("\n35\n", "\n1 0\n"));
    assert_eq!(warnings(&file)[2], "skipped 1 element `patch` in line 14");
    let grid = PLY.replace("element camera 1", "element range_grid 1");
    let file = read(Format::Ply, grid);
    assert_eq!(warnings(&file)[2], "skipped 1 element `range_grid` in line 14");
    // An attribute of vertices, and the camera.
    let file = read(Format::Ply, PLY);
    assert_eq!(file.report.remarks().len(), warnings(&file).len() + 2);
}

#[test]
fn stl_may_have_colours_empty_solids_and_more_bytes_than_announced() {
    let facet = "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop \
                 endfacet";
    let file = read(Format::Stl, format!("solid a\nendsolid a\nsolid\n{facet}\nendsolid\n"));
    assert_eq!((counts(&file), warnings(&file).len()), ((3, 1), 0));

    let mut bytes = b"COLOR=\xff\xff\xff\xff".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(1_u32.to_le_bytes());
    let numbers = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0_f32];
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend([0x1f, 0x80]);
    let padded = [&bytes[..], b" \n\0"].concat();
    assert_eq!(warnings(&read(Format::Stl, padded)).len(), 0);
    bytes.extend([7; 60]);
    let file = read(Format::Stl, bytes);
    assert_eq!(counts(&file), (3, 1));
    let all: Vec<String> = file.report.remarks().iter().map(ToString::to_string).collect();
    assert_eq!(
        all,
        [
            "skipped 60 bytes after the last triangle, the first at byte 134",
            "skipped 1 triangle colour or attribute at triangle 0"
        ]
    );
}

#[test]
fn files_without_faces_say_what_they_hold() {
    let splats = PLY
        .replace("uchar red", "uchar f_dc_0\nproperty uchar rot_0")
        .replace("element face 1", "element face 0")
        .replace(
            "0 0 0 9\n1 0 0 9 1 2\n0 1 0 9\n0 1\n3 0 1 2 255\n",
            "0 0 0 9 1\n".repeat(3).as_str(),
        );
    let splats = splats.replace("element edge 1", "element edge 0");
    for (format, text, expected) in [
        (Format::Obj, TRIANGLE, NoFaces::Points(3)),
        (Format::Obj, "v 0 0 0\nv 1 0 0\nl 1 2\n", NoFaces::Lines(2)),
        (Format::Obj, "o nothing\n", NoFaces::Empty),
        (Format::Stl, "solid\nendsolid", NoFaces::Empty),
        (Format::Off, "OFF 1 0 0\n0 0 0\n", NoFaces::Points(1)),
        (Format::Ply, &splats, NoFaces::Splats(3)),
    ] {
        assert_eq!(read(format, text).report.no_faces(), Some(expected), "{text}");
    }
}

#[test]
fn the_report_is_that_of_the_file_on_disk_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mesh.obj");
    std::fs::write(&path, format!("{TRIANGLE}f 1 2 3\nqq\n")).unwrap();
    let file = MeshFile::read(&path).unwrap();
    assert_eq!((file.format, warnings(&file).len()), (Format::Obj, 1));
    assert_eq!(file.mesh, read_path(&path).unwrap());
    assert_eq!(file.mesh, read_bytes(&std::fs::read(&path).unwrap(), None).unwrap());
    assert!(MeshFile::read(folder.path().join("none.obj")).is_err());
}
