//! Tables of instances as CSV.
//!
//! The header names the columns, in any order; those that are not known are attributes. A row that cannot be used is a
//! failure of its own; a header that cannot be used is an error.

use std::io::Read;

use csv::{ByteRecord, Position, ReaderBuilder, Trim};
use xcollide_clash::Instance;

use super::source::{RowFailure, Rows};

/// Why a table cannot be read: line, column, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TableError {
    #[error("cannot be read: {0}")]
    Unreadable(String),
    #[error(
        "line 1: found no column `{missing}`, expected a header with id, model, m00 to m23 and, if there are groups, group"
    )]
    MissingColumn { missing: String },
    #[error("line 1, column {column}: found `{name}` a second time, expected each name once")]
    RepeatedColumn { column: usize, name: String },
    #[error("line 1, column {column}: found no UTF-8, expected a name")]
    NotText { column: usize },
}

/// The columns of the twelve numbers, row by row.
const NUMBERS: [&str; 12] =
    ["m00", "m01", "m02", "m03", "m10", "m11", "m12", "m13", "m20", "m21", "m22", "m23"];

/// Where the columns are.
struct Columns {
    id: usize,
    model: usize,
    numbers: [usize; 12],
    group: Option<usize>,
    attributes: Vec<(usize, String)>,
    count: usize,
}

/// Reads a table.
pub(crate) fn read(from: impl Read) -> Result<Rows, TableError> {
    let unreadable = |error: csv::Error| TableError::Unreadable(error.to_string());
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .buffer_capacity(1 << 16)
        .from_reader(from);
    let mut record = ByteRecord::new();
    let header = match reader.read_byte_record(&mut record).map_err(unreadable)? {
        true => header(&record)?,
        false => Vec::new(),
    };
    let columns = Columns::of(&header)?;
    let mut rows = Rows::default();
    while reader.read_byte_record(&mut record).map_err(unreadable)? {
        match columns.instance(&record) {
            Ok(instance) => rows.instances.push(instance),
            Err((id, problem)) => {
                let line = record.position().map_or(0, Position::line);
                let message = format!("line {line}{problem}");
                rows.failures.push(RowFailure { id, message });
            }
        }
    }
    Ok(rows)
}

fn header(record: &ByteRecord) -> Result<Vec<String>, TableError> {
    let names = record.iter().enumerate().map(|(place, name)| {
        // A byte-order mark is no part of the first name.
        let name = name.strip_prefix("\u{feff}".as_bytes()).unwrap_or(name);
        let name = std::str::from_utf8(name).map(str::to_owned);
        name.map_err(|_| TableError::NotText { column: place + 1 })
    });
    names.collect()
}

impl Columns {
    fn of(names: &[String]) -> Result<Self, TableError> {
        for (place, name) in names.iter().enumerate() {
            if names[..place].contains(name) {
                let (column, name) = (place + 1, name.clone());
                return Err(TableError::RepeatedColumn { column, name });
            }
        }
        let place = |name: &str| names.iter().position(|found| found == name);
        let need = |name: &str| {
            place(name).ok_or_else(|| TableError::MissingColumn { missing: name.to_owned() })
        };
        let (id, model, group) = (need("id")?, need("model")?, place("group"));
        let mut numbers = [0; 12];
        for (number, name) in numbers.iter_mut().zip(NUMBERS) {
            *number = need(name)?;
        }
        let is_known = |place: usize| {
            place == id || place == model || Some(place) == group || numbers.contains(&place)
        };
        let attributes = names.iter().enumerate().filter(|(place, _)| !is_known(*place));
        let attributes = attributes.map(|(place, name)| (place, name.clone())).collect();
        Ok(Self { id, model, numbers, group, attributes, count: names.len() })
    }

    /// The instance of a row, or its id and what is wrong.
    fn instance(&self, record: &ByteRecord) -> Result<Instance, (String, String)> {
        let id = record.get(self.id).map(String::from_utf8_lossy).unwrap_or_default();
        let wrong = |problem: String| (id.clone().into_owned(), problem);
        if record.len() != self.count {
            let (found, expected) = (record.len(), self.count);
            return Err(wrong(format!(": found {found} fields, expected {expected} as in line 1")));
        }
        let text = |place: usize| {
            std::str::from_utf8(&record[place]).map_err(|_| {
                wrong(format!(", column {}: found no UTF-8, expected text", place + 1))
            })
        };
        let mut instance = Instance {
            id: text(self.id)?.to_owned(),
            model: text(self.model)?.to_owned(),
            group: self.group.map(text).transpose()?.unwrap_or_default().to_owned(),
            ..Instance::default()
        };
        for (place, what) in [(self.id, "an id"), (self.model, "a model")] {
            if record[place].is_empty() {
                return Err(wrong(format!(
                    ", column {}: found nothing, expected {what}",
                    place + 1
                )));
            }
        }
        for (number, (&place, name)) in
            instance.pose.iter_mut().zip(self.numbers.iter().zip(NUMBERS))
        {
            let found = text(place)?;
            *number =
                found.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| {
                    let shown: String =
                        found.chars().take(40).flat_map(char::escape_debug).collect();
                    let column = place + 1;
                    wrong(format!(
                        ", column {column}, {name}: found `{shown}`, expected a finite number"
                    ))
                })?;
        }
        for (place, name) in &self.attributes {
            let value = text(*place)?;
            if !value.is_empty() {
                instance.attributes.push((name.clone(), value.to_owned()));
            }
        }
        Ok(instance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "id,model,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23";
    const UNMOVED: &str = "1,0,0,0,0,1,0,0,0,0,1,0";

    #[test]
    fn columns_are_found_by_name() -> Result<(), TableError> {
        let mut names: Vec<&str> = HEADER.split(',').collect();
        names.reverse();
        let text = format!(
            "\u{feff}floor, group ,{}\r\n 2 , steel,3,1,0,0,2,0,1,0,1,0,0,1,\"a,b.off\", B 1 \n",
            names.join(",")
        );
        let rows = read(text.as_bytes())?;
        assert_eq!(rows.failures, []);
        let [row] = &rows.instances[..] else { panic!("{rows:?}") };
        assert_eq!((&*row.id, &*row.model, &*row.group), ("B 1", "a,b.off", "steel"));
        assert_eq!(row.pose, [1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0]);
        assert_eq!(row.attributes, [("floor".to_owned(), "2".to_owned())]);
        Ok(())
    }

    #[test]
    fn a_row_that_cannot_be_used_is_told_with_line_and_column() -> Result<(), TableError> {
        let mut text = format!("{HEADER}\na,x.off,{UNMOVED}\n\n").into_bytes();
        for row in
            ["b,x.off,1,0", "c,x.off,1,0,0,0,0,one,0,0,0,0,1,0", ",x.off,1,0,0,0,0,1,0,0,0,0,1,0"]
        {
            text.extend(row.bytes().chain([b'\n']));
        }
        text.extend(b"d,x.off,1,0,0,0,0,1,0,0,0,0,1,inf\ne,\xff,1,0,0,0,0,1,0,0,0,0,1,0\n");
        let rows = read(&text[..])?;
        assert_eq!(rows.instances.len(), 1);
        let told: Vec<_> = rows.failures.iter().map(|f| (&*f.id, &*f.message)).collect();
        assert_eq!(
            told,
            [
                ("b", "line 4: found 4 fields, expected 14 as in line 1"),
                ("c", "line 5, column 8, m11: found `one`, expected a finite number"),
                ("", "line 6, column 1: found nothing, expected an id"),
                ("d", "line 7, column 14, m23: found `inf`, expected a finite number"),
                ("e", "line 8, column 2: found no UTF-8, expected text"),
            ]
        );
        Ok(())
    }

    #[test]
    fn a_header_that_cannot_be_used_is_an_error() {
        let told = |text: &str| read(text.as_bytes()).err().map(|error| error.to_string());
        let missing = "line 1: found no column `id`, expected a header with id, model, m00 to m23 and, if there are \
                       groups, group";
        assert_eq!(told("").as_deref(), Some(missing));
        assert!(told(&HEADER.replace("m13", "m33")).is_some_and(|text| text.contains("`m13`")));
        let repeated = "line 1, column 15: found `m00` a second time, expected each name once";
        assert_eq!(told(&format!("{HEADER},m00\n")).as_deref(), Some(repeated));
    }
}
