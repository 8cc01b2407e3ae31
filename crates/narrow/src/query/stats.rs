//! Counts of the work a query did, in the terms of the cost model
//! `T = N_V · C_V + N_P · C_P` (Zachmann, lecture slides, "The Construction of BV Hierarchies").

/// How much a query did. Counted only when [`Query::stats`](crate::Query::stats) asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// `N_V`: tests of bounding volumes against each other.
    pub volume_tests: u64,
    /// `N_P`: tests of primitives (edges, triangles) against each other; axes tried by a
    /// [separating axis test](crate::convex::Sat).
    pub primitive_tests: u64,
    /// Vertices mapped to the world.
    pub transforms: u64,
    /// Directions along which convex algorithms searched both bodies for their farthest vertices:
    /// the searching steps of Chung 1996, 6.2.
    pub probes: u64,
    /// How often a convex algorithm had no certificate and asked the exact test of triangles.
    pub fallbacks: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.volume_tests += other.volume_tests;
        self.primitive_tests += other.primitive_tests;
        self.transforms += other.transforms;
        self.probes += other.probes;
        self.fallbacks += other.fallbacks;
    }
}

/// Counting as a type, so that a query that does not count pays nothing: the thesis found that a
/// counter in the inner loop took 17 % of the time (Zachmann 1994, 7.3.2).
pub(crate) trait Count: Default + Send {
    #[cfg(feature = "classic")]
    fn volume_test(&mut self) {}
    fn primitive_test(&mut self) {}
    #[cfg(feature = "classic")]
    fn transforms(&mut self, _: u64) {}
    /// Counts what was counted elsewhere.
    #[cfg(all(feature = "classic", feature = "parallel"))]
    fn add(&mut self, _: Self) {}
}

/// Counts nothing.
#[derive(Default)]
pub(crate) struct Uncounted;

impl Count for Uncounted {}

impl Count for Stats {
    #[cfg(feature = "classic")]
    #[inline]
    fn volume_test(&mut self) {
        self.volume_tests += 1;
    }

    #[inline]
    fn primitive_test(&mut self) {
        self.primitive_tests += 1;
    }

    #[cfg(feature = "classic")]
    fn transforms(&mut self, vertices: u64) {
        self.transforms += vertices;
    }

    #[cfg(all(feature = "classic", feature = "parallel"))]
    fn add(&mut self, other: Self) {
        *self += other;
    }
}
