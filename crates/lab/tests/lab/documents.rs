//! Runs the commands of `docs/first-ten-minutes.md` and `docs/clash.md`, and the first of the README.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::Path;

use program::xcollide_at;

/// A command's arguments, quoted if they have blanks or special characters.
fn arguments(command: &str) -> Vec<&str> {
    let parts = command.split('\'').enumerate();
    parts
        .flat_map(
            |(number, part)| {
                if number % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }
            },
        )
        .collect()
}

#[test]
fn the_first_ten_minutes_are_as_written() {
    assert!(commands_run_as_written("first-ten-minutes.md") > 15);
}

#[test]
fn clash_detection_is_as_written() {
    assert_eq!(commands_run_as_written("clash.md"), 4);
}

/// The first command of the program's README prints what stands below it, but for the time.
#[test]
fn the_readme_shows_what_a_check_prints() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines = text.lines().skip_while(|line| !line.starts_with("$ xcollide "));
    let command = lines.next().unwrap().strip_prefix("$ xcollide ").unwrap();
    let (expected, time) = lines.next().unwrap().rsplit_once(", ").unwrap();
    assert!(time.ends_with(" µs]"), "{time}");
    let told = xcollide_at(Path::new("."), &arguments(command), "").out;
    assert!(told.starts_with(expected), "{command}: {told}");
}

/// The scene that the reader writes has its frames and objects, and so has the default one.
#[test]
fn the_scene_of_the_first_ten_minutes_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/first-ten-minutes.md")).unwrap();
    let mut blocks = text.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    let scene = blocks.find(|block| block.starts_with("name = \"two\"")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("two.toml"), scene).unwrap();
    for (command, expected) in [("run two.toml", [120, 6]), ("run --frames 100", [100, 16])] {
        let arguments = arguments(command).into_iter().chain(["--json"]).collect::<Vec<_>>();
        let objects = xcollide_at(folder.path(), &arguments, "").json();
        let (last, frames) = objects.split_last().unwrap();
        let count = last["summary"]["objects"].as_u64().unwrap();
        assert_eq!([frames.len() as u64, count], expected, "{command}");
        assert!(frames.iter().all(|frame| frame["began"].is_array()), "{command}");
    }
}

/// Runs the commands of a document: the output begins as the line below each. Returns how many there are.
fn commands_run_as_written(document: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs").join(document)).unwrap();
    let blocks = text.split("```console\n").skip(1).filter_map(|rest| rest.split("```").next());
    let mut count = 0;
    for block in blocks {
        let mut lines = block.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(command) = line.strip_prefix("$ xcollide ") else {
                panic!("`{line}` stands where a command is expected")
            };
            let expected = lines.next().unwrap();
            let ran = xcollide_at(&root, &arguments(command), "");
            let told = if ran.status == 0 { &ran.out } else { &ran.err };
            assert!(told.starts_with(expected.trim_end()), "{command}: {told}");
            // Errors begin with the program's name.
            assert_eq!(ran.status != 0, expected.starts_with("xcollide: "), "{command}: {told}");
            count += 1;
        }
    }
    count
}
