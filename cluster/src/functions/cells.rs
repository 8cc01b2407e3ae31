//! `xcollide_cells`: the cells of a box.

use std::sync::Arc;

use datafusion::arrow::array::{FixedSizeBinaryArray, ListArray, UInt64Array};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::arguments::{Column, bytes, decoded};
use crate::StoredBox;
use crate::cell_plan::CellPlan;

/// `xcollide_cells(box, row, plan, is_own, pass, passes)`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Cells(Signature);

impl Default for Cells {
    fn default() -> Self {
        let types = vec![
            DataType::FixedSizeBinary(24),
            DataType::UInt64,
            DataType::Utf8,
            DataType::Boolean,
            DataType::UInt64,
            DataType::UInt64,
        ];
        Self(Signature::exact(types, Volatility::Immutable))
    }
}

fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::UInt64, false))
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
        let [is_own, pass, passes] = [&call.args[3], &call.args[4], &call.args[5]];
        let (is_own, pass, passes) = match (is_own, pass, passes) {
            (
                ColumnarValue::Scalar(ScalarValue::Boolean(Some(is_own))),
                ColumnarValue::Scalar(ScalarValue::UInt64(Some(pass))),
                ColumnarValue::Scalar(ScalarValue::UInt64(Some(passes))),
            ) => (*is_own, *pass, *passes),
            _ => return exec_err!("found a column, expected a literal side and pass"),
        };
        let mut keys = Vec::with_capacity(4 * call.number_rows);
        let mut lengths = Vec::with_capacity(call.number_rows);
        for row in 0..call.number_rows {
            let of = StoredBox::from_bytes(bytes(boxes, row)?);
            let start = keys.len();
            match is_own {
                true => plan.own_keys(&of, &mut keys),
                false => plan.projected_keys(&of, rows.value(row), &mut keys),
            }
            if passes > 1 {
                retain(&mut keys, start, |key| (key >> 40) % passes == pass);
            }
            lengths.push(keys.len() - start);
        }
        let keys = Arc::new(UInt64Array::from(keys));
        let lists = ListArray::try_new(item(), OffsetBuffer::from_lengths(lengths), keys, None)?;
        Ok(ColumnarValue::Array(Arc::new(lists)))
    }
}

/// Removes the values from `start` on that are not wanted.
fn retain(values: &mut Vec<u64>, start: usize, is_wanted: impl Fn(u64) -> bool) {
    let mut kept = start;
    for place in start..values.len() {
        if is_wanted(values[place]) {
            values[kept] = values[place];
            kept += 1;
        }
    }
    values.truncate(kept);
}
