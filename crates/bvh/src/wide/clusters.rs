//! The order of nodes in memory.
//!
//! With a cold cache, queries mostly wait for nodes and page tables: a page of 4 KB has eight nodes, and page
//! addresses are loaded eight at a time. So nodes that are visited one after the other are stored together,
//! in the layout of van Emde Boas (Prokop, *Cache-oblivious algorithms*, 1999) with clusters of one size.

use std::collections::VecDeque;

use super::collapse::ChildRanges;
use super::node::ChildRef;

/// Nodes of a cluster: those of a [`WideTree`](super::WideTree) on the eight pages of one cache line of the
/// page table.
const CLUSTER: usize = 64;

/// The same nodes in another order, each still after its parent: the nodes below a node stand together, level
/// by level, until a cluster is full; nodes below those begin new clusters. O(n).
pub(super) fn clustered(nodes: &[ChildRanges]) -> Vec<ChildRanges> {
    let mut placed = Vec::with_capacity(nodes.len());
    placed.extend(nodes.first().copied());
    // Placed nodes whose children are not placed yet: those that new clusters begin below, and those of the
    // current cluster.
    let mut waiting: VecDeque<usize> = (0..placed.len()).collect();
    let mut within = VecDeque::new();
    while let Some(above) = waiting.pop_front() {
        let full = placed.len() + CLUSTER;
        within.push_back(above);
        while let Some(place) = within.pop_front() {
            if placed.len() >= full {
                waiting.push_back(place);
                continue;
            }
            for lane in 0..placed[place].len() {
                let child = placed[place][lane].child;
                if !child.is_leaf() {
                    let next = placed.len();
                    within.push_back(next);
                    placed.push(nodes[child.index()]);
                    placed[place].each_mut()[lane].child = ChildRef::node(next);
                }
            }
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::binary::{WideSplit, of_soup};
    use super::super::collapse::collapse;
    use super::*;

    /// A wavy sheet.
    fn nodes(side: u32) -> Vec<ChildRanges> {
        let point = |x: u32, y: u32| {
            let wave = f64::from((x * x + 3 * y) % 17);
            [f64::from(x), f64::from(y), 0.25 * wave]
        };
        let cells = (0..side).flat_map(|x| (0..side).map(move |y| (x, y)));
        let triangles: Vec<[[f64; 3]; 3]> = cells
            .flat_map(|(x, y)| {
                let [a, b] = [point(x, y), point(x + 1, y)];
                let [c, d] = [point(x, y + 1), point(x + 1, y + 1)];
                [[a, b, c], [b, d, c]]
            })
            .collect();
        collapse(&of_soup(&triangles, WideSplit::SurfaceArea))
    }

    /// Each once, after the one that leads to it, brothers side by side; and all triangles below.
    #[test]
    fn the_hierarchy_is_the_same() {
        let nodes = nodes(80);
        let mut triangles = Vec::new();
        let mut led_to = vec![false; nodes.len()];
        for (place, node) in nodes.iter().enumerate() {
            let inner: Vec<usize> = node
                .iter()
                .filter(|part| !part.child.is_leaf())
                .map(|part| part.child.index())
                .collect();
            for (first, next) in inner.iter().zip(inner.iter().skip(1)) {
                assert_eq!(first + 1, *next);
            }
            for child in inner {
                assert!(child > place && !led_to[child]);
                led_to[child] = true;
            }
            triangles.extend(
                node.iter().filter(|part| part.child.is_leaf()).flat_map(|p| p.child.range()),
            );
        }
        assert!(!led_to[0] && led_to[1..].iter().all(|&led| led));
        triangles.sort_unstable();
        assert!(triangles.into_iter().eq(0..2 * 80 * 80));
    }

    /// Ways of five nodes and more lead through few stretches of eight pages.
    #[test]
    fn ways_down_lead_through_few_places() {
        let nodes = nodes(120);
        // Of each node: how many are on the way to it, and the stretches that they are in.
        let mut ways = vec![(0, BTreeSet::new()); nodes.len()];
        let (mut levels, mut places, mut ends) = (0, 0, 0);
        for (place, node) in nodes.iter().enumerate() {
            ways[place].0 += 1;
            ways[place].1.insert(place / CLUSTER);
            let inner = node.iter().filter(|part| !part.child.is_leaf());
            for part in inner.clone() {
                ways[part.child.index()] = ways[place].clone();
            }
            if inner.count() == 0 {
                levels += ways[place].0;
                places += ways[place].1.len();
                ends += 1;
            }
        }
        assert!(levels >= 5 * ends, "{levels} nodes on the ways to {ends}");
        assert!(places <= 3 * ends, "{places} places on the ways to {ends}");
    }
}
