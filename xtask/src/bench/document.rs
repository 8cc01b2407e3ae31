//! What `docs/benchmarks.md` says about its figures: each measured part names the command that printed it, the date, the
//! compiler and the commit; tables of broad phases have no row of an algorithm that their command does not name.

use std::fs;

use super::{PATH, block, names};

/// Parts written by other chores than `cargo xtask bench`.
const OTHERS: [&str; 5] = ["peers", "peers-convex", "peers-coherent", "python", "thresholds"];

/// Parts that were measured before they were stamped, or with changes that were not committed. None is added; one that is
/// measured anew leaves.
const TO_MEASURE: [&str; 0] = [];

fn document() -> String {
    fs::read_to_string(crate::root().join(PATH)).unwrap_or_default()
}

/// The names of all parts that somebody writes, and what stands in them.
fn parts() -> Result<Vec<(&'static str, String)>, String> {
    let document = document();
    let part = |name| Ok((name, block::around(&document, name)?[1].trim().to_owned()));
    names().into_iter().chain(OTHERS).map(part).collect()
}

/// What a part lacks of a command, a date, a compiler and a commit without changes.
fn lacks(text: &str) -> Option<&'static str> {
    let head = text.split("\n\n").next().unwrap_or_default();
    let mut words = head.split([' ', '\n', ',', ';']);
    let commit = words.clone().skip_while(|&word| word != "commit").nth(1).unwrap_or_default();
    let commit = commit.trim_end_matches('.');
    let is_date = |word: &str| {
        let numbers: Vec<&str> = word.split('-').collect();
        numbers.iter().map(|number| number.len()).eq([4, 2, 2])
            && numbers.iter().all(|number| number.parse::<u32>().is_ok())
    };
    if !head.starts_with('`') {
        Some("no command")
    } else if !words.any(is_date) {
        Some("no date")
    } else if !head.contains("rustc 1.") {
        Some("no compiler")
    } else if commit.len() < 7 || !commit.chars().all(|c| c.is_ascii_hexdigit()) {
        Some("no commit, or one with changes")
    } else {
        None
    }
}

/// The names of algorithms that a command lists, as one word with commas or as words of their own.
fn named(text: &str) -> Vec<&str> {
    let command = text.split('`').nth(1).unwrap_or_default();
    let arguments = command.split_once(" -- ").map_or("", |(_, arguments)| arguments);
    arguments.split([' ', ',']).collect()
}

#[test]
fn every_part_is_written_by_a_chore_once() -> Result<(), String> {
    // None is missing, repeated or unterminated; and there are no others.
    assert_eq!(parts()?.len(), document().matches("<!-- measured: ").count());
    Ok(())
}

#[test]
fn every_part_says_when_where_and_of_which_commit() -> Result<(), String> {
    for (name, text) in parts()? {
        let (lacks, is_due) = (lacks(&text), TO_MEASURE.contains(&name));
        assert_eq!(lacks.is_some(), is_due, "{name}: {}", lacks.unwrap_or("it is stamped now"));
    }
    Ok(())
}

#[test]
fn a_stamp_is_missed_and_so_is_what_is_not_in_it() {
    let stamped =
        "`cargo bench`  \n2026-11-22, AMD EPYC, avx2; rustc 1.95.0, commit 5aee786.\n\n| |";
    assert_eq!(lacks(stamped), None);
    for (from, to, missing) in [
        ("`cargo bench`", "cargo bench", "no command"),
        ("2026-11-22", "22 November", "no date"),
        ("rustc 1.95.0", "rustc", "no compiler"),
        ("5aee786", "5aee786-dirty", "no commit, or one with changes"),
        ("commit 5aee786", "", "no commit, or one with changes"),
    ] {
        assert_eq!(lacks(&stamped.replace(from, to)), Some(missing), "{to}");
    }
}

/// Commands that list algorithms, and the columns and rows of the parts that they print.
#[test]
fn tables_have_the_algorithms_that_their_commands_name() -> Result<(), String> {
    let known =
        ["auto", "neighbour-list", "hash-grid", "wide-tree", "parry-refit", "rapier", "sweep"];
    let mut rows = 0;
    for (name, text) in parts()? {
        let named = named(&text);
        if !["broad-alone", "broad-large", "broad-million", "broad-threads"].contains(&name) {
            continue;
        }
        assert!(named.iter().any(|name| known.contains(name)), "{name}: {named:?}");
        for line in text.lines().filter(|line| line.starts_with("| ")) {
            let first = line.split('|').nth(1).unwrap_or_default().trim();
            let is_name = known.contains(&first.trim_end_matches('+'));
            assert!(!is_name || named.contains(&first), "{name} has a row {first}");
            rows += usize::from(is_name);
        }
    }
    assert!(rows > 20, "{rows}");
    Ok(())
}
