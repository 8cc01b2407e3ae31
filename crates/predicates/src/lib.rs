#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod adjacent_triangles;
mod cells;
mod cells_reached;
mod circle;
mod common_point;
mod convex_body;
mod cuboid_contact;
mod distance;
mod distance_bounds;
mod ellipsoid_contact;
mod ellipsoid_in_rounded;
mod exact;
mod exact_point;
mod filtered;
mod flat_cells;
mod frusta_contact;
mod frustum;
mod moved_solid;
pub mod moving;
mod orientation;
mod overlap_cover;
mod parting_plane;
mod pencil;
pub mod polygon;
mod projected;
mod quadric;
mod ray;
mod ray_passage;
mod ray_triangle;
mod round_solid;
mod rounded_contact;
mod rounded_hull;
mod segment;
mod sheet_contact;
mod shifted;
mod sign;
mod simplex;
mod solid_side;
#[cfg(feature = "serde")]
mod stored;
mod surd;
mod triangle;
mod triangle_overlap;
mod triangle_pair;
mod triangle_part;
mod wedge;
mod within;

pub use adjacent_triangles::{triangles_meet_beyond_edge, triangles_meet_beyond_vertex};
pub use cells::{segment_cells, triangle_cells};
pub use common_point::{segment_triangle_point, triangle_pair_point};
pub use convex_body::ConvexBody;
pub use distance::{ClosestPoints, closest_points, triangle_distance};
pub use distance_bounds::distance_bounds;
pub use exact_point::ExactPoint;
pub use moved_solid::MovedSolid;
pub use orientation::{TrianglePlane, dot_sign, orient2d, orient3d, plane_side};
pub use overlap_cover::triangles_meet_outside;
pub use polygon::{point_in_polygon, segment_intersects_polygon};
pub use ray::{Crossing, ray_crossing};
pub use ray_passage::{Passage, ray_axis, ray_passage};
pub use ray_triangle::{Ray, RayContact, ray_order, ray_reaches, ray_triangle};
pub use segment::{point_on_segment, segments_intersect};
pub use sheet_contact::SheetContact;
pub use shifted::{
    Shifted, shifted_crossing, shifted_passage, shifted_ray_crossing, shifted_side, shifted_sides,
};
pub use sign::Sign;
pub use simplex::differences_hold_origin;
pub use solid_side::{Solid, ray_meets_solid, ray_side, solid_side};
pub use triangle::{point_on_triangle, segment_intersects_triangle};
pub use triangle_overlap::{TriangleOverlap, triangle_pair_overlap};
pub use triangle_pair::triangles_intersect;
pub use within::triangles_within;

/// A point in space.
pub type Point = [f64; 3];

/// A point in the plane.
pub type Point2 = [f64; 2];
