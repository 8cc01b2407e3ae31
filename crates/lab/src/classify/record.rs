//! The output for a mesh, as JSON or text.

use std::collections::BTreeMap;
use std::fmt::Display;

use serde::Serialize;
use xcollide::brep::{
    Brep, Change, Defect, EdgeId, MassError, MassProperties, RepairReport, Topology,
};
use xcollide::registry::{self, Kind};

use crate::output::{count, finite, time};

/// The JSON object of a mesh. Keys that do not apply are left out.
#[derive(Clone, Debug, Serialize)]
pub struct ClassifyRecord {
    file: String,
    vertices: usize,
    faces: usize,
    edges: usize,
    components: usize,
    boundary_edges: usize,
    nonmanifold_edges: usize,
    nonmanifold_vertices: usize,
    degenerate_faces: usize,
    duplicate_faces: usize,
    euler_characteristic: i64,
    closed: bool,
    manifold: bool,
    oriented: bool,
    planar_faces: bool,
    convex_faces: bool,
    convex: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    volume: Option<f64>,
    algorithms: Vec<&'static str>,
    /// The repairs, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repairs: Option<Repairs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<StatsRecord>,
}

#[derive(Clone, Debug, Serialize)]
struct StatsRecord {
    read_ns: u64,
    build_ns: u64,
    bytes: usize,
}

/// Counts of changes and remaining defects of a repair; zero counts are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Repairs {
    #[serde(flatten)]
    changes: BTreeMap<&'static str, usize>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    left: BTreeMap<&'static str, usize>,
}

impl Repairs {
    /// Counts the entries of a report.
    #[must_use]
    pub fn of(report: &RepairReport) -> Self {
        let mut repairs = Self::default();
        for change in &report.changes {
            let (key, number) = match *change {
                Change::VertexWelded { .. } => ("vertices_welded", 1),
                Change::VertexSplit { .. } => ("vertices_split", 1),
                Change::VertexDropped { .. } => ("vertices_dropped", 1),
                Change::CornersDropped { corners, .. } => ("corners_dropped", corners as usize),
                Change::HolesDropped { holes, .. } => ("holes_dropped", holes as usize),
                Change::FaceDropped { .. } => ("degenerate_faces_dropped", 1),
                Change::DuplicateDropped { .. } => ("duplicate_faces_dropped", 1),
                Change::FaceTurned { .. } => ("faces_turned", 1),
                Change::FaceTriangulated { .. } => ("faces_triangulated", 1),
                Change::TriangleDropped { .. } => ("triangles_dropped", 1),
                _ => ("other", 1),
            };
            *repairs.changes.entry(key).or_default() += number;
        }
        for defect in &report.defects {
            let key = match defect {
                Defect::NotOrientable { .. } => "not_orientable_edges",
                Defect::NonManifoldEdge { .. } => "nonmanifold_edges",
                Defect::CollinearKept { .. } => "degenerate_faces",
                Defect::DuplicateKept { .. } => "duplicate_faces",
                _ => "other",
            };
            *repairs.left.entry(key).or_default() += 1;
        }
        repairs
    }
}

impl ClassifyRecord {
    /// The record of a mesh.
    #[must_use]
    pub fn new(file: &str, brep: &Brep) -> Self {
        let found = brep.classification();
        let topology = brep.topology();
        let has = |flags| topology.contains(flags);
        Self {
            file: file.to_owned(),
            vertices: found.vertices,
            faces: found.faces,
            edges: found.edges,
            components: found.components,
            boundary_edges: found.boundary_edges.len(),
            nonmanifold_edges: found.nonmanifold_edges.len(),
            nonmanifold_vertices: found.nonmanifold_vertices.len(),
            degenerate_faces: found.degenerate_faces.len(),
            duplicate_faces: found.duplicate_faces.len(),
            euler_characteristic: found.euler_characteristic,
            closed: has(Topology::CLOSED),
            manifold: has(Topology::MANIFOLD),
            oriented: has(Topology::ORIENTED),
            planar_faces: has(Topology::PLANAR_FACES),
            convex_faces: has(Topology::CONVEX_FACES),
            convex: has(Topology::CONVEX),
            volume: volume(brep),
            algorithms: registry::of_kind(Kind::Narrow)
                // `auto` only chooses among the others.
                .filter(|entry| entry.name != "auto")
                .filter_map(registry::Entry::narrow_phase)
                .filter(|algorithm| algorithm.accepts(topology, topology))
                .map(|algorithm| algorithm.name())
                .collect(),
            repairs: None,
            stats: None,
        }
    }

    /// Adds the cost of reading and building.
    pub fn count(&mut self, read_ns: u64, build_ns: u64, brep: &Brep) {
        let bytes = brep.mesh().heap_bytes() + brep.dcel().heap_bytes();
        self.stats = Some(StatsRecord { read_ns, build_ns, bytes });
    }

    /// The record as text, with the first elements that violate each property.
    #[must_use]
    pub fn in_words(&self, brep: &Brep) -> String {
        let found = brep.classification();
        let edges = |ids: &[EdgeId]| -> Vec<String> {
            let ends = |&edge: &EdgeId| brep.dcel().ends(edge);
            ids.iter().take(SHOWN).map(ends).map(|[s, t]| format!("{s}–{t}")).collect()
        };
        let mut text = format!("{}: {}", self.file, self.properties());
        let mut line = |what: String| {
            text.push_str("\n  ");
            text.push_str(&what);
        };
        line(format!(
            "{}, {}, {}, {}, Euler characteristic {}",
            count(self.vertices, "vertex", "vertices"),
            count(self.edges, "edge", "edges"),
            count(self.faces, "face", "faces"),
            count(self.components, "piece", "pieces"),
            self.euler_characteristic,
        ));
        let misoriented: Vec<EdgeId> =
            found.misoriented_edges.iter().map(|conflict| conflict.edge).collect();
        for (ids, one, many) in [
            (&found.boundary_edges, "boundary edge", "boundary edges"),
            (&found.nonmanifold_edges, "non-manifold edge", "non-manifold edges"),
            (
                &misoriented,
                "edge run the same way by its faces",
                "edges run the same way by their faces",
            ),
            (&found.reflex_edges, "edge that bends inwards", "edges that bend inwards"),
            (
                &found.degenerate_edges,
                "edge from a vertex to itself",
                "edges from a vertex to itself",
            ),
        ] {
            offending(&mut line, ids.len(), [one, many], &edges(ids));
        }
        for (ids, one, many) in [
            (&found.nonmanifold_vertices, "non-manifold vertex", "non-manifold vertices"),
            (&found.unused_vertices, "unused vertex", "unused vertices"),
        ] {
            offending(&mut line, ids.len(), [one, many], &first(ids));
        }
        let duplicates: Vec<_> = found.duplicate_faces.iter().map(|found| found.face).collect();
        for (ids, one, many) in [
            (&found.degenerate_faces, "face without area", "faces without area"),
            (&duplicates, "duplicate face", "duplicate faces"),
            (&found.nonplanar_faces, "non-planar face", "non-planar faces"),
            (&found.nonconvex_faces, "non-convex face", "non-convex faces"),
        ] {
            offending(&mut line, ids.len(), [one, many], &first(ids));
        }
        if !found.is_exactly_planar() {
            line(format!(
                "corners miss the planes of their faces by up to {:.1e} of the face",
                found.planarity_deviation
            ));
        }
        if let Some(volume) = self.volume {
            line(format!("volume {volume:?}"));
        }
        line(format!("algorithms: {}", self.algorithms.join(", ")));
        if let Some(stats) = &self.stats {
            let (read, built) = (time(stats.read_ns), time(stats.build_ns));
            line(format!("read in {read}, classified in {built}, {} bytes", stats.bytes));
        }
        text
    }

    fn properties(&self) -> String {
        let word = |holds: bool, yes: &'static str, no: &'static str| if holds { yes } else { no };
        [
            word(self.closed, "closed", "open"),
            word(self.manifold, "manifold", "non-manifold"),
            word(self.oriented, "oriented", "not oriented"),
            word(self.planar_faces, "planar faces", "non-planar faces"),
            word(self.convex_faces, "convex faces", "non-convex faces"),
            word(self.convex, "convex", "not convex"),
        ]
        .join(", ")
    }
}

/// Most elements listed.
const SHOWN: usize = 8;

fn first(ids: &[impl Display]) -> Vec<String> {
    ids.iter().take(SHOWN).map(ToString::to_string).collect()
}

/// A line about elements, if any: their number and the first of them.
fn offending(
    line: &mut impl FnMut(String),
    number: usize,
    [one, many]: [&str; 2],
    first: &[String],
) {
    if number > 0 {
        let more = if number > first.len() { " …" } else { "" };
        line(format!("{}: {}{more}", count(number, one, many), first.join(" ")));
    }
}

/// The volume of a closed mesh; `None` if its faces are not oriented alike.
fn volume(brep: &Brep) -> Option<f64> {
    if !brep.topology().contains(Topology::CLOSED) {
        return None;
    }
    match MassProperties::of(brep.mesh()) {
        Ok(mass) => finite(mass.volume),
        Err(MassError::NoVolume) => Some(0.0),
        Err(_) => None,
    }
}
