//! Crowds that are large enough to be worth several threads: the pairs, and what has appeared and
//! vanished, are those of one thread and of another algorithm, at any number of threads.
#![allow(clippy::unwrap_used)]

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use rayon::ThreadPoolBuilder;
use xcollide_bounds::Aabb;
use xcollide_broad::{
    Bounds, BroadPhase, Everything, Mobility, Pairs, ProxyError, ProxyId, ProxyIds, Sweep,
    catalogue,
};

/// Boxes of many sizes that drift; a few are static, jump, are empty, or have no end; some come and
/// go in every frame.
struct Crowd {
    random: Pcg64Mcg,
    ids: ProxyIds,
    boxes: Vec<(ProxyId, Bounds, [f64; 3])>,
}

impl Crowd {
    const ROOM: f64 = 41.0;

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.random.next_u64().is_multiple_of(many)
    }

    fn enter(&mut self, all: &mut [Box<dyn BroadPhase>]) {
        let corner = [(); 3].map(|()| self.between(0.0, Self::ROOM));
        let scale = if self.one_in(20) { 4.0 } else { 1.0 };
        let side = [(); 3].map(|()| self.between(0.3, 1.3) * scale);
        let mut aabb = Aabb::new(corner, [0, 1, 2].map(|axis| corner[axis] + side[axis]));
        if self.one_in(1000) {
            aabb = Aabb::EMPTY;
        } else if self.one_in(10_000) {
            aabb.max[1] = f64::INFINITY;
        }
        let mobility = if self.one_in(4) { Mobility::Static } else { Mobility::Moving };
        let velocity = [(); 3].map(|()| self.between(-0.05, 0.05));
        let (id, bounds) = (self.ids.issue(), Bounds::new(aabb).mobility(mobility));
        all.iter_mut().for_each(|broad| broad.insert(id, &bounds).unwrap());
        self.boxes.push((id, bounds, velocity));
    }

    /// Moves boxes, and tells of each, or of all that have moved together: in order or in none.
    fn step(&mut self, all: &mut [Box<dyn BroadPhase>], frame: usize) {
        for _ in 0..50 {
            let one = self.random.next_u64() as usize % self.boxes.len();
            let (id, ..) = self.boxes.swap_remove(one);
            self.ids.retire(id);
            all.iter_mut().for_each(|broad| broad.remove(id).unwrap());
            self.enter(all);
        }
        if frame.is_multiple_of(2) {
            self.boxes.sort_unstable_by_key(|(id, ..)| id.index());
        }
        let mut moved = Vec::new();
        for at in 0..self.boxes.len() {
            let jump = if self.one_in(2000) { self.between(-20.0, 20.0) } else { 0.0 };
            let (id, bounds, velocity) = &mut self.boxes[at];
            if bounds.mobility == Mobility::Moving || jump > 10.0 {
                let Aabb { min, max } = &mut bounds.aabb;
                for axis in 0..3 {
                    min[axis] += velocity[axis] + jump;
                    max[axis] += velocity[axis] + jump;
                }
                moved.push((*id, bounds.clone()));
            }
        }
        for broad in all {
            if frame % 3 == 2 {
                moved.iter().for_each(|(id, bounds)| broad.update(*id, bounds).unwrap());
            } else {
                let change = |at: usize| (moved[at].0, (&moved[at].1).into());
                broad.update_many(moved.len(), &change, &mut |id, error| panic!("{id}: {error}"));
            }
        }
    }
}

#[test]
fn pairs_are_the_same_at_any_number_of_threads() {
    let names: Vec<&str> = catalogue().iter().filter(|e| e.is_parallel()).map(|e| e.name).collect();
    assert!(names.contains(&"auto") && names.contains(&"hash-grid"), "{names:?}");
    let pools = [1, 2, 7].map(|n| ThreadPoolBuilder::new().num_threads(n).build().unwrap());
    let mut all: Vec<Box<dyn BroadPhase>> = vec![Box::new(Sweep::new())];
    for entry in catalogue().iter().filter(|entry| entry.is_parallel()) {
        all.push(entry.make());
        all.extend(pools.iter().map(|_| entry.make_parallel()));
    }
    let random = Pcg64Mcg::seed_from_u64(5);
    let mut crowd = Crowd { random, ids: ProxyIds::new(), boxes: Vec::new() };
    (0..18_000).for_each(|_| crowd.enter(&mut all));
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let mut changes = 0;
    for frame in 0..7 {
        crowd.step(&mut all, frame);
        let picky = |a: ProxyId, b: ProxyId| !(a.index() + b.index()).is_multiple_of(3);
        for (which, broad) in all.iter_mut().enumerate() {
            let pairs = if which == 0 { &mut expected } else { &mut found };
            let mut ask = || match frame % 4 {
                3 => broad.pairs(&picky, pairs),
                _ => broad.pairs(&Everything, pairs),
            };
            // Of each kind one that uses no threads, then one for each pool.
            match (which + pools.len()) % (pools.len() + 1) {
                0 => ask(),
                number => pools[number - 1].install(ask),
            }
            if which > 0 {
                assert_eq!(found, expected, "subject {which} of {names:?}, frame {frame}");
            }
        }
        changes += expected.appeared.len() + expected.vanished.len();
    }
    assert!(expected.overlapping.len() > 16_384, "{} pairs", expected.overlapping.len());
    assert!(changes > 8192, "{changes} changes show little");
}

/// Of several changes of a box the last counts, and what is refused is told; so one after the other.
#[test]
fn changes_of_many_boxes_are_those_of_each() {
    let cube = |x: f64| Bounds::new(Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]));
    for entry in catalogue() {
        let (mut one, mut other) = (entry.make_parallel(), entry.make_parallel());
        let mut ids = ProxyIds::new();
        let all: Vec<ProxyId> = (0..100).map(|_| ids.issue()).collect();
        for (at, &id) in all.iter().enumerate() {
            let mobility = if at % 10 == 3 { Mobility::Static } else { Mobility::Moving };
            let bounds = cube(2.0 * at as f64).mobility(mobility);
            one.insert(id, &bounds).unwrap();
            other.insert(id, &bounds).unwrap();
        }
        let stale = ProxyId::new(50, 7);
        let wrong = Bounds::new(Aabb::new([f64::NAN; 3], [1.0; 3]));
        let ascending: Vec<_> = (0..100).map(|at| (all[at], cube(0.75 * at as f64))).collect();
        let mut with_errors = ascending.clone();
        with_errors[50].0 = stale;
        with_errors[70].1 = wrong;
        with_errors[80].1 = Bounds::new(Aabb::EMPTY);
        let twice = [ascending.clone(), with_errors.clone()].concat();
        let unknown = vec![(ProxyId::new(5000, 0), cube(0.0)), (all[4], cube(0.5))];
        let (mut expected, mut found) = (Pairs::new(), Pairs::new());
        for changes in [ascending, with_errors, twice, unknown, Vec::new()] {
            let (mut refused, mut refused_of_many) = (Vec::new(), Vec::new());
            for (id, bounds) in &changes {
                refused.extend(one.update(*id, bounds).err().map(|error| (*id, error.to_string())));
            }
            let change = |at: usize| (changes[at].0, (&changes[at].1).into());
            let mut note = |id, error: ProxyError| refused_of_many.push((id, error.to_string()));
            other.update_many(changes.len(), &change, &mut note);
            assert_eq!(refused_of_many, refused, "{}", entry.name);
            one.pairs(&Everything, &mut expected);
            other.pairs(&Everything, &mut found);
            assert_eq!(found, expected, "{}", entry.name);
        }
    }
}
