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
    /// What makes the difference, if it is not found and that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) because: Option<String>,
}

impl Finding {
    pub(super) fn new(
        expected: impl Into<String>,
        found: bool,
        measured: impl Into<String>,
    ) -> Self {
        Self { expected: expected.into(), found, measured: measured.into(), because: None }
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

    /// Where it is not found, what makes the difference; `None` also if that is not known.
    #[must_use]
    pub fn because(&self) -> Option<&str> {
        self.because.as_deref()
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, measured, .. } = self;
        if self.found {
            return write!(f, "Found again: {expected} ({measured}).");
        }
        let because = self.because.as_deref().unwrap_or("the reason is not known");
        write!(f, "Not found again: {expected} ({measured}): {because}.")
    }
}

/// Figures with two digits, separated by commas.
pub(super) fn listed(figures: impl IntoIterator<Item = f64>) -> String {
    let figures: Vec<String> = figures.into_iter().map(number).collect();
    figures.join(", ")
}
