//! Broad phases that the sources describe and no default uses.

pub(crate) mod axis_sort;
pub(crate) mod center_grid;
pub(crate) mod grid;
pub(crate) mod octree;
pub(crate) mod rectangle_sweep;
pub(crate) mod slab_octree;
pub(crate) mod space_time;
pub(crate) mod sweep_and_prune;
