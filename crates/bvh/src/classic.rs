//! Hierarchies that the sources describe and no default uses.

pub mod box_tree;
mod cut_tree;
pub mod inner_spheres;
pub mod interval_tree;
mod pair_set;
pub mod patches;
pub mod sphere_octree;
