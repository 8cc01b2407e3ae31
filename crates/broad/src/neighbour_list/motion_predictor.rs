//! Predicts the space that boxes will sweep.

use xcollide_bounds::Aabb;

use super::cost_model::CostModel;
use crate::parallel::for_chunks_mut;
use crate::proxies::{FARTHEST, greatest, least, longest_side};
use crate::sample::Sample;
use crate::stats::held;
use crate::{Mobility, Proxies};

/// Predicts the motion of boxes from the last frames.
#[derive(Debug)]
pub(super) struct MotionPredictor {
    horizon: f64,
    /// The margin on each side, as a share of the larger of the predicted and the usual distance.
    doubt: f64,
    /// The number of the frame.
    pub(super) frame: u64,
    /// The boxes a few frames ago, from which velocities are measured.
    anchors: Vec<Aabb>,
    anchored: u64,
    /// The frame at which to store `anchors` next.
    anchor_at: u64,
    /// Whether they are stored for the next list.
    is_anchored: bool,
    /// The frame of the last list.
    made: u64,
    /// The most by which a box is enlarged, unless it is larger itself.
    farthest: f64,
    /// The typical speed of moving boxes.
    pace: f64,
    /// One over the number of frames since `anchors` were stored.
    rate: f64,
    /// In how many frames the list in the making comes into use.
    wait: f64,
    sample: Sample,
}

const SAMPLED: usize = 256;

/// Frames over which velocities are measured for a list that is made at once.
const LOOK_BACK: u64 = 2;

/// The fewest and the most frames over which velocities are measured for a list that is made in steps.
const LOOK_BACK_IN_STEPS: [u64; 2] = [4, 16];

/// With a shorter look-ahead, lists are made at once: too many boxes would escape while they are made.
const LOOK_AHEAD: f64 = 7.0;

impl Default for MotionPredictor {
    fn default() -> Self {
        Self {
            horizon: 8.0,
            doubt: 0.05,
            frame: 0,
            anchors: Vec::new(),
            anchored: 0,
            anchor_at: 0,
            is_anchored: false,
            made: 0,
            farthest: 0.0,
            pace: 0.0,
            rate: 0.0,
            wait: 0.0,
            sample: Sample::default(),
        }
    }
}

impl MotionPredictor {
    /// Ends a frame: stores the boxes if the next list is expected soon; if lists are made in steps, every few
    /// frames.
    pub(super) fn end_frame(
        &mut self,
        proxies: &Proxies,
        is_soon: bool,
        in_steps: bool,
        threads: bool,
    ) {
        let is_time = is_soon || self.frame >= self.anchor_at;
        let is_old = in_steps && self.frame >= self.anchored + LOOK_BACK_IN_STEPS[1];
        if self.frame == self.made || is_old || is_time && !self.is_anchored {
            self.set_anchors(proxies, threads);
            self.is_anchored = self.frame != self.made;
        }
    }

    fn set_anchors(&mut self, proxies: &Proxies, threads: bool) {
        let boxes = proxies.boxes();
        self.anchors.resize(boxes.len(), Aabb::EMPTY);
        for_chunks_mut(&mut self.anchors, threads, |first, anchors| {
            for (index, anchor) in (first..).zip(anchors) {
                if proxies.mobility(index as u32) == Mobility::Moving {
                    *anchor = boxes[index];
                }
            }
        });
        self.anchored = self.frame;
    }

    /// Adapts the look-ahead to the life of a list.
    pub(super) fn learn(&mut self, costs: &CostModel) {
        const STEP: f64 = 1.4;
        const SHORTEST: f64 = 4.0;
        const MOST: f64 = 2.0;
        let age = f64::from(costs.age);
        if age < 0.7 * self.horizon {
            // Too many boxes escaped: soon, because they oscillate, or late, because they hit something. Larger
            // margins help as long as listed pairs that do not overlap are cheap.
            let room_is_cheap = costs.shortness() > 4.0 && self.doubt < MOST;
            if age < 0.4 * self.horizon || self.horizon < 6.0 || room_is_cheap {
                self.doubt = (self.doubt * 2.0).min(MOST);
            }
            if !room_is_cheap {
                self.horizon = (self.horizon / STEP).max(SHORTEST);
            }
            return;
        }
        self.doubt = (self.doubt * 0.9).max(0.05);
        // Converges quickly and stays near the best length.
        let factor = costs.shortness().sqrt().clamp(1.0 / STEP, 2.0);
        self.horizon = (self.horizon * factor).clamp(SHORTEST, 100.0);
    }

    /// Whether boxes are predicted far enough to make the next list in steps.
    pub(super) fn looks_far_ahead(&self) -> bool {
        self.horizon >= LOOK_AHEAD
    }

    /// Whether velocities are known well enough to start the next list.
    pub(super) fn is_ready(&self) -> bool {
        self.frame >= self.anchored + LOOK_BACK_IN_STEPS[0]
    }

    /// Estimates from a sample how many of the `moving` boxes will have left the fat box `place(index)` after this
    /// many frames. Velocities must be [known](Self::is_ready).
    pub(super) fn leaving<'a>(
        &self,
        proxies: &Proxies,
        moving: usize,
        place: impl Fn(u32) -> Option<&'a Aabb>,
        frames: usize,
    ) -> usize {
        let rate = frames as f64 / (self.frame - self.anchored) as f64;
        let boxes = proxies.boxes();
        let step = Sample::step(moving);
        let some = (self.frame as usize % step..boxes.len()).step_by(step);
        let leaves = |&index: &usize| {
            let (aabb, number) = (&boxes[index], index as u32);
            if aabb.is_empty() || proxies.mobility(number) == Mobility::Static {
                return false;
            }
            let (Some(before), Some(place)) = (self.anchors.get(index), place(number)) else {
                return true;
            };
            let next = |now: f64, before: f64| now + (now - before) * rate;
            (0..3).any(|axis| {
                next(aabb.min[axis], before.min[axis]) < place.min[axis]
                    || next(aabb.max[axis], before.max[axis]) > place.max[axis]
            })
        };
        step * some.filter(leaves).count()
    }

    /// Prepares [`way`](Self::way) for a list that comes into use in `wait` frames.
    pub(super) fn prepare(&mut self, proxies: &Proxies, wait: usize) {
        self.wait = wait as f64;
        let frames = self.frame - self.anchored;
        self.rate = if frames > 0 { 1.0 / frames as f64 } else { 0.0 };
        let boxes = proxies.boxes();
        let step = boxes.len().div_ceil(SAMPLED).max(1);
        let some = || (0..boxes.len()).step_by(step).filter(|&index| !boxes[index].is_empty());
        let sides = some().map(|index| longest_side(&boxes[index]));
        self.farthest = self.sample.median_of(sides).unwrap_or(0.0);
        let Self { anchors, rate, .. } = self;
        let moving = some().filter(|&index| proxies.mobility(index as u32) == Mobility::Moving);
        let speeds = moving.filter_map(|index| {
            let before = anchors.get(index)?.min;
            let speed = |axis: usize| ((boxes[index].min[axis] - before[axis]) * *rate).abs();
            Some(speed(0).max(speed(1)).max(speed(2)))
        });
        let pace = self.sample.median_of(speeds).unwrap_or(0.0);
        // The sampled pace is ignored if most boxes are new.
        let pace = if pace <= self.farthest { pace } else { 0.0 };
        // Oscillating boxes appear slow at times.
        self.pace = pace.max(0.8 * self.pace);
    }

    /// The predicted swept space of a box; empty if the box would have shrunk to nothing before the list comes into
    /// use. Then the box escapes.
    #[inline]
    pub(super) fn way(&self, index: u32, aabb: &Aabb) -> Aabb {
        match self.anchors.get(index as usize) {
            Some(anchor) => self.swept(anchor, self.rate, aabb, [self.wait, self.horizon]),
            None => *aabb,
        }
    }

    /// The predicted swept space of a box in the rest of the list's expected life, at the velocity of the last
    /// frame; not empty.
    pub(super) fn rest_of_way(&self, before: &Aabb, aabb: &Aabb) -> Aabb {
        let frames = self.horizon - (self.frame - self.made) as f64;
        self.swept(before, 1.0, aabb, [0.0, frames.max(0.25 * self.horizon)])
    }

    /// The space that a box will sweep in `frames` frames, beginning `wait` frames from now, if each side keeps its
    /// velocity since `before`.
    #[inline]
    fn swept(&self, before: &Aabb, rate: f64, aabb: &Aabb, [wait, frames]: [f64; 2]) -> Aabb {
        // Finite, so that no side becomes NaN.
        let farthest = longest_side(aabb).max(self.farthest).min(FARTHEST);
        let usual = self.pace * (wait + frames);
        let sides = |Aabb { min: [a, b, c], max: [d, e, f] }: &Aabb| [*a, *b, *c, *d, *e, *f];
        let (mut ways, before) = (sides(aabb), sides(before));
        // The same operations for all six sides, so that compilers use vector instructions.
        for side in 0..6 {
            let outward = if side < 3 { -1.0 } else { 1.0 };
            let speed = (ways[side] - before[side]) * rate;
            // Boxes that jumped, are very fast or unbounded should escape rather than enlarge the list.
            let speed = if speed.abs() * 4.0 <= farthest { speed } else { 0.0 };
            let start = speed * wait;
            let way = greatest(-farthest, least(farthest, speed * frames));
            let doubt = self.doubt * greatest((start + way).abs(), usual);
            ways[side] += start + outward * (greatest(outward * way, 0.0) + doubt);
        }
        let [a, b, c, d, e, f] = ways;
        Aabb::new([a, b, c], [d, e, f])
    }

    /// Called when a list was made: schedules storing the boxes for the next one.
    pub(super) fn list_is_made(&mut self) {
        self.made = self.frame;
        self.is_anchored = false;
        self.anchor_at = self.frame + (self.horizon as u64).saturating_sub(LOOK_BACK);
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.anchors) + self.sample.bytes()
    }
}
