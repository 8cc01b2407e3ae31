//! The output for an answer, as JSON or text.

use serde::Serialize;
use xcollide::convex::Bias;
use xcollide::narrow::{Contact, Feature, Reason, Separation, Verdict};

use super::trial::Answer;
use crate::output::{count, finite, finite_point, time};

/// The JSON object of an answer. Keys that do not apply are left out.
#[derive(Clone, Debug, Serialize)]
pub struct CheckRecord {
    query: u64,
    algorithm: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    witness: Option<WitnessRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    separation: Option<PlaneRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<Vec<(u32, u32)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segments: Option<Vec<SegmentRecord>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<StatsRecord>,
}

/// Where the two meet; with a tolerance, the midpoint of two near faces.
#[derive(Clone, Debug, Serialize)]
struct WitnessRecord {
    a: FeatureRecord,
    b: FeatureRecord,
    #[serde(skip_serializing_if = "Option::is_none")]
    point: Option<[f64; 3]>,
}

/// `{"face":12}`; an edge of a face `{"face":12,"edge":[3,4]}`; `{"vertex":7}`; `{"body":true}`.
#[derive(Clone, Debug, Default, Serialize)]
struct FeatureRecord {
    #[serde(skip_serializing_if = "Option::is_none")]
    face: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edge: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vertex: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<bool>,
}

/// `normal · x = offset`.
#[derive(Clone, Debug, Serialize)]
struct PlaneRecord {
    normal: [f64; 3],
    offset: f64,
}

/// What two triangles, one of each of two faces, have in common: one point, the two ends of a
/// segment, or the corners of a polygon.
#[derive(Clone, Debug, Serialize)]
struct SegmentRecord {
    faces: [u32; 2],
    points: Vec<[f64; 3]>,
}

#[derive(Clone, Debug, Serialize)]
struct StatsRecord {
    volume_tests: u64,
    primitive_tests: u64,
    /// Directions searched by convex algorithms.
    probes: u64,
    /// How often floating point proved nothing, so that the exact triangle test decided.
    fallbacks: u64,
}

impl CheckRecord {
    /// The record of an answer to query number `query`.
    #[must_use]
    pub fn new(query: u64, answer: &Answer) -> Self {
        Self {
            query,
            algorithm: answer.algorithm,
            verdict: answer.outcome().name(),
            witness: WitnessRecord::of(answer),
            separation: PlaneRecord::of(answer),
            distance: answer.distance.and_then(|distance| finite(distance.value)),
            contacts: answer
                .contacts
                .pairs
                .as_ref()
                .map(|pairs| pairs.iter().map(|(a, b)| (a.0, b.0)).collect()),
            segments: answer
                .contacts
                .overlaps
                .as_ref()
                .map(|contacts| contacts.iter().map(SegmentRecord::from).collect()),
            count: answer.contacts.count,
            ns: answer.nanoseconds,
            stats: answer.stats.map(|stats| StatsRecord {
                volume_tests: stats.volume_tests,
                primitive_tests: stats.primitive_tests,
                probes: stats.probes,
                fallbacks: stats.fallbacks,
            }),
        }
    }
}

impl WitnessRecord {
    fn of(answer: &Answer) -> Option<Self> {
        if let Verdict::Collides(witness) = &answer.verdict {
            return Some(Self {
                a: witness.a.into(),
                b: witness.b.into(),
                point: finite_point(witness.point),
            });
        }
        let (_, near) = answer.near.as_ref()?;
        let [a, b] = match near.faces {
            Some(faces) => faces.map(|face| Feature::Face(face).into()),
            None => [Feature::Body; 2].map(FeatureRecord::from),
        };
        Some(Self { a, b, point: finite_point(halfway(near.points)) })
    }
}

impl From<&Contact> for SegmentRecord {
    fn from(contact: &Contact) -> Self {
        let points = contact.overlap.corners().iter().copied().filter_map(finite_point);
        Self { faces: contact.faces.map(|face| face.0), points: points.collect() }
    }
}

impl From<Feature> for FeatureRecord {
    fn from(feature: Feature) -> Self {
        let none = Self::default();
        match feature {
            Feature::Face(face) => Self { face: Some(face.0), ..none },
            Feature::Edge { face, ends } => {
                Self { face: Some(face.0), edge: Some(ends.map(|end| end.0)), ..none }
            }
            Feature::Vertex(vertex) => Self { vertex: Some(vertex.0), ..none },
            Feature::Body => Self { body: Some(true), ..none },
            _ => none,
        }
    }
}

impl PlaneRecord {
    /// The separating plane, if there is one and the outcome is not a collision.
    fn of(answer: &Answer) -> Option<Self> {
        match &answer.verdict {
            Verdict::Apart(Separation::Plane(plane)) if answer.near.is_none() => {
                let (normal, offset) = (finite_point(plane.normal)?, finite(plane.offset)?);
                Some(Self { normal, offset })
            }
            _ => None,
        }
    }
}

fn halfway([p, q]: [[f64; 3]; 2]) -> [f64; 3] {
    [0, 1, 2].map(|axis| 0.5 * p[axis] + 0.5 * q[axis])
}

impl Answer {
    /// The answer as text, with the number of the query if there are many.
    #[must_use]
    pub fn in_words(&self, query: Option<u64>) -> String {
        let mut text = query.map(|query| format!("query {query}: ")).unwrap_or_default();
        text += &format!("{}: {}", self.outcome().name(), self.reason());
        text += &format!(" [{}, {}]", self.algorithm, time(self.nanoseconds));
        if let Some(distance) = &self.distance {
            let [p, q] = distance.points.map(point);
            text += &format!("\n  distance {:?}, from {p} of A to {q} of B", distance.value);
        }
        let meeting = |pairs| count(pairs, "pair of faces meets", "pairs of faces meet");
        if let Some(pairs) = &self.contacts.pairs {
            text += &format!("\n  {}", meeting(pairs.len()));
            if self.contacts.overlaps.is_none() && !pairs.is_empty() {
                let listed: String = pairs.iter().map(|(a, b)| format!(" {a}–{b}")).collect();
                text += &format!(":{listed}");
            }
        }
        for contact in self.contacts.overlaps.iter().flatten() {
            let [a, b] = contact.faces;
            let corners: Vec<String> =
                contact.overlap.corners().iter().copied().map(point).collect();
            text += &match &corners[..] {
                [at] => format!("\n  {a}–{b} at {at}"),
                [from, to] => format!("\n  {a}–{b} from {from} to {to}"),
                corners => format!("\n  {a}–{b} over {}", corners.join(", ")),
            };
        }
        if let Some(pairs) = self.contacts.count {
            text += &format!("\n  {}", meeting(pairs));
        }
        if let Some(stats) = &self.stats {
            text += &format!(
                "\n  {}, {}, {} moved",
                count(stats.volume_tests as usize, "volume test", "volume tests"),
                count(stats.primitive_tests as usize, "primitive test", "primitive tests"),
                count(stats.transforms as usize, "vertex", "vertices"),
            );
            if stats.probes + stats.fallbacks > 0 {
                text += &format!(
                    ", {}, {}",
                    count(stats.probes as usize, "direction searched", "directions searched"),
                    count(stats.fallbacks as usize, "exact fallback", "exact fallbacks"),
                );
            }
        }
        text
    }

    fn reason(&self) -> String {
        if let Some((tolerance, near)) = &self.near {
            let at = point(halfway(near.points));
            let which = near.faces.map_or_else(
                || "the bodies".to_owned(),
                |[a, b]| format!("face {a} of A and face {b} of B"),
            );
            return format!("{which} are at most {tolerance:?} apart, near {at}");
        }
        match &self.verdict {
            Verdict::Collides(witness) => {
                let (a, b) = (feature(witness.a, "A"), feature(witness.b, "B"));
                let at = point(witness.point);
                match (witness.a, witness.b) {
                    (Feature::Body, Feature::Body) => format!("{a} and {b} share {at}"),
                    (Feature::Body, _) => format!("{b} lies in {a}, at {at}"),
                    (_, Feature::Body) => format!("{a} lies in {b}, at {at}"),
                    _ => format!("{a} meets {b} at {at}"),
                }
            }
            Verdict::Apart(Separation::Plane(plane)) => {
                format!("the plane {} · x = {:?} parts them", point(plane.normal), plane.offset)
            }
            Verdict::Apart(Separation::Front(front)) => {
                let groups = count(front.rectangles(), "pair", "pairs");
                format!("no plane was found, but {groups} of disjoint groups of faces cover all")
            }
            Verdict::Apart(_) => "no pair of faces meets, and no plane was found".to_owned(),
            Verdict::Undecided(Reason::OutOfTime) => "the budget was used up".to_owned(),
            Verdict::Undecided(Reason::Biased(Bias::Apart)) => {
                "no contact was found, but one may have been missed".to_owned()
            }
            Verdict::Undecided(Reason::Biased(Bias::Collides)) => {
                "no separation was found, but there may be one".to_owned()
            }
            Verdict::Undecided(_) => "the algorithm does not say".to_owned(),
        }
    }
}

fn feature(feature: Feature, of: &str) -> String {
    match feature {
        Feature::Face(face) => format!("face {face} of {of}"),
        Feature::Edge { face, ends: [start, end] } => {
            format!("edge {start}–{end} of face {face} of {of}")
        }
        Feature::Vertex(vertex) => format!("vertex {vertex} of {of}"),
        Feature::Body => format!("the body of {of}"),
        _ => of.to_owned(),
    }
}

fn point([x, y, z]: [f64; 3]) -> String {
    format!("({x:?}, {y:?}, {z:?})")
}
