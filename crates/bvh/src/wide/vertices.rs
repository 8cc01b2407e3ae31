//! The vertices of a mesh in f32 and in the tree's frame.

use std::borrow::Cow;

use super::relative_transform::TreeFrame;
use crate::fork_join;

/// Vertices, and the triangles between them.
pub(super) struct Vertices<'v> {
    /// The fourth numbers are 0.
    pub(super) points: Vec<[f32; 4]>,
    pub(super) triangles: Cow<'v, [[u32; 3]]>,
}

impl<'v> Vertices<'v> {
    /// Rounds the positions. If there are more than the corners of all triangles, as in a partial
    /// rebuild, each triangle gets its own.
    pub(super) fn new(
        positions: &[[f64; 3]],
        triangles: &'v [[u32; 3]],
        frame: &TreeFrame,
    ) -> Self {
        let local = |position: &[f64; 3]| {
            let [x, y, z] = frame.local(*position);
            [x, y, z, 0.0]
        };
        if positions.len() <= 3 * triangles.len() {
            let points = fork_join::map(positions, local);
            return Self { points, triangles: Cow::Borrowed(triangles) };
        }
        let corners = triangles.as_flattened();
        let points = fork_join::map(corners, |&vertex| local(&positions[vertex as usize]));
        let own = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Self { points, triangles: Cow::Owned(own) }
    }

    /// The corners of a triangle.
    #[inline(always)]
    pub(super) fn corners(&self, triangle: &[u32; 3]) -> [[f32; 4]; 3] {
        triangle.map(|vertex| self.points[vertex as usize])
    }
}
