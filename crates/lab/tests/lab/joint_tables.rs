//! Scenes with a table of joint values: a run checks all rows.

#![allow(clippy::unwrap_used)]

use crate::program;
use crate::run::lists;

use std::path::Path;

use program::{Ran, xcollide_at};
use serde_json::json;

/// A slider that meets a wall at 9 in the last row only.
const SLIDER: &str = "<robot name='r'>
<link name='rail'/>
<link name='cart'><collision><geometry><box size='1 1 1'/></geometry></collision></link>
<joint name='slide' type='prismatic'><parent link='rail'/><child link='cart'/>
<axis xyz='1 0 0'/><limit lower='0' upper='9' effort='1' velocity='1'/></joint></robot>";

const ROWS: usize = 10_000;

/// Runs a scene of the slider with these keys, of the scene and beside its table.
fn run(keys: &str, beside: &str, options: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let rows = (1..=ROWS).map(|row| if row == ROWS { "9\n" } else { "0\n" });
    write("r.urdf", SLIDER);
    write("r.csv", &["slide\n"].into_iter().chain(rows).collect::<String>());
    let scene = format!(
        "name = 'a'\n{keys}\n[[imports]]\nrobot = 'r.urdf'\njoints = 'r.csv'\n{beside}\n\
         [[objects]]\nmesh = 'shape:box'\npose = [10, 0, 0]\nstatic = true\n"
    );
    write("s.toml", &scene);
    xcollide_at(Path::new(folder.path()), &[&["run", "s.toml", "--json"], options].concat(), "")
}

#[test]
fn without_a_number_of_frames_all_rows_are_checked() {
    let found = lists(&run("", "", &[]));
    assert_eq!(found.len(), ROWS);
    let began = found.iter().filter(|frame| frame[1] != json!([]));
    assert_eq!(began.collect::<Vec<_>>(), [&json!([ROWS - 1, [[0, 1]], [], []])]);
}

#[test]
fn fewer_frames_may_be_asked_for_and_more_are_refused() {
    assert_eq!(lists(&run("frames = 30", "", &[])).len(), 30);
    assert_eq!(lists(&run("", "", &["--frames", "30"])).len(), 30);
    let expected = "s.toml: key `frames`: found 20000, expected at most 10000, the rows of the table of \
                    joint values, or `then = \"repeat\"` beside it";
    assert_eq!(run("frames = 20000", "", &[]).error(2), expected);
    assert_eq!(run("", "", &["--frames", "20000"]).error(2), expected);
}

/// Frames after the last row are of use where something moves in them.
#[test]
fn what_still_moves_after_the_last_row_may_go_on() {
    assert_eq!(lists(&run("frames = 10001", "then = 'repeat'", &[])).len(), 10_001);
    let ball = "[[objects]]\nmesh = 'shape:box'\npose = [0, 9, 0]\nmotion = { kind = 'orbit', \
                axis = [0, 0, 1], degrees = 1 }";
    assert_eq!(lists(&run("frames = 10001", ball, &[])).len(), 10_001);
}
