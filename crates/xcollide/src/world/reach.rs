//! Boxes are wider where something is asked about objects before they touch.
//!
//! Half of what an object's questions reach is added on every side of its boxes: then the boxes of two
//! objects meet wherever the two are as close as is asked, for neither reaches less far than what is
//! asked about the pair. Objects about which nothing of the kind is asked keep their boxes.

use super::World;
use super::objects::NEW;

impl World {
    /// Has the boxes made anew of objects whose questions reach farther, or less far, than before. Looks
    /// at all objects where the interest may have changed, and else at new ones; costs nothing where
    /// no question reaches beyond touching.
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
        // Half on either side; and a little, as the sum of the halves is rounded.
        let reach = self.interest.reach_of(self.objects.names[slot]);
        let margin = 0.5 * reach * (1.0 + 4.0 * f64::EPSILON);
        if self.objects.margins[slot] != margin {
            self.objects.margins[slot] = margin;
            self.objects.mark(slot, 0);
        }
    }
}
