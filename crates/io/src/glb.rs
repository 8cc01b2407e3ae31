//! Binary glTF 2.0, out: scenes of meshes and lines, placed, coloured, and in motion.
//!
//! What is written is core glTF, which ordinary viewers show: no extension is used. Geometry is there
//! once, however many nodes show it. Core glTF cannot animate a material, so a thing that changes its
//! colour is two nodes of which one is hidden at a time ([`GlbScene::show_when`]): their scale steps
//! between 1 and 0, which is what the specification recommends for visibility (glTF 2.0, 3.5.3.2).
//!
//! Scenes here have z upwards, glTF has y; a root node turns the one to the other. Numbers are rounded
//! to f32.
//!
//! ```
//! use xcollide_io::glb::{GlbScene, Material, Node};
//! use xcollide_io::{Format, read_bytes};
//!
//! let triangle = read_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Some(Format::Obj))?;
//! let mut scene = GlbScene::new();
//! let shape = scene.mesh(&triangle)?;
//! let red = scene.material(&Material::new("red", [0.8, 0.1, 0.1]));
//! let node = scene.node(Node::new("triangle").shape(shape, red));
//! // Up by one unit in a second, at 30 frames a second.
//! let still = [0.0, 0.0, 0.0, 1.0];
//! let frames: Vec<_> = (0..=30).map(|frame| ([0.0, 0.0, f64::from(frame) / 30.0], still)).collect();
//! scene.animate(node, &frames, 30.0, 1e-3);
//! let bytes = scene.to_bytes()?;
//! assert_eq!(read_bytes(&bytes, None)?.face_count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bytes;
mod geometry;
mod material;
mod scene;
mod thinning;

pub use material::Material;
pub use scene::{GlbScene, MaterialId, Node, NodeId, ShapeId};

use xcollide_brep::VertexId;

/// Why a scene cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GlbError {
    /// A coordinate is beyond the range of the f32 numbers that glTF holds.
    #[error("vertex {vertex}: coordinate {value:?} is too large for glTF, expected at most {max:?}", max = f32::MAX)]
    TooLarge {
        /// The vertex.
        vertex: VertexId,
        /// The coordinate.
        value: f64,
    },
    /// The file would be longer than its header can say.
    #[error(
        "{bytes} bytes, expected less than 4 GiB in a GLB; fewer objects, frames or faces will do"
    )]
    TooLong {
        /// How long it would be.
        bytes: u64,
    },
}
