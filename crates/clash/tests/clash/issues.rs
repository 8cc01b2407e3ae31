//! Clashes near each other are one issue.

use std::collections::BTreeMap;

use xcollide_clash::{ClashDetector, Clashes, InstanceSet, Rules};
use xcollide_fixtures::Random;

use crate::boxes::{cuboid, cuboid_at};

/// A duct through a grating of bars: one issue; through two gratings far from each other: two.
#[test]
fn a_duct_through_a_grating_is_one_issue() {
    let mut rows = vec![cuboid_at("duct", "ducts", [40, 9, 1], [-20, 0, 0], 0)];
    for (grating, at) in [("front", -10), ("back", 10)] {
        for bar in 0..5 {
            let id = format!("{grating} {bar}");
            rows.push(cuboid_at(&id, "steel", [1, 1, 5], [at, 2 * bar, -2], 0));
        }
    }
    let set = InstanceSet::load(rows, cuboid);
    let found = |rules: Rules| ClashDetector::new(rules).detect(&set);
    assert_eq!((found(Rules::new()).clashes.len(), found(Rules::new()).issues), (10, 10));
    let merged = found(Rules::new().merge(5.0));
    assert_eq!((merged.clashes.len(), merged.issues), (10, 2));
    let sizes: Vec<usize> = merged.by_issue().iter().map(Vec::len).collect();
    assert_eq!(sizes, [5, 5]);
    assert_eq!(merged.by_groups(&set), BTreeMap::from([(["ducts", "steel"], 10)]));
}

/// The oracle joins any two clashes that the definition joins, until nothing changes.
#[test]
fn issues_are_those_of_the_definition() {
    let mut random = Random::new(3);
    let rows = (0..120).map(|number| {
        let group = ["pipes", "steel"][random.below(2)];
        let at = [(); 3].map(|()| random.integer(-6, 6));
        cuboid_at(&format!("{number:03}"), group, [2, 1, 3], at, random.below(4))
    });
    let set = InstanceSet::load(rows.collect(), cuboid);
    for merge in [0.0, 0.5, 1.0, 2.0] {
        let found = ClashDetector::new(Rules::new().merge(merge)).detect(&set);
        let expected = oracle(&set, &found, merge);
        let shown: Vec<usize> = found.clashes.iter().map(|clash| clash.issue.index()).collect();
        assert_eq!(shown, expected, "{merge}");
        assert!(found.issues > 1 && found.issues < found.clashes.len());
    }
}

fn oracle(set: &InstanceSet, found: &Clashes, merge: f64) -> Vec<usize> {
    let clashes = &found.clashes;
    let groups = |number: usize| {
        let mut groups = clashes[number].pair.map(|id| set.instance(id).group.clone());
        groups.sort();
        groups
    };
    let is_one = |p: usize, q: usize| {
        let [r, s] = [p, q].map(|number| clashes[number].interference.point);
        let squared: f64 = (0..3).map(|k| (r[k] - s[k]) * (r[k] - s[k])).sum();
        let shared = clashes[p].pair.iter().any(|id| clashes[q].pair.contains(id));
        shared && groups(p) == groups(q) && squared.sqrt() <= merge
    };
    let mut label: Vec<usize> = (0..clashes.len()).collect();
    loop {
        let before = label.clone();
        for p in 0..label.len() {
            for q in 0..label.len() {
                if label[p] != label[q] && is_one(p, q) {
                    let (keep, drop) = (label[p].min(label[q]), label[p].max(label[q]));
                    label.iter_mut().filter(|one| **one == drop).for_each(|one| *one = keep);
                }
            }
        }
        if label == before {
            break;
        }
    }
    let mut roots = label.clone();
    roots.sort_unstable();
    roots.dedup();
    label.iter().filter_map(|one| roots.binary_search(one).ok()).collect()
}
