//! What documents promise: each section names the tests that hold it, in a comment under its heading, and each of these
//! tests is there.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The documents that say what answers, formats and outputs are.
const DOCUMENTS: [&str; 7] =
    ["semantics", "scenes", "formats", "clash", "reports", "guide", "laboratory"];

/// Sections that promise nothing of their own: a program that a test of Python opens, code that is compiled as a test, a
/// table that `cargo xtask census` writes.
const WITHOUT: [&str; 3] = ["From IFC", "From Rust", "Census"];

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
    let comment = body.trim_start().strip_prefix("<!-- tests:")?;
    let (names, _) = comment.split_once("-->")?;
    Some(names.split([',', '\n', ' ']).filter(|name| !name.is_empty()).collect())
}

/// Adds the names of all functions in files with tests below a folder.
fn add_tests(folder: &Path, names: &mut HashSet<String>) {
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            add_tests(&path, names);
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
        let text = fs::read_to_string(root.join(format!("docs/{document}.md"))).unwrap_or_default();
        let sections = sections(&text);
        assert!(!sections.is_empty(), "{document}");
        for (at, (heading, body)) in sections.iter().enumerate() {
            let Some(names) = named(body) else {
                // The first one is the introduction.
                if at > 0 && !WITHOUT.contains(&heading.as_str()) {
                    wrong.push(format!("{document}.md: `{heading}` names no tests"));
                }
                continue;
            };
            count += names.len();
            let unknown = names.into_iter().filter(|&name| !tests.contains(name));
            wrong.extend(unknown.map(|name| format!("{document}.md: `{heading}`: no test {name}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 200, "{count}");
}

#[test]
fn sections_and_their_tests_are_found() {
    let text = "# A\n\nintro\n\n## B\n\n<!-- tests: one,\ntwo -->\n\ntext\n\n```text\n## no heading\n```\n\n## C\n\ntext\n";
    let sections = sections(text);
    let headings: Vec<&str> = sections.iter().map(|(heading, _)| heading.as_str()).collect();
    assert_eq!(headings, ["A", "B", "C"]);
    let names: Vec<_> = sections.iter().map(|(_, body)| named(body)).collect();
    assert_eq!(names, [None, Some(vec!["one", "two"]), None]);
}
