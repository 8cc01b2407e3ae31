//! Promises of the classification: on named shapes, on convex and nearly convex bodies, and on
//! random soups against a slow twin.

mod bodies;
mod faces;
mod shapes;
mod sizes;
mod soups;
mod surfaces;
