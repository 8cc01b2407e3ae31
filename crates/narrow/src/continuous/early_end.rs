//! When the search for a time of contact asks an exact static test whether it is done.
//!
//! Bounds on motion become slower towards a contact: with a coarse width, most of the search may lie within the width before
//! it. There a test of the whole models at the end of the width ends the search, if they touch. A test that finds nothing
//! costs some looks; so it is made only where the bounds get on slowly, and ever more seldom. It changes how long a search
//! takes, and which contact within the width it finds; what it tells is as certain.

/// How far the models were known to be apart when the search last compared.
#[derive(Default)]
pub(super) struct EarlyEnd {
    until: f64,
    looks: usize,
}

impl EarlyEnd {
    /// The looks until the first comparison.
    const FEW: usize = 30;

    /// Whether the exact test is worth its time, if the search has proved the models apart `until` a time by this many `looks`.
    /// Asks itself only when the looks have grown by three tenths since it last did, and then whether these brought less than the
    /// width.
    pub(super) fn is_likely(&mut self, looks: usize, until: f64, width: f64) -> bool {
        if looks < Self::FEW.max(self.looks + self.looks * 3 / 10) {
            return false;
        }
        let before = std::mem::replace(self, Self { until, looks });
        until - before.until <= width
    }
}
