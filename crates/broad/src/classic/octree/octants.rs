//! An octree that finds its own universe and depth.

use xcollide_bounds::Aabb;

use super::octant::Octant;
use super::tree::{Reference, Tree};
use crate::classic::extent::{Changed, Extent, ExtentEstimator, RebuildTrigger};
use crate::classic::lattice::Lattice;
use crate::{PairCollector, Proxies};

/// What the user has laid down.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Plan {
    pub(crate) depth: Option<u8>,
    /// Otherwise it grows with the boxes.
    pub(crate) universe: Option<Aabb>,
}

/// The machinery of [`Octree`](crate::Octree) and [`SlabOctree`](crate::SlabOctree), which differ in
/// what an octant keeps of a box.
#[derive(Debug)]
pub(crate) struct Octants<R> {
    plan: Plan,
    lattice: Lattice,
    tree: Tree<R>,
    /// What the universe was made for.
    extent: Extent,
    fit: RebuildTrigger,
    estimator: ExtentEstimator,
    changed: Changed,
    /// Which boxes reach beyond the universe, by index, and how many.
    is_beyond: Vec<bool>,
    beyond: usize,
    moves: u64,
}

impl<R: Reference> Octants<R> {
    pub(crate) fn new(plan: Plan) -> Self {
        let mut estimator = ExtentEstimator::default();
        let extent = estimator.measure(&[]);
        let (lattice, tree) = universe(&plan, &extent);
        Self {
            plan,
            lattice,
            tree,
            extent,
            fit: RebuildTrigger::new(0, 0),
            estimator,
            changed: Changed::default(),
            is_beyond: Vec::new(),
            beyond: 0,
            moves: 0,
        }
    }

    /// Takes note that a box has changed.
    #[inline]
    pub(crate) fn note(&mut self, index: u32) {
        self.changed.note(index);
    }

    /// Brings the octants up to date. `refer` says what one keeps of a box.
    pub(crate) fn update(
        &mut self,
        proxies: &Proxies,
        refer: &impl Fn(&Lattice, u32, &Octant) -> R,
    ) {
        self.fit.note(self.changed.len());
        if self.fit.is_outgrown(proxies.len(), 0) {
            self.changed.drain(|_| {});
            self.start_anew(proxies, refer);
        } else {
            let mut changed = std::mem::take(&mut self.changed);
            changed.drain(|index| self.put(proxies, index, refer));
            self.changed = changed;
            if self.is_unfit(proxies) {
                self.start_anew(proxies, refer);
            }
        }
        self.moves = self.tree.take_moves();
    }

    /// Offers every pair that may overlap.
    pub(crate) fn pairs(
        &mut self,
        refer: &impl Fn(&Lattice, u32, &Octant) -> R,
        collector: &mut PairCollector<'_>,
    ) {
        let lattice = self.lattice;
        self.tree.pairs(&|index, octant| refer(&lattice, index, octant), collector);
    }

    /// Octants entered and left by the last update.
    pub(crate) fn moves(&self) -> u64 {
        self.moves
    }

    pub(crate) fn references_by_level(&self) -> Vec<usize> {
        self.tree.references_by_level()
    }

    fn put(&mut self, proxies: &Proxies, index: u32, refer: &impl Fn(&Lattice, u32, &Octant) -> R) {
        let aabb = proxies.boxes().get(index as usize).copied().unwrap_or_default();
        let is_empty = aabb.is_empty();
        let is_beyond = !is_empty && !self.lattice.holds(&aabb);
        let place = index as usize;
        if self.is_beyond.len() <= place {
            self.is_beyond.resize(place + 1, false);
        }
        let was_beyond = std::mem::replace(&mut self.is_beyond[place], is_beyond);
        self.beyond = self.beyond + usize::from(is_beyond) - usize::from(was_beyond);
        if is_empty {
            self.tree.remove(index);
        } else {
            let lattice = self.lattice;
            self.tree.put(index, lattice.cells(&aabb), &|i, octant| refer(&lattice, i, octant));
        }
    }

    /// Whether there had better be another universe, or another depth.
    fn is_unfit(&mut self, proxies: &Proxies) -> bool {
        let beyond = if self.plan.universe.is_some() { 0 } else { self.beyond };
        if self.tree.is_hollow() || self.fit.is_outgrown(proxies.len(), beyond) {
            return true;
        }
        if !self.fit.is_time_to_look() {
            return false;
        }
        self.estimator.measure(proxies.boxes()).differs_from(&self.extent)
    }

    fn start_anew(&mut self, proxies: &Proxies, refer: &impl Fn(&Lattice, u32, &Octant) -> R) {
        self.extent = self.estimator.measure(proxies.boxes());
        (self.lattice, self.tree) = universe(&self.plan, &self.extent);
        self.is_beyond = Vec::new();
        self.beyond = 0;
        for index in 0..proxies.boxes().len() as u32 {
            self.put(proxies, index, refer);
        }
        self.fit = RebuildTrigger::new(proxies.len(), self.beyond);
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.bytes()
            + self.estimator.bytes()
            + self.changed.bytes()
            + self.is_beyond.capacity()
    }
}

/// The universe and an empty tree for boxes like these.
fn universe<R: Reference>(plan: &Plan, extent: &Extent) -> (Lattice, Tree<R>) {
    /// The depth if none is given and the boxes are small.
    const DEEPEST: u8 = 12;
    let (low, high) = plan.universe.map_or((extent.low, extent.high), |aabb| (aabb.min, aabb.max));
    let side = (0..3).map(|axis| high[axis] - low[axis]).fold(0.0, f64::max);
    // The finest octants are one to two diameters wide.
    let fits = |depth: &u8| side / f64::from(1_u32 << depth) < 2.0 * extent.diameter;
    let depth = plan.depth.unwrap_or_else(|| (1..DEEPEST).find(fits).unwrap_or(DEEPEST));
    // Who asks for a depth wants to see boxes there.
    let length = if plan.depth.is_some() { 8 } else { 4 };
    let cells = 1_u32 << depth;
    (Lattice::new(low, side / f64::from(cells), [cells; 3]), Tree::new(depth, length))
}
