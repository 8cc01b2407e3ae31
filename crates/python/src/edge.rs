//! `Edge`: a robot on the straight way between two configurations, with the proof.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use xcollide::robot::{EdgeOutcome, EdgeVerdict};

use crate::errors;
use crate::robot::{Robot, raised};

/// Whether bodies of a robot collide on the straight edge between two configurations, at any moment, with the proof. It
/// keeps the robot that it is about.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Edge {
    robot: Py<Robot>,
    ends: [Vec<f64>; 2],
    verdict: EdgeVerdict,
    bodies: Option<(String, String)>,
}

impl Edge {
    pub(crate) fn find(
        py: Python<'_>,
        robot: &Bound<'_, Robot>,
        ends: [Vec<f64>; 2],
        width: f64,
    ) -> PyResult<Self> {
        let inner = robot.get();
        let found = py.detach(|| {
            let read = inner.read();
            let verdict = read.edge(&ends[0], &ends[1])?.check(width)?;
            let bodies = match verdict.outcome() {
                EdgeOutcome::Collides { bodies: [a, b], .. }
                | EdgeOutcome::Undecided { bodies: [a, b], .. } => {
                    Some((read.name(a).to_owned(), read.name(b).to_owned()))
                }
                _ => None,
            };
            Ok((verdict, bodies))
        });
        let (verdict, bodies) = found.map_err(|error| raised(&error))?;
        Ok(Self { robot: robot.clone().unbind(), ends, verdict, bodies })
    }
}

#[pymethods]
impl Edge {
    /// Whether two bodies collide at any moment; None if undecided: they come closer than rounding tells.
    #[getter]
    fn collides(&self) -> Option<bool> {
        match self.verdict.outcome() {
            EdgeOutcome::Free => Some(false),
            EdgeOutcome::Collides { .. } => Some(true),
            _ => None,
        }
    }

    /// Whether it is proved that no bodies collide at any moment.
    #[getter]
    fn is_free(&self) -> bool {
        self.verdict.is_free()
    }

    /// The names of the two bodies that collide first, or are undecided; None if the edge is free.
    #[getter]
    fn bodies(&self) -> Option<(String, String)> {
        self.bodies.clone()
    }

    /// The times, from 0 to 1, between which two bodies first collide; None if the edge is free. Before it the edge is
    /// proved to be free; if they collide, they do at its end.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        match self.verdict.outcome() {
            EdgeOutcome::Collides { time, .. } | EdgeOutcome::Undecided { time, .. } => {
                Some((time.lo, time.hi))
            }
            _ => None,
        }
    }

    /// Where they collide, in the frame of the base: shape (3,); with a margin, the middle of their nearest points.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<f64>>> {
        match self.verdict.outcome() {
            EdgeOutcome::Collides { proof, .. } => Some(proof.point().to_vec().into_pyarray(py)),
            _ => None,
        }
    }

    /// The configuration at a time from 0 to 1: shape (dof,), at both ends as it was given.
    fn configuration<'py>(
        &self,
        py: Python<'py>,
        time: f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        if !(0.0..=1.0).contains(&time) {
            return Err(errors::value(format!("time is {time:?}, expected a number from 0 to 1")));
        }
        let robot = self.robot.get().read();
        let edge = robot.edge(&self.ends[0], &self.ends[1]).map_err(|error| raised(&error))?;
        Ok(edge.configuration(time).into_pyarray(py))
    }

    /// Verifies the proof. Raises `ProofError` if it does not hold, as after a change of the robot.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let robot = self.robot.get();
        let verified = py.detach(|| {
            let robot = robot.read();
            let edge = robot.edge(&self.ends[0], &self.ends[1])?;
            Ok(self.verdict.verify(&edge))
        });
        verified.map_err(|error| raised(&error))?.map_err(|error| errors::proof(&error))
    }

    fn __repr__(&self) -> String {
        match (self.collides(), &self.bodies, self.interval()) {
            (Some(true), Some((a, b)), Some((lo, hi))) => {
                format!("Edge(collides, bodies=({a:?}, {b:?}), interval=({lo:?}, {hi:?}))")
            }
            (Some(false), ..) => "Edge(free)".to_owned(),
            _ => "Edge(undecided)".to_owned(),
        }
    }
}
