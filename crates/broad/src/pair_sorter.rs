//! Sorts pairs.

use std::mem::{swap, take};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::counting_sort::counting_sort;
use crate::parallel::{LIGHT, chunk_count, for_shares, gather};
use crate::stats::held;

/// Up to this many pairs behind a longer sorted list are sorted apart.
const SHORT: usize = 2048;

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
        let count = chunk_count(len, OF_SHARE, threads).min(MOST_SHARES);
        if count > 1 && len <= u32::MAX as usize {
            if !self.merge_lists(lists, sorted, (len, count)) {
                let Self { starts, others, .. } = self;
                let pairs = if let [pairs] = lists {
                    pairs
                } else {
                    others.clear();
                    gather(lists.iter().copied(), others, threads);
                    &others[..]
                };
                sort_by_groups(pairs, (starts, sorted), indices, threads);
            }
            return;
        }
        sorted.clear();
        gather(lists.iter().copied(), sorted, threads);
        self.sort(sorted, indices, threads);
    }

    /// Merges `len` pairs in shares for several threads. False if the lists are not sorted, or must be merged many times.
    fn merge_lists(
        &mut self,
        lists: &[&[P]],
        sorted: &mut Vec<P>,
        (len, count): (usize, usize),
    ) -> bool {
        let follows = |two: &&[&[P]]| two[0].last() > two[1].first();
        if lists.windows(2).filter(follows).count() >= FEW {
            return false;
        }
        self.of_shares.resize_with(count, Vec::new);
        let limits = limits(lists, len, count);
        let mut shares: Vec<_> = (self.of_shares.iter_mut().enumerate())
            .map(|(number, others)| Share {
                limits: [number.checked_sub(1), Some(number)]
                    .map(|limit| limits.get(limit?).copied()),
                lists: lists.len() * number / count..lists.len() * (number + 1) / count,
                others,
                parts: Vec::new(),
                place: &mut [],
            })
            .collect();
        let are_sorted = AtomicBool::new(true);
        for_shares(&mut shares, |share| {
            if share.has_sorted(lists) {
                share.cut(lists);
            } else {
                are_sorted.store(false, Ordering::Relaxed);
            }
        });
        if !are_sorted.into_inner() {
            return false;
        }
        sorted.resize(len, P::default());
        let mut rest = &mut sorted[..];
        for share in &mut shares {
            let len = share.parts.iter().map(|part| part.len()).sum();
            (share.place, rest) = take(&mut rest).split_at_mut(len);
        }
        for_shares(&mut shares, Share::merge);
        true
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.starts) + self.of_shares.iter().chain([&self.others]).map(held).sum::<usize>()
    }
}

/// The fewest pairs of a share, and the most shares, in which lists are merged. One thread merges fewer pairs in the time
/// that it takes to wake another.
const OF_SHARE: usize = 4 * LIGHT;
const MOST_SHARES: usize = 64;

/// The pairs of several lists between two limits.
struct Share<'a, P> {
    limits: [Option<P>; 2],
    /// The lists whose order this share checks.
    lists: Range<usize>,
    parts: Vec<&'a [P]>,
    place: &'a mut [P],
    others: &'a mut Vec<P>,
}

impl<'a, P: Paired> Share<'a, P> {
    fn has_sorted(&self, lists: &[&[P]]) -> bool {
        lists[self.lists.clone()].iter().all(|list| list.is_sorted())
    }

    fn cut(&mut self, lists: &[&'a [P]]) {
        let [first, end] = &self.limits;
        for list in lists {
            let place = |limit: &P| list.partition_point(|pair| pair < limit);
            let part = first.as_ref().map_or(0, place)..end.as_ref().map_or(list.len(), place);
            if !part.is_empty() {
                self.parts.push(&list[part]);
            }
        }
    }

    fn merge(&mut self) {
        let mut rest = &mut *self.place;
        for part in &self.parts {
            let place;
            (place, rest) = take(&mut rest).split_at_mut(part.len());
            place.copy_from_slice(part);
        }
        let is_merged = merge_runs(self.place, usize::MAX, self.others);
        debug_assert!(is_merged, "any number of runs may be merged");
    }
}

/// Pairs between which there are about equal numbers of pairs of sorted lists, from a sample.
fn limits<P: Paired>(lists: &[&[P]], len: usize, count: usize) -> Vec<P> {
    const SAMPLED: usize = 4;
    let step = (len / (count * SAMPLED)).max(1);
    let (mut sample, mut next) = (Vec::with_capacity(count * SAMPLED + 1), step / 2);
    for list in lists {
        while let Some(pair) = list.get(next) {
            sample.push(*pair);
            next += step;
        }
        next -= list.len();
    }
    sample.sort_unstable();
    (1..count).map(|number| sample[sample.len() * number / count]).collect()
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

/// Sorts pairs that are at most `most` sorted lists, one after another, or such lists with few other pairs at the end; else
/// false.
fn merge_runs<P: Paired>(pairs: &mut [P], most: usize, others: &mut Vec<P>) -> bool {
    let ordered = run(pairs);
    let (head, tail) = pairs.split_at_mut(ordered);
    if tail.is_empty() {
        return true;
    }
    if is_few(tail.len(), ordered) || tail.len() <= SHORT && 2 * tail.len() <= head.len() {
        tail.sort_unstable();
    } else if most <= 1 || !merge_runs(tail, most - 1, others) {
        return false;
    }
    merge(pairs, ordered, others);
    true
}

/// Whether inserting `pairs` one by one into `others` is faster than merging them.
const fn is_few(pairs: usize, others: usize) -> bool {
    15 * pairs < others
}

/// Merges the sorted pairs from `ordered` on into the sorted ones before, from the back, so that only moved pairs are
/// overwritten.
fn merge<P: Paired>(pairs: &mut [P], ordered: usize, others: &mut Vec<P>) {
    others.clear();
    others.extend_from_slice(&pairs[ordered..]);
    let (mut end, mut left) = (ordered, others.len());
    if is_few(left, ordered) {
        for (left, &pair) in others.iter().enumerate().rev() {
            let start = place_from_end(&pairs[..end], |&other| other < pair);
            pairs.copy_within(start..end, start + left + 1);
            pairs[start + left] = pair;
            end = start;
        }
        return;
    }
    // Branchless, because the order is unpredictable.
    while end > 0 && left > 0 {
        let (one, other) = (pairs[end - 1], others[left - 1]);
        let is_last = one > other;
        pairs[end + left - 1] = one.max(other);
        end -= usize::from(is_last);
        left -= usize::from(!is_last);
    }
    pairs[..left].copy_from_slice(&others[..left]);
}

/// As [`partition_point`](slice::partition_point), in O(log d) for a place d from the end (galloping search).
pub(crate) fn place_from_end<T>(sorted: &[T], is_before: impl Fn(&T) -> bool) -> usize {
    let (mut end, mut step) = (sorted.len(), 1);
    while step <= end && !is_before(&sorted[end - step]) {
        end -= step;
        step *= 2;
    }
    let start = end.saturating_sub(step);
    start + sorted[start..end].partition_point(is_before)
}

/// The length of the ordered prefix.
fn run<P: Ord>(pairs: &[P]) -> usize {
    pairs.windows(2).position(|two| two[0] > two[1]).map_or(pairs.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::PairSorter;
    use xcollide_fixtures::Random;

    #[test]
    fn a_merged_list_has_all_keys_in_order() {
        let lists: [&[u64]; 5] = [&[], &[4], &[1, 3, 5, 9], &[2, 6, 7, 8], &[10, 11]];
        let mut others = vec![77];
        for one in lists {
            for other in lists {
                let mut merged = [one, other].concat();
                let mut expected = merged.clone();
                expected.sort_unstable();
                super::merge(&mut merged, one.len(), &mut others);
                assert_eq!(merged, expected);
            }
        }
    }

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
    fn places_are_found_from_the_end() {
        for len in 0..40 {
            let sorted: Vec<u32> = (0..len).collect();
            for place in 0..=len {
                assert_eq!(super::place_from_end(&sorted, |&at| at < place), place as usize);
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
