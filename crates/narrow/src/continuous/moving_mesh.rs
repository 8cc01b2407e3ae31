//! Models whose vertices move linearly.

use std::sync::OnceLock;

use xcollide_bounds::{Aabb, BoundingVolume, Obb};
use xcollide_brep::{MeshError, VertexId};
use xcollide_bvh::binary::{Bvh, NodeId};
use xcollide_bvh::wide::{MovingCorners, SweptTree, WideTree};
use xcollide_math::PoseError;
use xcollide_math::vector::largest;
use xcollide_predicates::Point;
use xcollide_predicates::moving::MovingPoint;

use super::drift::Drift;
use super::entry_time::SweptBox;
use super::swept_boxes::SweptBoxes;
use crate::hierarchy::prepared::prepared;
use crate::{Model, MovingMeshError, Placed, Pose};

/// A model whose vertices move linearly from their positions at time 0 to those at time 1: a body in translation, or one
/// that changes its shape.
///
/// The triangles are those of the model, over the moved vertices. At time t, a vertex is at (1 − t) times its position
/// at time 0 and t times that at time 1: the exact point, which is not rounded.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::continuous::{MeshesVerdict, MovingMesh, meshes_contact};
/// use xcollide_narrow::{Model, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// let model = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let at_rest = MovingMesh::resting(&model, &Pose::IDENTITY)?;
/// // One corner of another grows until it touches the slanted face of the first.
/// let start = Pose::from_translation([1.0, 1.0, 1.0]);
/// let mut end: Vec<_> = model.mesh().positions().iter().map(|&p| start.apply(p)).collect();
/// end[0] = [0.0, 0.0, 0.0];
/// let growing = MovingMesh::deforming(&model, &start, &end)?;
/// let verdict = meshes_contact(&growing, &at_rest, 0.0, &Query::new())?;
/// let MeshesVerdict::Collides { contact, .. } = verdict else { panic!("{verdict:?}") };
/// assert!(contact.time.lo <= 2.0 / 3.0 && 2.0 / 3.0 <= contact.time.hi);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MovingMesh {
    model: Model,
    start: Pose,
    end: End,
    /// The hierarchy over what the triangles sweep, made when it is needed first.
    swept: OnceLock<SweptTree>,
    /// Bounds on the motion of all points, made when they are needed first.
    drift: OnceLock<Drift>,
}

#[derive(Clone, Debug)]
enum End {
    /// The pose at time 1: the boxes of the model's hierarchy are moved.
    Pose(Pose),
    /// How each vertex moves.
    Vertices {
        vertices: Vec<MovingPoint>,
        /// For proofs, made when they are needed first.
        boxes: OnceLock<SweptBoxes>,
        /// The largest magnitude of a coordinate.
        reach: f64,
    },
}

impl MovingMesh {
    /// A model that is moved from one pose to another: each vertex moves linearly. If the rotations are equal that is a
    /// translation; else the model shrinks on the way. Constant time.
    ///
    /// # Errors
    /// A pose cannot place the model.
    pub fn between(model: &Model, start: &Pose, end: &Pose) -> Result<Self, PoseError> {
        Placed::new(model, start)?;
        Placed::new(model, end)?;
        Ok(Self {
            model: model.clone(),
            start: *start,
            end: End::Pose(*end),
            swept: OnceLock::new(),
            drift: OnceLock::new(),
        })
    }

    /// A model that does not move. Constant time.
    ///
    /// # Errors
    /// The pose cannot place the model.
    pub fn resting(model: &Model, pose: &Pose) -> Result<Self, PoseError> {
        Self::between(model, pose, pose)
    }

    /// A model at a pose at time 0 that changes its shape: `end` are the world positions of all vertices at time 1.
    ///
    /// Linear time. The first query fits boxes to the motion, also in linear time. For other positions at time 1 take
    /// [`set_end`](Self::set_end), and for the next frame [`Model::moved`], which refits the model's hierarchy.
    ///
    /// # Errors
    /// The pose cannot place the model; there is not one position for each vertex; a coordinate is not finite.
    pub fn deforming(model: &Model, start: &Pose, end: &[Point]) -> Result<Self, MovingMeshError> {
        Placed::new(model, start)?;
        let expected = model.mesh().vertex_count();
        if end.len() != expected {
            return Err(MeshError::PositionCount { found: end.len(), expected }.into());
        }
        for (vertex, point) in end.iter().enumerate() {
            if let Some(axis) = point.iter().position(|value| !value.is_finite()) {
                return Err(MeshError::NonFinite { vertex, axis, value: point[axis] }.into());
            }
        }
        let reach = end.iter().fold(0.0, |most: f64, &point| most.max(largest(point)));
        let starts = model.mesh().positions().iter().map(|&position| start.apply(position));
        let vertices: Vec<_> =
            starts.zip(end).map(|(start, &end)| MovingPoint::new(start, end)).collect();
        let boxes = OnceLock::new();
        let end = End::Vertices { vertices, boxes, reach };
        let (swept, drift) = (OnceLock::new(), OnceLock::new());
        Ok(Self { model: model.clone(), start: *start, end, swept, drift })
    }

    /// Other world positions of all vertices at time 1. The boxes of former queries are fitted to them in place, in linear
    /// time.
    ///
    /// # Errors
    /// As for [`deforming`](Self::deforming); nothing is changed then.
    pub fn set_end(&mut self, end: &[Point]) -> Result<(), MovingMeshError> {
        let swept = self.swept.take();
        match Self::deforming(&self.model, &self.start, end) {
            Ok(moved) => {
                *self = moved;
                if let Some(mut tree) = swept {
                    tree.refit(|number| self.corners(number));
                    self.swept = tree.into();
                }
                Ok(())
            }
            Err(error) => {
                self.swept = swept.map_or_else(OnceLock::new, Into::into);
                Err(error)
            }
        }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The pose at time 0.
    #[must_use]
    pub fn start(&self) -> &Pose {
        &self.start
    }

    /// How a vertex moves.
    ///
    /// # Panics
    /// The model has no such vertex.
    #[inline]
    #[must_use]
    pub fn vertex(&self, vertex: VertexId) -> MovingPoint {
        match &self.end {
            End::Pose(end) => {
                let position = self.model.mesh().position(vertex);
                MovingPoint::new(self.start.apply(position), end.apply(position))
            }
            End::Vertices { vertices, .. } => vertices[vertex.index()],
        }
    }

    /// How the corners of a triangle of the model's [triangulation](Model::triangulation) move.
    ///
    /// # Panics
    /// There is no such triangle.
    #[inline]
    #[must_use]
    pub fn triangle(&self, number: u32) -> [MovingPoint; 3] {
        self.model.triangulation().triangles()[number as usize].map(|vertex| self.vertex(vertex))
    }

    /// Where the vertices are at a time from 0 to 1, rounded; exact at both ends.
    #[must_use]
    pub fn positions_at(&self, time: f64) -> Vec<Point> {
        let vertices = 0..self.model.mesh().vertex_count() as u32;
        let at = |number: u32| {
            let MovingPoint { start, end } = self.vertex(VertexId(number));
            if time <= 0.0 {
                start
            } else if time >= 1.0 {
                end
            } else {
                [0, 1, 2].map(|k| (1.0 - time) * start[k] + time * end[k])
            }
        };
        vertices.map(at).collect()
    }

    /// A box that no vertex of a face leaves.
    #[must_use]
    pub fn swept_aabb(&self) -> Aabb {
        let used = self.model.used_vertices().iter();
        let moving = used.map(|&vertex| self.vertex(vertex));
        Aabb::from_points(moving.flat_map(|MovingPoint { start, end }| [start, end]))
    }

    /// Memory of what is kept beside the model, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let kept = match &self.end {
            End::Pose(_) => 0,
            End::Vertices { vertices, boxes, .. } => {
                size_of_val(&vertices[..]) + boxes.get().map_or(0, SweptBoxes::bytes)
            }
        };
        size_of::<Self>() + kept + self.swept.get().map_or(0, SweptTree::bytes)
    }

    /// Bounds on the motion of all points. Linear time for the first call.
    pub(super) fn drift(&self) -> &Drift {
        self.drift.get_or_init(|| Drift::of(self))
    }

    /// The poses at time 0 and 1, if the rotation is the same.
    pub(super) fn translation(&self) -> Option<[&Pose; 2]> {
        match &self.end {
            End::Pose(end) if end.rotation() == self.start.rotation() => Some([&self.start, end]),
            _ => None,
        }
    }

    /// The model at time 0.
    pub(super) fn at_start(&self) -> Result<Placed<'_>, PoseError> {
        Placed::new(&self.model, &self.start)
    }

    /// The hierarchy; `None` if the model is too large for it.
    pub(super) fn tree(&self) -> Option<&Bvh<Obb>> {
        prepared::<Bvh<Obb>>(&self.model)
    }

    /// A bound on the magnitudes of all coordinates. The gaps between [boxes](Self::swept_box) are off by less than 2⁻⁴¹
    /// of it: a corner is rounded by [`Pose::apply`], and is in a box whose axes are orthonormal up to 128 · 2⁻⁵³.
    pub(super) fn size(&self) -> f64 {
        let local = self.model.local_box();
        let reach = largest(local.min).max(largest(local.max));
        let at = |pose: &Pose| 1.8 * (reach + largest(pose.translation()));
        let start = at(&self.start);
        match &self.end {
            End::Pose(pose) => start.max(at(pose)),
            End::Vertices { reach, .. } => start.max(1.8 * reach),
        }
    }

    /// The wide hierarchy of the model; `None` if the model is too large for it.
    pub(super) fn wide_tree(&self) -> Option<&WideTree> {
        prepared::<WideTree>(&self.model)
    }

    /// The wide hierarchy over what the triangles sweep; `None` if the model is too large for it. Linear time for the first
    /// call.
    pub(super) fn swept_tree(&self) -> Option<&SweptTree> {
        if self.swept.get().is_none() {
            let tree = SweptTree::new(self.wide_tree()?, |number| self.corners(number));
            // Another thread may have been first.
            let _ = self.swept.set(tree);
        }
        self.swept.get()
    }

    fn corners(&self, number: u32) -> MovingCorners {
        self.triangle(number).map(|MovingPoint { start, end }| [start, end])
    }

    /// The boxes around what is below a node, up to rounding.
    #[inline]
    pub(super) fn swept_box(&self, tree: &Bvh<Obb>, node: NodeId) -> SweptBox {
        match &self.end {
            End::Vertices { boxes, .. } => {
                let boxes = boxes.get_or_init(|| SweptBoxes::fit(tree, |t| self.triangle(t)));
                boxes.swept_box(node.index())
            }
            End::Pose(end) => {
                let volume = tree.volume(node);
                let center = volume.center();
                let axes = volume.axes().map(|axis| self.start.rotate(axis));
                let is_rigid = end.rotation() == self.start.rotation();
                let last = if is_rigid { axes } else { volume.axes().map(|axis| end.rotate(axis)) };
                SweptBox {
                    centers: [self.start.apply(center), end.apply(center)],
                    axes: [axes, last],
                    half: [volume.half_extents(); 2],
                    is_rigid,
                }
            }
        }
    }
}
