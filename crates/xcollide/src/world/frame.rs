//! The result of a check.

use std::time::Duration;

use super::{ObjectId, ObjectPair};
use crate::bounds::Aabb;
use crate::broad::Stats as BroadStats;
use crate::convex::Penetration;
use crate::narrow::continuous::{TimeInterval, TrianglesInContact};
use crate::narrow::proximity::{BoundedDistance, Distance, Nearness};
use crate::narrow::{Contact, Kind, Manifold, Reason, Stats, Witness};

/// The result of one [`check`](super::World::check). Each list is ordered by pair without repetition, and
/// the same for any number of threads. `began` and `persisting` together are all current collisions.
/// [`check_into`](super::World::check_into) reuses the memory of a frame.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Frame {
    /// The number of the check, from 0.
    pub number: u64,
    /// The application's frame at the check, if the application [numbers its
    /// frames](super::Concurrent::next_frame).
    pub application: u64,
    /// Pairs that collide and did not in the last check.
    pub began: Vec<Collision>,
    /// Pairs that collide and did in the last check.
    pub persisting: Vec<Collision>,
    /// Pairs that no longer collide.
    pub ended: Vec<Ended>,
    /// Pairs with [`Ask::Kind`](crate::interest::Ask::Kind) that collided at the last check and still do, in another way.
    pub kind_changes: Vec<KindChange>,
    /// Distances of pairs with [`Ask::Distance`](crate::interest::Ask::Distance) up to its limit; 0
    /// for colliding pairs.
    pub distances: Vec<(ObjectPair, Distance)>,
    /// Such pairs, apart, whose distance the [budget](crate::narrow::Query::budget) ended: what was known then, if it may be up to
    /// the limit. They are not in `distances`; the next check measures them again.
    #[cfg_attr(feature = "serde", serde(default))]
    pub bounded_distances: Vec<(ObjectPair, BoundedDistance)>,
    /// Penetration depths of colliding pairs with [`Ask::Depth`](crate::interest::Ask::Depth). Pairs are left out that have
    /// none: with an open model, or too large for bounds. Of objects in [motion](super::World::set_motion) those at the
    /// end of the check.
    pub depths: Vec<(ObjectPair, Penetration)>,
    /// Contact manifolds of colliding pairs with [`Ask::Manifold`](crate::interest::Ask::Manifold); likewise. Points keep
    /// their ids from check to check while a pair collides.
    pub manifolds: Vec<(ObjectPair, Manifold)>,
    /// Pairs without verdict: the narrow phase is undecided, or there was no time. They keep their last
    /// state: they have neither begun nor ended, and are not in `persisting`. The next check tests them
    /// again.
    pub undecided: Vec<(ObjectPair, Reason)>,
    /// Whether the tests were [approximate](super::Degradation), as exact ones would have taken too long.
    pub approximate: bool,
    /// The pairs among them for which there was no time, if the schedule [assumes
    /// contacts](super::Schedule::assuming_contact); else none.
    #[cfg_attr(feature = "serde", serde(default))]
    pub assumed: Vec<AssumedContact>,
    /// Problems with single objects or pairs. Everything else in the frame is valid.
    pub failures: Vec<Failure>,
    /// Time of each stage.
    pub times: StageTimes,
    /// Counts of the check.
    pub stats: FrameStats,
    pub(crate) contacts: Vec<Contact>,
}

impl Frame {
    /// An empty frame.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All current collisions, in order.
    pub fn colliding(&self) -> impl Iterator<Item = &Collision> {
        let (mut began, mut persisting) =
            (self.began.iter().peekable(), self.persisting.iter().peekable());
        std::iter::from_fn(move || match (began.peek(), persisting.peek()) {
            (Some(new), Some(old)) if new.pair < old.pair => began.next(),
            (_, Some(_)) => persisting.next(),
            _ => began.next(),
        })
    }

    /// Whether these two collide now. O(log n).
    #[must_use]
    pub fn collides(&self, one: ObjectId, other: ObjectId) -> bool {
        let pair = ObjectPair::new(one, other);
        let among = |list: &[Collision]| list.binary_search_by_key(&pair, |c| c.pair).is_ok();
        among(&self.began) || among(&self.persisting)
    }

    /// The time of the first contact among the pairs with an object in [motion](super::World::set_motion), in an
    /// interval; `None` if none of them touches. Until `lo` all of these pairs are apart but for those in `undecided`
    /// and `failures`, so an application may go on to that time. Pairs that touch at the start are at time 0. Of pairs with
    /// [`Ask::Within`](crate::interest::Ask::Within) it is the first time within the tolerance.
    #[must_use]
    pub fn first_contact(&self) -> Option<TimeInterval> {
        let times = self.began.iter().chain(&self.persisting).filter_map(Collision::time);
        times.reduce(|first, other| TimeInterval {
            lo: first.lo.min(other.lo),
            hi: first.hi.min(other.hi),
        })
    }

    /// The contacts of a collision of this frame. Empty without
    /// [`Ask::Contacts`](crate::interest::Ask::Contacts), and where one body contains the other.
    #[must_use]
    pub fn contacts(&self, collision: &Collision) -> &[Contact] {
        let [start, end] = collision.contacts.map(|place| place as usize);
        self.contacts.get(start..end).unwrap_or(&[])
    }

    pub(crate) fn clear(&mut self, number: u64) {
        self.number = number;
        self.began.clear();
        self.persisting.clear();
        self.ended.clear();
        self.kind_changes.clear();
        self.distances.clear();
        self.bounded_distances.clear();
        self.depths.clear();
        self.manifolds.clear();
        self.undecided.clear();
        self.approximate = false;
        self.assumed.clear();
        self.failures.clear();
        self.contacts.clear();
        self.times = StageTimes::default();
        self.stats = FrameStats::default();
    }
}

/// Two objects that collide.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Collision {
    /// The objects.
    pub pair: ObjectPair,
    /// Whether one of them has moved or changed its model since the last check (a "new collision" of
    /// Zachmann 1994, 7.1).
    pub is_new: bool,
    /// The proof, with the objects in the order of the pair.
    pub proof: Proof,
    /// How the first object of the pair lies to the second, with [`Ask::Kind`](crate::interest::Ask::Kind). Of objects in
    /// [motion](super::World::set_motion), at the end of the check; they may be apart then.
    pub kind: Option<Kind>,
    /// Range of the contacts in the frame's list.
    pub(crate) contacts: [u32; 2],
}

impl Collision {
    /// Contains the time of the first contact, or the first within the tolerance, from 0 to 1, if an object was in
    /// [motion](super::World::set_motion).
    #[must_use]
    pub fn time(&self) -> Option<TimeInterval> {
        match self.proof {
            Proof::InMotion { time, .. } | Proof::NearInMotion { time, .. } => Some(time),
            Proof::Witness(_) | Proof::Near(_) => None,
        }
    }
}

/// Two objects that were not tested in time, and count as in contact where their bounding volumes overlap. Nothing is proved:
/// they may be apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct AssumedContact {
    /// The objects.
    pub pair: ObjectPair,
    /// The common part of their boxes.
    pub region: Aabb,
}

/// Two objects that collide in another way than before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct KindChange {
    /// The objects.
    pub pair: ObjectPair,
    /// The kind at the last test that decided.
    pub before: Kind,
    /// The kind now.
    pub now: Kind,
}

/// Why two objects count as colliding.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Proof {
    /// They share a point.
    Witness(Witness),
    /// They are within the tolerance of [`Ask::Within`](crate::interest::Ask::Within).
    Near(Nearness),
    /// They touch during the motion of one of them or of both, or of [their vertices](super::World::move_vertices).
    InMotion {
        /// The features that touch, and a point that they share at the end of the interval. Of two bodies that do not turn
        /// it is where the features first touch, rounded: they may have parted again at the end.
        witness: Witness,
        /// Contains the time of the first contact, from 0 to 1: before `lo` they are apart, up to `hi` they have touched.
        time: TimeInterval,
        /// The triangles that first touch, of two bodies that do not turn and do not touch at time 0. With the witness and
        /// the time they are a [`MeshesContact`](crate::narrow::continuous::MeshesContact), which can be verified. `None`:
        /// the witness holds at the poses at `hi`, and at the [positions](crate::narrow::continuous::MovingMesh::positions_at)
        /// of vertices that move.
        triangles: Option<TrianglesInContact>,
    },
    /// They come within the tolerance of [`Ask::Within`](crate::interest::Ask::Within) during the
    /// [motion](super::World::set_motion) of one of them or of both.
    NearInMotion {
        /// What is near at the end of the interval.
        nearness: Nearness,
        /// Contains the first time within the tolerance: before `lo` they are farther apart, at `hi` they are within it.
        time: TimeInterval,
    },
}

impl Proof {
    /// A common point in world coordinates, or the midpoint of the nearest points. Rounded.
    #[must_use]
    pub fn point(&self) -> [f64; 3] {
        match self {
            Self::Witness(witness) | Self::InMotion { witness, .. } => witness.point,
            Self::Near(Nearness { points: [p, q], .. })
            | Self::NearInMotion { nearness: Nearness { points: [p, q], .. }, .. } => {
                [0, 1, 2].map(|axis| 0.5 * p[axis] + 0.5 * q[axis])
            }
        }
    }
}

/// A collision that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ended {
    /// The objects; one of them may have been removed.
    pub pair: ObjectPair,
    /// Why it ended.
    pub cause: Cause,
}

/// Why a collision ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Cause {
    /// The objects are apart.
    Apart,
    /// One of them was removed.
    Removed,
    /// The interest matrix no longer wants the pair.
    NotWanted,
}

/// A problem with one object or pair. The rest of the frame is valid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Failure {
    /// The narrow phase panicked, or an object cannot be placed. The pair keeps its last state; the next
    /// check tests it again. If a batch panics, each of its pairs is tested alone, so a pair may panic
    /// twice in a check.
    #[error("testing {pair:?}: {message}")]
    Pair {
        /// The objects.
        pair: ObjectPair,
        /// The panic's message, or why an object cannot be placed.
        message: String,
    },
    /// A callback panicked. It stays registered.
    #[error("in the callback for {pair:?}: {message}")]
    Callback {
        /// The objects of the report.
        pair: ObjectPair,
        /// The panic's message.
        message: String,
    },
    /// The pose of an ancestor moves an object out of the range of f64. It stays where it was.
    #[error("placing object {object}: {message}")]
    Object {
        /// The object.
        object: ObjectId,
        /// The pose error.
        message: String,
    },
    /// A [change](super::Concurrent::change) panicked.
    #[error("in a change: {message}")]
    Change {
        /// The panic's message.
        message: String,
    },
    /// The broad phase refused a box: it was not empty when it was set.
    #[error("the broad phase refuses object {object}: {message}")]
    BroadPhase {
        /// The object.
        object: ObjectId,
        /// The error of the broad phase.
        message: String,
    },
}

/// Time of each stage of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct StageTimes {
    /// Applying parents' poses and collecting changes.
    pub pose: Duration,
    /// Bounding moved objects.
    pub bounds: Duration,
    /// Finding candidate pairs.
    pub broad: Duration,
    /// Testing pairs and sorting the results.
    pub narrow: Duration,
    /// Callbacks and events.
    pub report: Duration,
}

impl StageTimes {
    /// The sum of all stages.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.pose + self.bounds + self.broad + self.narrow + self.report
    }
}

/// Counts of a check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FrameStats {
    /// All objects.
    pub objects: usize,
    /// Objects that moved, are new, or changed their model.
    pub moved: usize,
    /// Wanted pairs with overlapping boxes.
    pub pairs: usize,
    /// Pairs that were tested; in the others no object has changed.
    pub tested: usize,
    /// Pairs that collide.
    pub colliding: usize,
    /// Work of the broad phase.
    pub broad: BroadStats,
    /// Work of the narrow phase, if [`Query::stats`](crate::narrow::Query::stats) is set.
    pub narrow: Stats,
}
