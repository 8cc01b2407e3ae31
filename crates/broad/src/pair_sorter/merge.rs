//! Merges sorted pairs that follow each other.

use super::Paired;

/// Up to this many pairs behind a longer sorted list are sorted apart.
const SHORT: usize = 2048;

/// Sorts pairs that are at most `most` sorted lists, one after another, or such lists with few other pairs at the end; else
/// false.
pub(super) fn merge_runs<P: Paired>(pairs: &mut [P], most: usize, others: &mut Vec<P>) -> bool {
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

/// Merges the sorted pairs from `ordered` on into the sorted ones before.
fn merge<P: Paired>(pairs: &mut [P], ordered: usize, others: &mut Vec<P>) {
    others.clear();
    others.extend_from_slice(&pairs[ordered..]);
    merge_from_back(pairs, others);
}

/// Merges sorted pairs into sorted ones.
pub(crate) fn add_sorted<P: Paired>(pairs: &mut Vec<P>, others: &[P]) {
    pairs.resize(pairs.len() + others.len(), P::default());
    merge_from_back(pairs, others);
}

/// Merges sorted pairs into the first, sorted ones of `pairs`, which has room for all at its end: from the back, so that
/// only moved pairs are overwritten.
fn merge_from_back<P: Paired>(pairs: &mut [P], others: &[P]) {
    let (mut end, mut left) = (pairs.len() - others.len(), others.len());
    if is_few(left, end) {
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
fn place_from_end<T>(sorted: &[T], is_before: impl Fn(&T) -> bool) -> usize {
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
                let mut grown = one.to_vec();
                super::add_sorted(&mut grown, other);
                assert_eq!(grown, expected);
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
}
