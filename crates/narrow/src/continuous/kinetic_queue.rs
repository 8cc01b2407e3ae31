//! A queue of pairs of parts of two moving bodies, each with a time until which the pair is proved apart: certificates
//! with failure times, as in kinetic data structures (Basch, Guibas and Hershberger, *Data structures for mobile data*,
//! 1999).
//!
//! The parts are nodes of the hierarchies or triangles, and together the pairs are all pairs of triangles. So the bodies
//! are apart until the earliest time in the queue. The pair that has it is looked at again from that time on: it goes back
//! into the queue with a later time, or its children do. A pair that is apart for the rest of the motion is left out.
//!
//! Surfaces that are close to each other everywhere make millions of pairs that wait at the same time. Once the queue is full,
//! the search follows one pair to the end, depth first, before it looks at the next: this takes hardly any memory, though more
//! time if there is a contact.

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

impl Waiting {
    fn time(&self) -> f64 {
        f64::from_bits(self.until.0)
    }

    fn look(&self) -> Look {
        let &Self { parts, looks, is_loose, .. } = self;
        Look { parts, until: self.time(), looks, is_loose }
    }
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

/// The most pairs that wait in order of time, at 40 bytes each.
pub(super) const ROOM: usize = 1 << 22;

pub(super) struct KineticQueue<'a> {
    bodies: Bodies<'a>,
    trees: [&'a Bvh<Obb>; 2],
    queue: BinaryHeap<Waiting>,
    /// The most pairs in the queue.
    room: usize,
    /// Those for which there was no room; the last is looked at first.
    deep: Vec<Waiting>,
    /// All pairs are apart until this time.
    apart_until: f64,
    /// What is apart until then needs no other look.
    end: f64,
    serial: u32,
    /// From the latest time at which parts were looked at.
    step: Step<'a>,
    /// How often parts were looked at.
    looks: usize,
}

impl<'a> KineticQueue<'a> {
    /// The two bodies, apart until time 0; the queue holds at most `room` pairs. `None` if a model is too large for a
    /// hierarchy.
    pub(super) fn new(bodies: Bodies<'a>, room: usize) -> Option<Self> {
        let trees = bodies.trees()?;
        let step = Step::to_search(&bodies, 0.0, 1.0);
        let mut queue = Self {
            bodies,
            trees,
            queue: BinaryHeap::new(),
            room,
            deep: Vec::new(),
            apart_until: 0.0,
            end: 1.0,
            serial: 0,
            step,
            looks: 0,
        };
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

    /// The bodies are apart until this time.
    pub(super) fn apart_until(&self) -> f64 {
        self.apart_until
    }

    /// Takes out the parts to look at next; `None` if the bodies are apart until the end.
    pub(super) fn pop(&mut self) -> Option<Look> {
        while let Some(last) = self.deep.pop() {
            if last.time() < self.end {
                return Some(last.look());
            }
        }
        match self.queue.pop().filter(|first| first.time() < self.end) {
            Some(first) => {
                self.apart_until = first.time();
                Some(first.look())
            }
            None => {
                self.apart_until = self.end;
                None
            }
        }
    }

    pub(super) fn push(&mut self, Look { parts, until, looks, is_loose }: Look) {
        if until < self.end {
            self.serial = self.serial.wrapping_add(1);
            let until = Reverse(until.to_bits());
            let waiting = Waiting { until, serial: self.serial, parts, looks, is_loose };
            if self.queue.len() < self.room {
                self.queue.push(waiting);
            } else {
                self.deep.push(waiting);
            }
        }
    }

    /// Brings the end forward: it does not matter what happens from then on.
    pub(super) fn end_at(&mut self, time: f64) {
        self.end = self.end.min(time);
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

#[cfg(test)]
mod tests {
    use xcollide_math::{Motion, Pose};

    use crate::continuous::{MotionVerdict, Moving, Search};
    use crate::{Model, Query};

    /// Whatever the room, contacts are found in the same intervals, and proofs hold.
    #[test]
    fn without_room_the_answers_are_the_same() -> Result<(), Box<dyn std::error::Error>> {
        let model = |spec: &str| -> Result<Model, Box<dyn std::error::Error>> {
            Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
        };
        let models = [model("shape:torus?faces=400")?, model("shape:knot?faces=600")?];
        let mut random = xcollide_scenes::Random::new(5);
        let mut collide = 0;
        for case in 0..60 {
            let mut pose = || {
                let mut number = || random.between(-1.0, 1.0);
                let quaternion = [number(), number(), number(), number()];
                let length = quaternion.iter().map(|x| x * x).sum::<f64>().sqrt();
                let rotation = quaternion.map(|x| x / length);
                let away = [0, 1, 2].map(|_| 2.5 * number());
                Pose::from_quaternion(rotation, away)
            };
            let motions = [Motion::screw(pose()?, pose()?)?, Motion::screw(pose()?, pose()?)?];
            let (a, b) = (&models[case % 2], &models[case / 2 % 2]);
            let (a, b) = (Moving::new(a, &motions[0]), Moving::new(b, &motions[1]));
            let query = Query::new();
            let of = |room| Search::new(a, b, &query, room).run(1e-6);
            let ample = of(super::ROOM)?;
            collide += usize::from(matches!(ample, MotionVerdict::Collides { .. }));
            for room in [0, 1, 7, 100] {
                let tight = of(room)?;
                tight.verify(a, b, query.semantics)?;
                match (ample.interval(), tight.interval()) {
                    (Some(one), Some(other)) => {
                        assert!(one.lo <= other.hi && other.lo <= one.hi, "{one:?} {other:?}");
                        assert!(other.hi - other.lo <= 1e-6, "{other:?}");
                    }
                    (one, other) => assert_eq!(one, other),
                }
            }
        }
        assert!((10..50).contains(&collide), "{collide}");
        Ok(())
    }
}
