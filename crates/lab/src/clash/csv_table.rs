//! Tables of instances as CSV.

use std::io::Read;

use csv::{ByteRecord, Position, ReaderBuilder, Trim};

use super::source::{RowFailure, Rows};
use super::table::{Cell, Columns, TableError};

/// Reads a table.
pub(crate) fn read(mut from: impl Read) -> Result<Rows, TableError> {
    let unreadable = |error: csv::Error| TableError::Unreadable(error.to_string());
    let mut text = Vec::new();
    from.read_to_end(&mut text).map_err(|error| unreadable(error.into()))?;
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(Trim::All)
        .from_reader(&text[..]);
    let mut record = ByteRecord::new();
    let header = match reader.read_byte_record(&mut record).map_err(unreadable)? {
        true => header(&record)?,
        false => Vec::new(),
    };
    let columns = Columns::of(&header, "line 1")?;
    let mut rows = Rows::default();
    while reader.read_byte_record(&mut record).map_err(unreadable)? {
        let line = || format!("line {}", record.position().map_or(0, |at| line_of(&text, at)));
        let cell = |place: usize| match std::str::from_utf8(&record[place]) {
            Ok("") => Cell::Empty,
            Ok(text) => Cell::Text(text),
            Err(_) => Cell::NotText,
        };
        let read = match record.len() == header.len() {
            true => columns.instance(cell),
            false => {
                let id = record.get(columns.id()).map(String::from_utf8_lossy).unwrap_or_default();
                let (found, expected) = (record.len(), header.len());
                let problem = format!(": found {found} fields, expected {expected} as in line 1");
                Err((id.into_owned(), problem))
            }
        };
        match read {
            Ok(instance) => rows.instances.push(instance),
            Err((id, problem)) => {
                rows.failures.push(RowFailure { id, message: line() + &problem });
            }
        }
    }
    Ok(rows)
}

/// The line of the record at a position, which is before the empty lines that precede the record.
fn line_of(text: &[u8], at: &Position) -> u64 {
    let before = text.iter().skip(at.byte() as usize).take_while(|byte| b"\r\n".contains(byte));
    at.line() + before.filter(|&&byte| byte == b'\n').count() as u64
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
        let with_returns: Vec<u8> = text
            .iter()
            .flat_map(|&byte| [b'\r', byte].into_iter().skip((byte != b'\n').into()))
            .collect();
        for text in [text, with_returns] {
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
        }
        Ok(())
    }

    #[test]
    fn too_many_fields_are_an_error_of_their_row() -> Result<(), TableError> {
        let rows = read(format!("{HEADER}\na,x.off,{UNMOVED},9\nb,x.off,{UNMOVED}\n").as_bytes())?;
        assert_eq!(rows.instances.len(), 1);
        let told: Vec<_> = rows.failures.iter().map(|f| (&*f.id, &*f.message)).collect();
        assert_eq!(told, [("a", "line 2: found 15 fields, expected 14 as in line 1")]);
        Ok(())
    }

    #[test]
    fn a_header_that_cannot_be_used_is_an_error() {
        let told = |text: &str| read(text.as_bytes()).err().map(|error| error.to_string());
        let missing = "line 1: found no column `id`, expected id, model, m00 to m23 and, if there are groups, group";
        assert_eq!(told("").as_deref(), Some(missing));
        assert!(told(&HEADER.replace("m13", "m33")).is_some_and(|text| text.contains("`m13`")));
        let repeated = "line 1, column 15: found `m00` a second time, expected each name once";
        assert_eq!(told(&format!("{HEADER},m00\n")).as_deref(), Some(repeated));
    }
}
