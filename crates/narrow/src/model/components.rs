//! The connected pieces of a model's surface.

use xcollide_brep::{Triangulation, VertexId};

/// A connected piece of a model's surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Component {
    /// Its smallest vertex.
    pub vertex: VertexId,
    /// Vertices with the smallest x, y, z and the largest x, y, z in the model's frame, the smallest of several. If the
    /// piece is in a body, all of them are in the body's box.
    pub extremes: [VertexId; 6],
}

/// All pieces of a model. Which vertices they have depends on the triangles alone.
#[derive(Clone, Debug)]
pub(super) struct Components {
    list: Vec<Component>,
    /// The piece of each used vertex; empty if there is only one.
    of_used: Vec<u32>,
}

impl Components {
    /// The sets of triangles connected by vertices (union–find with path halving; the smaller root wins).
    pub(super) fn new(
        positions: &[[f64; 3]],
        triangulation: &Triangulation,
        used: &[VertexId],
    ) -> Self {
        let mut parent: Vec<u32> = (0..positions.len() as u32).collect();
        for [a, b, c] in triangulation.triangles() {
            for other in [b, c] {
                let (ra, rb) = (root(&mut parent, a.0), root(&mut parent, other.0));
                parent[ra.max(rb) as usize] = ra.min(rb);
            }
        }
        let is_root = |&&vertex: &&VertexId| parent[vertex.index()] == vertex.0;
        let roots: Vec<VertexId> = used.iter().filter(is_root).copied().collect();
        let list: Vec<Component> =
            roots.iter().map(|&vertex| Component { vertex, extremes: [vertex; 6] }).collect();
        let mut of_used = Vec::new();
        if roots.len() > 1 {
            let piece = |vertex: &VertexId| {
                let root = root(&mut parent, vertex.0);
                roots.partition_point(|other| other.0 < root) as u32
            };
            of_used.extend(used.iter().map(piece));
        }
        let mut components = Self { list, of_used };
        components.measure(positions, used);
        components
    }

    pub(super) fn list(&self) -> &[Component] {
        &self.list
    }

    /// Finds the extremes at these positions. O(n).
    pub(super) fn measure(&mut self, positions: &[[f64; 3]], used: &[VertexId]) {
        for piece in &mut self.list {
            piece.extremes = [piece.vertex; 6];
        }
        if let [piece] = &mut self.list[..] {
            used.iter().for_each(|&vertex| piece.extend(positions, vertex));
            return;
        }
        for (&vertex, &piece) in used.iter().zip(&self.of_used) {
            self.list[piece as usize].extend(positions, vertex);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.list) + size_of_val(&*self.of_used)
    }
}

impl Component {
    #[inline]
    fn extend(&mut self, positions: &[[f64; 3]], vertex: VertexId) {
        let position = positions[vertex.index()];
        for axis in 0..3 {
            let [low, high] = [axis, axis + 3];
            if position[axis] < positions[self.extremes[low].index()][axis] {
                self.extremes[low] = vertex;
            }
            if position[axis] > positions[self.extremes[high].index()][axis] {
                self.extremes[high] = vertex;
            }
        }
    }
}

fn root(parent: &mut [u32], mut vertex: u32) -> u32 {
    while parent[vertex as usize] != vertex {
        let above = parent[parent[vertex as usize] as usize];
        parent[vertex as usize] = above;
        vertex = above;
    }
    vertex
}

#[cfg(test)]
mod tests {
    use xcollide_brep::{MeshError, PolygonMesh};

    use crate::Model;
    use xcollide_brep::VertexId;

    #[test]
    fn pieces_that_share_no_vertex_are_found() -> Result<(), MeshError> {
        let triangles = [[7, 8, 9], [4, 2, 3], [3, 5, 4], [6, 6, 6], [9, 1, 8]];
        let mut positions = vec![[0.0; 3]; 11];
        positions[5] = [-1.0, 2.0, 0.0];
        positions[3] = [0.0, 3.0, -4.0];
        let mut model =
            Model::from_mesh(PolygonMesh::from_polygons(positions.clone(), triangles)?)?;
        let found = model.components();
        let smallest: Vec<u32> = found.iter().map(|piece| piece.vertex.0).collect();
        assert_eq!(smallest, [1, 2, 6]);
        assert_eq!(found[1].extremes, [5, 2, 3, 2, 3, 2].map(VertexId));
        positions[4] = [0.0, 4.0, 0.0];
        positions[9] = [0.0, 0.0, 1.0];
        model.set_positions(&positions)?;
        let found = model.components();
        assert_eq!(found[0].extremes, [1, 1, 1, 1, 1, 9].map(VertexId));
        assert_eq!(found[1].extremes, [5, 2, 3, 2, 4, 2].map(VertexId));
        Ok(())
    }
}
