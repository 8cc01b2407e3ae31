//! How lists are made: at once, or in steps while the last one serves.

use std::mem::{swap, take};
use std::ops::Range;

use xcollide_bounds::Aabb;

use super::motion_predictor::MotionPredictor;
use super::upcoming_list::{Step, UpcomingList, steps};
use super::{ListSpan, NeighbourListFinder};
use crate::course::Expected;
use crate::courses::Prediction;
use crate::parallel::HEAVY;
use crate::sides::is_ordinary;
use crate::{Bounds, Mobility, PairCollector, PairFinder, Proxies, ProxyId, SearchStep};

/// Lists of fewer moving boxes are made at once, in some microseconds.
const MANY: usize = 64;

/// The fewest steps in which a list is made while none is in use. There is time, and often its memory is used for the first
/// time.
const WITHOUT_HURRY: usize = 13;

impl<F: PairFinder> NeighbourListFinder<F> {
    /// Makes a list at once.
    pub(super) fn make_list(&mut self, proxies: &Proxies) {
        self.upcoming.give_up();
        self.predictor.prepare(proxies, 0);
        let settled = self.margin.is_none() && self.knows_fixed;
        self.begin_list(settled, proxies.boxes().len());
        let mut keeps_fixed = self.enlarge_boxes(proxies, 0..proxies.boxes().len(), settled);
        self.upcoming.end_enlarging(self.predictor.knows_velocities());
        let mut found = take(&mut self.upcoming.found);
        found.clear();
        let mut all = PairCollector::boxes_onto(&self.enlarged, found);
        let whole = SearchStep::WHOLE;
        keeps_fixed = keeps_fixed && self.finder.find_moving(&self.enlarged, whole, &mut all);
        if !keeps_fixed {
            self.finder.find(&self.enlarged, &mut all);
        }
        self.upcoming.found = all.found;
        if !keeps_fixed {
            self.set_fixed_apart(self.upcoming.moving);
        }
        let (boxes, threads) = (proxies.boxes().len(), self.threads);
        self.upcoming.add_found(threads);
        self.upcoming.schedule(SearchStep::WHOLE, boxes, threads);
        // After a crowd has dissolved.
        self.upcoming.found.shrink(64 + boxes / HEAVY);
        self.knows_fixed = true;
        self.open_list(keeps_fixed);
    }

    /// Puts the new list into use.
    fn open_list(&mut self, keeps_fixed: bool) {
        let in_steps = self.upcoming.is_begun();
        let boxes = self.enlarged.len();
        let UpcomingList { courses, span, schedule, moving, candidates, .. } = &mut self.upcoming;
        self.serves = true;
        let (moving, candidates) = (*moving, *candidates);
        swap(courses, &mut self.courses);
        swap(span, &mut self.span);
        swap(schedule, &mut self.pairs);
        self.escaped.clear();
        self.is_lost = false;
        self.lists_made += 1;
        if keeps_fixed {
            self.costs.open([boxes, moving, boxes.saturating_sub(moving)], candidates);
        } else {
            self.costs.open([boxes, moving, 0], candidates + self.fixed.len());
        }
        self.predictor.list_is_made(in_steps, steps(self.predictor.horizon()));
        self.upcoming.list_is_made();
    }

    /// Whether the next list can be made in steps.
    pub(super) fn goes_in_steps(&self, proxies: &Proxies) -> bool {
        self.margin.is_none()
            && self.knows_fixed
            && self.finder.may_skip_updates()
            && proxies.moving() >= MANY
            && self.predictor.looks_far_ahead()
            && self.upcoming.is_worthwhile()
    }

    /// Begins the next list if none is in use, or if the one in use will have ended by the time the next is ready.
    pub(super) fn begin_if_due(&mut self, proxies: &Proxies) {
        let steps = steps(self.predictor.horizon());
        let lasts = |frames: usize| self.span.lasts(self.predictor.frame + frames as u64);
        // Later it would be given up.
        let is_in_time = lasts(steps - 3);
        let is_due = is_in_time && (!lasts(steps + 1) || self.costs.is_waning());
        if self.serves && !is_due || !self.predictor.is_ready() {
            return;
        }
        let steps = if self.serves { steps } else { steps.max(WITHOUT_HURRY) };
        if !self.serves {
            self.escaped.clear();
        }
        // The list is in use from the last step on; a frame less, as not all boxes keep their speed.
        self.predictor.prepare(proxies, steps - 2);
        self.begin_list(true, proxies.boxes().len());
        self.upcoming.begin(steps);
        if !self.make_step(proxies) {
            self.make_next_at_once();
        }
    }

    /// Gives up the list in the making. One with other static boxes, or that cannot be made in steps, is made in the next frame.
    fn make_next_at_once(&mut self) {
        self.is_lost = true;
        // Some of the fat boxes are those of the list that was given up.
        self.knows_fixed &= self.serves;
        self.upcoming.give_up();
    }

    /// Makes one step of the next list. False if it must be made at once.
    fn make_step(&mut self, proxies: &Proxies) -> bool {
        let Self { upcoming, enlarged, finder, threads, predictor, .. } = self;
        match upcoming.next_step() {
            Step::Enlarge(step) => {
                predictor.go_on(predictor.frame - upcoming.span.begin);
                let boxes = upcoming.next_boxes(step, proxies.boxes().len());
                let keeps_fixed = self.enlarge_boxes(proxies, boxes, true);
                if step.is_last() {
                    self.upcoming.end_enlarging(true);
                }
                keeps_fixed
            }
            Step::Search(step) => upcoming.search(step, finder, enlarged, *threads),
            Step::Schedule(step) => {
                upcoming.schedule(step, enlarged.boxes().len(), *threads);
                true
            }
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
            if !self.make_step(proxies) {
                return self.make_next_at_once();
            }
            // From the last step on, the finder searches around boxes in the new list.
            if self.upcoming.is_ready() {
                break;
            }
            if !is_over {
                return;
            }
        }
        let was_lost = is_over || self.serves && self.costs.is_waning();
        if self.serves {
            self.predictor.learn(&self.costs, self.span.planned, was_lost);
        }
        // The next list was begun as soon as the last one was in use, and not because that was made for a few frames only.
        let was_short = was_lost && self.costs.age < self.upcoming.steps() as u32;
        let changed = take(&mut self.others);
        let changed = self.find_changed(proxies, changed);
        self.open_list(true);
        self.upcoming.give_up();
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

    /// Begins the next list, for up to `len` boxes but without one.
    fn begin_list(&mut self, settled: bool, len: usize) {
        let Self { predictor, upcoming, margin, .. } = self;
        upcoming.clear();
        let UpcomingList { courses, span, .. } = upcoming;
        courses.knows_static &= settled;
        let origin = if courses.knows_static { *courses.origin() } else { predictor.origin() };
        courses.clear(origin, len);
        (span.begin, span.planned) = (predictor.frame, predictor.horizon());
        let [first, last] = predictor.frames();
        span.frames = [first, if margin.is_some() { ListSpan::FOREVER } else { last }];
    }

    /// Begins the courses of consecutive boxes in the next list and computes their fat boxes. Returns whether the
    /// static boxes, if `settled`, are the same as before.
    fn enlarge_boxes(&mut self, proxies: &Proxies, range: Range<usize>, settled: bool) -> bool {
        self.begin_courses(proxies, range.clone());
        if self.finder.may_skip_updates() && self.margin.is_none() {
            self.enlarged.adopt_moving(proxies, range.clone());
        }
        let known = self.enlarged.boxes().len();
        let mut others = take(&mut self.others);
        let old = range.start.min(known)..range.end.min(known);
        let mut moving = self.enlarge_moving(proxies, old, settled, &mut others);
        // Pairs of static boxes are kept while no static box changes.
        let mut keeps_fixed = settled;
        let new = range.start.max(known) as u32..range.end.max(known) as u32;
        for index in others.iter().copied().chain(new) {
            keeps_fixed &= !self.is_static(index);
            moving += usize::from(self.enlarge(proxies, index));
            keeps_fixed &= !self.is_static(index);
        }
        self.others = others;
        self.upcoming.moving += moving;
        // Those of the list in use, which are of the list after the next.
        self.courses.knows_static &= keeps_fixed;
        keeps_fixed
    }

    fn begin_courses(&mut self, proxies: &Proxies, range: Range<usize>) {
        let Self { predictor, upcoming, enlarged, margin, threads, .. } = self;
        let courses = &mut upcoming.courses;
        let enlarged = courses.knows_static.then_some(&*enlarged);
        let plan = Plan { proxies, predictor, margin: *margin, enlarged };
        courses.begin(range, *threads, &plan);
    }

    /// Moves the pairs of static boxes to a list of their own.
    fn set_fixed_apart(&mut self, moving: usize) {
        let Self { enlarged, fixed, upcoming, margin, order, threads, .. } = self;
        fixed.clear();
        if margin.is_none() && moving < enlarged.len() {
            let rests = |index: u32| enlarged.mobility(index) == Mobility::Static;
            let is_fixed = |key: u64| rests((key >> 32) as u32) && rests(key as u32);
            upcoming.found.set_apart(is_fixed, fixed, *threads);
            order.sort(fixed, enlarged.boxes().len(), *threads);
        }
    }

    /// Updates the fat boxes whose changes the other algorithm need not be told. Returns their number, and writes
    /// to `others` the indices of the others, without unchanged static boxes if these are `settled`.
    fn enlarge_moving(
        &mut self,
        proxies: &Proxies,
        range: Range<usize>,
        settled: bool,
        others: &mut Vec<u32>,
    ) -> usize {
        let Self { finder, enlarged, margin, threads, upcoming, escaped, .. } = self;
        // Whether a box was static when the list was made, and still is.
        let rests = |index: u32| {
            settled
                && proxies.mobility(index) == Mobility::Static
                && escaped.number(index).is_none()
        };
        if !finder.may_skip_updates() || margin.is_some() {
            let is_static = |index: u32| enlarged.mobility(index) == Mobility::Static;
            let indices = range.start as u32..range.end as u32;
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
        enlarged.move_all(range, *threads, next, rests, others)
    }

    /// Updates the fat box of an index and notifies the other algorithm. Returns whether the box may move.
    pub(super) fn enlarge(&mut self, proxies: &Proxies, index: u32) -> bool {
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
        let around = match courses.get(index) {
            _ if is_lasting => *aabb,
            Some(course) => course.hull(courses.origin(), span.frames.map(f64::from)),
            None => *courses.place(index).unwrap_or(aabb),
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

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use xcollide_fixtures::Random;

    use super::*;
    use crate::{BroadPhase as _, Everything, NeighbourList, Pairs, ProxyError, ProxyIds};

    /// Plays a frame in which boxes come or move. Whether a list came into use in it, and whether that was made in steps.
    fn play(
        broad: &mut NeighbourList,
        boxes: impl Iterator<Item = (ProxyId, Aabb)>,
        pairs: &mut Pairs,
    ) -> Result<Option<bool>, ProxyError> {
        for (id, aabb) in boxes {
            if broad.update(id, &aabb.into()).is_err() {
                broad.insert(id, &aabb.into())?;
            }
        }
        let was_begun = broad.finder().upcoming.is_begun();
        broad.pairs(&Everything, pairs);
        Ok((broad.stats().moves > 0).then_some(was_begun))
    }

    /// The boxes of cubes that fly and turn: no list is made at once, from the first frame on.
    #[test]
    fn turning_boxes_have_no_list_made_at_once() -> Result<(), ProxyError> {
        let mut random = Random::new(5);
        let mut broad = NeighbourList::new();
        let mut ids = ProxyIds::new();
        let mut bodies = Vec::new();
        for _ in 0..2000 {
            let at: [f64; 3] = from_fn(|_| 15.0 * random.signed());
            let velocity: [f64; 3] = from_fn(|_| 0.04 * random.signed());
            let (angle, rate) = (3.0 * random.signed(), 0.05 * random.signed());
            bodies.push((ids.issue(), at, velocity, angle, rate));
        }
        let mut pairs = Pairs::new();
        let (mut at_once, mut in_steps, mut seen, mut escaped) = (0, 0, 0, None);
        for _ in 0..120 {
            let boxes = bodies.iter_mut().map(|(id, at, velocity, angle, rate)| {
                *angle += *rate;
                *at = from_fn(|axis| at[axis] + velocity[axis]);
                // A unit cube turned around the third axis.
                let half = 0.5 * (angle.sin().abs() + angle.cos().abs());
                let half = [half, half, 0.5];
                (*id, Aabb::new(from_fn(|k| at[k] - half[k]), from_fn(|k| at[k] + half[k])))
            });
            match play(&mut broad, boxes, &mut pairs)? {
                None => {}
                Some(true) => {
                    in_steps += 1;
                    escaped.get_or_insert(broad.finder().escaped.indices.as_slice().len());
                }
                Some(false) => at_once += 1,
            }
            seen += pairs.appeared.len();
        }
        assert!(at_once == 0 && in_steps > 3, "{at_once} at once, {in_steps} in steps");
        // Their search would make the frame in which the first list comes into use the longest.
        assert!(
            escaped.is_some_and(|escaped| escaped < 20),
            "{escaped:?} have left the first list"
        );
        assert!(seen > 100, "{seen} pairs");
        Ok(())
    }

    /// Bodies that tumble by 10° a frame: their boxes grow and shrink, and their centers go to and fro.
    #[test]
    fn tumbling_bodies_have_few_lists_made_at_once() -> Result<(), ProxyError> {
        let mut random = Random::new(6);
        let mut broad = NeighbourList::new();
        let mut ids = ProxyIds::new();
        const ROOM: f64 = 75.0;
        let mut vector = || -> [f64; 3] { from_fn(|_| random.signed()) };
        let unit = |vector: [f64; 3]| {
            let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
            vector.map(|x| x / length)
        };
        let mut bodies: Vec<_> = (0..1000)
            .map(|_| {
                let at = vector().map(|x| 0.5 * ROOM * (1.0 + x));
                let velocity = unit(vector()).map(|x| 0.1 * x);
                (ids.issue(), at, velocity, unit(vector()), [(); 20].map(|()| unit(vector())))
            })
            .collect();
        let (mut pairs, mut at_once, mut in_steps) = (Pairs::new(), 0, 0);
        for frame in 0..600 {
            let (sin, cos) = (10.0 * f64::from(frame)).to_radians().sin_cos();
            let boxes = bodies.iter_mut().map(|(id, at, velocity, axis, corners)| {
                for (at, velocity) in at.iter_mut().zip(velocity) {
                    *at += *velocity;
                    if *at * velocity.signum() > ROOM * f64::from(u8::from(*velocity > 0.0)) {
                        *velocity = -*velocity;
                    }
                }
                let turned = corners.iter().map(|corner| {
                    let along = (0..3).map(|k| axis[k] * corner[k]).sum::<f64>() * (1.0 - cos);
                    from_fn(|k| {
                        let [l, m] = [(k + 1) % 3, (k + 2) % 3];
                        let across = axis[l] * corner[m] - axis[m] * corner[l];
                        at[k] + cos * corner[k] + sin * across + along * axis[k]
                    })
                });
                (*id, Aabb::from_points(turned))
            });
            match play(&mut broad, boxes, &mut pairs)? {
                None => {}
                Some(true) => in_steps += 1,
                Some(false) => at_once += 1,
            }
        }
        assert!(at_once <= 4 && in_steps > 15, "{at_once} at once, {in_steps} in steps");
        Ok(())
    }
}
