//! Clash detection: the broad phase, the examination of each candidate pair, issues.

use crate::candidates::candidates;
use crate::clashes::{Clash, Clashes, PairFailure};
use crate::instance_set::map;
use crate::issues::number_issues;
use crate::pair_rules::PairRules;
use crate::{InstanceId, InstanceSet, Interference, PairError, Rules, examine};

/// Detects clashes by rules.
///
/// With the feature `parallel` the threads of rayon's current pool work on it. The result is the same for any number of
/// threads.
#[derive(Clone, Debug, Default)]
pub struct ClashDetector {
    rules: Rules,
    depth: bool,
    volume: bool,
}

impl ClashDetector {
    /// A detector with these rules.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self { rules, depth: false, volume: false }
    }

    /// Sets whether the penetration depth of each clash is bounded.
    #[must_use]
    pub fn depth(mut self, depth: bool) -> Self {
        self.depth = depth;
        self
    }

    /// Sets whether the volume in common of each clash whose interiors meet is bounded, to 1e-9 of it
    /// ([`overlap_volume`](xcollide_narrow::overlap_volume)).
    #[must_use]
    pub fn volume(mut self, volume: bool) -> Self {
        self.volume = volume;
        self
    }

    /// All clashes of a set, ordered by ids.
    ///
    /// Takes O(n log n) for n instances, and a test for each of the pairs whose boxes overlap.
    #[must_use]
    pub fn detect(&self, set: &InstanceSet) -> Clashes {
        let rules = PairRules::new(&self.rules, set);
        let candidates = candidates(set, &rules);
        let examined = map(&candidates, |&[a, b]| self.examine(set, &rules, [a, b]));
        let mut found = Clashes { candidates: candidates.len(), ..Clashes::default() };
        for (pair, result) in candidates.into_iter().zip(examined) {
            match result {
                Ok(None) => {}
                Ok(Some(interference)) => found.clashes.push(Clash::new(pair, interference)),
                Err(error) => found.failures.push(PairFailure { pair, error }),
            }
        }
        found.issues = number_issues(&mut found.clashes, set, self.rules.merge);
        if self.volume {
            found.measure_volumes(set);
        }
        found
    }

    fn examine(
        &self,
        set: &InstanceSet,
        rules: &PairRules,
        [a, b]: [InstanceId; 2],
    ) -> Result<Option<Interference>, PairError> {
        let Some(rule) = rules.rule(a.index() as u32, b.index() as u32) else { return Ok(None) };
        let placed = |id| set.placed(id).map_err(|error| PairError::Query(error.into()));
        let (a, b) = (placed(a)?, placed(b)?);
        examine(a, b, rule, self.depth)
    }
}
