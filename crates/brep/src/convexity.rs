//! Whether faces, and the body they bound, are convex.
//!
//! Source: Zachmann 1994, 4.2.2. Polygons are in [`polygon`], bodies in [`polyhedron`].

mod polygon;
mod polyhedron;

pub(crate) use polygon::is_convex_face;
pub(crate) use polyhedron::convexity;
