//! Predicts the space that boxes will sweep.

use std::array::from_fn;

use xcollide_bounds::Aabb;
use xcollide_simd::prefetch;

use super::cost_model::CostModel;
use crate::course::{Course, Expected};
use crate::parallel::for_chunks_mut;
use crate::sample::Sample;
use crate::sides::{FARTHEST, greatest, least, longest_side};
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
    /// Where the boxes were some frames ago, or would have been at their velocities, which are measured from there.
    anchors: Vec<Anchor>,
    /// The frame of the anchors, and that in which they were stored.
    anchored: u64,
    stored: u64,
    /// The frame at which to store `anchors` next.
    anchor_at: u64,
    /// The frame at which to store them because a list was made.
    renewed_at: u64,
    /// Whether they are stored for the next list.
    is_anchored: bool,
    /// The frame of the last list.
    made: u64,
    /// The most by which a box is enlarged, unless it is larger itself.
    farthest: f64,
    /// The typical speed of moving boxes.
    pace: f64,
    /// In how many lists in a row most boxes seemed to jump.
    jumps: u32,
    /// The least sway that is expected of a box, as a share of its longest side.
    usual_sway: f64,
    /// One over the number of frames since `anchors` were stored.
    rate: f64,
    /// In how many frames the list in the making was to come into use when it was begun.
    wait: f64,
    /// How many frames ago that was.
    age: f64,
    /// Whether velocities were known when the last list was prepared.
    was_known: bool,
    /// Whether velocities are averages over about [`BASELINE`] frames: of turning bodies, those of a few frames are not of use;
    /// where many bounce, averages are late. After a list that died early, the other is tried.
    averages: bool,
    /// What the last list without averages and the last one with them cost, relative to the other algorithm; infinite where
    /// unknown.
    relative_costs: [f64; 2],
    /// Lists since the other was tried. The boxes of the first one were stored before.
    tried: u32,
    /// Whether the next list replaced the last one for another reason than that it was ready.
    was_lost: bool,
    /// A place in the middle of the boxes.
    origin: [f64; 3],
    sample: Sample,
}

/// A box some frames ago.
#[derive(Clone, Copy, Debug)]
struct Anchor {
    aabb: Aabb,
    /// The most by which a side has lately gone to and fro beside the motion of the center, as the body turns.
    sway: f64,
}

/// What is left of the sway when boxes are stored again, and how much more of it is expected of a box that escaped.
const FADING: f64 = 0.998;
const MORE_SWAY: f64 = 2.2;

/// How much more of the sway is expected than was seen since the box was stored, up to a share of the longest side.
const FURTHER_SWAY: f64 = 4.0;
const FURTHEST_SWAY: f64 = 0.1;

/// The least sway that is expected of a box, times the median of all as a share of the longest side: a body that has not
/// turned far may yet do so, and to search again for a box that escaped costs as much as twenty more pairs on the list.
const USUAL_SWAY: f64 = 2.0;

/// The tolerance of a box that is seen for the first time, as a share of its longest side. So the first list serves until
/// velocities are known.
const FIRST_ROOM: f64 = 0.3;

/// How many frames before it was stored a box is taken to have kept its velocity. So velocities are averages over about so
/// many frames: the center of a turning body's box is fast from frame to frame but returns.
const BASELINE: u64 = 24;

/// A change of velocity of up to this part of the sway a frame may be due to turning; this part of it is believed.
const TURNING: f64 = 0.4;
const BELIEVED: f64 = 0.3;

/// What seems faster has jumped: the longest side of a box, or that of most boxes, in four frames.
const FASTEST: f64 = 0.25;

const SAMPLED: usize = 256;

/// Frames over which velocities are measured for a list that is made at once.
const LOOK_BACK: u64 = 2;

/// The fewest and the most frames over which velocities are measured for a list that is made in steps.
const LOOK_BACK_IN_STEPS: [u64; 2] = [3, 16];

/// With a shorter look-ahead, lists are made at once, as too many boxes would escape while they are made, and each side of a
/// box keeps its velocity. With a longer one both sides have that of the center: those of a turning body turn back.
const LOOK_AHEAD: f64 = 7.0;

/// The look-ahead of lists that are to follow each other in steps, and from which on the first one is made so.
pub(super) const IN_STEPS: f64 = 8.0;

/// With a larger share of doubt, boxes are expected around where they are, not on a straight course.
const STRAIGHT: f64 = 0.6;

impl Default for MotionPredictor {
    fn default() -> Self {
        Self {
            horizon: 12.0,
            doubt: 0.02,
            frame: 0,
            anchors: Vec::new(),
            anchored: 0,
            stored: 0,
            anchor_at: 0,
            renewed_at: 0,
            is_anchored: false,
            made: 0,
            farthest: 0.0,
            pace: 0.0,
            jumps: 0,
            usual_sway: 0.0,
            rate: 0.0,
            wait: 0.0,
            age: 0.0,
            was_known: false,
            averages: false,
            relative_costs: [f64::INFINITY; 2],
            tried: 0,
            was_lost: false,
            origin: [0.0; 3],
            sample: Sample::default(),
        }
    }
}

impl MotionPredictor {
    /// Begins to learn anew, in the frame that is counted next: boxes are stored at its end.
    pub(super) fn renew(&mut self) {
        let frame = self.frame;
        *self = Self { frame, renewed_at: frame + 1, ..Self::default() };
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
        let is_new = self.frame == self.renewed_at;
        let is_time = is_soon && !in_steps || self.frame >= self.anchor_at;
        let is_time = is_time && !is_new && !self.is_anchored;
        let is_old = in_steps && self.frame >= self.stored + LOOK_BACK_IN_STEPS[1];
        if is_new || is_time || is_old {
            self.set_anchors(proxies, threads);
            self.is_anchored |= is_time;
        }
    }

    fn set_anchors(&mut self, proxies: &Proxies, threads: bool) {
        let boxes = proxies.boxes();
        let (frames, farthest) = (self.frame - self.anchored, self.farthest);
        let is_known = self.knows_velocities() && self.averages && frames > 0;
        let baseline = if is_known { BASELINE.min(self.frame) } else { 0 };
        let share = baseline as f64 / frames.max(1) as f64;
        self.anchors.resize(boxes.len(), Anchor { aabb: Aabb::EMPTY, sway: 0.0 });
        for_chunks_mut(&mut self.anchors, threads, |first, anchors| {
            for (index, anchor) in (first..).zip(anchors) {
                if proxies.mobility(index as u32) == Mobility::Moving {
                    let aabb = boxes[index];
                    let sway = greatest(FADING * anchor.sway, sway(&anchor.aabb, &aabb));
                    let most = FASTEST * greatest(longest_side(&aabb), farthest) * baseline as f64;
                    let way = way(&anchor.aabb, &aabb).map(|way| {
                        let way = share * way;
                        // Not for NaN, as of a new box.
                        if way.abs() <= most { way } else { 0.0 }
                    });
                    *anchor = Anchor { aabb: moved_back(&aabb, way), sway };
                }
            }
        });
        (self.anchored, self.stored) = (self.frame - baseline, self.frame);
    }

    /// Starts loading what [`turn`](Self::turn) needs of a box.
    pub(super) fn prefetch(&self, index: u32) {
        if let Some(anchor) = self.anchors.get(index as usize) {
            prefetch(anchor);
        }
    }

    /// Notes that a box left its course between the last frame and the next, when it is `aabb`: unless the body only turns, its
    /// velocity is that of now, not that since `anchors` were stored.
    pub(super) fn turn(&mut self, index: u32, before: &Aabb, aabb: &Aabb) {
        let frames = (self.frame + 1 - self.anchored) as f64;
        let averages = self.averages;
        let Some(anchor) = self.anchors.get_mut(index as usize) else { return };
        anchor.sway = greatest(anchor.sway, MORE_SWAY * sway(&anchor.aabb, aabb));
        let farthest = greatest(longest_side(aabb), self.farthest);
        let (former, speed) = (way(&anchor.aabb, aabb), way(before, aabb));
        let way = from_fn(|axis| {
            // Where it jumped, it rests.
            let is_likely = speed[axis].abs() <= FASTEST * farthest;
            let now = if is_likely { speed[axis] * frames } else { 0.0 };
            let change = now - former[axis];
            let is_turning = averages && change.abs() <= TURNING * anchor.sway * frames;
            if is_turning { former[axis] + BELIEVED * change } else { now }
        });
        anchor.aabb = moved_back(aabb, way);
    }

    /// Adapts the look-ahead to the life of a list, which was made for `planned` frames. `was_lost`: the next list replaced it
    /// because boxes had escaped or it could not be made in steps, not because it was ready.
    pub(super) fn learn(&mut self, costs: &CostModel, planned: f64, was_lost: bool) {
        const STEP: f64 = 1.4;
        const SHORTEST: f64 = 4.0;
        const MOST: f64 = 2.0;
        self.was_lost = was_lost;
        if !self.was_known {
            return;
        }
        let age = f64::from(costs.age);
        self.choose(costs.relative(), age < 0.7 * planned && was_lost);
        if age < 0.7 * planned && was_lost {
            // Too many boxes escaped: soon, because they oscillate, or late, because they hit something. Larger
            // margins help as long as listed pairs that do not overlap are cheap.
            let room_is_cheap = costs.shortness() > 4.0 && self.doubt < MOST;
            if age < 0.4 * planned || planned < 6.0 || room_is_cheap {
                self.doubt = (self.doubt * 2.0).min(MOST);
            }
            if !room_is_cheap {
                self.horizon = (planned / STEP).max(SHORTEST);
            }
            return;
        }
        self.doubt = (self.doubt * 0.8).max(0.01);
        // Converges quickly and stays near the best length.
        let factor = costs.shortness().sqrt().clamp(1.0 / STEP, 2.0);
        let horizon = (planned * factor).clamp(SHORTEST, 100.0);
        // A little longer than the best, a list can be made in steps, if velocities last.
        let is_near = horizon * STEP >= IN_STEPS && !was_lost;
        self.horizon = if is_near { horizon.max(IN_STEPS) } else { horizon };
    }

    /// Chooses whether velocities are averages, by the relative cost of the last list. `was_short`: it died early.
    fn choose(&mut self, relative_cost: f64, was_short: bool) {
        let (own, other) = (usize::from(self.averages), usize::from(!self.averages));
        self.tried += 1;
        if self.tried < 2 {
            return;
        }
        // A list that was over as soon as it came into use has no such cost.
        if relative_cost.is_finite() {
            self.relative_costs[own] = relative_cost;
        }
        let [cost, before] = [own, other].map(|which| self.relative_costs[which]);
        let is_new = before.is_infinite() && was_short && self.looks_far_ahead();
        if is_new || before < 0.9 * cost {
            (self.averages, self.tried) = (!self.averages, 0);
        }
    }

    /// Whether boxes are predicted far enough to make the next list in steps.
    pub(super) fn looks_far_ahead(&self) -> bool {
        self.horizon >= LOOK_AHEAD
    }

    /// Whether boxes were stored before, so that velocities can be measured.
    pub(super) fn knows_velocities(&self) -> bool {
        !self.anchors.is_empty()
    }

    /// Whether most boxes jump, and do so lastingly: no course holds them.
    pub(super) fn sees_jumps(&self) -> bool {
        const ENOUGH: u32 = 3;
        self.jumps >= ENOUGH
    }

    /// Whether velocities are known well enough to start the next list.
    pub(super) fn is_ready(&self) -> bool {
        self.knows_velocities() && self.frame >= self.stored + LOOK_BACK_IN_STEPS[0]
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
            || moving.clone().filter_map(|index| Some((&boxes[index], anchors.get(index)?)));
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
        let frames = self.frame - self.anchored;
        self.rate = if frames > 0 { 1.0 / frames as f64 } else { 0.0 };
        self.age = age as f64;
    }

    /// A place in the middle of the boxes.
    pub(super) fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// For how many frames lists are made.
    pub(super) fn horizon(&self) -> f64 {
        self.horizon
    }

    /// In which frames from now on boxes keep their courses if they do what is expected, at least.
    pub(super) fn frames(&self) -> [u8; 2] {
        [self.wait, self.wait + self.horizon].map(|frames| frames as u8)
    }

    /// How a box is expected to move in the life of the list that is being made.
    #[inline(always)]
    pub(super) fn expect<'a>(&'a self, index: u32, aabb: &'a Aabb) -> Expected<'a> {
        let (before, sway) = match self.anchors.get(index as usize) {
            Some(anchor) => {
                // NaN where no sway is usual and the box is unbounded, which is then left out.
                let usual = self.usual_sway * longest_side(aabb);
                (&anchor.aabb, greatest(anchor.sway_until(aabb), usual))
            }
            None => (aabb, FIRST_ROOM * longest_side(aabb)),
        };
        let frames = self.wait + self.horizon - self.age;
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
        let frames = self.horizon - (self.frame - self.made) as f64;
        let frames = frames.max(0.25 * self.horizon);
        let sway = self.anchors.get(index as usize).map_or(0.0, |anchor| anchor.sway);
        let Expected { fastest, usual, tolerance, .. } =
            self.expect_since(before, 1.0, aabb, frames, sway);
        let speed = |now: f64, before: f64| {
            let speed = now - before;
            if speed.abs() <= fastest { speed } else { 0.0 }
        };
        let sides = aabb.min.iter().zip(&before.min).chain(aabb.max.iter().zip(&before.max));
        let way = sides.map(|(now, before)| speed(*now, *before).abs()).fold(0.0, greatest);
        let way = frames * way;
        let doubt = self.doubt * greatest(way, usual) + tolerance;
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
            doubt: self.doubt,
            usual: self.pace * frames,
            tolerance: if is_by_center { least(sway, 0.5 * farthest) } else { 0.0 },
            is_by_center,
            is_straight: self.doubt <= STRAIGHT,
        }
    }

    /// Called when a list was made, in steps or at once: schedules storing the boxes for the next one, which may be made in
    /// `next` steps.
    pub(super) fn list_is_made(&mut self, in_steps: bool, next: usize) {
        self.made = self.frame;
        // In the next frame if much else is to do in this one.
        self.renewed_at = self.frame + u64::from(in_steps);
        self.is_anchored = false;
        let before_steps = LOOK_BACK_IN_STEPS[0] + 1 + next as u64;
        let look_back = if self.looks_far_ahead() { before_steps } else { LOOK_BACK };
        let later = (self.horizon as u64).saturating_sub(look_back);
        // Boxes are stored now, too. Those stored soon after would not be old enough when the next list is begun; where
        // velocities do not last, new ones are better than old ones.
        let is_useful = later > LOOK_BACK_IN_STEPS[0];
        self.anchor_at = match self.was_lost {
            _ if is_useful => self.frame + later,
            true => self.frame + self.horizon as u64,
            false => u64::MAX,
        };
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.anchors) + self.sample.bytes()
    }
}

impl Anchor {
    /// The sway that is expected of the box, which is `aabb` now.
    #[inline(always)]
    fn sway_until(&self, aabb: &Aabb) -> f64 {
        let further = FURTHER_SWAY * sway(&self.aabb, aabb);
        greatest(self.sway, least(further, FURTHEST_SWAY * longest_side(aabb)))
    }
}

/// How far the center of a box has come.
#[inline(always)]
fn way(before: &Aabb, aabb: &Aabb) -> [f64; 3] {
    from_fn(|axis| {
        0.5 * ((aabb.min[axis] - before.min[axis]) + (aabb.max[axis] - before.max[axis]))
    })
}

#[inline(always)]
fn moved_back(aabb: &Aabb, way: [f64; 3]) -> Aabb {
    Aabb::new(
        from_fn(|axis| aabb.min[axis] - way[axis]),
        from_fn(|axis| aabb.max[axis] - way[axis]),
    )
}

/// By how much a box has grown or shrunk on each side, at most; 0 if that is more than by turning.
#[inline(always)]
fn sway(before: &Aabb, aabb: &Aabb) -> f64 {
    let grown = |axis: usize| {
        let [side, old] = [aabb, before].map(|aabb| aabb.max[axis] - aabb.min[axis]);
        0.5 * (side - old).abs()
    };
    let most = greatest(grown(0), greatest(grown(1), grown(2)));
    let longest = least(longest_side(before), longest_side(aabb));
    // Not for NaN.
    if most <= least(0.5 * longest, FARTHEST) { most } else { 0.0 }
}
