//! The table of instances as Parquet, in parts, as all machines read it.
//!
//! | column | |
//! |---|---|
//! | `row` | the number of the row in the source, which counts rows that can be used |
//! | `id`, `model`, `group` | as in the source |
//! | `source` | where the model is: an address, a path from the root, or a generated shape |
//! | `pose` | the twelve numbers, 96 bytes |
//! | `attributes` | names and values as JSON |

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, AsArray, FixedSizeBinaryArray, FixedSizeBinaryBuilder, RecordBatch, StringArray,
    UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt64Type};
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::file::properties::WriterProperties;
use xcollide_clash::Instance;
use xcollide_lab::clash_engine::Rows;

use crate::mesh_file;
use crate::model_cache::is_address;

/// The type of a pose.
pub(crate) const POSE: DataType = DataType::FixedSizeBinary(96);

/// Rows in a part: it is the unit of work that is finished or not.
const PART_ROWS: usize = 1 << 19;

/// Rows in a group of a file: the least that a task reads.
const GROUP_ROWS: usize = 1 << 15;

fn schema() -> SchemaRef {
    Arc::new(Schema::new(vec![
        Field::new("row", DataType::UInt64, false),
        Field::new("id", DataType::Utf8, false),
        Field::new("model", DataType::Utf8, false),
        Field::new("source", DataType::Utf8, false),
        Field::new("pose", POSE, false),
        Field::new("group", DataType::Utf8, false),
        Field::new("attributes", DataType::Utf8, false),
    ]))
}

/// Writes the rows of a source to a folder, and meshes of the source itself beside them. Returns the number of parts.
///
/// `beside` is the folder of models in files.
pub(crate) fn write(
    rows: &Rows,
    beside: &Path,
    folder: &Path,
    least_parts: usize,
) -> Result<usize> {
    let mut sources = Sources { rows, beside, folder, written: std::collections::BTreeMap::new() };
    let size = rows.instances.len().div_ceil(least_parts.max(1)).clamp(1, PART_ROWS);
    let mut parts = 0;
    for (number, part) in rows.instances.chunks(size).enumerate() {
        let properties =
            WriterProperties::builder().set_max_row_group_row_count(Some(GROUP_ROWS)).build();
        let file = File::create(part_path(folder, number))?;
        let mut writer = ArrowWriter::try_new(file, schema(), Some(properties))?;
        for (place, some) in part.chunks(GROUP_ROWS).enumerate() {
            let first = (number * size + place * GROUP_ROWS) as u64;
            writer.write(&batch(some, first, &mut sources)?)?;
        }
        writer.close()?;
        parts = number + 1;
    }
    Ok(parts)
}

/// The path of a part.
pub(crate) fn part_path(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("part-{number:05}.parquet"))
}

/// Where models are, from references.
struct Sources<'r> {
    rows: &'r Rows,
    beside: &'r Path,
    folder: &'r Path,
    written: std::collections::BTreeMap<String, String>,
}

impl Sources<'_> {
    fn of(&mut self, reference: &str) -> Result<String> {
        if let Some(mesh) = self.rows.meshes.get(reference) {
            if let Some(path) = self.written.get(reference) {
                return Ok(path.clone());
            }
            let name = format!("model-{:05}{}", self.written.len(), mesh_file::ENDING);
            let path = self.folder.join(name);
            mesh_file::write(mesh, std::io::BufWriter::new(File::create(&path)?))?;
            let path = path.to_string_lossy().into_owned();
            self.written.insert(reference.to_owned(), path.clone());
            return Ok(path);
        }
        if reference.starts_with("shape:") || is_address(reference) {
            return Ok(reference.to_owned());
        }
        Ok(self.beside.join(reference).to_string_lossy().into_owned())
    }
}

fn batch(some: &[Instance], first: u64, sources: &mut Sources<'_>) -> Result<RecordBatch> {
    let text = |of: fn(&Instance) -> &String| StringArray::from_iter_values(some.iter().map(of));
    let mut poses = FixedSizeBinaryBuilder::with_capacity(some.len(), 96);
    let mut places = Vec::with_capacity(some.len());
    let mut attributes = Vec::with_capacity(some.len());
    for instance in some {
        poses.append_value(pose_bytes(&instance.pose))?;
        places.push(sources.of(&instance.model)?);
        let told = serde_json::to_string(&instance.attributes);
        attributes.push(told.map_err(|error| exec_datafusion_err!("{error}"))?);
    }
    let rows = UInt64Array::from_iter_values(first..first + some.len() as u64);
    let columns: Vec<Arc<dyn Array>> = vec![
        Arc::new(rows),
        Arc::new(text(|instance| &instance.id)),
        Arc::new(text(|instance| &instance.model)),
        Arc::new(StringArray::from(places)),
        Arc::new(poses.finish()),
        Arc::new(text(|instance| &instance.group)),
        Arc::new(StringArray::from(attributes)),
    ];
    Ok(RecordBatch::try_new(schema(), columns)?)
}

/// The instances of a batch with these columns, with their rows and the sources of their models.
pub(crate) fn instances(batch: &RecordBatch) -> Result<Vec<(u64, Instance, String)>> {
    let missing = |name: &str| exec_datafusion_err!("found no column {name}");
    let column = |name: &str| batch.column_by_name(name).ok_or_else(|| missing(name));
    let text = |name: &str| column(name)?.as_string_opt::<i32>().ok_or_else(|| missing(name));
    let rows = column("row")?.as_primitive_opt::<UInt64Type>().ok_or_else(|| missing("row"))?;
    let poses: &FixedSizeBinaryArray =
        column("pose")?.as_any().downcast_ref().ok_or_else(|| missing("pose"))?;
    let [ids, models, sources, groups, attributes] =
        ["id", "model", "source", "group", "attributes"].map(text);
    let (ids, models, sources, groups, attributes) =
        (ids?, models?, sources?, groups?, attributes?);
    let mut all = Vec::with_capacity(batch.num_rows());
    for row in 0..batch.num_rows() {
        let pose = poses.value(row).try_into().map_err(|_| missing("pose"))?;
        let instance = Instance {
            id: ids.value(row).to_owned(),
            model: models.value(row).to_owned(),
            pose: pose_of_bytes(pose),
            group: groups.value(row).to_owned(),
            attributes: attributes_of_text(attributes.value(row))?,
        };
        all.push((rows.value(row), instance, sources.value(row).to_owned()));
    }
    Ok(all)
}

fn pose_bytes(pose: &[f64; 12]) -> [u8; 96] {
    let mut bytes = [0; 96];
    for (place, number) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(pose) {
        *place = number.to_le_bytes();
    }
    bytes
}

/// The twelve numbers of a pose.
pub(crate) fn pose_of_bytes(bytes: &[u8; 96]) -> [f64; 12] {
    let mut pose = [0.0; 12];
    for (number, place) in pose.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *number = f64::from_le_bytes(*place);
    }
    pose
}

/// The attributes of their text.
pub(crate) fn attributes_of_text(text: &str) -> Result<Vec<(String, String)>> {
    if text == "[]" {
        return Ok(Vec::new());
    }
    serde_json::from_str(text).map_err(|error| exec_datafusion_err!("attributes: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_read_as_they_were_written() -> Result<()> {
        let instance = Instance {
            id: "a,\"b\"".to_owned(),
            model: "shape:box".to_owned(),
            pose: [1.0, -0.0, 0.0, 0.1, 0.0, 1.0, 0.0, 1e300, 0.0, 0.0, 1.0, 5e-324],
            group: "é".to_owned(),
            attributes: vec![("floor".to_owned(), "2 \"x\"".to_owned())],
        };
        let other = Instance { id: "c".to_owned(), model: "b.off".to_owned(), ..instance.clone() };
        let rows = Rows { instances: vec![instance, other], ..Rows::default() };
        let folder = tempfile::tempdir()?;
        let (beside, folder) = (Path::new("/models"), folder.path());
        let written = std::collections::BTreeMap::new();
        let mut sources = Sources { rows: &rows, beside, folder, written };
        let read = instances(&batch(&rows.instances, 7, &mut sources)?)?;
        for (place, (row, instance, source)) in read.iter().enumerate() {
            assert_eq!((*row, instance), (7 + place as u64, &rows.instances[place]));
            assert_eq!(source, ["shape:box", "/models/b.off"][place]);
        }
        assert_eq!(write(&rows, beside, folder, 4)?, 2);
        assert!(part_path(folder, 1).is_file());
        Ok(())
    }
}
