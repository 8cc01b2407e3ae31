//! Triangulates one face: by a fan if it tiles the face, else by the library or exact ear clipping, and
//! closes the result.

use earcut::Earcut;
use xcollide_predicates::{Sign, orient2d};

use super::ears::clip_ears;
use crate::edge_chain::EdgeChain;
use crate::hole_bridges::bridged_contour;
use crate::projection::{Projection, unit_scale};
use crate::{Face, VertexId};

/// Faces with more corners become fans: the library may take n² steps, and counts bytes in 32 bits.
const LIBRARY_LIMIT: usize = 1 << 18;
/// Faces with more corners are not tried by ear clipping, which is quadratic.
const EARS_LIMIT: usize = 2048;

/// Triangulates faces one by one, reusing its buffers.
#[derive(Default)]
pub(super) struct FaceTriangulator {
    library: Earcut<f64>,
    /// Projected corners of all contours, scaled for the library.
    plane: Vec<[f64; 2]>,
    /// Start of each hole in `plane`.
    hole_starts: Vec<u32>,
    /// The library's proposal: three corner numbers a triangle.
    proposal: Vec<u32>,
    chain: EdgeChain,
    /// Undirected edges of the triangles, sorted.
    edges: Vec<(u32, u32)>,
}

impl FaceTriangulator {
    /// Appends the triangles of a face. Returns whether they tile it: whether none has the wrong
    /// orientation in the face's projection.
    pub(super) fn triangulate(
        &mut self,
        positions: &[[f64; 3]],
        face: Face<'_>,
        triangles: &mut Vec<[VertexId; 3]>,
    ) -> bool {
        let outer = face.outer();
        if face.holes().len() == 0 && outer.len() <= 3 {
            extend_with_fan(outer, triangles);
            return true;
        }
        let projection = Projection::of_contour(positions, outer);
        let is_turned = |triangle: [VertexId; 3]| {
            let [a, b, c] = triangle.map(|vertex| projection.apply(positions[vertex.index()]));
            orient2d(a, b, c) == Sign::Negative
        };
        let tiles = |triangles: &[[VertexId; 3]]| !triangles.iter().any(|&t| is_turned(t));
        if face.holes().len() == 0 {
            // One of the two diagonals of a quadrilateral is inside, if it has an inside.
            let apices = if outer.len() == 4 { 2 } else { 1 };
            for apex in 0..apices {
                if !fan(outer, apex).any(is_turned) {
                    triangles.extend(fan(outer, apex));
                    return true;
                }
            }
        }
        let start = triangles.len();
        if face.corners().len() > LIBRARY_LIMIT {
            for contour in face.contours() {
                extend_with_fan(contour, triangles);
            }
        } else {
            self.propose(positions, face, projection);
            self.append_proposal(face, triangles);
        }
        self.close(face, triangles, start);
        if tiles(&triangles[start..]) {
            return true;
        }
        if face.corners().len() <= EARS_LIMIT {
            let end = triangles.len();
            if clip_ears(&bridged_contour(positions, face), triangles) {
                self.close(face, triangles, end);
                if tiles(&triangles[end..]) {
                    triangles.drain(start..end);
                    return true;
                }
                triangles.truncate(end);
            }
        }
        false
    }

    fn propose(&mut self, positions: &[[f64; 3]], face: Face<'_>, projection: Projection) {
        // The library computes in f64; coordinates near 0 and of size 1 avoid overflow and lose few
        // digits.
        let corners = || face.corners().iter().map(|vertex| positions[vertex.index()]);
        let scale = unit_scale(corners());
        let origin = projection.apply(positions[face.outer()[0].index()]).map(|x| x * scale);
        self.plane.clear();
        self.plane.extend(corners().map(|position| {
            let [x, y] = projection.apply(position);
            [x * scale - origin[0], y * scale - origin[1]]
        }));
        let extent = unit_scale(self.plane.iter().map(|&[x, y]| [x, y, 0.0]));
        for [x, y] in &mut self.plane {
            (*x, *y) = (*x * extent, *y * extent);
        }
        self.hole_starts.clear();
        let mut length = 0;
        for contour in face.contours() {
            length += contour.len() as u32;
            self.hole_starts.push(length);
        }
        self.hole_starts.pop();
        self.library.earcut_slice(&self.plane, &self.hole_starts, &mut self.proposal);
    }

    /// Appends the proposed triangles, in the direction in which more of their edges are contour edges.
    fn append_proposal(&mut self, face: Face<'_>, triangles: &mut Vec<[VertexId; 3]>) {
        let corners = face.corners();
        let start = triangles.len();
        triangles.extend(
            self.proposal
                .chunks_exact(3)
                .map(|t| [corners[t[0] as usize], corners[t[1] as usize], corners[t[2] as usize]]),
        );
        let residual = self.residual(face, &triangles[start..]);
        if residual > 0 {
            let flip = |triangles: &mut [[VertexId; 3]]| {
                triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
            };
            flip(&mut triangles[start..]);
            if self.residual(face, &triangles[start..]) >= residual {
                flip(&mut triangles[start..]);
            }
        }
    }

    /// Number of edges by which the boundary of the triangles differs from the contours.
    fn residual(&mut self, face: Face<'_>, triangles: &[[VertexId; 3]]) -> usize {
        self.chain.clear();
        for contour in face.contours() {
            self.chain.add_cycle(contour.iter().map(|vertex| vertex.0));
        }
        for [a, b, c] in triangles {
            self.chain.add_cycle([c.0, b.0, a.0].into_iter());
        }
        self.chain.cancel().len()
    }

    /// Establishes the guarantees for `triangles[start..]`: fills the difference between the contours
    /// and the boundary of the triangles with fans.
    fn close(&mut self, face: Face<'_>, triangles: &mut Vec<[VertexId; 3]>, start: usize) {
        if self.residual(face, &triangles[start..]) > 0 {
            self.chain.for_each_cycle(|cycle| {
                for i in 1..cycle.len() - 1 {
                    triangles.push([cycle[0], cycle[i], cycle[i + 1]].map(VertexId));
                }
            });
        }
        self.cover(face, triangles, start);
    }

    /// Adds triangles without area for contour edges and vertices that no triangle has, as at the tips
    /// of spikes, whose edges cancel in the chain.
    fn cover(&mut self, face: Face<'_>, triangles: &mut Vec<[VertexId; 3]>, start: usize) {
        self.edges.clear();
        for [a, b, c] in &triangles[start..] {
            for (p, q) in [(a.0, b.0), (b.0, c.0), (c.0, a.0)] {
                // An edge includes its two vertices.
                self.edges.extend([(p.min(q), p.max(q)), (p, p), (q, q)]);
            }
        }
        self.edges.sort_unstable();
        self.edges.dedup();
        for contour in face.contours() {
            for (i, &p) in contour.iter().enumerate() {
                let q = contour[(i + 1) % contour.len()];
                let edge = (p.0.min(q.0), p.0.max(q.0));
                if let Err(place) = self.edges.binary_search(&edge) {
                    self.edges.insert(place, edge);
                    triangles.push([p, q, q]);
                }
            }
        }
    }
}

/// The triangles from one corner to all edges that do not touch it. Their boundary is the contour.
fn fan(contour: &[VertexId], apex: usize) -> impl Iterator<Item = [VertexId; 3]> + '_ {
    let at = move |i: usize| contour[(apex + i) % contour.len()];
    (1..contour.len() - 1).map(move |i| [at(0), at(i), at(i + 1)])
}

/// The fan of a contour of any length; short ones give a degenerate triangle.
fn extend_with_fan(contour: &[VertexId], triangles: &mut Vec<[VertexId; 3]>) {
    match *contour {
        [] => {}
        [a] => triangles.push([a, a, a]),
        [a, b] => triangles.push([a, b, b]),
        _ => triangles.extend(fan(contour, 0)),
    }
}
