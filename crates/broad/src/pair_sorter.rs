//! Sorts pairs.

mod merge;
mod share;

use std::mem::swap;

pub(crate) use merge::add_sorted;
use merge::merge_runs;
use share::{merge_in_shares, shares};

use crate::counting_sort::counting_sort;
use crate::parallel::gather;
use crate::stats::held;

/// Up to this many sorted lists are merged.
const FEW: usize = 4;

/// A pair of two different indices, by which it is sorted first.
pub(crate) trait Paired: Copy + Default + Ord + Send + Sync {
    /// The smaller index.
    fn first(&self) -> u32;
}

/// The smaller index in the upper half.
impl Paired for u64 {
    #[inline(always)]
    fn first(&self) -> u32 {
        (self >> 32) as u32
    }
}

/// Sorts pairs in O(n + p) for p pairs of n boxes, unless a box is the smaller one of very many pairs.
///
/// A few sorted lists are merged. Else a counting sort by the first index, or its upper bits, then a sort of each group.
#[derive(Debug, Default)]
pub(crate) struct PairSorter<P = u64> {
    starts: Vec<u32>,
    /// Reused memory for pairs, and for those of each share.
    others: Vec<P>,
    of_shares: Vec<Vec<P>>,
}

impl<P: Paired> PairSorter<P> {
    /// Sorts pairs of boxes with smaller indices than `indices`.
    pub(crate) fn sort(&mut self, pairs: &mut Vec<P>, indices: usize, threads: bool) {
        if merge_runs(pairs, FEW, &mut self.others) {
            return;
        }
        if pairs.len() < 64 || pairs.len() > u32::MAX as usize {
            return pairs.sort_unstable();
        }
        let Self { starts, others, .. } = self;
        sort_by_groups(pairs, (starts, others), indices, threads);
        swap(pairs, others);
    }

    /// Replaces `sorted` by the pairs of all lists, sorted.
    pub(crate) fn sort_lists(
        &mut self,
        lists: &[&[P]],
        sorted: &mut Vec<P>,
        indices: usize,
        threads: bool,
    ) {
        let len = lists.iter().map(|list| list.len()).sum();
        let count = shares(len, threads);
        if count == 1 || len > u32::MAX as usize {
            sorted.clear();
            gather(lists.iter().copied(), sorted, threads);
            return self.sort(sorted, indices, threads);
        }
        let Self { starts, others, of_shares } = self;
        let breaks = lists.windows(2).filter(|two| two[0].last() > two[1].first()).count();
        if breaks < FEW && merge_in_shares(lists, sorted, (len, count), of_shares) {
            return;
        }
        let pairs = if let [pairs] = lists {
            pairs
        } else {
            others.clear();
            gather(lists.iter().copied(), others, threads);
            &others[..]
        };
        sort_by_groups(pairs, (starts, sorted), indices, threads);
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.starts) + self.of_shares.iter().chain([&self.others]).map(held).sum::<usize>()
    }
}

/// Writes the pairs to `sorted`, in order.
fn sort_by_groups<P: Paired>(
    pairs: &[P],
    lists: (&mut Vec<u32>, &mut Vec<P>),
    indices: usize,
    threads: bool,
) {
    // About as many groups as pairs, or of one index each.
    let shift = (indices / pairs.len()).checked_ilog2().unwrap_or(0);
    let told =
        (|at: usize| pairs[at].first() >> shift, |at: usize, pair: &mut P| *pair = pairs[at]);
    counting_sort(pairs.len(), (indices >> shift) + 1, told, lists, threads, |starts, pairs| {
        for two in starts.windows(2).filter(|two| two[1] - two[0] > 1) {
            pairs[two[0] as usize..two[1] as usize].sort_unstable();
        }
        // The last group of a share ends with the share.
        if let Some(&start) = starts.last() {
            pairs[start as usize..].sort_unstable();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::PairSorter;
    use xcollide_fixtures::Random;

    /// Lists in any number, of any lengths, sorted or not, overlapping or not, come as by a plain sort; on several threads, too.
    #[test]
    fn pairs_of_several_lists_come_in_order() {
        let mut random = Random::new(4);
        let (mut order, mut sorted) = (PairSorter::default(), vec![7; 90_000]);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        for (count, runs, is_sorted) in
            [(0, 1, true), (1, 1, true), (9, 1, true), (40, 3, true), (40, 9, true), (40, 3, false)]
        {
            let mut lists: Vec<Vec<u64>> = Vec::new();
            for run in 0..runs {
                let mut first = 0;
                for _ in 0..count {
                    let len = if random.below(4) == 0 { 0 } else { random.below(6000) };
                    // The runs meet, and no pair comes twice.
                    let pair =
                        |at: usize| (3 * (first + at) as u64 / 2) << 32 | (9 * at + run) as u64;
                    lists.push((0..len).map(pair).collect());
                    first += len;
                }
            }
            if !is_sorted && let Some(list) = lists.iter_mut().rfind(|list| list.len() > 1) {
                list.reverse();
            }
            let mut expected = lists.concat();
            expected.sort_unstable();
            let indices = expected.last().map_or(1, |last| (last >> 32) as usize + 1);
            let lists: Vec<&[u64]> = lists.iter().map(Vec::as_slice).collect();
            for threads in [false, true] {
                pool.install(|| order.sort_lists(&lists, &mut sorted, indices, threads));
                assert!(sorted == expected, "{count} {runs} {is_sorted} {threads}");
            }
        }
    }

    #[test]
    fn keys_come_in_the_order_of_a_plain_sort() {
        let mut random = Random::new(1);
        let mut order = PairSorter::default();
        let cases = [(0, 5), (10, 5), (1000, 40), (5000, 3000), (100, 100_000), (50_000, 40_000)];
        for (pairs, indices) in cases {
            let mut keys: Vec<u64> = (0..pairs)
                .map(|_| {
                    let (a, b) = (random.below(indices) as u64, random.below(indices) as u64);
                    a.min(b) << 32 | a.max(b)
                })
                .collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            let mut on_threads = keys.clone();
            order.sort(&mut on_threads, indices, true);
            assert_eq!(on_threads, expected);
            order.sort(&mut keys, indices, false);
            assert_eq!(keys, expected);
            // Sorted, and sorted but for a few at the end.
            let few = keys.len() / 20;
            keys.rotate_left(few);
            let at = keys.len() - few;
            keys[at..].reverse();
            for _ in 0..2 {
                order.sort(&mut keys, indices, false);
                assert_eq!(keys, expected);
            }
            // Two sorted parts.
            keys.rotate_left(few * 3);
            order.sort(&mut keys, indices, false);
            assert_eq!(keys, expected);
            // A sorted part, and a shorter one in disorder.
            keys.rotate_left(few * 4);
            let at = keys.len() - few * 4;
            keys[at..].reverse();
            order.sort(&mut keys, indices, false);
            assert_eq!(keys, expected);
        }
    }
}
