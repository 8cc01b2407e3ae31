//! The promises of the convex algorithms: the answers of brute force over the triangles, to the
//! last bit, for all of them; proofs that hold; searches that end.
//!
//! A new algorithm joins all of these tests by a line in `panel::convex_algorithms`.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod any_model;
mod closed_forms;
mod closest_features;
mod coherence;
mod combined;
mod ellipsoids;
mod gaps;
pub(crate) mod integer_hulls;
mod nearest;
mod panel;
mod penetration;
mod sat;
mod shapes;
mod supports;
mod together;
