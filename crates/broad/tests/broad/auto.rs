//! How the default makes up its mind: what makes it change, and what does not.
#![allow(clippy::unwrap_used)]

use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::{Rng as _, SeedableRng as _};
use xcollide_bounds::Aabb;
use xcollide_broad::{Auto, Bounds, BroadPhase, Everything, Mobility, Pairs, ProxyId};

const ALL_PAIRS: &str = "all-pairs";
const GRID: &str = "hash-grid";
const GRID_LIST: &str = "neighbour-list on hash-grid";
const TREE_LIST: &str = "neighbour-list on wide-tree";

/// Two looks at the boxes, and a frame.
const TWO_LOOKS: usize = 19;

/// A crowd of boxes with places of their own, and the broad phase that knows them.
struct Crowd {
    auto: Auto,
    boxes: Vec<Bounds>,
    pairs: Pairs,
    random: Pcg64Mcg,
}

impl Crowd {
    fn new() -> Self {
        let random = Pcg64Mcg::seed_from_u64(1);
        Self { auto: Auto::new(), boxes: Vec::new(), pairs: Pairs::new(), random }
    }

    /// With `count` boxes: the `large` ones have sides of length `side`, the others of length 1.
    fn of(count: usize, side: f64, large: impl Fn(usize) -> bool) -> Self {
        let mut crowd = Self::new();
        crowd.grow_to(count);
        crowd.resize(side, large);
        crowd
    }

    fn id(index: usize) -> ProxyId {
        ProxyId::new(index as u32, 0)
    }

    /// Adds unit cubes until there are so many.
    fn grow_to(&mut self, count: usize) {
        while self.boxes.len() < count {
            let index = self.boxes.len();
            let place = [index % 10, index / 10 % 10, index / 100].map(|k| 1.5 * k as f64);
            let bounds = Bounds::new(Aabb::new(place, place.map(|c| c + 1.0)));
            self.auto.insert(Self::id(index), &bounds).unwrap();
            self.boxes.push(bounds);
        }
    }

    /// Takes out the last ones until there are so many.
    fn shrink_to(&mut self, count: usize) {
        while self.boxes.len() > count {
            self.boxes.pop();
            self.auto.remove(Self::id(self.boxes.len())).unwrap();
        }
    }

    fn update(&mut self, index: usize, change: impl FnOnce(&mut Bounds)) {
        change(&mut self.boxes[index]);
        self.auto.update(Self::id(index), &self.boxes[index]).unwrap();
    }

    fn resize(&mut self, side: f64, large: impl Fn(usize) -> bool) {
        for index in (0..self.boxes.len()).filter(|&index| large(index)) {
            self.update(index, |bounds| bounds.aabb.max = bounds.aabb.min.map(|low| low + side));
        }
    }

    /// All that move drift on by a little, together.
    fn drift(&mut self) {
        self.shift(|_, low| [low[0] + 0.01, low[1] + 0.02, low[2]]);
    }

    /// All that move are anywhere else.
    fn jump(&mut self) {
        self.shift(|random, _| [(); 3].map(|()| (random.next_u64() % 1500) as f64 / 100.0));
    }

    /// Gives all that move a new least corner.
    fn shift(&mut self, mut to: impl FnMut(&mut Pcg64Mcg, [f64; 3]) -> [f64; 3]) {
        for index in 0..self.boxes.len() {
            let Bounds { aabb, mobility, .. } = self.boxes[index];
            if mobility == Mobility::Moving {
                let low = to(&mut self.random, aabb.min);
                let high = [0, 1, 2].map(|axis| low[axis] + (aabb.max[axis] - aabb.min[axis]));
                self.update(index, |bounds| bounds.aabb = Aabb::new(low, high));
            }
        }
    }

    /// What is chosen in the next frame.
    fn choice(&mut self) -> String {
        self.auto.pairs(&Everything, &mut self.pairs);
        self.auto.choice()
    }

    /// Whether the choice ends with this in all of the next frames: with the name of an algorithm, with lists or without.
    fn stays(&mut self, choice: &str, frames: usize) -> bool {
        (0..frames).all(|_| self.choice().ends_with(choice))
    }

    /// How many frames it takes to come to a choice that ends with this.
    fn frames_until(&mut self, choice: &str, most: usize) -> Option<usize> {
        (1..=most).find(|_| self.choice().ends_with(choice))
    }
}

#[test]
fn a_few_boxes_are_compared_all_with_all_and_the_border_does_not_waver() {
    let mut crowd = Crowd::new();
    assert_eq!(crowd.choice(), ALL_PAIRS);
    crowd.grow_to(40);
    assert!(crowd.stays(ALL_PAIRS, 40));
    crowd.grow_to(41);
    assert_eq!(crowd.choice(), GRID_LIST, "too many to think twice");
    // To and fro over the border, which is another one on the way back.
    for _ in 0..30 {
        crowd.shrink_to(30);
        assert!(crowd.stays(GRID_LIST, 3));
        crowd.grow_to(45);
        assert!(crowd.stays(GRID_LIST, 3));
    }
    crowd.shrink_to(25);
    assert!(crowd.stays(GRID_LIST, 3 * TWO_LOOKS));
    crowd.shrink_to(24);
    let frames = crowd.frames_until(ALL_PAIRS, TWO_LOOKS).unwrap();
    assert!(frames > 9, "{frames}");
    crowd.grow_to(40);
    assert!(crowd.stays(ALL_PAIRS, 3 * TWO_LOOKS));
}

#[test]
fn sizes_choose_between_grid_and_tree() {
    let fifth = |index: usize| index.is_multiple_of(5);
    for (side, expected) in [(1.0, GRID_LIST), (3.9, GRID_LIST), (4.1, TREE_LIST)] {
        let mut crowd = Crowd::of(500, side, fifth);
        assert!(crowd.stays(expected, 3 * TWO_LOOKS), "{side}");
    }
    // A few large ones are no reason: the grid has a table of its own for them.
    let mut crowd = Crowd::of(500, 30.0, |index| index.is_multiple_of(25));
    assert!(crowd.stays(GRID_LIST, 3 * TWO_LOOKS));
}

#[test]
fn a_change_takes_the_same_reason_twice_and_leaving_takes_more_than_staying() {
    // With lists or without: boxes that change their sizes every nine frames make lists cost too much.
    let [grid, tree] = ["hash-grid", "wide-tree"];
    let fifth = |index: usize| index.is_multiple_of(5);
    let mut crowd = Crowd::of(500, 1.0, fifth);
    assert!(crowd.stays(GRID_LIST, 2 * TWO_LOOKS));
    // Once in each nine frames it looks, so sizes that last for nine are seen once.
    for _ in 0..5 {
        crowd.resize(9.0, fifth);
        assert!(crowd.stays(grid, 9));
        crowd.resize(1.0, fifth);
        assert!(crowd.stays(grid, 9));
    }
    crowd.resize(9.0, fifth);
    let frames = crowd.frames_until(tree, TWO_LOOKS).unwrap();
    assert!(frames > 9, "{frames}");
    // Between the two limits it stays with what it has.
    crowd.resize(3.0, fifth);
    assert!(crowd.stays(tree, 5 * TWO_LOOKS));
    crowd.resize(2.0, fifth);
    let frames = crowd.frames_until(grid, TWO_LOOKS).unwrap();
    assert!(frames > 9, "{frames}");
    crowd.resize(3.0, fifth);
    assert!(crowd.stays(grid, 5 * TWO_LOOKS));
}

/// Boxes that jump every frame make lists useless; those that drift make them pay again.
#[test]
fn lists_are_given_up_where_they_do_not_pay_and_tried_again() {
    let mut crowd = Crowd::of(800, 1.0, |_| false);
    let with_lists = |crowd: &mut Crowd, frames: usize, step: fn(&mut Crowd)| {
        let listed = |crowd: &mut Crowd| {
            step(crowd);
            let choice = crowd.choice();
            assert!([GRID, GRID_LIST].contains(&&*choice), "{choice}");
            choice == GRID_LIST
        };
        (0..frames).filter(|_| listed(crowd)).count()
    };
    assert_eq!(with_lists(&mut crowd, 200, Crowd::drift), 200);
    let wasted = with_lists(&mut crowd, 2000, Crowd::jump);
    assert!((1..200).contains(&wasted), "{wasted} of 2000 frames of jumps");
    assert_eq!(crowd.auto.choice(), GRID);
    // The pause after so many failures is at most 2048 frames.
    with_lists(&mut crowd, 2100, Crowd::drift);
    assert_eq!(with_lists(&mut crowd, 500, Crowd::drift), 500);
}

/// Why it need not look at the share of static boxes: whatever it has chosen, they are not compared
/// with each other again.
#[test]
fn what_rests_costs_nothing_whatever_is_chosen() {
    let tests_a_frame = |large: f64, share: usize, step: fn(&mut Crowd)| {
        let mut crowd = Crowd::of(1000, large, |index| index.is_multiple_of(5));
        for index in (0..1000).filter(|index| index % 100 < share) {
            crowd.update(index, |bounds| bounds.mobility = Mobility::Static);
        }
        let mut tests = 0;
        for frame in 0..300 {
            step(&mut crowd);
            crowd.choice();
            tests += if frame < 100 { 0 } else { crowd.auto.stats().tests };
        }
        (tests, crowd.auto.choice())
    };
    let mut choices = Vec::new();
    for large in [1.0, 6.0] {
        for step in [Crowd::drift, Crowd::jump] {
            let (all, choice) = tests_a_frame(large, 0, step);
            let (few, _) = tests_a_frame(large, 90, step);
            assert!(few <= all / 2, "{choice}: {few} tests with static boxes, {all} without");
            assert_eq!(tests_a_frame(large, 100, step).0, 0, "{choice}");
            choices.push(choice);
        }
    }
    choices.dedup();
    assert_eq!(choices, [GRID_LIST, GRID, TREE_LIST, "wide-tree"]);
}
