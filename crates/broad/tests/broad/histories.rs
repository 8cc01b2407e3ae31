//! The promise of the crate: after every frame of any history, every broad phase has the pairs,
//! the appeared and the vanished ones of the referee; and the referee those of a plain model.

use crate::history;

use std::collections::{BTreeMap, BTreeSet};

use history::{Event, Recorder, World};
use proptest::prelude::*;
use xcollide_bounds::Aabb;
use xcollide_broad::{AllPairs, BroadPhase, Everything, Interest, Pair, Pairs, ProxyId, catalogue};
use xcollide_fixtures::long_run;

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
    for world in World::SMALL {
        let seen: usize = (0..4).map(|seed| compare(world, seed, 40, None)).sum();
        assert!(seen > 200, "{world:?}: only {seen} pairs, so this shows little");
    }
}

/// Far beyond where the default compares all pairs, and with several levels in every tree and grid.
#[test]
fn so_among_a_thousand_boxes() {
    let seen = compare(World::Crowd, 3, 20, None);
    assert!(seen > 20 * 1000, "only {seen} pairs, so this shows little");
}

#[test]
fn the_wide_world_has_sizes_from_1_to_10_000_in_most_frames() {
    let mut recorder = Recorder::new(World::Wide, 1);
    let wide = (0..100).filter(|_| {
        recorder.next_frame();
        let sides = recorder.alive().map(|bounds| bounds.aabb.max[0] - bounds.aabb.min[0]);
        let (least, most) = sides.fold((f64::MAX, 0.0), |(least, most), side| {
            (f64::min(least, side), f64::max(most, side))
        });
        most >= 0.999 * 10_000.0 * least
    });
    assert!(wide.count() > 80);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]
    #[test]
    fn so_in_any_short_history(
        world in prop::sample::select(World::SMALL.as_slice()), seed: u64, frames in 1..12_usize,
    ) {
        compare(world, seed, frames, None);
    }
}

/// 10,000 frames for every implementation: 1000 in each of the small worlds, and 1000 among a thousand
/// boxes.
#[test]
fn all_implementations_report_the_pairs_of_the_referee_soak() {
    let run = long_run(300, 10_000);
    let worlds: Vec<World> = World::SMALL.into_iter().chain([World::Crowd]).collect();
    let frames = run.cases as usize / worlds.len();
    for world in worlds {
        assert!(compare(world, 7 + run.seed, frames, None) > frames);
    }
}

/// The referee against a model that knows nothing of keys, generations and orders.
#[test]
fn the_referee_does_what_the_words_say() {
    for world in World::SMALL {
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

/// The most bytes each of some broad phases had early in a history of boxes that come and go, and
/// later.
fn bytes_of_churn(
    asked: impl Fn(&str) -> bool,
    crowd: u64,
    early: usize,
    late: usize,
) -> Vec<(&'static str, usize, usize)> {
    let phases = catalogue().iter().filter(|entry| asked(entry.name));
    let mut phases: Vec<_> = phases.map(|entry| (entry.make(), 0, 0)).collect();
    let mut pairs = Pairs::new();
    let mut recorder = Recorder::of(World::Clustered, 5, crowd);
    for frame in 0..late {
        let events = recorder.next_frame();
        for (broad, most_early, most_late) in &mut phases {
            for event in &events {
                event.apply(broad.as_mut());
            }
            broad.pairs(&Everything, &mut pairs);
            let most = if frame < early { most_early } else { most_late };
            *most = broad.bytes().max(*most);
        }
    }
    phases.iter().map(|(broad, early, late)| (broad.name(), *early, *late)).collect()
}

/// What was used is used again: changes do not make the tables grow. Early on the default has tried lists, too.
#[test]
fn churn_does_not_use_up_memory() {
    for (name, early, late) in bytes_of_churn(|name| name != "all-pairs", 40, 1500, 5000) {
        assert!(late <= 2 * early + 20_000, "{name}: {late} bytes, {early} early on");
    }
}

/// Frames in which a few boxes move, jump and grow, and others come and go, for every
/// implementation; and a tenth as many of a crowd that is about the limit at which the default does
/// something else. In all that time no more memory than twice what the first frames took.
#[test]
fn churn_does_not_use_up_memory_soak() {
    let frames = long_run(10_000, 1_000_000).cases as usize;
    let early = (frames / 100).max(2000);
    let few = bytes_of_churn(|_| true, 6, early, frames);
    assert_eq!(few.len(), catalogue().len());
    let at_limit = |name: &str| ["auto", "neighbour-list"].contains(&name);
    let more = bytes_of_churn(at_limit, 45, early, (frames / 10).max(2 * early));
    for (name, early, late) in few.into_iter().chain(more) {
        assert!(late <= 2 * early + 20_000, "{name}: {late} bytes, {early} early on");
    }
}
