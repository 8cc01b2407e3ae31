//! World coordinates of a placed model, computed on demand and kept while they are valid.
//!
//! Each value carries the stamp of its placement, and a new placement takes a new stamp, which invalidates
//! all values at once. Clearing a flag per vertex took 30 % of the thesis's time (Zachmann 1994, 7.3.1).

use xcollide_bounds::Aabb;
use xcollide_brep::{FaceId, VertexId};

use crate::parallel_for::map_in_order;
use crate::{ModelVersion, Placed, Pose};

/// World positions of vertices and world boxes of faces of one placed model.
#[derive(Default)]
pub(crate) struct WorldGeometry {
    placement: Option<(ModelVersion, Pose)>,
    stamp: u32,
    positions: Vec<Stamped<[f64; 3]>>,
    face_boxes: Vec<Stamped<Aabb>>,
    transforms: u64,
}

#[derive(Clone, Copy, Default)]
struct Stamped<T> {
    value: T,
    stamp: u32,
}

impl WorldGeometry {
    /// Makes this the geometry of `placed`; keeps all values if neither the model nor its pose has changed.
    pub(crate) fn place(&mut self, placed: Placed<'_>) {
        self.transforms = 0;
        let (model, transform) = (placed.model(), *placed.pose());
        if let Some((known, at)) = &self.placement
            && *known == model.version()
        {
            if *at == transform {
                return;
            }
        } else {
            self.positions.clear();
            self.positions.resize(model.mesh().vertex_count(), Stamped::default());
            self.face_boxes.clear();
            self.face_boxes.resize(model.mesh().face_count(), Stamped::default());
            self.stamp = 0;
        }
        self.placement = Some((model.version(), transform));
        if self.stamp == u32::MAX {
            // After four billion placements old stamps would equal new ones.
            self.positions.iter_mut().for_each(|entry| entry.stamp = 0);
            self.face_boxes.iter_mut().for_each(|entry| entry.stamp = 0);
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// The world position of a vertex.
    #[inline]
    pub(crate) fn position(&mut self, placed: Placed<'_>, vertex: VertexId) -> [f64; 3] {
        let entry = &mut self.positions[vertex.index()];
        if entry.stamp != self.stamp {
            *entry = Stamped { value: placed.position(vertex), stamp: self.stamp };
            self.transforms += 1;
        }
        entry.value
    }

    /// The corners of a triangle in the world.
    #[inline]
    pub(crate) fn triangle(&mut self, placed: Placed<'_>, triangle: usize) -> [[f64; 3]; 3] {
        placed.model().triangulation().triangles()[triangle].map(|v| self.position(placed, v))
    }

    /// The smallest world box of a face, from its few vertices (Zachmann 1994, 3.2).
    pub(crate) fn face_box(&mut self, placed: Placed<'_>, face: FaceId) -> Aabb {
        if self.face_boxes[face.index()].stamp == self.stamp {
            return self.face_boxes[face.index()].value;
        }
        let mut value = Aabb::EMPTY;
        for &corner in placed.model().mesh().face(face).corners() {
            value.extend(self.position(placed, corner));
        }
        self.face_boxes[face.index()] = Stamped { value, stamp: self.stamp };
        value
    }

    /// Computes all positions, on up to `helpers` more threads (Zachmann 1994, 6.3.1): then they are there to
    /// [share](Self::known_position).
    pub(crate) fn complete(&mut self, placed: Placed<'_>, helpers: usize) {
        /// Vertices of a piece: some 10 µs.
        const PIECE: usize = 1024;
        let len = self.positions.len();
        let stamp = self.stamp;
        let known = &self.positions;
        let pieces = map_in_order(len.div_ceil(PIECE), helpers, 4, |number| {
            let range = number * PIECE..((number + 1) * PIECE).min(len);
            range
                .map(|vertex| match known[vertex] {
                    Stamped { value, stamp: at } if at == stamp => value,
                    _ => placed.position(VertexId::from_index(vertex)),
                })
                .collect::<Vec<_>>()
        });
        for (entry, value) in self.positions.iter_mut().zip(pieces.into_iter().flatten()) {
            self.transforms += u64::from(entry.stamp != stamp);
            *entry = Stamped { value, stamp };
        }
    }

    /// The world position of a vertex, after [`complete`](Self::complete).
    #[inline]
    pub(crate) fn known_position(&self, vertex: VertexId) -> [f64; 3] {
        self.positions[vertex.index()].value
    }

    /// The smallest world box of a face, after [`complete`](Self::complete).
    pub(crate) fn known_face_box(&self, placed: Placed<'_>, face: FaceId) -> Aabb {
        let corners = placed.model().mesh().face(face).corners();
        Aabb::from_points(corners.iter().map(|&corner| self.known_position(corner)))
    }

    /// The vertices transformed since the last [`place`](Self::place).
    pub(crate) fn transforms(&self) -> u64 {
        self.transforms
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use xcollide_brep::PolygonMesh;

    #[test]
    fn nothing_is_transformed_twice_and_nothing_stale_survives()
    -> Result<(), Box<dyn std::error::Error>> {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
        let model = Model::from_mesh(PolygonMesh::from_polygons(positions, [[0, 1, 2]])?)?;
        let mut world = WorldGeometry::default();
        let here = Placed::new(&model, &Pose::IDENTITY)?;
        world.place(here);
        assert_eq!(world.face_box(here, FaceId(0)), Aabb::new([0.0; 3], [1.0, 2.0, 0.0]));
        assert_eq!(world.triangle(here, 0)[2], [0.0, 2.0, 0.0]);
        assert_eq!(world.transforms(), 3);
        world.place(here);
        world.face_box(here, FaceId(0));
        assert_eq!(world.transforms(), 0, "the same placement is still valid");
        let pose_there = Pose::from_translation([0.0, 0.0, 1.0]);
        let there = Placed::new(&model, &pose_there)?;
        world.place(there);
        assert_eq!(world.face_box(there, FaceId(0)).max, [1.0, 2.0, 1.0]);
        assert_eq!(world.position(there, VertexId(1)), [1.0, 0.0, 1.0]);
        assert_eq!(world.transforms(), 3);
        Ok(())
    }
}
