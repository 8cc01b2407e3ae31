//! The table "term → file" of docs/architecture.md, and its other names of files, compared with the tree.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// How much of a file is its head.
const HEAD: usize = 40;

/// The rows of the table under the heading `## Terms`: a term, and the files it is in.
fn rows(document: &str) -> Vec<(&str, Vec<&str>)> {
    let section = document.split("\n## ").find_map(|section| section.strip_prefix("Terms\n"));
    let lines = section.unwrap_or_default().lines().filter_map(|line| line.strip_prefix('|'));
    // The heading and the line below it come first.
    let cells = lines.skip(2).filter_map(|line| line.strip_suffix('|')?.split_once('|'));
    cells
        .map(|(term, files)| (term.trim(), files.split('`').skip(1).step_by(2).collect()))
        .collect()
}

/// Whether a head names a term: all its words, or those of one of its names in parentheses.
fn names(head: &str, term: &str) -> bool {
    let words = |text: &str| -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let head = words(head);
    let known = |word: &String| {
        head.contains(word) || ["s", "es"].iter().any(|end| head.contains(&format!("{word}{end}")))
    };
    let mut alternatives = term.split(['(', ',', ')']).map(words).filter(|set| !set.is_empty());
    alternatives.any(|alternative| alternative.iter().all(known))
}

/// What is wrong with a row.
fn problems(root: &Path, term: &str, files: &[&str]) -> Vec<String> {
    if files.is_empty() {
        return vec![format!("{term}: no file")];
    }
    let problem = |file: &&str| match fs::read_to_string(root.join(file)) {
        Err(error) => Some(format!("{term}: {file}: {error}")),
        Ok(text) => {
            let head = text.lines().take(HEAD).collect::<Vec<_>>().join("\n");
            (!names(&head, term)).then(|| format!("{term}: not in the head of {file}"))
        }
    };
    files.iter().filter_map(problem).collect()
}

#[test]
fn every_term_has_its_file() {
    let root = crate::root();
    let document = fs::read_to_string(root.join("docs/architecture.md"));
    let document = document.unwrap_or_else(|error| panic!("docs/architecture.md: {error}"));
    let rows = rows(&document);
    assert!(rows.len() >= 40, "{} terms", rows.len());
    let wrong: Vec<String> =
        rows.iter().flat_map(|(term, files)| problems(&root, term, files)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rows_are_read_up_to_the_next_heading() {
    let text = "# A\n\n## Terms\n\nText.\n\n| term | file |\n|---|---|\n| GJK | `a.rs`, `b.rs` |\n\
        | none | |\n\n## Next\n\n| x | `c` |\n";
    assert_eq!(rows(text), [("GJK", vec!["a.rs", "b.rs"]), ("none", vec![])]);
}

#[test]
fn a_head_names_a_term_by_whole_words_or_by_its_acronym() {
    let head = "//! Expanding polytopes (van den Bergen), separating axes.";
    assert!(names(head, "expanding polytope algorithm (EPA, expanding polytope)"));
    assert!(!names(head, "EPA"));
    assert!(names("//! The EPA.", "expanding polytope algorithm (EPA)"));
}

#[test]
fn what_is_wrong_with_a_row_is_told() {
    let wrong = |term, files| problems(&crate::root(), term, files).join("\n");
    assert_eq!(wrong("GJK", &[]), "GJK: no file");
    assert!(wrong("GJK", &["none.rs"]).starts_with("GJK: none.rs: "));
    assert_eq!(wrong("GJK", &["xtask/src/main.rs"]), "GJK: not in the head of xtask/src/main.rs");
    assert_eq!(wrong("chores", &["xtask/src/main.rs"]), "");
}

/// A name may begin at a folder of the name before it, in the same row or paragraph, or in `crates`.
#[test]
fn files_of_the_map_and_of_the_way_of_a_pose_are_there() {
    let root = crate::root();
    let document = fs::read_to_string(root.join("docs/architecture.md"));
    let document = document.unwrap_or_else(|error| panic!("docs/architecture.md: {error}"));
    let (mut count, mut missing) = (0, Vec::new());
    for heading in ["Where things are\n", "The way of a pose\n"] {
        let section = document.split("\n## ").find_map(|section| section.strip_prefix(heading));
        let mut before = root.join("crates");
        for line in section.unwrap_or_default().lines() {
            if line.is_empty() || line.starts_with('|') {
                before = root.join("crates");
            }
            let quoted = line.split('`').skip(1).step_by(2);
            for name in quoted.filter(|name| name.ends_with('/') || name.contains('.')) {
                let folders = before.ancestors().take_while(|folder| folder.starts_with(&root));
                let found = folders.map(|folder| folder.join(name)).find(|path| path.exists());
                count += 1;
                match found {
                    Some(path) => before = path,
                    None => missing.push(name),
                }
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(count > 100, "{count}");
}
