//! A table of our figures beside published ones.

use std::fmt;

use serde::Serialize;

use super::Finding;
use crate::compare::aligned;
use crate::report::number;

/// A table with named rows and columns.
#[derive(Clone, Debug, PartialEq)]
pub struct FigureTable {
    pub(super) caption: String,
    pub(super) heading: String,
    pub(super) columns: Vec<String>,
    /// Names and cells.
    pub(super) rows: Vec<(String, Vec<Cell>)>,
    pub(super) remarks: Vec<String>,
    pub(super) findings: Vec<Finding>,
}

/// Our figure and the published one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    pub(super) ours: Option<f64>,
    pub(super) published: Option<Published>,
}

/// A published figure.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Published {
    /// A number.
    Figure(f64),
    /// A bound or a range, as text.
    Words(&'static str),
}

impl Cell {
    /// No figure where nothing was measured: a share of nothing is not a number.
    pub(super) const fn ours(value: f64) -> Self {
        Self { ours: if value.is_finite() { Some(value) } else { None }, published: None }
    }

    pub(super) const fn published(self, figure: f64) -> Self {
        Self { published: Some(Published::Figure(figure)), ..self }
    }

    pub(super) const fn published_text(self, words: &'static str) -> Self {
        Self { published: Some(Published::Words(words)), ..self }
    }

    pub(super) fn beside(self, figure: Option<f64>) -> Self {
        Self { published: figure.map(Published::Figure), ..self }
    }
}

impl From<f64> for Cell {
    fn from(value: f64) -> Self {
        Self::ours(value)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.ours {
            Some(value) => write!(f, "{}", number(value))?,
            None => write!(f, "–")?,
        }
        match self.published {
            Some(Published::Figure(figure)) => write!(f, " ({})", number(figure)),
            Some(Published::Words(words)) => write!(f, " ({words})"),
            None => Ok(()),
        }
    }
}

impl FigureTable {
    /// An empty table. The caption describes it, with units; `heading` is that of the row names.
    pub(super) fn new<T: Into<String>>(
        caption: impl Into<String>,
        heading: impl Into<String>,
        columns: impl IntoIterator<Item = T>,
    ) -> Self {
        Self {
            caption: caption.into(),
            heading: heading.into(),
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
            remarks: Vec::new(),
            findings: Vec::new(),
        }
    }

    pub(super) fn row<C: Into<Cell>>(
        mut self,
        name: impl Into<String>,
        cells: impl IntoIterator<Item = C>,
    ) -> Self {
        let cells = cells.into_iter().map(Into::into).collect();
        self.rows.push((name.into(), cells));
        self
    }

    pub(super) fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }

    pub(super) fn finding(
        mut self,
        expected: impl Into<String>,
        found: bool,
        measured: impl Into<String>,
    ) -> Self {
        self.findings.push(Finding::new(expected, found, measured));
        self
    }

    /// What makes the difference for the findings so far that are not found and have no reason yet.
    pub(super) fn because(mut self, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        let unexplained = |one: &&mut Finding| !one.found && one.because.is_none();
        for finding in self.findings.iter_mut().filter(unexplained) {
            finding.because = Some(reason.clone());
        }
        self
    }

    /// Our figures under a column, from top to bottom.
    pub(super) fn column(&self, name: &str) -> Vec<f64> {
        self.cells().filter_map(|(_, column, cell)| cell.ours.filter(|_| column == name)).collect()
    }

    /// Our figures in a row, from left to right.
    pub(super) fn row_of(&self, name: &str) -> Vec<f64> {
        self.cells().filter_map(|(row, _, cell)| cell.ours.filter(|_| row == name)).collect()
    }

    /// What the source found, and whether it is found again.
    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// All cells with their row and column names.
    pub fn cells(&self) -> impl Iterator<Item = (&str, &str, Cell)> {
        self.rows.iter().flat_map(|(name, cells)| {
            let cells = self.columns.iter().zip(cells);
            cells.map(|(column, cell)| (name.as_str(), column.as_str(), *cell))
        })
    }

    /// Our figure in a cell.
    #[must_use]
    pub fn figure(&self, row: &str, column: &str) -> Option<f64> {
        self.cells().find(|(of, under, _)| *of == row && *under == column)?.2.ours
    }
}

impl fmt::Display for FigureTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.caption)?;
        let mut rows = vec![vec![self.heading.clone()]];
        rows[0].extend(self.columns.iter().cloned());
        for (name, cells) in &self.rows {
            let cells = cells.iter().map(Cell::to_string);
            rows.push(std::iter::once(name.clone()).chain(cells).collect());
        }
        for line in aligned(&rows) {
            writeln!(f, "{line}")?;
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "{remark}"))?;
        self.findings.iter().try_for_each(|finding| writeln!(f, "{finding}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_figures_stand_in_brackets() {
        let table = FigureTable::new("threshold", "object", ["polygons"])
            .row("sphere", [Cell::ours(120.0).published(300.0)])
            .remark("Cage of our own size.")
            .finding("fewer than 400", true, "120")
            .finding("more than 200", false, "120")
            .because("its boxes are tested eight at a time")
            .finding("more than 150", false, "120");
        let text = table.to_string();
        assert!(text.contains("120 (300)"));
        assert!(text.contains("\nFound again: fewer than 400 (120).\n"), "{text}");
        let told =
            "\nNot found again: more than 200 (120): its boxes are tested eight at a time.\n";
        assert!(text.contains(told), "{text}");
        assert!(text.ends_with("more than 150 (120): the reason is not known.\n"), "{text}");
        let [found, second, third] = table.findings() else { panic!("{text}") };
        assert_eq!((second.expected(), second.is_found()), ("more than 200", false));
        assert_eq!(found.because().or(third.because()), None, "what is found needs no reason");
    }
}
