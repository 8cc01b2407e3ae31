//! Predicts the space that boxes will sweep.

mod anchors;
mod averages;
mod look_ahead;

use std::array::from_fn;

use xcollide_bounds::Aabb;

use self::anchors::{Anchors, Measure};
use self::averages::Averages;
pub(super) use self::look_ahead::IN_STEPS;
use self::look_ahead::{LookAhead, died_early};
use super::cost_model::CostModel;
use crate::course::{Course, Expected};
use crate::sample::Sample;
use crate::sides::{FARTHEST, greatest, least, longest_side};
use crate::{Mobility, Proxies};

/// Predicts the motion of boxes from the last frames.
#[derive(Debug, Default)]
pub(super) struct MotionPredictor {
    /// The number of the frame.
    pub(super) frame: u64,
    anchors: Anchors,
    averages: Averages,
    look_ahead: LookAhead,
    /// The frame of the last list; 0 before the first one.
    made: u64,
    /// Whether velocities were known when the last list was prepared.
    was_known: bool,
    /// Whether the next list replaced the last one for another reason than that it was ready.
    was_lost: bool,
    /// The most by which a box is enlarged, unless it is larger itself.
    farthest: f64,
    /// The typical speed of moving boxes.
    pace: f64,
    /// In how many lists in a row most boxes seemed to jump.
    jumps: u32,
    /// The least sway that is expected of a box, as a share of its longest side.
    usual_sway: f64,
    /// One over the number of frames since the boxes were stored.
    rate: f64,
    /// In how many frames the list in the making was to come into use when it was begun.
    wait: f64,
    /// How many frames ago that was.
    age: f64,
    /// A place in the middle of the boxes.
    origin: [f64; 3],
    sample: Sample,
}

/// The least sway that is expected of a box, times the median of all as a share of the longest side: a body that has not
/// turned far may yet do so, and to search again for a box that escaped costs as much as twenty more pairs on the list.
const USUAL_SWAY: f64 = 2.0;

/// The tolerance of a box that is seen for the first time, as a share of its longest side. So the first list serves until
/// velocities are known.
const FIRST_ROOM: f64 = 0.3;

/// What seems faster has jumped: the longest side of a box, or that of most boxes, in four frames.
const FASTEST: f64 = 0.25;

const SAMPLED: usize = 256;

impl MotionPredictor {
    /// Begins to learn anew, in the frame that is counted next: boxes are stored at its end.
    pub(super) fn renew(&mut self) {
        let frame = self.frame;
        *self = Self { frame, anchors: Anchors::after(frame), ..Self::default() };
    }

    /// Ends a frame: stores the boxes if the next list is expected soon; if lists are made in steps, every few
    /// frames.
    pub(super) fn end_frame(
        &mut self,
        proxies: &Proxies,
        is_soon: bool,
        in_steps: bool,
        threads: bool,
    ) {
        self.anchors.end_frame(proxies, self.measure(), is_soon, in_steps, threads);
    }

    /// Starts loading what [`turn`](Self::turn) needs of a box.
    pub(super) fn prefetch(&self, index: u32) {
        self.anchors.prefetch(index);
    }

    /// Notes that a box left its course between the last frame and the next, when it is `aabb`.
    pub(super) fn turn(&mut self, index: u32, before: &Aabb, aabb: &Aabb) {
        self.anchors.turn(index, before, aabb, self.measure());
    }

    fn measure(&self) -> Measure {
        Measure { frame: self.frame, averages: self.averages.are_used, farthest: self.farthest }
    }

    /// Adapts the look-ahead to the life of a list, which was made for `planned` frames. `was_lost`: the next list replaced it
    /// because boxes had escaped or it could not be made in steps, not because it was ready.
    pub(super) fn learn(&mut self, costs: &CostModel, planned: f64, was_lost: bool) {
        self.was_lost = was_lost;
        if self.was_known {
            let was_short = died_early(costs, planned, was_lost);
            self.averages.choose(costs.relative(), was_short && self.looks_far_ahead());
            self.look_ahead.learn(costs, planned, was_lost);
        }
    }

    /// Whether boxes are predicted far enough to make the next list in steps.
    pub(super) fn looks_far_ahead(&self) -> bool {
        self.look_ahead.is_far()
    }

    /// Whether boxes were stored before, so that velocities can be measured.
    pub(super) fn knows_velocities(&self) -> bool {
        self.anchors.are_known()
    }

    /// Whether most boxes jump, and do so lastingly: no course holds them.
    pub(super) fn sees_jumps(&self) -> bool {
        const ENOUGH: u32 = 3;
        self.jumps >= ENOUGH
    }

    /// Whether velocities are known well enough to start the next list.
    pub(super) fn is_ready(&self) -> bool {
        self.anchors.are_old_enough(self.frame, self.made == 0)
    }

    /// Prepares [`expect`](Self::expect) for a list that comes into use in `wait` frames.
    pub(super) fn prepare(&mut self, proxies: &Proxies, wait: usize) {
        self.wait = wait as f64;
        self.was_known = self.knows_velocities();
        self.go_on(0);
        let boxes = proxies.boxes();
        let step = boxes.len().div_ceil(SAMPLED).max(1);
        let some = || (0..boxes.len()).step_by(step).filter(|&index| !boxes[index].is_empty());
        self.origin = [0, 1, 2].map(|axis| {
            let lows = some().map(|index| boxes[index].min[axis]);
            self.sample.median_of(lows.filter(|low| low.abs() <= FARTHEST)).unwrap_or(0.0)
        });
        let sides = some().map(|index| longest_side(&boxes[index]));
        self.farthest = self.sample.median_of(sides).unwrap_or(0.0);
        let Self { anchors, rate, .. } = self;
        let moving = some().filter(|&index| proxies.mobility(index as u32) == Mobility::Moving);
        let known =
            || moving.clone().filter_map(|index| Some((&boxes[index], anchors.get(index as u32)?)));
        let sways = known().map(|(aabb, anchor)| anchor.sway_until(aabb) / longest_side(aabb));
        let sways = sways.filter(|share| share.is_finite());
        self.usual_sway = USUAL_SWAY * self.sample.median_of(sways).unwrap_or(0.0);
        let speeds = known().map(|(aabb, anchor)| {
            let before = anchor.aabb.min;
            let speed = |axis: usize| ((aabb.min[axis] - before[axis]) * *rate).abs();
            speed(0).max(speed(1)).max(speed(2))
        });
        let pace = self.sample.median_of(speeds).unwrap_or(0.0);
        // The sampled pace is ignored if most boxes are new or jump.
        let is_likely = pace <= FASTEST * self.farthest;
        let pace = if is_likely { pace } else { 0.0 };
        self.jumps = if is_likely { 0 } else { self.jumps + 1 };
        // Oscillating boxes appear slow at times.
        self.pace = pace.max(0.8 * self.pace);
    }

    /// Prepares [`expect`](Self::expect) for courses of the same list in a later frame, `age` frames after the first.
    pub(super) fn go_on(&mut self, age: u64) {
        self.rate = self.anchors.rate(self.frame);
        self.age = age as f64;
    }

    /// A place in the middle of the boxes.
    pub(super) fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// For how many frames lists are made.
    pub(super) fn horizon(&self) -> f64 {
        self.look_ahead.horizon
    }

    /// In which frames from now on boxes keep their courses if they do what is expected, at least.
    pub(super) fn frames(&self) -> [u8; 2] {
        [self.wait, self.wait + self.look_ahead.horizon].map(|frames| frames as u8)
    }

    /// How a box is expected to move in the life of the list that is being made.
    #[inline(always)]
    pub(super) fn expect<'a>(&'a self, index: u32, aabb: &'a Aabb) -> Expected<'a> {
        let (before, sway) = match self.anchors.get(index) {
            Some(anchor) => {
                // NaN where no sway is usual and the box is unbounded, which is then left out.
                let usual = self.usual_sway * longest_side(aabb);
                (&anchor.aabb, greatest(anchor.sway_until(aabb), usual))
            }
            None => (aabb, FIRST_ROOM * longest_side(aabb)),
        };
        let frames = self.wait + self.look_ahead.horizon - self.age;
        let expected = self.expect_since(before, self.rate, aabb, frames, sway);
        Expected { age: self.age, ..expected }
    }

    /// A course for a box that escaped, as [`expect`](Self::expect), in the rest of the list's life, at the velocity of the
    /// last frame; or its place. The course leads nowhere, so that the box may stay on it for longer.
    pub(super) fn course_of_escaped(
        &self,
        index: u32,
        before: &Aabb,
        aabb: &Aabb,
        origin: &[f64; 3],
    ) -> Result<Course, Aabb> {
        let frames = self.look_ahead.horizon - (self.frame - self.made) as f64;
        let frames = frames.max(0.25 * self.look_ahead.horizon);
        let sway = self.anchors.get(index).map_or(0.0, |anchor| anchor.sway);
        let Expected { fastest, usual, tolerance, .. } =
            self.expect_since(before, 1.0, aabb, frames, sway);
        let speed = |now: f64, before: f64| {
            let speed = now - before;
            if speed.abs() <= fastest { speed } else { 0.0 }
        };
        let sides = aabb.min.iter().zip(&before.min).chain(aabb.max.iter().zip(&before.max));
        let way = sides.map(|(now, before)| speed(*now, *before).abs()).fold(0.0, greatest);
        let way = frames * way;
        let doubt = self.look_ahead.doubt * greatest(way, usual) + tolerance;
        // Around the middle of its way, unless it would shrink to nothing.
        let middle = |now: f64, before: f64| now + 0.5 * frames * speed(now, before);
        let middle = Aabb::new(
            from_fn(|axis| middle(aabb.min[axis], before.min[axis])),
            from_fn(|axis| middle(aabb.max[axis], before.max[axis])),
        );
        if middle.is_empty() {
            return Expected::at_rest(aabb, way + doubt).course(origin);
        }
        Expected::at_rest(&middle, 0.5 * way + doubt).course(origin)
    }

    #[inline(always)]
    fn expect_since<'a>(
        &self,
        before: &'a Aabb,
        rate: f64,
        aabb: &'a Aabb,
        frames: f64,
        sway: f64,
    ) -> Expected<'a> {
        // Boxes that jumped, are very fast or unbounded should escape rather than enlarge the list: they seem to rest.
        // Finite, so that no side becomes NaN.
        let farthest = least(greatest(longest_side(aabb), self.farthest), FARTHEST);
        let is_by_center = self.looks_far_ahead();
        Expected {
            aabb,
            before,
            rate,
            fastest: FASTEST * farthest,
            frames,
            age: 0.0,
            doubt: self.look_ahead.doubt,
            usual: self.pace * frames,
            tolerance: if is_by_center { least(sway, 0.5 * farthest) } else { 0.0 },
            is_by_center,
            is_straight: self.look_ahead.is_straight(),
        }
    }

    /// Called when a list was made, in steps or at once: schedules storing the boxes for the next one, which may be made in
    /// `next` steps.
    pub(super) fn list_is_made(&mut self, in_steps: bool, next: usize) {
        self.made = self.frame;
        let next = self.looks_far_ahead().then_some(next);
        let horizon = self.look_ahead.horizon;
        self.anchors.list_is_made(self.frame, in_steps, horizon, next, self.was_lost);
    }

    pub(super) fn bytes(&self) -> usize {
        self.anchors.bytes() + self.sample.bytes()
    }
}
