//! Tests with true and false promises.

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use xcollide_bounds::Aabb;

use super::SpaceTime;
use crate::{
    AllPairs, Bounds, BroadPhase, DynamicTree, Everything, MotionBound, Pairs, ProxyError, ProxyId,
    ProxyIds,
};

/// The kind of promise that boxes make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Promise {
    True,
    /// The opposite velocity.
    Wrong,
    /// The true velocity, with no acceleration allowed.
    Rash,
    Missing,
    /// A random one of these at each update. Some boxes also jump, miss updates, or are removed, and their index
    /// is reused.
    Any,
}

/// A body that is attracted to the middle.
struct Body {
    id: ProxyId,
    at: [f64; 3],
    velocity: [f64; 3],
    side: f64,
}

/// The largest change of the velocity on an axis in a call.
const PULL: f64 = 0.002;

struct Swarm {
    random: Pcg64Mcg,
    ids: ProxyIds,
    bodies: Vec<Body>,
}

impl Swarm {
    fn new(seed: u64, count: usize) -> Self {
        let random = Pcg64Mcg::seed_from_u64(seed);
        let mut swarm = Self { random, ids: ProxyIds::new(), bodies: Vec::new() };
        for _ in 0..count {
            let body = Body {
                id: swarm.ids.issue(),
                at: swarm.vector(8.0),
                velocity: swarm.vector(0.05),
                side: 1.0 + swarm.between(-0.5, 1.0),
            };
            swarm.bodies.push(body);
        }
        swarm
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self, reach: f64) -> [f64; 3] {
        [(); 3].map(|()| self.between(-reach, reach))
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_u64() % limit
    }

    /// The bounds of a body, with a promise. In t calls, the change of the velocity adds up to t(t + 1)/2 times
    /// the pull, which is at most t²/2 times twice the pull.
    fn bounds(body: &Body, promise: Promise) -> Bounds {
        let bounds = Bounds::new(Aabb::new(body.at, body.at.map(|c| c + body.side)));
        let honest = MotionBound {
            velocity: body.velocity,
            acceleration: 2.0 * PULL,
            ..MotionBound::default()
        };
        match promise {
            Promise::True => bounds.motion(honest),
            Promise::Rash => bounds.motion(MotionBound { acceleration: 0.0, ..honest }),
            Promise::Wrong => {
                bounds.motion(MotionBound { velocity: body.velocity.map(|v| -v), ..honest })
            }
            Promise::Missing | Promise::Any => bounds,
        }
    }

    fn step(&mut self, promise: Promise) -> Vec<(ProxyId, Bounds)> {
        let mut updates = Vec::new();
        for index in 0..self.bodies.len() {
            let body = &mut self.bodies[index];
            for axis in 0..3 {
                body.velocity[axis] -= PULL * (body.at[axis] / 8.0).clamp(-1.0, 1.0);
                body.at[axis] += body.velocity[axis];
            }
            let mut said = promise;
            if promise == Promise::Any {
                if self.below(50) == 0 {
                    self.bodies[index].at = self.vector(8.0);
                }
                if self.below(10) == 0 {
                    continue;
                }
                let promises = [Promise::True, Promise::Wrong, Promise::Rash, Promise::Missing];
                said = promises[self.below(4) as usize];
            }
            let body = &self.bodies[index];
            updates.push((body.id, Self::bounds(body, said)));
        }
        updates
    }

    /// Replaces a body by another of the same index; returns both ids.
    fn replace(&mut self) -> (ProxyId, usize) {
        let index = self.below(self.bodies.len() as u64) as usize;
        let old = self.bodies[index].id;
        assert!(self.ids.retire(old));
        let at = self.vector(8.0);
        self.bodies[index] = Body { id: self.ids.issue(), at, ..self.bodies[index] };
        (old, index)
    }
}

#[derive(Debug, Default)]
struct Totals {
    pairs: usize,
    changes: usize,
    broken: u64,
    tests: u64,
    moves: u64,
    /// Tests by a dynamic tree.
    tree_tests: u64,
}

/// Simulates a swarm, and compares every answer with the reference.
fn play(promise: Promise, seed: u64, frames: usize) -> Result<Totals, ProxyError> {
    let mut swarm = Swarm::new(seed, 60);
    let (mut subject, mut referee) = (SpaceTime::new(), AllPairs::new());
    let mut tree = DynamicTree::new();
    let (mut found, mut expected) = (Pairs::new(), Pairs::new());
    let mut totals = Totals::default();
    for body in &swarm.bodies {
        let first = Swarm::bounds(body, promise);
        subject.insert(body.id, &first)?;
        referee.insert(body.id, &first)?;
        tree.insert(body.id, &first)?;
    }
    for frame in 0..frames {
        if frame > 0 {
            for (id, bounds) in swarm.step(promise) {
                subject.update(id, &bounds)?;
                referee.update(id, &bounds)?;
                tree.update(id, &bounds)?;
            }
            if promise == Promise::Any && frame % 3 == 0 {
                let (old, index) = swarm.replace();
                let body = &swarm.bodies[index];
                let bounds = Swarm::bounds(body, Promise::Rash);
                for broad in [&mut subject as &mut dyn BroadPhase, &mut referee, &mut tree] {
                    broad.remove(old)?;
                    broad.insert(body.id, &bounds)?;
                }
            }
        }
        referee.pairs(&Everything, &mut expected);
        subject.pairs(&Everything, &mut found);
        assert_eq!(found, expected, "{promise:?}, seed {seed}, frame {frame}");
        totals.pairs += found.overlapping.len();
        totals.changes += found.appeared.len() + found.vanished.len();
        totals.broken += subject.finder().broken_promises();
        totals.tests += subject.stats().tests;
        totals.moves += subject.stats().moves;
        tree.pairs(&Everything, &mut found);
        totals.tree_tests += tree.stats().tests;
    }
    Ok(totals)
}

#[test]
fn pairs_are_those_of_the_referee_whatever_is_promised() -> Result<(), ProxyError> {
    let promises = [Promise::True, Promise::Wrong, Promise::Rash, Promise::Missing, Promise::Any];
    for promise in promises {
        for seed in 0..6 {
            let totals = play(promise, seed, 250)?;
            assert!(totals.changes > 100, "{promise:?}: this shows little: {totals:?}");
            assert_eq!(totals.broken == 0, promise == Promise::True, "{promise:?}: {totals:?}");
        }
    }
    Ok(())
}

#[test]
fn sleeping_pairs_are_not_tested() -> Result<(), ProxyError> {
    let totals = play(Promise::True, 9, 400)?;
    // A pair that overlaps is always tested; of the other pairs, only awake ones.
    let in_vain = |tests: u64| tests - totals.pairs as u64;
    assert!(4 * in_vain(totals.tests) < in_vain(totals.tree_tests), "{totals:?}");
    assert!(20 * totals.tests < 400 * (60 * 59 / 2), "{totals:?}");
    Ok(())
}

/// Obsolete events of broken horns must not accumulate in the calendar.
#[test]
fn broken_promises_do_not_use_up_memory() -> Result<(), ProxyError> {
    let mut broad = SpaceTime::new();
    let mut ids = ProxyIds::new();
    let all: Vec<_> = (0..80).map(|_| ids.issue()).collect();
    let mut pairs = Pairs::new();
    let mut most = [0; 2];
    for call in 0..2000_u32 {
        for (k, id) in (0_u32..).zip(&all) {
            // Oscillates by more than was promised, towards the next box and back.
            let x = f64::from(k * 12) + f64::from(call % 2);
            let aabb = Aabb::new([x, 0.0, 0.0], [x + 10.0, 10.0, 10.0]);
            let velocity = [if k % 2 == 0 { 0.05 } else { -0.05 }, 0.0, 0.0];
            let bounds = Bounds::new(aabb).motion(MotionBound {
                velocity,
                acceleration: 0.0,
                ..MotionBound::default()
            });
            match call {
                0 => broad.insert(*id, &bounds)?,
                _ => broad.update(*id, &bounds)?,
            }
        }
        broad.pairs(&Everything, &mut pairs);
        assert!(call < 2 || broad.finder().broken_promises() == 80);
        let half = usize::from(call >= 200);
        most[half] = most[half].max(broad.bytes());
    }
    assert!(most[1] <= most[0], "{most:?}");
    Ok(())
}

/// Bodies that fall past boxes above and below them. That nothing accelerates upwards spares tests, and changes no pair.
#[test]
fn what_falls_is_not_tested_with_what_is_above() -> Result<(), ProxyError> {
    let mut tests = [0; 2];
    for (never_towards, tests) in [[0.0; 3], [0.0, 0.0, 2.0]].into_iter().zip(&mut tests) {
        let (mut subject, mut referee) = (SpaceTime::new(), AllPairs::new());
        let mut ids = ProxyIds::new();
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let mut coordinate = || (random.next_u64() >> 11) as f64 / (1_u64 << 50) as f64;
        let bodies: Vec<_> =
            (0..60).map(|_| (ids.issue(), [(); 3].map(|()| coordinate()))).collect();
        let (mut found, mut expected, mut pairs) = (Pairs::new(), Pairs::new(), 0);
        for call in 0..120_u32 {
            for (number, (id, start)) in bodies.iter().enumerate() {
                let fallen = if number % 3 == 0 { 0.0 } else { 1e-4 * f64::from(call * call) };
                let corner = [start[0], start[1], start[2] - 0.5 * fallen];
                let velocity = [0.0, 0.0, if fallen > 0.0 { -1e-4 * f64::from(call) } else { 0.0 }];
                let acceleration = if number % 3 == 0 { 0.0 } else { 1.1e-4 };
                let motion = MotionBound { velocity, acceleration, never_towards };
                let bounds = Bounds::new(Aabb::new(corner, corner.map(|c| c + 1.0))).motion(motion);
                for broad in [&mut subject as &mut dyn BroadPhase, &mut referee] {
                    match call {
                        0 => broad.insert(*id, &bounds)?,
                        _ => broad.update(*id, &bounds)?,
                    }
                }
            }
            subject.pairs(&Everything, &mut found);
            referee.pairs(&Everything, &mut expected);
            assert_eq!(found, expected, "{call}");
            assert_eq!(subject.finder().broken_promises(), 0);
            *tests += subject.stats().tests;
            pairs += found.overlapping.len() as u64;
        }
        assert!(pairs > 500);
        *tests -= pairs;
    }
    let [blind, cut] = tests;
    assert!(10 * cut < 9 * blind, "{cut} {blind}");
    Ok(())
}
