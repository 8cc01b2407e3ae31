//! Distances as far as they are known when the time is over.

use std::time::Duration;

use pyo3::prelude::*;
use xcollide::narrow::proximity;
use xcollide::narrow::{PairCache, Query};

use crate::errors::class::QueryError;
use crate::operand::{Pair, semantics};
use crate::queries::{ClosestPoints, no_faces};

type Object<'py> = Bound<'py, PyAny>;

/// The distance of two bodies as far as it is known when the time is over: the nearest points that were found, and a lower bound
/// that is proved.
///
/// distance_in_time(a, pose_a, b, pose_b, seconds, *, semantics="solid") -> BoundedDistance
///
/// seconds: how long the search may take, from 0 on. If that suffices (`parts_left` is 0), the nearest points of meshes are those of
/// `closest_points`. How far the search comes depends on the clock; that the bounds hold does not.
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> found = xcollide.distance_in_time(box, None, box, ([0, 0, 0, 1], [3.0, 0.0, 0.0]), 60.0)
/// >>> found.at_least <= 2.0 <= found.nearest.distance, found.parts_left
/// (True, 0)
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, seconds, *, semantics="solid"))]
pub(crate) fn distance_in_time(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
    seconds: f64,
    semantics: &str,
) -> PyResult<BoundedDistance> {
    let budget = duration(seconds).map_err(QueryError::new_err)?;
    let query = Query::new().semantics(self::semantics(semantics)?).budget(budget);
    let pair = Pair::read(a, pose_a, b, pose_b)?;
    let [a, b] = pair.placed()?;
    let found = py.detach(|| proximity::distance_in_time(a, b, &query, &mut PairCache::new()));
    found.map(BoundedDistance).ok_or_else(no_faces)
}

/// A time as a duration; else what is wrong with it.
pub(crate) fn duration(seconds: f64) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| format!("seconds is {seconds}, expected a time from 0 on"))
}

/// A distance between two bounds.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct BoundedDistance(proximity::BoundedDistance);

#[pymethods]
impl BoundedDistance {
    /// No two points of the bodies are nearer than that.
    #[getter]
    fn at_least(&self) -> f64 {
        self.0.at_least
    }

    /// The nearest points that were found; their distance is the upper bound.
    #[getter]
    fn nearest(&self) -> ClosestPoints {
        let found = &self.0.nearest;
        let faces = found.faces.map(|faces| faces.map(|face| face.0));
        ClosestPoints { distance: found.value, points: found.points, faces }
    }

    /// How many parts of the search were left when the time was over; 0 if it was complete.
    #[getter]
    fn parts_left(&self) -> u32 {
        self.0.parts_left
    }

    fn __repr__(&self) -> String {
        let proximity::BoundedDistance { at_least, nearest, parts_left } = &self.0;
        let at_most = nearest.value;
        format!("BoundedDistance({at_least:?} to {at_most:?}, parts_left={parts_left})")
    }
}
