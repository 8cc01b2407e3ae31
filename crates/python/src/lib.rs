//! The extension module of the Python package `xcollide`.
//!
//! It is a face, without algorithms: arguments are checked and converted, the interpreter's lock is released, a layer
//! below answers, and numpy arrays take over the memory of the answer. What needs no speed is written in Python, beside
//! it: exceptions, and the interfaces of other packages.
//!
//! Threads: batches start their own (`batch`), all else runs on the calling thread. There is no pool, so that the
//! process may fork.

// Keyword arguments of Python; docs of Python.
#![allow(clippy::too_many_arguments, clippy::doc_markdown)]

mod arrays;
mod ask;
mod batch;
mod bounded_distance;
mod classification;
mod contacts;
mod edge;
mod errors;
mod events;
mod frame;
mod layers;
mod many;
mod model;
mod motion;
mod near_regions;
mod object_numbers;
mod operand;
mod poses;
mod queries;
mod rays;
mod robot;
mod shape;
mod verdict;
mod world;
mod world_many;
mod world_rays;

use pyo3::prelude::*;

/// Exact and fast collision detection between polyhedra: the compiled part of `xcollide`.
#[pymodule]
mod _xcollide {
    #[pymodule_export]
    use super::bounded_distance::{BoundedDistance, distance_in_time};
    #[pymodule_export]
    use super::classification::Classification;
    #[pymodule_export]
    use super::contacts::Contacts;
    #[pymodule_export]
    use super::edge::Edge;
    #[pymodule_export]
    use super::events::Events;
    #[pymodule_export]
    use super::frame::Frame;
    #[pymodule_export]
    use super::layers::algorithms;
    #[pymodule_export]
    use super::many::{closest_points_many, distance_many, intersects_many};
    #[pymodule_export]
    use super::model::{Model, Repaired};
    #[pymodule_export]
    use super::motion::{MotionResult, time_of_contact};
    #[pymodule_export]
    use super::near_regions::NearRegions;
    #[pymodule_export]
    use super::queries::{
        ClosestPoints, Penetration, check, closest_points, contacts, distance, intersects,
        near_regions, penetration,
    };
    #[pymodule_export]
    use super::rays::{
        RayHit, contains, nearest_points, ray_cast, ray_cast_many, sphere_cast_many,
    };
    #[pymodule_export]
    use super::robot::Robot;
    #[pymodule_export]
    use super::shape::Shape;
    #[pymodule_export]
    use super::verdict::{Verdict, Witness};
    #[pymodule_export]
    use super::world::World;
    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
