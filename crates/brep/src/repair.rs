//! Mends what files get wrong, and says what it did.
//!
//! Doubled vertices, faces without area, faces given twice, faces that look the wrong way, edges
//! with three faces and more: I-COLLIDE section 6.2 lists such degeneracies and scans for them
//! before anything else; thesis section 4.2.1 names wrong orientation and non-manifold edges.
//!
//! The steps, each of which can be switched off in [`RepairOptions`]:
//!
//! 1. *weld* vertices of equal position;
//! 2. *drop* corners that repeat, faces without area, faces given twice;
//! 3. *split* edges and vertices where more than one surface meets into one copy a surface;
//! 4. *orient* the faces of each surface alike, closed ones with the outside outside;
//! 5. *triangulate*, only if asked for;
//! 6. *drop* unused vertices.
//!
//! What holds for every input: no coordinate changes except by welding within a tolerance;
//! repairing twice is repairing once, the second report being empty of changes; and a mesh in
//! which every edge is run as often one way as the other stays so, but that two faces back to
//! back, which only each other joins, become one.

mod cycles;
mod drop;
mod orient;
mod report;
mod sheets;
mod weld;

use crate::{FaceId, PolygonMesh, VertexId};
use cycles::Cycles;

pub use report::{Change, Defect, DropReason, RepairReport};
pub(crate) use weld::places;

/// What [`repair`] shall do. The default does everything but welding within a tolerance and
/// triangulating.
///
/// ```
/// use xcollide_brep::RepairOptions;
///
/// let options = RepairOptions::default().weld_within(1e-6).triangulate(true);
/// assert!(options.orient);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RepairOptions {
    /// Which vertices count as one.
    pub weld: Weld,
    /// Drop repeated corners, holes and faces of fewer than three vertices, and faces that are
    /// exactly collinear unless other faces are joined by them.
    pub drop_degenerate: bool,
    /// Drop faces that run around the same vertices as an earlier one, either way round, unless
    /// both are needed as the two sides of a wall.
    pub drop_duplicates: bool,
    /// Give each surface its own copy of edges and vertices at which several meet.
    pub split_non_manifold: bool,
    /// Make neighbouring faces look the same way, and closed surfaces outward.
    pub orient: bool,
    /// Cut all faces into triangles, see [`Triangulation`](crate::Triangulation).
    pub triangulate: bool,
    /// Drop vertices that no face uses.
    pub drop_unused: bool,
}

/// Which vertices [`repair`] takes for one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Weld {
    /// Those with the same number: the file's connections stay.
    Off,
    /// Those with equal coordinates, −0 and 0 being equal.
    #[default]
    Equal,
    /// Those in the same cell of a grid of cubes of this size, in the mesh's unit; the first one
    /// stays where it is. This *moves* the others, and vertices on both sides of a cell's border
    /// stay apart, however close. A size that is not a positive number means `Equal`.
    Grid(f64),
}

impl Default for RepairOptions {
    fn default() -> Self {
        Self {
            weld: Weld::Equal,
            drop_degenerate: true,
            drop_duplicates: true,
            split_non_manifold: true,
            orient: true,
            triangulate: false,
            drop_unused: true,
        }
    }
}

impl RepairOptions {
    /// Does nothing: the start for switching single steps on.
    #[must_use]
    pub const fn nothing() -> Self {
        Self {
            weld: Weld::Off,
            drop_degenerate: false,
            drop_duplicates: false,
            split_non_manifold: false,
            orient: false,
            triangulate: false,
            drop_unused: false,
        }
    }

    /// Sets which vertices count as one.
    #[must_use]
    pub const fn weld(mut self, weld: Weld) -> Self {
        self.weld = weld;
        self
    }

    /// Welds within cells of a grid, which changes the geometry: see [`Weld::Grid`].
    #[must_use]
    pub const fn weld_within(self, size: f64) -> Self {
        self.weld(Weld::Grid(size))
    }

    /// Sets whether faces without area go.
    #[must_use]
    pub const fn drop_degenerate(mut self, on: bool) -> Self {
        self.drop_degenerate = on;
        self
    }

    /// Sets whether faces given twice go.
    #[must_use]
    pub const fn drop_duplicates(mut self, on: bool) -> Self {
        self.drop_duplicates = on;
        self
    }

    /// Sets whether surfaces that meet in an edge or vertex get copies of their own.
    #[must_use]
    pub const fn split_non_manifold(mut self, on: bool) -> Self {
        self.split_non_manifold = on;
        self
    }

    /// Sets whether faces are turned to look the same way.
    #[must_use]
    pub const fn orient(mut self, on: bool) -> Self {
        self.orient = on;
        self
    }

    /// Sets whether all faces become triangles.
    #[must_use]
    pub const fn triangulate(mut self, on: bool) -> Self {
        self.triangulate = on;
        self
    }

    /// Sets whether unused vertices go.
    #[must_use]
    pub const fn drop_unused(mut self, on: bool) -> Self {
        self.drop_unused = on;
        self
    }
}

/// A mended mesh, what was done to it, and where its parts come from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Repaired {
    /// The mended mesh. Faces and vertices that stay keep their order.
    pub mesh: PolygonMesh,
    /// What was changed, and what could not be.
    pub report: RepairReport,
    /// For each vertex of the new mesh the one of the old mesh that it is, or is a copy of.
    pub vertex_origin: Vec<VertexId>,
    /// For each face of the new mesh the one of the old mesh that it is, or was cut from.
    pub face_origin: Vec<FaceId>,
}

/// Mends a mesh as far as the options say and as it can be.
///
/// **Dropping.** A collinear face is kept if at least two of its edges are shared with other
/// faces, because dropping it would tear them apart; two faces around the same vertices are kept
/// where, counting doubles once, one of their edges has three faces, because there they are the
/// wall between two parts. Both stand in [`RepairReport::defects`].
///
/// **Splitting.** At an edge with more than two faces, pairs are made: faces that the file joins
/// by vertex numbers stay together; of the others, going around the edge, two that have the inside
/// between them; what is left by flatness. Then the faces around a vertex are parted into fans
/// that hang together by pairs, and each fan gets its own copy of the vertex. Where both ends of
/// an edge hang together otherwise, no copy can part the pairs, and the edge stays as a defect.
///
/// **Orienting.** Neighbours are made to look the same way, in each surface of connected faces. A
/// surface that cannot be (a Möbius strip) stays as it is and is reported. Of the two ways
/// - an open surface takes the one that turns fewer faces;
/// - a closed surface that is inside of no other is turned outward (positive volume);
/// - one inside of others that looked one way already keeps its side relative to the outermost, so
///   cavities stay cavities and parts parts; one that did not becomes what its depth says: cavity,
///   part, cavity, …
///
/// A closed surface whose volume rounding cannot tell from zero is treated as an open one.
///
/// Takes n log n steps for n corners, plus for each closed surface that is inside out or mixed up
/// one pass over the surfaces around it.
///
/// ```
/// use xcollide_brep::{PolygonMesh, RepairOptions, repair};
///
/// // Two triangles, each with vertices of its own, one of them upside down.
/// let (a, b, c, d) = ([0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]);
/// let soup = PolygonMesh::from_polygons(vec![a, b, c, d, a, c], [[0, 1, 2], [3, 4, 5]])?;
/// let repaired = repair(&soup, &RepairOptions::default());
/// assert_eq!(repaired.mesh.vertex_count(), 4);
/// println!("{}", repaired.report); // 2 vertices welded
/// # Ok::<(), xcollide_brep::MeshError>(())
/// ```
#[must_use]
pub fn repair(mesh: &PolygonMesh, options: &RepairOptions) -> Repaired {
    let repaired = repair_polygons(mesh, options);
    if options.triangulate { triangulated(repaired, options) } else { repaired }
}

/// All steps but the triangulation, until nothing changes.
fn repair_polygons(mesh: &PolygonMesh, options: &RepairOptions) -> Repaired {
    /// More than were ever seen to be needed.
    const ROUNDS: usize = 16;
    let mut repaired = repair_once(mesh, options);
    for _ in 0..ROUNDS {
        // Splitting goes by the file's numbering and changes it; where it did, or met an edge that
        // it could not split, there may be more to see now.
        let report = &repaired.report;
        let is_split = |change: &Change| matches!(change, Change::VertexSplit { .. });
        let is_unsplit = |defect: &Defect| matches!(defect, Defect::NonManifoldEdge { .. });
        if !options.split_non_manifold
            || !(report.changes.iter().any(is_split) || report.defects.iter().any(is_unsplit))
        {
            break;
        }
        let next = repair_once(&repaired.mesh, options);
        if next.report.is_unchanged() {
            break;
        }
        repaired = repaired.followed_by(next, |change| change);
    }
    repaired
}

/// Each step once.
fn repair_once(mesh: &PolygonMesh, options: &RepairOptions) -> Repaired {
    let mut report = RepairReport::default();
    let mut cycles = Cycles::new(mesh, places(mesh, options.weld));
    if options.drop_degenerate {
        drop::collapse(&mut cycles, &mut report);
    }
    drop::drop_faces(&mut cycles, options, &mut report);
    let mates = sheets::pair_sides(&cycles, options.split_non_manifold);
    let turned = if options.orient {
        orient::orient(&cycles, &mates, &mut report)
    } else {
        vec![false; mesh.face_count()]
    };
    let vertices = sheets::vertices(&cycles, &mates, options, &mut report);
    cycles.into_repaired(&vertices, &turned, report)
}

/// Cuts a repaired mesh into triangles, and drops those among them that are needless.
fn triangulated(repaired: Repaired, options: &RepairOptions) -> Repaired {
    let triangulation = repaired.mesh.triangulate();
    let numbers = triangulation.triangles().iter().map(|t| t.map(u32::from));
    let Ok(mesh) = PolygonMesh::from_polygons(repaired.mesh.positions().to_vec(), numbers) else {
        return repaired; // more triangles than ids
    };
    let face_origin = (0..triangulation.len()).map(|triangle| triangulation.face_of(triangle));
    let changes = repaired.mesh.faces().filter(|face| face.corners().len() > 3).map(|face| {
        let triangles = triangulation.triangles_of(face.id()).len() as u32;
        Change::FaceTriangulated { face: face.id(), triangles }
    });
    let cut = Repaired {
        report: RepairReport { changes: changes.collect(), defects: Vec::new() },
        vertex_origin: (0..mesh.vertex_count()).map(VertexId::from_index).collect(),
        face_origin: face_origin.collect(),
        mesh,
    };
    let mended = repair_polygons(&cut.mesh, options);
    repaired.followed_by(cut, |change| change).followed_by(mended, |change| match change {
        Change::FaceDropped { face, reason } => Change::TriangleDropped { face, reason },
        Change::DuplicateDropped { face, .. } => {
            Change::TriangleDropped { face, reason: DropReason::Duplicate }
        }
        other => other,
    })
}

impl Repaired {
    /// What two repairs did, the second one to the result of the first.
    fn followed_by(self, next: Self, retell: impl Fn(Change) -> Change) -> Self {
        let face = |face: FaceId| self.face_origin[face.index()];
        let vertex = |vertex: VertexId| self.vertex_origin[vertex.index()];
        let mut changes = self.report.changes;
        changes.extend(next.report.changes.iter().map(|&c| retell(c).renumbered(face, vertex)));
        let defects = next.report.defects.iter().map(|d| d.renumbered(face, vertex)).collect();
        Self {
            // The second repair saw what the first one left, so its list is the one that holds.
            report: RepairReport { changes, defects },
            vertex_origin: next.vertex_origin.iter().map(|&v| vertex(v)).collect(),
            face_origin: next.face_origin.iter().map(|&f| face(f)).collect(),
            mesh: next.mesh,
        }
    }
}
