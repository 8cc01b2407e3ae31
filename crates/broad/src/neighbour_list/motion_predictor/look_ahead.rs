//! For how many frames lists are made, and with how much room.

use super::super::cost_model::CostModel;

/// The frames and the room of the next list.
#[derive(Debug)]
pub(super) struct LookAhead {
    /// The frames.
    pub(super) horizon: f64,
    /// The margin on each side, as a share of the larger of the predicted and the usual distance.
    pub(super) doubt: f64,
}

/// A list that dies before this share of its frames has died early.
const EARLY: f64 = 0.7;

/// With a shorter look-ahead, lists are made at once, as too many boxes would escape while they are made, and each side of a
/// box keeps its velocity. With a longer one both sides have that of the center: those of a turning body turn back.
const FAR: f64 = 7.0;

/// The look-ahead of lists that are to follow each other in steps, and from which on the first one is made so.
pub(in super::super) const IN_STEPS: f64 = 8.0;

/// With a larger share of doubt, boxes are expected around where they are, not on a straight course.
const STRAIGHT: f64 = 0.6;

impl Default for LookAhead {
    fn default() -> Self {
        Self { horizon: 12.0, doubt: 0.02 }
    }
}

impl LookAhead {
    /// Whether boxes are predicted far enough to make the next list in steps.
    pub(super) fn is_far(&self) -> bool {
        self.horizon >= FAR
    }

    /// Whether velocities last.
    pub(super) fn is_straight(&self) -> bool {
        self.doubt <= STRAIGHT
    }

    /// Adapts to the life of a list, which was made for `planned` frames. `was_lost`: the next list replaced it because boxes had
    /// escaped or it could not be made in steps, not because it was ready.
    pub(super) fn learn(&mut self, costs: &CostModel, planned: f64, was_lost: bool) {
        const STEP: f64 = 1.4;
        const SHORTEST: f64 = 4.0;
        const MOST: f64 = 2.0;
        if died_early(costs, planned, was_lost) {
            // Too many boxes escaped: soon, because they oscillate, or late, because they hit something. Larger
            // margins help as long as listed pairs that do not overlap are cheap.
            let room_is_cheap = costs.shortness() > 4.0 && self.doubt < MOST;
            if f64::from(costs.age) < 0.4 * planned || planned < 6.0 || room_is_cheap {
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
}

/// Whether a list for `planned` frames was lost early.
pub(super) fn died_early(costs: &CostModel, planned: f64, was_lost: bool) -> bool {
    f64::from(costs.age) < EARLY * planned && was_lost
}
