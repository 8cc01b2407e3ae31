//! How lists are made: at once, or in steps while the last one serves.

use std::mem::{swap, take};

use xcollide_bounds::Aabb;

use super::motion_predictor::MotionPredictor;
use super::upcoming_list::UpcomingList;
use super::{ListSpan, NeighbourListFinder};
use crate::course::Expected;
use crate::courses::Prediction;
use crate::sides::is_ordinary;
use crate::stats::shrink;
use crate::{Bounds, Mobility, PairCollector, PairFinder, Proxies, ProxyId, SearchStep};

/// Lists of fewer moving boxes are made at once, in some microseconds.
const MANY: usize = 64;

/// The number of frames over which a list for some moving boxes is made. More of them make the longest frame shorter, but the
/// list is older when it comes into use.
const fn steps(moving: usize) -> usize {
    if moving < 4096 { 5 } else { 7 }
}

impl<F: PairFinder> NeighbourListFinder<F> {
    /// Makes a list at once.
    pub(super) fn make_list(&mut self, proxies: &Proxies) {
        self.upcoming.give_up();
        if self.is_made {
            self.predictor.learn(&self.costs, self.span.planned);
        }
        self.predictor.prepare(proxies, 0);
        let settled = self.is_made && self.margin.is_none() && !self.is_disturbed;
        let (moving, mut keeps_fixed) = self.enlarge_all(proxies, settled);
        let mut keys = take(&mut self.keys);
        keys.clear();
        let mut all = PairCollector::boxes_onto(&self.enlarged, keys);
        let whole = SearchStep::WHOLE;
        keeps_fixed = keeps_fixed && self.finder.find_moving(&self.enlarged, whole, &mut all);
        if !keeps_fixed {
            self.finder.find(&self.enlarged, &mut all);
        }
        self.keys = all.found.keys;
        if !keeps_fixed {
            self.set_fixed_apart(moving);
        }
        let UpcomingList { courses, span, pairs, .. } = &mut self.upcoming;
        pairs.clear();
        pairs.add(&self.keys, courses, span.frames, self.threads);
        let found = self.keys.len();
        shrink(&mut self.keys);
        self.is_disturbed = false;
        self.is_made = true;
        self.open_list(proxies.len(), moving, keeps_fixed, found);
    }

    /// Puts the new list into use. It is about `boxes` boxes; `moving` of them may move. `found` pairs of fat boxes
    /// overlap.
    fn open_list(&mut self, boxes: usize, moving: usize, keeps_fixed: bool, found: usize) {
        let UpcomingList { courses, span, pairs, .. } = &mut self.upcoming;
        swap(courses, &mut self.courses);
        swap(span, &mut self.span);
        self.pairs.open(pairs, self.threads);
        self.escaped.clear();
        self.is_lost = false;
        self.lists_made += 1;
        self.moving = moving;
        if keeps_fixed {
            self.costs.open([boxes, moving, boxes.saturating_sub(moving)], found);
        } else {
            self.costs.open([boxes, moving, 0], found + self.fixed.len());
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
        let steps = steps(self.moving);
        let lasts = self.span.lasts(self.predictor.frame + steps as u64 + 1);
        if lasts && !self.costs.is_waning() || !self.predictor.is_ready() {
            return;
        }
        // The list is in use from the last step on; a frame less, as not all boxes keep their speed.
        self.predictor.prepare(proxies, steps - 2);
        let (moving, keeps_fixed) = self.enlarge_all(proxies, true);
        if keeps_fixed {
            self.upcoming.begin(moving, steps - 1);
        } else {
            // A list with other static boxes is made at once, in the next frame.
            self.is_lost = true;
        }
    }

    /// Makes one step of the next list, and puts the list into use after the last one. If the current list `is_over`
    /// before that, makes all steps that are left, or gives up if it is too soon for the next list.
    pub(super) fn go_on(&mut self, proxies: &Proxies, is_over: bool) {
        let time = self.upcoming.span.time(self.predictor.frame);
        if is_over && time < self.upcoming.span.frames[0] {
            self.upcoming.judge(true);
            return self.upcoming.give_up();
        }
        loop {
            if !self.upcoming.search(&mut self.finder, &self.enlarged, self.threads) {
                // An algorithm that cannot search in steps makes the list at once.
                self.is_lost = true;
                return self.upcoming.give_up();
            }
            // From the last step on, the finder searches around boxes in the new list.
            if self.upcoming.is_searched() {
                break;
            }
            if !is_over {
                return;
            }
        }
        self.upcoming.give_up();
        self.predictor.learn(&self.costs, self.span.planned);
        // The next list was begun as soon as the last one was in use.
        let was_short = self.costs.age < steps(self.moving) as u32;
        let (moving, found) = (self.upcoming.moving, self.upcoming.found);
        let changed = take(&mut self.others);
        let changed = self.find_changed(proxies, changed);
        self.open_list(self.enlarged.len(), moving, true, found);
        self.courses.set_time(u32::from(time));
        let mut found = self.find_off_course(proxies);
        let others = changed.iter().map(|&index| (index, proxies.boxes()[index as usize]));
        if let Some(part) = found.last_mut() {
            part.extend(others);
        } else {
            found.push(others.collect());
        }
        self.others = changed;
        let escaped: usize = found.iter().map(Vec::len).sum();
        self.upcoming.judge(is_over || was_short || self.costs.is_exhausted(2 * escaped, 1.0));
        self.note_escaped(proxies, &found);
        self.found = found;
    }

    /// The boxes that came, went, fell asleep or woke up since the next list was begun, and the static ones that changed;
    /// they have escaped from the current list.
    fn find_changed(&self, proxies: &Proxies, mut changed: Vec<u32>) -> Vec<u32> {
        changed.clear();
        let others = self.escaped.indices.as_slice().iter().copied();
        changed
            .extend(others.filter(|&index| {
                !proxies.has_same(&self.enlarged, index) || self.is_static(index)
            }));
        changed
    }

    /// Begins the courses of the next list and computes all fat boxes. Returns how many boxes may move, and whether the
    /// static boxes, if `settled`, are the same as before.
    fn enlarge_all(&mut self, proxies: &Proxies, settled: bool) -> (usize, bool) {
        self.begin_courses(proxies, settled);
        let known = self.enlarged.boxes().len() as u32;
        let mut others = take(&mut self.others);
        let mut moving = self.enlarge_moving(proxies, settled, &mut others);
        // Pairs of static boxes are kept while no static box changes.
        let mut keeps_fixed = settled;
        for index in others.iter().copied().chain(known..proxies.boxes().len() as u32) {
            keeps_fixed &= !self.is_static(index);
            moving += usize::from(self.enlarge(proxies, index));
            keeps_fixed &= !self.is_static(index);
        }
        self.others = others;
        // Those of the list in use, which are of the list after the next.
        self.courses.knows_static &= keeps_fixed;
        (moving, keeps_fixed)
    }

    fn begin_courses(&mut self, proxies: &Proxies, settled: bool) {
        let Self { predictor, upcoming, threads, .. } = self;
        let margin = self.margin;
        let UpcomingList { courses, span, .. } = upcoming;
        let keeps = settled && courses.knows_static;
        let origin = if keeps { *courses.origin() } else { predictor.origin() };
        let enlarged = keeps.then_some(&self.enlarged);
        let plan = Plan { proxies, predictor, margin, enlarged };
        courses.begin(proxies.boxes().len(), origin, *threads, &plan);
        (span.begin, span.planned) = (predictor.frame, predictor.horizon());
        let [first, last] = predictor.frames();
        let endless = margin.is_some() || !courses.are_moving();
        span.frames = [first, if endless { ListSpan::FOREVER } else { last }];
        courses.knows_static = true;
    }

    /// Moves the pairs of static boxes to a list of their own.
    fn set_fixed_apart(&mut self, moving: usize) {
        let Self { enlarged, fixed, keys, margin, .. } = self;
        fixed.clear();
        if margin.is_none() && moving < enlarged.len() {
            let rests = |index: u32| enlarged.mobility(index) == Mobility::Static;
            keys.retain(|&key| {
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
        let Self { finder, enlarged, margin, threads, upcoming, escaped, .. } = self;
        // Whether a box was static when the list was made, and still is.
        let rests = |index: u32| {
            settled
                && proxies.mobility(index) == Mobility::Static
                && escaped.number(index).is_none()
        };
        if !finder.may_skip_updates() || margin.is_some() {
            let is_static = |index: u32| enlarged.mobility(index) == Mobility::Static;
            let indices = 0..enlarged.boxes().len() as u32;
            others.clear();
            others.extend(indices.filter(|&index| !(is_static(index) && rests(index))));
            return 0;
        }
        let (courses, frames) = (&upcoming.courses, upcoming.span.frames.map(f64::from));
        let next = |index: u32, id: ProxyId, before: &Aabb| {
            let is_same = proxies.is_alive(index) && proxies.id(index) == id;
            let moves = is_same && proxies.mobility(index) == Mobility::Moving;
            let course = courses.get(index).filter(|_| moves && is_ordinary(before))?;
            Some(course.hull(courses.origin(), frames))
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
        let UpcomingList { courses, span, .. } = &self.upcoming;
        let is_lasting = self.margin.is_none() && mobility == Mobility::Static;
        let around = match courses.get(index).filter(|_| !is_lasting) {
            Some(course) => course.hull(courses.origin(), span.frames.map(f64::from)),
            None => Expected::at_rest(aabb, self.margin.unwrap_or(0.0)).place(),
        };
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

/// How the boxes of a list are expected to move.
struct Plan<'a> {
    proxies: &'a Proxies,
    predictor: &'a MotionPredictor,
    margin: Option<f64>,
    /// The fat boxes of the last list, if the static ones among them have their courses.
    enlarged: Option<&'a Proxies>,
}

impl Prediction for Plan<'_> {
    #[inline(always)]
    fn stays(&self, index: u32) -> bool {
        self.proxies.mobility(index) == Mobility::Static
            && self.enlarged.is_some_and(|enlarged| self.proxies.has_same(enlarged, index))
    }

    #[inline(always)]
    fn expect(&self, index: u32) -> Expected<'_> {
        let aabb = &self.proxies.boxes()[index as usize];
        match self.margin {
            Some(margin) => Expected::at_rest(aabb, margin),
            None if self.proxies.mobility(index) == Mobility::Static => {
                Expected::at_rest(aabb, 0.0)
            }
            None => self.predictor.expect(index, aabb),
        }
    }
}
