//! Counts of the work that a query did.

/// Counts of the work that a query did, in the terms of the cost model `T = N_V · C_V + N_P · C_P`
/// (Zachmann, lecture slides, "The Construction of BV Hierarchies"). Counted only if
/// [`Query::stats`](crate::Query::stats) is set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Stats {
    /// `N_V`: tests of two bounding volumes.
    pub volume_tests: u64,
    /// `N_P`: tests of two primitives (edges, triangles); axes tried by a
    /// [separating axis test](crate::convex::Sat).
    pub primitive_tests: u64,
    /// Vertices transformed to world coordinates.
    pub transforms: u64,
    /// Support queries of convex algorithms, one for both bodies: the searching steps of Chung 1996, 6.2.
    pub probes: u64,
    /// How often a convex algorithm had no certificate and called the exact test of triangles.
    pub fallbacks: u64,
    /// How often another convex algorithm than the one that was asked found the answer: GJK, where the
    /// [separating axis test](crate::convex::Sat) finds no axis, or a walk from feature to feature
    /// ([`ClosestFeatures`](crate::classic::ClosestFeatures)) ends without a plane.
    pub handed_over: u64,
}

impl std::ops::AddAssign for Stats {
    fn add_assign(&mut self, other: Self) {
        self.volume_tests += other.volume_tests;
        self.primitive_tests += other.primitive_tests;
        self.transforms += other.transforms;
        self.probes += other.probes;
        self.fallbacks += other.fallbacks;
        self.handed_over += other.handed_over;
    }
}
