//! What documents promise: each section names the tests that hold it, in a comment under its heading, and each of these
//! tests is there.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The documents that say what answers, formats, algorithms and outputs are.
const DOCUMENTS: [&str; 10] = [
    "README.md",
    "docs/algorithms.md",
    "docs/clash.md",
    "docs/first-ten-minutes.md",
    "docs/formats.md",
    "docs/guide.md",
    "docs/laboratory.md",
    "docs/reports.md",
    "docs/scenes.md",
    "docs/semantics.md",
];

/// In this one each paragraph about an algorithm names its tests, too.
const ALGORITHMS: &str = "docs/algorithms.md";

/// Sections that promise nothing of their own: a program that a test of Python opens, code that is compiled as a test, a
/// table that `cargo xtask census` writes, what was decided about rows of a survey, and a licence.
const WITHOUT: [&str; 5] =
    ["From IFC", "From Rust", "Census", "The survey of 1994, row by row", "Licence"];

/// The sections of a document, each with its heading and all up to the next of `##`, without blocks of code.
fn sections(text: &str) -> Vec<(String, String)> {
    let prose: String = text.split("```").step_by(2).collect();
    let mut sections: Vec<(String, String)> = Vec::new();
    for line in prose.lines() {
        if let Some(heading) = line.strip_prefix("## ").or_else(|| line.strip_prefix("# ")) {
            sections.push((heading.to_owned(), String::new()));
        } else if let Some((_, body)) = sections.last_mut() {
            *body += line;
            *body += "\n";
        }
    }
    sections
}

/// The names in the comment that a section begins with.
fn named(body: &str) -> Option<Vec<&str>> {
    let comment = body.trim_start().strip_prefix(COMMENT)?;
    let (names, _) = comment.split_once("-->")?;
    Some(names.split([',', '\n', ' ']).filter(|name| !name.is_empty()).collect())
}

/// The names in all comments of a text.
fn all_named(text: &str) -> impl Iterator<Item = &str> {
    let comments = text.match_indices(COMMENT).filter_map(|(at, _)| named(&text[at..]));
    comments.flatten()
}

/// How a comment that names tests begins.
const COMMENT: &str = "<!-- tests:";

/// The paragraphs that begin in bold and do not follow a comment that names tests.
fn unproved(text: &str) -> Vec<&str> {
    let paragraphs: Vec<&str> = text.split("\n\n").collect();
    let pairs = paragraphs.windows(2).filter(|pair| {
        pair[1].trim_start().starts_with("**") && !pair[0].trim_start().starts_with(COMMENT)
    });
    pairs.filter_map(|pair| pair[1].lines().next()).collect()
}

/// Adds the names of all tests in files below a folder.
fn add_tests(folder: &Path, names: &mut HashSet<String>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            add_tests(&path, names);
        } else if path.extension().is_some_and(|end| end == "py") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let functions = text.lines().filter_map(|line| line.strip_prefix("def test_"));
            let names_of = functions.filter_map(|rest| rest.split_once('('));
            names.extend(names_of.map(|(name, _)| format!("test_{name}")));
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).unwrap_or_default();
            let functions = text.split("#[test]").skip(1).filter_map(|after| {
                let (_, rest) = after.split_once("fn ")?;
                rest.split_once('(').map(|(name, _)| name.to_owned())
            });
            names.extend(functions);
        }
    }
}

#[test]
fn sections_name_tests_that_are_there() {
    let root = crate::root();
    let mut tests = HashSet::new();
    for folder in ["crates", "xtask", "cluster"] {
        add_tests(&root.join(folder), &mut tests);
    }
    let (mut count, mut wrong) = (0, Vec::new());
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).unwrap_or_default();
        let sections = sections(&text);
        assert!(!sections.is_empty(), "{document}");
        for (at, (heading, body)) in sections.iter().enumerate() {
            // The first one is the introduction.
            if at > 0 && named(body).is_none() && !WITHOUT.contains(&heading.as_str()) {
                wrong.push(format!("{document}: `{heading}` names no tests"));
            }
            for name in all_named(body) {
                count += 1;
                if !tests.contains(name) {
                    wrong.push(format!("{document}: `{heading}`: no test {name}"));
                }
            }
        }
        if document == ALGORITHMS {
            let lines = unproved(&text).into_iter();
            wrong.extend(lines.map(|line| format!("{document}: no tests before `{line}`")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 500, "{count}");
}

#[test]
fn the_readme_names_every_crate() {
    let root = crate::root();
    let text = fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let section = text.split("\n## ").find(|section| section.starts_with("The crates"));
    let rows = section.unwrap_or_default().lines().filter(|line| line.starts_with("| [`"));
    let mut told: Vec<&str> = rows
        .filter_map(|row| row.split_once("](crates/")?.1.split_once("/README.md)"))
        .map(|(name, _)| name)
        .collect();
    told.sort_unstable();
    let folders = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let mut all: Vec<String> = folders
        .filter(|folder| folder.path().join("Cargo.toml").exists())
        .map(|folder| folder.file_name().to_string_lossy().into_owned())
        .collect();
    all.sort_unstable();
    assert_eq!(told, all);
}

#[test]
fn sections_and_their_tests_are_found() {
    let text = "# A\n\nintro\n\n## B\n\n<!-- tests: one,\ntwo -->\n\ntext\n\n```text\n## no heading\n```\n\n## C\n\ntext\n";
    let sections = sections(text);
    let headings: Vec<&str> = sections.iter().map(|(heading, _)| heading.as_str()).collect();
    assert_eq!(headings, ["A", "B", "C"]);
    let names: Vec<_> = sections.iter().map(|(_, body)| named(body)).collect();
    assert_eq!(names, [None, Some(vec!["one", "two"]), None]);
    let text = "<!-- tests: one -->\n\n**a** is told.\n\n**b** is not.\n\n<!-- tests: two -->\n\n**c** is.";
    assert_eq!(unproved(text), ["**b** is not."]);
    assert_eq!(all_named(text).collect::<Vec<_>>(), ["one", "two"]);
}
