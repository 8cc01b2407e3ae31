//! The output for a mesh, as JSON or text.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};
use xcollide::brep::{
    Brep, Change, Defect, EdgeId, MassError, MassProperties, RepairReport, Topology,
};
use xcollide::narrow::self_intersection::{SelfIntersections, SelfSearch, SelfVerdict};
use xcollide::narrow::{Model, PairCache, Query};
use xcollide::registry::{self, Kind};

use crate::output::{Object, count, finite, optional, time};
use crate::self_intersection::pairs_in_words;

/// The JSON object of a mesh. Keys that do not apply are left out.
pub(super) struct ClassifyRecord<'a> {
    file: String,
    brep: &'a Brep,
    /// The first pairs are kept.
    self_intersections: SelfIntersections,
    volume: Option<f64>,
    algorithms: Vec<&'static str>,
    /// The repairs, if requested.
    pub(super) repairs: Option<Repairs>,
    /// Nanoseconds of reading and building, if requested.
    pub(super) times: Option<[u64; 2]>,
}

/// Each property's key, and the words for meshes with and without it.
const PROPERTIES: [(&str, Topology, [&str; 2]); 6] = [
    ("closed", Topology::CLOSED, ["closed", "open"]),
    ("manifold", Topology::MANIFOLD, ["manifold", "non-manifold"]),
    ("oriented", Topology::ORIENTED, ["oriented", "not oriented"]),
    ("planar_faces", Topology::PLANAR_FACES, ["planar faces", "non-planar faces"]),
    ("convex_faces", Topology::CONVEX_FACES, ["convex faces", "non-convex faces"]),
    ("convex", Topology::CONVEX, ["convex", "not convex"]),
];

impl Serialize for ClassifyRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.brep.classification();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file", &self.file)?;
        for (key, count) in [
            ("vertices", found.vertices),
            ("faces", found.faces),
            ("edges", found.edges),
            ("components", found.components),
            ("boundary_edges", found.boundary_edges.len()),
            ("nonmanifold_edges", found.nonmanifold_edges.len()),
            ("nonmanifold_vertices", found.nonmanifold_vertices.len()),
            ("degenerate_faces", found.degenerate_faces.len()),
            ("duplicate_faces", found.duplicate_faces.len()),
        ] {
            map.serialize_entry(key, &count)?;
        }
        // Of a mesh that is too large for a hierarchy nothing is known, and not all if the time did not suffice.
        let SelfIntersections { count, pairs, complete, .. } = &self.self_intersections;
        optional(&mut map, "self_intersections", complete.then_some(count))?;
        optional(&mut map, "self_intersections_complete", (!complete).then_some(false))?;
        let pairs: Vec<_> = pairs.iter().map(|pair| pair.map(|face| face.0)).collect();
        optional(&mut map, "self_intersecting_faces", (*count > 0).then_some(pairs))?;
        map.serialize_entry("euler_characteristic", &found.euler_characteristic)?;
        for (key, property, _) in PROPERTIES {
            map.serialize_entry(key, &self.brep.topology().contains(property))?;
        }
        optional(&mut map, "volume", self.volume)?;
        map.serialize_entry("algorithms", &self.algorithms)?;
        optional(&mut map, "repairs", self.repairs.as_ref())?;
        let stats = self.times.map(|[read, build]| {
            let bytes = self.bytes() as u64;
            Object(vec![("read_ns", read), ("build_ns", build), ("bytes", bytes)])
        });
        optional(&mut map, "stats", stats)?;
        map.end()
    }
}

/// Counts of changes and remaining defects of a repair; zero counts are left out.
#[derive(Default, serde::Serialize)]
pub(super) struct Repairs {
    #[serde(flatten)]
    changes: BTreeMap<&'static str, usize>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    left: BTreeMap<&'static str, usize>,
}

impl Repairs {
    pub(super) fn of(report: &RepairReport) -> Self {
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

impl<'a> ClassifyRecord<'a> {
    pub(super) fn new(file: &str, model: &'a Model, budget: Option<Duration>) -> Self {
        let brep = model.brep();
        let topology = brep.topology();
        let algorithms = registry::of_kind(Kind::Narrow)
            // `auto` only chooses among the others.
            .filter(|entry| entry.name != "auto")
            .filter_map(registry::Entry::narrow_phase)
            .filter(|algorithm| algorithm.accepts(topology, topology))
            .map(|algorithm| algorithm.name());
        let search = SelfSearch::new();
        search.prepare(model);
        let mut query = Query::new();
        query.budget = budget;
        Self {
            file: file.to_owned(),
            brep,
            self_intersections: search.pairs(model, SHOWN, &query, &mut PairCache::new()),
            volume: volume(brep),
            algorithms: algorithms.collect(),
            repairs: None,
            times: None,
        }
    }

    fn bytes(&self) -> usize {
        self.brep.mesh().heap_bytes() + self.brep.dcel().heap_bytes()
    }

    /// The record as text, with the first elements that violate each property.
    pub(super) fn in_words(&self) -> String {
        let found = self.brep.classification();
        let edges = |ids: &[EdgeId]| -> Vec<String> {
            let ends = |&edge: &EdgeId| self.brep.dcel().ends(edge);
            ids.iter().take(SHOWN).map(ends).map(|[s, t]| format!("{s}–{t}")).collect()
        };
        let properties =
            PROPERTIES.map(
                |(_, property, [yes, no])| {
                    if self.brep.topology().contains(property) { yes } else { no }
                },
            );
        let mut text = format!("{}: {}", self.file, properties.join(", "));
        let mut line = |what: String| {
            text.push_str("\n  ");
            text.push_str(&what);
        };
        line(format!(
            "{}, {}, {}, {}, Euler characteristic {}",
            count(found.vertices, "vertex", "vertices"),
            count(found.edges, "edge", "edges"),
            count(found.faces, "face", "faces"),
            count(found.components, "piece", "pieces"),
            found.euler_characteristic,
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
        let SelfIntersections { verdict, count: number, pairs, complete } =
            &self.self_intersections;
        if *number > 0 {
            let at_least = if *complete { "" } else { "at least " };
            let pairs = pairs_in_words(pairs, *number);
            let number = count(*number, "pair of faces", "pairs of faces");
            line(format!("{at_least}{number} that meet in more than what they share: {pairs}"));
        } else if let SelfVerdict::Undecided(reason) = verdict {
            line(format!("whether it intersects itself is undecided: {reason:?}"));
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
        if let Some([read, built]) = self.times.map(|times| times.map(time)) {
            line(format!("read in {read}, classified in {built}, {} bytes", self.bytes()));
        }
        text
    }
}

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
