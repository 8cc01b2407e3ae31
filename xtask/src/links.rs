//! Links of the documents: each leads to a file that is there, and to a heading of it.

use std::fs;
use std::path::{Path, PathBuf};

/// The Markdown files for readers.
fn documents(root: &Path) -> Vec<PathBuf> {
    let folders = ["", "docs", "fuzz", "cluster"].map(|folder| root.join(folder));
    let crates = fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    let folders = folders.into_iter().chain(crates.map(|entry| entry.path()));
    let files = folders.flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
    let mut all: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    all.retain(|path| path.extension().is_some_and(|end| end == "md"));
    all.sort();
    all
}

/// The names of a document's headings in links.
fn anchors(text: &str) -> Vec<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let name = |line: &str| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(name).collect()
}

/// The targets of inline links, outside of code.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    // Blocks of code are every other part.
    let prose = text.split("```").step_by(2);
    prose.flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next())
}

#[test]
fn links_lead_to_files_and_headings() {
    let root = crate::root();
    let (mut count, mut broken) = (0, Vec::new());
    for document in documents(&root) {
        let text = fs::read_to_string(&document).unwrap_or_default();
        let folder = document.parent().unwrap_or(&root);
        for target in targets(&text) {
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            // Names of Rust items are checked by rustdoc.
            let is_item = !path.is_empty() && !path.contains(['.', '/']);
            if target.contains("://") || is_item || target.contains(' ') {
                continue;
            }
            let file = if path.is_empty() { document.clone() } else { folder.join(path) };
            count += 1;
            let there = file.exists()
                && (anchor.is_empty()
                    || fs::read_to_string(&file)
                        .is_ok_and(|text| anchors(&text).iter().any(|one| one == anchor)));
            if !there {
                broken.push(format!("{}: {target}", document.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(count > 100, "{count}");
}
