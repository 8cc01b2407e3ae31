//! Searches that are spread over several frames.

use std::ops::Range;

/// One of the steps of a search that is spread over several calls, see
/// [`PairFinder::find_moving`](crate::PairFinder::find_moving).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchStep {
    number: usize,
    of: usize,
}

/// From this number of steps on, the first two only prepare the search; with fewer, the first one.
const MANY: usize = 6;

impl SearchStep {
    /// A search in one step.
    pub const WHOLE: Self = Self { number: 0, of: 1 };

    /// Step `number`, from 0, of a search in `of` steps, at least one.
    pub(crate) const fn new(number: usize, of: usize) -> Self {
        Self { number, of }
    }

    /// Whether the search begins.
    #[must_use]
    pub const fn is_first(&self) -> bool {
        self.number == 0
    }

    /// Whether the search ends.
    #[must_use]
    pub const fn is_last(&self) -> bool {
        self.number + 1 >= self.of
    }

    /// Whether this is the only step.
    pub(crate) const fn is_whole(&self) -> bool {
        self.of <= 1
    }

    /// Whether the boxes are sorted in this step.
    pub(crate) const fn sorts(&self) -> bool {
        self.is_first()
    }

    /// Whether the boxes that were sorted are read in this step: the first one, or, of many, the second.
    pub(crate) const fn reads(&self) -> bool {
        self.number + 1 == self.preparing()
    }

    /// How many steps only prepare the search, if there are others.
    const fn preparing(&self) -> usize {
        if self.of < MANY { 1 } else { 2 }
    }

    /// The share of the search in this step, if the first ones only prepare and, of three or more, the last only
    /// ends it. A search in one step is searched in it.
    pub(crate) fn between(&self) -> Option<Self> {
        let before = self.preparing();
        match self.of {
            1 => Some(Self::WHOLE),
            2 => self.is_last().then_some(Self::WHOLE),
            _ if self.number < before || self.is_last() => None,
            _ => Some(Self::new(self.number - before, self.of - before - 1)),
        }
    }

    /// Which of `len` things to search now. The ranges of all steps cover all, in order; they begin at multiples
    /// of 16.
    #[must_use]
    pub const fn range(&self, len: usize) -> Range<usize> {
        let end = if self.is_last() { len } else { self.start(self.number + 1, len) };
        self.start(self.number, len)..end
    }

    const fn start(&self, number: usize, len: usize) -> usize {
        len / 16 * number / self.of * 16
    }
}

#[cfg(test)]
mod tests {
    use super::{MANY, SearchStep};

    #[test]
    fn the_search_is_between_the_first_and_the_last_step() {
        for of in 1..12 {
            let steps = (0..of).map(|number| SearchStep::new(number, of));
            let ranges: Vec<_> =
                steps.filter_map(|step| Some(step.between()?.range(6400))).collect();
            let others = if of < MANY { 2 } else { 3 };
            assert_eq!(ranges.len(), of.saturating_sub(others).max(1));
            let steps = (0..of).map(|number| SearchStep::new(number, of));
            assert_eq!(steps.clone().position(|step| step.sorts()), Some(0));
            assert_eq!(steps.clone().filter(SearchStep::reads).count(), 1);
            assert!(steps.into_iter().all(|step| !step.reads() || step.number + 2 <= others));
            assert_eq!((ranges[0].start, ranges[ranges.len() - 1].end), (0, 6400));
            assert!(ranges.windows(2).all(|two| two[0].end == two[1].start));
        }
    }

    #[test]
    fn ranges_cover_all_in_order() {
        for len in [0, 1, 63, 64, 65, 1000, 123_457] {
            assert_eq!(SearchStep::WHOLE.range(len), 0..len);
            for of in 1..20 {
                let mut end = 0;
                for number in 0..of {
                    let range = SearchStep::new(number, of).range(len);
                    assert_eq!((range.start, range.start % 16), (end, 0));
                    assert!(range.len() <= len / of + 128, "{range:?} of {len} in {of} steps");
                    end = range.end;
                }
                assert_eq!(end, len);
            }
        }
    }
}
