//! One check: pose changes, boxes, candidate pairs, tests, report (the pipeline of Zachmann 1994,
//! 7.1).

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::jobs::{BoundsJob, Visited};
use super::objects::{NEW, Objects, UNPREPARED};
use super::pair_state::Testing;
use super::ray_tree::RayTree;
use super::report::reports;
use super::reports_job::ReportedFrame;
use super::{Failure, Frame, World};
use crate::broad::{BroadPhase, ProxyError, ProxyId};
use crate::execution::{Execution, Job};
use crate::narrow::Grain;

impl World {
    /// Finds all collisions, and those that began and ended since the last check.
    ///
    /// Tests only pairs in which an object has changed, and runs the callbacks. Problems with single objects
    /// or pairs are in [`Frame::failures`].
    ///
    /// Expected time: some tens of nanoseconds for each moved object, plus the broad phase, plus
    /// the narrow phase and some tens of nanoseconds for each candidate pair.
    #[must_use = "the frame is the result of the check"]
    pub fn check(&mut self) -> Frame {
        let mut frame = Frame::new();
        self.check_into(&mut frame);
        frame
    }

    /// As [`check`](Self::check), into an earlier frame. With the default layers on one thread it allocates nothing
    /// after warming up while the candidate pairs stay the same, except in exact arithmetic where a filter cannot
    /// decide, and for objects with parents. A new pair takes over the memory of a former one, and may allocate if it
    /// is of another kind; the parts of a job for several threads are allocated.
    pub fn check_into(&mut self, frame: &mut Frame) {
        std::mem::swap(frame, &mut self.former);
        frame.clear(self.check);
        frame.application = self.application;
        self.check += 1;
        self.ray_tree = RayTree::default();
        let mut clock = Clock(Instant::now());
        let execution = Arc::clone(&self.execution);
        execution.enter(self.last_check, &mut || self.detect(&*execution, frame, &mut clock));
        self.last_check = frame.times.total();

        self.report_in_parallel(frame);
        self.report(frame);
        frame.times.report = clock.lap();
    }

    /// All stages but the report.
    fn detect(&mut self, execution: &dyn Execution, frame: &mut Frame, clock: &mut Clock) {
        self.objects.update_world_poses(self.check, &mut frame.failures);
        self.objects.begin_motions();
        self.objects.begin_deformations(&mut frame.failures);
        self.widen_boxes();
        self.objects.swap_buffers();
        frame.stats.objects = self.objects.len;
        frame.times.pose = clock.lap();

        let (strategy, cost, visited) = (&*self.bounding, &self.bounds_cost, Visited::default());
        let bounding = BoundsJob::new(&mut self.objects, strategy, cost, self.check, &visited);
        execution.run(Job::of_bounds(bounding));
        self.bounds_cost.settle();
        let (moved, removed, flags) = visited.counts();
        frame.stats.moved = moved;
        if removed > 0 {
            self.objects.drop_removed();
        }
        frame.times.bounds = clock.lap();

        let other_pairs = self.may_have_other_pairs();
        if other_pairs {
            let (objects, failures) = (&mut self.objects, &mut frame.failures);
            let (broad, interest, out) = (&mut *self.broad, &self.interest, &mut self.candidates);
            update_broad_phase(broad, objects, flags, failures);
            broad.pairs(interest, out);
            frame.stats.broad = self.broad.stats();
        }
        frame.times.broad = clock.lap();

        let unchanged = self.settled && !other_pairs;
        if !unchanged {
            self.pairs.renew(&self.candidates.overlapping, execution);
            let so_far = frame.times.total();
            frame.approximate = self.test_pairs(execution, frame.stats.moved, so_far);
            self.pair_cost.settle();
            if let (Some(degradation), false) = (&mut self.degradation, frame.approximate) {
                degradation.note(clock.so_far(), self.pair_cost.last());
            }
        }
        self.collect(execution, frame, unchanged);
        self.settled = frame.undecided.is_empty()
            && frame.failures.is_empty()
            && frame.bounded_distances.is_empty();
        self.objects.end_deformations(&mut frame.failures);
        self.objects.end_motions(&mut frame.failures);
        frame.times.narrow = clock.lap();
    }

    /// Reports a frame to the parallel callback.
    fn report_in_parallel(&mut self, frame: &mut Frame) {
        let Some(callback) = &self.callbacks.parallel else { return };
        let mut all = ReportedFrame::new(reports(frame));
        let cost = &self.report_cost;
        self.execution.run(Job::of_reports(all.job(frame, &**callback, cost)));
        let failures = all.panics().map(|(pair, message)| Failure::Callback { pair, message });
        let failures: Vec<_> = failures.collect();
        frame.failures.extend(failures);
        self.report_cost.settle();
    }

    /// Whether anything changed for the broad phase. If not, the candidates are those of the last check.
    fn may_have_other_pairs(&mut self) -> bool {
        let interest_touched = std::mem::take(&mut self.interest_touched);
        interest_touched || !self.objects.front.is_empty() || !self.objects.removed.is_empty()
    }

    /// Returns whether the tests were approximate.
    fn test_pairs(&mut self, execution: &dyn Execution, moved: usize, so_far: Duration) -> bool {
        let pairs = self.candidates.overlapping.len();
        let all = !self.settled || self.since == self.check;
        // A pair needs a test if either object has moved.
        let share = if all { 1.0 } else { 2.0 * moved as f64 / self.objects.len.max(1) as f64 };
        // Motion is coherent: a moved object that touches all others will do so for some checks.
        let to_test = ((pairs as f64 * share) as usize).max(self.pair_cost.last()).min(pairs);
        let query = match execution.grain() {
            Grain::Coarse => self.query,
            grain => self.query.grain(grain),
        };
        let degradation = self.degradation.as_mut();
        let approximate = degradation.and_then(|choice| choice.choose(so_far, to_test, moved));
        let is_approximate = approximate.is_some();
        let testing = Testing {
            objects: &self.objects,
            narrow: approximate.unwrap_or(&*self.narrow),
            exact: &*self.narrow,
            interest: &self.interest,
            query: &query,
            check: self.check,
            since: self.since,
            turn: None,
            cost: &self.pair_cost,
            batches: &self.batches,
            time_width: self.time_width,
        };
        let pairs = &mut self.pairs;
        match &mut self.schedule {
            Some(schedule) => schedule.run(pairs, testing, execution),
            None => execution.run(Job::of_pairs(pairs.tests(to_test, testing))),
        }
        is_approximate
    }
}

/// Passes removals, new objects and changed boxes to the broad phase. `union` has the flags of all of these.
fn update_broad_phase(
    broad: &mut dyn BroadPhase,
    objects: &mut Objects,
    union: u8,
    failures: &mut Vec<Failure>,
) {
    let mut refused = |id: ProxyId, error: ProxyError| {
        let (object, message) = (id.into(), error.to_string());
        failures.push(Failure::BroadPhase { object, message });
    };
    for id in objects.removed.drain(..) {
        if let Err(error) = broad.remove(id) {
            refused(id, error);
        }
    }
    let Objects { front, names, bounds, flags, .. } = objects;
    let change = |slot: usize| (ProxyId::from(names[slot]), &bounds[slot]);
    let slots = || front.iter().map(|&index| index as usize);
    if union & NEW == 0 {
        let change = |at: usize| {
            let (id, bounds) = change(front[at] as usize);
            (id, bounds.into())
        };
        broad.update_many(front.len(), &change, &mut refused);
    } else {
        for slot in slots() {
            let (id, bounds) = change(slot);
            let is_new = flags[slot] & NEW != 0;
            let result = if is_new { broad.insert(id, bounds) } else { broad.update(id, bounds) };
            if let Err(error) = result {
                refused(id, error);
            }
        }
    }
    if union & (NEW | UNPREPARED) != 0 {
        slots().for_each(|slot| flags[slot] &= !(NEW | UNPREPARED));
    }
}

struct Clock(Instant);

impl Clock {
    /// The time since the last lap.
    fn so_far(&self) -> Duration {
        self.0.elapsed()
    }

    fn lap(&mut self) -> Duration {
        let before = std::mem::replace(&mut self.0, Instant::now());
        self.0 - before
    }
}
