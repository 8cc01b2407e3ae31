//! Stands for the decoder of meshopt where the feature `meshopt` is off: compressed views are rejected.

use ::gltf::json::Root;

use super::buffers::Buffers;
use super::compression::by_meshopt;
use super::elements::slice;
use crate::error::{Position, Problem, ReadError};

/// Rejects compressed views whose uncompressed bytes are not in the file.
pub(super) fn decode(root: &mut Root, buffers: &mut Buffers<'_>) -> Result<(), ReadError> {
    for (index, view) in root.buffer_views.iter().enumerate() {
        let buffer = buffers.0.get(view.buffer.value());
        let offset = view.byte_offset.unwrap_or_default().0;
        let bytes = buffer.and_then(|buffer| slice(buffer, offset, view.byte_length.0));
        if by_meshopt(view).is_some() && bytes.is_none() {
            let found = "a view compressed by meshopt";
            let problem = Problem::FeatureDisabled { found, feature: "meshopt" };
            return Err(problem.at(Position::element("bufferView", index)));
        }
    }
    Ok(())
}
