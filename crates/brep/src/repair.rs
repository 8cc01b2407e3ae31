//! Repairs common defects of files and reports the changes.
//!
//! Sources: Cohen, Lin, Manocha and Ponamgi 1995 (I-COLLIDE), section 6.2 (duplicate vertices,
//! degenerate and duplicate faces, bad edges); Zachmann 1994, 4.2.1 (orientation, non-manifold edges).
//!
//! The steps, each of which can be switched off in [`RepairOptions`]:
//!
//! 1. *weld* vertices of equal position;
//! 2. *drop* repeated corners, degenerate faces, duplicate faces;
//! 3. *split* edges and vertices where several surfaces meet into one copy a surface;
//! 4. *orient* the faces of each surface consistently, closed ones outward;
//! 5. *triangulate*, on request only;
//! 6. *drop* unused vertices.
//!
//! Guarantees: no coordinate changes, except by welding within a tolerance. Repair is idempotent: a
//! second repair changes nothing. A mesh whose faces traverse every edge equally often in both
//! directions keeps this property, except that two faces back to back, joined to nothing else, become
//! one.

mod cycles;
mod drop_faces;
mod orient;
mod report;
mod split_non_manifold;
mod weld;

use crate::{FaceId, PolygonMesh, VertexId};
use cycles::Cycles;
use split_non_manifold::PairedSides;

pub use report::{Change, Defect, DropReason, RepairReport};
pub(crate) use weld::places;

/// Options of [`repair`]. The default does everything but welding within a tolerance and triangulating.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RepairOptions {
    /// Which vertices are merged.
    pub weld: Weld,
    /// Drop repeated corners, holes and faces of fewer than three vertices, and exactly collinear
    /// faces unless they join other faces.
    pub drop_degenerate: bool,
    /// Drop faces with the same vertices as an earlier one, in either direction, unless both are
    /// needed as the two sides of a wall.
    pub drop_duplicates: bool,
    /// Give each surface its own copy of edges and vertices at which several meet.
    pub split_non_manifold: bool,
    /// Orient neighbouring faces consistently, and closed surfaces outward.
    pub orient: bool,
    /// Cut all faces into triangles (see [`Triangulation`](crate::Triangulation)).
    pub triangulate: bool,
    /// Drop unused vertices.
    pub drop_unused: bool,
}

/// Which vertices [`repair`] merges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Weld {
    /// Those with the same number only.
    Off,
    /// Those with equal coordinates, −0 and 0 being equal.
    #[default]
    Equal,
    /// Those in the same cell of a grid of cubes of this size, in the mesh's unit. They *move* to the
    /// position of the first one. Close vertices in different cells stay apart. A size that is not a
    /// positive number means `Equal`.
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

/// A repaired mesh, the report, and the origin of its elements.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Repaired {
    /// The repaired mesh. Remaining faces and vertices keep their order.
    pub mesh: PolygonMesh,
    /// Changes made, and defects that remain.
    pub report: RepairReport,
    /// For each vertex of the new mesh, the old vertex that it copies.
    pub vertex_origin: Vec<VertexId>,
    /// For each face of the new mesh, the old face that it is part of.
    pub face_origin: Vec<FaceId>,
}

/// Repairs a mesh according to the options. Takes O(n log n) steps for n corners, plus one pass over
/// the surrounding surfaces for each closed surface that is inside out or inconsistent.
///
/// **Dropping.** A collinear face stays if it shares at least two edges with other faces, because
/// dropping it would separate them. Two faces with the same vertices stay if, counting duplicates
/// once, one of their edges has three faces: they are then the wall between two parts. Both are
/// listed in [`RepairReport::defects`].
///
/// **Splitting.** At an edge with more than two faces, faces are paired: first those that the file
/// joins by vertex numbers; then, going around the edge, two with the inside between them; then the
/// flattest. The faces around a vertex fall into fans connected by pairs, and each fan gets its own
/// copy of the vertex. If both ends of an edge are connected otherwise, the edge remains as a defect.
///
/// **Orienting.** Neighbours are oriented consistently in each connected surface. A surface that cannot
/// be oriented (a Möbius strip) stays unchanged and is reported. Otherwise
/// - a closed surface that is inside no other is turned outward (positive volume);
/// - a closed surface inside others keeps its orientation relative to the outermost one if it was
///   consistent, so that cavities and parts stay what they are; otherwise its nesting depth decides:
///   cavity, part, cavity, …;
/// - an open surface takes the orientation that turns fewer faces.
///
/// A closed surface whose volume is not distinguishable from zero is treated as open.
///
/// ```
/// use xcollide_brep::{PolygonMesh, RepairOptions, repair};
///
/// // Two triangles, each with its own vertices.
/// let (a, b, c, d) = ([0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]);
/// let soup = PolygonMesh::from_polygons(vec![a, b, c, d, a, c], [[0, 1, 2], [3, 4, 5]])?;
/// let options = RepairOptions { orient: false, ..RepairOptions::default() };
/// let repaired = repair(&soup, &options);
/// assert_eq!(repaired.mesh.vertex_count(), 4);
/// assert_eq!(repaired.report.to_string(), "2 vertices welded");
/// # Ok::<(), xcollide_brep::MeshError>(())
/// ```
#[must_use]
pub fn repair(mesh: &PolygonMesh, options: &RepairOptions) -> Repaired {
    let repaired = repair_polygons(mesh, options);
    if options.triangulate { triangulated(repaired, options) } else { repaired }
}

/// All steps but the triangulation, repeated until nothing changes.
fn repair_polygons(mesh: &PolygonMesh, options: &RepairOptions) -> Repaired {
    /// An upper bound, far above what any test needs.
    const ROUNDS: usize = 16;
    let (mut repaired, mut may_change) = repair_once(mesh, options);
    for _ in 0..ROUNDS {
        if !may_change {
            break;
        }
        let next;
        (next, may_change) = repair_once(&repaired.mesh, options);
        if next.report.changes.is_empty() {
            break;
        }
        repaired = repaired.followed_by(next, |change| change);
    }
    repaired
}

/// Each step once; and whether a repair of the result may change more.
///
/// Splitting depends on the vertex numbers, which it and welding change. So it may, if a vertex was split, or an edge has
/// more than two faces, which are paired by those numbers.
fn repair_once(mesh: &PolygonMesh, options: &RepairOptions) -> (Repaired, bool) {
    let mut report = RepairReport::default();
    let mut cycles = Cycles::new(mesh, places(mesh, options.weld));
    if options.drop_degenerate {
        drop_faces::collapse(&mut cycles, &mut report);
    }
    drop_faces::drop_faces(&mut cycles, options, &mut report);
    let PairedSides { mates, has_branches } =
        split_non_manifold::pair_sides(&cycles, options.split_non_manifold);
    let turned = if options.orient {
        orient::orient(&cycles, &mates, &mut report)
    } else {
        vec![false; mesh.face_count()]
    };
    let vertices = split_non_manifold::vertices(&cycles, &mates, options, &mut report);
    let is_split = report.changes.iter().any(|change| matches!(change, Change::VertexSplit { .. }));
    let may_change = options.split_non_manifold && (has_branches || is_split);
    (cycles.into_repaired(&vertices, &turned, report), may_change)
}

/// Cuts a repaired mesh into triangles, and drops redundant ones.
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
    /// Combines this repair with `next`, a repair of its result. `translate` is applied to the changes
    /// of `next`.
    fn followed_by(self, next: Self, translate: impl Fn(Change) -> Change) -> Self {
        let face = |face: FaceId| self.face_origin[face.index()];
        let vertex = |vertex: VertexId| self.vertex_origin[vertex.index()];
        let mut changes = self.report.changes;
        changes.extend(next.report.changes.iter().map(|&c| translate(c).renumbered(face, vertex)));
        let defects = next.report.defects.iter().map(|d| d.renumbered(face, vertex)).collect();
        Self {
            // `next` reports the defects left by the first repair again.
            report: RepairReport { changes, defects },
            vertex_origin: next.vertex_origin.iter().map(|&v| vertex(v)).collect(),
            face_origin: next.face_origin.iter().map(|&f| face(f)).collect(),
            mesh: next.mesh,
        }
    }
}
