//! Frames without a list: lists rest where they do not pay, and come back; and the next one is made in steps after the last
//! was lost. Whatever happens meanwhile, the pairs are those of the referee.
#![allow(clippy::unwrap_used)]

use std::array::from_fn;

use xcollide_bounds::Aabb;
use xcollide_broad::{
    AllPairs, Auto, Bounds, BroadPhase, Everything, Mobility, NeighbourList, Pairs, ProxyId,
    ProxyIds,
};
use xcollide_fixtures::{Random, long_run};

use crate::lists::{Course, Crowd};

/// What was seen of [`Auto`].
#[derive(Debug, Default)]
struct Seen {
    /// Lists that were made.
    lists: u64,
    /// Frames in which lists rested.
    resting: usize,
    /// How often they came back.
    returns: usize,
    /// The frames from a return until the next list, at most.
    longest_wait: usize,
    /// Pairs that came or went.
    changes: usize,
}

/// Plays a crowd that takes one course after the other, each for the given number of frames. It comes as for the first one.
fn play(courses: impl IntoIterator<Item = (Course, usize)>, seed: u64) -> Seen {
    let mut courses = courses.into_iter().peekable();
    let mut all: Vec<Box<dyn BroadPhase>> = vec![
        Box::new(AllPairs::new()),
        Box::new(Auto::new()),
        Box::new(Auto::parallel()),
        Box::new(NeighbourList::new()),
    ];
    let first = courses.peek().map_or(Course::Straight, |&(course, _)| course);
    let mut crowd = Crowd::new(first, Crowd::ROOM, seed);
    for _ in 0..if matches!(first, Course::Sleep | Course::Still) { 900 } else { 500 } {
        crowd.enter(&mut all);
    }
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let mut seen = Seen::default();
    let mut waited = None;
    let mut rested = false;
    for (course, frames) in courses {
        crowd.turn_to(course);
        for frame in 0..frames {
            crowd.step(&mut all);
            all[0].pairs(&Everything, &mut expected);
            for (which, broad) in all.iter_mut().enumerate().skip(1) {
                broad.pairs(&Everything, &mut found);
                let place = format!("subject {which}, frame {frame} of {course:?}, seed {seed}");
                assert!(found == expected, "{place}");
            }
            seen.changes += expected.appeared.len() + expected.vanished.len();
            seen.lists += all[1].stats().moves;
            let rests = !all[1].choice().contains("list");
            seen.resting += usize::from(rests);
            if rested && !rests {
                seen.returns += 1;
                waited = Some(0);
            }
            rested = rests;
            waited =
                waited.filter(|_| !rests && all[1].stats().moves == 0).map(|frames| frames + 1);
            seen.longest_wait = seen.longest_wait.max(waited.unwrap_or(0));
        }
    }
    seen
}

/// Boxes that jump make lists rest. When these come back, the first one is made in steps.
#[test]
fn the_first_list_after_a_rest_is_made_in_steps() {
    for calm in [Course::Straight, Course::Churn] {
        let seen = play([(Course::Chaos, 60), (calm, 200)], 1);
        assert!(seen.resting > 60 && seen.returns > 0, "{calm:?}: {seen:?}");
        // Some frames to measure velocities, and at least seven steps.
        assert!((9..30).contains(&seen.longest_wait), "{calm:?}: {seen:?}");
        assert!(seen.changes > 1000, "{calm:?}: {seen:?}");
    }
}

/// Where boxes jump, lists are given up after the first one and three that were made in steps and held no box.
#[test]
fn boxes_that_jump_have_few_lists() {
    let seen = play([(Course::Chaos, 60)], 3);
    assert!(seen.lists <= 4 && seen.resting > 20 && seen.returns == 0, "{seen:?}");
}

/// Static boxes that change while lists rest: the next list is made at once, as their pairs are others.
#[test]
fn static_boxes_that_change_meanwhile_cost_no_pair() {
    let seen = play([(Course::Chaos, 40), (Course::Sleep, 200), (Course::Straight, 40)], 2);
    assert!(seen.resting > 60 && seen.returns > 0, "{seen:?}");
    assert!(seen.longest_wait < 9 && seen.changes > 1000, "{seen:?}");
}

/// Courses that change at any time, with lists at rest, in the making, or in use.
#[test]
fn changes_of_course_cost_no_pair_soak() {
    use Course::{Chaos, Churn, Jitter, Jumps, Pulse, Sleep, Still, Straight};
    const ALL: [Course; 8] = [Chaos, Churn, Jitter, Jumps, Pulse, Sleep, Still, Straight];
    let run = long_run(1, 100);
    for seed in run.seed..run.seed + run.cases {
        let mut random = Random::new(seed);
        let courses = (0..30).map(|_| {
            let [course, frames] = [random.bits() >> 32, random.bits() >> 32].map(|x| x as usize);
            (ALL[course % ALL.len()], 4 + frames % 50)
        });
        let first = [(ALL[seed as usize % ALL.len()], 20), (Chaos, 40)];
        let seen = play(first.into_iter().chain(courses), seed);
        assert!(seen.resting > 50 && seen.returns > 0, "seed {seed}: {seen:?}");
        assert!(seen.changes > 3000, "seed {seed}: {seen:?}");
    }
}

/// Sizes that change have the default choose another algorithm, whose first list comes when there are static boxes already.
#[test]
fn another_choice_knows_the_static_boxes() {
    let mut all: [Box<dyn BroadPhase>; 2] = [Box::new(AllPairs::new()), Box::new(Auto::new())];
    let mut ids = ProxyIds::new();
    let mut random = Random::new(8);
    let mut boxes: Vec<(ProxyId, Bounds)> = (0..600)
        .map(|index| {
            let low: [f64; 3] = from_fn(|_| 6.0 * random.signed());
            // The static ones come first.
            let mobility = if index < 200 { Mobility::Static } else { Mobility::Moving };
            let aabb = Aabb::new(low, low.map(|side| side + 1.0));
            (ids.issue(), Bounds::new(aabb).mobility(mobility))
        })
        .collect();
    for broad in &mut all {
        for (id, bounds) in &boxes {
            broad.insert(*id, bounds).unwrap();
        }
    }
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let mut choices = Vec::new();
    for frame in 0..150 {
        for (index, (id, bounds)) in boxes.iter_mut().enumerate().skip(200) {
            let Aabb { min, max } = &mut bounds.aabb;
            let grows = frame == 60 && index % 5 == 0;
            for axis in 0..3 {
                let way = 0.01 * (index % 7) as f64 - 0.03;
                min[axis] += way;
                max[axis] += way + if grows { 8.0 } else { 0.0 };
            }
            for broad in &mut all {
                broad.update(*id, bounds).unwrap();
            }
        }
        all[0].pairs(&Everything, &mut expected);
        all[1].pairs(&Everything, &mut found);
        assert!(found == expected, "frame {frame}");
        choices.push(all[1].choice());
    }
    choices.dedup();
    assert_eq!(choices, ["neighbour-list on hash-grid", "neighbour-list on wide-tree"]);
}

/// A box falls asleep in the frame in which the list is lost, as all others jump.
#[test]
fn what_falls_asleep_as_a_list_is_lost_keeps_its_pairs() {
    let mut all: [Box<dyn BroadPhase>; 3] =
        [Box::new(AllPairs::new()), Box::new(NeighbourList::new()), Box::new(Auto::new())];
    let mut ids = ProxyIds::new();
    let mut random = Random::new(12);
    let mut place = || -> Aabb {
        let low: [f64; 3] = from_fn(|_| 4.0 * random.signed());
        Aabb::new(low, low.map(|side| side + 1.0))
    };
    let mut boxes: Vec<(ProxyId, Bounds)> =
        (0..300).map(|_| (ids.issue(), Bounds::new(place()))).collect();
    for broad in &mut all {
        for (id, bounds) in &boxes {
            broad.insert(*id, bounds).unwrap();
        }
    }
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    let mut lists = 0;
    for frame in 0..70 {
        for (index, (id, bounds)) in boxes.iter_mut().enumerate() {
            if frame == 60 && index == 7 {
                bounds.mobility = Mobility::Static;
            } else if frame >= 60 && index != 7 {
                bounds.aabb = place();
            } else if frame < 60 {
                let Aabb { min, max } = &mut bounds.aabb;
                (min[0], max[0]) = (min[0] + 0.003, max[0] + 0.003);
            }
            for broad in &mut all {
                broad.update(*id, bounds).unwrap();
            }
        }
        all[0].pairs(&Everything, &mut expected);
        for (which, broad) in all.iter_mut().enumerate().skip(1) {
            broad.pairs(&Everything, &mut found);
            assert!(found == expected, "subject {which}, frame {frame}");
        }
        lists += if frame < 60 { all[1].stats().moves } else { 0 };
    }
    assert!(lists > 0, "there was no list to lose");
}
