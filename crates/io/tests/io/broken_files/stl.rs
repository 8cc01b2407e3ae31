use xcollide_io::Format;

use super::{check, refused};
use crate::samples;

#[test]
fn text() {
    let facet = "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n";
    let with = |rest: &str| refused(Format::Stl, format!("solid s\n{facet}{rest}").as_bytes());
    assert_eq!(
        with("endloop\nendfacet\n"),
        "line 9: the file ends, expected `facet` or `endsolid`"
    );
    assert_eq!(with("endloop\n"), "line 8: the file ends, expected `endfacet`");
    assert_eq!(with("vertex 1 1 1\n"), "line 7: `vertex`, expected `endloop`");
    assert_eq!(
        with("endloop endfacet endsolid s\nv 1 2 3\n"),
        "line 8: `v`, expected `solid` or the end of the file"
    );
    check(
        Format::Stl,
        &[
            ("", "the file is empty, expected STL"),
            ("solid", "line 1: the file ends, expected `facet` or `endsolid`"),
            ("solid a\nfacet nromal", "line 2: `nromal`, expected `normal`"),
            (
                "solid a\nfacet normal 0 0",
                "line 2: the file ends, expected a normal of three numbers",
            ),
            ("solid a\nface", "line 2: `face`, expected `facet` or `endsolid`"),
            (
                "solid a\nfacet normal 0 0 1 outer loop\nvertex 0 0 0\nvertex 0 inf 0",
                "line 4: coordinate `inf`, expected a finite number",
            ),
            (
                "solid a\nfacet normal 0 0 1 outer loop\nvertex 0 0 0\nvertex 0 0 0,\n",
                "line 4: `0,`, expected a coordinate",
            ),
            (
                "solid a\nfacet normal 0 0 1 outer loop\nvertex 0 0",
                "line 3: the file ends, expected a coordinate",
            ),
        ],
    );
}

#[test]
fn binary_files() {
    let binary = |count: u32, records: &[[f32; 12]], extra: usize| {
        let mut bytes = vec![b'x'; 80];
        bytes.extend(count.to_le_bytes());
        for record in records {
            bytes.extend(samples::floats(record));
            bytes.extend([0, 0]);
        }
        bytes.resize(bytes.len() + extra, 0);
        refused(Format::Stl, &bytes)
    };
    let fine = [0.0; 12];
    let with = |value: f32| {
        let mut record = fine;
        record[11] = value;
        record
    };
    assert_eq!(
        refused(Format::Stl, b"PK\x03\x04"),
        "byte 4: the file ends, expected `solid`, or a binary header of 84 bytes"
    );
    assert_eq!(
        binary(u32::MAX, &[fine], 0),
        "byte 80: 4294967295 triangles, expected at most 1 in the bytes that follow"
    );
    assert_eq!(
        binary(2, &[fine], 49),
        "byte 80: 2 triangles, expected at most 1 in the bytes that follow"
    );
    assert_eq!(
        binary(2, &[fine, with(f32::NAN)], 0),
        "triangle 1 at byte 134: coordinate NaN, expected a finite number"
    );
    assert_eq!(
        binary(1, &[with(f32::NEG_INFINITY)], 0),
        "triangle 0 at byte 84: coordinate -inf, expected a finite number"
    );
}
