//! Tests of the promises of `xcollide-brep`, one module a topic.

mod classification;
mod classification_real_meshes;
mod dcel;
mod hull;
mod mass;
mod repair;
mod repair_real_meshes;
mod stored;
mod triangulation;
