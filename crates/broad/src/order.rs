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
    /// One counting sort by the upper half, then every group, mostly of a few, by itself.
    pub(crate) fn sort(&mut self, keys: &mut Vec<u64>, indices: usize) {
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

    pub(crate) fn bytes(&self) -> usize {
        self.starts.capacity() * size_of::<u32>() + self.sorted.capacity() * size_of::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::Order;

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
        }
    }
}
