//! An octree of the world, kept between frames (Zachmann 1994, 5.4 and 7.3.4).

mod method;
mod octant;
mod parallel_update;
mod paths;
mod scan;
mod settings;
#[cfg(test)]
mod tests;
mod traversal;
mod tree;

use xcollide_bounds::Aabb;

pub use method::OctreeMethod;
use scan::Seen;
pub use settings::OctreeSettings;
pub(super) use tree::Reference;

use crate::classic::extent::{Adaptive, Extent, Upkeep};
use crate::classic::lattice::{CellBox, Lattice};
use crate::parallel::HEAVY;
use crate::parallel_search::find_with_scratch;
use crate::sides::longest_side;
use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, PreviousBounds, Proxies, Stats, Volume};
use tree::Tree;

/// An octree of bounded depth, updated by box differences (Zachmann 1994, 5.4 and 7.3.4).
///
/// A box is attached to the octants that it covers and to the finest ones that it touches. When it moves, only
/// octants that it enters or leaves change; [`Stats::moves`] counts them. Two boxes are compared if an octant of
/// one lies in an octant of the other, each pair once (by time-stamps).
///
/// Large boxes stay on higher levels (at most 7³ octants, 13³ with a given depth). Octants at the border of the
/// universe extend to infinity. By default the universe is a cube around most of the boxes, the finest octants
/// are one to two average boxes wide, and both adapt.
///
/// O(n + p + s) for n boxes with p pairs of neighbours and s moved boxes, times the depth. Slower than a
/// grid; useful if little moves and sizes differ much. On [several threads](PairManager::parallel) each plans the changes
/// of some boxes, then makes those of some octants, and searches for some boxes. [`OctreeSettings`] has variants.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{BroadPhase, Everything, Pairs, ProxyIds};
/// use xcollide_broad::classic::Octree;
///
/// let mut ids = ProxyIds::new();
/// let mut broad = Octree::with_depth(5);
/// let (a, b) = (ids.issue(), ids.issue());
/// broad.insert(a, &Aabb::new([0.0; 3], [1.0; 3]).into())?;
/// broad.insert(b, &Aabb::new([0.9; 3], [500.0; 3]).into())?;
/// let mut pairs = Pairs::new();
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(pairs.overlapping.len(), 1);
///
/// broad.update(a, &Aabb::new([1e-9; 3], [1.0; 3]).into())?;
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(broad.stats().moves, 0); // the same octants
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type Octree = PairManager<OctreeFinder<u32>>;

impl<R: Reference> PairManager<OctreeFinder<R>> {
    /// An empty octree of a given depth, at most 15, with `2^depth` cells along each side (only the root for 0).
    /// It chooses its universe.
    #[must_use]
    pub fn with_depth(depth: u8) -> Self {
        Self::with(OctreeSettings::new().depth(depth))
    }

    /// An empty octree of a given depth over a fixed cube, whose low corner and side are the low corner and the
    /// longest side of `universe`. Boxes outside are allowed but cost more comparisons. A universe that is empty
    /// or unbounded is ignored.
    #[must_use]
    pub fn over_universe(universe: &Aabb, depth: u8) -> Self {
        Self::with(OctreeSettings::new().depth(depth).universe(universe))
    }

    /// An empty octree with these settings.
    #[must_use]
    pub fn with(settings: OctreeSettings) -> Self {
        Self::over(OctreeFinder::planned(settings))
    }

    /// As [`with`](Self::with), on the threads of rayon's current pool.
    #[must_use]
    pub fn parallel_with(settings: OctreeSettings) -> Self {
        let mut finder = OctreeFinder::planned(settings);
        finder.use_threads();
        Self::over(finder)
    }
}

/// The algorithm of [`Octree`] and [`SlabOctree`](super::SlabOctree), which differ in what an octant stores
/// of a box.
#[derive(Debug)]
pub struct OctreeFinder<R> {
    settings: OctreeSettings,
    tree: Tree<R>,
    upkeep: Upkeep,
    /// By index, whether a box reaches beyond the universe.
    is_beyond: Vec<bool>,
    /// One for each thread that has searched.
    seen: Vec<Seen>,
    threads: bool,
    moves: u64,
}

impl<R: Reference> Default for OctreeFinder<R> {
    fn default() -> Self {
        Self::planned(OctreeSettings::default())
    }
}

impl<R: Reference> OctreeFinder<R> {
    fn planned(settings: OctreeSettings) -> Self {
        Self {
            settings,
            tree: empty_tree(&settings, &Extent::default()),
            upkeep: Upkeep::default(),
            is_beyond: Vec::new(),
            seen: Vec::new(),
            threads: false,
            moves: 0,
        }
    }

    /// Number of references to boxes in the octants, by level from the root (table in Zachmann 1994, 5.4.4).
    #[must_use]
    pub fn references_by_level(&self) -> Vec<usize> {
        let Tree { depth, nodes, .. } = &self.tree;
        let mut levels = vec![0; usize::from(*depth) + 1];
        for node in nodes {
            levels[usize::from(depth - node.octant.level)] += node.objects.len();
        }
        levels
    }

    /// The cells of a box, `None` if it is empty; notes whether it reaches beyond the universe.
    fn note(&mut self, proxies: &Proxies, index: u32) -> Option<CellBox> {
        let aabb = proxies.boxes().get(index as usize).copied().unwrap_or_default();
        let is_empty = aabb.is_empty();
        let is_beyond =
            self.settings.universe.is_none() && !is_empty && !self.tree.lattice.holds(&aabb);
        let slot = index as usize;
        if self.is_beyond.len() <= slot {
            self.is_beyond.resize(slot + 1, false);
        }
        let was_beyond = std::mem::replace(&mut self.is_beyond[slot], is_beyond);
        self.upkeep.misfits += usize::from(is_beyond);
        self.upkeep.misfits -= usize::from(was_beyond);
        (!is_empty).then(|| self.tree.lattice.cells(&aabb))
    }
}

fn empty_tree<R: Reference>(plan: &OctreeSettings, extent: &Extent) -> Tree<R> {
    /// The greatest depth if none is given.
    const DEEPEST: u8 = 12;
    let (low, high) = plan.universe.map_or((extent.low, extent.high), |aabb| (aabb.min, aabb.max));
    let side = longest_side(&Aabb::new(low, high));
    // The finest octants are one to two diameters wide.
    let fits = |depth: &u8| side / f64::from(1_u32 << depth) < 2.0 * extent.diameter;
    let depth = plan.depth.unwrap_or_else(|| (1..DEEPEST).find(fits).unwrap_or(DEEPEST));
    // With a given depth, more octants a box are allowed, so that boxes reach the finest level.
    let length = if plan.depth.is_some() { 8 } else { 4 };
    let cells = 1_u32 << depth;
    let lattice = Lattice::new(low, side / f64::from(cells), [cells; 3]);
    Tree::new(lattice, depth, length, plan.method)
}

impl<R: Reference> Adaptive for OctreeFinder<R> {
    fn upkeep(&mut self) -> &mut Upkeep {
        &mut self.upkeep
    }

    fn reset(&mut self, extent: &Extent, _: usize) {
        self.tree = empty_tree(&self.settings, extent);
        self.is_beyond = Vec::new();
        self.seen = Vec::new();
    }

    fn put(&mut self, proxies: &Proxies, index: u32) {
        match self.note(proxies, index) {
            None => self.tree.remove(index),
            Some(cells) => self.tree.put(index, cells, proxies),
        }
    }

    fn put_all(&mut self, proxies: &Proxies, indices: &[u32]) {
        if !self.threads || !self.tree.moves_in_parallel(indices.len()) {
            return indices.iter().for_each(|&index| self.put(proxies, index));
        }
        let moves: Vec<_> =
            indices.iter().map(|&index| (index, self.note(proxies, index))).collect();
        self.tree.put_many(&moves, proxies);
    }

    fn is_hollow(&self) -> bool {
        let Tree { free, nodes, .. } = &self.tree;
        free.len() > 1024 && free.len() > nodes.len() / 4 * 3
    }
}

impl<R: Reference> PairFinder for OctreeFinder<R> {
    fn name(&self) -> &'static str {
        if R::FOLLOWS_THE_BOX { R::NAME } else { self.settings.method.name() }
    }

    fn inserted(&mut self, _: &Proxies, index: u32) {
        self.upkeep.changed.insert(index);
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        if R::FOLLOWS_THE_BOX || proxies.boxes()[index as usize] != before.aabb {
            self.upkeep.changed.insert(index);
        }
    }

    fn removed(&mut self, _: &Proxies, index: u32, _: &PreviousBounds) {
        self.upkeep.changed.insert(index);
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.update(proxies);
        self.moves = std::mem::take(&mut self.tree.moves);
        let tree = &self.tree;
        let all = 0..tree.places.len();
        find_with_scratch(
            all,
            HEAVY,
            self.threads,
            &mut self.seen,
            collector,
            |range, seen, collector| tree.pairs(range, proxies, seen, collector),
        );
    }

    fn use_threads(&mut self) {
        self.threads = true;
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn volume(&self) -> Volume {
        R::VOLUME
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.upkeep.bytes()
            + held(&self.is_beyond)
            + held(&self.seen)
            + self.seen.iter().map(Seen::bytes).sum::<usize>()
    }

    fn stats(&self) -> Stats {
        Stats { moves: self.moves, ..Stats::default() }
    }
}
