//! `xcollide_meet`: which pairs of the boxes in a cell are told.

use std::sync::Arc;

use datafusion::arrow::array::{BooleanArray, FixedSizeBinaryArray, UInt64Array};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility,
};

use super::arguments::{Column, bytes, decoded};
use crate::StoredBox;
use crate::cell_plan::CellPlan;

/// `xcollide_meet(key, own box, its row, projected box, its row, plan)`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct Meet(Signature);

impl Default for Meet {
    fn default() -> Self {
        let stored = DataType::FixedSizeBinary(24);
        let number = DataType::UInt64;
        let types =
            vec![number.clone(), stored.clone(), number.clone(), stored, number, DataType::Utf8];
        Self(Signature::exact(types, Volatility::Immutable))
    }
}

impl ScalarUDFImpl for Meet {
    fn name(&self) -> &str {
        "xcollide_meet"
    }

    fn signature(&self) -> &Signature {
        &self.0
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, call: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let columns: Vec<Column> = call.args[..5]
            .iter()
            .map(|column| Column::new(column, call.number_rows))
            .collect::<Result<_>>()?;
        let keys: &UInt64Array = columns[0].of()?;
        let (own, own_rows): (&FixedSizeBinaryArray, &UInt64Array) =
            (columns[1].of()?, columns[2].of()?);
        let (projected, projected_rows): (&FixedSizeBinaryArray, &UInt64Array) =
            (columns[3].of()?, columns[4].of()?);
        let plan = decoded::<CellPlan>(&call.args[5])?;
        let mut told = Vec::with_capacity(call.number_rows);
        for row in 0..call.number_rows {
            let a = StoredBox::from_bytes(bytes(own, row)?);
            let b = StoredBox::from_bytes(bytes(projected, row)?);
            let (a, b) = ((&a, own_rows.value(row)), (&b, projected_rows.value(row)));
            told.push(plan.meet(keys.value(row), a, b));
        }
        Ok(ColumnarValue::Array(Arc::new(BooleanArray::from(told))))
    }
}
