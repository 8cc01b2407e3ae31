//! Every broad phase of the crate, by the name that programs know it by.

use crate::{AllPairs, Auto, BroadPhase, HashGrid, NeighbourList, Sweep, SweepAndPrune, WideTree};

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
    /// Whether it is what is used where nobody chooses.
    pub default: bool,
    make: fn() -> Box<dyn BroadPhase>,
}

impl Entry {
    /// A new one with its default settings.
    #[must_use]
    pub fn make(&self) -> Box<dyn BroadPhase> {
        (self.make)()
    }
}

/// All of them. Tests, benchmarks and programs go through this list.
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    &ENTRIES
}

const ENTRIES: [Entry; 7] = [
    Entry {
        name: "all-pairs",
        source: "every box against every other",
        default: false,
        make: || Box::new(AllPairs::new()),
    },
    Entry {
        name: "hash-grid",
        source: "Zachmann, lecture slides, \"Grid\"; Daneu 2002, 4.1.2",
        default: false,
        make: || Box::new(HashGrid::new()),
    },
    Entry {
        name: "sweep",
        source: "Zachmann, lecture slides, \"Plane Sweep\"; Terdiman 2000",
        default: false,
        make: || Box::new(Sweep::new()),
    },
    Entry {
        name: "sweep-and-prune",
        source: "I-COLLIDE, 4.2; Baraff 1992",
        default: false,
        make: || Box::new(SweepAndPrune::new()),
    },
    Entry {
        name: "wide-tree",
        source: "Ericson 2004, 6.6; Wald and others 2008 for the width",
        default: false,
        make: || Box::new(WideTree::new()),
    },
    Entry {
        name: "neighbour-list",
        source: "Verlet 1967",
        default: false,
        make: || Box::new(NeighbourList::new()),
    },
    Entry {
        name: "auto",
        source: "chooses among the above",
        default: true,
        make: || Box::new(Auto::new()),
    },
];
