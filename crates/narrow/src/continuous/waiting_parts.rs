//! Pairs of parts of two moving bodies that wait, in the order of the times until which they are apart.
//!
//! Most pairs below an opened one never come first. So only the first of the siblings is in the queue, and the next one takes its
//! place when it comes out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use xcollide_bvh::NodePair;

use super::trees_in_motion::{Siblings, Until, WIDTH};

/// Parts of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// The whole bodies, by their hulls.
    Hulls,
    Nodes(NodePair),
    Triangles([u32; 2]),
}

/// Parts, and until when they are apart.
#[derive(Clone, Copy)]
pub(super) struct Look {
    pub(super) parts: Parts,
    pub(super) until: f64,
    /// How often the parts were looked at.
    pub(super) looks: u32,
    /// Whether another look will probably give them much more time.
    pub(super) is_loose: bool,
}

/// A place in the queue. The greatest comes out first: that of the least time, and of equal times the newest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    /// Times are not negative, so their bits are in order.
    until: Reverse<u64>,
    serial: u32,
    /// Where those that wait are stored.
    slot: u32,
}

#[derive(Clone, Copy)]
enum Slot {
    Alone(Look),
    Siblings {
        pairs: Siblings,
        /// The lane that is first.
        first: usize,
        /// That of lane 0.
        serial: u32,
    },
}

/// As many wait at most, as a rule.
const USUAL: usize = 1 << 8;

pub(super) struct WaitingParts {
    queue: BinaryHeap<Turn>,
    slots: Vec<Slot>,
    free: Vec<u32>,
    /// The most turns in the queue.
    room: usize,
    /// The slots for which there was no room; the last is looked at first.
    deep: Vec<u32>,
    /// What is apart until then needs no other look.
    end: f64,
    serial: u32,
}

impl WaitingParts {
    /// An empty queue for at most `room` families of siblings.
    pub(super) fn new(room: usize) -> Self {
        let usual = USUAL.min(room);
        Self {
            queue: BinaryHeap::with_capacity(usual),
            slots: Vec::with_capacity(usual),
            free: Vec::new(),
            room,
            deep: Vec::new(),
            end: 1.0,
            serial: 0,
        }
    }

    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// Brings the end forward: it does not matter what happens from then on.
    pub(super) fn end_at(&mut self, time: f64) {
        self.end = self.end.min(time);
    }

    /// Takes out the first of those that were left to be followed to the end, if there are any.
    pub(super) fn pop_deep(&mut self) -> Option<Look> {
        while let Some(&slot) = self.deep.last() {
            let (first, next) = self.slots[slot as usize].take();
            if next.is_none_or(|(until, _)| until >= self.end) {
                self.deep.pop();
                self.free.push(slot);
            }
            if first.until < self.end {
                return Some(first);
            }
        }
        None
    }

    /// Takes out the first of all others.
    pub(super) fn pop(&mut self) -> Option<Look> {
        let mut turn = self.queue.peek_mut()?;
        if f64::from_bits(turn.until.0) >= self.end {
            return None;
        }
        let slot = turn.slot;
        let (first, next) = self.slots[slot as usize].take();
        match next.filter(|&(until, _)| until < self.end) {
            Some((until, serial)) => *turn = Turn { until: Reverse(until.to_bits()), serial, slot },
            None => {
                PeekMut::pop(turn);
                self.free.push(slot);
            }
        }
        Some(first)
    }

    pub(super) fn push(&mut self, look: Look) {
        self.serial = self.serial.wrapping_add(1);
        self.insert(Slot::Alone(look), look.until, self.serial);
    }

    pub(super) fn push_siblings(&mut self, pairs: Siblings) {
        let Some((lane, until)) = pairs.first() else { return };
        let serial = self.serial.wrapping_add(1);
        self.serial = self.serial.wrapping_add(WIDTH as u32);
        let waiting = Slot::Siblings { pairs, first: lane, serial };
        self.insert(waiting, until, serial.wrapping_add(lane as u32));
    }

    fn insert(&mut self, waiting: Slot, until: f64, serial: u32) {
        if until >= self.end {
            return;
        }
        let slot = match self.free.pop() {
            Some(free) => {
                self.slots[free as usize] = waiting;
                free
            }
            None => {
                self.slots.push(waiting);
                (self.slots.len() - 1) as u32
            }
        };
        if self.queue.len() < self.room {
            self.queue.push(Turn { until: Reverse(until.to_bits()), serial, slot });
        } else {
            self.deep.push(slot);
        }
    }
}

impl Slot {
    /// Takes the first out, and tells the time and the number of the next.
    #[inline]
    fn take(&mut self) -> (Look, Option<(f64, u32)>) {
        match self {
            Self::Alone(look) => (*look, None),
            Self::Siblings { pairs, first, serial } => {
                let (pair, Until { time, is_loose }) = pairs.take(*first);
                let look = Look { parts: Parts::Nodes(pair), until: time, looks: 0, is_loose };
                let next = pairs.first().map(|(lane, until)| {
                    *first = lane;
                    (until, serial.wrapping_add(lane as u32))
                });
                (look, next)
            }
        }
    }
}
