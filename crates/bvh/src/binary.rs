//! The binary hierarchy of bounding volumes (slides, "The Bounding Volume Hierarchy").
//!
//! ```text
//!              0                 nodes:  0 | 1 | 2 | 3 | 4        in preorder: the left child
//!            /   \                       ·   ·   ▪   ▪   ▪        follows its parent, the right
//!           1     4                                               one stands at `link`
//!          / \    {2, 6, 1}      order:  5 0 | 3 4 | 2 6 1        leaves own consecutive parts
//!    {5, 0} {3, 4}                                                of one permutation
//! ```
//!
//! Two flat arrays with 32-bit numbers. In preorder the left child is in the next cache line, refits meet
//! children before parents by going backwards, and subtrees built by several threads are concatenated.
//!
//! # Why no colliding pair is lost
//!
//! The exact test reads triangles over *rounded world positions*; the trees have local positions, and the
//! relative motion of the frames is itself rounded. The traversal may report pairs that do not collide,
//! but must not lose one that does.
//!
//! *Claim.* If the triangle of a over the points `fl(A(p₁)), fl(A(p₂)), fl(A(p₃))` and that of b over
//! `fl(B(q₁)), …` have a common point w, a visitor that opens all overlapping pairs reaches the pair. (A and
//! B: the motions into the world; s and t: their translations; P and Q: the [reach](Bvh::reach) of the
//! trees; `fl`: as computed by [`Pose::apply`].)
//!
//! *Proof.* w is a convex combination Σ λᵢ fl(A(pᵢ)), and also Σ μⱼ fl(B(qⱼ)). Let p̄ = Σ λᵢ pᵢ and
//! q̄ = Σ μⱼ qⱼ, real points.
//! 1. Each `fl(A(pᵢ))` is off by a vector eᵢ, so w = A(p̄) + e with e in the hull of the eᵢ, and
//!    |e|∞ ≤ 4.1u · (√3 · P + |s|): three products and three sums, u = 2⁻⁵³. For b the same, with f. Hence
//!    p̄ = A⁻¹(B(q̄) + f − e), and |A⁻¹(f − e)| ≤ √3 (|e|∞ + |f|∞), as A is a rotation within 1e-5. That is
//!    7.2u · (|s| + |t|) + 12.5u · (P + Q).
//! 2. The computed relative motion M differs from A⁻¹B: an entry of the inverse by cofactors is off by less
//!    than 10u, so one of the product by less than 21u, which moves q̄ by less than
//!    √3 · 3 · 21u · Q < 110u · Q; its translation is off by less than √3 · 37u · |t − s| < 65u · |t − s|.
//! 3. So |p̄ − M(q̄)| ≤ 7.2u · (|s| + |t|) + 123u · (P + Q) + 65u · |t − s|, less than half of the
//!    [margin](Pose::relative_margin) by which volumes of b are enlarged; its last term covers underflow of
//!    products, each off by at most 2⁻¹⁰⁷⁵.
//! 4. All volumes above the leaf of a's triangle contain the corners pᵢ and are convex, so they contain p̄.
//!    Likewise all volumes above the leaf of b's triangle contain q̄; moved, they contain everything within
//!    the margin of M(q̄), so p̄ too ([`BoundingVolume`] promises both). They have p̄ in common, and `overlaps`
//!    errs on the safe side. So all pairs of nodes above the two leaves are opened. ∎
//!
//! The margin grows with the distance from the origin, as the rounding of world positions does. The proof
//! does not depend on the descent rule or the builder. Volumes promise nothing for coordinates beyond 1e100;
//! there the traversal ignores them and reports all pairs.
//!
//! For distances: if `fl(A(p))` and `fl(B(q))`, or points between, are d apart, the local points are at most
//! (1 + 1e-5) d + margin apart; the factor is for matrices that are rotations only nearly.
//! [`PairTraversal::nearest`] and [`PairTraversal::within`] prune beyond that only.

mod build;
mod levels;
mod partial_rebuild;
mod segment_query;
mod traverse;

use std::ops::{ControlFlow, Range};

use xcollide_bounds::BoundingVolume;
#[cfg(doc)]
use xcollide_math::Pose;

use crate::BuildError;
use crate::binary::build::{Link, nodes};
use crate::build_error::check;

pub use build::{Builder, Fit, Split};
pub use traverse::{
    AabbTest, AabbTraversal, Nearest, OverlapVisitor, PairTraversal, Step, Visitor,
};

/// The number of a node of one [`Bvh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// Its place in [`Bvh::nodes`], for data kept beside the tree.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The content of a node of a [`Bvh`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// The numbers of the primitives in a leaf; never empty.
    Leaf(&'a [u32]),
    /// The two children.
    Inner([NodeId; 2]),
}

/// A binary tree of bounding volumes over primitives: points, segments or triangles.
///
/// The tree stores the numbers of primitives in the slice that it was [built](Builder::build) from. Each
/// primitive is in exactly one leaf, and the volume of every node contains all primitives below it.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bounds::{Aabb, BoundingVolume};
/// use xcollide_bvh::binary::{Builder, Bvh};
///
/// let segments = [[[0.0; 3], [1.0, 0.0, 0.0]], [[5.0, 0.0, 0.0], [6.0, 1.0, 0.0]]];
/// let tree: Bvh<Aabb> = Builder::default().build(&segments)?;
/// let whole = tree.root().map(|root| tree.volume(root));
/// assert_eq!(whole, Some(&Aabb::new([0.0; 3], [6.0, 1.0, 0.0])));
///
/// let mut near = Vec::new();
/// let _ = tree.search(|volume| volume.contains([5.5, 0.5, 0.0]), |primitive| {
///     near.push(primitive);
///     ControlFlow::Continue(())
/// });
/// assert_eq!(near, [1]);
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Bvh<V> {
    pub(crate) nodes: Vec<Node<V>>,
    /// The primitives in the order of the leaves.
    pub(crate) order: Vec<u32>,
    /// The largest magnitude of a coordinate.
    pub(crate) reach: f64,
}

/// A node as stored.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Node<V> {
    pub(crate) volume: V,
    /// Diagonal of the box around the primitives below; the larger of two nodes is opened. It affects only
    /// speed. Measures of the volume itself can be expensive (k-DOPs) or 0 (flat volumes).
    pub(crate) size: f32,
    /// In a leaf the place of the first primitive in `order`, else the right child.
    pub(crate) link: u32,
    /// Primitives of a leaf; 0 marks an inner node.
    pub(crate) count: u32,
    /// The cost of what is below, when it was built.
    pub(crate) built: f32,
}

/// The longest path from the root, in nodes.
const MAX_DEPTH: usize = 128;

impl<V: BoundingVolume> Bvh<V> {
    /// No path from the root has more nodes than this, whatever the primitives.
    pub const MAX_DEPTH: usize = MAX_DEPTH;

    /// The root; `None` in a tree without primitives.
    #[must_use]
    pub fn root(&self) -> Option<NodeId> {
        (!self.nodes.is_empty()).then_some(NodeId(0))
    }

    /// The volume of a node of this tree.
    #[must_use]
    pub fn volume(&self, node: NodeId) -> &V {
        &self.nodes[node.0 as usize].volume
    }

    /// Children or primitives of a node of this tree.
    #[must_use]
    pub fn content(&self, node: NodeId) -> Content<'_> {
        let stored = &self.nodes[node.0 as usize];
        match stored.primitives() {
            Some(range) => Content::Leaf(&self.order[range]),
            None => Content::Inner([NodeId(node.0 + 1), NodeId(stored.link)]),
        }
    }

    /// All nodes in preorder: parents before children, left before right.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<V> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    /// All primitives in the order of the leaves, in which neighbours in space are mostly neighbours.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// All primitives below a node of this tree, a part of [`order`](Self::order). O(depth).
    #[must_use]
    pub fn below(&self, node: NodeId) -> &[u32] {
        let (mut first, mut last) = (node.0, node.0);
        while self.nodes[first as usize].count == 0 {
            first += 1;
        }
        while self.nodes[last as usize].count == 0 {
            last = self.nodes[last as usize].link;
        }
        let (first, last) = (&self.nodes[first as usize], &self.nodes[last as usize]);
        &self.order[first.link as usize..(last.link + last.count) as usize]
    }

    /// The largest magnitude of a coordinate of the primitives.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// How many nodes a query meets that is as likely to meet a node as its box is large, relative to the root: the sum of the
    /// squared diagonals of the boxes around what is below the nodes, relative to that of the root. It grows as
    /// [refits](Self::refit) of a structure that no longer suits the primitives do. Linear time.
    #[must_use]
    pub fn cost(&self) -> f64 {
        build::costs(&self.nodes).first().map_or(0.0, |cost| f64::from(*cost))
    }

    /// Memory of nodes and numbers of primitives, in bytes. Spare capacity is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.nodes.len() * size_of::<Node<V>>()
            + self.order.len() * size_of::<u32>()
    }

    /// Queries one tree: descends into nodes whose volume `opens` accepts, and calls `found` with the
    /// primitives of the leaves reached, until it breaks.
    pub fn search(
        &self,
        mut opens: impl FnMut(&V) -> bool,
        mut found: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut stack = [0_u32; MAX_DEPTH];
        let mut waiting = usize::from(!self.nodes.is_empty());
        while waiting > 0 {
            waiting -= 1;
            let mut index = stack[waiting];
            // Down the left side; right children go on the stack.
            loop {
                let node = &self.nodes[index as usize];
                if !opens(&node.volume) {
                    break;
                }
                if let Some(range) = node.primitives() {
                    for &primitive in &self.order[range] {
                        found(primitive)?;
                    }
                    break;
                }
                stack[waiting] = node.link;
                waiting += 1;
                index += 1;
            }
        }
        ControlFlow::Continue(())
    }

    /// Fits the volumes to moved primitives and keeps the structure. Returns the number of computed
    /// volumes (`N_U` of the slides' cost model).
    ///
    /// [`Fit::Merged`] takes linear time, [`Fit::Tight`] O(n · depth). With the fit of the builder and
    /// unmoved primitives nothing changes. Answers stay exact.
    ///
    /// # Errors
    /// Another number of primitives, or non-finite coordinates. The tree is then unchanged.
    pub fn refit<const K: usize>(
        &mut self,
        primitives: &[[[f64; 3]; K]],
        fit: Fit,
    ) -> Result<usize, BuildError> {
        self.reach = self.check_moved(primitives)?;
        let links: Vec<Link> = self.nodes.iter().map(Node::link).collect();
        let mut nodes = nodes(primitives, &self.order, &links, fit, false);
        for (node, before) in nodes.iter_mut().zip(&self.nodes) {
            node.built = before.built;
        }
        self.nodes = nodes;
        Ok(self.nodes.len())
    }

    /// The largest magnitude of a coordinate, if these can be the primitives after they have moved.
    fn check_moved<const K: usize>(&self, primitives: &[[[f64; 3]; K]]) -> Result<f64, BuildError> {
        if primitives.len() != self.order.len() {
            return Err(BuildError::Count { found: primitives.len(), expected: self.order.len() });
        }
        check(primitives)
    }
}

impl<V> Node<V> {
    fn link(&self) -> Link {
        Link { link: self.link, count: self.count }
    }

    /// The part of `order` that belongs to a leaf.
    #[inline]
    pub(crate) fn primitives(&self) -> Option<Range<usize>> {
        let first = self.link as usize;
        (self.count > 0).then(|| first..first + self.count as usize)
    }
}

/// Deserialising checks everything that traversals rely on, except that volumes contain the primitives.
#[cfg(feature = "serde")]
mod stored {
    use serde::{Deserialize, Deserializer, de::Error};
    use xcollide_bounds::BoundingVolume;

    use super::{Bvh, Node};

    #[derive(Deserialize)]
    #[serde(rename = "Bvh")]
    struct Stored<V> {
        nodes: Vec<Node<V>>,
        order: Vec<u32>,
        reach: f64,
    }

    impl<'de, V: BoundingVolume + Deserialize<'de>> Deserialize<'de> for Bvh<V> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let Stored { nodes, order, reach } = Stored::deserialize(deserializer)?;
            let tree = Self { nodes, order, reach };
            tree.check().map_err(D::Error::custom)?;
            Ok(tree)
        }
    }

    impl<V: BoundingVolume> Bvh<V> {
        fn check(&self) -> Result<(), &'static str> {
            if !(self.reach.is_finite() && self.reach >= 0.0) {
                return Err("the reach is no magnitude");
            }
            let mut seen = vec![false; self.order.len()];
            for &primitive in &self.order {
                match seen.get_mut(primitive as usize) {
                    Some(seen) if !*seen => *seen = true,
                    _ => return Err("the order of the primitives is no permutation"),
                }
            }
            // A preorder walk with a stack of right children must visit the nodes in sequence, and the
            // primitives too.
            let mut waiting = Vec::new();
            let mut primitives = 0;
            for (index, node) in self.nodes.iter().enumerate() {
                match node.count {
                    0 => {
                        waiting.push(node.link as usize);
                        if waiting.len() >= Self::MAX_DEPTH {
                            return Err("the tree is too deep");
                        }
                    }
                    _ => {
                        let count = node.count as usize;
                        if node.link as usize != primitives || count > self.order.len() - primitives
                        {
                            return Err("the leaves are not in order");
                        }
                        primitives += count;
                        let next = index + 1;
                        let whole = next == self.nodes.len();
                        if waiting.pop().map_or(!whole, |right| whole || right != next) {
                            return Err("the nodes are not in preorder");
                        }
                    }
                }
            }
            if !waiting.is_empty() || primitives != self.order.len() {
                return Err("the tree is not complete");
            }
            // The number of nodes on the longest path down from each node, itself included.
            let mut heights = vec![1_usize; self.nodes.len()];
            for (index, node) in self.nodes.iter().enumerate().rev() {
                if node.count == 0 {
                    heights[index] += heights[index + 1].max(heights[node.link as usize]);
                }
            }
            if heights.first().is_some_and(|&height| height > Self::MAX_DEPTH) {
                return Err("the tree is too deep");
            }
            Ok(())
        }
    }
}
