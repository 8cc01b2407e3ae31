//! Algorithms of the sources that no default uses.

mod arbitrary;
mod box_trees;
mod closest_features;
mod combined;
mod common_point;
mod cyrus_beck;
mod edge_face;
mod edges;
mod feature_walk;
mod half_space;
mod inner_spheres;
mod monte_carlo;
mod patches;
mod perceptron;
mod placed_planes;
mod pre_checks;
mod segment_pair;
mod separating_vector;
mod sphere_octrees;
mod vertex_cache;
mod voxmap;
mod z_buffer;

pub use arbitrary::Arbitrary;
pub use closest_features::ClosestFeatures;
pub use combined::Combined;
pub use cyrus_beck::CyrusBeck;
pub use edge_face::EdgeFaceTrees;
pub use inner_spheres::{InnerSpheres, PackingOptions, SpherePacking};
pub use monte_carlo::MonteCarlo;
pub use patches::PatchTrees;
pub use perceptron::Perceptron;
pub use pre_checks::PreChecks;
pub use separating_vector::SeparatingVector;
pub use sphere_octrees::{SphereLevels, SphereOctrees};
pub use voxmap::Voxmap;
pub use z_buffer::ZBuffer;
