//! The two stages that are spread over threads.

use std::time::Instant;

use super::objects::{Objects, UNPREPARED};
use super::pair_state::{PairState, Testing};
use super::pair_table::{Mark, PairTable};
use crate::bounding::{Bounding, BoundsMemory};
use crate::bounds::Aabb;
use crate::broad::{Bounds, Mobility};
use crate::narrow::{Model, Placed, Transform};

/// Bounds the objects of a list, which is ascending.
pub(crate) struct BoundsJob<'a> {
    list: &'a [u32],
    /// The index to which the first of the places below belongs.
    offset: usize,
    bounds: &'a mut [Bounds],
    memories: &'a mut [BoundsMemory],
    common: Common<'a>,
}

/// What all of them have in common.
#[derive(Clone, Copy)]
struct Common<'a> {
    strategy: &'a dyn Bounding,
    models: &'a [Option<Model>],
    transforms: &'a [Transform],
    flags: &'a [u8],
    /// Added to every box, on every side.
    margin: f64,
}

/// Objects that one thread bounds in some microseconds.
const OBJECTS: usize = 256;

impl<'a> BoundsJob<'a> {
    /// The work, on those that the check has to look at.
    pub(super) fn new(objects: &'a mut Objects, strategy: &'a dyn Bounding, margin: f64) -> Self {
        let common = Common {
            strategy,
            models: &objects.models,
            transforms: &objects.transforms,
            flags: &objects.flags,
            margin,
        };
        let (bounds, memories) = (&mut objects.bounds[..], &mut objects.memories[..]);
        Self { list: &objects.front, offset: 0, bounds, memories, common }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.list.len() < 2 * OBJECTS {
            return (self, None);
        }
        let Self { list, offset, bounds, memories, common } = self;
        let (first, second) = list.split_at(list.len() / 2);
        let middle = second[0] as usize - offset;
        let (bounds, other_bounds) = bounds.split_at_mut(middle);
        let (memories, other_memories) = memories.split_at_mut(middle);
        let other = Self {
            list: second,
            offset: offset + middle,
            bounds: other_bounds,
            memories: other_memories,
            common,
        };
        (Self { list: first, offset, bounds, memories, common }, Some(other))
    }

    pub(crate) fn finish(self) {
        let common = self.common;
        for &index in self.list {
            let (slot, place) = (index as usize, index as usize - self.offset);
            let Some(model) = &common.models[slot] else { continue };
            let (bounds, memory) = (&mut self.bounds[place], &mut self.memories[place]);
            if common.flags[slot] & UNPREPARED != 0 {
                *memory = common.strategy.prepare(model);
            }
            let Ok(placed) = Placed::at(model, common.transforms[slot]) else { continue };
            common.strategy.bounds(placed, memory, bounds);
            let is_static = common.flags[slot] & super::objects::STATIC != 0;
            bounds.mobility = if is_static { Mobility::Static } else { Mobility::Moving };
            if common.margin > 0.0 {
                widen(bounds, common.margin);
            }
            if is_nan(&bounds.aabb) {
                bounds.aabb = Aabb::new([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]);
                bounds.oriented = None;
                bounds.kdop = None;
            }
        }
    }
}

/// Whether a side is no number.
#[inline]
fn is_nan(aabb: &Aabb) -> bool {
    let Aabb { min: [a, b, c], max: [d, e, f] } = aabb;
    // A sum is quicker than six questions, and NaN also where infinities cancel.
    ((a + b) + (c + d) + (e + f)).is_nan() && [a, b, c, d, e, f].iter().any(|side| side.is_nan())
}

/// Adds a margin to all volumes.
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
    marks: &'a mut [Mark],
    testing: Testing<'a>,
    /// Not split below this.
    grain: usize,
}

impl<'a> PairsJob<'a> {
    pub(super) fn new(pairs: &'a mut PairTable, testing: Testing<'a>) -> Self {
        // Few pairs are dear ones more often than not; of many, a handful at a time will do.
        let grain = (pairs.states.len() / 64).clamp(1, 64);
        Self { states: &mut pairs.states, marks: &mut pairs.marks, testing, grain }
    }

    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.states.len() < 2 * self.grain {
            return (self, None);
        }
        let Self { states, marks, testing, grain } = self;
        let middle = states.len() / 2;
        let (states, other_states) = states.split_at_mut(middle);
        let (marks, other_marks) = marks.split_at_mut(middle);
        let other = Self { states: other_states, marks: other_marks, testing, grain };
        (Self { states, marks, testing, grain }, Some(other))
    }

    pub(crate) fn finish(self) {
        let Self { states, marks, testing, .. } = self;
        let active = states.iter_mut().zip(marks).filter(|(_, mark)| mark.active);
        match testing.turn {
            None => {
                for (state, mark) in active {
                    if state.is_due(&testing) {
                        state.test(&testing);
                    }
                    mark.tested = state.tested_now;
                    // Who asks for counts wants those of all.
                    mark.quiet = state.is_quiet() && !testing.query.stats;
                }
            }
            Some((turn, deadline)) => {
                for (state, _) in active.filter(|(state, _)| state.turn == turn) {
                    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                        break;
                    }
                    state.test(&testing);
                }
            }
        }
    }
}
