//! An octree of the world, kept from frame to frame (Zachmann 1994, 5.4 and 7.3.4).

mod octant;
mod octants;
mod scan;
#[cfg(test)]
mod tests;
mod tree;

use xcollide_bounds::Aabb;

pub(crate) use octant::Octant;
pub(crate) use octants::{Octants, Plan};
pub(crate) use tree::Reference;

use crate::classic::lattice::{Lattice, is_valid_universe};
use crate::{PairCollector, PairFinder, PairManager, PreviousBounds, Proxies, Stats};

/// An octree of bounded depth, updated by box differences (Zachmann 1994, 5.4 and 7.3.4).
///
/// A box is attached to the octants that it covers and to the finest ones that it touches. When it moves,
/// only octants that it enters or leaves change; [`Stats::moves`] counts them. Two boxes are compared if
/// an octant of one lies in an octant of the other; time-stamps prevent repetition.
///
/// Large boxes stay on higher levels (at most 7³ octants, 13³ with a given depth). Octants at the border
/// of the universe extend to infinity. By default the universe is a cube around most of the boxes, the
/// finest octants are one to two average boxes wide, and both adapt.
///
/// O(n + p + s) for n boxes with p pairs of neighbours and s moved boxes, times the depth. Slower than a
/// grid; useful if little moves and sizes differ much.
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
pub type Octree = PairManager<OctreeFinder>;

impl Octree {
    /// The deepest octree.
    pub const MAX_DEPTH: u8 = Octant::MAX_DEPTH;

    /// An empty octree that chooses its universe and its depth.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty octree of a given depth, at most [`MAX_DEPTH`](Self::MAX_DEPTH): the root only for
    /// 0, and `2^depth` cells along each side. It chooses its universe.
    #[must_use]
    pub fn with_depth(depth: u8) -> Self {
        Self::planned(Plan { depth: Some(depth.min(Self::MAX_DEPTH)), universe: None })
    }

    /// An empty octree of a given depth over a cube that has the low corner and the longest side of
    /// `universe`, and stays as it is. Boxes may be beyond, at the price of more comparisons. A
    /// universe that is empty or unbounded counts as not given.
    #[must_use]
    pub fn over_universe(universe: &Aabb, depth: u8) -> Self {
        Self::planned(Plan {
            depth: Some(depth.min(Self::MAX_DEPTH)),
            universe: Some(*universe).filter(is_valid_universe),
        })
    }

    fn planned(plan: Plan) -> Self {
        Self::over(OctreeFinder { octants: Octants::new(plan) })
    }
}

/// The algorithm of [`Octree`].
#[derive(Debug)]
pub struct OctreeFinder {
    octants: Octants<u32>,
}

impl Default for OctreeFinder {
    fn default() -> Self {
        Self { octants: Octants::new(Plan::default()) }
    }
}

impl OctreeFinder {
    /// How many references to boxes the octants hold, by level, the root's first (the table of
    /// Zachmann 1994, 5.4.4).
    #[must_use]
    pub fn references_by_level(&self) -> Vec<usize> {
        self.octants.references_by_level()
    }
}

/// An octant needs to know nothing but the index.
fn refer(_: &Lattice, index: u32, _: &Octant) -> u32 {
    index
}

impl PairFinder for OctreeFinder {
    fn name(&self) -> &'static str {
        "octree"
    }

    fn inserted(&mut self, _: &Proxies, index: u32) {
        self.octants.note(index);
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        if proxies.boxes()[index as usize] != before.aabb {
            self.octants.note(index);
        }
    }

    fn removed(&mut self, _: &Proxies, index: u32, _: &PreviousBounds) {
        self.octants.note(index);
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.octants.update(proxies, &refer);
        self.octants.pairs(&refer, collector);
    }

    fn bytes(&self) -> usize {
        self.octants.bytes()
    }

    fn stats(&self) -> Stats {
        Stats { moves: self.octants.moves(), ..Stats::default() }
    }
}
