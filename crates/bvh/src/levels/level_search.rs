//! Two hierarchies compared level by level, so that a search may end after any of them (Hubbard 1993).
//!
//! ```text
//!   level 0   A ─ 1            All pairs of volumes of one level are tested before the next one. What is left after a
//!   level 1   B ─ 2, C ─ 3     level is all that the time allowed for: no pair proves that the surfaces are apart,
//!   level 2   …                others say where they may meet, as accurately as the volumes of the level are small.
//! ```

use std::ops::ControlFlow;

use xcollide_bounds::BoundingVolume;
use xcollide_math::Pose;

use super::{Levels, Opening};
use crate::Counter;

/// A search for the pairs of volumes that overlap, of two hierarchies of any kind.
///
/// ```
/// use xcollide_bounds::Sphere;
/// use xcollide_bvh::binary::{Builder, Bvh};
/// use xcollide_bvh::levels::LevelSearch;
/// use xcollide_math::Pose;
///
/// let points: Vec<_> = (0..64).map(|i| [[f64::from(i), 0.0, 0.0]]).collect();
/// let tree: Bvh<Sphere> = Builder::default().build(&points)?;
/// let above = Pose::from_translation([0.0, 4.5, 0.0]);
/// let mut search = LevelSearch::new((&tree, &Pose::IDENTITY), (&tree, &above));
/// let mut radii = Vec::new();
/// while !search.is_complete() && !search.is_apart() {
///     radii.extend(search.pairs().next().map(|[a, _]| a.radius.floor()));
///     let _ = search.refine(&mut ());
/// }
/// assert!(search.is_apart());
/// assert_eq!(search.level(), 4);
/// assert_eq!(radii, [31.0, 15.0, 7.0, 3.0]);
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
#[derive(Debug)]
pub struct LevelSearch<'a, T: Levels> {
    trees: [&'a T; 2],
    into_first: <T::Volume as BoundingVolume>::Prepared,
    /// The nodes of this level that are in pairs; those of the second tree with their volume in the first tree's frame.
    nodes: [Vec<LevelNode<T::Volume>>; 2],
    /// Pairs of their numbers.
    pairs: Vec<[u32; 2]>,
    level: usize,
}

#[derive(Clone, Debug)]
struct LevelNode<V> {
    /// In the frame of the first tree.
    volume: V,
    children: Vec<Opening<V>>,
    /// Of a leaf.
    primitives: Vec<u32>,
}

impl<'a, T: Levels> LevelSearch<'a, T> {
    /// Two trees, each with the motion from its own frame into the world; compares the roots.
    #[must_use]
    pub fn new(a: (&'a T, &Pose), b: (&'a T, &Pose)) -> Self {
        let ((a, pose_a), (b, pose_b)) = (a, b);
        let margin = Pose::relative_margin(pose_a, pose_b, a.magnitude(), b.magnitude());
        let slack = 2.0 * (a.slack() + b.slack());
        let into_first = T::Volume::prepare(&Pose::relative(pose_a, pose_b), margin + slack);
        let (nodes, pairs) = (Default::default(), Vec::new());
        let mut search = Self { trees: [a, b], into_first, nodes, pairs, level: 0 };
        if let (Some(root_a), Some(root_b)) = (a.root(), b.root()) {
            search.nodes = [vec![search.opened(0, root_a)], vec![search.opened(1, root_b)]];
            if search.nodes[0][0].volume.overlaps(&search.nodes[1][0].volume) {
                search.pairs.push([0, 0]);
            }
        }
        search
    }

    /// Compares the volumes of the next level. The counter is [asked](Counter::go_on) before each pair is opened; if it breaks,
    /// the search stays at its level and may be refined later.
    pub fn refine(&mut self, counter: &mut impl Counter) -> ControlFlow<()> {
        let mut next: [Vec<LevelNode<T::Volume>>; 2] = Default::default();
        // Where the nodes below each node of this level begin; none of those in no pair.
        let mut first: [Vec<Option<u32>>; 2] =
            [0, 1].map(|side| vec![None; self.nodes[side].len()]);
        let mut pairs = Vec::new();
        for &pair in &self.pairs {
            counter.go_on()?;
            let below = [0, 1].map(|side| {
                let known = &mut first[side][pair[side] as usize];
                let node = &self.nodes[side][pair[side] as usize];
                let start = *known.get_or_insert_with(|| {
                    let start = next[side].len() as u32;
                    match node.children.as_slice() {
                        // A leaf stays until those of the other tree are reached.
                        [] => next[side].push(node.clone()),
                        children => next[side]
                            .extend(children.iter().map(|child| self.opened(side, child.clone()))),
                    }
                    start
                });
                start..start + node.children.len().max(1) as u32
            });
            let [below_a, below_b] = below;
            for i in below_a {
                for j in below_b.clone() {
                    counter.volumes(1);
                    let [a, b] = [&next[0][i as usize].volume, &next[1][j as usize].volume];
                    if a.overlaps(b) {
                        pairs.push([i, j]);
                    }
                }
            }
        }
        (self.nodes, self.pairs) = (next, pairs);
        self.level += 1;
        ControlFlow::Continue(())
    }

    /// The level that has been compared; 0 is that of the roots.
    #[must_use]
    pub fn level(&self) -> usize {
        self.level
    }

    /// Whether no volumes overlap: then no two primitives have a point in common, for coordinates up to 1e100.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Whether only leaves are left.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let is_leaf = |side: usize, node: u32| self.nodes[side][node as usize].children.is_empty();
        self.pairs.iter().all(|&[i, j]| is_leaf(0, i) && is_leaf(1, j))
    }

    /// The volumes that overlap, in the frame of the first tree; the second ones with the margin for all rounding.
    pub fn pairs(&self) -> impl ExactSizeIterator<Item = [&T::Volume; 2]> {
        let volume = |side: usize, node: u32| &self.nodes[side][node as usize].volume;
        self.pairs.iter().map(move |&[i, j]| [volume(0, i), volume(1, j)])
    }

    /// Calls `pair` with the primitives of the leaves that overlap, until it breaks: of a complete search all that may have
    /// a point in common, perhaps repeatedly.
    pub fn candidates(&self, mut pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        for &[i, j] in &self.pairs {
            for &s in &self.nodes[0][i as usize].primitives {
                for &t in &self.nodes[1][j as usize].primitives {
                    pair(s, t)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn opened(&self, side: usize, node: Opening<T::Volume>) -> LevelNode<T::Volume> {
        let (mut children, mut primitives) = (Vec::new(), Vec::new());
        self.trees[side].open(&node, &mut children, &mut primitives);
        let volume = match side {
            0 => node.volume,
            _ => node.volume.moved(&self.into_first),
        };
        LevelNode { volume, children, primitives }
    }
}
