//! Writes binary glTF 2.0: scenes of meshes and lines with poses, colours and motion.
//!
//! Output is core glTF without extensions, and contains each geometry once. Core glTF cannot animate
//! materials, so an object that changes its colour is two nodes, one of which is hidden at a time by a
//! scale of 0 ([`GlbScene::show_when`]), as the specification recommends (glTF 2.0, 3.5.3.2). Meshes whose vertices
//! move have morph targets ([`GlbScene::deforming_mesh`]). Scenes have
//! z upwards, glTF has y: a root node converts. Numbers are rounded to f32.
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
mod deformation;
mod geometry;
mod keyframe_reduction;
mod material;
mod node;
mod scene;

pub use material::Material;
pub use node::Node;
pub use scene::{GlbScene, MaterialId, NodeId, ShapeId};

use xcollide_brep::VertexId;

/// Error of writing a scene.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GlbError {
    /// A coordinate exceeds the range of f32.
    #[error("vertex {vertex}: coordinate {value:?} is too large for glTF, expected at most {max:?}", max = f32::MAX)]
    TooLarge {
        /// The vertex.
        vertex: VertexId,
        /// The coordinate.
        value: f64,
    },
    /// The file would exceed 4 GiB.
    #[error(
        "{bytes} bytes, expected less than 4 GiB in a GLB; fewer objects, frames or faces will do"
    )]
    TooLong {
        /// Its length.
        bytes: u64,
    },
}
