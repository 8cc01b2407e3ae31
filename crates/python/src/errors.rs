//! Errors of the layers below as the exceptions of `xcollide.errors`.
//!
//! The exceptions are Python classes, so that they can have several bases and are seen by type checkers.

use std::error::Error;

use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyValueError};
use xcollide::brep::{HullError, MassError, MeshError};
use xcollide::narrow::{ProofError, QueryError};
use xcollide::{PoseError, RestoreError, WorldError};
use xcollide_io::{Problem, ReadError, WriteError};

/// The Python classes.
pub(crate) mod class {
    pyo3::import_exception!(xcollide.errors, ArrayError);
    pyo3::import_exception!(xcollide.errors, DtypeError);
    pyo3::import_exception!(xcollide.errors, FileFormatError);
    pyo3::import_exception!(xcollide.errors, MeshError);
    pyo3::import_exception!(xcollide.errors, PoseError);
    pyo3::import_exception!(xcollide.errors, ProofError);
    pyo3::import_exception!(xcollide.errors, QueryError);
    pyo3::import_exception!(xcollide.errors, RobotError);
    pyo3::import_exception!(xcollide.errors, ShapeError);
    pyo3::import_exception!(xcollide.errors, SnapshotError);
    pyo3::import_exception!(xcollide.errors, StaleObjectError);
    pyo3::import_exception!(xcollide.errors, UndecidedError);
    pyo3::import_exception!(xcollide.errors, WorldError);
}

/// An argument that is none of the allowed words, or outside of its range.
pub(crate) fn value(text: String) -> PyErr {
    PyValueError::new_err(text)
}

/// A pose that is no rigid motion, or cannot place its model.
pub(crate) fn pose(what: &str, error: &PoseError) -> PyErr {
    class::PoseError::new_err(format!("{what}: {error}"))
}

pub(crate) fn mesh(error: &MeshError) -> PyErr {
    class::MeshError::new_err(error.to_string())
}

pub(crate) fn hull(error: &HullError) -> PyErr {
    class::MeshError::new_err(error.to_string())
}

pub(crate) fn mass(error: &MassError) -> PyErr {
    class::MeshError::new_err(error.to_string())
}

pub(crate) fn proof(error: &ProofError) -> PyErr {
    class::ProofError::new_err(error.to_string())
}

/// A file that cannot be read is an `OSError` such as `FileNotFoundError`.
pub(crate) fn read(error: &ReadError) -> PyErr {
    match error.problem() {
        Problem::Io(cause) => os(cause, error.to_string()),
        _ => class::FileFormatError::new_err(error.to_string()),
    }
}

pub(crate) fn write(error: &WriteError) -> PyErr {
    let mut causes = std::iter::successors(Some(error as &dyn Error), |&cause| cause.source());
    match causes.find_map(|cause| cause.downcast_ref()) {
        Some(cause) => os(cause, error.to_string()),
        None => class::FileFormatError::new_err(error.to_string()),
    }
}

/// With the number of the system's error, Python chooses the class.
fn os(cause: &std::io::Error, text: String) -> PyErr {
    match cause.raw_os_error() {
        Some(number) => PyOSError::new_err((number, text)),
        None => PyOSError::new_err(text),
    }
}

pub(crate) fn query(error: &QueryError) -> PyErr {
    let text = error.to_string();
    match error {
        QueryError::Pose(_) | QueryError::PoseOfMany { .. } => class::PoseError::new_err(text),
        QueryError::Undecided(_) => class::UndecidedError::new_err(text),
        _ => class::QueryError::new_err(text),
    }
}

pub(crate) fn world(error: &WorldError) -> PyErr {
    let text = error.to_string();
    match error {
        WorldError::Stale { .. } => class::StaleObjectError::new_err(text),
        WorldError::Pose(_) | WorldError::PoseOf { .. } => class::PoseError::new_err(text),
        WorldError::Vertices { .. } => class::MeshError::new_err(text),
        _ => class::WorldError::new_err(text),
    }
}

pub(crate) fn restore(error: &RestoreError) -> PyErr {
    class::SnapshotError::new_err(error.to_string())
}
