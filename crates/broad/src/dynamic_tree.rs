//! A dynamic AABB tree: fat boxes, kept between frames.
//!
//! A box keeps a leaf with a margin until it leaves it. A leaf is inserted where it enlarges the tree least, and
//! ancestors are rotated if that makes them smaller (as in Bullet's `btDbvt` and `Box2D`; costs as in Goldsmith
//! and Salmon 1987). Pairs of overlapping leaves are kept too: only changed leaves search again. Static boxes
//! have a tree of their own, without margin.

mod tree;

pub(crate) use tree::Tree;

use xcollide_bounds::Aabb;

use crate::index_set::IndexSet;
use crate::sides::{holds, longest_side};
use crate::stats::{held, shrink};
use crate::{Mobility, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies, Stats};

/// The usual broad phase of physics engines. O(c + m log n) for c pairs of fat boxes and m of n boxes that left
/// theirs.
///
/// Pays if few of many boxes move; resting boxes cost nothing, and sizes do not matter. If all boxes move,
/// [`HashGrid`](crate::HashGrid) and [`WideTree`](crate::WideTree) are faster. [`Stats::moves`] counts new
/// leaves.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{BroadPhase, DynamicTree, Everything, Pairs, ProxyIds};
///
/// let mut ids = ProxyIds::new();
/// let mut broad = DynamicTree::with_margin(0.2);
/// let (a, b) = (ids.issue(), ids.issue());
/// let cube = |x: f64| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
/// broad.insert(a, &cube(0.0).into())?;
/// broad.insert(b, &cube(1.5).into())?;
/// let mut pairs = Pairs::new();
/// let mut new_leaves = Vec::new();
/// for x in [1.4, 1.3, 1.2, 1.1, 1.0] {
///     broad.update(b, &cube(x).into())?;
///     broad.pairs(&Everything, &mut pairs);
///     new_leaves.push(broad.stats().moves);
/// }
/// assert_eq!(pairs.appeared.len(), 1);
/// assert_eq!(new_leaves, [2, 0, 0, 1, 0]);
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type DynamicTree = PairManager<DynamicTreeFinder>;

impl DynamicTree {
    /// An empty tree with the same margin for every moving box: about as far as boxes move in a few frames. The
    /// default is a fifth of each box's longest side.
    #[must_use]
    pub fn with_margin(margin: f64) -> Self {
        Self::over(DynamicTreeFinder {
            margin: Some(margin.max(0.0)),
            ..DynamicTreeFinder::default()
        })
    }
}

/// The algorithm of [`DynamicTree`].
#[derive(Debug, Default)]
pub struct DynamicTreeFinder {
    /// If not given, a share of the box's size.
    margin: Option<f64>,
    moving: Tree,
    still: Tree,
    /// Boxes that need a new leaf, or none any more.
    changed: IndexSet,
    /// The pairs of leaves that overlap.
    pairs: Vec<(u32, u32)>,
    stack: Vec<u32>,
    moves: u64,
}

/// The margin as a share of the longest side of a box.
pub(crate) const SHARE: f64 = 0.2;
/// A leaf must not exceed its box by more than this many margins on any side.
const LOOSE: f64 = 4.0;

impl DynamicTreeFinder {
    fn margin(&self, aabb: &Aabb, mobility: Mobility) -> f64 {
        if mobility == Mobility::Static {
            return 0.0;
        }
        let margin = self.margin.unwrap_or_else(|| SHARE * longest_side(aabb));
        if margin.is_finite() { margin } else { 0.0 }
    }

    /// Whether a box can keep its leaf.
    fn has_leaf(&self, proxies: &Proxies, index: u32) -> bool {
        let aabb = &proxies.boxes()[index as usize];
        let mobility = proxies.mobility(index);
        let (tree, other) = match mobility {
            Mobility::Moving => (&self.moving, &self.still),
            Mobility::Static => (&self.still, &self.moving),
        };
        match tree.get(index) {
            None => aabb.is_empty() && other.get(index).is_none(),
            Some(leaf) => {
                let most = aabb.expanded(LOOSE * self.margin(aabb, mobility));
                !aabb.is_empty() && holds(leaf, aabb) && holds(&most, leaf)
            }
        }
    }

    fn put(&mut self, proxies: &Proxies, index: u32) {
        self.moving.remove(index);
        self.still.remove(index);
        let aabb = &proxies.boxes()[index as usize];
        if aabb.is_empty() {
            return;
        }
        let mobility = proxies.mobility(index);
        let leaf = aabb.expanded(self.margin(aabb, mobility));
        match mobility {
            Mobility::Moving => self.moving.insert(index, &leaf),
            Mobility::Static => self.still.insert(index, &leaf),
        }
        self.moves += 1;
    }

    /// Replaces the pairs of the changed leaves.
    fn search_changed(&mut self, changed: &IndexSet) {
        let Self { moving, still, pairs, stack, .. } = self;
        pairs.retain(|&(a, b)| !changed.contains(a) && !changed.contains(b));
        for &index in changed.as_slice() {
            let Some(leaf) = moving.get(index).or_else(|| still.get(index)) else { continue };
            for tree in [&*moving, still] {
                tree.each_overlap(leaf, stack, |other| {
                    // If both leaves have changed, the later one finds the pair.
                    if other < index || other > index && !changed.contains(other) {
                        pairs.push((other, index));
                    }
                });
            }
        }
        shrink(pairs);
    }
}

impl PairFinder for DynamicTreeFinder {
    fn name(&self) -> &'static str {
        "dynamic-tree"
    }

    fn inserted(&mut self, _: &Proxies, index: u32) {
        self.changed.insert(index);
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, _: &PreviousBounds) {
        if !self.has_leaf(proxies, index) {
            self.changed.insert(index);
        }
    }

    fn removed(&mut self, _: &Proxies, index: u32, _: &PreviousBounds) {
        self.changed.insert(index);
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.moves = 0;
        let mut changed = std::mem::take(&mut self.changed);
        if !changed.as_slice().is_empty() {
            for &index in changed.as_slice() {
                self.put(proxies, index);
            }
            self.search_changed(&changed);
            changed.clear();
        }
        self.changed = changed;
        for &(a, b) in &self.pairs {
            collector.test(a, b);
        }
    }

    fn bytes(&self) -> usize {
        self.moving.bytes()
            + self.still.bytes()
            + self.changed.bytes()
            + held(&self.stack)
            + held(&self.pairs)
    }

    fn stats(&self) -> Stats {
        Stats { moves: self.moves, ..Stats::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bounds, BroadPhase as _, Everything, Pairs, ProxyError, ProxyIds};

    fn cube(x: f64, side: f64) -> Bounds {
        Bounds::new(Aabb::new([x, 0.0, 0.0], [x + side, side, side]))
    }

    #[test]
    fn what_rests_costs_no_moves_and_what_shrinks_gets_a_small_leaf() -> Result<(), ProxyError> {
        let mut ids = ProxyIds::new();
        let mut broad = DynamicTree::new();
        let mut pairs = Pairs::new();
        let all: Vec<_> = (0..50).map(|_| ids.issue()).collect();
        for (k, id) in (0_i32..).zip(&all) {
            let mobility = if k % 2 == 0 { Mobility::Static } else { Mobility::Moving };
            broad.insert(*id, &cube(3.0 * f64::from(k), 1.0).mobility(mobility))?;
        }
        broad.pairs(&Everything, &mut pairs);
        assert_eq!((broad.stats().moves, broad.stats().tests), (50, 0));
        for (k, id) in (0_i32..).zip(&all).filter(|(k, _)| k % 2 == 1) {
            broad.update(*id, &cube(3.0 * f64::from(k) + 0.1, 1.0))?;
        }
        broad.pairs(&Everything, &mut pairs);
        assert_eq!((broad.stats().moves, broad.stats().tests), (0, 0));
        // For one frame a box covers everything.
        broad.update(all[1], &cube(-10.0, 500.0))?;
        broad.pairs(&Everything, &mut pairs);
        assert_eq!((broad.stats().moves, pairs.overlapping.len()), (1, 49));
        broad.update(all[1], &cube(3.0, 1.0))?;
        broad.pairs(&Everything, &mut pairs);
        assert_eq!((broad.stats().moves, broad.stats().tests, pairs.vanished.len()), (1, 0, 49));
        Ok(())
    }
}
