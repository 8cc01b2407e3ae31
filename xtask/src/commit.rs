//! The commit that is checked.

use std::path::Path;
use std::process::Command;

/// The commit that is checked out.
pub(crate) struct Commit {
    /// Its short hash; `unknown` without git.
    pub(crate) hash: String,
    /// The date of the commit as `2026-11-23`; empty without git.
    pub(crate) date: String,
}

impl Commit {
    /// The commit of the working tree in `root`.
    pub(crate) fn read(root: &Path) -> Self {
        let output =
            Command::new("git").args(["log", "-1", "--format=%h %cs"]).current_dir(root).output();
        let text = match output {
            Ok(output) if output.status.success() => String::from_utf8(output.stdout).ok(),
            _ => None,
        };
        let parts = text.as_deref().and_then(|text| text.trim().split_once(' '));
        let (hash, date) = parts.unwrap_or(("unknown", ""));
        Self { hash: hash.to_owned(), date: date.to_owned() }
    }

    /// A seed that changes with the date: its digits, as in 20261123; 0 without a date.
    pub(crate) fn seed(&self) -> u64 {
        self.date.replace('-', "").parse().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_is_the_date() {
        let on = |date: &str| Commit { hash: String::new(), date: date.to_owned() }.seed();
        assert_eq!((on("2026-11-23"), on("")), (20_261_123, 0));
    }
}
