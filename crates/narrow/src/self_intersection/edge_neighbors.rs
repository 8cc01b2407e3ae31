//! Which triangles of a model meet in which sides.

use std::sync::Arc;

use xcollide_brep::VertexId;

use super::face_pair::FaceEdges;
use crate::{Model, PreparedData};

/// For each triangle and each of its sides, the side from corner i to the next, the one triangle on the other side of it.
#[derive(Debug)]
pub(super) struct EdgeNeighbors(Vec<[u32; 3]>);

impl PreparedData for EdgeNeighbors {
    fn refitted(self: Arc<Self>, _: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        triangles_kept.then_some(self)
    }

    fn bytes(&self) -> usize {
        size_of_val(self) + size_of_val(&self.0[..])
    }
}

/// A side of a triangle, as it is found at its vertex of lower number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    /// The vertex of higher number.
    other: u32,
    triangle: u32,
    corner: u8,
    /// Whether the side goes to the vertex of higher number.
    ascends: bool,
}

impl EdgeNeighbors {
    /// There is no neighbor, or none that runs the other way, or more than one.
    pub(super) const NONE: u32 = u32::MAX;

    /// O(n log k) for sides of n triangles, k of them at one vertex.
    pub(super) fn new(model: &Model) -> Self {
        let triangulation = model.triangulation();
        let triangles = triangulation.triangles();
        let edges = model.data(FaceEdges::new);
        let mut neighbors = vec![[Self::NONE; 3]; triangles.len()];
        // The sides by their vertices of lower number: first how many there are, then where the next one goes.
        let mut next = vec![0; model.mesh().vertex_count() + 1];
        let ends = |[from, to]: [VertexId; 2]| {
            (from != to).then(|| (from.0.min(to.0), from.0.max(to.0), from < to))
        };
        let sides = |corners: &[VertexId; 3]| {
            let corners = *corners;
            (0..3_u8).filter_map(move |i| {
                let i_next = (usize::from(i) + 1) % 3;
                Some((i, ends([corners[usize::from(i)], corners[i_next]])?))
            })
        };
        for (_, (low, ..)) in triangles.iter().flat_map(sides) {
            next[low as usize + 1] += 1;
        }
        for vertex in 1..next.len() {
            next[vertex] += next[vertex - 1];
        }
        let starts = next.clone();
        let nothing = Side { other: 0, triangle: 0, corner: 0, ascends: false };
        let mut all = vec![nothing; next.last().copied().unwrap_or(0)];
        for (triangle, corners) in (0..).zip(triangles) {
            for (corner, (low, other, ascends)) in sides(corners) {
                all[next[low as usize]] = Side { other, triangle, corner, ascends };
                next[low as usize] += 1;
            }
        }
        let mut start = 0;
        for end in starts.into_iter().skip(1) {
            let sides = &mut all[start..end];
            sides.sort_unstable();
            for pair in sides.chunk_by(|a, b| a.other == b.other) {
                let &[a, b] = pair else { continue };
                // A diagonal of a face is no edge of another.
                let is_common = |side: Side| edges.is_edge(side.triangle, usize::from(side.corner));
                let face = |side: Side| triangulation.face_of(side.triangle as usize);
                let is_shared = face(a) == face(b) || (is_common(a) && is_common(b));
                if a.ascends != b.ascends && is_shared {
                    neighbors[a.triangle as usize][usize::from(a.corner)] = b.triangle;
                    neighbors[b.triangle as usize][usize::from(b.corner)] = a.triangle;
                }
            }
            start = end;
        }
        Self(neighbors)
    }

    /// The neighbors of a triangle, side by side.
    #[inline]
    pub(super) fn of(&self, triangle: u32) -> [u32; 3] {
        self.0[triangle as usize]
    }
}
