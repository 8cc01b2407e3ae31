//! A queue of pairs of parts of two moving bodies, each with a time until which the pair is proved apart: certificates
//! with failure times, as in kinetic data structures (Basch, Guibas and Hershberger, *Data structures for mobile data*,
//! 1999).
//!
//! The parts are nodes of the hierarchies or triangles, and together the pairs are all pairs of triangles. So the bodies
//! are apart until the earliest time in the queue. The pair that has it is looked at again from that time on: it goes back
//! into the queue with a later time, or its children do. A pair that is apart for the rest of the motion is left out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use xcollide_bounds::Obb;
use xcollide_bvh::binary::{Bvh, NodeId};

use super::body_in_motion::{Bodies, Step};
use super::motion_front::{Children, children};

/// Parts of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Parts {
    /// The whole bodies, by their hulls.
    Hulls,
    Nodes([NodeId; 2]),
    Triangles([u32; 2]),
}

/// Parts that are apart until a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// Times are not negative, so their bits are in order.
    until: Reverse<u64>,
    /// Of equal times the newest.
    serial: u32,
    parts: Parts,
    looks: u32,
    is_loose: bool,
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

pub(super) struct KineticQueue<'a> {
    bodies: Bodies<'a>,
    trees: [&'a Bvh<Obb>; 2],
    queue: BinaryHeap<Waiting>,
    serial: u32,
    /// From the latest time at which parts were looked at.
    step: Step<'a>,
    /// How often parts were looked at.
    looks: usize,
}

impl<'a> KineticQueue<'a> {
    /// The two bodies, apart until time 0. `None` if a model is too large for a hierarchy.
    pub(super) fn new(bodies: Bodies<'a>) -> Option<Self> {
        let trees = bodies.trees()?;
        let step = Step::to_search(&bodies, 0.0, 1.0);
        let mut queue = Self { bodies, trees, queue: BinaryHeap::new(), serial: 0, step, looks: 0 };
        if let [Some(a), Some(b)] = trees.map(Bvh::root) {
            let has_hulls = queue.step.has_hulls();
            queue.add(if has_hulls { Parts::Hulls } else { Parts::Nodes([a, b]) }, 0.0);
        }
        Some(queue)
    }

    /// How often parts were looked at.
    pub(super) fn looks(&self) -> usize {
        self.looks
    }

    /// Takes out the parts with the earliest time; `None` if the bodies are apart until time 1.
    pub(super) fn pop(&mut self) -> Option<Look> {
        let Waiting { until: Reverse(until), parts, looks, is_loose, .. } = self.queue.pop()?;
        Some(Look { parts, until: f64::from_bits(until), looks, is_loose })
    }

    pub(super) fn push(&mut self, Look { parts, until, looks, is_loose }: Look) {
        if until < 1.0 {
            self.serial = self.serial.wrapping_add(1);
            let until = Reverse(until.to_bits());
            self.queue.push(Waiting { until, serial: self.serial, parts, looks, is_loose });
        }
    }

    /// Adds parts that are apart until `now`.
    fn add(&mut self, parts: Parts, now: f64) {
        let look = self.look(Look { parts, until: now, looks: 0, is_loose: true });
        self.push(look);
    }

    /// Looks at parts again, from their time on.
    pub(super) fn look(&mut self, Look { parts, until: now, looks, .. }: Look) -> Look {
        self.looks += 1;
        if self.step.from != now {
            self.step = Step::to_search(&self.bodies, now, 1.0);
        }
        let (mut until, mut is_loose) = self.bound(&self.step, parts);
        // Over a shorter time the bounds on the speed may be narrower.
        let horizon = now + 4.0 * (until - now);
        if !self.bodies.are_uniform() && now < horizon && horizon < now.midpoint(1.0) {
            let nearer = Step::to_search(&self.bodies, now, horizon);
            let (later, is_loose_then) = self.bound(&nearer, parts);
            if later > until {
                (until, is_loose) = (later, is_loose_then || later >= horizon);
            }
        }
        Look { parts, until, looks: looks + 1, is_loose }
    }

    /// Until when parts are apart that are so at the beginning of a step, and whether that is loose.
    fn bound(&self, step: &Step<'_>, parts: Parts) -> (f64, bool) {
        let safe = match parts {
            Parts::Hulls => step.best_of_hulls(),
            Parts::Nodes([a, b]) => {
                step.best_of_boxes([self.trees[0].volume(a), self.trees[1].volume(b)])
            }
            Parts::Triangles(numbers) => step.best_of_triangles(numbers),
        };
        safe.map_or((step.from, false), |safe| (step.until(safe.time), safe.is_loose))
    }

    /// Adds what is below parts that are apart until `now`.
    pub(super) fn open(&mut self, parts: Parts, now: f64) {
        let nodes = match (parts, self.trees.map(Bvh::root)) {
            (Parts::Hulls, [Some(a), Some(b)]) => return self.add(Parts::Nodes([a, b]), now),
            (Parts::Nodes(nodes), _) => nodes,
            _ => return,
        };
        match children(self.trees, nodes) {
            Children::Nodes([first, second]) => {
                self.add(Parts::Nodes(first), now);
                self.add(Parts::Nodes(second), now);
            }
            Children::Triangles([of_a, of_b]) => {
                for &s in of_a {
                    for &t in of_b {
                        self.add(Parts::Triangles([s, t]), now);
                    }
                }
            }
        }
    }
}
