//! Whether velocities are averages: of turning bodies those of a few frames are of no use, but where many bounce, averages
//! are late.

/// The choice, by what lists cost.
#[derive(Debug)]
pub(super) struct Averages {
    pub(super) are_used: bool,
    /// What the last list without averages and the last one with them cost, relative to the other algorithm; infinite where
    /// unknown.
    relative_costs: [f64; 2],
    /// Lists since the other was tried. The boxes of the first one were stored before.
    tried: u32,
}

impl Default for Averages {
    fn default() -> Self {
        Self { are_used: false, relative_costs: [f64::INFINITY; 2], tried: 0 }
    }
}

impl Averages {
    /// Chooses by the relative cost of the last list. `may_help`: it died early, so that the other is tried if it never was.
    pub(super) fn choose(&mut self, relative_cost: f64, may_help: bool) {
        let (own, other) = (usize::from(self.are_used), usize::from(!self.are_used));
        self.tried += 1;
        if self.tried < 2 {
            return;
        }
        // A list that was over as soon as it came into use has no such cost.
        if relative_cost.is_finite() {
            self.relative_costs[own] = relative_cost;
        }
        let [cost, before] = [own, other].map(|which| self.relative_costs[which]);
        if before.is_infinite() && may_help || before < 0.9 * cost {
            (self.are_used, self.tried) = (!self.are_used, 0);
        }
    }
}
