//! `xcollide classify` gives the known properties of every mesh of `fixtures/`, and refuses every
//! broken file.
//!
//! `fixtures/facts.jsonl` has the properties, counted by hand, under the keys of `classify`,
//! without those that have no agreed meaning for a mesh.

#![allow(clippy::unwrap_used)]

use crate::program;

use std::path::{Path, PathBuf};

use program::xcollide_at;
use serde_json::Value;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

#[test]
fn classify_is_right_on_every_fixture() {
    let facts = std::fs::read_to_string(folder().join("facts.jsonl")).unwrap();
    let facts: Vec<Value> = facts.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let files: Vec<&str> = facts.iter().map(|fact| fact["file"].as_str().unwrap()).collect();
    assert!(files.len() > 40);
    let mut arguments = vec!["classify", "--json"];
    arguments.extend(&files);
    let found = xcollide_at(&folder(), &arguments, "").json();
    assert_eq!(found.len(), facts.len());
    for (fact, found) in facts.iter().zip(&found) {
        for (key, expected) in fact.as_object().unwrap() {
            let is_right = match (key.as_str(), expected.as_f64(), found[key].as_f64()) {
                ("volume", Some(expected), Some(volume)) => {
                    (volume - expected).abs() <= 1e-12 * expected.abs()
                }
                _ => found[key] == *expected,
            };
            assert!(is_right, "{}: {key}: {} is not {expected}", fact["file"], found[key]);
        }
    }
}

#[test]
fn every_broken_file_is_refused_with_one_line() {
    let mut names: Vec<String> = std::fs::read_dir(folder().join("broken"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert!(names.len() > 25);
    for name in names {
        let path = format!("broken/{name}");
        for arguments in [vec!["classify", &path], vec!["check", &path, "shape:box", "--json"]] {
            let ran = xcollide_at(&folder(), &arguments, "");
            assert_eq!((ran.status, &*ran.out), (2, ""), "{name}");
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
            assert!(ran.err.contains(&path), "{}", ran.err);
        }
    }
}
