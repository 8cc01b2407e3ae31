//! Limits and ranking of the tests of a check (Daneu 2002, 4.1.4).
//!
//! Pairs are ranked in one of four [orders](Order) and tested in turns of 1, 1, 2, 4, 8, … pairs, each turn on all
//! threads, until the time is over or there were enough tests. The first turn always finishes, so every check tests
//! the first pair. In the source, after O'Sullivan, Radach and Collins 1999, what is scheduled is a step down the
//! hierarchies of a pair; here it is the test of a pair, which is exact and takes microseconds.

mod order;

use std::time::{Duration, Instant};

use super::ObjectId;
use super::objects::Objects;
use super::pair_state::{NO_TURN, PUT_OFF, Testing};
use super::pair_table::PairTable;
use crate::bounds::Aabb;
use crate::execution::{Execution, Job};

pub use order::Order;

/// Limits for the tests of a check, and a ranking of the pairs.
///
/// Pairs that are not tested in time are [undecided](super::Frame::undecided); by default they rank first in the next
/// check. Only a [budget of the query](crate::narrow::Query::budget) interrupts a single test.
///
/// ```
/// use std::time::Duration;
/// use xcollide::{Schedule, World};
///
/// let mut world = World::new();
/// let eye = [0.0, 1.7, 0.0];
/// let schedule = Schedule::new(Duration::from_millis(2)).seen_from(eye).noticing_speed(4.0);
/// world.set_schedule(Some(schedule));
/// ```
pub struct Schedule {
    budget: Duration,
    /// The most tests of a check.
    most: usize,
    order: Order,
    assumes_contact: bool,
    importance: Option<Box<Importance>>,
    /// Weight of the speed in the importance.
    speed: f64,
    motion: Motion,
    /// The pairs of this check; reused memory.
    ranks: Vec<Rank>,
}

/// Importance from the boxes of two objects.
type Importance = dyn Fn(&Aabb, &Aabb) -> f64 + Send;

#[derive(Clone, Copy)]
struct Rank {
    waited: u32,
    importance: f64,
    /// Its place among the candidates of the check.
    place: u32,
}

impl Schedule {
    /// Ranks pairs by waiting time, then by id. [`Duration::MAX`] is no limit.
    #[must_use]
    pub fn new(budget: Duration) -> Self {
        let (motion, ranks) = (Motion::default(), Vec::new());
        let (most, order, assumes_contact) = (usize::MAX, Order::default(), false);
        let (importance, speed) = (None, 0.0);
        Self { budget, most, order, assumes_contact, importance, speed, motion, ranks }
    }

    /// Tests at most this many pairs in a check; 0 counts as 1. Unlike a limit of time it gives the same frames on every
    /// machine.
    #[must_use]
    pub fn at_most(self, tests: usize) -> Self {
        Self { most: tests.max(1), ..self }
    }

    /// Ranks pairs in another order.
    #[must_use]
    pub fn order(self, order: Order) -> Self {
        Self { order, ..self }
    }

    /// Pairs for which there is no time count as [assumed contacts](super::Frame::assumed), with the common part of their
    /// boxes, as in the source (Daneu 2002, 4.3.2). They stay undecided: an assumption is no proof, and leans to contact.
    #[must_use]
    pub fn assuming_contact(self) -> Self {
        Self { assumes_contact: true, ..self }
    }

    /// Whether it [assumes contacts](Self::assuming_contact).
    #[must_use]
    pub fn assumes_contact(&self) -> bool {
        self.assumes_contact
    }

    /// The importance of pairs by a function of the two world boxes; larger values first. 1 without one.
    #[must_use]
    pub fn by(self, importance: impl Fn(&Aabb, &Aabb) -> f64 + Send + 'static) -> Self {
        Self { importance: Some(Box::new(importance)), ..self }
    }

    /// Importance by visibility: the squared size of the smaller object over the squared distance from the
    /// viewer to the intersection of the boxes.
    #[must_use]
    pub fn seen_from(self, viewer: [f64; 3]) -> Self {
        self.by(move |a, b| {
            let place = Aabb::new(viewer, viewer);
            size(a).min(size(b)) / a.intersection(b).distance_squared(&place)
        })
    }

    /// Raises the importance of fast pairs: multiplies it by 1 plus `weight` times their relative speed, in
    /// sizes of the smaller object per check. The default is 0; any other weight costs some nanoseconds for
    /// each moved object. Importances should not be negative.
    ///
    /// Speeds are those of the box centers since the last check, so they are known from the schedule's
    /// second check on.
    #[must_use]
    pub fn noticing_speed(self, weight: f64) -> Self {
        Self { speed: weight, ..self }
    }

    pub(super) fn run(
        &mut self,
        pairs: &mut PairTable,
        testing: Testing<'_>,
        execution: &dyn Execution,
    ) {
        // A budget beyond the clock's range is no limit.
        let deadline = Instant::now().checked_add(self.budget);
        self.rank(pairs, &testing);
        let turns = turn_of(self.ranks.len().min(self.most).saturating_sub(1)) + 1;
        for turn in 0..turns {
            if turn > 0 && deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                break;
            }
            let until = deadline.filter(|_| turn > 0);
            let testing = Testing { turn: Some((turn, until)), ..testing };
            execution.run(Job::of_pairs(pairs.tests(size_of_turn(turn), testing)));
        }
        pairs.each_active(|state, mark| {
            state.late = state.turn != NO_TURN && !state.tested_now;
            state.waited = if state.late { state.waited.saturating_add(1) } else { 0 };
            state.update_mark(mark, &testing);
        });
    }

    /// Assigns a turn to every pair that needs a test.
    fn rank(&mut self, pairs: &mut PairTable, testing: &Testing<'_>) {
        let Self { most, order, importance, speed, motion, ranks, .. } = self;
        if *speed != 0.0 {
            motion.follow(testing.objects);
        }
        ranks.clear();
        let mut place = 0;
        pairs.each_active(|state, _| {
            state.turn = NO_TURN;
            if state.needs_test(testing) {
                let slots = state.indices();
                let [a, b] = slots.map(|slot| &testing.objects.bounds[slot].aabb);
                let mut important = importance.as_ref().map_or(1.0, |of| of(a, b));
                if *speed != 0.0 {
                    important *=
                        1.0 + *speed * motion.relative(slots) / size(a).min(size(b)).sqrt();
                }
                let (waited, importance) = order.rank(state.waited, important);
                ranks.push(Rank { waited, importance, place });
            }
            place += 1;
        });
        ranks.sort_unstable_by(|p, q| {
            let important = q.importance.total_cmp(&p.importance);
            q.waited.cmp(&p.waited).then(important).then(p.place.cmp(&q.place))
        });
        for (rank, entry) in ranks.iter_mut().enumerate() {
            entry.waited = u32::from(if rank < *most { turn_of(rank) } else { PUT_OFF });
        }
        ranks.sort_unstable_by_key(|rank| rank.place);
        let (mut entries, mut place) = (ranks.iter().peekable(), 0);
        pairs.each_active(|state, _| {
            if let Some(entry) = entries.next_if(|entry| entry.place == place) {
                state.turn = entry.waited as u8;
            }
            place += 1;
        });
    }
}

fn size(aabb: &Aabb) -> f64 {
    aabb.size().iter().map(|side| side * side).sum()
}

#[derive(Default)]
struct Motion {
    /// By index: the id, the center of its box, and its displacement.
    objects: Vec<(ObjectId, [f64; 3], [f64; 3])>,
    /// Objects that moved before the last check.
    moved: Vec<u32>,
}

impl Motion {
    /// Updates positions from the objects of a check.
    fn follow(&mut self, objects: &Objects) {
        for index in self.moved.drain(..) {
            self.objects[index as usize].2 = [0.0; 3];
        }
        // This id is never issued.
        let nobody = (ObjectId::new(u32::MAX, 0), [0.0; 3], [0.0; 3]);
        self.objects.resize(self.objects.len().max(objects.names.len()), nobody);
        for &index in &objects.front {
            let slot = index as usize;
            let (name, middle) = (objects.names[slot], objects.bounds[slot].aabb.center());
            let (of, before, motion) = &mut self.objects[slot];
            if *of == name {
                *motion = [0, 1, 2].map(|axis| middle[axis] - before[axis]);
                self.moved.push(index);
            }
            (*of, *before) = (name, middle);
        }
    }

    fn relative(&self, slots: [usize; 2]) -> f64 {
        let [p, q] = slots.map(|slot| self.objects[slot].2);
        [0, 1, 2].map(|axis| (p[axis] - q[axis]).powi(2)).iter().sum::<f64>().sqrt()
    }
}

/// 0, 1, 2, 2, 3, 3, 3, 3, 4, …
fn turn_of(rank: usize) -> u8 {
    (usize::BITS - rank.leading_zeros()) as u8
}

/// 1, 1, 2, 4, 8, …
fn size_of_turn(turn: u8) -> usize {
    1 << turn.saturating_sub(1)
}

impl std::fmt::Debug for Schedule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Schedule")
            .field("budget", &self.budget)
            .field("most", &self.most)
            .field("order", &self.order)
            .field("assumes_contact", &self.assumes_contact)
            .field("importance", &self.importance.is_some())
            .field("speed", &self.speed)
            .finish_non_exhaustive()
    }
}
