//! `xcollide_level`: the level of a box in the hierarchical grid.

use std::sync::Arc;

use datafusion::arrow::array::{FixedSizeBinaryArray, Int16Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::arguments::{Column, bytes};
use crate::StoredBox;

/// `xcollide_level(box)`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct LevelOf(Signature);

impl Default for LevelOf {
    fn default() -> Self {
        Self(Signature::exact(vec![DataType::FixedSizeBinary(24)], Volatility::Immutable))
    }
}

impl ScalarUDFImpl for LevelOf {
    fn name(&self) -> &str {
        "xcollide_level"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int16)
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let boxes = Column::new(&call.args[0], call.number_rows)?;
        let boxes: &FixedSizeBinaryArray = boxes.of()?;
        let level = |row| Ok(StoredBox::from_bytes(bytes(boxes, row)?).level());
        let levels: Result<Vec<i16>> = (0..call.number_rows).map(level).collect();
        Ok(ColumnarValue::Array(Arc::new(Int16Array::from(levels?))))
    }
}
