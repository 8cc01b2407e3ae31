//! Convexity of faces ([`polygon`]) and of bodies ([`polyhedron`]). Source: Zachmann 1994, 4.2.2.

mod polygon;
mod polyhedron;

pub(crate) use polygon::is_convex_face;
pub(crate) use polyhedron::{convexity, is_convex_body};
