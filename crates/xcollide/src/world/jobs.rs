//! Bounding objects and testing pairs, spread over threads.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::batch::Batch;
use super::cost_estimate::CostEstimate;
use super::deformations::{Deformation, Sparse};
use super::mark::Mark;
use super::motion::{Motions, bound_path};
use super::objects::{FORMULA, LISTED, MOVED, Objects, STATIC, UNPREPARED};
use super::pair_state::{PairState, Testing};
use crate::bounding::{AxisAligned, Bounding, BoundsMemory};
use crate::bounds::Aabb;
use crate::broad::{Bounds, Mobility};
use crate::narrow::{Model, Pose};

/// Bounds the objects of an ascending list and notes which have moved.
pub(crate) struct BoundsJob<'a> {
    list: &'a [u32],
    /// The object index of the first element of `bounds` and `memories`.
    offset: usize,
    bounds: &'a mut [Bounds],
    memories: &'a mut [BoundsMemory],
    flags: &'a mut [u8],
    changed: &'a mut [u64],
    common: Common<'a>,
}

/// Shared by all parts of the job.
#[derive(Clone, Copy)]
struct Common<'a> {
    strategy: &'a dyn Bounding,
    models: &'a [Option<Model>],
    poses: &'a [Pose],
    motions: &'a Motions,
    deformations: &'a Sparse<Deformation>,
    /// Added on every side of each box.
    margins: &'a [f64],
    check: u64,
    visited: &'a Visited,
    cost: &'a CostEstimate,
}

/// What the objects of a check have in common.
#[derive(Debug, Default)]
pub(super) struct Visited {
    /// How many have moved.
    moved: AtomicUsize,
    /// How many have been removed.
    removed: AtomicUsize,
    /// The union of their flags.
    flags: AtomicU8,
}

impl Visited {
    /// How many have moved, how many have been removed, and the union of the flags.
    pub(super) fn counts(self) -> (usize, usize, u8) {
        let Self { moved, removed, flags } = self;
        (moved.into_inner(), removed.into_inner(), flags.into_inner())
    }
}

/// Objects that one thread bounds in some microseconds.
const OBJECTS: usize = 256;

impl<'a> BoundsJob<'a> {
    /// The job for the objects that the check visits.
    pub(super) fn new(
        objects: &'a mut Objects,
        strategy: &'a dyn Bounding,
        cost: &'a CostEstimate,
        check: u64,
        visited: &'a Visited,
    ) -> Self {
        let Objects { models, poses, motions, deformations, margins, .. } = objects;
        let common = Common {
            strategy,
            models,
            poses,
            motions,
            deformations,
            margins,
            check,
            visited,
            cost,
        };
        let Objects { bounds, memories, flags, changed, .. } = objects;
        Self { list: &objects.front, offset: 0, bounds, memories, flags, changed, common }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Estimated time of one thread.
    pub(crate) fn work(&self) -> Duration {
        self.common.cost.estimate(0, self.list.len())
    }

    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.list.len() < 2 * OBJECTS {
            return (self, None);
        }
        let Self { list, offset, bounds, memories, flags, changed, common } = self;
        let (first, second) = list.split_at(list.len() / 2);
        let middle = second[0] as usize - offset;
        let (bounds, other_bounds) = bounds.split_at_mut(middle);
        let (memories, other_memories) = memories.split_at_mut(middle);
        let (flags, other_flags) = flags.split_at_mut(middle);
        let (changed, other_changed) = changed.split_at_mut(middle);
        let other = Self {
            list: second,
            offset: offset + middle,
            bounds: other_bounds,
            memories: other_memories,
            flags: other_flags,
            changed: other_changed,
            common,
        };
        (Self { list: first, offset, bounds, memories, flags, changed, common }, Some(other))
    }

    pub(crate) fn finish(self) {
        let (cost, count) = (self.common.cost, self.list.len() as u64);
        cost.measure(0, || {
            self.bound_all();
            count
        });
    }

    fn bound_all(self) {
        let common = self.common;
        let (mut moved, mut removed, mut union) = (0, 0, 0);
        for &index in self.list {
            let (slot, place) = (index as usize, index as usize - self.offset);
            let flags = self.flags[place];
            self.flags[place] &= !(LISTED | MOVED);
            union |= flags;
            let Some(model) = &common.models[slot] else {
                removed += 1;
                continue;
            };
            if flags & MOVED != 0 {
                self.changed[place] = common.check;
                moved += 1;
            }
            let (bounds, memory) = (&mut self.bounds[place], &mut self.memories[place]);
            // Strategies are about meshes.
            let strategy = match flags & FORMULA != 0 {
                true => &AxisAligned,
                false => common.strategy,
            };
            if flags & UNPREPARED != 0 {
                *memory = strategy.prepare(model);
                (bounds.oriented, bounds.kdop) = (None, None);
            }
            match (common.deformations.of(slot), common.motions.of(slot)) {
                (Some(deformation), _) => {
                    bounds.aabb = deformation.aabb();
                    (bounds.oriented, bounds.kdop) = (None, None);
                }
                (None, None) => strategy.bounds_at(model, &common.poses[slot], memory, bounds),
                (None, Some(path)) => bound_path(strategy, model, &**path, memory, bounds),
            }
            let is_static = flags & STATIC != 0;
            bounds.mobility = if is_static { Mobility::Static } else { Mobility::Moving };
            let margin = common.margins[slot];
            if margin > 0.0 {
                widen(bounds, margin);
            }
            if is_nan(&bounds.aabb) {
                bounds.aabb = UNBOUNDED;
                bounds.oriented = None;
                bounds.kdop = None;
            }
        }
        // Read after all threads have finished.
        common.visited.moved.fetch_add(moved, Ordering::Relaxed);
        common.visited.removed.fetch_add(removed, Ordering::Relaxed);
        common.visited.flags.fetch_or(union, Ordering::Relaxed);
    }
}

/// All of space.
pub(super) const UNBOUNDED: Aabb = Aabb { min: [f64::NEG_INFINITY; 3], max: [f64::INFINITY; 3] };

/// Whether a coordinate is NaN.
#[inline]
pub(super) fn is_nan(aabb: &Aabb) -> bool {
    let Aabb { min: [a, b, c], max: [d, e, f] } = aabb;
    // One sum is faster than six tests. It is also NaN if infinities cancel.
    ((a + b) + (c + d) + (e + f)).is_nan() && [a, b, c, d, e, f].iter().any(|side| side.is_nan())
}

/// Widens all volumes by a margin.
fn widen(bounds: &mut Bounds, margin: f64) {
    use crate::bounds::BoundingVolume;
    bounds.aabb = BoundingVolume::expanded(&bounds.aabb, margin);
    if let Some(oriented) = &mut bounds.oriented {
        **oriented = oriented.expanded(margin);
    }
    if let Some(kdop) = &mut bounds.kdop {
        **kdop = kdop.expanded(margin);
    }
}

/// Tests pairs.
pub(crate) struct PairsJob<'a> {
    states: &'a mut [PairState],
    marks: &'a [Mark],
    testing: Testing<'a>,
    /// Estimated number of pairs to test.
    due: usize,
    /// The job is not split below this.
    grain: usize,
}

/// The least work of one piece, so that splitting is cheap.
const STRETCH: Duration = Duration::from_micros(4);

impl<'a> PairsJob<'a> {
    /// The job for pairs with these marks. About `due` of them need a test.
    pub(super) fn new(
        states: &'a mut [PairState],
        marks: &'a [Mark],
        due: usize,
        testing: Testing<'a>,
    ) -> Self {
        let all = states.len();
        let work = testing.cost.estimate(all, due).as_secs_f64();
        // At most 64 pairs a piece: single pairs may take much longer than the mean.
        let grain = ((all as f64 * STRETCH.as_secs_f64() / work) as usize).clamp(1, 64);
        Self { states, marks, testing, due, grain }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Estimated time of one thread.
    pub(crate) fn work(&self) -> Duration {
        self.testing.cost.estimate(self.states.len(), self.due)
    }

    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.states.len() < 2 * self.grain {
            return (self, None);
        }
        let Self { states, marks, testing, due, grain } = self;
        let middle = states.len() / 2;
        let (states, other_states) = states.split_at_mut(middle);
        let (marks, other_marks) = marks.split_at(middle);
        let (due, other_due) = (due.div_ceil(2), due / 2);
        let other =
            Self { states: other_states, marks: other_marks, testing, due: other_due, grain };
        (Self { states, marks, testing, due, grain }, Some(other))
    }

    pub(crate) fn finish(self) {
        let cost = self.testing.cost;
        cost.measure(self.states.len(), || self.test_all());
    }

    /// Returns how many pairs were tested.
    fn test_all(self) -> u64 {
        let Self { states, marks, testing, .. } = self;
        let mut batch = testing.batches.take();
        let mut tested = 0;
        match testing.turn {
            None => {
                let stretches = states.chunks_mut(AHEAD).zip(marks.chunks(AHEAD));
                let begin = |(states, marks)| Stretch::new(states, marks, &testing);
                let mut stretches = stretches.map(begin).peekable();
                while let Some(stretch) = stretches.next() {
                    // What the next one needs is loaded meanwhile.
                    stretches.peek();
                    tested += stretch.test(&mut batch, &testing);
                }
                batch.test(&testing);
            }
            Some((turn, deadline)) => {
                let active =
                    states.iter_mut().zip(marks).filter(|(_, mark)| mark.has(Mark::ACTIVE));
                for (state, _) in active.filter(|(state, _)| state.turn == turn) {
                    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        break;
                    }
                    // One by one, as a single test may use all the time.
                    state.begin(&testing);
                    state.test_alone(&testing, &mut batch.verdicts);
                    tested += 1;
                }
            }
        }
        testing.batches.give_back(batch);
        tested
    }
}

/// Pairs whose data is prefetched together.
const AHEAD: usize = 16;

/// Consecutive pairs, and which of them need a test. What these need is being loaded into the processor's cache: it may be
/// anywhere in memory.
struct Stretch<'s> {
    states: &'s mut [PairState],
    marks: &'s [Mark],
    due: [bool; AHEAD],
}

impl<'s> Stretch<'s> {
    fn new(states: &'s mut [PairState], marks: &'s [Mark], testing: &Testing<'_>) -> Self {
        let mut due = [false; AHEAD];
        for ((state, mark), due) in states.iter_mut().zip(marks).zip(&mut due) {
            *due = mark.has(Mark::ACTIVE) && state.needs_test(testing);
        }
        for (state, _) in states.iter().zip(&due).filter(|(_, due)| **due) {
            state.fetch(testing.objects);
        }
        Self { states, marks, due }
    }

    /// Tests the pairs that need it, or adds them to the batch. Returns how many.
    fn test<'o>(self, batch: &mut Batch<'s, 'o>, testing: &Testing<'o>) -> u64 {
        let Self { states, marks, due } = self;
        let mut tested = 0;
        for ((state, mark), due) in states.iter_mut().zip(marks).zip(due) {
            if due {
                tested += 1;
                state.begin(testing);
                if state.may_join_batch(testing) {
                    batch.add(state, mark, testing);
                    continue;
                }
                state.test_alone(testing, &mut batch.verdicts);
            }
            if mark.has(Mark::ACTIVE) {
                state.update_mark(mark, testing);
            }
        }
        tested
    }
}
