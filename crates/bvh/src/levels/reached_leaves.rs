//! The leaves that a simultaneous descent of two hierarchies reaches (Zachmann 1994, figure 3.31).

use std::collections::BTreeMap;

use xcollide_bounds::BoundingVolume;
use xcollide_math::Pose;

use super::sealed::Open;
use super::{LevelVolume, Levels, Opening};

/// A leaf that a descent reached.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachedLeaf<V> {
    /// The leaf.
    pub leaf: LevelVolume<V>,
    /// Whether its volume overlaps that of a leaf of the other tree.
    pub overlaps: bool,
}

/// Descends two hierarchies at two poses together, and returns the leaves of either whose volumes were
/// tested, in the order of their numbers.
///
/// The larger node is opened ([`bulk`](BoundingVolume::bulk)); volumes are tested by
/// [`overlaps`](BoundingVolume::overlaps) in the frame of the first tree. The narrow phases have closer tests
/// and may reach fewer leaves. For coordinates up to 1e100, all triangles that meet in the world, moved by
/// [`Pose::apply`], are in overlapping leaves.
#[must_use]
pub fn reached_leaves<T: Levels>(
    a: (&T, &Pose),
    b: (&T, &Pose),
) -> [Vec<ReachedLeaf<T::Volume>>; 2] {
    let ((a, at_a), (b, at_b)) = (a, b);
    let margin = Pose::relative_margin(at_a, at_b, a.magnitude(), b.magnitude());
    let slack = 2.0 * (a.slack() + b.slack());
    let into_a = T::Volume::prepare(&Pose::relative(at_a, at_b), margin + slack);
    let mut leaves = [BTreeMap::new(), BTreeMap::new()];
    let root = |tree: &T| tree.root().map(|root| Side::of(tree, root, 0));
    let (Some(root_a), Some(root_b)) = (root(a), root(b)) else { return Default::default() };
    let mut waiting = vec![[root_a, root_b]];
    while let Some([of_a, of_b]) = waiting.pop() {
        let overlaps = of_a.node.volume.overlaps(&of_b.node.volume.moved(&into_a));
        let both_leaves = of_a.children.is_empty() && of_b.children.is_empty();
        for (leaves, side) in leaves.iter_mut().zip([&of_a, &of_b]) {
            if side.children.is_empty() {
                let overlapped = leaves
                    .entry(side.node.id)
                    .or_insert_with(|| ReachedLeaf { leaf: side.leaf(), overlaps: false });
                overlapped.overlaps |= overlaps && both_leaves;
            }
        }
        if !overlaps || both_leaves {
            continue;
        }
        let bulk = |side: &Side<T::Volume>| side.node.volume.bulk();
        let opens_b =
            of_a.children.is_empty() || !of_b.children.is_empty() && bulk(&of_b) > bulk(&of_a);
        let (tree, opened) = if opens_b { (b, &of_b) } else { (a, &of_a) };
        for child in opened.children.iter().rev() {
            let child = Side::of(tree, child.clone(), opened.level + 1);
            waiting.push(if opens_b { [of_a.clone(), child] } else { [child, of_b.clone()] });
        }
    }
    leaves.map(|leaves| leaves.into_values().collect())
}

/// A visited node and its content.
#[derive(Clone, Debug)]
struct Side<V> {
    node: Opening<V>,
    level: usize,
    children: Vec<Opening<V>>,
    /// Of a leaf.
    primitives: Vec<u32>,
}

impl<V: BoundingVolume> Side<V> {
    fn of<T: Open<Volume = V>>(tree: &T, node: Opening<V>, level: usize) -> Self {
        let (mut children, mut primitives) = (Vec::new(), Vec::new());
        tree.open(&node, &mut children, &mut primitives);
        primitives.sort_unstable();
        Self { node, level, children, primitives }
    }

    fn leaf(&self) -> LevelVolume<V> {
        LevelVolume {
            volume: self.node.volume.clone(),
            level: self.level,
            is_leaf: true,
            primitives: self.primitives.clone(),
        }
    }
}
