//! How lists are made: at once, or in steps while the last one serves.

use std::mem::{swap, take};

use xcollide_bounds::Aabb;

use super::{NeighbourListFinder, fat_box};
use crate::parallel::{LIGHT, fill_per_chunk};
use crate::proxies::{holds, is_ordinary};
use crate::stats::shrink;
use crate::{Bounds, Mobility, PairCollector, PairFinder, Proxies, ProxyId, SearchStep};

/// Lists of fewer moving boxes are made at once, in a fraction of a millisecond.
const MANY: usize = 1024;

/// The frames over which a list is made in steps. With seven the longest frame takes about twice the median.
const STEPS: usize = 7;

/// The next list is begun when the boxes that will have escaped before it is ready would cost an eighth of it. Measured
/// with a hundred thousand boxes: later, escapes cost more; earlier, lists do.
const LEAVING_COUNT: usize = 8;

impl<F: PairFinder> NeighbourListFinder<F> {
    /// Makes a list at once.
    pub(super) fn make_list(&mut self, proxies: &Proxies) {
        self.upcoming.give_up();
        self.escaped.give_back(&mut self.enlarged);
        if self.is_made {
            self.predictor.learn(&self.costs);
        }
        self.predictor.prepare(proxies, 0);
        let settled = self.is_made && self.margin.is_none() && !self.is_disturbed;
        let (moving, mut keeps_fixed) = self.enlarge_all(proxies, settled);
        let mut keys = take(&mut self.candidates);
        keys.clear();
        let mut all = PairCollector::boxes_onto(&self.enlarged, keys);
        let whole = SearchStep::WHOLE;
        keeps_fixed = keeps_fixed && self.finder.find_moving(&self.enlarged, whole, &mut all);
        if !keeps_fixed {
            self.finder.find(&self.enlarged, &mut all);
        }
        self.candidates = all.found.keys;
        self.order.sort(&mut self.candidates, self.enlarged.boxes().len(), self.threads);
        if !keeps_fixed {
            self.set_fixed_apart(moving);
        }
        self.is_disturbed = false;
        self.is_made = true;
        self.open_list(proxies.len(), moving, keeps_fixed);
    }

    /// Puts the new list into use. It is about `boxes` boxes; `moving` of them may move.
    fn open_list(&mut self, boxes: usize, moving: usize, keeps_fixed: bool) {
        shrink(&mut self.candidates);
        self.escaped.clear();
        self.is_lost = false;
        self.lists_made += 1;
        self.moving = moving;
        let listed = self.candidates.len();
        if keeps_fixed {
            self.costs.open([boxes, moving, boxes.saturating_sub(moving)], listed);
        } else {
            self.costs.open([boxes, moving, 0], listed + self.fixed.len());
        }
        self.predictor.list_is_made();
        self.upcoming.list_is_made();
    }

    /// Whether the next list can be made in steps.
    pub(super) fn goes_in_steps(&self) -> bool {
        let is_settled = self.is_made && self.margin.is_none() && !self.is_disturbed;
        is_settled
            && self.finder.may_skip_updates()
            && self.moving >= MANY
            && self.predictor.looks_far_ahead()
            && self.upcoming.is_worthwhile()
    }

    /// Begins the next list if the current one will be of no use by the time the next is ready.
    pub(super) fn begin_if_due(&mut self, proxies: &Proxies) {
        if !self.predictor.is_ready() {
            return;
        }
        let Self { enlarged, escaped, predictor, .. } = self;
        let place =
            |index: u32| escaped.place(index).or_else(|| enlarged.boxes().get(index as usize));
        let leaving = predictor.leaving(proxies, self.moving, place, STEPS + 1);
        if !self.costs.is_exhausted(LEAVING_COUNT * leaving) {
            return;
        }
        // The list is in use from the last step on; a frame less, as not all boxes keep their speed.
        predictor.prepare(proxies, STEPS - 2);
        // The new fat boxes are made from those of the list in use.
        if !self.upcoming.is_twin {
            self.upcoming.enlarged.copy_boxes(&self.enlarged);
            self.upcoming.is_twin = true;
        }
        swap(&mut self.upcoming.enlarged, &mut self.enlarged);
        self.escaped.give_back(&mut self.enlarged);
        let (moving, keeps_fixed) = self.enlarge_all(proxies, true);
        swap(&mut self.upcoming.enlarged, &mut self.enlarged);
        if keeps_fixed {
            self.upcoming.begin(moving, STEPS - 1);
        } else {
            // A list with other static boxes is made at once, in the next frame.
            self.is_lost = true;
        }
    }

    /// Makes one step of the next list, or all that are left, and puts the list into use after the last one.
    pub(super) fn go_on(&mut self, proxies: &Proxies, to_the_end: bool) {
        loop {
            if !self.upcoming.search(&mut self.finder) {
                // An algorithm that cannot search in steps makes the list at once.
                self.is_lost = true;
                return self.upcoming.give_up();
            }
            // From the last step on, the finder searches around boxes in the new list.
            if self.upcoming.is_searched() {
                break;
            }
            if !to_the_end {
                return;
            }
        }
        swap(&mut self.upcoming.enlarged, &mut self.enlarged);
        swap(&mut self.upcoming.candidates, &mut self.candidates);
        self.upcoming.give_up();
        self.order.sort(&mut self.candidates, self.enlarged.boxes().len(), self.threads);
        self.predictor.learn(&self.costs);
        let found = self.find_all_escaped(proxies);
        // The next list was begun as soon as the last one was in use.
        let was_short = self.costs.age < STEPS as u32;
        self.open_list(self.enlarged.len(), self.upcoming.moving, true);
        let escaped: usize = found.iter().map(Vec::len).sum();
        self.upcoming.judge(to_the_end || was_short || self.costs.is_exhausted(2 * escaped));
        self.note_escaped(&found);
        self.found = found;
    }

    /// The boxes that left their fat boxes before the list came into use.
    fn find_all_escaped(&mut self, proxies: &Proxies) -> Vec<Vec<(u32, Aabb)>> {
        let Self { enlarged, escaped, .. } = self;
        let (boxes, known) = (proxies.boxes(), enlarged.boxes().len());
        let has_left = |&index: &usize| {
            let aabb = &boxes[index];
            if index >= known {
                return !aabb.is_empty();
            }
            // A static box leaves its place only when it is changed, which was noted.
            let rests = enlarged.mobility(index as u32) == Mobility::Static;
            !(rests && escaped.place(index as u32).is_none()
                || holds(&enlarged.boxes()[index], aabb))
        };
        let mut found = take(&mut self.found);
        fill_per_chunk(boxes.len(), LIGHT, self.threads, &mut found, |part, found| {
            found.clear();
            found.extend(part.filter(has_left).map(|index| (index as u32, boxes[index])));
        });
        found
    }

    /// Computes all fat boxes. Returns how many boxes may move, and whether the static boxes, if `settled`, are the
    /// same as before.
    fn enlarge_all(&mut self, proxies: &Proxies, settled: bool) -> (usize, bool) {
        let known = self.enlarged.boxes().len() as u32;
        let mut others = take(&mut self.others);
        let mut moving = self.enlarge_moving(proxies, settled, &mut others);
        // Pairs of static boxes are kept while no static box changes.
        let mut keeps_fixed = settled;
        for index in others.iter().copied().chain(known..proxies.boxes().len() as u32) {
            keeps_fixed &= !self.is_static(index);
            moving += usize::from(self.enlarge(proxies, index));
            keeps_fixed &= !self.is_static(index);
            self.upcoming.is_twin = false;
        }
        self.others = others;
        (moving, keeps_fixed)
    }

    /// Moves the pairs of static boxes to a list of their own.
    fn set_fixed_apart(&mut self, moving: usize) {
        let Self { enlarged, fixed, candidates, margin, .. } = self;
        fixed.clear();
        if margin.is_none() && moving < enlarged.len() {
            let rests = |index: u32| enlarged.mobility(index) == Mobility::Static;
            candidates.retain(|&key| {
                let is_fixed = rests((key >> 32) as u32) && rests(key as u32);
                if is_fixed {
                    fixed.push(key);
                }
                !is_fixed
            });
        }
    }

    /// Updates the fat boxes whose changes the other algorithm need not be told. Returns their number, and writes
    /// to `others` the indices of the others, without unchanged static boxes if these are `settled`.
    fn enlarge_moving(&mut self, proxies: &Proxies, settled: bool, others: &mut Vec<u32>) -> usize {
        let Self { finder, enlarged, margin, threads, predictor, escaped, .. } = self;
        // Whether a box was static when the list was made, and still is.
        let rests = |index: u32| {
            settled && proxies.mobility(index) == Mobility::Static && escaped.place(index).is_none()
        };
        if !finder.may_skip_updates() || margin.is_some() {
            let is_static = |index: u32| enlarged.mobility(index) == Mobility::Static;
            let indices = 0..enlarged.boxes().len() as u32;
            others.clear();
            others.extend(indices.filter(|&index| !(is_static(index) && rests(index))));
            return 0;
        }
        let next = |index: u32, id: ProxyId, before: &Aabb| {
            let is_same = proxies.is_alive(index) && proxies.id(index) == id;
            let moves = is_same && proxies.mobility(index) == Mobility::Moving;
            let aabb =
                Some(&proxies.boxes()[index as usize]).filter(|aabb| moves && is_ordinary(aabb));
            let way = aabb.map(|aabb| predictor.way(index, aabb));
            way.filter(|way| is_ordinary(way) && is_ordinary(before))
        };
        enlarged.move_all(*threads, next, rests, others)
    }

    /// Updates the fat box of an index and notifies the other algorithm. Returns whether the box may move.
    fn enlarge(&mut self, proxies: &Proxies, index: u32) -> bool {
        let Self { finder, enlarged, .. } = self;
        let is_alive = proxies.is_alive(index);
        if enlarged.is_alive(index) && (!is_alive || enlarged.id(index) != proxies.id(index)) {
            let id = enlarged.id(index);
            if let Ok(before) = enlarged.remove(id) {
                finder.removed(enlarged, index, &before);
            }
        }
        if !is_alive {
            return false;
        }
        let aabb = &proxies.boxes()[index as usize];
        let mobility = proxies.mobility(index);
        let way = || self.predictor.way(index, aabb);
        let around = fat_box(self.margin, aabb, mobility, way);
        let bounds = Bounds::new(around).mobility(mobility);
        let id = proxies.id(index);
        if !enlarged.is_alive(index) {
            if enlarged.insert(id, &bounds).is_ok() {
                finder.inserted(enlarged, index);
            }
        } else if enlarged.check_update(id, &bounds).is_ok() {
            let before = enlarged.replace(index, &bounds);
            finder.updated(enlarged, index, &before);
        }
        mobility == Mobility::Moving
    }
}
