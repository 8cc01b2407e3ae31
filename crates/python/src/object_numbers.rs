//! Objects of a world as numbers.

use pyo3::prelude::*;
use xcollide::ObjectId;

use crate::arrays::indices;

/// An object's number: the index below, the generation above.
pub(crate) fn number_of(object: ObjectId) -> u64 {
    u64::from(object.generation()) << 32 | u64::from(object.index())
}

pub(crate) fn object_of(number: u64) -> ObjectId {
    ObjectId::new(number as u32, (number >> 32) as u32)
}

pub(crate) fn objects_of(value: &Bound<'_, PyAny>) -> PyResult<Vec<ObjectId>> {
    Ok(indices(value, "objects")?.into_iter().map(object_of).collect())
}
