//! Decodes compressed buffer views (extensions `EXT_meshopt_compression` and `KHR_meshopt_compression`).
//!
//! A decoded view becomes a buffer of its own, so the rest of the reader knows nothing of compression.
//! The `meshoptimizer-rs` crate decodes; it checks that the input is long enough before it allocates.

use std::borrow::Cow;

use ::gltf::json::buffer::Stride;
use ::gltf::json::validation::USize64;
use ::gltf::json::{Index, Root, Value};
use meshoptimizer_rs::codec::{
    decode_filter_exp, decode_filter_quat, decode_index_buffer, decode_index_sequence,
    decode_vertex_buffer,
};
use meshoptimizer_rs::{Limits, Workspace};

use super::buffers::Buffers;
use super::compression::by_meshopt;
use super::elements::{get, slice, whole};
use crate::error::{Position, Problem, ReadError, quote};

/// Decodes all compressed views, and makes them views of the decoded buffers, which are appended.
pub(super) fn decode(root: &mut Root, buffers: &mut Buffers<'_>) -> Result<(), ReadError> {
    const FREE: usize = 1 << 24;
    const PER_BYTE: usize = 256;

    // Views may share their input, so the total is limited.
    let mut budget = FREE.saturating_add(buffers.len().saturating_mul(PER_BYTE));
    for (index, view) in root.buffer_views.iter_mut().enumerate() {
        let Some(packed) = by_meshopt(view) else { continue };
        let at = |problem: Problem| problem.at(Position::element("bufferView", index));
        let (bytes, stride) = unpack(packed, buffers, budget).map_err(at)?;
        budget -= bytes.len();
        view.buffer = Index::new(buffers.0.len() as u32);
        view.byte_offset = None;
        view.byte_length = USize64(bytes.len() as u64);
        // Indices are tightly packed.
        view.byte_stride = view.byte_stride.map(|_| Stride(stride));
        buffers.0.push(Cow::Owned(bytes));
    }
    Ok(())
}

/// The decoded bytes of a view and their stride. `most`: the most bytes to decode.
fn unpack(packed: &Value, buffers: &Buffers<'_>, most: usize) -> Result<(Vec<u8>, usize), Problem> {
    let number = |key| whole(packed, key);
    let buffer = get("buffer", &buffers.0, number("buffer")? as usize)?;
    let offset = if packed["byteOffset"].is_null() { 0 } else { number("byteOffset")? };
    let bytes = slice(buffer, offset, number("byteLength")?).ok_or_else(|| {
        let found = "a compressed bufferView that leaves its buffer";
        Problem::unexpected(found, format!("a part of its {} bytes", buffer.len()))
    })?;
    let (count, stride) = (number("count")? as usize, number("byteStride")? as usize);
    let mut workspace = Workspace::new(Limits { max_bytes: most, ..Limits::default() });
    let name = |key: &str| packed[key].as_str().unwrap_or("NONE");
    let decode = match name("mode") {
        "ATTRIBUTES" => decode_vertex_buffer,
        "TRIANGLES" => decode_index_buffer,
        "INDICES" => decode_index_sequence,
        other => {
            let expected = "ATTRIBUTES, TRIANGLES or INDICES";
            return Err(Problem::unexpected(quote(other.as_bytes()), expected));
        }
    };
    let broken = |error: meshoptimizer_rs::Error| {
        Problem::unexpected(error.to_string(), format!("{count} compressed elements"))
    };
    let mut decoded = decode(count, stride, bytes, &mut workspace).map_err(broken)?;
    match name("filter") {
        "EXPONENTIAL" => decode_filter_exp(&mut decoded, count, stride, &mut workspace),
        "QUATERNION" => decode_filter_quat(&mut decoded, count, stride, &mut workspace),
        // Of normals and colours, which are not read.
        "NONE" | "OCTAHEDRAL" | "COLOR" => Ok(()),
        other => {
            let expected = "NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL or COLOR";
            return Err(Problem::unexpected(quote(other.as_bytes()), expected));
        }
    }
    .map_err(broken)?;
    Ok((decoded, stride))
}
