//! What is written as Parquet can be read as a table by others; here by the same crate.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, GzipLevel};
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use parquet::schema::parser::parse_message_type;

use super::*;

#[test]
fn clashes_are_those_of_the_csv_table() {
    let place = place(&[]);
    for out in ["clashes.csv", "clashes.parquet", "again.parquet"] {
        let options = format!("plant.csv --quiet --tolerance 0.3 --depth --volume --out {out}");
        assert_eq!(clash(&place, &options).status, 0);
    }
    let read = |name: &str| std::fs::read(place.path().join(name)).unwrap();
    assert_eq!(read("clashes.parquet"), read("again.parquet"));
    let csv = String::from_utf8(read("clashes.csv")).unwrap();
    let reader = SerializedFileReader::new(Bytes::from(read("clashes.parquet"))).unwrap();
    let mut lines = csv.lines();
    let names: Vec<String> = lines.next().unwrap().split(',').map(str::to_owned).collect();
    let fields = reader.metadata().file_metadata().schema().get_fields();
    assert_eq!(fields.iter().map(|field| field.name().to_owned()).collect::<Vec<_>>(), names);
    let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 5);
    for (row, line) in rows.iter().zip(lines) {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(
            [0, 1, 2, 7].map(|k| row.get_string(k).unwrap().as_str()),
            [0, 1, 2, 7].map(|k| cells[k])
        );
        assert_eq!(row.get_double(4).unwrap(), cells[4].parse::<f64>().unwrap());
        for k in 10..14 {
            assert_eq!(row.get_double(k).ok(), cells[k].parse::<f64>().ok());
        }
    }
}

/// A table of cubes with x = 0, 0.75, … and their meshes in lists; the last one has a vertex too many.
fn meshes(last: f64) -> Vec<u8> {
    let numbers: String =
        ["m00", "m01", "m02", "m03", "m10", "m11", "m12", "m13", "m20", "m21", "m22", "m23"]
            .map(|name| format!("REQUIRED DOUBLE {name};"))
            .concat();
    let list = |name: &str, kind: &str| {
        format!(
            "REQUIRED GROUP {name} (LIST) {{ REPEATED GROUP list {{ REQUIRED {kind} element; }} }}"
        )
    };
    let schema = format!(
        "message table {{ REQUIRED INT64 id; {numbers} {} {} }}",
        list("vertices", "DOUBLE"),
        list("triangles", "INT32")
    );
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].concat();
    let triangles = vec![0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3];
    let schema = Arc::new(parse_message_type(&schema).unwrap());
    let mut bytes = Vec::new();
    let mut writer =
        SerializedFileWriter::new(&mut bytes, schema, Arc::new(WriterProperties::default()))
            .unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut place = 0;
    let rows = 3;
    while let Some(mut column) = group.next_column().unwrap() {
        let levels = |length: usize| {
            let repeated: Vec<i16> =
                (0..rows * length).map(|k| i16::from(k % length != 0)).collect();
            (vec![1; rows * length], repeated)
        };
        match column.untyped() {
            ColumnWriter::Int64ColumnWriter(to) => {
                to.write_batch(&[9_007_199_254_740_993, 9_007_199_254_740_992, 3], None, None)
                    .unwrap();
            }
            ColumnWriter::Int32ColumnWriter(to) => {
                let (defined, repeated) = levels(12);
                to.write_batch(&triangles.repeat(rows), Some(&defined), Some(&repeated)).unwrap();
            }
            ColumnWriter::DoubleColumnWriter(to) if place == 13 => {
                let (defined, repeated) = levels(12);
                to.write_batch(&corners.repeat(rows), Some(&defined), Some(&repeated)).unwrap();
            }
            ColumnWriter::DoubleColumnWriter(to) => {
                let one = f64::from(u8::from([1, 6, 11].contains(&place)));
                let values = if place == 4 { [0.0, 0.5, last] } else { [one; 3] };
                to.write_batch(&values, None, None).unwrap();
            }
            _ => unreachable!(),
        }
        column.close().unwrap();
        place += 1;
    }
    group.close().unwrap();
    writer.close().unwrap();
    bytes
}

/// Three boxes at x = 0, 0.75 and 5.
#[test]
fn columns_may_have_any_type_and_be_compressed() {
    let names =
        ["m00", "m01", "m02", "m03", "m10", "m11", "m12", "m13", "m20", "m21", "m22", "m23"];
    let kinds = ["DOUBLE", "INT32", "INT64", "FLOAT", "BYTE_ARRAY"].into_iter().cycle();
    let column = |(name, kind): (&str, &str)| {
        let text = if kind == "BYTE_ARRAY" { "(UTF8)" } else { "" };
        format!("REQUIRED {kind} {name} {text};")
    };
    let numbers: String = names.into_iter().zip(kinds).map(column).collect();
    let schema = format!(
        "message table {{ REQUIRED BYTE_ARRAY id (UTF8); REQUIRED BYTE_ARRAY model (UTF8); {numbers} }}"
    );
    let folder = place(&[]);
    let gzip = Compression::GZIP(GzipLevel::default());
    for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, gzip] {
        let schema = Arc::new(parse_message_type(&schema).unwrap());
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut bytes = Vec::new();
        let mut writer =
            SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties)).unwrap();
        let mut group = writer.next_row_group().unwrap();
        let mut at = 0;
        while let Some(mut column) = group.next_column().unwrap() {
            let numbers: [f64; 3] = match at {
                5 => [0.0, 0.75, 5.0],
                2 | 7 | 12 => [1.0; 3],
                _ => [0.0; 3],
            };
            match column.untyped() {
                ColumnWriter::ByteArrayColumnWriter(to) => {
                    let texts = match at {
                        0 => ["a", "b", "c"].map(str::to_owned),
                        1 => ["shape:box"; 3].map(str::to_owned),
                        _ => numbers.map(|number| number.to_string()),
                    };
                    let texts = texts.map(|text| ByteArray::from(text.as_str()));
                    to.write_batch(&texts, None, None).unwrap();
                }
                ColumnWriter::DoubleColumnWriter(to) => {
                    to.write_batch(&numbers, None, None).unwrap();
                }
                ColumnWriter::FloatColumnWriter(to) => {
                    to.write_batch(&numbers.map(|number| number as f32), None, None).unwrap();
                }
                ColumnWriter::Int32ColumnWriter(to) => {
                    to.write_batch(&numbers.map(|number| number as i32), None, None).unwrap();
                }
                ColumnWriter::Int64ColumnWriter(to) => {
                    to.write_batch(&numbers.map(|number| number as i64), None, None).unwrap();
                }
                _ => unreachable!(),
            }
            column.close().unwrap();
            at += 1;
        }
        group.close().unwrap();
        writer.close().unwrap();
        std::fs::write(folder.path().join("any.parquet"), &bytes).unwrap();
        let ran = clash(&folder, "any.parquet --json");
        assert_eq!(pairs(&ran.json()), ["a b overlapping"], "{compression:?}");
    }
}

#[test]
fn meshes_may_be_lists() {
    let place = place(&[]);
    let write = |name: &str, bytes: &[u8]| std::fs::write(place.path().join(name), bytes).unwrap();
    write("good.parquet", &meshes(5.0));
    let ran = clash(&place, "good.parquet --json");
    // Whole numbers keep all their digits.
    assert_eq!(pairs(&ran.json()), ["9007199254740992 9007199254740993 overlapping"]);
    write("wrong.parquet", &meshes(f64::NAN));
    let objects = clash(&place, "wrong.parquet --json").objects();
    let message = objects[0]["error"]["message"].as_str().unwrap();
    assert_eq!(message, "row 3, column 5, m03: found `NaN`, expected a finite number");
    let good = meshes(5.0);
    write("short.parquet", &good[..good.len() / 2]);
    let message = clash(&place, "short.parquet").error(2).to_owned();
    assert!(message.starts_with("short.parquet: cannot be read: "), "{message}");
}
