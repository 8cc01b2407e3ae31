//! The earliest contact of two models whose vertices move linearly.
//!
//! Pairs of nodes and of triangles wait in a queue, ordered by a time up to which each pair is certainly apart
//! ([`entry_time`](super::entry_time)). The first pair is opened: a node into its children, a triangle by the exact test.
//! The search ends when the first pair enters too late to matter beside the earliest contact found. So the exact test sees
//! the few pairs that might be the first to meet.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use xcollide_math::vector::sub;
use xcollide_predicates::moving::{
    ContactKind, MovingPoint, TimeInterval, TrianglePrimitives, TrianglesContact, triangles_contact,
};
use xcollide_predicates::{Point, closest_points};

use super::entry_time::entry_of_triangles;
use super::mesh_trees::{MeshTrees, Nodes};
use super::meshes_separation::MeshesSeparation;
use super::moving_mesh::MovingMesh;
use super::swept_hulls::parting_direction;
use crate::combine::Auto;
use crate::query::Deadline;
use crate::{
    Certificate, Feature, NarrowPhase, PairCache, Query, QueryError, Reason, Verdict, Witness,
};

/// When two models whose vertices move linearly first touch.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub enum MeshesVerdict {
    /// They touch.
    Collides {
        /// When first, and what touches then.
        contact: MeshesContact,
        /// The proof that they are apart before; `None` if they touch at time 0.
        apart: Option<MeshesSeparation>,
    },
    /// They are apart at all times from 0 to 1.
    Apart(MeshesSeparation),
    /// The [budget](Query::budget) was used up, or a model is too large.
    Undecided {
        /// Why.
        reason: Reason,
        /// The proof for the times for which they are known to be apart; `None` if it is not known of any.
        apart: Option<MeshesSeparation>,
    },
}

impl MeshesVerdict {
    /// The times of first contact that are left: to 1 if the answer is undecided, `None` if the models are apart.
    #[must_use]
    pub fn interval(&self) -> Option<TimeInterval> {
        match self {
            Self::Collides { contact, .. } => Some(contact.time),
            Self::Apart(_) => None,
            Self::Undecided { apart, .. } => {
                let lo = apart.as_ref().and_then(MeshesSeparation::before).unwrap_or(0.0);
                Some(TimeInterval { lo, hi: 1.0 })
            }
        }
    }
}

/// The earliest contact of two moving models.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshesContact {
    /// Contains the earliest time of contact, and the one at which the witness first touches.
    pub time: TimeInterval,
    /// The faces that touch, or what meets at time 0. The point is rounded; it is the nearest to both faces at the end of
    /// the interval.
    pub witness: Witness,
    /// The triangles that touch, and how; `None` if the models touch at time 0.
    pub triangles: Option<TrianglesInContact>,
}

/// Two triangles that begin to touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TrianglesInContact {
    /// Their numbers in the triangulations of the two models.
    pub numbers: [u32; 2],
    /// The vertex and the face, or the edges.
    pub primitives: TrianglePrimitives,
    /// The sign of the normal speed.
    pub kind: ContactKind,
}

/// When two models whose vertices move linearly first touch, in an interval not wider than `width`, or as narrow as f64
/// can be: one number, or two neighbouring ones.
///
/// Exact, for all finite coordinates: no contact is missed and none is invented, though it last but a moment, as that of
/// two edges that cross. The answer is about all real times from 0 to 1 and the exact points between the vertices at both
/// ends. At time 0 the static test decides, with the semantics of the query; a body cannot get into another later without
/// touching it. Interiors are those of the models at time 0.
///
/// With [`Query::certificate`] the proof is kept; else, or if the time does not suffice for it, [`MeshesVerdict::verify`]
/// finds it again. [`Query::budget`] ends the search as undecided.
///
/// Takes as a rule the time of a static test and some hundred pairs of boxes; at worst that of all pairs of triangles.
/// With a width of 1e-12 or more one exact test suffices, mostly; with 0 all triangles that begin to touch at the same time
/// are tested, at up to half a millisecond a pair if they are parallel. The first query of a model builds its hierarchy,
/// the one of [`proximity`](crate::proximity).
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::continuous::{MeshesVerdict, MovingMesh, meshes_contact};
/// use xcollide_narrow::{Model, Pose, Query};
///
/// // Two segments that cross in one moment.
/// let segment = |end| -> Result<Model, xcollide_brep::MeshError> {
///     Model::from_mesh(PolygonMesh::from_polygons(vec![[0.0; 3], end], [[0, 1]])?)
/// };
/// let (a, b) = (segment([4.0, 0.0, 0.0])?, segment([0.0, 4.0, 0.0])?);
/// let [start, end] = [1.0, -2.0].map(|z| Pose::from_translation([1.0, -1.0, z]));
/// let falling = MovingMesh::between(&b, &start, &end)?;
/// let at_rest = MovingMesh::resting(&a, &Pose::IDENTITY)?;
/// let verdict = meshes_contact(&falling, &at_rest, 0.0, &Query::new())?;
/// verdict.verify(&falling, &at_rest, Default::default())?;
/// // A third of the way: between two neighbouring numbers.
/// let time = verdict.interval().ok_or("apart")?;
/// assert_eq!((time.lo, time.hi), (1.0 / 3.0, (1.0_f64 / 3.0).next_up()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The width is NaN or negative.
pub fn meshes_contact(
    a: &MovingMesh,
    b: &MovingMesh,
    width: f64,
    query: &Query,
) -> Result<MeshesVerdict, QueryError> {
    if width.is_nan() || width < 0.0 {
        return Err(QueryError::Width { width });
    }
    if [a.model(), b.model()].iter().any(|model| model.formula().is_some()) {
        let (reason, apart) = (Reason::NotAccepted, None);
        return Ok(MeshesVerdict::Undecided { reason, apart });
    }
    let mut cache = PairCache::new();
    let mut deadline = Deadline::of(query, &cache);
    let start = match Auto::new().test(a.at_start()?, b.at_start()?, query, &mut cache) {
        Verdict::Collides(witness) => {
            let time = TimeInterval { lo: 0.0, hi: 0.0 };
            let contact = MeshesContact { time, witness, triangles: None };
            return Ok(MeshesVerdict::Collides { contact, apart: None });
        }
        Verdict::Undecided(reason) => return Ok(MeshesVerdict::Undecided { reason, apart: None }),
        Verdict::Apart(separation) => separation,
    };
    let found = if parting_direction([a, b]).is_some() {
        Found::Nothing
    } else {
        let Some(trees) = MeshTrees::new([a, b]) else {
            return Ok(MeshesVerdict::Undecided { reason: Reason::NotAccepted, apart: None });
        };
        Search::new([a, b], trees, width, &mut deadline).run()
    };
    let before = match &found {
        Found::Nothing => None,
        Found::Contact(contact) => Some(contact.time.lo),
        Found::OutOfTime { before } => Some(*before),
    };
    let mut apart = MeshesSeparation::new(start, before);
    if query.certificate != Certificate::Free {
        apart.certify([a, b], &mut deadline);
    }
    Ok(match found {
        Found::Nothing => MeshesVerdict::Apart(apart),
        Found::Contact(contact) => MeshesVerdict::Collides { contact, apart: Some(apart) },
        Found::OutOfTime { .. } => {
            MeshesVerdict::Undecided { reason: Reason::OutOfTime, apart: Some(apart) }
        }
    })
}

/// What waits to be opened.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Waiting {
    Nodes(Nodes),
    Triangles([u32; 2]),
}

/// What is apart until a time.
#[derive(PartialEq, Eq)]
struct Entry {
    /// Times are not negative, so their bits are in order.
    bits: u64,
    serial: u32,
    waiting: Waiting,
}

impl Ord for Entry {
    /// The least time is the greatest; of equal ones the newest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.bits.cmp(&self.bits).then(self.serial.cmp(&other.serial))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What the search found.
enum Found {
    Nothing,
    Contact(MeshesContact),
    OutOfTime { before: f64 },
}

struct Search<'a, 'd> {
    meshes: [&'a MovingMesh; 2],
    trees: MeshTrees<'a>,
    width: f64,
    deadline: &'d mut Deadline,
    queue: BinaryHeap<Entry>,
    serial: u32,
    /// Memory for what is below a pair of nodes.
    below: Vec<(Nodes, f64)>,
    earliest: Option<(TrianglesContact, [u32; 2])>,
    /// Pairs that enter from this time on do not matter: an interval from there to the end of the earliest contact is not
    /// wider than asked for, or they do not meet before that contact.
    end: f64,
    /// The least entry time of the pairs that were left out.
    least_left_out: f64,
}

impl<'a, 'd> Search<'a, 'd> {
    fn new(
        meshes: [&'a MovingMesh; 2],
        trees: MeshTrees<'a>,
        width: f64,
        deadline: &'d mut Deadline,
    ) -> Self {
        Self {
            meshes,
            trees,
            width,
            deadline,
            queue: BinaryHeap::new(),
            serial: 0,
            below: Vec::new(),
            earliest: None,
            end: 1.0_f64.next_up(),
            least_left_out: f64::INFINITY,
        }
    }

    fn run(mut self) -> Found {
        if let Some((root, entry)) = self.trees.root() {
            self.wait(Waiting::Nodes(root), entry);
        }
        // What is not opened enters from then on.
        let mut rest = f64::INFINITY;
        while let Some(Entry { bits, waiting, .. }) = self.queue.pop() {
            let entry = f64::from_bits(bits);
            if entry >= self.end {
                rest = entry;
                break;
            }
            if self.deadline.passed() {
                let before = self.earliest.map_or(entry, |(known, _)| entry.min(known.time.lo));
                return Found::OutOfTime { before };
            }
            match waiting {
                Waiting::Nodes(pair) => self.open(pair, entry),
                Waiting::Triangles(numbers) => self.test(numbers),
            }
        }
        match self.earliest {
            Some((mut contact, numbers)) => {
                contact.time.lo = contact.time.lo.min(rest.min(self.least_left_out));
                Found::Contact(self.witness(&contact, numbers))
            }
            None => Found::Nothing,
        }
    }

    fn wait(&mut self, waiting: Waiting, entry: f64) {
        if entry < self.end {
            self.serial = self.serial.wrapping_add(1);
            self.queue.push(Entry { bits: entry.to_bits(), serial: self.serial, waiting });
        } else {
            self.least_left_out = self.least_left_out.min(entry);
        }
    }

    /// What holds of a pair of nodes until `before` holds of those below.
    fn open(&mut self, nodes: Nodes, before: f64) {
        let mut below = std::mem::take(&mut self.below);
        let triangles = self.trees.open(nodes, self.end, &mut below);
        for (nodes, entry) in below.drain(..) {
            self.wait(Waiting::Nodes(nodes), entry.max(before));
        }
        self.below = below;
        let Some([of_a, of_b]) = triangles else { return };
        for &s in of_a {
            let first = self.meshes[0].triangle(s);
            for &t in of_b {
                let second = self.meshes[1].triangle(t);
                let (_, entry) = entry_of_triangles(&first, &second, self.end);
                self.wait(Waiting::Triangles([s, t]), entry.max(before));
            }
        }
    }

    /// The exact test, which may bring the end forward.
    fn test(&mut self, numbers: [u32; 2]) {
        let [first, second] = self.triangles(numbers);
        let Some(found) = triangles_contact(&first, &second, self.width) else { return };
        let (mut earliest, mut numbers) = (found, numbers);
        if let Some((known, of_known)) = self.earliest {
            if known.time.hi <= found.time.hi {
                (earliest, numbers) = (known, of_known);
            }
            earliest.time.lo = known.time.lo.min(found.time.lo);
        }
        self.earliest = Some((earliest, numbers));
        let TimeInterval { lo, hi } = earliest.time;
        let widest = hi - self.width;
        let widest = if hi - widest > self.width { widest.next_up() } else { widest };
        self.end = lo.min(widest);
    }

    fn triangles(&self, [s, t]: [u32; 2]) -> [[MovingPoint; 3]; 2] {
        [self.meshes[0].triangle(s), self.meshes[1].triangle(t)]
    }

    fn witness(&self, contact: &TrianglesContact, numbers: [u32; 2]) -> MeshesContact {
        let face = |k: usize| {
            Feature::Face(self.meshes[k].model().triangulation().face_of(numbers[k] as usize))
        };
        let [first, second] =
            self.triangles(numbers).map(|triangle| triangle_at(&triangle, contact.time.hi));
        let witness = Witness { a: face(0), b: face(1), point: closest_points(&first, &second).a };
        let in_contact = |(primitives, kind)| TrianglesInContact { numbers, primitives, kind };
        MeshesContact { time: contact.time, witness, triangles: contact.primitives.map(in_contact) }
    }
}

/// Where the corners of a triangle are at a time, rounded.
pub(super) fn triangle_at(triangle: &[MovingPoint; 3], time: f64) -> [Point; 3] {
    triangle.map(|MovingPoint { start, end }| {
        // Exact at both ends.
        if time == 1.0 {
            return end;
        }
        let step = sub(end, start);
        [0, 1, 2].map(|k| start[k] + time * step[k])
    })
}
