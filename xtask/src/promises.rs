//! What documents promise: each section names the tests that hold it, in a comment under its heading, and each of these
//! tests is there. Each sentence with a duration, or with what is faster, says where it is from.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The documents that say what answers, formats, algorithms and outputs are.
const DOCUMENTS: [&str; 13] = [
    "README.md",
    "crates/lab/README.md",
    "docs/algorithms.md",
    "docs/architecture.md",
    "docs/clash.md",
    "docs/first-ten-minutes.md",
    "docs/formats.md",
    "docs/guide.md",
    "docs/laboratory.md",
    "docs/reports.md",
    "docs/scenes.md",
    "docs/semantics.md",
    "docs/verification.md",
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

/// The sentences of a document's prose, without headings, tables, comments and blocks of code.
fn sentences(text: &str) -> Vec<String> {
    let mut prose: String = text.split("```").step_by(2).collect();
    while let Some((before, rest)) = prose.split_once("<!--") {
        prose = format!("{before}\n\n{}", rest.split_once("-->").map_or("", |(_, after)| after));
    }
    let mut sentences = Vec::new();
    for paragraph in prose.split("\n\n").flat_map(|part| part.split("\n- ")) {
        let lines = paragraph.lines().filter(|line| !line.starts_with(['#', '|']));
        let mut sentence = String::new();
        for word in lines.flat_map(str::split_whitespace).filter(|&word| word != "-") {
            sentence = format!("{sentence} {word}");
            if word.ends_with(['.', '?', '!']) || word.ends_with(".)") {
                sentences.push(std::mem::take(&mut sentence));
            }
        }
        sentences.push(sentence);
    }
    sentences.retain(|sentence| !sentence.trim().is_empty());
    sentences
}

/// Words that make a sentence one about a figure that is measured.
const MEASURED: [&str; 12] = [
    "ns",
    "µs",
    "ms",
    "nanosecond",
    "nanoseconds",
    "microsecond",
    "microseconds",
    "millisecond",
    "milliseconds",
    "faster",
    "slower",
    "fastest",
];

/// What tells where a figure is from: the tables, a command, the file of a constant.
const SOURCES: [&str; 5] = ["benchmarks.md", "`cargo ", "`xcollide ", "`--bench", ".rs`"];

/// The sentences with a figure that do not say where it is from.
fn unmeasured(text: &str) -> Vec<String> {
    let is_measured = |sentence: &str| {
        // Names of keys are in backticks.
        let plain = sentence.split('`').step_by(2);
        let mut words = plain.flat_map(|part| part.split(|c: char| !c.is_alphanumeric()));
        words.any(|word| MEASURED.contains(&word))
    };
    let mut found = sentences(text);
    found.retain(|sentence| {
        is_measured(sentence) && !SOURCES.iter().any(|source| sentence.contains(source))
    });
    found
}

#[test]
fn measured_figures_say_where_they_are_from() {
    let root = crate::root();
    let crates = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let readmes = crates.map(|folder| folder.path().join("README.md"));
    let (mut count, mut wrong) = (0, Vec::new());
    for document in DOCUMENTS.iter().map(|name| root.join(name)).chain(readmes) {
        let text = fs::read_to_string(&document).unwrap_or_default();
        count += sentences(&text).len();
        let found = unmeasured(&text).into_iter();
        wrong.extend(found.map(|sentence| format!("{}:{sentence}", document.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 1500, "{count}");
}

#[test]
fn sentences_with_figures_are_found() {
    let text = "# A\n\n<!-- tests: a -->\n\nIt is fast. It takes 3\nµs. So does\nthat.\n\n- It takes 4 µs ([x](benchmarks.md)).\n- B.\n\n| 5 µs |\n";
    let found: Vec<String> = sentences(text).iter().map(|one| one.trim().to_owned()).collect();
    let last = "It takes 4 µs ([x](benchmarks.md)).";
    assert_eq!(found, ["It is fast.", "It takes 3 µs.", "So does that.", last, "B."]);
    assert_eq!(unmeasured(text), [" It takes 3 µs."]);
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
    for folder in ["crates", "xtask", "cluster", "test-fixtures"] {
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
    let folders = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let readmes = folders.map(|folder| folder.path().join("README.md"));
    for readme in readmes {
        let text = fs::read_to_string(&readme).unwrap_or_default();
        let names: Vec<&str> = all_named(&text).collect();
        count += names.len();
        if names.is_empty() {
            wrong.push(format!("{}: no tests", readme.display()));
        }
        let missing = names.into_iter().filter(|name| !tests.contains(*name));
        wrong.extend(missing.map(|name| format!("{}: no test {name}", readme.display())));
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
