//! Binary OFF of Geomview: what it has is read as from the same file as text, and what is wrong is refused.

#![allow(clippy::unwrap_used)]

use xcollide_io::{Format, MeshFile, RemarkKind, read_bytes};

/// Words of a binary file, big-endian.
#[derive(Clone)]
struct Words(Vec<u8>);

impl Words {
    fn new(header: &str) -> Self {
        Self(header.as_bytes().to_vec())
    }

    fn whole(mut self, numbers: &[i32]) -> Self {
        self.0.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        self
    }

    fn floats(mut self, numbers: &[f32]) -> Self {
        self.0.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        self
    }
}

/// A square and a segment over its corners, the square with a colour.
fn square(header: &str, attributes: &[f32]) -> Words {
    let mut words = Words::new(header).whole(&[4, 2, 0]);
    for [x, y] in [[0.0, 0.0], [1.5, 0.0], [1.5, 1.0], [0.0, 0.1]] {
        words = words.floats(&[x, y, -2.0]).floats(attributes);
    }
    words.whole(&[4, 0, 1, 2, 3, 3]).floats(&[0.5, 0.25, 1.0]).whole(&[2, 3, 0, 0])
}

const TEXT: &str = "OFF\n4 2 0\n0 0 -2\n1.5 0 -2\n1.5 1 -2\n0 0.10000000149011612 -2\n\
                    4 0 1 2 3\n2 3 0\n";

#[test]
fn every_prefix_is_read_as_the_same_mesh() {
    let expected = read_bytes(TEXT.as_bytes(), None).unwrap();
    for (header, attributes) in [
        ("OFF BINARY\n", 0),
        ("# by Geomview\nOFF BINARY \r\n", 0),
        ("appearance { +edge }\nNOFF BINARY\n", 3),
        ("COFF BINARY\n", 4),
        ("STOFF BINARY\n", 2),
        ("STCNOFF BINARY\n", 9),
    ] {
        let Words(bytes) = square(header, &[f32::NAN; 9][..attributes]);
        if !header.starts_with("appearance") {
            assert_eq!(Format::of_content(&bytes), Some(Format::Off), "{header}");
        }
        let file = MeshFile::from_bytes(&bytes, Some(Format::Off)).unwrap();
        assert_eq!(file.mesh, expected, "{header}");
        assert_eq!(file.report.warnings().count(), 0, "{header}");
        let is_there = |thing: &str| file.report.remarks().iter().any(|r| r.thing() == thing);
        assert_eq!(is_there("vertex attribute"), attributes > 0, "{header}");
        assert!(is_there("face colour"), "{header}");
    }
}

#[test]
fn bytes_behind_the_last_face_are_a_warning_unless_they_are_blank() {
    let Words(mut bytes) = square("OFF BINARY\n", &[]);
    let end = bytes.len();
    bytes.extend(b"\n");
    assert_eq!(MeshFile::from_bytes(&bytes, None).unwrap().report.warnings().count(), 0);
    bytes.extend(b"}");
    let report = MeshFile::from_bytes(&bytes, None).unwrap().report;
    let warning = report.warnings().next().unwrap();
    assert_eq!(warning.kind, RemarkKind::Trailing);
    let expected = format!("skipped 2 bytes after the last face, the first at byte {end}");
    assert_eq!(warning.to_string(), expected);
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    let header = || Words::new("OFF BINARY\n");
    let point = || header().whole(&[1, 1, 0]).floats(&[0.0; 3]);
    let cases = [
        (
            header().whole(&[9, 1, 0]),
            "byte 11: 9 vertices, expected at most 0 in the bytes that follow",
        ),
        (header().whole(&[-1, 0, 0]), "byte 11: 4294967295 vertices, expected at most 0 in"),
        (header().whole(&[0, 9, 0]), "byte 15: 9 faces, expected at most 0 in the bytes"),
        (
            header().whole(&[1, 0, 0]).floats(&[0.0, f32::INFINITY, 0.0]),
            "vertex 0 at byte 23: coordinate inf, expected a finite number",
        ),
        (point().whole(&[0, 0, 0]), "face 0 at byte 35: a face of 0 vertices, expected at least 1"),
        (point().whole(&[9, 0, 0]), "byte 35: 9 vertices in a face, expected at most 2 in"),
        (point().whole(&[1, 1, 0]), "face 0 at byte 35: vertex number 1 in a face, expected 0..=0"),
        (
            point().whole(&[1, -1, 0]),
            "face 0 at byte 35: vertex number -1 in a face, expected 0..=0",
        ),
        (point().whole(&[1, 0, 5]), "face 0 at byte 35: 5 colour components, expected 0..=4"),
        (point().whole(&[1, 0, 4, 0]), "byte 51: the file ends, expected the colour of a face"),
    ];
    for (Words(bytes), expected) in cases {
        let found = read_bytes(&bytes, None).unwrap_err().to_string();
        assert!(found.starts_with(expected), "{found}, expected {expected}");
    }
    let Words(sound) = square("STCNOFF BINARY\n", &[1.0; 9]);
    for length in 0..sound.len() {
        assert!(read_bytes(&sound[..length], Some(Format::Off)).is_err(), "{length} bytes");
    }
}
