//! Tests of the promises of `xcollide-predicates`, one module a topic.

mod adjacent_triangles;
mod convex_bodies;
mod distances;
mod ellipsoids_in_rounded;
mod motion;
mod motion_benchmark;
mod polygons;
mod rays;
mod referee;
mod round_contacts;
mod solid_contact;
mod stored;
mod triangle_overlaps;
mod triangle_pairs;
