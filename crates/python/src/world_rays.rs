//! Rays and moving spheres against the objects of a world.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use xcollide::narrow::rays::Ray;
use xcollide::{ObjectId, QueryError, RayTargets, WorldError};

use crate::batch::Batch;
use crate::errors;
use crate::object_numbers::number_of;
use crate::rays::{face_number, row_pairs, spheres};
use crate::world::World;

type Object<'py> = Bound<'py, PyAny>;

/// Objects, parameters and faces.
pub(crate) type Hits<'py> =
    (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

/// An object, a parameter and a face.
type Hit = (i64, f64, i64);

const MISS: Hit = (-1, f64::INFINITY, -1);

/// Why there is no answer.
enum Refused {
    Query(QueryError),
    World(WorldError),
}

fn hit(object: ObjectId, parameter: f64, face: i64) -> Hit {
    (number_of(object) as i64, parameter, face)
}

impl World {
    /// See `ray_cast_many`.
    pub(crate) fn first_hits<'py>(
        &self,
        py: Python<'py>,
        [origins, directions]: [&Object<'py>; 2],
        reach: f64,
        threads: Option<usize>,
    ) -> PyResult<Hits<'py>> {
        let rays = row_pairs([origins, directions], ["origins", "directions"])?;
        self.cast_many(py, "ray", rays.len(), threads, |targets, number| {
            let [origin, direction] = rays[number];
            let ray = Ray::new(origin, direction).and_then(|ray| ray.up_to(reach));
            let found = targets.first_hit(&ray.map_err(Refused::Query)?).map_err(Refused::World)?;
            Ok(found.map_or(MISS, |(object, found)| {
                hit(object, found.parameter, face_number(found.face))
            }))
        })
    }

    /// See `sphere_cast_many`.
    pub(crate) fn sphere_casts<'py>(
        &self,
        py: Python<'py>,
        [starts, ends, radii]: [&Object<'py>; 3],
        threads: Option<usize>,
    ) -> PyResult<Hits<'py>> {
        let spheres = spheres(starts, ends, radii)?;
        self.cast_many(py, "sphere", spheres.len(), threads, |targets, number| {
            let found = targets.sphere_cast(&spheres[number]).map_err(|error| match error {
                WorldError::Sphere(error) => Refused::Query(error),
                error => Refused::World(error),
            })?;
            Ok(found.map_or(MISS, |(object, found)| {
                hit(object, found.parameter, face_number(found.face))
            }))
        })
    }

    fn cast_many<'py>(
        &self,
        py: Python<'py>,
        what: &str,
        count: usize,
        threads: Option<usize>,
        cast: impl Fn(RayTargets<'_>, usize) -> Result<Hit, Refused> + Sync,
    ) -> PyResult<Hits<'py>> {
        let batch = Batch::new(count, threads)?;
        let hits = py.detach(|| {
            let world = self.lock();
            let targets = world.ray_targets(count);
            batch.run(MISS, || (), |(), number| cast(targets, number))
        });
        let hits = hits.map_err(|(number, refused)| match refused {
            Refused::Query(error) => {
                errors::class::QueryError::new_err(format!("{what} {number}: {error}"))
            }
            Refused::World(error) => {
                errors::class::WorldError::new_err(format!("{what} {number}: {error}"))
            }
        })?;
        let objects: Vec<i64> = hits.iter().map(|hit| hit.0).collect();
        let parameters: Vec<f64> = hits.iter().map(|hit| hit.1).collect();
        let faces: Vec<i64> = hits.iter().map(|hit| hit.2).collect();
        Ok((objects.into_pyarray(py), parameters.into_pyarray(py), faces.into_pyarray(py)))
    }
}
