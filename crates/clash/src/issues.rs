//! Merges clashes that are near each other into issues.
//!
//! Two clashes are one issue if their points are at most the merge distance apart, they share an instance, and their groups
//! are the same; and so on from clash to clash (single linkage). A pipe that crosses a grating is one issue, not one for
//! each of its bars.

use std::collections::BTreeMap;

use xcollide_math::vector::{length, sub};

use crate::clashes::{Clash, IssueId, groups};
use crate::{InstanceId, InstanceSet};

/// Numbers the issues in the order of their first clashes. Returns how many there are.
///
/// O(n log n) for n clashes, and a comparison for each two of an instance whose x are within the distance.
pub(crate) fn number_issues(clashes: &mut [Clash], set: &InstanceSet, merge: Option<f64>) -> usize {
    let mut parents: Vec<u32> = (0..clashes.len() as u32).collect();
    if let Some(distance) = merge {
        for of_instance in by_instance(clashes, set).values_mut() {
            let x = |clash: u32| clashes[clash as usize].interference.point[0];
            of_instance.sort_by(|&p, &q| x(p).total_cmp(&x(q)));
            for (place, &first) in of_instance.iter().enumerate() {
                let later = of_instance[place + 1..].iter();
                for &second in later.take_while(|&&second| x(second) - x(first) <= distance) {
                    let point = |clash: u32| clashes[clash as usize].interference.point;
                    if length(sub(point(first), point(second))) <= distance {
                        join(&mut parents, first, second);
                    }
                }
            }
        }
    }
    let mut count = 0;
    for number in 0..clashes.len() {
        let root = root(&mut parents, number as u32) as usize;
        // The root is the first clash of its issue.
        clashes[number].issue = match root == number {
            true => {
                count += 1;
                IssueId(count - 1)
            }
            false => clashes[root].issue,
        };
    }
    count as usize
}

/// The clashes of each instance with each two groups.
fn by_instance<'s>(
    clashes: &[Clash],
    set: &'s InstanceSet,
) -> BTreeMap<(InstanceId, [&'s str; 2]), Vec<u32>> {
    let mut found: BTreeMap<_, Vec<u32>> = BTreeMap::new();
    for (number, clash) in clashes.iter().enumerate() {
        for id in clash.pair {
            found.entry((id, groups(set, clash.pair))).or_default().push(number as u32);
        }
    }
    found
}

/// Joins two sets; the smaller root stays.
fn join(parents: &mut [u32], p: u32, q: u32) {
    let (p, q) = (root(parents, p), root(parents, q));
    parents[p.max(q) as usize] = p.min(q);
}

/// The root of an element, with path halving.
fn root(parents: &mut [u32], mut element: u32) -> u32 {
    while parents[element as usize] != element {
        parents[element as usize] = parents[parents[element as usize] as usize];
        element = parents[element as usize];
    }
    element
}
