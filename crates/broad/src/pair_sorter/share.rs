//! Merges sorted lists on several threads.

use std::mem::take;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Paired;
use super::merge::merge_runs;
use crate::parallel::{LIGHT, chunk_count, for_shares};

/// The fewest pairs of a share, and the most shares, in which lists are merged. One thread merges fewer pairs in the time
/// that it takes to wake another.
const OF_SHARE: usize = 4 * LIGHT;
const MOST_SHARES: usize = 64;

/// Into how many shares pairs are cut.
pub(super) fn shares(len: usize, threads: bool) -> usize {
    chunk_count(len, OF_SHARE, threads).min(MOST_SHARES)
}

/// Replaces `sorted` by the pairs of sorted lists, `len` in all, in order; `count` shares of them are merged on several
/// threads, with a list of `memory` each. False if a list is not sorted.
pub(super) fn merge_in_shares<P: Paired>(
    lists: &[&[P]],
    sorted: &mut Vec<P>,
    (len, count): (usize, usize),
    memory: &mut Vec<Vec<P>>,
) -> bool {
    memory.resize_with(count, Vec::new);
    let limits = limits(lists, len, count);
    let mut shares: Vec<_> = (memory.iter_mut().enumerate())
        .map(|(number, others)| Share {
            limits: [number.checked_sub(1), Some(number)].map(|limit| limits.get(limit?).copied()),
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
