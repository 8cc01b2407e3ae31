//! The least of many pairs, and their number.

use rustc_hash::FxHashSet;
use xcollide_brep::FaceId;

type Pair = [FaceId; 2];

/// Counts pairs of faces and keeps the least of them.
pub(super) struct LeastPairs {
    limit: usize,
    count: usize,
    /// At most twice the limit, or some thousand.
    least: Vec<Pair>,
    /// All pairs, if they may come more than once. Its order decides nothing.
    known: Option<FxHashSet<Pair>>,
}

/// Pairs that are kept before the first are selected.
const ROOM: usize = 1 << 12;

impl LeastPairs {
    /// Keeps `limit` pairs. `repeats`: a pair may be added more than once.
    pub(super) fn new(limit: usize, repeats: bool) -> Self {
        Self { limit, count: 0, least: Vec::new(), known: repeats.then(FxHashSet::default) }
    }

    /// Adds a pair in either order.
    pub(super) fn add(&mut self, [a, b]: Pair) {
        let pair = if a < b { [a, b] } else { [b, a] };
        if self.known.as_mut().is_some_and(|known| !known.insert(pair)) {
            return;
        }
        self.count += 1;
        self.least.push(pair);
        if self.least.len() >= ROOM && self.least.len() / 2 >= self.limit {
            self.least.select_nth_unstable(self.limit.saturating_sub(1));
            self.least.truncate(self.limit);
        }
    }

    /// The number of pairs, and the least ones in ascending order.
    pub(super) fn sorted(mut self) -> (usize, Vec<Pair>) {
        self.least.sort_unstable();
        self.least.truncate(self.limit);
        (self.count, self.least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_pairs_are_kept_whatever_the_order() {
        // Multiplication by an odd number permutes the numbers below a power of two.
        let pairs = || (0..1_u32 << 14).map(|i| i.wrapping_mul(40_503) % (1 << 14));
        let pair = |i: u32| [FaceId(i % 128), FaceId(128 + i / 128)];
        let mut all: Vec<Pair> = pairs().map(pair).collect();
        all.sort_unstable();
        for (limit, repeats) in
            [(1, false), (7, false), (5000, false), (7, true), (usize::MAX, true)]
        {
            let mut least = LeastPairs::new(limit, repeats);
            for i in pairs() {
                let [a, b] = pair(i);
                least.add([b, a]);
                if repeats {
                    least.add([a, b]);
                }
            }
            let (count, kept) = least.sorted();
            assert_eq!(count, all.len());
            assert_eq!(kept, all[..limit.min(all.len())]);
        }
    }
}
