//! Margins of boxes, for queries about objects that do not touch yet.
//!
//! The margin of an object is half the largest distance in its queries. A pair's query never
//! reaches farther than those of its two objects, so the boxes overlap whenever the objects are
//! that close. Objects without such queries have no margin.

use super::World;
use super::objects::NEW;

impl World {
    /// Updates the margins and has changed boxes made again. Visits all objects if the interest may
    /// have changed, else only new ones; free while no query goes beyond touching.
    pub(super) fn widen_boxes(&mut self) {
        let reaches = self.interest.reach() > 0.0;
        if !reaches && !self.widened {
            return;
        }
        if self.interest_touched || !self.widened {
            (0..self.objects.models.len()).for_each(|slot| self.widen(slot));
        } else {
            for place in 0..self.objects.listed().len() {
                let slot = self.objects.listed()[place] as usize;
                if self.objects.flags[slot] & NEW != 0 {
                    self.widen(slot);
                }
            }
        }
        self.widened = reaches;
    }

    fn widen(&mut self, slot: usize) {
        if self.objects.models[slot].is_none() {
            return;
        }
        // Half on either side, and a little more, as the sum of the halves is rounded.
        let reach = self.interest.reach_of(self.objects.names[slot]);
        let margin = 0.5 * reach * (1.0 + 4.0 * f64::EPSILON);
        if self.objects.margins[slot] != margin {
            self.objects.margins[slot] = margin;
            self.objects.mark(slot, 0);
        }
    }
}
