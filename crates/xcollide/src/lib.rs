#![doc = include_str!("../README.md")]

pub mod prelude;
pub mod registry;

pub use nalgebra;
pub use xcollide_bounds as bounds;
pub use xcollide_brep as brep;
pub use xcollide_broad as broad;
pub use xcollide_narrow as narrow;

/// The program of the project's README compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct ProjectReadme;
