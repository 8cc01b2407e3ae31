//! Where boxes were some frames ago, from which velocities are measured.

use std::array::from_fn;

use xcollide_bounds::Aabb;
use xcollide_simd::prefetch;

use super::FASTEST;
use crate::parallel::{for_chunks_mut, resize};
use crate::sides::{FARTHEST, greatest, least, longest_side};
use crate::stats::held;
use crate::{Mobility, Proxies};

/// Where the boxes were, or would have been at their velocities; and when to store them again.
#[derive(Debug, Default)]
pub(super) struct Anchors {
    boxes: Vec<Anchor>,
    /// The frame to which they belong, and that in which they were stored.
    frame: u64,
    stored: u64,
    /// The frame at which to store them for the next list.
    due: u64,
    /// The frame at which to store them because a list was made.
    renewed_at: u64,
    /// Whether they are stored for the next list.
    are_for_next: bool,
}

/// A box some frames ago.
#[derive(Clone, Copy, Debug)]
pub(super) struct Anchor {
    pub(super) aabb: Aabb,
    /// The most by which a side has lately gone to and fro beside the motion of the center, as the body turns.
    pub(super) sway: f64,
}

/// How velocities are measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    /// The number of the frame.
    pub(super) frame: u64,
    /// Whether they are averages over about [`BASELINE`] frames.
    pub(super) averages: bool,
    /// The longest side of most boxes.
    pub(super) farthest: f64,
}

/// What is left of the sway when boxes are stored again, and how much more of it is expected of a box that escaped.
const FADING: f64 = 0.998;
const MORE_SWAY: f64 = 2.2;

/// How much more of the sway is expected than was seen since the box was stored, up to a share of the longest side.
const FURTHER_SWAY: f64 = 4.0;
const FURTHEST_SWAY: f64 = 0.1;

/// How many frames before it was stored a box is taken to have kept its velocity. So velocities are averages over about so
/// many frames: the center of a turning body's box is fast from frame to frame but returns.
const BASELINE: u64 = 24;

/// A change of velocity of up to this part of the sway a frame may be due to turning; this part of it is believed.
const TURNING: f64 = 0.4;
const BELIEVED: f64 = 0.3;

/// Frames over which velocities are measured for a list that is made at once.
const LOOK_BACK: u64 = 2;

/// Frames over which velocities are measured for the first list that is made in steps: of how boxes turn nothing else is known.
const FIRST_LOOK_BACK: u64 = 8;

/// The fewest and the most frames over which velocities are measured for a list that is made in steps.
const LOOK_BACK_IN_STEPS: [u64; 2] = [3, 16];

impl Anchors {
    /// None; they are stored at the end of the frame after this one.
    pub(super) fn after(frame: u64) -> Self {
        Self { renewed_at: frame + 1, ..Self::default() }
    }

    /// Whether boxes were stored before, so that velocities can be measured.
    pub(super) fn are_known(&self) -> bool {
        !self.boxes.is_empty()
    }

    /// Whether velocities are known well enough to start the next list, or the first one.
    pub(super) fn are_old_enough(&self, frame: u64, is_first: bool) -> bool {
        let look_back = if is_first { FIRST_LOOK_BACK } else { LOOK_BACK_IN_STEPS[0] };
        self.are_known() && frame >= self.stored + look_back
    }

    #[inline(always)]
    pub(super) fn get(&self, index: u32) -> Option<&Anchor> {
        self.boxes.get(index as usize)
    }

    /// Starts loading a box.
    pub(super) fn prefetch(&self, index: u32) {
        if let Some(anchor) = self.get(index) {
            prefetch(anchor);
        }
    }

    /// One over the number of frames since then; 0 if that is now.
    pub(super) fn rate(&self, frame: u64) -> f64 {
        let frames = frame - self.frame;
        if frames > 0 { 1.0 / frames as f64 } else { 0.0 }
    }

    /// Stores the boxes at the end of a frame if the next list is expected soon; if lists are made in steps, every few
    /// frames.
    pub(super) fn end_frame(
        &mut self,
        proxies: &Proxies,
        by: Measure,
        is_soon: bool,
        in_steps: bool,
        threads: bool,
    ) {
        let is_new = by.frame == self.renewed_at;
        let is_time = is_soon && !in_steps || by.frame >= self.due;
        let is_time = is_time && !is_new && !self.are_for_next;
        let is_old = in_steps && by.frame >= self.stored + LOOK_BACK_IN_STEPS[1];
        if is_new || is_time || is_old {
            self.store(proxies, by, threads);
            self.are_for_next |= is_time;
        }
    }

    fn store(&mut self, proxies: &Proxies, by: Measure, threads: bool) {
        let boxes = proxies.boxes();
        let Measure { frame, averages, farthest } = by;
        let frames = frame - self.frame;
        let is_known = self.are_known() && averages && frames > 0;
        let baseline = if is_known { BASELINE.min(frame) } else { 0 };
        let share = baseline as f64 / frames.max(1) as f64;
        let none = Anchor { aabb: Aabb::EMPTY, sway: 0.0 };
        resize(&mut self.boxes, boxes.len(), none, threads);
        for_chunks_mut(&mut self.boxes, threads, |first, anchors| {
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
        (self.frame, self.stored) = (frame - baseline, frame);
    }

    /// Notes that a box left its course between the last frame and the next, when it is `aabb`: unless the body only turns, its
    /// velocity is that of now, not that since it was stored.
    pub(super) fn turn(&mut self, index: u32, before: &Aabb, aabb: &Aabb, by: Measure) {
        let frames = (by.frame + 1 - self.frame) as f64;
        let Some(anchor) = self.boxes.get_mut(index as usize) else { return };
        anchor.sway = greatest(anchor.sway, MORE_SWAY * sway(&anchor.aabb, aabb));
        let farthest = greatest(longest_side(aabb), by.farthest);
        let (former, speed) = (way(&anchor.aabb, aabb), way(before, aabb));
        let way = from_fn(|axis| {
            // Where it jumped, it rests.
            let is_likely = speed[axis].abs() <= FASTEST * farthest;
            let now = if is_likely { speed[axis] * frames } else { 0.0 };
            let change = now - former[axis];
            let is_turning = by.averages && change.abs() <= TURNING * anchor.sway * frames;
            if is_turning { former[axis] + BELIEVED * change } else { now }
        });
        anchor.aabb = moved_back(aabb, way);
    }

    /// Called when a list for `horizon` frames was made, in steps or at once: schedules storing the boxes for the next one, which
    /// is made in `next` steps, or at once. `was_lost`: the list replaced one whose boxes had escaped.
    pub(super) fn list_is_made(
        &mut self,
        frame: u64,
        in_steps: bool,
        horizon: f64,
        next: Option<usize>,
        was_lost: bool,
    ) {
        // In the next frame if much else is to do in this one.
        self.renewed_at = frame + u64::from(in_steps);
        self.are_for_next = false;
        let look_back = next.map_or(LOOK_BACK, |steps| LOOK_BACK_IN_STEPS[0] + 1 + steps as u64);
        let later = (horizon as u64).saturating_sub(look_back);
        // Boxes are stored now, too. Those stored soon after would not be old enough when the next list is begun; where
        // velocities do not last, new ones are better than old ones.
        let is_useful = later > LOOK_BACK_IN_STEPS[0];
        self.due = match was_lost {
            _ if is_useful => frame + later,
            true => frame + horizon as u64,
            false => u64::MAX,
        };
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.boxes)
    }
}

impl Anchor {
    /// The sway that is expected of the box, which is `aabb` now.
    #[inline(always)]
    pub(super) fn sway_until(&self, aabb: &Aabb) -> f64 {
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
