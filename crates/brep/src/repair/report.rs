//! Report of a repair: changes and remaining defects, in numbers of the old mesh.

use std::fmt;

use crate::{FaceId, VertexId};

/// A change made by [`repair`](crate::repair). All numbers are of the mesh that it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[non_exhaustive]
pub enum DropReason {
    /// It has fewer than three distinct vertices.
    TooFewVertices,
    /// Its vertices are exactly collinear.
    Collinear,
    /// It runs each of its edges there and back.
    EdgesCancel,
    /// It equals another face.
    Duplicate,
}

/// A defect that [`repair`](crate::repair) found and left. All numbers are of the mesh that it was
/// given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
#[non_exhaustive]
pub struct RepairReport {
    /// Changes, step by step.
    pub changes: Vec<Change>,
    /// Remaining defects.
    pub defects: Vec<Defect>,
}

impl RepairReport {
    /// Whether the repair changed nothing.
    #[must_use]
    pub fn is_unchanged(&self) -> bool {
        self.changes.is_empty()
    }

    /// The number of changes for which `kind` is true.
    ///
    /// ```
    /// use xcollide_brep::{Change, RepairReport};
    ///
    /// let report = RepairReport::default();
    /// assert_eq!(report.count(|change| matches!(change, Change::VertexWelded { .. })), 0);
    /// ```
    #[must_use]
    pub fn count(&self, kind: impl Fn(&Change) -> bool) -> usize {
        self.changes.iter().filter(|change| kind(change)).count()
    }
}

impl Change {
    /// The same change with mapped numbers.
    pub(super) fn renumbered(
        self,
        face: impl Fn(FaceId) -> FaceId,
        vertex: impl Fn(VertexId) -> VertexId,
    ) -> Self {
        let mut change = self;
        match &mut change {
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
        change
    }
}

impl Defect {
    /// The same defect with mapped numbers.
    pub(super) fn renumbered(
        self,
        face: impl Fn(FaceId) -> FaceId,
        vertex: impl Fn(VertexId) -> VertexId,
    ) -> Self {
        let mut defect = self;
        match &mut defect {
            Self::NotOrientable { face: f, neighbour, edge } => {
                (*f, *neighbour, *edge) = (face(*f), face(*neighbour), edge.map(vertex));
            }
            Self::NonManifoldEdge { edge, .. } => *edge = edge.map(vertex),
            Self::CollinearKept { face: f } => *f = face(*f),
            Self::DuplicateKept { face: f, of } => (*f, *of) = (face(*f), face(*of)),
        }
        defect
    }
}

impl fmt::Display for RepairReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use {Change as C, DropReason as R};
        let count = |kind: &dyn Fn(&Change) -> bool| self.count(kind);
        let dropped =
            |reason: R| count(&|c| matches!(c, C::FaceDropped { reason: r, .. } if *r == reason));
        let sum = |of: &dyn Fn(&Change) -> u32| {
            self.changes.iter().map(|change| of(change) as usize).sum::<usize>()
        };
        let left = |kind: &dyn Fn(&Defect) -> bool| {
            self.defects.iter().filter(|defect| kind(defect)).count()
        };
        let mut lines: Vec<(usize, &str, &str)> = vec![
            (count(&|c| matches!(c, C::VertexWelded { .. })), "vertex welded", "vertices welded"),
            (
                sum(&|c| if let C::CornersDropped { corners, .. } = c { *corners } else { 0 }),
                "repeated corner dropped",
                "repeated corners dropped",
            ),
            (
                sum(&|c| if let C::HolesDropped { holes, .. } = c { *holes } else { 0 }),
                "hole without area dropped",
                "holes without area dropped",
            ),
            (
                dropped(R::TooFewVertices),
                "face of fewer than three vertices dropped",
                "faces of fewer than three vertices dropped",
            ),
            (dropped(R::Collinear), "collinear face dropped", "collinear faces dropped"),
            (
                dropped(R::EdgesCancel),
                "face that runs back on itself dropped",
                "faces that run back on themselves dropped",
            ),
            (
                count(&|c| matches!(c, C::DuplicateDropped { .. })),
                "duplicate face dropped",
                "duplicate faces dropped",
            ),
            (count(&|c| matches!(c, C::FaceTurned { .. })), "face turned", "faces turned"),
            (
                count(&|c| matches!(c, C::VertexSplit { .. })),
                "vertex split between surfaces",
                "vertices split between surfaces",
            ),
            (
                count(&|c| matches!(c, C::FaceTriangulated { .. })),
                "face cut into triangles",
                "faces cut into triangles",
            ),
            (
                count(&|c| matches!(c, C::TriangleDropped { .. })),
                "needless triangle dropped",
                "needless triangles dropped",
            ),
            (
                count(&|c| matches!(c, C::VertexDropped { .. })),
                "unused vertex dropped",
                "unused vertices dropped",
            ),
            (
                left(&|d| matches!(d, Defect::NotOrientable { .. })),
                "edge left whose faces cannot look the same way",
                "edges left whose faces cannot look the same way",
            ),
            (
                left(&|d| matches!(d, Defect::NonManifoldEdge { .. })),
                "edge of more than two faces left",
                "edges of more than two faces left",
            ),
            (
                left(&|d| matches!(d, Defect::CollinearKept { .. })),
                "collinear face left that joins others",
                "collinear faces left that join others",
            ),
            (
                left(&|d| matches!(d, Defect::DuplicateKept { .. })),
                "duplicate face left as the other side of a wall",
                "duplicate faces left as the other sides of walls",
            ),
        ];
        lines.retain(|line| line.0 > 0);
        if lines.is_empty() {
            return f.write_str("nothing to repair");
        }
        for (i, (number, one, many)) in lines.iter().enumerate() {
            let separator = if i == 0 { "" } else { "\n" };
            write!(f, "{separator}{number} {}", if *number == 1 { one } else { many })?;
        }
        Ok(())
    }
}
