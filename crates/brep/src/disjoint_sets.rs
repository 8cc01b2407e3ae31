//! Disjoint sets of numbers (union-find with path halving).

/// The least number of a set represents it.
pub(crate) struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    pub(crate) fn new(count: usize) -> Self {
        Self { parent: (0..count as u32).collect() }
    }

    pub(crate) fn root(&mut self, number: u32) -> u32 {
        let mut at = number;
        while self.parent[at as usize] != at {
            let above = self.parent[self.parent[at as usize] as usize];
            self.parent[at as usize] = above;
            at = above;
        }
        at
    }

    /// Joins two sets and returns the representative.
    pub(crate) fn join(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b) as usize] = a.min(b);
        a.min(b)
    }

    pub(crate) fn is_root(&self, number: usize) -> bool {
        self.parent[number] as usize == number
    }
}
