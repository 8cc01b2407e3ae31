//! Gilbert–Johnson–Keerthi over point sets: does the set of differences hold the origin?

pub(crate) mod boolean;
pub(crate) mod placed_set;
pub(crate) mod simplex_signs;
pub(crate) mod tilt;
