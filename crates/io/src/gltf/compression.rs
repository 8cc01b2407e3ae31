//! Which data are compressed: primitives by Draco, buffer views by meshopt.
//!
//! The decoders are compiled with the features `draco` and `meshopt`. Without them, files that hold the same data
//! uncompressed too are read, and others rejected.

use ::gltf::json::mesh::Primitive;
use ::gltf::json::{Root, Value, buffer, extensions};

use super::primitive::positions;

pub(super) const DRACO: &str = "KHR_draco_mesh_compression";

pub(super) const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The extension of a primitive that only Draco has, so not of one with uncompressed data too.
pub(super) fn by_draco<'a>(root: &Root, primitive: &'a Primitive) -> Option<&'a Value> {
    let packed = primitive.extensions.as_ref()?.others.get(DRACO)?;
    let accessor = positions(primitive).and_then(|index| root.accessors.get(index.value()));
    let is_plain = accessor.is_some_and(|accessor| accessor.buffer_view.is_some());
    (!is_plain).then_some(packed)
}

/// The extension of a view that is compressed by meshopt.
pub(super) fn by_meshopt(view: &buffer::View) -> Option<&Value> {
    let extensions = view.extensions.as_ref()?;
    MESHOPT.iter().find_map(|name| extensions.others.get(*name))
}

/// Whether a buffer is only there for readers without meshopt, and may have no data.
pub(super) fn is_fallback(extensions: &extensions::buffer::Buffer) -> bool {
    MESHOPT.iter().any(|name| {
        extensions.others.get(*name).is_some_and(|packed| packed["fallback"] == Value::Bool(true))
    })
}
