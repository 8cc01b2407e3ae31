//! What a check found.

use std::time::Duration;

use super::{ObjectId, ObjectPair};
use crate::broad::Work;
use crate::narrow::proximity::{Distance, Nearness};
use crate::narrow::{Contact, Reason, Stats, Witness};

/// What one [`check`](super::World::check) found. Each list is ordered by the pairs, the smaller id
/// first, and without repetition; the same at any number of threads.
///
/// "Collide now" is `began` and `persisting` together. Keep one of these and pass it to
/// [`check_into`](super::World::check_into): its memory is used again.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Frame {
    /// Which check this was, counted from 0.
    pub number: u64,
    /// The frame of the application that it saw, where the application
    /// [says](super::Concurrent::next_frame) when its frames begin.
    pub application: u64,
    /// Pairs that collide and did not before.
    pub began: Vec<Collision>,
    /// Pairs that collide and did before.
    pub persisting: Vec<Collision>,
    /// Pairs that did before and do not any more.
    pub ended: Vec<Ended>,
    /// Distances of pairs of which [they were asked](crate::interest::Ask::Distance), where they are
    /// not too large; of colliding pairs too (0 then).
    pub distances: Vec<(ObjectPair, Distance)>,
    /// Pairs of which the narrow phase does not know. What was last known of them still holds: they
    /// have neither begun nor ended, and are not among the persisting ones. They are looked at again
    /// next time.
    pub undecided: Vec<(ObjectPair, Reason)>,
    /// What went wrong, and for whom; everything else is as it should be.
    pub failures: Vec<Failure>,
    /// How long each stage took.
    pub times: StageTimes,
    /// How much there was to do.
    pub stats: FrameStats,
    pub(crate) contacts: Vec<Contact>,
}

impl Frame {
    /// Nothing was checked yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All pairs that collide now, in order.
    pub fn colliding(&self) -> impl Iterator<Item = &Collision> {
        let (mut began, mut persisting) =
            (self.began.iter().peekable(), self.persisting.iter().peekable());
        std::iter::from_fn(move || match (began.peek(), persisting.peek()) {
            (Some(new), Some(old)) if new.pair < old.pair => began.next(),
            (_, Some(_)) => persisting.next(),
            _ => began.next(),
        })
    }

    /// Whether these two collide now.
    #[must_use]
    pub fn collides(&self, one: ObjectId, other: ObjectId) -> bool {
        let pair = ObjectPair::new(one, other);
        let among = |list: &[Collision]| list.binary_search_by_key(&pair, |c| c.pair).is_ok();
        among(&self.began) || among(&self.persisting)
    }

    /// The contacts of a collision of this frame; empty where [they were not asked
    /// for](crate::interest::Ask::Contacts), and where one body holds the other.
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
        self.distances.clear();
        self.undecided.clear();
        self.failures.clear();
        self.contacts.clear();
        self.times = StageTimes::default();
        self.stats = FrameStats::default();
    }
}

/// Two objects that collide.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Collision {
    /// The objects.
    pub pair: ObjectPair,
    /// Whether one of them has moved, or changed its model, since the last check: what Zachmann (1994,
    /// 7.1) calls a new collision.
    pub is_new: bool,
    /// The proof, with the objects in the order of the pair.
    pub proof: Proof,
    /// Where in the frame's list the contacts are.
    pub(crate) contacts: [u32; 2],
}

/// Why two objects are said to collide.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Proof {
    /// They have a point in common.
    Witness(Witness),
    /// They are within the tolerance that was [asked about](crate::interest::Ask::Within).
    Near(Nearness),
}

impl Proof {
    /// A point where they meet, in the world; half way between the nearest ones where they only come
    /// close. Rounded.
    #[must_use]
    pub fn point(&self) -> [f64; 3] {
        match self {
            Self::Witness(witness) => witness.point,
            Self::Near(Nearness { points: [p, q], .. }) => {
                [0, 1, 2].map(|axis| 0.5 * p[axis] + 0.5 * q[axis])
            }
        }
    }
}

/// A collision that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// The objects; one of them may be gone.
    pub pair: ObjectPair,
    /// Why it is over.
    pub cause: Cause,
}

/// Why a collision is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The objects are apart.
    Apart,
    /// One of them was removed.
    Removed,
    /// Nobody wants to know any more.
    NotWanted,
}

/// Something that went wrong, without harm to the rest of the frame.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The narrow phase panicked. What was last known of the pair still holds; it is tested again
    /// next time. Pairs are asked about together: where that panics, each is asked about again, alone,
    /// so the one that fails may panic twice in a check.
    #[error("testing {pair:?}: {message}")]
    Pair {
        /// The objects.
        pair: ObjectPair,
        /// What the panic said.
        message: String,
    },
    /// A callback panicked. It stays in place.
    #[error("in the callback for {pair:?}: {message}")]
    Callback {
        /// The objects of which it was told.
        pair: ObjectPair,
        /// What the panic said.
        message: String,
    },
    /// The poses of ancestors move an object out of the range of f64. It stays where it was.
    #[error("placing object {object}: {message}")]
    Object {
        /// The object.
        object: ObjectId,
        /// What is wrong with its pose.
        message: String,
    },
    /// A change that was [handed over](super::Concurrent::change) panicked.
    #[error("in a change: {message}")]
    Change {
        /// What the panic said.
        message: String,
    },
    /// The broad phase refused the box of an object: it was not empty when it was handed over.
    #[error("the broad phase refuses object {object}: {message}")]
    BroadPhase {
        /// The object.
        object: ObjectId,
        /// What the broad phase said.
        message: String,
    },
}

/// How long the stages of a check took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StageTimes {
    /// Handing poses down from parents, and gathering what has changed.
    pub pose: Duration,
    /// Bounding what has moved.
    pub bounds: Duration,
    /// SearchResult candidate pairs.
    pub broad: Duration,
    /// Testing them, and sorting out what has changed.
    pub narrow: Duration,
    /// Callbacks and events.
    pub report: Duration,
}

impl StageTimes {
    /// All stages together.
    #[must_use]
    pub fn total(&self) -> Duration {
        self.pose + self.bounds + self.broad + self.narrow + self.report
    }
}

/// How much a check had to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FrameStats {
    /// Objects there are.
    pub objects: usize,
    /// Objects that have moved, or are new, or have another model.
    pub moved: usize,
    /// Wanted pairs whose boxes overlap.
    pub pairs: usize,
    /// Those of them that were tested: of the others neither object has changed.
    pub tested: usize,
    /// Pairs that collide.
    pub colliding: usize,
    /// What the broad phase did.
    pub broad: Work,
    /// What the narrow phase did, where [`Query::stats`](crate::narrow::Query::stats) asks it to
    /// count.
    pub narrow: Stats,
}
