//! Where boxes will have been.

use xcollide_bounds::Aabb;

use super::ledger::Ledger;
use crate::Proxies;
use crate::sample::Sample;

/// Foresees the motion of boxes from that in the last frames.
#[derive(Debug)]
pub(super) struct Forecast {
    /// For how many frames.
    horizon: f64,
    /// How much farther than it would go at its velocity a side may move, and how much to the
    /// other way, as a share of that distance.
    doubt: f64,
    frame: u64,
    /// Where the boxes were some frames ago.
    anchors: Vec<Aabb>,
    anchored: u64,
    /// When to note that next.
    anchor_at: u64,
    /// By how much a box is enlarged at most, if it is not larger itself.
    farthest: f64,
    /// One over the frames since the boxes were at their anchors.
    rate: f64,
    indices: Vec<u32>,
    sample: Sample,
}

/// Over how many frames velocities are taken.
const LOOK_BACK: u64 = 2;

impl Default for Forecast {
    fn default() -> Self {
        Self {
            horizon: 4.0,
            doubt: 0.05,
            frame: 0,
            anchors: Vec::new(),
            anchored: 0,
            anchor_at: 0,
            farthest: 0.0,
            rate: 0.0,
            indices: Vec::new(),
            sample: Sample::default(),
        }
    }
}

impl Forecast {
    /// Begins a frame.
    pub(super) fn next_frame(&mut self, proxies: &Proxies) {
        self.frame += 1;
        if self.frame == self.anchor_at {
            self.set_anchors(proxies);
        }
    }

    fn set_anchors(&mut self, proxies: &Proxies) {
        self.anchors.clear();
        self.anchors.extend_from_slice(proxies.boxes());
        self.anchored = self.frame;
    }

    /// Draws a lesson from the life of a list.
    pub(super) fn learn(&mut self, ledger: &Ledger) {
        const STEP: f64 = 1.4;
        let age = f64::from(ledger.age());
        if age < 0.7 * self.horizon {
            // Too many boxes did not do what they were expected to.
            self.doubt = (self.doubt * STEP).min(1.0);
            self.horizon = (self.horizon / STEP).max(2.0);
            return;
        }
        self.doubt = (self.doubt * 0.9).max(0.05);
        let factor = if ledger.is_short() { STEP } else { 1.0 / STEP };
        self.horizon = (self.horizon * factor).clamp(2.0, 100.0);
    }

    /// Gets ready to say where boxes will have been.
    pub(super) fn prepare(&mut self, proxies: &Proxies) {
        let frames = self.frame - self.anchored;
        self.rate = if frames > 0 { 1.0 / frames as f64 } else { 0.0 };
        let boxes = proxies.boxes();
        self.indices.clear();
        let step = boxes.len().div_ceil(256).max(1);
        let some = (0..boxes.len() as u32).step_by(step);
        self.indices.extend(some.filter(|&index| !boxes[index as usize].is_empty()));
        self.farthest = if self.indices.is_empty() {
            0.0
        } else {
            self.sample.median(&self.indices, boxes, longest_side)
        };
    }

    /// What a box will have swept; it is not empty.
    #[inline]
    pub(super) fn way(&self, index: u32, aabb: &Aabb) -> Aabb {
        let mut way = *aabb;
        let Some(anchor) = self.anchors.get(index as usize) else { return way };
        let farthest = longest_side(aabb).max(self.farthest);
        let ahead = self.rate * self.horizon;
        for axis in 0..3 {
            let low = reach((aabb.min[axis] - anchor.min[axis]) * ahead, farthest);
            let high = reach((aabb.max[axis] - anchor.max[axis]) * ahead, farthest);
            way.min[axis] -= self.doubt * low.abs() + (-low).max(0.0);
            way.max[axis] += self.doubt * high.abs() + high.max(0.0);
        }
        way
    }

    /// A list has been made: notes in time where boxes are, for the next one.
    pub(super) fn anchor(&mut self, proxies: &Proxies) {
        let life = (self.horizon as u64).saturating_sub(LOOK_BACK);
        self.anchor_at = self.frame + life;
        if life == 0 {
            self.set_anchors(proxies);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.anchors.capacity() * size_of::<Aabb>()
            + self.indices.capacity() * size_of::<u32>()
            + self.sample.bytes()
    }
}

/// How far a side will go, or 0 where that is out of proportion: a box that has jumped, or is too
/// fast for its size, or has no end.
#[inline]
fn reach(distance: f64, farthest: f64) -> f64 {
    if distance.abs() <= farthest { distance } else { 0.0 }
}

fn longest_side(aabb: &Aabb) -> f64 {
    (0..3).map(|axis| aabb.max[axis] - aabb.min[axis]).fold(0.0, f64::max)
}
