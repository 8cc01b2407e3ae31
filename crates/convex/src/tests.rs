//! Polytopes and point sets for the tests of several modules.

pub(crate) mod hulls;
pub(crate) mod point_sets;
