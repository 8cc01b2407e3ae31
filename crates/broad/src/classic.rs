//! Broad phases from the literature that [`Auto`](crate::Auto) never chooses.

mod axis_sort;
mod center_grid;
mod extent;
mod grid;
mod lattice;
mod object_array;
mod octree;
mod rectangle_sweep;
mod slab_octree;
mod space_time;
mod stamps;
mod sweep_and_prune;

pub use axis_sort::AxisSort;
pub use center_grid::CenterGrid;
pub use grid::{Grid, GridSettings};
pub use octree::{Octree, OctreeMethod, OctreeSettings};
pub use rectangle_sweep::RectangleSweep;
pub use slab_octree::SlabOctree;
pub use space_time::SpaceTime;
pub use sweep_and_prune::SweepAndPrune;
