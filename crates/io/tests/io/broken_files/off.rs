use xcollide_io::Format;

use super::check;

#[test]
fn headers_counts_and_lines() {
    check(
        Format::Off,
        &[
            ("", "the file is empty, expected `OFF`"),
            ("# OFF\n", "the file is empty, expected `OFF`"),
            ("OFFICE 1 2", "line 1: `OFFICE`, expected `OFF`"),
            ("-3 1 0", "line 1: `-3`, expected the number of vertices"),
            ("OFF", "line 1: the file ends, expected the number of vertices"),
            ("OFF\n3", "line 2: the file ends, expected the number of faces"),
            ("OFF\n3.5 1", "line 2: `3.5`, expected the number of vertices"),
            ("OFF\n3 -1", "line 2: `-1`, expected the number of faces"),
            ("OFF\n1 0 x\n0 0 0", "line 2: `x`, expected the number of edges"),
            ("OFF BINARY\n\0\0", "byte 13: the file ends, expected a count"),
            (
                "4OFF\n",
                "line 1: OFF of vertices with four coordinates (`4OFF`) is not supported, expected three \
                 coordinates a vertex: project the vertices to space, and write them as `OFF`",
            ),
            (
                "CnOFF\n5",
                "line 1: OFF of vertices with any number of coordinates (`CnOFF`) is not supported, expected three \
                 coordinates a vertex: project the vertices to space, and write them as `OFF`",
            ),
            (
                "OFF\n4000000000 1 0\n0 0 0\n",
                "line 3: 4000000000 vertices, expected at most 1 in the bytes that follow",
            ),
            (
                "OFF\n1 9223372036854775807 0\n0 0 0\n1 0\n",
                "line 3: 9223372036854775807 faces, expected at most 1 in the bytes that follow",
            ),
            (
                "OFF\n18446744073709551616 1 0\n",
                "line 2: `18446744073709551616`, expected the number of vertices",
            ),
            ("OFF\n2 0\n0 0 0 0 0 0 0", "line 3: the file ends, expected vertex 1 of 2"),
            ("OFF\n2 0\n0 0 0\n0 0\n0\n", "line 4: the end of the line, expected a coordinate"),
            ("OFF\n1 0\n0 0 1e309\n", "line 3: coordinate `1e309`, expected a finite number"),
            ("OFF\n1 0\n0 NaN 1\n", "line 3: coordinate `NaN`, expected a finite number"),
            ("OFF\n1 0\n0 a 1\n", "line 3: `a`, expected a coordinate"),
            ("OFF\n1 2\n0 0 0\n\n1 0      \n", "line 6: the file ends, expected face 1 of 2"),
            ("OFF\n1 1\n0 0 0\n0 0 0\n", "line 4: a face of 0 vertices, expected at least 1"),
            ("OFF\n1 1\n0 0 0\n-1 0\n", "line 4: `-1`, expected the number of vertices of a face"),
            (
                "OFF\n1 1\n0 0 0\n99 0 0\n",
                "line 4: 99 vertices in a face, expected at most 2 in the bytes that follow",
            ),
            ("OFF\n1 1\n0 0 0\n2 0\n0\n", "line 4: the end of the line, expected a vertex number"),
            ("OFF\n1 1\n0 0 0\n2 0 0.0\n", "line 4: `0.0`, expected a vertex number"),
            ("OFF\n1 1\n0 0 0\n2 0 1\n", "line 4: vertex number 1 in a face, expected 0..=0"),
            ("OFF\n1 1\n0 0 0\n2 0 -1\n", "line 4: vertex number -1 in a face, expected 0..=0"),
            (
                "OFF\n0 1\n1 0\n",
                "line 3: vertex number 0 in a face, expected none, as there are no vertices",
            ),
            (
                "1 1\n0 0 0\n1 0\n1 0\n",
                "line 4: `1`, expected the end of the file after 1 vertices, 1 faces",
            ),
            ("appearance { a { b }\nOFF 1 0\n0 0 0", "the file is empty, expected `OFF`"),
        ],
    );
}
