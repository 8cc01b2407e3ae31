//! Sorts pairs.

use crate::counting_sort::counting_sort;
use crate::stats::held;

/// Up to this many pairs behind a longer sorted list are sorted apart.
const SHORT: usize = 2048;

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

#[derive(Debug, Default)]
pub(crate) struct PairSorter<P = u64> {
    starts: Vec<u32>,
    sorted: Vec<P>,
}

impl<P: Paired> PairSorter<P> {
    /// Sorts pairs. O(n + p) for `p` pairs of `n` boxes, unless a box is the smaller one of very many pairs.
    ///
    /// A counting sort by the first index, or its upper bits, then a sort of each group. Two sorted parts, or a sorted list with
    /// fewer new pairs at the end, are merged.
    pub(crate) fn sort(&mut self, keys: &mut Vec<P>, indices: usize, threads: bool) {
        let ordered = run(keys);
        if ordered == keys.len() {
            return;
        }
        if (keys.len() - ordered) * 16 < keys.len() {
            return self.merge_tail(keys, ordered);
        }
        let (head, tail) = keys.split_at_mut(ordered);
        if tail.len() <= SHORT && 2 * tail.len() <= head.len() {
            tail.sort_unstable();
        }
        if run(tail) == tail.len() {
            merge(head, tail, &mut self.sorted);
            std::mem::swap(keys, &mut self.sorted);
            return;
        }
        if keys.len() < 64 || keys.len() > u32::MAX as usize {
            keys.sort_unstable();
            return;
        }
        // About as many groups as pairs, or of one index each.
        let shift = (indices / keys.len()).checked_ilog2().unwrap_or(0);
        let lists = (&mut self.starts, &mut self.sorted);
        let told =
            (|at: usize| keys[at].first() >> shift, |at: usize, key: &mut P| *key = keys[at]);
        counting_sort(keys.len(), (indices >> shift) + 1, told, lists, threads, |starts, keys| {
            for two in starts.windows(2).filter(|two| two[1] - two[0] > 1) {
                keys[two[0] as usize..two[1] as usize].sort_unstable();
            }
            // The last group of a share ends with the share.
            if let Some(&start) = starts.last() {
                keys[start as usize..].sort_unstable();
            }
        });
        std::mem::swap(keys, &mut self.sorted);
    }

    /// Merges the keys from `ordered` on into the sorted ones before.
    fn merge_tail(&mut self, keys: &mut [P], ordered: usize) {
        self.sorted.clear();
        self.sorted.extend_from_slice(&keys[ordered..]);
        self.sorted.sort_unstable();
        // From the back, so that only moved keys are overwritten.
        let mut end = ordered;
        for (left, &key) in self.sorted.iter().enumerate().rev() {
            let start = place_from_end(&keys[..end], |&other| other < key);
            keys.copy_within(start..end, start + left + 1);
            keys[start + left] = key;
            end = start;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.starts) + held(&self.sorted)
    }
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

fn merge<P: Paired>(one: &[P], other: &[P], merged: &mut Vec<P>) {
    merged.clear();
    merged.resize(one.len() + other.len(), P::default());
    let (mut a, mut b) = (0, 0);
    // Branchless, because the order of the keys is unpredictable.
    while a < one.len() && b < other.len() {
        let (first, second) = (one[a], other[b]);
        let is_first = first < second;
        merged[a + b] = first.min(second);
        a += usize::from(is_first);
        b += usize::from(!is_first);
    }
    let rest = &mut merged[a + b..];
    let (tail, none) =
        if a < one.len() { (&one[a..], &other[b..]) } else { (&other[b..], &one[a..]) };
    debug_assert!(none.is_empty());
    rest.copy_from_slice(tail);
}

/// The length of the ordered prefix.
fn run<P: Ord>(keys: &[P]) -> usize {
    keys.windows(2).position(|two| two[0] > two[1]).map_or(keys.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::PairSorter;
    use xcollide_fixtures::Random;

    #[test]
    fn a_merged_list_has_all_keys_in_order() {
        let lists: [&[u64]; 5] = [&[], &[4], &[1, 3, 5, 9], &[2, 6, 7, 8], &[10, 11]];
        let mut merged = vec![77];
        for one in lists {
            for other in lists {
                let mut expected = [one, other].concat();
                expected.sort_unstable();
                super::merge(one, other, &mut merged);
                assert_eq!(merged, expected);
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
