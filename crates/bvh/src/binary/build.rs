//! Builds binary hierarchies top down (slides, "The Construction of BV Hierarchies").

mod principal;
mod split_rules;

use std::num::NonZeroU32;

use xcollide_bounds::{Aabb, BoundingVolume};

use crate::BuildError;
use crate::binary::{Bvh, Node};
use crate::build_error::check;
use crate::fork_join::join;

pub use split_rules::Split;

/// How to build a [`Bvh`]: the split rule, the leaf size, the fit of volumes.
///
/// The result is the same, bit for bit, on every platform and with any number of threads.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_bvh::binary::{Builder, Bvh, Split};
///
/// // A strip of 100 triangles that get sparser and sparser.
/// let strip: Vec<_> = (0..100)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i * i) + k, k % 2.0, 0.0]))
///     .collect();
/// let median: Bvh<Aabb> = Builder::new(Split::Median).leaf_size(4).build(&strip)?;
/// let surface: Bvh<Aabb> = Builder::default().build(&strip)?;
/// assert!(median.bytes() < surface.bytes());
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Builder {
    split: Split,
    leaf_size: NonZeroU32,
    fit: Fit,
    /// Always false without the feature `parallel`. Not stored: the reading program chooses.
    #[cfg_attr(feature = "serde", serde(skip))]
    parallel: bool,
}

/// How the volume of an inner node is computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Fit {
    /// From all corners below the node: as small as possible, in O(n · depth).
    #[default]
    Tight,
    /// From the volumes of its children, in linear time. The same for axis-aligned boxes and k-DOPs,
    /// larger for other kinds.
    Merged,
}

impl Default for Builder {
    /// The surface area heuristic down to single primitives, fitted tightly.
    fn default() -> Self {
        Self::new(Split::default())
    }
}

impl Builder {
    /// A builder that splits in the given way, down to single primitives, fitted tightly.
    #[must_use]
    pub const fn new(split: Split) -> Self {
        Self { split, leaf_size: NonZeroU32::MIN, fit: Fit::Tight, parallel: false }
    }

    /// The most primitives of a leaf; 0 counts as 1.
    #[must_use]
    pub const fn leaf_size(mut self, primitives: u32) -> Self {
        self.leaf_size = match NonZeroU32::new(primitives) {
            Some(primitives) => primitives,
            None => NonZeroU32::MIN,
        };
        self
    }

    /// How volumes of inner nodes are computed.
    #[must_use]
    pub const fn fit(mut self, fit: Fit) -> Self {
        self.fit = fit;
        self
    }

    /// Whether to build with the threads of the current rayon pool. The tree is the same.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub const fn parallel(mut self, parallel: bool) -> Self {
        self.parallel = parallel;
        self
    }

    /// Builds the tree over points (`K` = 1), segments (2) or triangles (3). They may be degenerate.
    ///
    /// Takes O(n · depth), with rules that sort O(n log n · depth). The depth is logarithmic unless the
    /// primitives are spaced geometrically, and never above [`Bvh::MAX_DEPTH`].
    ///
    /// # Errors
    /// Coordinates that are not finite; 2³¹ primitives or more.
    pub fn build<V: BoundingVolume, const K: usize>(
        &self,
        primitives: &[[[f64; 3]; K]],
    ) -> Result<Bvh<V>, BuildError> {
        // There are up to twice as many nodes as primitives, with 32-bit numbers.
        const LIMIT: usize = i32::MAX as usize;
        if primitives.len() > LIMIT {
            return Err(BuildError::TooMany { found: primitives.len(), limit: LIMIT });
        }
        let reach = check(primitives)?;
        let work = Work::new(self, primitives);
        let mut order: Vec<u32> = (0..primitives.len() as u32).collect();
        let mut links = Vec::new();
        if !order.is_empty() {
            links.reserve(2 * order.len().div_ceil(self.leaf_size.get() as usize));
            work.subtree(&mut order, 0, 1, &mut links);
        }
        Ok(Bvh { nodes: work.nodes(&order, &links), order, reach })
    }
}

/// A [`Node`] without its volume.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) link: u32,
    pub(crate) count: u32,
}

/// The input of every step of a build.
pub(super) struct Work<'a, const K: usize> {
    builder: &'a Builder,
    primitives: &'a [[[f64; 3]; K]],
    /// Means of the corners.
    centers: Vec<[f64; 3]>,
}

/// From this depth on nodes are halved by number instead of by the rule, so that at most 32 more nodes
/// follow on a path.
const RULE_DEPTH: usize = 64;

const _: () = assert!(RULE_DEPTH + 33 < Bvh::<Aabb>::MAX_DEPTH);

/// Smaller subtrees are not worth a task of their own.
const TASK: usize = 2048;

impl<'a, const K: usize> Work<'a, K> {
    pub(super) fn new(builder: &'a Builder, primitives: &'a [[[f64; 3]; K]]) -> Self {
        Self { builder, primitives, centers: centers(primitives) }
    }

    /// The nodes with their volumes; `order` is the whole one.
    pub(super) fn nodes<V: BoundingVolume>(&self, order: &[u32], links: &[Link]) -> Vec<Node<V>> {
        let Builder { fit, parallel, .. } = *self.builder;
        let mut nodes = nodes(self.primitives, order, links, fit, parallel);
        let costs = costs(&nodes);
        for (node, cost) in nodes.iter_mut().zip(costs) {
            node.built = cost;
        }
        nodes
    }

    /// Appends the subtree over `order`, which begins at place `first` of the whole order; its nodes are numbered from 0.
    pub(super) fn subtree(
        &self,
        order: &mut [u32],
        first: u32,
        depth: usize,
        nodes: &mut Vec<Link>,
    ) {
        if order.len() <= self.builder.leaf_size.get() as usize {
            nodes.push(Link { link: first, count: order.len() as u32 });
            return;
        }
        let index = nodes.len();
        nodes.push(Link { link: 0, count: 0 });
        let cut = self.split(order, depth);
        let (left, right) = order.split_at_mut(cut);
        let first_right = first + cut as u32;
        if self.builder.parallel && left.len() + right.len() >= TASK {
            let grow = |order: &mut [u32], first| {
                let mut nodes = Vec::new();
                self.subtree(order, first, depth + 1, &mut nodes);
                nodes
            };
            let (left, right) = join(true, || grow(left, first), || grow(right, first_right));
            append(left, nodes);
            nodes[index].link = nodes.len() as u32;
            append(right, nodes);
            return;
        }
        self.subtree(left, first, depth + 1, nodes);
        nodes[index].link = nodes.len() as u32;
        self.subtree(right, first_right, depth + 1, nodes);
    }

    /// Reorders so that the left child's primitives come first; returns their number, at least 1 and less
    /// than all.
    fn split(&self, order: &mut [u32], depth: usize) -> usize {
        let cut = if depth < RULE_DEPTH {
            self.builder.split.apply(self.primitives, &self.centers, order)
        } else {
            None
        };
        // If the rule finds no difference, as between copies of one primitive, halves do.
        cut.filter(|&cut| 0 < cut && cut < order.len()).unwrap_or(order.len() / 2)
    }
}

/// Appends a subtree that was numbered from 0.
fn append(subtree: Vec<Link>, nodes: &mut Vec<Link>) {
    let offset = nodes.len() as u32;
    nodes.extend(subtree.into_iter().map(|mut node| {
        if node.count == 0 {
            node.link += offset;
        }
        node
    }));
}

/// The [cost](Bvh::cost) of what is below each node, itself included.
pub(super) fn costs<V>(nodes: &[Node<V>]) -> Vec<f32> {
    let mut sums = vec![0.0; nodes.len()];
    for (index, node) in nodes.iter().enumerate().rev() {
        let square = f64::from(node.size) * f64::from(node.size);
        sums[index] = match node.count {
            0 => square + sums[index + 1] + sums[node.link as usize],
            _ => square,
        };
    }
    let relative = |(node, sum): (&Node<V>, f64)| {
        let square = f64::from(node.size) * f64::from(node.size);
        if square > 0.0 { (sum / square) as f32 } else { 0.0 }
    };
    nodes.iter().zip(sums).map(relative).collect()
}

/// Adds the volumes to the links, for building and for refitting.
pub(crate) fn nodes<V: BoundingVolume, const K: usize>(
    primitives: &[[[f64; 3]; K]],
    order: &[u32],
    links: &[Link],
    fit: Fit,
    parallel: bool,
) -> Vec<Node<V>> {
    let volumes = match fit {
        Fit::Tight => fitted_volumes(primitives, order, links, parallel),
        Fit::Merged => from_below(primitives, order, links, volume_of::<V, K>, V::merged),
    };
    let boxes = from_below(primitives, order, links, Aabb::fit, Aabb::merged);
    links
        .iter()
        .zip(volumes)
        .zip(boxes)
        .map(|((&Link { link, count }, volume), bounds)| {
            let [x, y, z] = bounds.size();
            let size = (x * x + y * y + z * z).sqrt() as f32;
            Node { volume, size, link, count, built: 0.0 }
        })
        .collect()
}

/// Each node's volume from all corners below it.
fn fitted_volumes<V: BoundingVolume, const K: usize>(
    primitives: &[[[f64; 3]; K]],
    order: &[u32],
    links: &[Link],
    parallel: bool,
) -> Vec<V> {
    let below = below(links);
    let fitted = |corners: &mut Vec<[f64; 3]>, &(start, end): &(u32, u32)| {
        corners_of(primitives, &order[start as usize..end as usize], corners);
        volume_of::<V, K>(corners)
    };
    #[cfg(feature = "parallel")]
    if parallel {
        use rayon::prelude::*;
        return below.par_iter().map_init(Vec::new, fitted).collect();
    }
    let _ = parallel;
    let mut corners = Vec::new();
    below.iter().map(|range| fitted(&mut corners, range)).collect()
}

/// The volume of primitives, given by their consecutive corners.
fn volume_of<V: BoundingVolume, const K: usize>(corners: &[[f64; 3]]) -> V {
    if K == 3 { V::fit_triangles(corners.as_chunks::<3>().0) } else { V::fit(corners) }
}

/// A value for each node, computed bottom up: for a leaf from its corners, for an inner node from the
/// values of its children.
fn from_below<T, const K: usize>(
    primitives: &[[[f64; 3]; K]],
    order: &[u32],
    links: &[Link],
    of_leaf: impl Fn(&[[f64; 3]]) -> T,
    of_inner: impl Fn(&T, &T) -> T,
) -> Vec<T> {
    let mut corners = Vec::new();
    // Until the end, the value of node i is at n − 1 − i.
    let mut backwards: Vec<T> = Vec::with_capacity(links.len());
    for (index, &Link { link, count }) in links.iter().enumerate().rev() {
        let link = link as usize;
        backwards.push(if count > 0 {
            corners_of(primitives, &order[link..link + count as usize], &mut corners);
            of_leaf(&corners)
        } else {
            let [left, right] = [index + 1, link].map(|child| &backwards[links.len() - 1 - child]);
            of_inner(left, right)
        });
    }
    backwards.reverse();
    backwards
}

/// The part of the order that belongs to each node.
pub(super) fn below(links: &[Link]) -> Vec<(u32, u32)> {
    let mut below = vec![(0, 0); links.len()];
    for (index, &Link { link, count }) in links.iter().enumerate().rev() {
        below[index] = if count > 0 {
            (link, link + count)
        } else {
            (below[index + 1].0, below[link as usize].1)
        };
    }
    below
}

/// The corners of primitives, one after the other.
fn corners_of<const K: usize>(
    primitives: &[[[f64; 3]; K]],
    numbers: &[u32],
    corners: &mut Vec<[f64; 3]>,
) {
    corners.clear();
    corners.extend(numbers.iter().flat_map(|&number| primitives[number as usize]));
}

/// The mean of each primitive's corners (Daneu 3.2). Divided before adding, so that nothing overflows.
fn centers<const K: usize>(primitives: &[[[f64; 3]; K]]) -> Vec<[f64; 3]> {
    let share = 1.0 / K.max(1) as f64;
    primitives
        .iter()
        .map(|corners| {
            [0, 1, 2].map(|axis| corners.iter().map(|corner| corner[axis] * share).sum::<f64>())
        })
        .collect()
}
