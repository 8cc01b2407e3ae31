//! The kinds of hierarchy that [`BvhPair`] descends, by name.

use xcollide_bounds::{Aabb, KDop, Obb, Sphere};
use xcollide_bvh::binary::Bvh;
use xcollide_bvh::classic::box_tree::BoxTree;
use xcollide_bvh::classic::interval_tree::IntervalTree;
use xcollide_bvh::wide::{CompactTree, WideTree};

use super::BvhPair;

/// Two 8-wide hierarchies of oriented boxes in f32, eight boxes tested at once: the default.
///
/// About 60 bytes a triangle; a query for shapes that are near each other takes microseconds and
/// hardly more for many triangles than for few.
pub type Wide = BvhPair<WideTree>;

/// Two binary trees of oriented boxes (RAPID: Gottschalk, Lin and Manocha 1996).
pub type ObbTree = BvhPair<Bvh<Obb>>;

/// Two binary trees of axis-aligned boxes (SOLID: van den Bergen 1997).
pub type AabbTree = BvhPair<Bvh<Aabb>>;

/// Two binary trees of 18-DOPs (`QuickCD`: Klosowski and others 1998).
pub type KDopTree = BvhPair<Bvh<KDop<18>>>;

/// Two binary trees of spheres (Hubbard 1993).
pub type SphereTree = BvhPair<Bvh<Sphere>>;

/// Two box-trees (Zachmann 1994, 3.6).
pub type BoxTrees = BvhPair<BoxTree>;

/// Two restricted box-trees, one coordinate a node (Zachmann, lecture slides).
pub type IntervalTrees = BvhPair<IntervalTree>;

/// Two 8-wide hierarchies of oriented boxes in 16 bits a number.
///
/// About 20 bytes a triangle, a third of what [`Wide`](super::Wide) takes; queries take 15 to 40 %
/// longer.
pub type WideCompact = BvhPair<CompactTree>;
