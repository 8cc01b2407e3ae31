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

use xcollide_bvh::NodePair;
use xcollide_bvh::wide::WideTree;

use super::body_in_motion::{Bodies, Step};
use super::safe_time::Effort;
use super::trees_in_motion::{Siblings, TreesInMotion, Until};
use super::waiting_parts::{Look, Parts, WaitingParts};
use crate::hierarchy::prepared::prepared;

/// The most pairs, with their siblings, that wait in order of time, at some 150 bytes each.
pub(super) const ROOM: usize = 1 << 20;

/// Bounds from a time on are made anew after so long.
const STALE: f64 = 1.0 / 64.0;

/// Triangles that were looked at more often are looked at more closely.
const FEW_LOOKS: u32 = 3;

pub(super) struct KineticQueue<'a> {
    bodies: Bodies<'a>,
    trees: [&'a WideTree; 2],
    /// The hierarchies from the time of a pair on, or one before.
    moving: TreesInMotion<'a>,
    waiting: WaitingParts,
    /// All pairs are apart until this time.
    apart_until: f64,
    /// From the latest time at which parts were looked at.
    step: Step<'a>,
    /// How often parts were looked at.
    looks: usize,
}

impl<'a> KineticQueue<'a> {
    /// The two bodies, apart until time 0; the queue holds at most `room` pairs. `None` if a model is too large for a
    /// hierarchy.
    pub(super) fn new(bodies: Bodies<'a>, room: usize) -> Option<Self> {
        let [a, b] = bodies.0.map(|body| prepared::<WideTree>(body.model));
        let trees = [a?, b?];
        let mut queue = Self {
            bodies,
            trees,
            moving: TreesInMotion::new(&bodies, trees, 0.0, 1.0)?,
            waiting: WaitingParts::new(room),
            apart_until: 0.0,
            step: Step::to_search(&bodies, 0.0, 1.0),
            looks: 0,
        };
        if queue.step.has_hulls() {
            queue.add(Parts::Hulls, 0.0);
        } else {
            queue.open(Parts::Hulls, 0.0);
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
        let deep = self.waiting.pop_deep();
        if deep.is_some() {
            return deep;
        }
        let first = self.waiting.pop();
        self.apart_until = first.map_or(self.waiting.end(), |first| first.until);
        first
    }

    pub(super) fn push(&mut self, look: Look) {
        self.waiting.push(look);
    }

    /// Brings the end forward: it does not matter what happens from then on.
    pub(super) fn end_at(&mut self, time: f64) {
        self.waiting.end_at(time);
    }

    /// Adds parts that are apart until `now`.
    fn add(&mut self, parts: Parts, now: f64) {
        let look = self.look(Look { parts, until: now, looks: 0, is_loose: true });
        self.push(look);
    }

    /// Looks at parts again, from their time on.
    pub(super) fn look(&mut self, Look { parts, until: now, looks, .. }: Look) -> Look {
        if let Parts::Nodes(pair) = parts {
            let Until { time, is_loose } = self.look_at_nodes(pair, now);
            return Look { parts, until: time.max(now), looks: looks + 1, is_loose };
        }
        self.looks += 1;
        // Most triangles are looked at once.
        let since = now - self.step.from;
        let oldest = if looks == 0 { STALE } else { 0.0 };
        if !(0.0..=oldest).contains(&since) {
            self.step = Step::to_search(&self.bodies, now, 1.0);
        }
        let (mut until, mut is_loose) = self.bound(&self.step, parts, looks);
        if until <= now && self.step.from < now {
            self.step = Step::to_search(&self.bodies, now, 1.0);
            (until, is_loose) = self.bound(&self.step, parts, looks);
        }
        // As for nodes.
        let horizon = now + 4.0 * (until - now);
        if !self.bodies.are_uniform() && now < horizon && horizon < now.midpoint(1.0) {
            let nearer = Step::to_search(&self.bodies, now, horizon);
            let (later, is_loose_then) = self.bound(&nearer, parts, looks);
            if later > until {
                (until, is_loose) = (later, is_loose_then || later >= horizon);
            }
        }
        Look { parts, until, looks: looks + 1, is_loose }
    }

    /// Until when parts are apart that are so at the beginning of a step, and whether that is loose.
    fn bound(&self, step: &Step<'_>, parts: Parts, looks: u32) -> (f64, bool) {
        let safe = match parts {
            Parts::Hulls => step.best_of_hulls(),
            Parts::Triangles(numbers) if looks < FEW_LOOKS => {
                let effort = if looks == 0 { Effort::Little } else { Effort::Whole };
                step.good_of_triangles(numbers, effort).or_else(|| step.best_of_triangles(numbers))
            }
            Parts::Triangles(numbers) => step.best_of_triangles(numbers),
            Parts::Nodes(_) => None,
        };
        safe.map_or((step.from, false), |safe| (step.until(safe.time), safe.is_loose))
    }

    /// Adds what is below parts that are apart until `now`.
    pub(super) fn open(&mut self, parts: Parts, now: f64) {
        match parts {
            Parts::Hulls => {
                let root = self.moving.root();
                let Until { time, is_loose } = self.moving.look(root);
                let parts = Parts::Nodes(root);
                self.push(Look { parts, until: time.max(now), looks: 0, is_loose });
            }
            Parts::Nodes(pair) => {
                if let Some([of_a, of_b]) = self.moving.triangles(pair) {
                    for &s in of_a {
                        for &t in of_b {
                            self.add(Parts::Triangles([s, t]), now);
                        }
                    }
                    return;
                }
                let mut below = self.look_below(pair, now);
                below.not_before(now);
                self.waiting.push_siblings(below);
            }
            Parts::Triangles(_) => {}
        }
    }

    /// Looks at a pair of nodes again, from its time on.
    fn look_at_nodes(&mut self, pair: NodePair, now: f64) -> Until {
        self.looks += 1;
        self.begin_at(now);
        let until = self.moving.look(pair);
        self.nearer(now, until.time).map_or(until, |nearer| until.or(nearer.look(pair)))
    }

    /// Until when what is below a pair of nodes is apart.
    fn look_below(&mut self, pair: NodePair, now: f64) -> Siblings {
        self.looks += 1;
        // Depth first, earlier pairs come after later ones.
        if self.moving.from > now || now - self.moving.from > STALE {
            self.begin_at(now);
        }
        let mut below = self.moving.below(pair);
        if below.first().is_some_and(|(_, until)| until <= now) && self.begin_at(now) {
            below = self.moving.below(pair);
        }
        let least = below.first().map_or(1.0, |(_, until)| until.min(1.0));
        if let Some(nearer) = self.nearer(now, least) {
            below.or(&nearer.below(pair), nearer.end());
        }
        below
    }

    /// The motion for a shorter time, over which the bounds on the speed may be narrower, if what they told was until a time.
    fn nearer(&self, now: f64, until: f64) -> Option<TreesInMotion<'a>> {
        let horizon = now + 4.0 * (until - now);
        let is_worth_it =
            !self.bodies.are_uniform() && now < horizon && horizon < now.midpoint(1.0);
        is_worth_it.then(|| TreesInMotion::new(&self.bodies, self.trees, now, horizon)).flatten()
    }

    /// Takes the motion from a time on, and tells whether that is new.
    fn begin_at(&mut self, now: f64) -> bool {
        if self.moving.from == now {
            return false;
        }
        if let Some(moving) = TreesInMotion::new(&self.bodies, self.trees, now, 1.0) {
            self.moving = moving;
        }
        true
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
