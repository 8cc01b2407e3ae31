//! Every broad phase of the crate, by the name that programs know it by.

use crate::{AllPairs, BroadPhase};

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

const ENTRIES: [Entry; 1] = [Entry {
    name: "all-pairs",
    source: "every box against every other",
    default: false,
    make: || Box::new(AllPairs::new()),
}];
