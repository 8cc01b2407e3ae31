//! Every broad phase of the crate by its name in programs.

use crate::auto::AutoFinder;
#[cfg(feature = "classic")]
use crate::classic::{self, Grid, GridSettings, Octree, OctreeMethod, OctreeSettings, SlabOctree};
use crate::neighbour_list::NeighbourListFinder;
use crate::pair_finder::with_threads;
use crate::{
    AllPairs, BroadPhase, DynamicTree, HashGridFinder, PairFinder, PairManager, SweepFinder,
    WideTreeFinder,
};

/// One broad phase: its name, its source, and its constructor.
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
    is_parallel: bool,
    make: fn(bool) -> Box<dyn BroadPhase>,
}

impl Entry {
    /// A new one with its default settings, on one thread.
    #[must_use]
    pub fn make(&self) -> Box<dyn BroadPhase> {
        (self.make)(false)
    }

    /// A new one that uses the threads of rayon's current pool if it can use several.
    #[must_use]
    pub fn make_parallel(&self) -> Box<dyn BroadPhase> {
        (self.make)(true)
    }

    /// Whether it can use several threads.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.is_parallel
    }

    const fn new<B: BroadPhase + Default + 'static>(
        name: &'static str,
        source: &'static str,
    ) -> Self {
        Self { name, source, default: false, is_parallel: false, make: |_| Box::new(B::default()) }
    }

    #[cfg(feature = "classic")]
    const fn variant(
        name: &'static str,
        source: &'static str,
        make: fn(bool) -> Box<dyn BroadPhase>,
    ) -> Self {
        Self { name, source, default: false, is_parallel: true, make }
    }

    const fn parallel<F: PairFinder + Default + 'static>(
        name: &'static str,
        source: &'static str,
    ) -> Self {
        let make = |threads| -> Box<dyn BroadPhase> {
            Box::new(PairManager::over(with_threads::<F>(threads)))
        };
        Self { name, source, default: false, is_parallel: true, make }
    }
}

#[cfg(feature = "classic")]
fn grid(settings: GridSettings, threads: bool) -> Box<dyn BroadPhase> {
    Box::new(if threads { Grid::parallel_with(settings) } else { Grid::with(settings) })
}

#[cfg(feature = "classic")]
fn octree(method: OctreeMethod, threads: bool) -> Box<dyn BroadPhase> {
    let settings = OctreeSettings::new().method(method);
    Box::new(if threads { Octree::parallel_with(settings) } else { Octree::with(settings) })
}

/// All broad phases of this crate. Tests, benchmarks and programs use this list.
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    ENTRIES
}

const ENTRIES: &[Entry] = &[
    Entry::new::<AllPairs>("all-pairs", "every box against every other"),
    Entry::parallel::<HashGridFinder>(
        "hash-grid",
        "Zachmann, lecture slides, \"Grid\"; Daneu 2002, 4.1.2",
    ),
    Entry::parallel::<SweepFinder>(
        "sweep",
        "Zachmann, lecture slides, \"Plane Sweep\"; Terdiman 2000",
    ),
    #[cfg(feature = "classic")]
    Entry::new::<classic::SweepAndPrune>("sweep-and-prune", "I-COLLIDE, 4.2; Baraff 1992"),
    Entry::parallel::<WideTreeFinder>(
        "wide-tree",
        "Ericson 2004, 6.6; Wald and others 2008 for the width",
    ),
    Entry::parallel::<NeighbourListFinder>("neighbour-list", "Verlet 1967"),
    Entry::new::<DynamicTree>("dynamic-tree", "Bullet, `btDbvt`; Goldsmith and Salmon 1987"),
    #[cfg(feature = "classic")]
    Entry::new::<classic::SpaceTime>("space-time", "Hubbard 1993; Zachmann 1994, 2.7"),
    #[cfg(feature = "classic")]
    Entry::variant("grid", "Zachmann 1994, 5.5", |threads| grid(GridSettings::new(), threads)),
    #[cfg(feature = "classic")]
    Entry::variant("grid-indexed", "Zachmann 1994, 5.5, \"Overkill\"", |threads| {
        grid(GridSettings::new().indexed(), threads)
    }),
    #[cfg(feature = "classic")]
    Entry::variant("grid-stabbed", "Zachmann 1994, 5.5.1", |threads| {
        grid(GridSettings::new().stabbed(), threads)
    }),
    #[cfg(feature = "classic")]
    Entry::variant("octree", "Zachmann 1994, 5.4 and 7.3.4", |threads| {
        octree(OctreeMethod::BoxDifference, threads)
    }),
    #[cfg(feature = "classic")]
    Entry {
        make: |_| octree(OctreeMethod::OctantArrays, false),
        ..Entry::new::<Octree>("octree-arrays", "Zachmann 1994, 5.4.2: octant arrays")
    },
    #[cfg(feature = "classic")]
    Entry {
        make: |_| octree(OctreeMethod::Paths, false),
        ..Entry::new::<Octree>("octree-paths", "Dai 1994, in Zachmann 1994, 5.4.5")
    },
    #[cfg(feature = "classic")]
    Entry {
        make: |_| octree(OctreeMethod::Traversal, false),
        ..Entry::new::<Octree>(
            "octree-traversal",
            "Zachmann 1994, 5.4.1 to 5.4.3: the naive algorithm",
        )
    },
    #[cfg(feature = "classic")]
    Entry::variant("slab-octree", "Zachmann 1994, 5.6", |threads| {
        Box::new(if threads { SlabOctree::parallel() } else { SlabOctree::new() })
    }),
    #[cfg(feature = "classic")]
    Entry::new::<classic::AxisSort>("axis-sort", "Daneu 2002, 4.1.1"),
    #[cfg(feature = "classic")]
    Entry::new::<classic::RectangleSweep>("rectangle-sweep", "I-COLLIDE, 4.3"),
    #[cfg(feature = "classic")]
    Entry::new::<classic::CenterGrid>("centre-grid", "Daneu 2002, 4.1.2"),
    Entry { default: true, ..Entry::parallel::<AutoFinder>("auto", "chooses among the above") },
];
