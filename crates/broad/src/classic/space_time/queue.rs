//! Sleeping pairs by the call at which they wake up.

use super::horn::LONGEST_LIFE;
use crate::stats::held;

/// A pair of boxes with their horns at the time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    pub(crate) boxes: [u32; 2],
    /// The low halves of the first calls of the horns; the watch is off when a box has another horn.
    pub(crate) since: [u32; 2],
}

/// A calendar: one page for each of the next calls.
#[derive(Debug)]
pub(crate) struct Queue {
    pages: Vec<Vec<Watch>>,
    len: usize,
    /// The most watches before those that are off are removed.
    limit: usize,
}

/// With fewer entries, watches that are off are not removed.
const FEW: usize = 256;

impl Default for Queue {
    fn default() -> Self {
        Self { pages: vec![Vec::new(); LONGEST_LIFE as usize], len: 0, limit: FEW }
    }
}

impl Queue {
    /// Wakes a pair up at a call less than [`LONGEST_LIFE`] after the present one.
    pub(crate) fn push(&mut self, call: u64, watch: Watch) {
        self.pages[(call % LONGEST_LIFE) as usize].push(watch);
        self.len += 1;
    }

    /// Moves the pairs that wake up at a call to `awake`. Must be called for every call.
    pub(crate) fn wake(&mut self, call: u64, awake: &mut Vec<Watch>) {
        let page = &mut self.pages[(call % LONGEST_LIFE) as usize];
        self.len -= page.len();
        awake.append(page);
    }

    /// Removes watches that are off, if there may be many. O(1) for each watch ever pushed.
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
