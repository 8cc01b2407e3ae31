//! Random histories of boxes that come, move, jump, grow and go.
#![allow(clippy::unwrap_used)]

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use xcollide_bounds::Aabb;
use xcollide_broad::{Bounds, BroadPhase, Mobility, MotionBound, ProxyId, ProxyIds};

/// What kind of place a history happens in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum World {
    /// Boxes of similar sizes, spread evenly.
    Even,
    /// Many in one corner, a few far away.
    Clustered,
    /// All on one plane, some of them flat.
    Flat,
    /// Cubes of one size.
    Equal,
    /// Sizes from 1 to 10,000, both ends often.
    Wide,
    /// Corners on integers, so that most neighbours just touch.
    Touching,
    /// Empty, unbounded, point-like and far-off boxes among ordinary ones.
    Strange,
    /// Most of it stands still.
    Still,
    /// Everything drifts slowly, as neighbour lists like it.
    Slow,
    /// A thousand boxes that travel, each on a way of its own, half of them with a promise of it; some
    /// large, some that rest.
    Crowd,
}

impl World {
    /// Those of some fifty boxes.
    pub(crate) const SMALL: [Self; 9] = [
        Self::Even,
        Self::Clustered,
        Self::Flat,
        Self::Equal,
        Self::Wide,
        Self::Touching,
        Self::Strange,
        Self::Still,
        Self::Slow,
    ];
}

/// One call to a broad phase.
#[derive(Clone, Debug)]
pub(crate) enum Event {
    Insert(ProxyId, Bounds),
    Update(ProxyId, Bounds),
    Remove(ProxyId),
}

impl Event {
    pub(crate) fn apply(&self, broad: &mut dyn BroadPhase) {
        match self {
            Self::Insert(id, bounds) => broad.insert(*id, bounds).unwrap(),
            Self::Update(id, bounds) => broad.update(*id, bounds).unwrap(),
            Self::Remove(id) => broad.remove(*id).unwrap(),
        }
    }
}

/// Makes up a history, the same for the same seed.
pub(crate) struct Recorder {
    world: World,
    /// How many boxes there are, more or less.
    crowd: u64,
    random: Pcg64Mcg,
    ids: ProxyIds,
    alive: Vec<(ProxyId, Bounds)>,
    started: bool,
}

impl Recorder {
    pub(crate) fn new(world: World, seed: u64) -> Self {
        Self::of(world, seed, if world == World::Crowd { 1000 } else { 40 })
    }

    /// With a crowd of this size.
    pub(crate) fn of(world: World, seed: u64, crowd: u64) -> Self {
        let random = Pcg64Mcg::seed_from_u64(seed);
        Self { world, crowd, random, ids: ProxyIds::new(), alive: Vec::new(), started: false }
    }

    /// The boxes that there are after the last frame.
    #[allow(dead_code, reason = "one of the test programs has a use for it")]
    pub(crate) fn alive(&self) -> impl Iterator<Item = &Bounds> {
        self.alive.iter().map(|(_, bounds)| bounds)
    }

    /// The calls before the next question.
    pub(crate) fn next_frame(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        // On average one in a frame, or four.
        let some = if self.world == World::Crowd { 9 } else { 3 };
        let newcomers = if self.started { self.below(some) } else { self.crowd };
        self.started = true;
        for _ in 0..newcomers {
            let id = self.ids.issue();
            let bounds = self.bounds();
            self.alive.push((id, bounds.clone()));
            events.push(Event::Insert(id, bounds));
        }
        for index in 0..self.alive.len() {
            if let Some(bounds) = self.moved(index) {
                self.alive[index].1 = bounds.clone();
                events.push(Event::Update(self.alive[index].0, bounds));
            }
        }
        // Some come and go within a frame; some indices get a new owner at once.
        let crowd = self.alive.len() as u64;
        let leavers = self.below(3) + (some - 2) * crowd / self.crowd;
        let leavers = leavers.min(crowd.saturating_sub(self.crowd / 2));
        for _ in 0..leavers {
            let index = self.below(self.alive.len() as u64) as usize;
            let (id, _) = self.alive.swap_remove(index);
            assert!(self.ids.retire(id));
            events.push(Event::Remove(id));
            if self.below(2) == 0 {
                let id = self.ids.issue();
                let bounds = self.bounds();
                self.alive.push((id, bounds.clone()));
                events.push(Event::Insert(id, bounds));
            }
        }
        events
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.random.next_u64() % limit
    }

    /// Between 0 and 1.
    fn unit(&mut self) -> f64 {
        (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A point around the origin.
    fn at(&mut self, reach: f64) -> [f64; 3] {
        [(); 3].map(|()| self.between(-reach, reach))
    }

    fn bounds(&mut self) -> Bounds {
        let aabb = self.aabb();
        let still = match self.world {
            World::Still => 10,
            World::Touching | World::Strange | World::Wide => 4,
            World::Crowd => 1,
            _ => 0,
        };
        let is_still = self.below(11) < still;
        let mobility = if is_still { Mobility::Static } else { Mobility::Moving };
        let bounds = Bounds::new(aabb).mobility(mobility);
        if self.world == World::Crowd && !is_still && self.below(2) == 0 {
            let velocity = self.at(0.1);
            return bounds.motion(MotionBound {
                velocity,
                acceleration: 1e-3,
                ..MotionBound::default()
            });
        }
        bounds
    }

    fn aabb(&mut self) -> Aabb {
        let cube = |corner: [f64; 3], side: f64| Aabb::new(corner, corner.map(|c| c + side));
        match self.world {
            World::Even | World::Still | World::Slow => {
                let (corner, size) = (self.at(5.0), self.at(0.5));
                let side = |axis: usize| corner[axis] + 1.0 + size[axis];
                Aabb::new(corner, [side(0), side(1), side(2)])
            }
            World::Clustered => {
                let crowd = if self.below(5) > 0 { 1.5 } else { 300.0 };
                let corner = [(); 3].map(|()| 7.0 + self.between(-crowd, crowd));
                let side = self.between(0.2, 0.7);
                cube(corner, side)
            }
            World::Flat => {
                let corner = self.at(4.0);
                let height = if self.below(2) == 0 { 0.0 } else { 1.0 };
                Aabb::new([corner[0], corner[1], 0.0], [corner[0] + 1.0, corner[1] + 1.0, height])
            }
            World::Equal => cube(self.at(4.0), 1.0),
            World::Wide => {
                let exponent = match self.below(8) {
                    0 => 0.0,
                    1 => 4.0,
                    _ => self.between(0.0, 4.0),
                };
                let side = libm::exp10(exponent) / 100.0;
                let corner = [(); 3].map(|()| self.between(-8.0, 8.0) - 0.5 * side);
                cube(corner, side)
            }
            World::Crowd => {
                let (corner, size) = (self.at(9.0), self.at(0.5));
                let times = if self.below(50) == 0 { 6.0 } else { 1.0 };
                Aabb::new(corner, [0, 1, 2].map(|axis| corner[axis] + times * (1.0 + size[axis])))
            }
            World::Touching => {
                let corner = [(); 3].map(|()| self.below(6) as f64);
                let far = corner.map(|c| c + self.below(3) as f64);
                Aabb::new(corner, far)
            }
            World::Strange => self.strange(),
        }
    }

    fn strange(&mut self) -> Aabb {
        let near = self.at(3.0);
        let all = f64::INFINITY;
        match self.below(13) {
            0 => Aabb::EMPTY,
            1 => Aabb::new([1.0, -1.0, 0.0], [0.0, 1.0, 9.0]),
            2 => Aabb::new([-all; 3], [all; 3]),
            3 => Aabb::new([near[0], -all, near[2]], [near[0] + 0.5, all, near[2] + 0.5]),
            4 => Aabb::new(near, near),
            5 => Aabb::new([1e300; 3], [1.1e300; 3]),
            6 => Aabb::new(near.map(|c| 1e15 + c), near.map(|c| 1e15 + 2.0 + c)),
            7 => Aabb::new([-1e9, near[1], near[2]], [1e9, near[1], near[2] + 1.0]),
            8 => Aabb::new(near, near.map(|c| c + 1e-300)),
            9 => Aabb::new([-0.0; 3], [0.0; 3]),
            10 => Aabb::new([-f64::MAX; 3], [f64::MAX, near[1], f64::MAX]),
            _ => Aabb::new(near, near.map(|c| c + 1.5)),
        }
    }

    /// The next bounds of a box, `None` where it is not updated.
    fn moved(&mut self, index: usize) -> Option<Bounds> {
        let old = self.alive[index].1.clone();
        let teleports = self.below(60) == 0;
        if self.world != World::Slow && teleports {
            return Some(self.bounds());
        }
        let still = old.mobility == Mobility::Static;
        if still && self.below(40) > 0 || !still && self.below(8) == 0 {
            return None;
        }
        if still && self.below(2) == 0 {
            // Static becomes moving.
            return Some(Bounds::new(old.aabb));
        }
        if self.world == World::Crowd && self.below(10) > 0 {
            return Some(self.travelled(index, old));
        }
        let step = match self.world {
            World::Touching => 1.0,
            World::Slow => 0.01,
            _ => 0.2,
        };
        let mut aabb = old.aabb;
        let grows = self.below(12) == 0;
        for axis in 0..3 {
            let mut by = self.between(-step, step);
            if self.world == World::Touching {
                by = by.signum();
            }
            if self.world == World::Flat && axis == 2 {
                by = 0.0;
            }
            aabb.min[axis] += by;
            aabb.max[axis] += by;
            if grows && self.world == World::Wide {
                // By little, so that the small ones stay small.
                aabb.max[axis] += 0.05 * (aabb.max[axis] - aabb.min[axis]);
            } else if grows && self.world != World::Equal {
                aabb.max[axis] += step;
            }
        }
        let wandered = aabb.min.iter().any(|c| c.is_nan()) || aabb.max.iter().any(|c| c.is_nan());
        let mut bounds = old;
        if !wandered {
            bounds.aabb = aabb;
        }
        Some(bounds)
    }

    /// A box one frame further on its way: the one that it has promised, or one that follows from its
    /// number.
    fn travelled(&mut self, index: usize, mut bounds: Bounds) -> Bounds {
        let number = self.alive[index].0.index();
        let velocity = bounds.motion.as_ref().map_or_else(
            || [7, 11, 13].map(|prime| 0.02 * (f64::from(number % prime) / 6.0 - 1.0)),
            |motion| motion.velocity,
        );
        for (axis, by) in velocity.into_iter().enumerate() {
            bounds.aabb.min[axis] += by;
            bounds.aabb.max[axis] += by;
        }
        bounds
    }
}
