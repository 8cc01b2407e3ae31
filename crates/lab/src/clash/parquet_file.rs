//! Tables of instances and of clashes as Apache Parquet.
//!
//! The columns of instances are those of a CSV table, of any type of number or text; in place of `model` a table may have its
//! meshes as lists: `vertices` (x, y and z after each other) and `triangles` (three numbers of vertices each, from 0).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{Field, List, Row};
use parquet::schema::parser::parse_message_type;
use xcollide::brep::PolygonMesh;
use xcollide_clash::{Clash, Clashes, InstanceSet};

use super::clash_table::bounds;
use super::source::{RowFailure, Rows};
use super::table::{Cell, Columns, TableError};

const VERTICES: &str = "vertices";
const TRIANGLES: &str = "triangles";

/// Reads a table of instances.
pub(super) fn read(bytes: Vec<u8>) -> Result<Rows, TableError> {
    // The reader may panic on damaged files.
    let read = catch_unwind(AssertUnwindSafe(|| rows(bytes)));
    read.unwrap_or_else(|_| Err(TableError::Unreadable("the file is damaged".to_owned())))
}

fn rows(bytes: Vec<u8>) -> Result<Rows, TableError> {
    let unreadable = |error: ParquetError| TableError::Unreadable(error.to_string());
    let reader = SerializedFileReader::new(Bytes::from(bytes)).map_err(unreadable)?;
    let schema = reader.metadata().file_metadata().schema().clone();
    let mut names: Vec<String> =
        schema.get_fields().iter().map(|field| field.name().to_owned()).collect();
    let place = |name: &str| names.iter().position(|found| found == name);
    let lists = (place("model").is_none()).then(|| Some([place(VERTICES)?, place(TRIANGLES)?]));
    let lists = lists.flatten();
    // The reference to a mesh stands where its vertices do.
    if let Some([vertices, _]) = lists {
        "model".clone_into(&mut names[vertices]);
    }
    let columns = Columns::of(&names, "the schema")?;
    let mut rows = Rows::default();
    for (number, row) in reader.get_row_iter(None).map_err(unreadable)?.enumerate() {
        let row = row.map_err(unreadable)?;
        let mut cells: Vec<Value> = row.get_column_iter().map(|(_, field)| value(field)).collect();
        let mesh = lists.map(|lists| mesh_of(&row, lists));
        let read = match mesh {
            Some(Ok(mesh)) => {
                let reference = rows.meshes.add(mesh, || format!("row {}", number + 1));
                if let Some([vertices, triangles]) = lists {
                    cells[vertices] = Value::Text(reference);
                    cells[triangles] = Value::Empty;
                }
                columns.instance(|place| cells[place].cell())
            }
            Some(Err(problem)) => Err((cells[columns.id()].text(), problem)),
            None => columns.instance(|place| cells[place].cell()),
        };
        match read {
            Ok(instance) => rows.instances.push(instance),
            Err((id, problem)) => {
                let message = format!("row {}{problem}", number + 1);
                rows.failures.push(RowFailure { id, message });
            }
        }
    }
    Ok(rows)
}

/// A value of a row.
enum Value {
    Empty,
    Text(String),
    Number(f64),
    Other,
}

impl Value {
    fn cell(&self) -> Cell<'_> {
        match self {
            Self::Empty => Cell::Empty,
            Self::Text(text) if text.is_empty() => Cell::Empty,
            Self::Text(text) => Cell::Text(text),
            Self::Number(value) => Cell::Number(*value),
            Self::Other => Cell::NotText,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value) => value.to_string(),
            Self::Empty | Self::Other => String::new(),
        }
    }
}

/// The value of a field; whole numbers are text, so that none of their digits is lost.
fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Empty,
        Field::Double(value) => Value::Number(*value),
        Field::Float(value) => Value::Number(f64::from(*value)),
        Field::Str(text) => Value::Text(text.clone()),
        Field::Bytes(bytes) => match std::str::from_utf8(bytes.data()) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Other,
        },
        Field::Bool(value) => Value::Text(value.to_string()),
        _ => whole(field).map_or(Value::Other, |value| Value::Text(value.to_string())),
    }
}

/// A whole number of any type.
fn whole(field: &Field) -> Option<i128> {
    Some(match *field {
        Field::Byte(value) => value.into(),
        Field::Short(value) => value.into(),
        Field::Int(value) => value.into(),
        Field::Long(value) => value.into(),
        Field::UByte(value) => value.into(),
        Field::UShort(value) => value.into(),
        Field::UInt(value) => value.into(),
        Field::ULong(value) => value.into(),
        _ => return None,
    })
}

/// The mesh of a row, from its lists.
fn mesh_of(row: &Row, places: [usize; 2]) -> Result<PolygonMesh, String> {
    let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
    let wrong = |place: usize, what: &str| format!(", column {}: found {what}", place + 1);
    let list = |place: usize| -> Result<&List, String> {
        match fields[place] {
            Field::ListInternal(list) => Ok(list),
            _ => Err(wrong(place, "no list, expected a list of numbers")),
        }
    };
    let [vertices, triangles] = places;
    let coordinates: Option<Vec<f64>> = list(vertices)?
        .elements()
        .iter()
        .map(|field| match field {
            Field::Double(value) => Some(*value),
            Field::Float(value) => Some(f64::from(*value)),
            other => whole(other).map(|value| value as f64),
        })
        .collect();
    let coordinates = coordinates
        .filter(|all| all.len() % 3 == 0 && all.iter().all(|value| value.is_finite()))
        .ok_or_else(|| wrong(vertices, "other values, expected finite numbers, three a vertex"))?;
    let positions: Vec<[f64; 3]> = coordinates.as_chunks().0.to_vec();
    let numbers: Option<Vec<u32>> =
        list(triangles)?.elements().iter().map(|field| u32::try_from(whole(field)?).ok()).collect();
    let numbers = numbers
        .filter(|all| all.len() % 3 == 0 && all.iter().all(|&n| (n as usize) < positions.len()))
        .ok_or_else(|| {
            wrong(triangles, "other values, expected numbers of vertices, three a triangle")
        })?;
    let faces: Vec<[u32; 3]> = numbers.as_chunks().0.to_vec();
    PolygonMesh::from_polygons(positions, faces)
        .map_err(|error| wrong(triangles, &error.to_string()))
}

const SCHEMA: &str = "message clashes {
    REQUIRED BYTE_ARRAY a (UTF8); REQUIRED BYTE_ARRAY b (UTF8); REQUIRED BYTE_ARRAY kind (UTF8);
    REQUIRED DOUBLE distance; REQUIRED DOUBLE x; REQUIRED DOUBLE y; REQUIRED DOUBLE z;
    REQUIRED BYTE_ARRAY group_a (UTF8); REQUIRED BYTE_ARRAY group_b (UTF8); REQUIRED INT32 issue;
    OPTIONAL DOUBLE depth_at_least; OPTIONAL DOUBLE depth_at_most;
    OPTIONAL DOUBLE volume_at_least; OPTIONAL DOUBLE volume_at_most;
}";

/// The first of the columns with bounds of the depth and of the volume.
const FIRST_BOUND: usize = 10;

/// The clashes as a table with the columns of the CSV table.
pub(super) fn clashes(found: &Clashes, set: &InstanceSet) -> Result<Vec<u8>, ParquetError> {
    let schema = Arc::new(parse_message_type(SCHEMA)?);
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    let mut place = 0;
    while let Some(mut column) = group.next_column()? {
        let all = &found.clashes;
        match column.untyped() {
            ColumnWriter::ByteArrayColumnWriter(to) => {
                let values: Vec<ByteArray> =
                    all.iter().map(|clash| ByteArray::from(text_of(clash, set, place))).collect();
                to.write_batch(&values, None, None)?;
            }
            ColumnWriter::DoubleColumnWriter(to) if place < FIRST_BOUND => {
                let values: Vec<f64> = all.iter().map(|clash| number_of(clash, place)).collect();
                to.write_batch(&values, None, None)?;
            }
            ColumnWriter::DoubleColumnWriter(to) => {
                let bound =
                    |clash: &Clash| bounds(&clash.interference).as_flattened()[place - FIRST_BOUND];
                let values: Vec<f64> = all.iter().filter_map(bound).collect();
                let levels: Vec<i16> =
                    all.iter().map(|clash| bound(clash).is_some().into()).collect();
                to.write_batch(&values, Some(&levels), None)?;
            }
            ColumnWriter::Int32ColumnWriter(to) => {
                let values: Vec<i32> = all.iter().map(|clash| clash.issue.index() as i32).collect();
                to.write_batch(&values, None, None)?;
            }
            _ => {}
        }
        column.close()?;
        place += 1;
    }
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

/// The text in a column of the schema.
fn text_of<'s>(clash: &Clash, set: &'s InstanceSet, place: usize) -> &'s str {
    let [a, b] = clash.pair.map(|id| set.instance(id));
    match place {
        0 => &a.id,
        1 => &b.id,
        2 => clash.interference.kind.name(),
        7 => &a.group,
        _ => &b.group,
    }
}

/// The number in a column of the schema.
fn number_of(clash: &Clash, place: usize) -> f64 {
    match place {
        3 => clash.interference.distance,
        place => clash.interference.point[place - 4],
    }
}
