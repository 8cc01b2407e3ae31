//! Puts pairs in order.

/// Memory for sorting, used again.
#[derive(Debug, Default)]
pub(crate) struct Order {
    starts: Vec<u32>,
    sorted: Vec<u64>,
}

impl Order {
    /// Sorts keys, each two different indices with the smaller in the upper half. O(n + p) for `p`
    /// pairs of `n` boxes as long as no box is the smaller one of very many pairs.
    ///
    /// One counting sort by the upper half, then every group, mostly of a few, by itself. What is in
    /// order but for a few keys at the end is only merged with those.
    pub(crate) fn sort(&mut self, keys: &mut Vec<u64>, indices: usize) {
        let ordered = run(keys);
        if ordered == keys.len() {
            return;
        }
        if (keys.len() - ordered) * 16 < keys.len() {
            return self.merge_tail(keys, ordered);
        }
        if keys.len() < 64 || keys.len() * 8 < indices || keys.len() > u32::MAX as usize {
            keys.sort_unstable();
            return;
        }
        self.starts.clear();
        self.starts.resize(indices + 1, 0);
        for key in keys.iter() {
            self.starts[(key >> 32) as usize + 1] += 1;
        }
        for index in 0..indices {
            self.starts[index + 1] += self.starts[index];
        }
        self.sorted.clear();
        self.sorted.resize(keys.len(), 0);
        for &key in keys.iter() {
            let next = &mut self.starts[(key >> 32) as usize];
            self.sorted[*next as usize] = key;
            *next += 1;
        }
        // Now `starts[i]` is where group `i` ends.
        let mut start = 0;
        for &end in &self.starts[..indices] {
            let end = end as usize;
            let group = &mut self.sorted[start..end];
            if group.len() > 1 {
                group.sort_unstable();
            }
            start = end;
        }
        std::mem::swap(keys, &mut self.sorted);
    }

    /// Puts the keys from `ordered` on where they belong among those before, which are in order.
    fn merge_tail(&mut self, keys: &mut [u64], ordered: usize) {
        self.sorted.clear();
        self.sorted.extend_from_slice(&keys[ordered..]);
        self.sorted.sort_unstable();
        // From the back, so that what is written over has been moved already.
        let mut end = ordered;
        for (left, &key) in self.sorted.iter().enumerate().rev() {
            let start = keys[..end].partition_point(|&other| other < key);
            keys.copy_within(start..end, start + left + 1);
            keys[start + left] = key;
            end = start;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.sorted.capacity() * size_of::<u64>()
    }
}

/// Replaces `merged` by what is in two lists, all three of them in order.
pub(crate) fn merge(one: &[u64], other: &[u64], merged: &mut Vec<u64>) {
    merged.clear();
    merged.resize(one.len() + other.len(), 0);
    let (mut a, mut b) = (0, 0);
    // Which list the next key is from cannot be foreseen, so there is no branch for it.
    while a < one.len() && b < other.len() {
        let (first, second) = (one[a], other[b]);
        let is_first = first < second;
        merged[a + b] = if is_first { first } else { second };
        a += usize::from(is_first);
        b += usize::from(!is_first);
    }
    let rest = &mut merged[a + b..];
    let (tail, none) =
        if a < one.len() { (&one[a..], &other[b..]) } else { (&other[b..], &one[a..]) };
    debug_assert!(none.is_empty());
    rest.copy_from_slice(tail);
}

/// How many keys from the first on are in order.
fn run(keys: &[u64]) -> usize {
    keys.windows(2).position(|two| two[0] > two[1]).map_or(keys.len(), |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::Order;

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
    fn keys_come_in_the_order_of_a_plain_sort() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            state >> 33
        };
        let mut order = Order::default();
        for (pairs, indices) in [(0, 5), (10, 5), (1000, 40), (5000, 3000), (100, 100_000)] {
            let mut keys: Vec<u64> = (0..pairs)
                .map(|_| {
                    let (a, b) = (random() % indices, random() % indices);
                    a.min(b) << 32 | a.max(b)
                })
                .collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            order.sort(&mut keys, indices as usize);
            assert_eq!(keys, expected);
            // In order, and in order but for a few at the end.
            let few = keys.len() / 20;
            keys.rotate_left(few);
            let at = keys.len() - few;
            keys[at..].reverse();
            for _ in 0..2 {
                order.sort(&mut keys, indices as usize);
                assert_eq!(keys, expected);
            }
        }
    }
}
