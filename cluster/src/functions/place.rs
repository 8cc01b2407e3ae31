//! `xcollide_place`: loads the model of an instance and bounds it at its pose.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, FixedSizeBinaryArray, FixedSizeBinaryBuilder, StringArray, StringBuilder, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Fields};
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};
use xcollide_clash::Instance;

use super::arguments::{Column, bytes};
use crate::instance_table::{POSE, pose_of_bytes};
use crate::model_cache::ModelCache;
use crate::stored_box::aabb_bytes;

/// The field with the box: six f64.
pub(crate) const BOUNDS: &str = "bounds";
/// The field with what is wrong.
pub(crate) const ERROR: &str = "error";

/// `xcollide_place(model, source, pose)`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Place(Signature);

impl Default for Place {
    fn default() -> Self {
        // Volatile, as files may change; so the engine does not evaluate it a second time to filter by its result.
        Self(Signature::exact(vec![DataType::Utf8, DataType::Utf8, POSE], Volatility::Volatile))
    }
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new(BOUNDS, DataType::FixedSizeBinary(48), true),
        Field::new(ERROR, DataType::Utf8, true),
    ])
}

impl ScalarUDFImpl for Place {
    fn name(&self) -> &str {
        "xcollide_place"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(fields()))
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = call.number_rows;
        let columns: Vec<Column> =
            call.args.iter().map(|column| Column::new(column, rows)).collect::<Result<_>>()?;
        let models: &StringArray = columns[0].of()?;
        let sources: &StringArray = columns[1].of()?;
        let poses: &FixedSizeBinaryArray = columns[2].of()?;
        let mut bounds = FixedSizeBinaryBuilder::with_capacity(rows, 48);
        let mut errors = StringBuilder::new();
        for row in 0..rows {
            let model = models.value(row).to_owned();
            let pose = pose_of_bytes(bytes(poses, row)?);
            let instance = Instance { model, pose, ..Instance::default() };
            let loaded = ModelCache::shared().get(sources.value(row));
            match instance.place(loaded.as_ref().map_err(String::as_str)) {
                Ok((_, _, found)) => {
                    bounds.append_value(aabb_bytes(&found))?;
                    errors.append_null();
                }
                Err(error) => {
                    bounds.append_null();
                    errors.append_value(error.to_string());
                }
            }
        }
        let columns: Vec<ArrayRef> = vec![Arc::new(bounds.finish()), Arc::new(errors.finish())];
        Ok(ColumnarValue::Array(Arc::new(StructArray::new(fields(), columns, None))))
    }
}
