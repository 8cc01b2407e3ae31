//! `xcollide list`, and the help texts.

#![allow(clippy::unwrap_used)]

use crate::program;

use program::{keys, xcollide};

#[test]
fn keys_are_those_of_the_contract_in_its_order() {
    let ran = xcollide("list --json");
    assert!(ran.json().len() >= 3);
    for line in ran.out.lines() {
        assert_eq!(keys(line), ["name", "kind", "accepts", "guarantee", "default", "source"]);
    }
}

#[test]
fn each_kind_has_one_default_and_known_words_only() {
    let entries = xcollide("list --json").json();
    for entry in &entries {
        let kind = entry["kind"].as_str().unwrap();
        assert!(["narrow", "broad", "bounds", "build", "execution"].contains(&kind));
        assert!(["exact", "misses", "false-hits"].contains(&entry["guarantee"].as_str().unwrap()));
        let of_kind = entries.iter().filter(|other| other["kind"] == kind);
        assert_eq!(of_kind.filter(|other| other["default"] == true).count(), 1);
    }
}

#[test]
fn every_shape_that_is_listed_can_be_used() {
    let shapes = xcollide("list --shapes --json").json();
    assert!(shapes.len() >= 8);
    for name in
        ["sphere", "torus", "cone", "cylinder", "hyperboloid", "tetraflake", "cubes", "polytope"]
    {
        let prefix = format!("shape:{name}?");
        assert!(shapes.iter().any(|s| s["shape"].as_str().unwrap().starts_with(&prefix)), "{name}");
    }
    for shape in &shapes {
        let ran = xcollide(&format!("classify --json {}", shape["shape"].as_str().unwrap()));
        assert_eq!(ran.json().len(), 1);
    }
}

/// Listed scenes can be run: the name with all its parameters equals the name alone.
#[test]
fn every_scene_that_is_listed_can_be_used() {
    let ran = xcollide("list --scenes --json");
    for line in ran.out.lines() {
        assert_eq!(keys(line), ["name", "about", "source", "frames", "scene", "default"]);
    }
    let listed = ran.json();
    let names: Vec<&str> = listed.iter().map(|scene| scene["name"].as_str().unwrap()).collect();
    assert_eq!(names, xcollide_scenes::names());
    assert_eq!(listed.iter().filter(|scene| scene["default"] == true).count(), 1);
    for scene in &listed {
        let whole = xcollide_scenes::embedded(scene["scene"].as_str().unwrap()).unwrap();
        assert_eq!(whole, xcollide_scenes::embedded(scene["name"].as_str().unwrap()).unwrap());
    }
    assert_eq!(xcollide("list --scenes --shapes").status, 2);
}

#[test]
fn people_read_tables() {
    insta::assert_snapshot!("list", xcollide("list").text());
    insta::assert_snapshot!("list_scenes", xcollide("list --scenes").text());
    let shapes = xcollide("list --shapes").text();
    assert!(shapes.contains("shape:sphere?faces=1000&radius=1\n    sphere "), "{shapes}");
}

#[test]
fn help_texts_say_what_there_is() {
    insta::assert_snapshot!("help", xcollide("--help").text());
    insta::assert_snapshot!("help_check", xcollide("check --help").text());
    insta::assert_snapshot!("help_classify", xcollide("classify --help").text());
    insta::assert_snapshot!("help_sweep", xcollide("sweep --help").text());
    insta::assert_snapshot!("help_ccd", xcollide("ccd --help").text());
    insta::assert_snapshot!("help_self", xcollide("self --help").text());
    insta::assert_snapshot!("help_list", xcollide("list --help").text());
    assert!(xcollide("--version").text().starts_with("xcollide "));
}

#[test]
fn without_a_command_the_help_is_wrong_usage() {
    let ran = xcollide("");
    assert_eq!(ran.status, 2);
    assert_eq!(ran.out, "");
}

#[test]
fn every_command_takes_the_common_options() {
    let help = xcollide("--help").text();
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names: Vec<&str> =
        commands.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.len() > 10 && names.contains(&"check"), "{names:?}");
    for name in names.into_iter().filter(|name| *name != "help") {
        let help = xcollide(&format!("{name} --help")).text();
        for option in ["--json", "--quiet", "--threads <N>", "--strict", "--stats"] {
            assert!(help.contains(option), "{name}: {option}");
        }
    }
}
