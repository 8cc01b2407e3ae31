//! Poses in: 4×4 matrices, kept bit for bit, or pairs of quaternions and translations.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use xcollide::{Pose, PoseError};

use crate::arrays::{Floats, Rows, vector, wrong_shape};
use crate::errors;
use crate::errors::class::PoseError as PyPoseError;

/// A pose as an argument: `None` for the identity, a matrix of shape (4, 4), or a pair of a unit
/// quaternion x, y, z, w and a translation.
///
/// # Errors
/// It is none of these, or no rigid motion of finite numbers.
pub(crate) fn pose(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Pose> {
    if value.is_none() {
        return Ok(Pose::IDENTITY);
    }
    if let Some([quaternion, translation]) = parts(value)? {
        let quaternion = vector::<4>(&quaternion, &format!("the quaternion of {what}"))?;
        let translation = vector::<3>(&translation, &format!("the translation of {what}"))?;
        return Pose::from_quaternion(quaternion, translation)
            .map_err(|error| errors::pose(what, &error));
    }
    let floats = Floats::read(value, what)?;
    match floats.numbers().first_chunk::<16>() {
        Some(numbers) if floats.shape() == [4, 4] => {
            from_matrix(numbers).map_err(|error| error.of(what, None))
        }
        _ => Err(wrong_shape(
            what,
            floats.shape(),
            "(4, 4), or a tuple of a quaternion and a translation",
        )),
    }
}

/// One pose or many, as an argument of a batch.
pub(crate) enum Poses<'py> {
    One(Pose),
    Matrices(Floats<'py>),
    Parts(Rows<'py, 4>, Rows<'py, 3>),
}

impl<'py> Poses<'py> {
    /// As [`pose`], or many of them: an array of shape (n, 4, 4), or a pair of arrays of shape (n, 4) and
    /// (n, 3).
    ///
    /// # Errors
    /// It is none of these. Of many, the poses are read later.
    pub(crate) fn read(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        if value.is_none() {
            return Ok(Self::One(Pose::IDENTITY));
        }
        if let Some([quaternions, translations]) = parts(value)? {
            let quaternion = format!("the quaternion of {what}");
            if Floats::read(&quaternions, &quaternion)?.shape().len() == 1 {
                return pose(value, what).map(Self::One);
            }
            let turns = Rows::read(&quaternions, &format!("the quaternions of {what}"))?;
            let moves = Rows::<3>::read(&translations, &format!("the translations of {what}"))?;
            if turns.rows().len() != moves.rows().len() {
                let (found, expected) = (moves.rows().len(), turns.rows().len());
                let found = format!("{what} has {expected} quaternions and {found} translations");
                return Err(PyPoseError::new_err(format!("{found}, expected as many")));
            }
            return Ok(Self::Parts(turns, moves));
        }
        let floats = Floats::read(value, what)?;
        match *floats.shape() {
            [4, 4] => pose(value, what).map(Self::One),
            [_, 4, 4] => Ok(Self::Matrices(floats)),
            _ => Err(wrong_shape(
                what,
                floats.shape(),
                "(n, 4, 4), (4, 4), or a tuple of quaternions and translations",
            )),
        }
    }

    /// The numbers, for any thread.
    pub(crate) fn view(&self) -> PosesView<'_> {
        match self {
            Self::One(pose) => PosesView::One(*pose),
            Self::Matrices(floats) => PosesView::Matrices(floats.numbers().as_chunks().0),
            Self::Parts(turns, moves) => PosesView::Parts(turns.rows(), moves.rows()),
        }
    }
}

/// The numbers of one pose or many.
#[derive(Clone, Copy)]
pub(crate) enum PosesView<'a> {
    One(Pose),
    Matrices(&'a [[f64; 16]]),
    Parts(&'a [[f64; 4]], &'a [[f64; 3]]),
}

impl PosesView<'_> {
    /// How many there are; `None` if it is one for all.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Matrices(matrices) => Some(matrices.len()),
            Self::Parts(turns, _) => Some(turns.len()),
        }
    }

    #[inline]
    pub(crate) fn at(&self, index: usize) -> Result<Pose, Defect> {
        match self {
            Self::One(pose) => Ok(*pose),
            Self::Matrices(matrices) => from_matrix(&matrices[index]),
            Self::Parts(turns, moves) => {
                Pose::from_quaternion(turns[index], moves[index]).map_err(Defect::Pose)
            }
        }
    }
}

/// Why a matrix is no pose.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Defect {
    Pose(PoseError),
    LastRow([f64; 4]),
}

impl Defect {
    /// The exception, for one pose or that of a number.
    pub(crate) fn of(self, what: &str, number: Option<usize>) -> PyErr {
        let what = number.map_or_else(|| what.to_owned(), |number| format!("{what}[{number}]"));
        match self {
            Self::Pose(error) => errors::pose(&what, &error),
            Self::LastRow(row) => PyPoseError::new_err(format!(
                "{what}: the last row of the matrix is {row:?}, expected [0, 0, 0, 1]; is it transposed?"
            )),
        }
    }
}

#[inline]
pub(crate) fn from_matrix(numbers: &[f64; 16]) -> Result<Pose, Defect> {
    let [a, b, c, x, d, e, f, y, g, h, i, z, last @ ..] = *numbers;
    if last != [0.0, 0.0, 0.0, 1.0] {
        return Err(Defect::LastRow(last));
    }
    Pose::from_matrix([[a, b, c], [d, e, f], [g, h, i]], [x, y, z]).map_err(Defect::Pose)
}

/// The two members of a tuple.
fn parts<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
    match value.cast::<PyTuple>() {
        Ok(tuple) if tuple.len() == 2 => Ok(Some([tuple.get_item(0)?, tuple.get_item(1)?])),
        _ => Ok(None),
    }
}

/// The matrix of a pose, bit for bit.
pub(crate) fn matrix(pose: &Pose) -> [[f64; 4]; 4] {
    let ([r, s, t], [x, y, z]) = (*pose.rotation(), pose.translation());
    let row = |[a, b, c]: [f64; 3], d: f64| [a, b, c, d];
    [row(r, x), row(s, y), row(t, z), [0.0, 0.0, 0.0, 1.0]]
}
