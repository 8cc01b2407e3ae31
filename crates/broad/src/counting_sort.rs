//! Counting sort on several threads, each with a range of the keys.

use std::array::from_fn;
use std::mem::take;

use crate::parallel::{LIGHT, MOST_SHARES, for_shares, resize, share_count};

/// Stable counting sort of the things that `write(i, place)` writes, by `group(i)`, for `i` below `len` and groups
/// below `groups`. Group `i` becomes `sorted[starts[i]..starts[i + 1]]`. O(len + groups).
///
/// Every thread reads all groups and writes those of its own range; a sample makes the ranges about equal. Each
/// thread calls `finish` with the starts of its groups and its items.
pub(crate) fn counting_sort<T: Copy + Default + Send + Sync>(
    len: usize,
    groups: usize,
    (group, write): (impl Fn(usize) -> u32 + Sync, impl Fn(usize, &mut T) + Sync),
    (starts, sorted): (&mut Vec<u32>, &mut Vec<T>),
    threads: bool,
    finish: impl Fn(&[u32], &mut [T]) + Sync,
) {
    resize(starts, groups + 1, 0, threads);
    resize(sorted, len, T::default(), threads);
    let count = share_count(len, LIGHT, threads);
    let limits = limits(len, groups, &group, count);
    let mut shares: [Share<'_, T>; MOST_SHARES] = from_fn(|_| Share::default());
    let shares = &mut shares[..count];
    let mut rest = &mut starts[..];
    for (number, share) in shares.iter_mut().enumerate() {
        let [first_group, end] = [limits[number], limits[number + 1]];
        // `starts` has one more entry than there are groups.
        let entries = end - first_group + usize::from(number + 1 == count);
        (share.ends, rest) = take(&mut rest).split_at_mut(entries);
        share.first_group = first_group;
        share.numbers = (count > 1).then(Vec::new);
    }
    for_shares(shares, |share| share.count(len, &group));
    let (mut rest, mut first) = (&mut sorted[..], 0);
    for share in &mut *shares {
        let count = share.ends.last().map_or(0, |&end| end as usize);
        (share.things, rest) = take(&mut rest).split_at_mut(count);
        share.first = first;
        first += count;
    }
    for_shares(shares, |share| take(share).fill(len, &group, &write, &finish));
}

/// The first group of each share, so that all have about equal numbers of things; after them, the end.
fn limits(
    len: usize,
    groups: usize,
    group: &impl Fn(usize) -> u32,
    count: usize,
) -> [usize; MOST_SHARES + 1] {
    const SAMPLED: usize = 512;
    let mut limits = [0; MOST_SHARES + 1];
    if count > 1 {
        let mut some: Vec<u32> =
            (0..len).step_by(len.div_ceil(SAMPLED).max(1)).map(group).collect();
        some.sort_unstable();
        for (number, limit) in limits[..count].iter_mut().enumerate().skip(1) {
            *limit = some[some.len() * number / count] as usize;
        }
    }
    limits[count] = groups;
    limits
}

/// Consecutive groups and the things in them.
#[derive(Default)]
struct Share<'a, T> {
    first_group: usize,
    /// By group, first the number of things, then their end, finally their start.
    ends: &'a mut [u32],
    first: usize,
    things: &'a mut [T],
    /// The indices of those things; `None` for all.
    numbers: Option<Vec<u32>>,
}

impl<T: Copy> Share<'_, T> {
    /// Collects the indices of the things, and computes the end of each group relative to the share.
    #[inline(always)]
    fn count(&mut self, len: usize, group: &impl Fn(usize) -> u32) {
        let Self { first_group, ends, numbers, .. } = self;
        let place = |at: usize| (group(at) as usize).wrapping_sub(*first_group);
        ends.fill(0);
        if let Some(numbers) = numbers {
            // Writes every index; the next one overwrites it if it does not belong here. A branch would be
            // unpredictable.
            numbers.resize(len, 0);
            let mut count = 0;
            for at in 0..len {
                numbers[count] = at as u32;
                count += usize::from(place(at) < ends.len());
            }
            numbers.truncate(count);
            numbers.iter().for_each(|&at| ends[place(at as usize)] += 1);
        } else {
            (0..len).for_each(|at| ends[place(at)] += 1);
        }
        let mut end = 0;
        for count in &mut **ends {
            end += *count;
            *count = end;
        }
    }

    /// Fills each group from the back, so that its end becomes its start.
    #[inline(always)]
    fn fill(
        self,
        len: usize,
        group: &impl Fn(usize) -> u32,
        write: &impl Fn(usize, &mut T),
        finish: &impl Fn(&[u32], &mut [T]),
    ) {
        let Self { first_group, ends, first, things, numbers } = self;
        let count = numbers.as_ref().map_or(len, Vec::len);
        // One loop for both cases: the compiler does not inline what it would have to copy.
        for number in (0..count).rev() {
            let at = numbers.as_ref().map_or(number, |numbers| numbers[number] as usize);
            let end = &mut ends[group(at) as usize - first_group];
            *end -= 1;
            // Written in place: a copy would wait for the store of its parts.
            write(at, &mut things[*end as usize]);
        }
        finish(ends, things);
        if first > 0 {
            ends.iter_mut().for_each(|start| *start += first as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::counting_sort;
    use xcollide_fixtures::Random;

    /// The order is that of a stable sort, with any number of threads and any group sizes.
    #[test]
    fn things_come_as_by_a_stable_sort() {
        let mut random = Random::new(3);
        let (mut starts, mut sorted) = (Vec::new(), Vec::new());
        for (len, groups, crowd) in
            [(0, 1, 1), (1, 1, 1), (70_000, 9, 9), (70_000, 300_000, 300_000), (50_000, 40_000, 2)]
        {
            // Most things are in the first groups.
            let group = |number: u32, at: usize| {
                if at.is_multiple_of(7) { number % groups } else { number % crowd }
            };
            let of: Vec<u32> = (0..len).map(|at| group((random.bits() >> 33) as u32, at)).collect();
            let mut expected: Vec<(u32, u32)> = of.iter().copied().zip(0..).collect();
            expected.sort_by_key(|&(group, _)| group);
            for threads in [false, true] {
                let told = (|at: usize| of[at], |at: usize, thing: &mut u32| *thing = at as u32);
                let lists = (&mut starts, &mut sorted);
                counting_sort(len, groups as usize, told, lists, threads, |_, _| {});
                assert!(expected.iter().map(|&(_, at)| at).eq(sorted.iter().copied()));
                assert_eq!(starts.len(), groups as usize + 1);
                for (number, two) in starts.windows(2).enumerate() {
                    let inside = &sorted[two[0] as usize..two[1] as usize];
                    assert!(inside.iter().all(|&at| of[at as usize] == number as u32));
                }
            }
        }
    }
}
