//! An octree of the world.
//!
//! Boxes are put into a hierarchy of cubes, and stay there from frame to frame: what moves a little
//! changes its octants seldom (Zachmann 1994, 5.4 and 7.3.4).

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
/// A box is attached to the octants that it covers and to the finest ones that it touches, and
/// knows them (octant arrays); when it moves, only octants that it enters or leaves are touched,
/// whose number [`Stats::moves`] reports. Two boxes are compared if one is attached to an octant that
/// lies in, or is, one of the other's; time-stamps see to it that this happens once.
///
/// Boxes of any size and place are in a bounded number of octants: large ones stay on higher levels
/// (at most 7³ octants, 13³ where a depth is given), and the octants at the border of the universe
/// reach on to infinity. Where nothing else is said, the
/// universe is a cube around most of the boxes, the finest octants are one to two average boxes
/// wide, and both are chosen anew when many boxes are beyond or sizes have changed.
///
/// O(n + p + s) for n boxes with p pairs of neighbours and s moved ones, with a factor of the depth.
/// Of historical interest: a grid does the same faster. Good where little moves, sizes differ much,
/// and the world is full in some places only.
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
