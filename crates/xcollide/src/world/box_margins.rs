//! Margins of boxes, for queries beyond touching.
//!
//! The margin of an object is half the largest distance in its queries. The query of a pair reaches no
//! farther than the largest one of either object, so the boxes overlap whenever the objects are that close.

use super::World;
use super::objects::NEW;

impl World {
    /// Updates the margins and marks the objects with another one. Visits all objects if the interest may
    /// have changed, else only new ones; free while no query goes beyond touching.
    pub(super) fn widen_boxes(&mut self) {
        let reaches = self.interest.reach() > 0.0;
        if !reaches && !self.widened {
            return;
        }
        if self.interest_touched || !self.widened {
            (0..self.objects.models.len()).for_each(|slot| self.widen(slot));
        } else {
            for place in 0..self.objects.back.as_slice().len() {
                let slot = self.objects.back.as_slice()[place] as usize;
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
        // A little more than half, as the sum of both margins is rounded.
        let reach = self.interest.reach_of(self.objects.names[slot]);
        let margin = 0.5 * reach * (1.0 + 4.0 * f64::EPSILON);
        if self.objects.margins[slot] != margin {
            self.objects.margins[slot] = margin;
            self.objects.mark(slot, 0);
        }
    }
}
