//! Every broad phase of the crate by its name in programs.

#[cfg(feature = "classic")]
use crate::classic::{
    AxisSort, CenterGrid, Grid, GridSettings, Octree, RectangleSweep, SlabOctree, SpaceTime,
    SweepAndPrune,
};
use crate::{AllPairs, Auto, BroadPhase, DynamicTree, HashGrid, NeighbourList, Sweep, WideTree};

/// One broad phase: its name, where it comes from, and how to make one.
///
/// ```
/// let grid = xcollide_broad::catalogue().iter().find(|entry| entry.name == "all-pairs");
/// assert!(grid.is_some_and(|entry| entry.make().is_empty()));
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name, unique in the catalogue.
    pub name: &'static str,
    /// The paper and section.
    pub source: &'static str,
    /// Whether it is the default.
    pub default: bool,
    make: fn() -> Box<dyn BroadPhase>,
    /// Where several threads pay.
    #[cfg(feature = "parallel")]
    make_parallel: Option<fn() -> Box<dyn BroadPhase>>,
}

impl Entry {
    /// A new one with its default settings.
    #[must_use]
    pub fn make(&self) -> Box<dyn BroadPhase> {
        (self.make)()
    }

    /// A new one that uses the threads of rayon's current pool if that pays, or else one thread.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn make_parallel(&self) -> Box<dyn BroadPhase> {
        self.make_parallel.unwrap_or(self.make)()
    }

    /// Whether there is a form for several threads.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.make_parallel.is_some()
    }

    /// An entry that uses one thread.
    const fn new(
        name: &'static str,
        source: &'static str,
        make: fn() -> Box<dyn BroadPhase>,
    ) -> Self {
        Self {
            name,
            source,
            default: false,
            make,
            #[cfg(feature = "parallel")]
            make_parallel: None,
        }
    }

    /// The same entry with what uses several threads.
    #[cfg(feature = "parallel")]
    const fn or_parallel(self, make: fn() -> Box<dyn BroadPhase>) -> Self {
        Self { make_parallel: Some(make), ..self }
    }

    /// The same entry, as the default.
    const fn by_default(self) -> Self {
        Self { default: true, ..self }
    }
}

/// All of them. Tests, benchmarks and programs go through this list.
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    ENTRIES
}

/// Adds the parallel form where there is one.
macro_rules! parallel {
    ($entry:expr, $make:expr) => {{
        #[cfg(feature = "parallel")]
        {
            $entry.or_parallel($make)
        }
        #[cfg(not(feature = "parallel"))]
        {
            $entry
        }
    }};
}

const ENTRIES: &[Entry] = &[
    Entry::new("all-pairs", "every box against every other", || Box::new(AllPairs::new())),
    parallel!(
        Entry::new("hash-grid", "Zachmann, lecture slides, \"Grid\"; Daneu 2002, 4.1.2", || {
            Box::new(HashGrid::new())
        }),
        || Box::new(HashGrid::parallel())
    ),
    parallel!(
        Entry::new("sweep", "Zachmann, lecture slides, \"Plane Sweep\"; Terdiman 2000", || {
            Box::new(Sweep::new())
        }),
        || Box::new(Sweep::parallel())
    ),
    #[cfg(feature = "classic")]
    Entry::new("sweep-and-prune", "I-COLLIDE, 4.2; Baraff 1992", || Box::new(SweepAndPrune::new())),
    parallel!(
        Entry::new("wide-tree", "Ericson 2004, 6.6; Wald and others 2008 for the width", || {
            Box::new(WideTree::new())
        }),
        || Box::new(WideTree::parallel())
    ),
    parallel!(
        Entry::new("neighbour-list", "Verlet 1967", || Box::new(NeighbourList::new())),
        || Box::new(NeighbourList::parallel())
    ),
    Entry::new("dynamic-tree", "Bullet, `btDbvt`; Goldsmith and Salmon 1987", || {
        Box::new(DynamicTree::new())
    }),
    #[cfg(feature = "classic")]
    Entry::new("space-time", "Hubbard 1993; Zachmann 1994, 2.7", || Box::new(SpaceTime::new())),
    #[cfg(feature = "classic")]
    Entry::new("grid", "Zachmann 1994, 5.5", || Box::new(Grid::new())),
    #[cfg(feature = "classic")]
    Entry::new("grid-indexed", "Zachmann 1994, 5.5, \"Overkill\"", || {
        Box::new(Grid::with(GridSettings::new().indexed()))
    }),
    #[cfg(feature = "classic")]
    Entry::new("grid-stabbed", "Zachmann 1994, 5.5.1", || {
        Box::new(Grid::with(GridSettings::new().stabbed()))
    }),
    #[cfg(feature = "classic")]
    Entry::new("octree", "Zachmann 1994, 5.4 and 7.3.4", || Box::new(Octree::new())),
    #[cfg(feature = "classic")]
    Entry::new("slab-octree", "Zachmann 1994, 5.6", || Box::new(SlabOctree::new())),
    #[cfg(feature = "classic")]
    Entry::new("axis-sort", "Daneu 2002, 4.1.1", || Box::new(AxisSort::new())),
    #[cfg(feature = "classic")]
    Entry::new("rectangle-sweep", "I-COLLIDE, 4.3", || Box::new(RectangleSweep::new())),
    #[cfg(feature = "classic")]
    Entry::new("centre-grid", "Daneu 2002, 4.1.2", || Box::new(CenterGrid::new())),
    parallel!(
        Entry::new("auto", "chooses among the above", || Box::new(Auto::new())).by_default(),
        || Box::new(Auto::parallel())
    ),
];
