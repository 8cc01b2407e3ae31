//! Lists of many boxes are made in steps, over several frames; the pairs are those of the referee all the while.
#![allow(clippy::unwrap_used)]

use std::cell::{Cell, RefCell};

use xcollide_bounds::Aabb;
use xcollide_broad::{
    BroadPhase, Everything, HashGrid, HashGridFinder, NeighbourList, NeighbourListFinder,
    PairCollector, PairFinder, PairManager, Pairs, PreviousBounds, Proxies, SearchStep,
    WideTreeFinder,
};
use xcollide_fixtures::long_run;

use crate::lists::{Course, Crowd};

thread_local! {
    /// The steps of searches of [`Watched`].
    static STEPS: RefCell<Vec<SearchStep>> = const { RefCell::new(Vec::new()) };
    /// Whether [`Watched`] refuses searches in several steps.
    static REFUSES: Cell<bool> = const { Cell::new(false) };
}

/// A hash grid that notes the steps of its searches.
#[derive(Default)]
struct Watched(HashGridFinder);

impl PairFinder for Watched {
    fn name(&self) -> &'static str {
        "watched"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        self.0.inserted(proxies, index);
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        self.0.updated(proxies, index, before);
    }

    fn removed(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        self.0.removed(proxies, index, before);
    }

    fn may_skip_updates(&self) -> bool {
        self.0.may_skip_updates()
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        STEPS.with_borrow_mut(|steps| steps.push(SearchStep::WHOLE));
        self.0.find(proxies, collector);
    }

    fn find_moving(
        &mut self,
        proxies: &Proxies,
        step: SearchStep,
        collector: &mut PairCollector<'_>,
    ) -> bool {
        if REFUSES.get() && step != SearchStep::WHOLE {
            return false;
        }
        STEPS.with_borrow_mut(|steps| steps.push(step));
        self.0.find_moving(proxies, step, collector)
    }

    fn find_around(&self, probes: &[(u32, Aabb)], collector: &mut PairCollector<'_>) -> bool {
        self.0.find_around(probes, collector)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// What happened in some frames.
#[derive(Debug, Default)]
struct Played {
    /// Lists that were made in one frame.
    at_once: usize,
    /// Lists that were made in steps, to the last.
    in_steps: usize,
    /// The most steps that were made in one frame.
    most: usize,
    /// Pairs that came or went.
    changes: usize,
}

fn play(course: Course, seed: u64, boxes: usize, frames: usize) -> Played {
    let mut all: Vec<Box<dyn BroadPhase>> = vec![
        Box::new(HashGrid::new()),
        Box::new(PairManager::<NeighbourListFinder<Watched>>::new()),
        Box::new(NeighbourList::parallel()),
        Box::new(PairManager::<NeighbourListFinder<WideTreeFinder>>::new()),
    ];
    let mut crowd = Crowd::new(course, 1.4 * (boxes as f64).cbrt(), seed);
    for _ in 0..boxes {
        crowd.enter(&mut all);
    }
    let mut played = Played::default();
    let (mut expected, mut found) = (Pairs::new(), Pairs::new());
    for frame in 0..frames {
        crowd.step(&mut all);
        all[0].pairs(&Everything, &mut expected);
        for (which, broad) in all.iter_mut().enumerate().skip(1) {
            broad.pairs(&Everything, &mut found);
            assert!(found == expected, "subject {which}, frame {frame} of {course:?}, seed {seed}");
        }
        let made = STEPS.take();
        let in_steps = made.iter().filter(|step| !step.is_first() && step.is_last()).count();
        played.in_steps += in_steps;
        played.at_once += all[1].stats().moves as usize - in_steps;
        played.most = played.most.max(made.len());
        played.changes += expected.appeared.len() + expected.vanished.len();
    }
    played
}

#[test]
fn lists_of_many_boxes_are_made_in_steps() {
    for (course, boxes) in [(Course::Straight, 2500), (Course::Parked, 13_000)] {
        let early = play(course, 4, boxes, 60);
        let all = play(course, 4, boxes, 160);
        // Once the look-ahead has settled, all.
        let late = [all.at_once - early.at_once, all.in_steps - early.in_steps];
        assert!(late[0] <= 1 && late[1] >= 5, "{course:?}: {early:?}, {all:?}");
        assert!(all.changes > 1000, "{course:?}: {all:?}");
    }
}

/// Where the algorithm refuses to search in steps, the list is made at once. The algorithm is asked once for each list,
/// not in every frame.
#[test]
fn a_refusal_makes_the_list_at_once() {
    REFUSES.set(true);
    let played = play(Course::Straight, 4, 2500, 100);
    assert!(played.in_steps == 0 && (4..30).contains(&played.at_once), "{played:?}");
    assert_eq!(played.most, 1, "{played:?}");
}

/// Boxes that come, go, jump, fall asleep and wake up while a list is made.
#[test]
fn changes_while_a_list_is_made_cost_no_pair_soak() {
    use Course::{Chaos, Churn, Jitter, Jumps, Pulse, Sleep, Still};
    let run = long_run(1, 100);
    for seed in run.seed..run.seed + run.cases {
        let mut in_steps = 0;
        let courses =
            [(Pulse, 1500), (Jitter, 1500), (Jumps, 2000), (Still, 13_000), (Churn, 2000)];
        for (course, boxes) in courses.into_iter().chain([(Sleep, 13_000), (Chaos, 1500)]) {
            let played = play(course, seed, boxes, 70);
            assert!(played.changes > 300, "{course:?}, seed {seed}: {played:?}");
            in_steps += played.in_steps;
        }
        assert!(in_steps > 4, "seed {seed}: {in_steps} lists were made in steps");
    }
}
