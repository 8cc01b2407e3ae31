//! Nodes of a scene: what they show, and where.

use super::keyframe_reduction::Rotation;
use super::{MaterialId, NodeId, ShapeId};

/// Description of a node: its shape, pose, scale and parent, all optional.
#[derive(Clone, Debug)]
pub struct Node {
    pub(super) name: String,
    pub(super) shown: Option<(ShapeId, MaterialId)>,
    pub(super) translation: [f64; 3],
    pub(super) rotation: Rotation,
    pub(super) scale: [f64; 3],
    pub(super) parent: Option<NodeId>,
}

impl Node {
    /// A node at the origin without a shape.
    #[must_use]
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            shown: None,
            translation: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            scale: [1.0; 3],
            parent: None,
        }
    }

    /// Sets shape and material.
    #[must_use]
    pub fn shape(self, shape: ShapeId, material: MaterialId) -> Self {
        Self { shown: Some((shape, material)), ..self }
    }

    /// Sets the translation, and the rotation as a unit quaternion (x, y, z, w).
    #[must_use]
    pub fn at(self, translation: [f64; 3], rotation: [f64; 4]) -> Self {
        Self { translation, rotation, ..self }
    }

    /// Sets the scale of its shape along the axes.
    #[must_use]
    pub fn scale(self, scale: [f64; 3]) -> Self {
        Self { scale, ..self }
    }

    /// Sets the parent; the node is placed relative to it.
    #[must_use]
    pub fn below(self, parent: NodeId) -> Self {
        Self { parent: Some(parent), ..self }
    }
}
