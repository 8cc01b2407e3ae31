//! An interval tree for sweeps.

use crate::stats::{held, shrink};

/// An interval tree with insertion and removal, over intervals whose low ends are known in advance. Its fixed
/// skeleton is a complete binary tree over the intervals, ordered by low end. A node stores the greatest high
/// end below it, so that queries skip subtrees that end too early.
#[derive(Debug, Default)]
pub(crate) struct IntervalTree {
    /// The low ends, ascending.
    lows: Vec<f64>,
    /// The greatest high end below each node, NaN if it has no intervals. The children of node `i` are `2 i` and
    /// `2 i + 1`; the second half of the array are the leaves.
    highs: Vec<f64>,
}

impl IntervalTree {
    pub(crate) fn reset(&mut self, lows: impl Iterator<Item = f64>) {
        self.lows.clear();
        self.lows.extend(lows);
        debug_assert!(self.lows.is_sorted());
        self.highs.clear();
        self.highs.resize(2 * self.lows.len().next_power_of_two(), f64::NAN);
        shrink(&mut self.highs);
    }

    /// Inserts an interval by the rank of its low end. O(log n).
    pub(crate) fn insert(&mut self, rank: usize, high: f64) {
        let mut node = self.highs.len() / 2 + rank;
        self.highs[node] = high;
        while node > 1 {
            node /= 2;
            if self.highs[node] >= high {
                break;
            }
            self.highs[node] = high;
        }
    }

    /// Removes an interval. O(log n).
    pub(crate) fn remove(&mut self, rank: usize) {
        let mut node = self.highs.len() / 2 + rank;
        self.highs[node] = f64::NAN;
        while node > 1 {
            node /= 2;
            // If one operand is NaN, `max` returns the other.
            self.highs[node] = self.highs[2 * node].max(self.highs[2 * node + 1]);
        }
    }

    /// Visits the ranks of the k intervals that overlap this one. O(log n + k log(n / k)).
    pub(crate) fn each_overlap(&self, low: f64, high: f64, mut visit: impl FnMut(usize)) {
        /// A descent leaves at most one sibling on the stack at each of at most 31 levels.
        const DEPTH: usize = 34;
        // Intervals from `end` on start too late.
        let end = self.lows.partition_point(|&start| start <= high);
        let leaves = self.highs.len() / 2;
        let mut stack = [(1, 0, leaves); DEPTH];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let (node, first, count) = stack[height];
            // False for NaN too.
            let reaches = self.highs[node] >= low;
            if first >= end || !reaches {
                continue;
            }
            if count == 1 {
                visit(first);
                continue;
            }
            let half = count / 2;
            stack[height] = (2 * node + 1, first + half, half);
            stack[height + 1] = (2 * node, first, half);
            height += 2;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.lows) + held(&self.highs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

    #[test]
    fn it_finds_the_intervals_that_a_look_at_all_finds() {
        let mut random = Pcg64Mcg::seed_from_u64(8);
        let mut below = |limit: u64| (random.next_u64() % limit) as f64;
        let mut tree = IntervalTree::default();
        let mut found_any = 0;
        for count in [0, 1, 2, 3, 17, 64, 100] {
            let mut all: Vec<(f64, f64)> = (0..count)
                .map(|_| {
                    let low = below(40);
                    (low, low + below(9))
                })
                .collect();
            all.push((f64::NEG_INFINITY, f64::NEG_INFINITY));
            all.push((f64::NEG_INFINITY, f64::INFINITY));
            all.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
            tree.reset(all.iter().map(|interval| interval.0));
            let mut is_in = vec![false; all.len()];
            for _ in 0..300 {
                let rank = below(all.len() as u64) as usize;
                is_in[rank] = !is_in[rank];
                if is_in[rank] {
                    tree.insert(rank, all[rank].1);
                } else {
                    tree.remove(rank);
                }
                let low = if below(9) > 0.0 { below(45) } else { f64::NEG_INFINITY };
                let high = low + below(12);
                let mut found = Vec::new();
                tree.each_overlap(low, high, |rank| found.push(rank));
                let expected =
                    (0..all.len()).filter(|&k| is_in[k] && all[k].0 <= high && low <= all[k].1);
                assert!(expected.eq(found.iter().copied()), "{low} {high}: {found:?}");
                found_any += found.len();
            }
        }
        assert!(found_any > 1000);
    }
}
