//! The columns of a table of instances, whatever its format, and the instance of a row.
//!
//! The columns have names and any order; those that are not known are attributes. A row that cannot be used is a failure of its
//! own; a table that lacks a column is an error.

use xcollide_clash::Instance;

/// Why a table cannot be read: place, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TableError {
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error(
        "{place}: found no column `{missing}`, expected id, model, m00 to m23 and, if there are groups, group"
    )]
    MissingColumn { place: &'static str, missing: String },
    #[error("{place}, column {column}: found `{name}` a second time, expected each name once")]
    RepeatedColumn { place: &'static str, column: usize, name: String },
    #[error("line 1, column {column}: found no UTF-8, expected a name")]
    NotText { column: usize },
}

/// A value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'r> {
    Empty,
    Text(&'r str),
    /// Only Parquet has numbers that are not text.
    #[cfg_attr(not(feature = "parquet"), allow(dead_code))]
    Number(f64),
    /// Neither text nor a number.
    NotText,
}

/// The columns of the twelve numbers, row by row.
const NUMBERS: [&str; 12] =
    ["m00", "m01", "m02", "m03", "m10", "m11", "m12", "m13", "m20", "m21", "m22", "m23"];

/// Where the columns are.
pub(super) struct Columns {
    id: usize,
    model: usize,
    numbers: [usize; 12],
    group: Option<usize>,
    attributes: Vec<(usize, String)>,
}

/// The id of a row, and what is wrong with it: text that follows the place of the row.
pub(super) type Wrong = (String, String);

impl Columns {
    /// The columns with these names, which stand at `place`.
    pub(super) fn of(names: &[String], place: &'static str) -> Result<Self, TableError> {
        for (number, name) in names.iter().enumerate() {
            if names[..number].contains(name) {
                let (column, name) = (number + 1, name.clone());
                return Err(TableError::RepeatedColumn { place, column, name });
            }
        }
        let find = |name: &str| names.iter().position(|found| found == name);
        let need = |name: &str| {
            find(name).ok_or_else(|| TableError::MissingColumn { place, missing: name.to_owned() })
        };
        let (id, model, group) = (need("id")?, need("model")?, find("group"));
        let mut numbers = [0; 12];
        for (number, name) in numbers.iter_mut().zip(NUMBERS) {
            *number = need(name)?;
        }
        let is_known = |place: usize| {
            place == id || place == model || Some(place) == group || numbers.contains(&place)
        };
        let attributes = names.iter().enumerate().filter(|(place, _)| !is_known(*place));
        let attributes = attributes.map(|(place, name)| (place, name.clone())).collect();
        Ok(Self { id, model, numbers, group, attributes })
    }

    /// The column of ids.
    pub(super) fn id(&self) -> usize {
        self.id
    }

    /// The instance of a row with these cells.
    pub(super) fn instance<'r>(&self, cell: impl Fn(usize) -> Cell<'r>) -> Result<Instance, Wrong> {
        let id = text(cell(self.id)).unwrap_or_default();
        let wrong = |place: usize, what: &str| {
            let problem = format!(", column {}{what}", place + 1);
            (id.clone(), problem)
        };
        let text = |place: usize| {
            text(cell(place)).ok_or_else(|| wrong(place, ": found no UTF-8, expected text"))
        };
        let mut instance = Instance {
            id: text(self.id)?,
            model: text(self.model)?,
            group: self.group.map(text).transpose()?.unwrap_or_default(),
            ..Instance::default()
        };
        for (place, what) in [(self.id, "an id"), (self.model, "a model")] {
            if cell(place) == Cell::Empty {
                return Err(wrong(place, &format!(": found nothing, expected {what}")));
            }
        }
        for (number, (&place, name)) in
            instance.pose.iter_mut().zip(self.numbers.iter().zip(NUMBERS))
        {
            let value = match cell(place) {
                Cell::Number(value) => Some(value),
                Cell::Text(text) => text.parse().ok(),
                Cell::Empty | Cell::NotText => None,
            };
            *number = value.filter(|value: &f64| value.is_finite()).ok_or_else(|| {
                let found = shown(cell(place));
                wrong(place, &format!(", {name}: found {found}, expected a finite number"))
            })?;
        }
        for (place, name) in &self.attributes {
            let value = text(*place)?;
            if !value.is_empty() {
                instance.attributes.push((name.clone(), value));
            }
        }
        Ok(instance)
    }
}

/// The text of a cell; that of a number as short as possible.
fn text(cell: Cell<'_>) -> Option<String> {
    match cell {
        Cell::Empty => Some(String::new()),
        Cell::Text(text) => Some(text.to_owned()),
        Cell::Number(value) => Some(value.to_string()),
        Cell::NotText => None,
    }
}

/// A cell in a message.
fn shown(cell: Cell<'_>) -> String {
    match cell {
        Cell::Empty => "nothing".to_owned(),
        Cell::Text(text) => {
            let shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
            format!("`{shown}`")
        }
        Cell::Number(value) => format!("`{value:?}`"),
        Cell::NotText => "no text".to_owned(),
    }
}
