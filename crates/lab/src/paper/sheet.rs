//! A table of figures, ours and those that a source has published.

use std::fmt;

use serde::Serialize;

use crate::compare::aligned;
use crate::report::number;

/// A table: rows and columns by name.
///
/// ```
/// use xcollide_lab::paper::{Cell, Sheet};
///
/// let sheet = Sheet::new("threshold", "object", ["polygons"])
///     .row("sphere", [Cell::ours(120.0).published(300.0)])
///     .remark("Cage of our own size.");
/// assert!(sheet.to_string().contains("120 (300)"));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sheet {
    pub(super) caption: String,
    pub(super) heading: String,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) remarks: Vec<String>,
}

/// A row of a sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub(super) name: String,
    pub(super) cells: Vec<Cell>,
}

/// A figure of ours, and the source's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    pub(super) ours: Option<f64>,
    pub(super) published: Option<Published>,
}

/// What a source says.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Published {
    /// A figure.
    Figure(f64),
    /// A bound or a range, in words.
    Words(&'static str),
}

impl Cell {
    /// A figure of ours.
    #[must_use]
    pub const fn ours(value: f64) -> Self {
        Self { ours: Some(value), published: None }
    }

    /// The same cell beside what the source has.
    #[must_use]
    pub const fn published(self, figure: f64) -> Self {
        Self { published: Some(Published::Figure(figure)), ..self }
    }

    /// The same cell beside what the source says in words.
    #[must_use]
    pub const fn said(self, words: &'static str) -> Self {
        Self { published: Some(Published::Words(words)), ..self }
    }

    /// The same cell beside what the source has, if it has something.
    #[must_use]
    pub fn beside(self, figure: Option<f64>) -> Self {
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

impl Sheet {
    /// A table without rows. The caption says what is in it, with units; `heading` is that of the
    /// rows' names.
    pub fn new<T: Into<String>>(
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
        }
    }

    /// The same table and one row more.
    #[must_use]
    pub fn row<C: Into<Cell>>(
        mut self,
        name: impl Into<String>,
        cells: impl IntoIterator<Item = C>,
    ) -> Self {
        let cells = cells.into_iter().map(Into::into).collect();
        self.rows.push(Row { name: name.into(), cells });
        self
    }

    /// The same table with something to be said of it.
    #[must_use]
    pub fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }

    /// All cells with the names of their rows and columns.
    pub fn cells(&self) -> impl Iterator<Item = (&str, &str, Cell)> {
        self.rows.iter().flat_map(|row| {
            let cells = self.columns.iter().zip(&row.cells);
            cells.map(|(column, cell)| (row.name.as_str(), column.as_str(), *cell))
        })
    }

    /// The figures of a cell.
    #[must_use]
    pub fn figure(&self, row: &str, column: &str) -> Option<f64> {
        self.cells().find(|(of, under, _)| *of == row && *under == column)?.2.ours
    }
}

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.caption)?;
        let mut rows = vec![vec![self.heading.clone()]];
        rows[0].extend(self.columns.iter().cloned());
        for row in &self.rows {
            let cells = row.cells.iter().map(Cell::to_string);
            rows.push(std::iter::once(row.name.clone()).chain(cells).collect());
        }
        for line in aligned(&rows) {
            writeln!(f, "{line}")?;
        }
        self.remarks.iter().try_for_each(|remark| writeln!(f, "{remark}"))
    }
}
