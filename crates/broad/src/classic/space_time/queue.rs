//! Sleeping pairs by the call at which they wake up.

use super::horn::LONGEST_LIFE;
use crate::stats::held;

/// A pair of boxes and the horns that it had when it was scheduled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(crate) boxes: [u32; 2],
    /// The low halves of the horns' first calls; the watch is obsolete when a box has another horn.
    pub(crate) since: [u32; 2],
}

/// A calendar with one page for each of the next calls.
#[derive(Debug)]
pub(crate) struct Queue {
    pages: Vec<Vec<Watch>>,
    len: usize,
    /// Above this many watches, obsolete ones are removed.
    limit: usize,
}

/// Added to twice the number of watches for the next `limit`.
const FEW: usize = 256;

impl Default for Queue {
    fn default() -> Self {
        Self { pages: vec![Vec::new(); LONGEST_LIFE as usize], len: 0, limit: FEW }
    }
}

impl Queue {
    /// Schedules a pair for a call less than [`LONGEST_LIFE`] after the present one.
    pub(crate) fn push(&mut self, call: u64, watch: Watch) {
        self.pages[(call % LONGEST_LIFE) as usize].push(watch);
        self.len += 1;
    }

    /// Moves the pairs scheduled for a call to `awake`. Must be called for every call.
    pub(crate) fn wake(&mut self, call: u64, awake: &mut Vec<Watch>) {
        let page = &mut self.pages[(call % LONGEST_LIFE) as usize];
        self.len -= page.len();
        awake.append(page);
    }

    /// Removes obsolete watches if there may be many. Amortized O(1) for each watch pushed.
    pub(crate) fn tidy(&mut self, is_on: impl Fn(&Watch) -> bool) {
        if self.len <= self.limit {
            return;
        }
        for page in &mut self.pages {
            page.retain(&is_on);
            if page.capacity() > 4 * page.len() + 64 {
                page.shrink_to(2 * page.len());
            }
        }
        self.len = self.pages.iter().map(Vec::len).sum();
        self.limit = 2 * self.len + FEW;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pages.iter().map(held).sum::<usize>() + held(&self.pages)
    }
}
