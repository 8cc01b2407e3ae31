//! The search of eight pairs, step by step.

use super::batch::Portals;
use super::{BIAS, MOST_PROBES, MprBatch, MprBatchResult};
use crate::batch::{Eight, MovedSet, Three, chosen, dot, minus, store, taxicab};

impl<E: Eight, S: MovedSet> MprBatch<'_, E, S> {
    /// Searches those whose bits are set, and writes what they have come to.
    #[inline(always)]
    pub fn run(mut self, mut active: u8, passed: &mut MprBatchResult) {
        let zero = E::splat(0.0);
        let steps = &mut passed.steps;
        steps.clear();
        steps.push(self.ends);
        let (mut portals, fine) = Portals::borrowed(&mut self);
        let mut end = End::nothing();
        let (mut beyond, mut clear, mut held) = (0, 0, 0);
        while active != 0 && steps.len() <= MOST_PROBES {
            let step = E::splat((steps.len() - 1) as f64 + BIAS);
            end.step = step.chosen(E::mask(active), end.step);
            let point = minus(self.difference, self.shift);
            // Farther than the portal, or else it is as far as one of its corners.
            let farther = dot(self.direction, minus(portals.corners[0], point));
            let forward = E::bits(farther.above(fine.times(taxicab(self.direction)))) & active;
            let stuck = active & !forward;
            let mut near = 0;
            if stuck != 0 {
                near = stuck & E::bits(portals.are_met());
                portals.withdraw(E::mask(stuck & !near));
            }
            let narrowed = portals.narrow(E::mask(forward), point, step);
            near |= forward & !E::bits(narrowed);
            self.direction = portals.normal();
            let before = zero.above(dot(self.direction, portals.corners[0]));
            let inside = E::bits(E::and(before, portals.are_met())) & forward & !near;
            held |= inside;
            active &= !(inside | near);
            if active == 0 {
                break;
            }
            let opposite = minus([zero; 3], self.direction);
            let [a, b] = self.sets;
            let (p, at_p) = a.farthest(self.direction, active);
            let (q, at_q) = b.farthest(opposite, active);
            steps.push([p, q]);
            let at = [a.motions.place(at_p), b.motions.place(at_q)];
            self.difference = minus(at[1], at[0]);
            let gap = dot(self.direction, self.difference);
            let outside = E::bits(gap.above(zero)) & active;
            if outside != 0 {
                let heights = [dot(self.direction, at[0]), dot(self.direction, at[1])];
                let doubt = self.doubt.times(taxicab(self.direction));
                clear |= E::bits(heights[1].minus(heights[0]).above(doubt)) & outside;
                let step = E::splat((steps.len() - 1) as f64 + BIAS);
                let (direction, difference) = (self.direction, self.difference);
                let now = End { direction, difference, gap, heights, step };
                end = now.chosen(E::mask(outside), end);
                beyond |= outside;
                active &= !outside;
            }
        }
        (passed.beyond, passed.clear, passed.held) = (beyond, clear, held);
        store(end.direction, &mut passed.direction);
        store(end.difference, &mut passed.difference);
        store(portals.met, &mut passed.corners);
        end.gap.store(&mut passed.gap);
        end.heights[0].store(&mut passed.heights[0]);
        end.heights[1].store(&mut passed.heights[1]);
        end.step.store(&mut passed.last);
    }
}

/// What searches have ended with.
struct End<E> {
    direction: Three<E>,
    difference: Three<E>,
    gap: E,
    heights: [E; 2],
    step: E,
}

impl<E: Eight> End<E> {
    #[inline(always)]
    fn nothing() -> Self {
        let zero = E::splat(0.0);
        let (direction, difference) = ([zero; 3], [zero; 3]);
        Self { direction, difference, gap: zero, heights: [zero; 2], step: E::splat(BIAS) }
    }

    /// This where the mask holds, else the other.
    #[inline(always)]
    fn chosen(self, mask: E::Mask, other: Self) -> Self {
        Self {
            direction: chosen(mask, self.direction, other.direction),
            difference: chosen(mask, self.difference, other.difference),
            gap: self.gap.chosen(mask, other.gap),
            heights: [
                self.heights[0].chosen(mask, other.heights[0]),
                self.heights[1].chosen(mask, other.heights[1]),
            ],
            step: self.step.chosen(mask, other.step),
        }
    }
}
