//! Neighbour lists in crowds where lists live long: most boxes do what is expected of them, and
//! some do not. After every frame the pairs are those of the referee.
#![allow(clippy::unwrap_used)]

use std::array::from_fn;

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use xcollide_bounds::Aabb;
use xcollide_broad::{
    AllPairs, Auto, Bounds, BroadPhase, Everything, HashGrid, Mobility, NeighbourList,
    NeighbourListFinder, PairManager, Pairs, ProxyId, ProxyIds, SweepFinder, WideTreeFinder,
};
use xcollide_fixtures::Random;

/// How the boxes of a crowd move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Course {
    /// Straight on, turned round at the walls.
    Straight,
    /// To and fro.
    Jitter,
    /// Straight on, while all boxes shrink fast and grow again.
    Pulse,
    /// Straight on, and one in a hundred jumps.
    Jumps,
    /// Nine of ten are static and stay so.
    Parked,
    /// Nine of ten are static, and now and then one of them is moved, or made smaller.
    Still,
    /// Some come and some go, in every frame.
    Churn,
    /// Nine of ten are static; for twenty frames some come and some fall asleep, then for twenty some
    /// go and some wake up.
    Sleep,
    /// All of them jump.
    Chaos,
}

pub(crate) struct Crowd {
    course: Course,
    /// The side of the space.
    room: f64,
    random: Pcg64Mcg,
    ids: ProxyIds,
    frame: usize,
    boxes: Vec<(ProxyId, Bounds, [f64; 3])>,
}

impl Crowd {
    /// For some hundred boxes.
    pub(crate) const ROOM: f64 = 14.0;

    pub(crate) fn new(course: Course, room: f64, seed: u64) -> Self {
        let random = Pcg64Mcg::seed_from_u64(seed);
        Self { course, room, random, ids: ProxyIds::new(), frame: 0, boxes: Vec::new() }
    }

    pub(crate) fn turn_to(&mut self, course: Course) {
        self.course = course;
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.random.next_u64().is_multiple_of(many)
    }

    fn place(&mut self) -> Aabb {
        let corner = [(); 3].map(|()| self.between(0.0, self.room));
        let side = [(); 3].map(|()| self.between(0.3, 1.3));
        Aabb::new(corner, [0, 1, 2].map(|axis| corner[axis] + side[axis]))
    }

    pub(crate) fn enter(&mut self, all: &mut [Box<dyn BroadPhase>]) {
        let is_static = matches!(self.course, Course::Parked | Course::Still | Course::Sleep)
            && !self.one_in(10);
        let mobility = if is_static { Mobility::Static } else { Mobility::Moving };
        let bounds = Bounds::new(self.place()).mobility(mobility);
        let velocity = [(); 3].map(|()| self.between(-0.06, 0.06));
        let id = self.ids.issue();
        for broad in all {
            broad.insert(id, &bounds).unwrap();
        }
        self.boxes.push((id, bounds, velocity));
    }

    fn leave(&mut self, all: &mut [Box<dyn BroadPhase>]) {
        let at = self.random.next_u64() as usize % self.boxes.len();
        let (id, ..) = self.boxes.swap_remove(at);
        self.ids.retire(id);
        for broad in all {
            broad.remove(id).unwrap();
        }
    }

    pub(crate) fn step(&mut self, all: &mut [Box<dyn BroadPhase>]) {
        let is_evening = (self.frame / 20).is_multiple_of(2);
        self.frame += 1;
        for at in 0..self.boxes.len() {
            let jumps = match self.course {
                Course::Chaos => true,
                Course::Jumps => self.one_in(100),
                Course::Still => self.one_in(4000),
                _ => false,
            };
            let anywhere = self.place();
            let to_and_fro = [(); 3].map(|()| self.between(-0.05, 0.05));
            let sleeper = if is_evening { Mobility::Moving } else { Mobility::Static };
            let turns = matches!(self.course, Course::Sleep)
                && self.boxes[at].1.mobility == sleeper
                && self.one_in(100);
            // Ten frames each way, by a twelfth of the first size.
            let pulse = if matches!(self.course, Course::Pulse) {
                if (self.frame / 10).is_multiple_of(2) { 0.045 } else { -0.045 }
            } else {
                0.0
            };
            let shrinks = matches!(self.course, Course::Still) && self.one_in(3000);
            let (id, bounds, velocity) = &mut self.boxes[at];
            if turns {
                bounds.mobility = match bounds.mobility {
                    Mobility::Static => Mobility::Moving,
                    Mobility::Moving => Mobility::Static,
                };
            }
            if shrinks {
                let Aabb { min, max } = &mut bounds.aabb;
                *max = [0, 1, 2].map(|axis| 0.5 * (min[axis] + max[axis]));
            }
            if jumps {
                bounds.aabb = anywhere;
            } else if bounds.mobility == Mobility::Static {
                if !(shrinks || turns) {
                    continue;
                }
            } else {
                for axis in 0..3 {
                    let Aabb { min, max } = &mut bounds.aabb;
                    if min[axis] < 0.0 {
                        velocity[axis] = velocity[axis].abs();
                    } else if max[axis] > self.room {
                        velocity[axis] = -velocity[axis].abs();
                    }
                    let jitter = matches!(self.course, Course::Jitter);
                    let by = if jitter { to_and_fro[axis] } else { velocity[axis] };
                    // Thin boxes stay as they are.
                    let pulse =
                        if max[axis] - min[axis] > 0.1 || pulse < 0.0 { pulse } else { 0.0 };
                    min[axis] += by + pulse;
                    max[axis] += by - pulse;
                }
            }
            for broad in &mut *all {
                broad.update(*id, bounds).unwrap();
            }
        }
        let [comes, goes] = match self.course {
            Course::Churn => [true; 2],
            Course::Sleep => [is_evening, !is_evening],
            _ => [false; 2],
        };
        for _ in 0..3 {
            if goes {
                self.leave(all);
            }
            if comes {
                self.enter(all);
            }
        }
    }
}

/// Plays a crowd to lists of all kinds and the referee; returns the frames in which the first of
/// them made a list, and the number of pairs that came and went.
fn play(course: Course, seed: u64, frames: usize) -> (u64, usize) {
    let mut all: Vec<Box<dyn BroadPhase>> = vec![
        Box::new(AllPairs::new()),
        Box::new(NeighbourList::new()),
        Box::new(NeighbourList::parallel()),
        Box::new(PairManager::<NeighbourListFinder<WideTreeFinder>>::new()),
        Box::new(PairManager::over(NeighbourListFinder::<SweepFinder>::with_margin(0.2))),
        Box::new(Auto::new()),
        Box::new(Auto::parallel()),
    ];
    let mut crowd = Crowd::new(course, Crowd::ROOM, seed);
    for _ in 0..500 {
        crowd.enter(&mut all);
    }
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let (mut made, mut changes) = (0, 0);
    for frame in 0..frames {
        crowd.step(&mut all);
        let picky = |a: ProxyId, b: ProxyId| !(a.index() + b.index()).is_multiple_of(3);
        for (which, broad) in all.iter_mut().enumerate() {
            let pairs = if which == 0 { &mut expected } else { &mut found };
            if frame % 16 == 15 {
                broad.pairs(&picky, pairs);
            } else {
                broad.pairs(&Everything, pairs);
            }
            if which > 0 {
                assert_eq!(found, expected, "subject {which}, frame {frame} of {course:?}");
            }
        }
        changes += expected.appeared.len() + expected.vanished.len();
        made += all[1].stats().moves;
    }
    (made, changes)
}

#[test]
fn lists_that_live_long_have_the_pairs_of_the_referee() {
    use Course::{Chaos, Churn, Jitter, Jumps, Sleep, Still, Straight};
    let courses = [(Straight, 20), (Jitter, 50), (Jumps, 50), (Still, 20), (Churn, 50)];
    for (course, most) in courses.into_iter().chain([(Sleep, 40), (Chaos, 80)]) {
        let (made, changes) = play(course, 3, 80);
        assert!(made <= most, "{course:?}: {made} lists in 80 frames");
        assert!(changes > 300, "{course:?}: {changes} changes show little");
    }
}

/// A box that leaves, jumps or comes is looked up by itself; the list of the others lives on.
#[test]
fn a_stray_does_not_cost_a_list() {
    let mut broad = NeighbourList::new();
    let mut pairs = Pairs::new();
    let mut ids = ProxyIds::new();
    let cube = |x: f64| Bounds::new(Aabb::new([x, 0.0, 0.0], [x + 1.0; 3].map(|c| c.max(1.0))));
    let all: Vec<ProxyId> = (0..200).map(|_| ids.issue()).collect();
    for (k, &id) in all.iter().enumerate() {
        broad.insert(id, &cube(3.0 * k as f64)).unwrap();
    }
    let until_list = (1..30).find(|_| {
        broad.pairs(&Everything, &mut pairs);
        broad.stats().moves == 1
    });
    assert!(until_list.is_some_and(|frames| frames > 7), "{until_list:?}: made in steps");
    let before = pairs.overlapping.len();
    // On top of another, then the newcomer on both.
    broad.update(all[7], &cube(60.0)).unwrap();
    broad.pairs(&Everything, &mut pairs);
    assert_eq!(broad.stats().moves, 0);
    assert!(pairs.overlapping.len() != before && !pairs.appeared.is_empty());
    let newcomer = ids.issue();
    broad.insert(newcomer, &cube(60.0)).unwrap();
    broad.pairs(&Everything, &mut pairs);
    assert_eq!(broad.stats().moves, 0);
    assert!(pairs.appeared.iter().any(|pair| pair.a == all[7] && pair.b == newcomer));
}

/// So many leave their places that they are not compared all with all, and still the list lives on:
/// they meet each other, boxes of the list, and each other's places of frames before.
#[test]
fn strays_by_the_hundred_have_the_pairs_of_the_referee() {
    const JUMPING: usize = 300;
    let mut crowd = Crowd::new(Course::Straight, Crowd::ROOM, 5);
    let mut all: Vec<Box<dyn BroadPhase>> = vec![
        Box::new(HashGrid::new()),
        Box::new(NeighbourList::new()),
        Box::new(NeighbourList::parallel()),
        Box::new(PairManager::<NeighbourListFinder<WideTreeFinder>>::new()),
    ];
    for _ in 0..6000 {
        crowd.enter(&mut all);
    }
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let (mut lived_on, mut changes) = (0, 0);
    for frame in 0..24 {
        // Now these, now those, so that there are older ones.
        for at in (0..JUMPING).map(|at| at + frame % 2 * JUMPING) {
            let aabb = crowd.place();
            let (id, bounds, _) = &mut crowd.boxes[at];
            bounds.aabb = aabb;
            for broad in &mut all {
                broad.update(*id, bounds).unwrap();
            }
        }
        all[0].pairs(&Everything, &mut expected);
        for (which, broad) in all.iter_mut().enumerate().skip(1) {
            broad.pairs(&Everything, &mut found);
            assert_eq!(found, expected, "subject {which}, frame {frame}");
        }
        lived_on += u64::from(all[1].stats().moves == 0);
        changes += expected.vanished.len();
    }
    assert!(lived_on > 8, "{lived_on} frames with strays, of 24");
    assert!(changes > 1000, "{changes} changes show little");
}

/// Boxes that rest are in one list for ever, once it is known that they do.
#[test]
fn what_rests_costs_one_list() {
    let mut broad = NeighbourList::new();
    let mut crowd = Crowd::new(Course::Straight, Crowd::ROOM, 9);
    let mut all: Vec<Box<dyn BroadPhase>> = Vec::new();
    for _ in 0..300 {
        crowd.enter(&mut all);
    }
    for (id, bounds, _) in &crowd.boxes {
        broad.insert(*id, bounds).unwrap();
    }
    let mut pairs = Pairs::new();
    let mut made = 0;
    for _ in 0..100 {
        for (id, bounds, _) in &crowd.boxes {
            broad.update(*id, bounds).unwrap();
        }
        broad.pairs(&Everything, &mut pairs);
        made += broad.stats().moves;
    }
    // It is made when it is known that nothing moves.
    assert_eq!(made, 1);
    assert!(!pairs.overlapping.is_empty());
}

/// Boxes so far out that they have no courses grow and shrink as if they turned: they are expected in a place instead, in
/// which all their pairs are known.
#[test]
fn boxes_far_out_that_seem_to_turn_have_the_pairs_of_the_referee() {
    let mut random = Random::new(21);
    let (mut referee, mut lists) = (AllPairs::new(), NeighbourList::new());
    let mut ids = ProxyIds::new();
    let mut boxes: Vec<(ProxyId, [f64; 3], f64)> = Vec::new();
    for _ in 0..60 {
        boxes.push((ids.issue(), from_fn(|_| 4.0 * random.signed()), random.signed()));
    }
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let mut changes = 0;
    for frame in 0..60 {
        for (id, center, phase) in &mut boxes {
            *phase += 0.1;
            center[0] += 0.01;
            let half = [0.7 + 0.2 * phase.sin(), 0.7 + 0.2 * phase.cos(), 0.7];
            let far = |at: f64| 1e35 * at;
            let aabb = Aabb::new(
                from_fn(|axis| far(center[axis] - half[axis])),
                from_fn(|axis| far(center[axis] + half[axis])),
            );
            for broad in [&mut referee as &mut dyn BroadPhase, &mut lists] {
                if frame == 0 {
                    broad.insert(*id, &aabb.into()).unwrap();
                } else {
                    broad.update(*id, &aabb.into()).unwrap();
                }
            }
        }
        referee.pairs(&Everything, &mut expected);
        lists.pairs(&Everything, &mut found);
        assert_eq!(found, expected, "frame {frame}");
        changes += expected.appeared.len() + expected.vanished.len();
    }
    assert!(changes > 100, "only {changes}");
}
