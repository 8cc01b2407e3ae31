//! The operands of queries: models, each at a pose.

use pyo3::prelude::*;
use xcollide::Pose;
use xcollide::narrow::{Placed, Semantics};

use crate::arrays::type_name;
use crate::errors;
use crate::errors::class::DtypeError;
use crate::model::Model;
use crate::poses::pose;
use crate::shape::Shape;

/// A model: a mesh, or a body given by a formula.
///
/// # Errors
/// It is neither.
pub(crate) fn model(value: &Bound<'_, PyAny>, what: &str) -> PyResult<xcollide::Model> {
    if let Ok(model) = value.cast::<Model>() {
        return Ok(model.get().inner.clone());
    }
    if let Ok(shape) = value.cast::<Shape>() {
        return Ok(shape.get().inner.clone());
    }
    let found = type_name(value);
    Err(DtypeError::new_err(format!("{what} is a {found}, expected a xcollide.Model or Shape")))
}

/// Two models at their poses.
pub(crate) struct Pair {
    pub(crate) models: [xcollide::Model; 2],
    pub(crate) poses: [Pose; 2],
}

impl Pair {
    /// # Errors
    /// They are no models, no poses, or a pose cannot place its model.
    pub(crate) fn read(
        a: &Bound<'_, PyAny>,
        pose_a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        pose_b: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let models = [model(a, "a")?, model(b, "b")?];
        let pair = Self { models, poses: [pose(pose_a, "pose_a")?, pose(pose_b, "pose_b")?] };
        let _ = pair.placed()?;
        Ok(pair)
    }

    /// # Errors
    /// A pose cannot place its model.
    pub(crate) fn placed(&self) -> PyResult<[Placed<'_>; 2]> {
        let place = |k: usize, what: &str| {
            Placed::new(&self.models[k], &self.poses[k]).map_err(|error| errors::pose(what, &error))
        };
        Ok([place(0, "pose_a")?, place(1, "pose_b")?])
    }
}

/// # Errors
/// It is neither "solid" nor "surface".
pub(crate) fn semantics(word: &str) -> PyResult<Semantics> {
    match word {
        "solid" => Ok(Semantics::Solid),
        "surface" => Ok(Semantics::Surface),
        _ => {
            Err(errors::value(format!("semantics is {word:?}, expected \"solid\" or \"surface\"")))
        }
    }
}
