//! Half a matrix: a number for each pair of indices. Dense up to [`DENSE_UP_TO`] objects, "because it is
//! fastest and gives greatest flexibility" (Zachmann 1994, 7.0.1); hashed above: "if only a few pairs are
//! interacting … a sparse matrix list" (I-COLLIDE 6.1).

use rustc_hash::FxHashMap;

/// Up to this many objects the matrix is dense, which takes 2 MB. Lookups take about 5 ns either way
/// (`benches/world.rs`, `interest`).
const DENSE_UP_TO: u32 = 1024;

/// Rules of pairs of indices; 0 means none.
#[derive(Clone, Debug)]
pub(crate) enum PairRules {
    /// By rows of the larger index: entry `j (j − 1) / 2 + i` for `i < j`.
    Dense(Vec<u32>),
    Sparse(Sparse),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Sparse {
    rules: FxHashMap<u64, u32>,
    /// The partners of each index, to remove its rules.
    partners: FxHashMap<u32, Vec<u32>>,
}

impl Default for PairRules {
    fn default() -> Self {
        Self::Dense(Vec::new())
    }
}

impl PairRules {
    /// The rule of two different indices. O(1).
    #[inline]
    pub(crate) fn get(&self, i: u32, j: u32) -> u32 {
        let (i, j) = (i.min(j), i.max(j));
        match self {
            Self::Dense(half) => half.get(place(i, j)).copied().unwrap_or(0),
            Self::Sparse(sparse) => sparse.rules.get(&key(i, j)).copied().unwrap_or(0),
        }
    }

    /// Sets the rule of two different indices; 0 removes it. O(1) amortised.
    pub(crate) fn set(&mut self, i: u32, j: u32, rule: u32) {
        let (i, j) = (i.min(j), i.max(j));
        if let Self::Dense(half) = self {
            if j < DENSE_UP_TO {
                let needed = place(0, j + 1);
                if half.len() < needed {
                    half.resize(needed, 0);
                }
                half[place(i, j)] = rule;
                return;
            }
            let mut sparse = Sparse::default();
            for ([i, j], rule) in self.iter() {
                sparse.set(i, j, rule);
            }
            *self = Self::Sparse(sparse);
        }
        if let Self::Sparse(sparse) = self {
            sparse.set(i, j, rule);
        }
    }

    /// Removes all rules of an index.
    pub(crate) fn forget(&mut self, index: u32) {
        match self {
            Self::Dense(half) => {
                for other in (0..DENSE_UP_TO).filter(|&other| other != index) {
                    let at = place(index.min(other), index.max(other));
                    match half.get_mut(at) {
                        Some(entry) => *entry = 0,
                        None => break,
                    }
                }
            }
            Self::Sparse(sparse) => {
                for other in sparse.partners.remove(&index).unwrap_or_default() {
                    sparse.rules.remove(&key(index.min(other), index.max(other)));
                    if let Some(of_other) = sparse.partners.get_mut(&other) {
                        of_other.retain(|&partner| partner != index);
                    }
                }
            }
        }
    }

    /// The partners of an index and the rules with them.
    pub(crate) fn of(&self, index: u32) -> Vec<(u32, u32)> {
        let others: Vec<u32> = match self {
            Self::Dense(_) => (0..DENSE_UP_TO).filter(|&other| other != index).collect(),
            Self::Sparse(sparse) => sparse.partners.get(&index).cloned().unwrap_or_default(),
        };
        let rules = others.into_iter().map(|other| (other, self.get(index, other)));
        rules.filter(|&(_, rule)| rule != 0).collect()
    }

    /// All rules, by the larger index, then the smaller.
    pub(crate) fn iter(&self) -> Vec<([u32; 2], u32)> {
        match self {
            Self::Dense(half) => {
                let pairs = (1..DENSE_UP_TO).flat_map(|j| (0..j).map(move |i| [i, j]));
                pairs
                    .zip(half)
                    .filter(|(_, rule)| **rule != 0)
                    .map(|(p, &rule)| (p, rule))
                    .collect()
            }
            Self::Sparse(sparse) => {
                let rules = sparse.rules.iter();
                let mut all: Vec<_> =
                    rules.map(|(&key, &rule)| ([key as u32, (key >> 32) as u32], rule)).collect();
                all.sort_unstable_by_key(|&([i, j], _)| (j, i));
                all
            }
        }
    }
}

impl Sparse {
    fn set(&mut self, i: u32, j: u32, rule: u32) {
        let before = if rule == 0 {
            self.rules.remove(&key(i, j))
        } else {
            self.rules.insert(key(i, j), rule)
        };
        for (of, with) in [(i, j), (j, i)] {
            match (before.is_some(), rule != 0) {
                (false, true) => self.partners.entry(of).or_default().push(with),
                (true, false) => {
                    if let Some(partners) = self.partners.get_mut(&of) {
                        partners.retain(|&partner| partner != with);
                    }
                }
                _ => {}
            }
        }
    }
}

#[inline]
fn place(i: u32, j: u32) -> usize {
    let j = j as usize;
    j * j.saturating_sub(1) / 2 + i as usize
}

#[inline]
fn key(i: u32, j: u32) -> u64 {
    u64::from(j) << 32 | u64::from(i)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use xcollide_scenes::Random;

    /// Both forms say what a plain map says, through the change from one to the other.
    #[test]
    fn rules_are_those_of_a_plain_map() {
        let mut random = Random::new(4);
        let (mut rules, mut map) = (PairRules::default(), BTreeMap::new());
        for step in 0..4000 {
            let most = if step < 2000 { 60.0 } else { 1500.0 };
            let mut index = || random.between(0.0, most) as u32;
            let (i, j) = (index(), index());
            if step % 97 == 0 {
                rules.forget(i);
                map.retain(|&(a, b), _| a != i && b != i);
            } else if i != j {
                let rule = step % 5;
                rules.set(i, j, rule);
                map.insert((i.max(j), i.min(j)), rule);
                map.retain(|_, rule| *rule != 0);
            }
            if i != j {
                let rule = map.get(&(i.max(j), i.min(j))).copied().unwrap_or(0);
                assert_eq!(rules.get(i, j), rule);
            }
            if step % 200 == 0 {
                let all: Vec<_> = map.iter().map(|(&(j, i), &rule)| ([i, j], rule)).collect();
                assert_eq!(rules.iter(), all);
            }
        }
        assert!(matches!(rules, PairRules::Sparse(_)));
    }
}
