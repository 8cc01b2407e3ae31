//! Names for kinds of hierarchy that [`BvhPair`] descends.

use xcollide_bvh::binary::Bvh;
use xcollide_bvh::wide::WideTree;

use super::BvhPair;

/// Two 8-wide hierarchies of oriented boxes in f32, eight boxes tested at once: the default.
///
/// About 60 bytes a triangle; a query for shapes that are near each other takes microseconds and
/// hardly more for many triangles than for few. `BvhPair<CompactTree>` stores boxes in 16 bits a
/// number: 20 bytes a triangle, 15 to 40 % slower.
pub type Wide = BvhPair<WideTree>;

/// Two binary trees of bounding volumes: of [`Obb`](xcollide_bounds::Obb)s (RAPID: Gottschalk, Lin
/// and Manocha 1996), [`Aabb`](xcollide_bounds::Aabb)s (SOLID: van den Bergen 1997),
/// [`KDop<18>`](xcollide_bounds::KDop)s (`QuickCD`: Klosowski and others 1998) or
/// [`Sphere`](xcollide_bounds::Sphere)s (Hubbard 1993).
pub type BinaryTrees<V> = BvhPair<Bvh<V>>;
