//! Sums of directed edges in which opposite edges cancel (1-chains), and their split into cycles.

use rustc_hash::FxHashMap;

/// A sum of directed edges between vertex numbers. Opposite edges cancel; loops are ignored.
#[derive(Debug, Default)]
pub(crate) struct EdgeChain {
    /// Lower vertex, higher vertex, +1 from the lower to the higher.
    terms: Vec<(u32, u32, i32)>,
    /// Edges (from, to) that remain after cancelling, sorted. Set by `cancel`.
    residual: Vec<(u32, u32)>,
    /// The position of each vertex on the path of `for_each_cycle`.
    position: FxHashMap<u32, usize>,
    path: Vec<u32>,
    used: Vec<bool>,
}

impl EdgeChain {
    pub(crate) fn clear(&mut self) {
        self.terms.clear();
    }

    pub(crate) fn add_cycle(&mut self, vertices: impl Iterator<Item = u32> + Clone) {
        let next = vertices.clone().cycle().skip(1);
        for (from, to) in vertices.zip(next).filter(|(from, to)| from != to) {
            let sign = if from < to { 1 } else { -1 };
            self.terms.push((from.min(to), from.max(to), sign));
        }
    }

    /// The edges that remain after cancelling, sorted, with multiplicity.
    pub(crate) fn cancel(&mut self) -> &[(u32, u32)] {
        self.terms.sort_unstable();
        self.residual.clear();
        for group in self.terms.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (low, high, _) = group[0];
            let sum: i32 = group.iter().map(|term| term.2).sum();
            let edge = if sum > 0 { (low, high) } else { (high, low) };
            self.residual.extend(std::iter::repeat_n(edge, sum.unsigned_abs() as usize));
        }
        self.residual.sort_unstable();
        &self.residual
    }

    /// Splits the remaining edges into cycles of at least three edges without repeated vertices.
    ///
    /// The chain must be closed (as many edges into each vertex as out of it), as sums of contours are.
    pub(crate) fn for_each_cycle(&mut self, mut visit: impl FnMut(&[u32])) {
        self.cancel();
        let Self { residual, position, path, used, .. } = self;
        used.clear();
        used.resize(residual.len(), false);
        for first in 0..residual.len() {
            if used[first] {
                continue;
            }
            path.clear();
            position.clear();
            let mut vertex = residual[first].0;
            loop {
                position.insert(vertex, path.len());
                path.push(vertex);
                let out = residual.partition_point(|edge| edge.0 < vertex);
                let unused = (out..residual.len())
                    .take_while(|&e| residual[e].0 == vertex)
                    .find(|&e| !used[e]);
                // In a closed chain the walk stops only at its start.
                let Some(edge) = unused else { break };
                used[edge] = true;
                vertex = residual[edge].1;
                if let Some(&start) = position.get(&vertex) {
                    visit(&path[start..]);
                    for vertex in path.drain(start..) {
                        position.remove(&vertex);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cycles(chain: &mut EdgeChain) -> Vec<Vec<u32>> {
        let mut cycles = Vec::new();
        chain.for_each_cycle(|cycle| cycles.push(cycle.to_vec()));
        cycles
    }

    #[test]
    fn opposite_edges_cancel_and_loops_count_nothing() {
        let mut chain = EdgeChain::default();
        chain.add_cycle([1, 2, 2, 3].into_iter());
        chain.add_cycle([3, 2, 1].into_iter());
        assert!(chain.cancel().is_empty());
        chain.add_cycle([7].into_iter());
        chain.add_cycle([7, 8].into_iter());
        assert!(chain.cancel().is_empty());
    }

    #[test]
    fn cycles_add_up_to_the_chain_and_repeat_no_vertex() {
        let mut chain = EdgeChain::default();
        // Two loops through vertex 0, one of them twice.
        for _ in 0..2 {
            chain.add_cycle([0, 1, 2].into_iter());
        }
        chain.add_cycle([0, 3, 4, 5].into_iter());
        let left = chain.cancel().to_vec();
        let found = cycles(&mut chain);
        assert_eq!(found.len(), 3);
        let mut sum = EdgeChain::default();
        for cycle in &found {
            let mut sorted = cycle.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), cycle.len());
            assert!(cycle.len() >= 3);
            sum.add_cycle(cycle.iter().copied());
        }
        assert_eq!(sum.cancel(), left);
    }
}
