//! The output for an answer, as JSON or text.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::{Value, json};
use xcollide::brep::FaceId;
use xcollide::convex::Bias;
use xcollide::narrow::{Contact, Feature, Kind, Reason, Separation, Verdict};

use super::trial::Answer;
use crate::output::{Object, count, finite, finite_point, optional, time};
use crate::witness::{WitnessRecord, meeting, point};

/// An answer and the number of its query, as a JSON object. Keys that do not apply are left out.
pub(super) struct CheckRecord<'a> {
    pub(super) query: u64,
    pub(super) answer: &'a Answer,
}

impl Serialize for CheckRecord<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { query, answer } = self;
        let contacts = &answer.contacts;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("query", query)?;
        map.serialize_entry("algorithm", answer.algorithm)?;
        map.serialize_entry("verdict", answer.outcome().name())?;
        optional(&mut map, "witness", witness(answer))?;
        optional(&mut map, "separation", separation(answer))?;
        optional(&mut map, "distance", answer.distance.and_then(|found| finite(found.value)))?;
        let bounds = answer.distance_bounds.map(|found| {
            Object(vec![
                ("at_least", json!(found.at_least)),
                ("at_most", json!(found.nearest.value)),
                ("parts_left", json!(found.parts_left)),
            ])
        });
        optional(&mut map, "distance_bounds", bounds)?;
        let nearest = answer.distance.or(answer.distance_bounds.map(|found| found.nearest));
        let nearest = nearest.and_then(|found| {
            let [a, b] = found.points.map(finite_point);
            Some([a?, b?])
        });
        optional(&mut map, "nearest", nearest)?;
        optional(&mut map, "kind", answer.kind.map(Kind::name))?;
        let inner = answer.kind.and_then(|kind| match kind {
            Kind::Enclosed => Some("a"),
            Kind::Enclosing => Some("b"),
            _ => None,
        });
        optional(&mut map, "inner", inner)?;
        let depth = answer.depth.map(|depth| {
            Object(vec![
                ("at_least", json!(depth.at_least)),
                ("at_most", json!(depth.at_most)),
                ("direction", json!(depth.direction)),
            ])
        });
        optional(&mut map, "depth", depth)?;
        let volume = answer.volume.map(|volume| {
            Object(vec![("at_least", json!(volume.at_least)), ("at_most", json!(volume.at_most))])
        });
        optional(&mut map, "volume", volume)?;
        let numbers = |pairs: &Vec<(FaceId, FaceId)>| -> Vec<_> {
            pairs.iter().map(|(a, b)| (a.0, b.0)).collect()
        };
        optional(&mut map, "contacts", contacts.pairs.as_ref().map(numbers))?;
        let segments = contacts.overlaps.as_ref();
        let segments = segments.map(|all| all.iter().map(Segment::from).collect::<Vec<_>>());
        optional(&mut map, "segments", segments)?;
        optional(&mut map, "count", contacts.count)?;
        if let Verdict::Undecided(reason) = &answer.verdict {
            optional(&mut map, "at_most", reason.at_most().and_then(finite))?;
            optional(&mut map, "parts_left", reason.parts_left())?;
        }
        map.serialize_entry("ns", &answer.nanoseconds)?;
        let stats = answer.stats.map(|stats| {
            Object(vec![
                ("volume_tests", stats.volume_tests),
                ("primitive_tests", stats.primitive_tests),
                ("probes", stats.probes),
                ("fallbacks", stats.fallbacks),
                ("handed_over", stats.handed_over),
            ])
        });
        optional(&mut map, "stats", stats)?;
        map.end()
    }
}

/// What two triangles, one of each of two faces, have in common: one point, the two ends of a
/// segment, or the corners of a polygon.
#[derive(Serialize)]
struct Segment {
    faces: [u32; 2],
    points: Vec<[f64; 3]>,
}

impl From<&Contact> for Segment {
    fn from(contact: &Contact) -> Self {
        let points = contact.overlap.corners().iter().copied().filter_map(finite_point);
        Self { faces: contact.faces.map(|face| face.0), points: points.collect() }
    }
}

/// Where the two meet; with a tolerance, the midpoint of two near faces.
fn witness(answer: &Answer) -> Option<WitnessRecord> {
    let ([a, b], point) = match (&answer.verdict, &answer.near) {
        (Verdict::Collides(witness), _) => ([witness.a, witness.b], witness.point),
        (_, Some((_, near))) => {
            let features = near.faces.map_or([Feature::Body; 2], |faces| faces.map(Feature::Face));
            (features, halfway(near.points))
        }
        _ => return None,
    };
    Some(WitnessRecord::new(a, b, point))
}

/// The plane `normal · x = offset` that separates the two, if there is one and the outcome is not a
/// collision.
fn separation(answer: &Answer) -> Option<Object<Value>> {
    match &answer.verdict {
        Verdict::Apart(Separation::Plane(plane)) if answer.near.is_none() => {
            let (normal, offset) = (finite_point(plane.normal)?, finite(plane.offset)?);
            Some(Object(vec![("normal", json!(normal)), ("offset", json!(offset))]))
        }
        _ => None,
    }
}

fn halfway([p, q]: [[f64; 3]; 2]) -> [f64; 3] {
    [0, 1, 2].map(|axis| 0.5 * p[axis] + 0.5 * q[axis])
}

impl Answer {
    /// The answer as text, with the number of the query if there are many.
    pub(super) fn in_words(&self, query: Option<u64>) -> String {
        let mut text = query.map(|query| format!("query {query}: ")).unwrap_or_default();
        text += &format!("{}: {}", self.outcome().name(), self.reason());
        text += &format!(" [{}, {}]", self.algorithm, time(self.nanoseconds));
        if let Some(distance) = &self.distance {
            let [p, q] = distance.points.map(point);
            text += &format!("\n  distance {:?}, from {p} of A to {q} of B", distance.value);
        }
        if let Some(found) = &self.distance_bounds {
            let (left, [p, q]) = (found.parts_left as usize, found.nearest.points.map(point));
            text += &format!(
                "\n  distance {:?} to {:?} when the budget was used up, with {} left to search; from {p} of A to {q} of B",
                found.at_least,
                found.nearest.value,
                count(left, "part", "parts"),
            );
        }
        if let Some(kind) = self.kind {
            text += match kind {
                Kind::Enclosed => "\n  B encloses A",
                Kind::Enclosing => "\n  A encloses B",
                _ => "\n  they are ",
            };
            if !matches!(kind, Kind::Enclosed | Kind::Enclosing) {
                text += kind.name();
            }
        }
        if let Some(depth) = &self.depth {
            let (at_least, at_most, way) = (depth.at_least, depth.at_most, point(depth.direction));
            text += &format!("\n  depth {at_least:?} to {at_most:?}; A leaves along {way}");
        }
        if let Some(volume) = &self.volume {
            let (at_least, at_most) = (volume.at_least, volume.at_most);
            text += &format!("\n  volume in common {at_least:?} to {at_most:?}");
        }
        let meet = |pairs| count(pairs, "pair of faces meets", "pairs of faces meet");
        if let Some(pairs) = &self.contacts.pairs {
            text += &format!("\n  {}", meet(pairs.len()));
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
            text += &format!("\n  {}", meet(pairs));
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
            if stats.handed_over > 0 {
                text += ", left to GJK";
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
            Verdict::Collides(witness) => meeting(witness),
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
            Verdict::Undecided(Reason::MayTouch(near)) => format!(
                "the boxes of two faces overlap; A and B are at most {:?} apart",
                near.at_most
            ),
            Verdict::Undecided(Reason::Unfinished { near, parts }) => format!(
                "the budget was used up with {} left to search; A and B are at most {:?} apart",
                count(*parts as usize, "part", "parts"),
                near.at_most
            ),
            Verdict::Undecided(Reason::TooClose) => "rounding hides whether they touch".to_owned(),
            Verdict::Undecided(_) => "the algorithm does not say".to_owned(),
        }
    }
}
