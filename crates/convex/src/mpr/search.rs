//! The steps of the search of eight pairs.

use xcollide_simd::vec3::{dot, neg, select, sub, taxicab};
use xcollide_simd::{FloatX8, SimdMask};

use super::batch::Portals;
use super::{MOST_PROBES, MprBatch, MprBatchResult};
use crate::batch::{EIGHT, PlacedSets};

impl<F: FloatX8, P: PlacedSets<F>> MprBatch<'_, F, P> {
    /// Searches the lanes in `active` and writes their results.
    #[inline(always)]
    pub(crate) fn run(mut self, mut active: u32, result: &mut MprBatchResult) {
        let zero = F::rounded(0.0);
        let steps = &mut result.steps;
        steps.clear();
        steps.push(self.ends);
        let (mut portals, fine) = Portals::borrowed(&mut self);
        let mut end = End::nothing();
        let (mut beyond, mut clear, mut held) = (0, 0, 0);
        while active != 0 && steps.len() <= MOST_PROBES {
            let step = F::rounded((steps.len() - 1) as f64);
            end.step = F::select(F::Mask::from_bits(active), step, end.step);
            let point = sub(self.difference, self.shift);
            // The point is farther than the portal, or as far as one of its corners.
            let farther = dot(self.direction, sub(portals.corners[0], point));
            let forward = farther.gt(fine.mul(taxicab(self.direction))).to_bits() & active;
            let stuck = active & !forward;
            let mut near = 0;
            if stuck != 0 {
                near = stuck & portals.are_met().to_bits();
                portals.withdraw(F::Mask::from_bits(stuck & !near));
            }
            let narrowed = portals.narrow(F::Mask::from_bits(forward), point, step);
            near |= forward & !narrowed.to_bits();
            self.direction = portals.normal();
            let before = zero.gt(dot(self.direction, portals.corners[0]));
            let inside = before.and(portals.are_met()).to_bits() & forward & !near;
            held |= inside;
            active &= !(inside | near);
            if active == 0 {
                break;
            }
            let [a, b] = self.sets;
            let (p, at_p) = a.farthest(self.direction, active);
            let (q, at_q) = b.farthest(neg(self.direction), active);
            steps.push([p, q]);
            self.difference = sub(at_q, at_p);
            let gap = dot(self.direction, self.difference);
            let outside = gap.gt(zero).to_bits() & active;
            if outside != 0 {
                let heights = [dot(self.direction, at_p), dot(self.direction, at_q)];
                let doubt = self.doubt.mul(taxicab(self.direction));
                clear |= heights[1].sub(heights[0]).gt(doubt).to_bits() & outside;
                let step = F::rounded((steps.len() - 1) as f64);
                let (direction, difference) = (self.direction, self.difference);
                let now = End { direction, difference, gap, heights, step };
                end = End::select(F::Mask::from_bits(outside), now, end);
                beyond |= outside;
                active &= !outside;
            }
        }
        (result.beyond, result.clear, result.held) = (beyond, clear, held);
        result.direction = widened(end.direction);
        result.difference = widened(end.difference);
        result.corners = widened(portals.met);
        result.gap = end.gap.to_f64();
        result.heights = [end.heights[0].to_f64(), end.heights[1].to_f64()];
        result.last = end.step.to_f64();
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
    difference: [F; 3],
    gap: F,
    heights: [F; 2],
    step: F,
}

impl<F: FloatX8> End<F> {
    #[inline(always)]
    fn nothing() -> Self {
        let zero = F::rounded(0.0);
        let (direction, difference) = ([zero; 3], [zero; 3]);
        Self { direction, difference, gap: zero, heights: [zero; 2], step: zero }
    }

    /// `yes` in the lanes of the mask, else `no`.
    #[inline(always)]
    fn select(mask: F::Mask, yes: Self, no: Self) -> Self {
        Self {
            direction: select(mask, yes.direction, no.direction),
            difference: select(mask, yes.difference, no.difference),
            gap: F::select(mask, yes.gap, no.gap),
            heights: [
                F::select(mask, yes.heights[0], no.heights[0]),
                F::select(mask, yes.heights[1], no.heights[1]),
            ],
            step: F::select(mask, yes.step, no.step),
        }
    }
}
