//! The promise of the crate: after every frame of any history, every broad phase has the pairs,
//! the appeared and the vanished ones of the referee; and the referee those of a plain model.

mod history;

use std::collections::{BTreeMap, BTreeSet};

use history::{Event, Recorder, World};
use proptest::prelude::*;
use xcollide_bounds::Aabb;
use xcollide_broad::{AllPairs, BroadPhase, Everything, Interest, Pair, Pairs, ProxyId, catalogue};

/// Plays a history to every broad phase of the catalogue and to the referee, and compares the
/// answers after each frame. Returns the number of pairs seen, so that callers can tell whether
/// there was anything to compare.
fn compare(world: World, seed: u64, frames: usize, only: Option<&str>) -> usize {
    let mut subjects: Vec<Box<dyn BroadPhase>> = catalogue()
        .iter()
        .filter(|entry| only.is_none_or(|name| name == entry.name))
        .map(xcollide_broad::Entry::make)
        .collect();
    assert!(!subjects.is_empty());
    let mut referee = AllPairs::new();
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let mut recorder = Recorder::new(world, seed);
    let mut seen = 0;
    for frame in 0..frames {
        let events = recorder.next_frame();
        for event in &events {
            event.apply(&mut referee);
            for subject in &mut subjects {
                event.apply(subject.as_mut());
            }
        }
        let picky = |a: ProxyId, b: ProxyId| !(a.index() + b.index()).is_multiple_of(3);
        let interest: &dyn Interest = if frame % 5 == 3 { &picky } else { &Everything };
        referee.pairs(interest, &mut expected);
        seen += expected.overlapping.len() + expected.vanished.len();
        for subject in &mut subjects {
            subject.pairs(interest, &mut found);
            assert_eq!(
                found,
                expected,
                "{} in frame {frame} of {world:?}, seed {seed}",
                subject.name()
            );
            assert_eq!(subject.len(), referee.len(), "{}", subject.name());
        }
    }
    seen
}

#[test]
fn every_broad_phase_has_the_pairs_of_the_referee() {
    for world in World::ALL {
        let seen: usize = (0..4).map(|seed| compare(world, seed, 40, None)).sum();
        assert!(seen > 200, "{world:?}: only {seen} pairs, so this shows little");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn so_in_any_short_history(
        world in prop::sample::select(World::ALL.as_slice()), seed: u64, frames in 1..12_usize,
    ) {
        compare(world, seed, frames, None);
    }
}

/// 10,000 frames an implementation.
#[test]
#[ignore = "ten thousand frames an implementation; `cargo xtask ci` runs it optimised"]
fn soak() {
    for entry in catalogue() {
        let frames = 10_000 / World::ALL.len();
        for world in World::ALL {
            assert!(compare(world, 7, frames, Some(entry.name)) > frames);
        }
    }
}

/// The referee against a model that knows nothing of keys, generations and orders.
#[test]
fn the_referee_does_what_the_words_say() {
    for world in World::ALL {
        let mut recorder = Recorder::new(world, 11);
        let mut referee = AllPairs::new();
        let mut boxes = BTreeMap::<ProxyId, Aabb>::new();
        let mut last = BTreeSet::new();
        let mut pairs = Pairs::new();
        for _ in 0..60 {
            for event in recorder.next_frame() {
                event.apply(&mut referee);
                match event {
                    Event::Insert(id, bounds) | Event::Update(id, bounds) => {
                        boxes.insert(id, bounds.aabb);
                    }
                    Event::Remove(id) => {
                        boxes.remove(&id);
                    }
                }
            }
            let now: BTreeSet<Pair> = boxes
                .iter()
                .flat_map(|a| boxes.iter().map(move |b| (a, b)))
                .filter(|((a, box_a), (b, box_b))| a < b && share_a_point(box_a, box_b))
                .map(|((a, _), (b, _))| Pair::new(*a, *b))
                .collect();
            referee.pairs(&Everything, &mut pairs);
            assert!(pairs.overlapping.iter().eq(now.iter()));
            assert!(pairs.appeared.iter().eq(now.difference(&last)));
            assert!(pairs.vanished.iter().eq(last.difference(&now)));
            last = now;
        }
    }
}

fn share_a_point(a: &Aabb, b: &Aabb) -> bool {
    (0..3).all(|axis| a.min[axis].max(b.min[axis]) <= a.max[axis].min(b.max[axis]))
}

/// What was used is used again: a million changes do not make the tables grow.
#[test]
fn churn_does_not_use_up_memory() {
    let (early, late) = if cfg!(debug_assertions) { (500, 4000) } else { (2000, 100_000) };
    for entry in catalogue().iter().filter(|entry| entry.name != "all-pairs") {
        let mut broad = entry.make();
        let mut pairs = Pairs::new();
        let mut recorder = Recorder::new(World::Clustered, 5);
        let mut most_early = 0;
        for frame in 0..late {
            for event in recorder.next_frame() {
                event.apply(broad.as_mut());
            }
            broad.pairs(&Everything, &mut pairs);
            if frame < early {
                most_early = most_early.max(broad.bytes());
            }
        }
        assert!(
            broad.bytes() <= 2 * most_early + 20_000,
            "{}: {} bytes, {most_early} early on",
            entry.name,
            broad.bytes()
        );
    }
}
