//! `xcollide_cells`: the cells of a box.

use std::sync::Arc;

use datafusion::arrow::array::{
    ArrayRef, FixedSizeBinaryArray, Int32Array, ListArray, StructArray, UInt64Array,
};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::arguments::{Column, bytes, decoded};
use crate::StoredBox;
use crate::cell_plan::CellPlan;

/// `xcollide_cells(box, row, plan, pass, passes)`: a list of structs of `key` and `role`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Cells(Signature);

impl Default for Cells {
    fn default() -> Self {
        let types = vec![
            DataType::FixedSizeBinary(24),
            DataType::UInt64,
            DataType::Utf8,
            DataType::UInt64,
            DataType::UInt64,
        ];
        Self(Signature::exact(types, Volatility::Immutable))
    }
}

fn fields() -> Fields {
    Fields::from(vec![
        Field::new("key", DataType::UInt64, false),
        Field::new("role", DataType::Int32, false),
    ])
}

fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Struct(fields()), false))
}

impl ScalarUDFImpl for Cells {
    fn name(&self) -> &str {
        "xcollide_cells"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::List(item()))
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let boxes = Column::new(&call.args[0], call.number_rows)?;
        let boxes: &FixedSizeBinaryArray = boxes.of()?;
        let rows = Column::new(&call.args[1], call.number_rows)?;
        let rows: &UInt64Array = rows.of()?;
        let plan = decoded::<CellPlan>(&call.args[2])?;
        let (pass, passes) = match (&call.args[3], &call.args[4]) {
            (
                ColumnarValue::Scalar(ScalarValue::UInt64(Some(pass))),
                ColumnarValue::Scalar(ScalarValue::UInt64(Some(passes))),
            ) => (*pass, *passes),
            _ => return exec_err!("found a column, expected the number of a pass"),
        };
        let mut keys = Vec::with_capacity(4 * call.number_rows);
        let mut roles = Vec::with_capacity(4 * call.number_rows);
        let mut lengths = Vec::with_capacity(call.number_rows);
        let mut cells = Vec::new();
        for row in 0..call.number_rows {
            let of = StoredBox::from_bytes(bytes(boxes, row)?);
            cells.clear();
            plan.cells(&of, rows.value(row), &mut cells);
            if passes > 1 {
                cells.retain(|(key, _)| (key >> 40) % passes == pass);
            }
            keys.extend(cells.iter().map(|(key, _)| *key));
            roles.extend(cells.iter().map(|(_, role)| role.to_number()));
            lengths.push(cells.len());
        }
        let columns: Vec<ArrayRef> =
            vec![Arc::new(UInt64Array::from(keys)), Arc::new(Int32Array::from(roles))];
        let cells = Arc::new(StructArray::try_new(fields(), columns, None)?);
        let lists = ListArray::try_new(item(), OffsetBuffer::from_lengths(lengths), cells, None)?;
        Ok(ColumnarValue::Array(Arc::new(lists)))
    }
}
