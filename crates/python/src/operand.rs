//! The operands of queries: models or shapes, each at a pose.

use std::sync::Arc;

use pyo3::prelude::*;
use xcollide::Pose;
use xcollide::convex::shape::{PlacedShape, Shape as Formula};
use xcollide::narrow::{Placed, Semantics};

use crate::arrays::type_name;
use crate::errors;
use crate::errors::class::DtypeError;
use crate::model::Model;
use crate::poses::pose;
use crate::shape::Shape;

/// Two bodies that one query is about.
pub(crate) enum Bodies {
    Models([xcollide::Model; 2]),
    Shapes([Arc<dyn Formula>; 2]),
}

impl Bodies {
    /// # Errors
    /// They are not two models or two shapes.
    pub(crate) fn read(a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let (Ok(a), Ok(b)) = (a.cast::<Shape>(), b.cast::<Shape>()) {
            return Ok(Self::Shapes([a.get().formula.clone(), b.get().formula.clone()]));
        }
        if a.is_instance_of::<Shape>() && b.is_instance_of::<Model>()
            || a.is_instance_of::<Model>() && b.is_instance_of::<Shape>()
        {
            return Err(DtypeError::new_err(
                "a query is about two models or two shapes, found one of each: make a model of the shape \
                 (Model.shape), or a Shape.hull of the vertices of a convex model",
            ));
        }
        Ok(Self::Models([model(a, "a")?, model(b, "b")?]))
    }
}

/// # Errors
/// It is no model.
pub(crate) fn model(value: &Bound<'_, PyAny>, what: &str) -> PyResult<xcollide::Model> {
    let model = value.cast::<Model>().map(|model| model.get().inner.clone());
    model.map_err(|_| {
        DtypeError::new_err(format!("{what} is a {}, expected a xcollide.Model", type_name(value)))
    })
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

/// Two shapes at their poses.
///
/// # Errors
/// A pose cannot place its shape.
pub(crate) fn place_shapes<'a>(
    [a, b]: &'a [Arc<dyn Formula>; 2],
    poses: &[Pose; 2],
) -> PyResult<[PlacedShape<'a, dyn Formula>; 2]> {
    let place = |shape: &'a Arc<dyn Formula>, pose: &Pose, what: &str| {
        PlacedShape::new(&**shape, pose).map_err(|error| errors::pose(what, &error))
    };
    Ok([place(a, &poses[0], "pose_a")?, place(b, &poses[1], "pose_b")?])
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
