//! The pairs of a list, by when they may overlap.

use std::mem::{self, swap, take};

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use super::listed_pair::ListedPair;
use super::new_pairs::NewPairs;
use crate::index_set::IndexSet;
use crate::overlap::overlaps;
use crate::pair_sorter::{PairSorter, add_sorted};
use crate::parallel::{
    LIGHT, chunk_count, for_shares, keep_per_chunk, resize, retain_in_chunks, share_count,
};
use crate::parallel_search::find_in_chunks;
use crate::stats::{held, shrink};
use crate::{PairCollector, Proxies};

/// The pairs of boxes that may overlap while they keep their [courses](Courses). From the frame on in which it first may,
/// a pair is active; its boxes are compared in those frames only in which they may overlap and need not.
#[derive(Debug, Default)]
pub(super) struct PairSchedule {
    /// The pairs by the frame in which they become active.
    waiting: Vec<ListedPair>,
    /// The first of each frame; one more entry than there are frames.
    starts: Vec<u32>,
    /// How many of them have become active.
    begun: usize,
    /// The active pairs, sorted.
    active: Vec<ListedPair>,
    /// Reused memory for those that become active.
    fresh: Vec<ListedPair>,
    /// Reused memory for the next active pairs, and for how many stay, by chunk.
    merged: Vec<ListedPair>,
    stay: Vec<usize>,
    order: PairSorter<ListedPair>,
    /// Reused memory for shares of the pairs, as `starts` and `waiting`.
    shares: Vec<(Vec<u32>, Vec<ListedPair>)>,
}

impl PairSchedule {
    /// Replaces all pairs. None is active.
    pub(super) fn fill(&mut self, new: &mut NewPairs, threads: bool) {
        self.sort_by_frame(new, threads);
        self.active.clear();
        self.begun = 0;
        shrink(&mut self.waiting);
        // While it is full, as its memory serves the next list.
        new.shrink();
        new.clear();
    }

    /// Fills the waiting pairs. Each share of the pairs is sorted apart; then those of a frame are put together. Sharing out
    /// the frames instead would be uneven, as most pairs may overlap in the first ones.
    fn sort_by_frame(&mut self, pairs: &NewPairs, threads: bool) {
        let Self { waiting, starts, shares, .. } = self;
        let (len, mut rest) = (pairs.len(), pairs.lists());
        let count = share_count(len, LIGHT, threads);
        if count == 1 {
            *shares = Vec::new();
            return sort_share(rest, starts, waiting);
        }
        shares.resize_with(count, Default::default);
        let mut left = len;
        let of_shares = shares.iter_mut().enumerate().map(|(number, share)| {
            let (before, mut lists) = (len * (count - 1 - number) / count, 0);
            while left > before && lists < rest.len() {
                left -= rest[lists].len();
                lists += 1;
            }
            let lists = rest.split_off(..lists).unwrap_or_default();
            (lists, share)
        });
        for_shares(&mut of_shares.collect::<Vec<_>>(), |(lists, (starts, sorted))| {
            sort_share(lists, starts, sorted);
        });
        starts.clear();
        starts.extend(
            (0..=FRAMES).map(|frame| shares.iter().map(|(starts, _)| starts[frame]).sum::<u32>()),
        );
        resize(waiting, len, ListedPair::default(), threads);
        let mut rest = &mut waiting[..];
        let frames = starts.windows(2).enumerate();
        let mut places: Vec<_> = frames
            .map(|(frame, two)| {
                let place;
                (place, rest) = take(&mut rest).split_at_mut((two[1] - two[0]) as usize);
                (frame, place)
            })
            .collect();
        for_shares(&mut places, |(frame, place)| {
            let mut rest = &mut **place;
            for (starts, sorted) in &*shares {
                let of_frame = &sorted[starts[*frame] as usize..starts[*frame + 1] as usize];
                let place;
                (place, rest) = take(&mut rest).split_at_mut(of_frame.len());
                place.copy_from_slice(of_frame);
            }
        });
        shares.iter_mut().for_each(|(_, sorted)| shrink(sorted));
    }

    /// Makes the first pairs active: those that may overlap up to a time.
    pub(super) fn begin(&mut self, time: u8, boxes: usize, threads: bool) {
        self.begun = self.ended(time);
        let Self { order, waiting, begun, active, .. } = self;
        order.sort_lists(&[&waiting[..*begun]], active, boxes, threads);
    }

    /// Makes the pairs active that may overlap from now on, without those that have a box of `others`. If some of these
    /// are new (`has_new`), and now and then, their active pairs are dropped, with those that can no longer overlap.
    pub(super) fn advance(
        &mut self,
        time: u8,
        (others, has_new): (&IndexSet, bool),
        boxes: usize,
        threads: bool,
    ) {
        let end = self.ended(time);
        let mut fresh = take(&mut self.fresh);
        let first = self.begun.min(end);
        self.order.sort_lists(&[&self.waiting[first..end]], &mut fresh, boxes, threads);
        self.begun = self.begun.max(end);
        let is_of_list = |pair: &ListedPair| pair.indices.iter().all(|&at| !others.contains(at));
        retain_in_chunks(&mut fresh, LIGHT, threads, &mut self.stay, is_of_list);
        const SELDOM: u8 = 8;
        let drops = has_new || time.is_multiple_of(SELDOM);
        self.replace_passed(&fresh, threads, drops, |pair| {
            let [a, b] = pair.indices;
            !(pair.is_over(time) | others.contains(a) | others.contains(b))
        });
        self.fresh = fresh;
    }

    /// How many pairs may overlap up to a time, or have done so.
    fn ended(&self, time: u8) -> usize {
        self.starts.get(usize::from(time) + 1).map_or(0, |&end| end as usize)
    }

    /// Adds the `fresh` pairs, which are sorted, to the active ones. Before that, if `drops`, drops active pairs that do not
    /// stay.
    fn replace_passed(
        &mut self,
        fresh: &[ListedPair],
        threads: bool,
        drops: bool,
        stays: impl Fn(&ListedPair) -> bool + Sync,
    ) {
        if chunk_count(self.active.len(), LIGHT, threads) == 1 {
            if drops {
                retain_in_chunks(&mut self.active, LIGHT, false, &mut self.stay, stays);
            }
            return add_sorted(&mut self.active, fresh);
        }
        let Self { active, merged, stay, .. } = self;
        if drops {
            keep_per_chunk(active, LIGHT, threads, stay, stays);
        } else {
            stay.clear();
            stay.extend(active.chunks(LIGHT).map(<[_]>::len));
        }
        let len = stay.iter().sum::<usize>() + fresh.len();
        resize(merged, len, ListedPair::default(), threads);
        let (mut places, mut fresh) = (&mut merged[..], fresh);
        let mut parts = Vec::with_capacity(stay.len());
        for (part, &stay) in active.chunks(LIGHT).zip(&*stay) {
            let part = &part[..stay];
            let count = part.last().map_or(0, |last| fresh.partition_point(|pair| pair < last));
            let (own, place);
            (own, fresh) = fresh.split_at(count);
            (place, places) = take(&mut places).split_at_mut(stay + count);
            parts.push((part, own, place));
        }
        places.copy_from_slice(fresh);
        for_shares(&mut parts, |(part, fresh, place)| merge_few(part, fresh, place));
        swap(active, merged);
    }

    /// The number of active pairs.
    pub(super) fn len(&self) -> usize {
        self.active.len()
    }

    /// Passes the pairs that overlap to the collector, in order.
    pub(super) fn find(
        &self,
        time: u8,
        proxies: &Proxies,
        threads: bool,
        collector: &mut PairCollector<'_>,
    ) {
        let (active, boxes) = (&self.active, proxies.boxes());
        find_in_chunks(0..active.len(), LIGHT, threads, collector, |part, collector| {
            if let Some(keys) = collector.accepted() {
                let pairs = &active[part];
                let tests = dispatch(Active { pairs, time, boxes, keys });
                collector.count(tests);
                return;
            }
            for pair in &active[part] {
                let [a, b] = pair.indices;
                if pair.is_certain(time) {
                    collector.accept_boxes(a, b);
                } else {
                    collector.test(a, b);
                }
            }
        });
    }

    pub(super) fn bytes(&self) -> usize {
        let pairs = [&self.waiting, &self.active, &self.fresh, &self.merged];
        pairs.into_iter().map(held).sum::<usize>()
            + held(&self.starts)
            + held(&self.stay)
            + self.order.bytes()
            + self.shares.iter().map(|(starts, sorted)| held(starts) + held(sorted)).sum::<usize>()
    }
}

/// The frames in which a pair can become active.
const FRAMES: usize = u8::MAX as usize + 1;

/// Sorts pairs by the frame in which they become active; keeps the order of those of one frame.
fn sort_share(lists: &[Vec<ListedPair>], starts: &mut Vec<u32>, sorted: &mut Vec<ListedPair>) {
    let frame = |pair: &ListedPair| usize::from(pair.window.possible[0]);
    let mut next = [0; FRAMES];
    for list in lists {
        list.iter().for_each(|pair| next[frame(pair)] += 1);
    }
    starts.clear();
    let mut end = 0;
    for count in &mut next {
        starts.push(end);
        end += mem::replace(count, end);
    }
    starts.push(end);
    sorted.resize(end as usize, ListedPair::default());
    for list in lists {
        for pair in list {
            let place = &mut next[frame(pair)];
            sorted[*place as usize] = *pair;
            *place += 1;
        }
    }
}

/// Merges a few sorted pairs into many.
fn merge_few(many: &[ListedPair], few: &[ListedPair], merged: &mut [ListedPair]) {
    let mut first = 0;
    for (number, pair) in few.iter().enumerate() {
        let end = first + many[first..].partition_point(|other| other < pair);
        merged[first + number..end + number].copy_from_slice(&many[first..end]);
        merged[end + number] = *pair;
        first = end;
    }
    merged[first + few.len()..].copy_from_slice(&many[first..]);
}

/// Adds to `keys` the pairs that overlap. Returns how many were compared.
struct Active<'a> {
    pairs: &'a [ListedPair],
    time: u8,
    boxes: &'a [Aabb],
    keys: &'a mut Vec<u64>,
}

impl SimdKernel for Active<'_> {
    type Output = u64;
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    /// Writes every pair and overwrites the last one if it did not overlap: an unpredictable branch would cost
    /// more than all comparisons.
    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let Self { pairs, time, boxes, keys } = self;
        let before = keys.len();
        keys.resize(before + pairs.len(), 0);
        let places = &mut keys[before..];
        let (mut end, mut tests) = (0, 0);
        for pair in pairs {
            places[end] = pair.key();
            if pair.is_certain(time) {
                end += 1;
                continue;
            }
            let [a, b] = pair.indices.map(|index| &boxes[index as usize]);
            end += usize::from(overlaps::<S::F64x4>(a, b));
            tests += 1;
        }
        keys.truncate(before + end);
        tests
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Window;

    /// Pairs wait in the order of their frames, those of one frame in the order in which they came, with any number of threads.
    #[test]
    fn pairs_wait_in_the_order_of_their_frames() {
        // Most may overlap at once.
        let frame = |at: u32| if at.is_multiple_of(3) { (at * 7 % 256) as u8 } else { 0 };
        let pair = |at: u32| {
            let window = Window { possible: [frame(at), u8::MAX], certain: [1, 0] };
            ListedPair { indices: [at * 31 % 977, 1000 + at], window }
        };
        for count in [0, 1, 100, 9 * LIGHT as u32 + 17, 50] {
            let pairs: Vec<ListedPair> = (0..count).map(pair).collect();
            let mut expected = pairs.clone();
            expected.sort_by_key(|pair| pair.window.possible[0]);
            let lists = pairs.chunk_by(|pair, _| pair.indices[1] % 3001 > 0).map(<[_]>::to_vec);
            let pairs = NewPairs::of(lists.collect());
            let mut schedule = PairSchedule::default();
            for threads in [false, true] {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
                pool.install(|| schedule.sort_by_frame(&pairs, threads));
                assert!(schedule.waiting == expected, "{count} {threads}");
                for time in [0, 1, 100, u8::MAX] {
                    let ended = expected.partition_point(|pair| pair.window.possible[0] <= time);
                    assert_eq!(schedule.ended(time), ended);
                }
            }
        }
    }

    /// The same pairs stay and come as one by one, with threads and without.
    #[test]
    fn passed_pairs_and_those_of_others_are_replaced() {
        let pair = |at: u32| {
            let window = Window { possible: [0, (at % 7) as u8], certain: [1, 0] };
            ListedPair { indices: [at, at + 1 + at % 3], window }
        };
        let is_new = |at: u32| at.is_multiple_of(5);
        let stays = |pair: &ListedPair| pair.window.possible[1] >= 3 || is_new(pair.indices[0]);
        for count in [0, 1, 100, 5 * LIGHT as u32 + 17] {
            let all: Vec<ListedPair> = (0..count).filter(|&at| !is_new(at)).map(pair).collect();
            // Some before all others, some after them.
            let new: Vec<ListedPair> = (0..count + 9).filter(|&at| is_new(at)).map(pair).collect();
            for (threads, drops) in [(false, false), (false, true), (true, false), (true, true)] {
                let kept = all.iter().filter(|pair| !drops || stays(pair));
                let mut expected: Vec<ListedPair> = kept.chain(&new).copied().collect();
                expected.sort_unstable();
                let mut schedule = PairSchedule { active: all.clone(), ..Default::default() };
                for fresh in [&new[..], &[]] {
                    schedule.replace_passed(fresh, threads, drops, stays);
                    assert_eq!(schedule.active, expected, "{count} {threads} {drops}");
                }
            }
        }
    }
}
