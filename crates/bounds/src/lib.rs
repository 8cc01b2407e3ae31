#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod aabb;
mod aabb_sat;
mod bounding_volume;
mod fixed_cube;
mod frame;
mod kdop;
mod kdop_transform;
mod obb;
mod obb_fit;
mod polytope;
mod rounding;
mod sat;
mod sphere;
#[cfg(feature = "serde")]
mod stored;
mod welzl;
mod wireframe;

pub use aabb::{Aabb, PreparedAabb};
pub use aabb_sat::AabbSat;
pub use bounding_volume::BoundingVolume;
pub use fixed_cube::FixedCube;
pub use kdop::{KDop, PreparedKDop};
pub use obb::{Obb, PreparedObb};
pub use sphere::{PreparedSphere, Sphere};
pub use wireframe::Wireframe;
