//! A statement of a source as an expectation, and whether our figures bear it out.

use std::fmt;

use serde::Serialize;

use crate::report::number;

/// What a source found, and whether it is found again.
///
/// Times of machines thirty years apart cannot be compared. An expectation is about who is faster, by what order, and where the
/// crossing is; it says itself what counts as found again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What the source says, as an expectation.
    #[serde(rename = "finding")]
    pub(super) expected: String,
    /// Whether our figures say so, too.
    pub(super) found: bool,
    /// Our figures, which decide it.
    #[serde(rename = "why")]
    pub(super) measured: String,
}

impl Finding {
    pub(super) fn new(
        expected: impl Into<String>,
        found: bool,
        measured: impl Into<String>,
    ) -> Self {
        Self { expected: expected.into(), found, measured: measured.into() }
    }

    /// What the source says, as an expectation.
    #[must_use]
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// Whether our figures say so, too.
    #[must_use]
    pub fn is_found(&self) -> bool {
        self.found
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, measured, .. } = self;
        let verdict = if self.found { "Found again" } else { "Not found again" };
        write!(f, "{verdict}: {expected} ({measured}).")
    }
}

/// Figures with two digits, separated by commas.
pub(super) fn listed(figures: impl IntoIterator<Item = f64>) -> String {
    let figures: Vec<String> = figures.into_iter().map(number).collect();
    figures.join(", ")
}
