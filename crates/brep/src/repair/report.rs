//! Report of a repair: changes and remaining defects, with element numbers of the old mesh.

use std::collections::BTreeMap;
use std::fmt;

use crate::{FaceId, VertexId};

/// A change made by [`repair`](crate::repair). All numbers are of the mesh that it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Change {
    /// A vertex was merged into another.
    VertexWelded {
        /// The removed vertex.
        vertex: VertexId,
        /// The remaining vertex.
        into: VertexId,
    },
    /// A vertex in which several surfaces meet was copied.
    VertexSplit {
        /// The vertex.
        vertex: VertexId,
        /// Number of copies now, at least 2.
        copies: u32,
    },
    /// An unused vertex was dropped.
    VertexDropped {
        /// The vertex.
        vertex: VertexId,
    },
    /// Corners of a face that repeat the previous one were dropped.
    CornersDropped {
        /// The face.
        face: FaceId,
        /// Number of corners.
        corners: u32,
    },
    /// Holes of fewer than three vertices were dropped.
    HolesDropped {
        /// The face.
        face: FaceId,
        /// Number of holes.
        holes: u32,
    },
    /// A face was dropped.
    FaceDropped {
        /// The face.
        face: FaceId,
        /// Why.
        reason: DropReason,
    },
    /// A face with the same vertices as another was dropped.
    DuplicateDropped {
        /// The dropped face.
        face: FaceId,
        /// The remaining face.
        of: FaceId,
    },
    /// A face was reversed.
    FaceTurned {
        /// The face.
        face: FaceId,
    },
    /// A face was cut into triangles.
    FaceTriangulated {
        /// The face.
        face: FaceId,
        /// Number of triangles.
        triangles: u32,
    },
    /// A triangle of a face was dropped.
    TriangleDropped {
        /// The face.
        face: FaceId,
        /// Why.
        reason: DropReason,
    },
}

/// Why a face was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum DropReason {
    /// It has fewer than three distinct vertices.
    TooFewVertices,
    /// Its vertices are exactly collinear.
    Collinear,
    /// It traverses each of its edges equally often in both directions.
    EdgesCancel,
    /// It equals another face.
    Duplicate,
}

/// A defect that [`repair`](crate::repair) left. All numbers are of the mesh that it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Defect {
    /// Two inconsistently oriented neighbours in a surface that is not orientable.
    NotOrientable {
        /// A face.
        face: FaceId,
        /// Its neighbour, possibly itself.
        neighbour: FaceId,
        /// The edge between them.
        edge: [VertexId; 2],
    },
    /// An edge of more than two faces.
    NonManifoldEdge {
        /// The ends of the edge.
        edge: [VertexId; 2],
        /// Number of faces at the edge.
        faces: u32,
    },
    /// An exactly collinear face that joins others.
    CollinearKept {
        /// The face.
        face: FaceId,
    },
    /// A face with the same vertices as another that is the other side of a wall.
    DuplicateKept {
        /// The face.
        face: FaceId,
        /// The other side.
        of: FaceId,
    },
}

/// Changes and remaining defects of a repair; displayed as a summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RepairReport {
    /// Changes, step by step.
    pub changes: Vec<Change>,
    /// Remaining defects.
    pub defects: Vec<Defect>,
}

impl Change {
    pub(super) fn renumbered(
        mut self,
        face: impl Fn(FaceId) -> FaceId,
        vertex: impl Fn(VertexId) -> VertexId,
    ) -> Self {
        match &mut self {
            Self::VertexWelded { vertex: v, into } => (*v, *into) = (vertex(*v), vertex(*into)),
            Self::VertexSplit { vertex: v, .. } | Self::VertexDropped { vertex: v } => {
                *v = vertex(*v);
            }
            Self::DuplicateDropped { face: f, of } => (*f, *of) = (face(*f), face(*of)),
            Self::CornersDropped { face: f, .. }
            | Self::HolesDropped { face: f, .. }
            | Self::FaceDropped { face: f, .. }
            | Self::FaceTurned { face: f }
            | Self::FaceTriangulated { face: f, .. }
            | Self::TriangleDropped { face: f, .. } => *f = face(*f),
        }
        self
    }
}

impl Defect {
    pub(super) fn renumbered(
        mut self,
        face: impl Fn(FaceId) -> FaceId,
        vertex: impl Fn(VertexId) -> VertexId,
    ) -> Self {
        match &mut self {
            Self::NotOrientable { face: f, neighbour, edge } => {
                (*f, *neighbour, *edge) = (face(*f), face(*neighbour), edge.map(vertex));
            }
            Self::NonManifoldEdge { edge, .. } => *edge = edge.map(vertex),
            Self::CollinearKept { face: f } => *f = face(*f),
            Self::DuplicateKept { face: f, of } => (*f, *of) = (face(*f), face(*of)),
        }
        self
    }
}

/// A line of the summary: its position, and its text for a count of one and for larger counts.
type Line = (u8, &'static str, &'static str);

impl Change {
    /// The summary line for the change, and how much it adds to the line's count.
    fn line(&self) -> (Line, u32) {
        let line = match self {
            Self::VertexWelded { .. } => (0, "vertex welded", "vertices welded"),
            &Self::CornersDropped { corners, .. } => {
                return ((1, "repeated corner dropped", "repeated corners dropped"), corners);
            }
            &Self::HolesDropped { holes, .. } => {
                return ((2, "hole without area dropped", "holes without area dropped"), holes);
            }
            Self::FaceDropped { reason: DropReason::TooFewVertices, .. } => (
                3,
                "face of fewer than three vertices dropped",
                "faces of fewer than three vertices dropped",
            ),
            Self::FaceDropped { reason: DropReason::Collinear, .. } => {
                (4, "collinear face dropped", "collinear faces dropped")
            }
            Self::FaceDropped { reason: DropReason::EdgesCancel, .. } => (
                5,
                "face that runs back on itself dropped",
                "faces that run back on themselves dropped",
            ),
            Self::DuplicateDropped { .. }
            | Self::FaceDropped { reason: DropReason::Duplicate, .. } => {
                (6, "duplicate face dropped", "duplicate faces dropped")
            }
            Self::FaceTurned { .. } => (7, "face turned", "faces turned"),
            Self::VertexSplit { .. } => {
                (8, "vertex split between surfaces", "vertices split between surfaces")
            }
            Self::FaceTriangulated { .. } => {
                (9, "face cut into triangles", "faces cut into triangles")
            }
            Self::TriangleDropped { .. } => {
                (10, "needless triangle dropped", "needless triangles dropped")
            }
            Self::VertexDropped { .. } => (11, "unused vertex dropped", "unused vertices dropped"),
        };
        (line, 1)
    }
}

impl Defect {
    fn line(&self) -> Line {
        match self {
            Self::NotOrientable { .. } => (
                12,
                "edge left whose faces cannot look the same way",
                "edges left whose faces cannot look the same way",
            ),
            Self::NonManifoldEdge { .. } => {
                (13, "edge of more than two faces left", "edges of more than two faces left")
            }
            Self::CollinearKept { .. } => (
                14,
                "collinear face left that joins others",
                "collinear faces left that join others",
            ),
            Self::DuplicateKept { .. } => (
                15,
                "duplicate face left as the other side of a wall",
                "duplicate faces left as the other sides of walls",
            ),
        }
    }
}

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changes = self.changes.iter().map(Change::line);
        let defects = self.defects.iter().map(|defect| (defect.line(), 1));
        let mut counts: BTreeMap<Line, u64> = BTreeMap::new();
        for (line, count) in changes.chain(defects) {
            *counts.entry(line).or_default() += u64::from(count);
        }
        if counts.is_empty() {
            return f.write_str("nothing to repair");
        }
        for (i, ((_, one, many), count)) in counts.into_iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{count} {}", if count == 1 { one } else { many })?;
        }
        Ok(())
    }
}
