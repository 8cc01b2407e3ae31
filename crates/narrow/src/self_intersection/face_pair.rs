//! Whether two triangles prove that their faces meet in more than what these share.

use std::sync::Arc;

use xcollide_brep::{FaceId, PolygonMesh, Triangulation, VertexId};
use xcollide_predicates::{
    Point, triangles_intersect, triangles_meet_beyond_edge, triangles_meet_beyond_vertex,
};

use super::shared_features::meet_outside;
use crate::{Model, PreparedData};

/// For each triangle, which of its sides are edges of its face: bit i for the side from corner i on. Empty if all faces have
/// at most three corners, as then any two corners are the ends of an edge.
#[derive(Debug)]
pub(super) struct FaceEdges(Vec<u8>);

impl PreparedData for FaceEdges {
    fn refitted(self: Arc<Self>, _: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        triangles_kept.then_some(self)
    }

    fn bytes(&self) -> usize {
        size_of_val(self) + self.0.capacity()
    }
}

impl FaceEdges {
    pub(super) fn new(model: &Model) -> Self {
        let (mesh, triangulation) = (model.mesh(), model.triangulation());
        if mesh.faces().all(|face| face.holes().len() == 0 && face.outer().len() <= 3) {
            return Self(Vec::new());
        }
        let mut bits = vec![0; triangulation.len()];
        let mut edges = Vec::new();
        for face in mesh.faces().map(|face| face.id()) {
            edges.clear();
            edges.extend(edges_of(mesh, face));
            edges.sort_unstable();
            for triangle in triangulation.triangles_of(face) {
                let corners = triangulation.triangles()[triangle];
                for i in 0..3 {
                    let side = undirected([corners[i], corners[(i + 1) % 3]]);
                    bits[triangle] |= u8::from(edges.binary_search(&side).is_ok()) << i;
                }
            }
        }
        Self(bits)
    }

    /// Whether the side of a triangle from a corner on is an edge of its face.
    #[inline]
    pub(super) fn is_edge(&self, triangle: u32, corner: usize) -> bool {
        self.0.is_empty() || self.0[triangle as usize] >> corner & 1 != 0
    }
}

/// The edges of all contours of a face, the smaller vertex first.
pub(super) fn edges_of(
    mesh: &PolygonMesh,
    face: FaceId,
) -> impl Iterator<Item = [VertexId; 2]> + '_ {
    mesh.face(face).contours().flat_map(|contour| {
        let next = contour.iter().cycle().skip(1);
        contour.iter().zip(next).map(|(&p, &q)| undirected([p, q]))
    })
}

fn undirected([p, q]: [VertexId; 2]) -> [VertexId; 2] {
    if p < q { [p, q] } else { [q, p] }
}

/// What two triangles have in common by number.
enum Shared {
    Nothing,
    /// A corner, by its place in each.
    Vertex(usize, usize),
    /// A side, by the place of the third corner in each.
    Edge(usize, usize),
    All,
}

impl Shared {
    #[inline(always)]
    fn of(s: [VertexId; 3], t: [VertexId; 3]) -> Self {
        // A number that a triangle has twice counts once.
        let place = |i: usize| {
            let is_first = i == 0 || (s[i] != s[0] && (i == 1 || s[i] != s[1]));
            let at = t.iter().position(|&other| other == s[i]);
            at.filter(|_| is_first)
        };
        match [place(0), place(1), place(2)] {
            [None, None, None] => Self::Nothing,
            [Some(j), None, None] => Self::Vertex(0, j),
            [None, Some(j), None] => Self::Vertex(1, j),
            [None, None, Some(j)] => Self::Vertex(2, j),
            [None, Some(j), Some(k)] => Self::Edge(0, 3 - j - k),
            [Some(j), None, Some(k)] => Self::Edge(1, 3 - j - k),
            [Some(j), Some(k), None] => Self::Edge(2, 3 - j - k),
            [Some(_), Some(_), Some(_)] => Self::All,
        }
    }
}

/// The faces of a model as triangles.
pub(super) struct Surface<'m> {
    model: &'m Model,
    positions: &'m [Point],
    triangulation: &'m Triangulation,
    triangles: &'m [[VertexId; 3]],
    face_edges: &'m FaceEdges,
    /// For each vertex whether the triangles at it meet only in what they share; empty if nothing is known.
    is_smooth_vertex: Vec<bool>,
}

impl<'m> Surface<'m> {
    pub(super) fn of(model: &'m Model) -> Self {
        let triangulation = model.triangulation();
        Self {
            model,
            positions: model.mesh().positions(),
            triangulation,
            triangles: triangulation.triangles(),
            face_edges: model.data(FaceEdges::new),
            is_smooth_vertex: Vec::new(),
        }
    }

    /// With what is known of the triangles at each vertex.
    pub(super) fn with_smooth_vertices(self, is_smooth_vertex: Vec<bool>) -> Self {
        Self { is_smooth_vertex, ..self }
    }

    /// Whether some face has more than three corners.
    pub(super) fn has_polygons(&self) -> bool {
        !self.face_edges.0.is_empty()
    }

    /// The faces of two triangles.
    pub(super) fn faces(&self, s: u32, t: u32) -> [FaceId; 2] {
        [s, t].map(|triangle| self.triangulation.face_of(triangle as usize))
    }

    /// The first two triangles of two faces by which these meet in more than what they share.
    pub(super) fn first_triangles(&self, faces: [FaceId; 2]) -> Option<[u32; 2]> {
        let [of_a, of_b] = faces.map(|face| self.triangulation.triangles_of(face));
        let pairs = of_a.flat_map(|s| of_b.clone().map(move |t| [s as u32, t as u32]));
        pairs.into_iter().find(|&[s, t]| self.meets(s, t))
    }

    /// Whether the faces of two triangles are different, and the triangles have a common point that is in nothing that the
    /// faces share.
    #[inline(always)]
    pub(super) fn meets(&self, s: u32, t: u32) -> bool {
        if !self.has_polygons() {
            return self.meet_beyond_shared(s, t).0;
        }
        self.polygons_meet(s, t)
    }

    #[inline(never)]
    fn polygons_meet(&self, s: u32, t: u32) -> bool {
        let faces = self.faces(s, t);
        if faces[0] == faces[1] {
            return false;
        }
        let (is_more, shared) = self.meet_beyond_shared(s, t);
        if !is_more {
            // They meet in the hull of the shared corners. A side may be a diagonal of one of the faces.
            let is_edge = |triangle: u32, opposite: usize| {
                self.face_edges.is_edge(triangle, (opposite + 1) % 3)
            };
            match shared {
                Shared::Nothing | Shared::Vertex(..) => return false,
                Shared::Edge(i, j) if is_edge(s, i) && is_edge(t, j) => return false,
                Shared::Edge(..) | Shared::All => {}
            }
        }
        meet_outside(self.model, faces, [s as usize, t as usize])
    }

    /// Whether two triangles meet in more than the hull of the corners that both have, and these.
    #[inline(always)]
    fn meet_beyond_shared(&self, s: u32, t: u32) -> (bool, Shared) {
        let (s, t) = (self.triangles[s as usize], self.triangles[t as usize]);
        let at = |vertex: VertexId| &self.positions[vertex.index()];
        let shared = Shared::of(s, t);
        let others = |of: [VertexId; 3], i: usize| [*at(of[(i + 1) % 3]), *at(of[(i + 2) % 3])];
        let is_smooth =
            |vertex: VertexId| self.is_smooth_vertex.get(vertex.index()).copied().unwrap_or(false);
        let is_more = match shared {
            Shared::Vertex(i, _) if is_smooth(s[i]) => false,
            Shared::Edge(i, _) if is_smooth(s[(i + 1) % 3]) || is_smooth(s[(i + 2) % 3]) => false,
            Shared::Nothing => triangles_intersect(&s.map(|v| *at(v)), &t.map(|v| *at(v))),
            Shared::Vertex(i, j) => {
                triangles_meet_beyond_vertex(at(s[i]), &others(s, i), &others(t, j))
            }
            Shared::Edge(i, j) => triangles_meet_beyond_edge(&others(s, i), at(s[i]), at(t[j])),
            // They are equal, and more than their sides if they have area.
            Shared::All => {
                (0..3).all(|i| triangles_meet_beyond_edge(&others(s, i), at(s[i]), at(s[i])))
            }
        };
        (is_more, shared)
    }
}
