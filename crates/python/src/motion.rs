//! When two moving models first touch.

use pyo3::prelude::*;
use xcollide::math::{Motion, Path};
use xcollide::narrow::continuous::{
    MeshesVerdict, MotionVerdict, Moving, MovingMesh, meshes_contact, time_of_contact as search,
};
use xcollide::narrow::{Certificate, Query, Semantics};
use xcollide::{Model, Pose, PoseError};

use crate::errors;
use crate::operand::model;
use crate::poses::pose;
use crate::verdict::Witness;

type Kind = fn(Pose, Pose) -> Result<Motion, PoseError>;

/// # Errors
/// It is neither "linear" nor "screw".
pub(crate) fn kind(word: &str) -> PyResult<Kind> {
    match word {
        "linear" => Ok(Motion::linear),
        "screw" => Ok(Motion::screw),
        _ => Err(errors::value(format!("kind is {word:?}, expected \"linear\" or \"screw\""))),
    }
}

/// When two models first touch that move from start poses at time 0 to end poses at time 1.
///
/// time_of_contact(a, start_a, end_a, b, start_b, end_b, *, width=1e-9, kind="linear") -> Motion
///
/// width: how wide the interval of time may be that contains the first contact.
/// kind: "linear", where the origin of a model moves on a line and the model turns the shorter way, or "screw".
///
/// The answer is about all times, so bodies that pass through each other between two poses collide. Translations are
/// always decided; bodies that turn and come closer than rounding tells without touching are undecided.
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> start, end = ([0, 0, 0, 1], [-5.0, 0.0, 0.0]), ([0, 0, 0, 1], [5.0, 0.0, 0.0])
/// >>> found = xcollide.time_of_contact(box, start, end, box, None, None)
/// >>> found.collides, [round(time, 6) for time in found.interval]
/// (True, [0.4, 0.4])
/// >>> found.verify()
#[pyfunction]
#[pyo3(signature = (a, start_a, end_a, b, start_b, end_b, *, width=1e-9, kind="linear"))]
pub(crate) fn time_of_contact(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    start_a: &Bound<'_, PyAny>,
    end_a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    start_b: &Bound<'_, PyAny>,
    end_b: &Bound<'_, PyAny>,
    width: f64,
    kind: &str,
) -> PyResult<MotionResult> {
    let models = [model(a, "a")?, model(b, "b")?];
    let path = self::kind(kind)?;
    let between = |start: Pose, end: Pose, what: &str| {
        path(start, end).map_err(|error| errors::pose(what, &error))
    };
    let paths = [
        between(pose(start_a, "start_a")?, pose(end_a, "end_a")?, "the motion of a")?,
        between(pose(start_b, "start_b")?, pose(end_b, "end_b")?, "the motion of b")?,
    ];
    let query = Query::new().certificate(Certificate::Full);
    let found = py.detach(|| find(&models, &paths, width, &query));
    let found = found.map_err(|error| errors::query(&error))?;
    Ok(MotionResult { models, paths, found })
}

fn find(
    models: &[Model; 2],
    paths: &[Motion; 2],
    width: f64,
    query: &Query,
) -> Result<Found, xcollide::QueryError> {
    let are_meshes = models.iter().all(|model| model.formula().is_none());
    if are_meshes && paths.iter().all(Path::is_translation) {
        let [a, b] = meshes(models, paths)?;
        return Ok(Found::Translations(meshes_contact(&a, &b, width, query)?));
    }
    let [a, b] = moving(models, paths);
    Ok(Found::Turning(search(a, b, width, query)?))
}

fn meshes(models: &[Model; 2], paths: &[Motion; 2]) -> Result<[MovingMesh; 2], PoseError> {
    let mesh = |k: usize| MovingMesh::between(&models[k], &paths[k].at(0.0), &paths[k].at(1.0));
    Ok([mesh(0)?, mesh(1)?])
}

fn moving<'a>(models: &'a [Model; 2], paths: &'a [Motion; 2]) -> [Moving<'a>; 2] {
    [0, 1].map(|k| Moving::new(&models[k], &paths[k]))
}

/// When two moving models first touch, with the proof. It keeps the models and paths that it is about.
#[pyclass(frozen, name = "Motion", module = "xcollide")]
pub(crate) struct MotionResult {
    models: [Model; 2],
    paths: [Motion; 2],
    found: Found,
}

enum Found {
    Translations(MeshesVerdict),
    Turning(MotionVerdict),
}

#[pymethods]
impl MotionResult {
    /// Whether they touch at a time from 0 to 1; None if undecided.
    #[getter]
    fn collides(&self) -> Option<bool> {
        match &self.found {
            Found::Translations(MeshesVerdict::Collides { .. })
            | Found::Turning(MotionVerdict::Collides { .. }) => Some(true),
            Found::Translations(MeshesVerdict::Apart(_))
            | Found::Turning(MotionVerdict::Apart(_)) => Some(false),
            _ => None,
        }
    }

    fn __bool__(&self) -> PyResult<bool> {
        self.collides().ok_or_else(|| {
            errors::class::UndecidedError::new_err(
                "the models come closer than rounding tells: see the interval",
            )
        })
    }

    /// The times, from 0 to 1, between which they first touch; None if they are apart. Before it they are proved apart.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        let interval = match &self.found {
            Found::Translations(verdict) => verdict.interval(),
            Found::Turning(verdict) => verdict.interval(),
        };
        interval.map(|time| (time.lo, time.hi))
    }

    /// What touches first.
    #[getter]
    fn witness(&self) -> Option<Witness> {
        match &self.found {
            Found::Translations(MeshesVerdict::Collides { contact, .. }) => {
                Some(Witness(contact.witness))
            }
            Found::Turning(MotionVerdict::Collides { witness, .. }) => Some(Witness(*witness)),
            _ => None,
        }
    }

    /// Verifies the proof, without the search. Raises `ProofError` if it does not hold.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let verified = py.detach(|| match &self.found {
            Found::Translations(verdict) => {
                // They were placed before.
                let Ok([a, b]) = meshes(&self.models, &self.paths) else { return Ok(()) };
                verdict.verify(&a, &b, Semantics::Solid)
            }
            Found::Turning(verdict) => {
                let [a, b] = moving(&self.models, &self.paths);
                verdict.verify(a, b, Semantics::Solid)
            }
        });
        verified.map_err(|error| errors::proof(&error))
    }

    fn __repr__(&self) -> String {
        match (self.collides(), self.interval()) {
            (Some(true), Some((lo, hi))) => format!("Motion(collides, interval=({lo:?}, {hi:?}))"),
            (Some(false), _) => "Motion(apart)".to_owned(),
            _ => "Motion(undecided)".to_owned(),
        }
    }
}
