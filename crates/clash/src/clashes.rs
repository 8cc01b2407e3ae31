//! The result: clashes, issues and failures.

use std::collections::BTreeMap;

use xcollide_narrow::overlap_volume;

use crate::instance_set::map;
use crate::issues::number_issues;
use crate::{InstanceId, InstanceSet, Interference, PairError};

/// Two instances that interfere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Clash {
    /// The instances, the smaller id first.
    pub pair: [InstanceId; 2],
    /// How the first lies to the second.
    pub interference: Interference,
    /// The issue that it is part of.
    pub issue: IssueId,
}

/// The number of an issue: one clash, or several near each other. In the order of their first clashes, from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IssueId(pub(crate) u32);

impl IssueId {
    /// The number, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A pair about which it is not known whether it clashes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairFailure {
    /// The instances, the smaller id first.
    pub pair: [InstanceId; 2],
    /// The reason.
    pub error: PairError,
}

/// What a [`ClashDetector`](crate::ClashDetector) found.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Clashes {
    /// The clashes, ordered by the ids of their instances.
    pub clashes: Vec<Clash>,
    /// The number of issues.
    pub issues: usize,
    /// The number of pairs that were examined.
    pub candidates: usize,
    /// The pairs that could not be examined, in the same order.
    pub failures: Vec<PairFailure>,
}

impl Clash {
    pub(crate) fn new(pair: [InstanceId; 2], interference: Interference) -> Self {
        Self { pair, interference, issue: IssueId::default() }
    }
}

impl Clashes {
    /// Puts together what several processes found: orders it, and numbers the issues.
    ///
    /// `set` has at least the instances of the clashes and failures; `merge` is [`Rules::merge`](crate::Rules::merge). The
    /// result is that of a [`ClashDetector`](crate::ClashDetector) that found the same. O(n log n), and the comparisons of
    /// issues.
    #[must_use]
    pub fn from_parts(
        set: &InstanceSet,
        merge: Option<f64>,
        candidates: usize,
        found: impl IntoIterator<Item = ([InstanceId; 2], Interference)>,
        mut failures: Vec<PairFailure>,
    ) -> Self {
        let found = found.into_iter().map(|(pair, interference)| Clash::new(pair, interference));
        let mut clashes: Vec<Clash> = found.collect();
        clashes.sort_by_key(|clash| clash.pair);
        failures.sort_by_key(|failure| failure.pair);
        let issues = number_issues(&mut clashes, set, merge);
        Self { clashes, issues, candidates, failures }
    }

    /// Adds the volume in common to each clash whose interiors meet, as [`ClashDetector::volume`](crate::ClashDetector::volume)
    /// does. With the feature `parallel` on the threads of rayon's current pool.
    pub fn measure_volumes(&mut self, set: &InstanceSet) {
        let volumes = map(&self.clashes, |clash| {
            let [a, b] = clash.pair.map(|id| set.placed(id));
            match (a, b) {
                (Ok(a), Ok(b)) if clash.interference.interiors_meet() => Some(overlap_volume(a, b)),
                _ => None,
            }
        });
        for (clash, volume) in self.clashes.iter_mut().zip(volumes) {
            clash.interference.volume = volume;
        }
    }

    /// The number of clashes of each two groups, the smaller name first.
    #[must_use]
    pub fn by_groups<'s>(&self, set: &'s InstanceSet) -> BTreeMap<[&'s str; 2], usize> {
        let mut counts = BTreeMap::new();
        for clash in &self.clashes {
            *counts.entry(groups(set, clash.pair)).or_default() += 1;
        }
        counts
    }

    /// The clashes of each issue, in order.
    #[must_use]
    pub fn by_issue(&self) -> Vec<Vec<&Clash>> {
        let mut issues = vec![Vec::new(); self.issues];
        for clash in &self.clashes {
            issues[clash.issue.index()].push(clash);
        }
        issues
    }
}

/// The groups of two instances, the smaller name first.
pub(crate) fn groups(set: &InstanceSet, pair: [InstanceId; 2]) -> [&str; 2] {
    let mut groups = pair.map(|id| set.instance(id).group.as_str());
    groups.sort_unstable();
    groups
}
