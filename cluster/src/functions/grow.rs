//! `xcollide_grow`: the box of an instance, grown by the margin of its group.

use std::sync::Arc;

use datafusion::arrow::array::{FixedSizeBinaryArray, FixedSizeBinaryBuilder, StringArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::arguments::{Column, decoded};
use crate::StoredBox;
use crate::margins::Margins;
use crate::stored_box::aabb_of_bytes;

/// `xcollide_grow(bounds, group, margins)`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Grow(Signature);

impl Default for Grow {
    fn default() -> Self {
        let types = vec![DataType::FixedSizeBinary(48), DataType::Utf8, DataType::Utf8];
        Self(Signature::exact(types, Volatility::Immutable))
    }
}

impl ScalarUDFImpl for Grow {
    fn name(&self) -> &str {
        "xcollide_grow"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::FixedSizeBinary(24))
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = call.number_rows;
        let bounds = Column::new(&call.args[0], rows)?;
        let bounds: &FixedSizeBinaryArray = bounds.of()?;
        let groups = Column::new(&call.args[1], rows)?;
        let groups: &StringArray = groups.of()?;
        let margins = decoded::<Margins>(&call.args[2])?;
        let mut grown = FixedSizeBinaryBuilder::with_capacity(rows, 24);
        for row in 0..rows {
            let of = aabb_of_bytes(bounds.value(row))
                .ok_or_else(|| exec_datafusion_err!("a box has not 48 bytes"))?;
            let of = margins.grown(&of, groups.value(row));
            grown.append_value(StoredBox::new(&of).to_bytes())?;
        }
        Ok(ColumnarValue::Array(Arc::new(grown.finish())))
    }
}
