//! Arguments of functions: columns by type, and literals that are decoded once.

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use datafusion::arrow::array::{Array, FixedSizeBinaryArray};
use datafusion::common::{Result, ScalarValue, exec_datafusion_err};
use datafusion::logical_expr::ColumnarValue;
use serde::de::DeserializeOwned;

/// A column of an argument, which may be a literal.
pub(super) struct Column(Arc<dyn Array>);

impl Column {
    pub(super) fn new(argument: &ColumnarValue, rows: usize) -> Result<Self> {
        Ok(Self(argument.to_array(rows)?))
    }

    /// As an array of this type.
    pub(super) fn of<T: Any>(&self) -> Result<&T> {
        self.0.as_any().downcast_ref::<T>().ok_or_else(|| {
            let expected = std::any::type_name::<T>();
            exec_datafusion_err!("found a column of {}, expected {expected}", self.0.data_type())
        })
    }
}

/// A value of a fixed size.
pub(super) fn bytes<const N: usize>(of: &FixedSizeBinaryArray, row: usize) -> Result<&[u8; N]> {
    of.value(row)
        .try_into()
        .map_err(|_| exec_datafusion_err!("found {} bytes, expected {N}", of.value(row).len()))
}

/// The value of a literal as text.
pub(super) fn literal(argument: &ColumnarValue) -> Result<&str> {
    match argument {
        ColumnarValue::Scalar(
            ScalarValue::Utf8(Some(text))
            | ScalarValue::Utf8View(Some(text))
            | ScalarValue::LargeUtf8(Some(text)),
        ) => Ok(text),
        _ => Err(exec_datafusion_err!("found a column, expected a literal text")),
    }
}

/// What a literal means, which is decoded once in a process, as calls have a few thousand rows only.
pub(super) fn decoded<T: DeserializeOwned + Send + Sync + 'static>(
    argument: &ColumnarValue,
) -> Result<Arc<T>> {
    type Known = HashMap<String, Arc<dyn Any + Send + Sync>>;
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    /// More than any plan has.
    const LIMIT: usize = 64;
    let text = literal(argument)?;
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(value) = known.get(text).and_then(|value| Arc::clone(value).downcast::<T>().ok()) {
        return Ok(value);
    }
    let value: T = serde_json::from_str(text)
        .map_err(|error| exec_datafusion_err!("a literal cannot be decoded: {error}"))?;
    let value = Arc::new(value);
    if known.len() >= LIMIT {
        known.clear();
    }
    known.insert(text.to_owned(), value.clone());
    Ok(value)
}
