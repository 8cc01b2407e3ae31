//! The steps of the search of eight pairs.

use xcollide_simd::vec3::{dot, neg, select, sub, taxicab};
use xcollide_simd::{FloatX8, SimdMask};

use super::batch::Portals;
use super::{MOST_PROBES, MprBatch, MprBatchResult};
use crate::batch::{EIGHT, PlacedSets};

impl<F: FloatX8, P: PlacedSets<F>> MprBatch<'_, F, P> {
    /// Searches these lanes and writes their results. Returns the last portals.
    #[inline(always)]
    pub(crate) fn run(mut self, lanes: u32, result: &mut MprBatchResult) -> Portals<F> {
        let zero = F::rounded(0.0);
        let steps = &mut result.steps;
        steps.clear();
        steps.push(self.ends);
        let (mut portals, fine) = Portals::borrowed(&mut self);
        let [mut at_p, at_q] = self.points;
        let mut difference = sub(at_q, at_p);
        let mut end = End::nothing();
        let none = F::Mask::from_bits(0);
        let (mut beyond, mut clear, mut held) = (none, none, none);
        let mut active = F::Mask::from_bits(lanes);
        while steps.len() <= MOST_PROBES {
            let step = F::rounded((steps.len() - 1) as f64);
            end.step = F::select(active, step, end.step);
            // The difference is farther than the portal, or as far as one of its corners.
            let farther = dot(self.direction, sub(portals.corners[0], difference));
            let forward = farther.gt(fine.mul(taxicab(self.direction))).and(active);
            let stuck = active.and_not(forward);
            let mut near = none;
            if stuck.any() {
                near = stuck.and(portals.are_met());
                portals.withdraw(stuck.and_not(near));
            }
            let narrowed = portals.narrow(forward, difference, at_p, step);
            near = near.or(forward.and_not(narrowed));
            self.direction = portals.normal();
            let before = zero.gt(dot(self.direction, portals.corners[0]));
            let inside = before.and(portals.are_met()).and(forward).and_not(near);
            held = held.or(inside);
            active = active.and_not(inside.or(near));
            let left = active.to_bits();
            if left == 0 {
                break;
            }
            let [a, b] = self.sets;
            let (p, now_at_p) = a.farthest(self.direction, left);
            let (q, at_q) = b.farthest(neg(self.direction), left);
            steps.push([p, q]);
            at_p = now_at_p;
            difference = sub(at_q, at_p);
            let outside = dot(self.direction, difference).gt(zero).and(active);
            if outside.any() {
                let heights = [dot(self.direction, at_p), dot(self.direction, at_q)];
                let doubt = self.doubt.mul(taxicab(self.direction));
                clear = clear.or(heights[1].sub(heights[0]).gt(doubt).and(outside));
                let step = F::rounded((steps.len() - 1) as f64);
                let now = End { direction: self.direction, heights, step };
                end = End::select(outside, now, end);
                beyond = beyond.or(outside);
                active = active.and_not(outside);
                if !active.any() {
                    break;
                }
            }
        }
        (result.beyond, result.clear, result.held) =
            (beyond.to_bits(), clear.to_bits(), held.to_bits());
        result.direction = widened(end.direction);
        result.corners = widened(portals.met);
        result.heights = [end.heights[0].to_f64(), end.heights[1].to_f64()];
        result.last = end.step.to_f64();
        portals
    }
}

/// The coordinates of eight vectors in double precision.
#[inline(always)]
fn widened<F: FloatX8>([x, y, z]: [F; 3]) -> [[f64; EIGHT]; 3] {
    [x.to_f64(), y.to_f64(), z.to_f64()]
}

/// The last steps of searches that separate.
struct End<F> {
    direction: [F; 3],
    heights: [F; 2],
    step: F,
}

impl<F: FloatX8> End<F> {
    #[inline(always)]
    fn nothing() -> Self {
        let zero = F::rounded(0.0);
        Self { direction: [zero; 3], heights: [zero; 2], step: zero }
    }

    /// `yes` in the lanes of the mask, else `no`.
    #[inline(always)]
    fn select(mask: F::Mask, yes: Self, no: Self) -> Self {
        Self {
            direction: select(mask, yes.direction, no.direction),
            heights: [
                F::select(mask, yes.heights[0], no.heights[0]),
                F::select(mask, yes.heights[1], no.heights[1]),
            ],
            step: F::select(mask, yes.step, no.step),
        }
    }
}
