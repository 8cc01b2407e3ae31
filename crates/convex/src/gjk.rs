//! Gilbert–Johnson–Keerthi (GJK): whether the set of differences holds the origin, and its distance.

pub(crate) mod boolean;
pub(crate) mod carrier;
pub(crate) mod distance;
pub(crate) mod johnson;
pub(crate) mod search;
pub(crate) mod signed_volumes;
pub(crate) mod simplex;
pub(crate) mod simplex_signs;
pub(crate) mod tilt;
