use xcollide_io::Format;

use super::check;

#[test]
fn statements_and_numbers() {
    check(
        Format::Obj,
        &[
            ("", "the file is empty, expected OBJ statements"),
            ("# only\n\n", "the file is empty, expected OBJ statements"),
            ("<html>", "line 1: `<html>`, expected an OBJ statement such as `v` or `f`"),
            ("x\nff 1\n", "line 1: `x`, expected an OBJ statement such as `v` or `f`"),
            ("v 0 0", "line 1: the file ends, expected a coordinate"),
            ("v 0 0\nv 0 0 0", "line 1: the end of the line, expected a coordinate"),
            ("v 0 0 # 0\n", "line 1: the end of the line, expected a coordinate"),
            ("v 0 0 zero", "line 1: `zero`, expected a coordinate"),
            ("v 0 0,5 0", "line 1: `0,5`, expected a coordinate"),
            ("v 0 nan 0", "line 1: coordinate `nan`, expected a finite number"),
            ("v -inf 0 0", "line 1: coordinate `-inf`, expected a finite number"),
            ("v 0 \\\n0 1e999", "line 2: coordinate `1e999`, expected a finite number"),
            ("v 1.#INF 0 0", "line 1: `1.#INF`, expected a coordinate"),
            ("f\n", "line 1: the end of the line, expected vertex numbers of a face"),
            ("f", "line 1: the file ends, expected vertex numbers of a face"),
            (
                "f 1 2 3",
                "line 1: vertex number 1 in a face, expected none, as there are no vertices",
            ),
            ("v 0 0 0\n\nf 1 2 1\n", "line 3: vertex number 2 in a face, expected 1..=1"),
            ("f 1 3\nv 0 0 0\nv 1 0 0", "line 1: vertex number 3 in a face, expected 1..=2"),
            ("v 0 0 0\nf 1 0 1", "line 2: vertex number 0 in a face, expected 1..=1"),
            ("v 0 0 0\nf -1 -2", "line 2: vertex number -2 in a face, expected -1..=-1"),
            (
                "v 0 0 0\nf 1 4294967296",
                "line 2: vertex number 4294967296 in a face, expected 1..=1",
            ),
            (
                "v 0 0 0\nf 1 99999999999999999999",
                "line 2: `99999999999999999999`, expected a corner such as `1`, `1/2` or `1/2/3`",
            ),
            (
                "v 0 0 0\nf 1/2/3/4",
                "line 2: `1/2/3/4`, expected a corner such as `1`, `1/2` or `1/2/3`",
            ),
            ("v 0 0 0\nf /1", "line 2: `/1`, expected a corner such as `1`, `1/2` or `1/2/3`"),
            ("v 0 0 0\nf 1.0", "line 2: `1.0`, expected a corner such as `1`, `1/2` or `1/2/3`"),
            ("v 0 0 \0", "line 1: `\\0`, expected a coordinate"),
        ],
    );
}
