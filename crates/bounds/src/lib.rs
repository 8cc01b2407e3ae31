#![doc = include_str!("../README.md")]

mod aabb;
mod aabb_lines;
mod compact;
mod correspondence;
mod fixed_cube;
mod frame;
mod intersection;
mod kdop;
mod motion;
mod obb;
mod obb_fit;
mod outline;
mod polytope;
mod rounding;
mod sat;
mod sphere;
#[cfg(feature = "serde")]
mod stored;
mod volume;
mod welzl;

pub use aabb::{Aabb, PreparedAabb};
pub use aabb_lines::Lines;
pub use compact::{AabbF32, KDopF32, ObbF32, SphereF32};
pub use fixed_cube::FixedCube;
pub use intersection::Intersection;
pub use kdop::{KDop, PreparedKDop};
pub use motion::Motion;
pub use obb::{Obb, PreparedObb};
pub use outline::Outline;
pub use rounding::{f32_above, f32_below};
pub use sphere::{PreparedSphere, Sphere};
pub use volume::BoundingVolume;
