//! Decodes compressed primitives (extension `KHR_draco_mesh_compression`).
//!
//! The `draco-core` crate decodes, within limits taken from the budget of the file.

use ::gltf::json::mesh::Primitive;
use ::gltf::json::{Index, Value};
use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder};

use super::compression::by_draco;
use super::elements::{Source, whole};
use crate::error::Problem;

/// A decoded primitive.
pub(super) struct Decoded<'a> {
    mesh: Mesh,
    /// The attributes' numbers in the mesh, by their names in glTF.
    attributes: &'a Value,
}

impl<'a> Decoded<'a> {
    /// The decoded primitive, unless it is not compressed or has uncompressed data too.
    pub(super) fn of(
        source: &mut Source<'a>,
        primitive: &'a Primitive,
    ) -> Result<Option<Self>, Problem> {
        let Some(packed) = by_draco(source.root, primitive) else { return Ok(None) };
        let bytes = source.view(Index::new(whole(packed, "bufferView")? as u32))?;
        let most = source.budget();
        let limits = DecodeLimits::default()
            .with_max_points(most)
            .with_max_faces(most)
            .with_max_decoded_bytes(most.saturating_mul(64));
        let mut mesh = Mesh::new();
        MeshDecoder::new()
            .decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh)
            .map_err(|error| {
                let message = error.to_string();
                let found = message.lines().next().unwrap_or_default();
                Problem::unexpected(found, "a mesh compressed by Draco")
            })?;
        source.spend(mesh.num_points() as u64)?;
        Ok(Some(Self { mesh, attributes: &packed["attributes"] }))
    }

    /// The vectors of an attribute, in the order of the mesh's points.
    pub(super) fn vectors<const N: usize>(
        &self,
        name: &'static str,
        normalized: bool,
    ) -> Result<Vec<[f64; N]>, Problem> {
        let id = whole(self.attributes, name)? as u32;
        let Some(attribute) = self.mesh.attribute_by_unique_id(id) else {
            let found = format!("{name} as attribute {id}, which does not exist");
            return Err(Problem::unexpected(found, "an attribute of the compressed mesh"));
        };
        let scale = match attribute.data_type() {
            DataType::Int8 if normalized => 127.0,
            DataType::Uint8 if normalized => 255.0,
            DataType::Int16 if normalized => 32767.0,
            DataType::Uint16 if normalized => 65535.0,
            _ => 1.0,
        };
        let values = attribute.read_f32s(self.mesh.num_points(), N);
        // The least integer is also -1.
        let least = if scale == 1.0 { f64::NEG_INFINITY } else { -1.0 };
        let scaled = |value: f32| (f64::from(value) / scale).max(least);
        Ok(values.as_chunks::<N>().0.iter().map(|vector| vector.map(scaled)).collect())
    }

    /// The vertices of the triangles.
    pub(super) fn corners(&self) -> Vec<u32> {
        self.mesh.faces().iter().flatten().map(|corner| corner.0).collect()
    }
}
