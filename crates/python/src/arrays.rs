//! Arrays in: any real type and any layout. C-contiguous float64 is read where it lies, all else is copied.

use numpy::{
    Element, PyArray1, PyArray2, PyArrayDescr, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn,
    PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{IntoPyDict, PyString};

use crate::errors::class::{ArrayError, DtypeError};

/// An array of numbers, contiguous in rows.
pub(crate) struct Floats<'py>(PyReadonlyArrayDyn<'py, f64>);

impl<'py> Floats<'py> {
    /// Reads what numpy takes for an array of real numbers.
    ///
    /// # Errors
    /// It is none; `what` names it.
    pub(crate) fn read(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        if let Ok(array) = value.cast::<PyArrayDyn<f64>>()
            && is_plain(array)
        {
            return Self::borrowed(array, what);
        }
        let array = as_array(value, what)?;
        let py = value.py();
        let float64 = numpy::dtype::<f64>(py);
        let options = [("casting", "same_kind")].into_py_dict(py)?;
        let can = module(py)?.call_method("can_cast", (array.dtype(), &float64), Some(&options))?;
        if !can.is_truthy()? {
            let found = array.dtype().str()?;
            return Err(DtypeError::new_err(format!(
                "{what} has dtype {found}, expected float64 or another type of real numbers"
            )));
        }
        let copy = copied(&array, &float64)?;
        Self::borrowed(copy.cast::<PyArrayDyn<f64>>()?, what)
    }

    fn borrowed(array: &Bound<'py, PyArrayDyn<f64>>, what: &str) -> PyResult<Self> {
        let borrowed = array.try_readonly();
        borrowed.map(Self).map_err(|error| ArrayError::new_err(format!("{what}: {error}")))
    }

    pub(crate) fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    /// All numbers, row by row.
    pub(crate) fn numbers(&self) -> &[f64] {
        self.0.as_slice().unwrap_or_default()
    }
}

/// Rows of `N` numbers each.
pub(crate) struct Rows<'py, const N: usize>(Floats<'py>);

impl<'py, const N: usize> Rows<'py, N> {
    /// # Errors
    /// It is no array of real numbers of shape (n, N).
    pub(crate) fn read(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Self> {
        let floats = Floats::read(value, what)?;
        if floats.shape().len() != 2 || floats.shape()[1] != N {
            return Err(wrong_shape(what, floats.shape(), &format!("(n, {N})")));
        }
        Ok(Self(floats))
    }

    pub(crate) fn rows(&self) -> &[[f64; N]] {
        self.0.numbers().as_chunks().0
    }
}

/// A vector of `N` numbers.
///
/// # Errors
/// It is none.
pub(crate) fn vector<const N: usize>(value: &Bound<'_, PyAny>, what: &str) -> PyResult<[f64; N]> {
    let floats = Floats::read(value, what)?;
    match floats.numbers().first_chunk() {
        Some(numbers) if floats.shape() == [N] => Ok(*numbers),
        _ => Err(wrong_shape(what, floats.shape(), &format!("({N},)"))),
    }
}

/// Polygons as lists of vertex numbers: an array of shape (m, k), or a sequence of sequences.
///
/// # Errors
/// It is neither, or holds something else than integers.
pub(crate) fn polygons(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<Vec<i64>>> {
    let is_array = value.cast::<PyUntypedArray>().is_ok() || value.hasattr("__array__")?;
    if !is_array {
        let lists = value.extract::<Vec<Vec<i64>>>();
        return lists.map_err(|error| {
            DtypeError::new_err(format!(
                "{what} is a {}, expected an array of integers of shape (m, k), or a list of lists of them: {error}",
                type_name(value)
            ))
        });
    }
    let array = as_array(value, what)?;
    if array.shape().contains(&0) {
        return Ok(Vec::new());
    }
    let kind: String = array.dtype().getattr("kind")?.extract()?;
    if kind != "i" && kind != "u" {
        let found = array.dtype().str()?;
        return Err(DtypeError::new_err(format!("{what} has dtype {found}, expected integers")));
    }
    if array.ndim() != 2 {
        return Err(wrong_shape(what, array.shape(), "(m, k)"));
    }
    let width = array.shape()[1];
    let copy = copied(&array, &numpy::dtype::<i64>(value.py()))?;
    let copy = copy.cast::<PyArrayDyn<i64>>()?.try_readonly();
    let copy = copy.map_err(|error| ArrayError::new_err(format!("{what}: {error}")))?;
    let numbers = copy.as_slice().unwrap_or_default();
    Ok(numbers.chunks_exact(width).map(<[i64]>::to_vec).collect())
}

/// Object numbers and the like: a vector of integers from 0 on.
///
/// # Errors
/// It is none.
pub(crate) fn indices(value: &Bound<'_, PyAny>, what: &str) -> PyResult<Vec<u64>> {
    let array = as_array(value, what)?;
    if array.shape() == [0] {
        return Ok(Vec::new());
    }
    let kind: String = array.dtype().getattr("kind")?.extract()?;
    if array.ndim() != 1 {
        return Err(wrong_shape(what, array.shape(), "(n,)"));
    }
    if kind != "i" && kind != "u" {
        let found = array.dtype().str()?;
        return Err(DtypeError::new_err(format!("{what} has dtype {found}, expected integers")));
    }
    let list: Vec<i128> = array.call_method0("tolist")?.extract()?;
    let number = |(place, number): (usize, &i128)| {
        u64::try_from(*number).map_err(|_| {
            ArrayError::new_err(format!("{what}[{place}] is {number}, expected a number from 0 on"))
        })
    };
    list.iter().enumerate().map(number).collect()
}

/// An array of vectors, without a copy of them.
pub(crate) fn vectors<'py, T: Element + Copy, const N: usize>(
    py: Python<'py>,
    rows: Vec<[T; N]>,
) -> PyResult<Bound<'py, PyArray2<T>>> {
    let count = rows.len();
    // The memory of the rows becomes that of the array.
    let flat = PyArray1::from_vec(py, rows.into_flattened());
    flat.reshape([count, N])
}

/// The name of a value's type.
pub(crate) fn type_name(value: &Bound<'_, PyAny>) -> String {
    value.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}

pub(crate) fn wrong_shape(what: &str, found: &[usize], expected: &str) -> PyErr {
    let numbers: Vec<String> = found.iter().map(usize::to_string).collect();
    let comma = if found.len() == 1 { "," } else { "" };
    let found = numbers.join(", ");
    ArrayError::new_err(format!("{what} has shape ({found}{comma}), expected {expected}"))
}

/// Whether the memory can be read as it is.
fn is_plain(array: &Bound<'_, PyArrayDyn<f64>>) -> bool {
    array.is_c_contiguous() && array.data().is_aligned()
}

/// A copy, contiguous, aligned and in the byte order of the machine.
fn copied<'py>(
    array: &Bound<'py, PyUntypedArray>,
    dtype: &Bound<'py, PyArrayDescr>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let order = PyString::new(py, "C");
    let options = [("dtype", dtype.as_any()), ("order", order.as_any())].into_py_dict(py)?;
    module(py)?.call_method("array", (array,), Some(&options))
}

fn as_array<'py>(value: &Bound<'py, PyAny>, what: &str) -> PyResult<Bound<'py, PyUntypedArray>> {
    let made = module(value.py())?.call_method1("asarray", (value,));
    let array = made.map_err(|error| {
        let text = format!("{what} is a {}, expected an array: {error}", type_name(value));
        ArrayError::new_err(text)
    })?;
    Ok(array.cast_into::<PyUntypedArray>()?)
}

fn module(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static NUMPY: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    NUMPY.get_or_try_init(py, || Ok(py.import("numpy")?.unbind())).map(|module| module.bind(py))
}
