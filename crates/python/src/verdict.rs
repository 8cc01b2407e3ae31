//! `Verdict`: the answer about two models with its proof.

use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use xcollide::narrow::combine::Auto;
use xcollide::narrow::{
    Certificate, Feature, NarrowPhase, PairCache, Query, Reason, Semantics, Separation,
    Verdict as Found,
};

use crate::errors;
use crate::errors::class::UndecidedError;
use crate::operand::Pair;

/// Whether two placed models have a point in common, with the proof. It keeps the models and poses that it is about.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Verdict {
    pair: Pair,
    semantics: Semantics,
    found: Found,
}

impl Verdict {
    pub(crate) fn find(py: Python<'_>, pair: Pair, semantics: Semantics) -> PyResult<Self> {
        let query = Query::new().semantics(semantics).certificate(Certificate::Full);
        let [a, b] = pair.placed()?;
        let found = py.detach(|| Auto::new().test(a, b, &query, &mut PairCache::new()));
        let _ = decided(&found)?;
        Ok(Self { pair, semantics, found })
    }
}

/// The answer as a bool.
///
/// # Errors
/// There is none.
pub(crate) fn decided(verdict: &Found) -> PyResult<bool> {
    match verdict {
        Found::Undecided(reason) => Err(UndecidedError::new_err(undecided(*reason))),
        _ => Ok(verdict.is_collision()),
    }
}

/// Why there is no answer.
pub(crate) fn undecided(reason: Reason) -> String {
    match reason {
        Reason::TooClose => "rounding hides the answer: use meshes, or distance()".to_owned(),
        Reason::Unfinished { near, parts } => format!(
            "the time was over with {parts} parts left to search; the bodies are at most {} apart",
            near.at_most
        ),
        _ => format!("the test is undecided: {reason:?}"),
    }
}

#[pymethods]
impl Verdict {
    /// Whether they have a point in common; so does `bool(verdict)`.
    #[getter]
    fn collides(&self) -> bool {
        self.found.is_collision()
    }

    fn __bool__(&self) -> bool {
        self.found.is_collision()
    }

    /// The kind of the proof: "witness" if they collide, else "plane", "front" or "pairwise".
    #[getter]
    fn kind(&self) -> &'static str {
        match &self.found {
            Found::Collides(_) => "witness",
            Found::Apart(Separation::Plane(_)) => "plane",
            Found::Apart(Separation::Front(_)) => "front",
            Found::Apart(_) | Found::Undecided(_) => "pairwise",
        }
    }

    /// What meets, if they collide.
    #[getter]
    fn witness(&self) -> Option<Witness> {
        match self.found {
            Found::Collides(witness) => Some(Witness(witness)),
            _ => None,
        }
    }

    /// A separating plane, if there is one: its normal n, shape (3,), and offset d. All vertices of the first model have
    /// n · x ≤ d, all of the second n · x ≥ d, and one of the two strictly.
    #[getter]
    fn plane<'py>(&self, py: Python<'py>) -> Option<(Bound<'py, PyArray1<f64>>, f64)> {
        match &self.found {
            Found::Apart(Separation::Plane(plane)) => {
                Some((plane.normal.to_vec().into_pyarray(py), plane.offset))
            }
            _ => None,
        }
    }

    /// Verifies the proof, exactly, without the algorithm that found it. Raises `ProofError` if it does not hold.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let [a, b] = self.pair.placed()?;
        let verified = py.detach(|| match &self.found {
            Found::Collides(witness) => witness.verify(a, b, self.semantics),
            Found::Apart(separation) => separation.verify(a, b, self.semantics),
            Found::Undecided(_) => Ok(()),
        });
        verified.map_err(|error| errors::proof(&error))
    }

    fn __repr__(&self) -> String {
        format!("Verdict({}, {})", if self.collides() { "collides" } else { "apart" }, self.kind())
    }
}

/// Two features that meet, and a point of both.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Witness(pub(crate) xcollide::narrow::Witness);

#[pymethods]
impl Witness {
    /// The common point in the world, rounded: shape (3,).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.point.to_vec().into_pyarray(py)
    }

    /// The feature of the first model, such as ("face", 3), ("edge", 3, 0, 1), ("vertex", 7) or ("body",).
    #[getter]
    fn a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        feature(py, self.0.a)
    }

    /// The feature of the second model.
    #[getter]
    fn b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        feature(py, self.0.b)
    }

    /// The two faces, −1 for a feature that is none.
    #[getter]
    fn faces(&self) -> (i64, i64) {
        let number = |feature: Feature| feature.face().map_or(-1, |face| i64::from(face.0));
        (number(self.0.a), number(self.0.b))
    }

    fn __repr__(&self) -> String {
        format!("Witness({:?}, {:?}, point={:?})", self.0.a, self.0.b, self.0.point)
    }
}

fn feature(py: Python<'_>, feature: Feature) -> PyResult<Bound<'_, PyAny>> {
    let tuple = match feature {
        Feature::Face(face) => ("face", face.0).into_pyobject(py)?.into_any(),
        Feature::Edge { face, ends: [p, q] } => {
            ("edge", face.0, p.0, q.0).into_pyobject(py)?.into_any()
        }
        Feature::Vertex(vertex) => ("vertex", vertex.0).into_pyobject(py)?.into_any(),
        _ => ("body",).into_pyobject(py)?.into_any(),
    };
    Ok(tuple)
}
