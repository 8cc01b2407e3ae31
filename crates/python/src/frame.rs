//! `Frame`: the result of a check, as arrays.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use xcollide::narrow::{Contact, Kind};
use xcollide::{Collision, ObjectPair, Proof};

use crate::arrays::vectors;
use crate::object_numbers::number_of;

/// The result of a check of a world. Lists are ordered by pair, the smaller object first.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Frame(pub(crate) xcollide::Frame);

fn numbers(pair: ObjectPair) -> [u64; 2] {
    [number_of(pair.a), number_of(pair.b)]
}

fn pairs<'py>(
    py: Python<'py>,
    pairs: impl Iterator<Item = ObjectPair>,
) -> PyResult<Bound<'py, PyArray2<u64>>> {
    vectors(py, pairs.map(numbers).collect())
}

impl Frame {
    /// All contacts, with the places of their pairs in the list of collisions.
    fn contacts_by_pair(&self) -> impl Iterator<Item = (usize, &Contact)> {
        let colliding = self.0.colliding().enumerate();
        colliding
            .flat_map(|(place, pair)| self.0.contacts(pair).iter().map(move |one| (place, one)))
    }
}

type Contacts<'py> = (
    Bound<'py, PyArray1<u64>>,
    Bound<'py, PyArray2<u32>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
);

type Depths<'py> =
    (Bound<'py, PyArray2<u64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray2<f64>>);

type Manifolds<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray2<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<u32>>,
);

type Assumed<'py> = (Bound<'py, PyArray2<u64>>, Bound<'py, PyArray3<f64>>);

type Distances<'py> = (Bound<'py, PyArray2<u64>>, Bound<'py, PyArray1<f64>>);

type BoundedDistances<'py> = (
    Bound<'py, PyArray2<u64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<u64>>,
);

#[pymethods]
impl Frame {
    /// The number of the check, from 0.
    #[getter]
    fn number(&self) -> u64 {
        self.0.number
    }

    /// Pairs that collide and did not in the last check: shape (n, 2).
    #[getter]
    fn began<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        pairs(py, self.0.began.iter().map(|collision| collision.pair))
    }

    /// Pairs that collide and did in the last check: shape (n, 2).
    #[getter]
    fn persisting<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        pairs(py, self.0.persisting.iter().map(|collision| collision.pair))
    }

    /// Pairs that no longer collide: shape (n, 2).
    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        pairs(py, self.0.ended.iter().map(|ended| ended.pair))
    }

    /// All pairs that collide: shape (n, 2).
    #[getter]
    fn colliding<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        pairs(py, self.0.colliding().map(|collision| collision.pair))
    }

    /// A common point of each pair of `colliding`, in the world, rounded; of pairs within a tolerance the midpoint of the
    /// nearest points: shape (n, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors(py, self.0.colliding().map(|collision| collision.proof.point()).collect())
    }

    /// The faces of each pair of `colliding` that meet, −1 where a feature is no face: shape (n, 2).
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        vectors(py, self.0.colliding().map(faces).collect())
    }

    /// The interval of time from 0 to 1 in which each pair of `colliding` first touched, if an object was in motion, else
    /// 0, 0: shape (n, 2).
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let times = self.0.colliding().map(Collision::time);
        vectors(py, times.map(|time| time.map_or([0.0; 2], |time| [time.lo, time.hi])).collect())
    }

    /// The interval of time of the first contact among the pairs in motion.
    #[getter]
    fn first_contact(&self) -> Option<(f64, f64)> {
        self.0.first_contact().map(|time| (time.lo, time.hi))
    }

    /// Contacts of pairs that were asked for them: the place of the pair in `colliding`, shape (c,); the faces, shape
    /// (c, 2); and both ends of the intersection in the world, shape (c, 3).
    #[getter]
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Contacts<'py>> {
        let all = || self.contacts_by_pair();
        let places: Vec<u64> = all().map(|(place, _)| place as u64).collect();
        let faces = all().map(|(_, contact)| contact.faces.map(|face| face.0)).collect();
        let [starts, ends] =
            [0, 1].map(|end| all().map(|(_, contact)| contact.segment()[end]).collect());
        let places = places.into_pyarray(py);
        Ok((places, vectors(py, faces)?, vectors(py, starts)?, vectors(py, ends)?))
    }

    /// Distances of pairs that were asked for them: pairs, shape (d, 2), and distances, shape (d,).
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> PyResult<Distances<'py>> {
        let values: Vec<f64> = self.0.distances.iter().map(|(_, found)| found.value).collect();
        Ok((pairs(py, self.0.distances.iter().map(|(pair, _)| *pair))?, values.into_pyarray(py)))
    }

    /// Distances that the budget ended: pairs, shape (d, 2), lower bounds and upper bounds, shape (d,), and how many parts of each
    /// search were left, shape (d,). The next check measures them again.
    #[getter]
    fn bounded_distances<'py>(&self, py: Python<'py>) -> PyResult<BoundedDistances<'py>> {
        let all = || self.0.bounded_distances.iter();
        let at_least: Vec<f64> = all().map(|(_, found)| found.at_least).collect();
        let at_most: Vec<f64> = all().map(|(_, found)| found.nearest.value).collect();
        let parts: Vec<u64> = all().map(|(_, found)| u64::from(found.parts_left)).collect();
        let pairs = pairs(py, all().map(|(pair, _)| *pair))?;
        Ok((pairs, at_least.into_pyarray(py), at_most.into_pyarray(py), parts.into_pyarray(py)))
    }

    /// How the pairs of `colliding` that were asked for it lie to each other, the first to the second: "touching",
    /// "overlapping", "piercing", "enclosed", "enclosing" or "equal"; None for others.
    #[getter]
    fn kinds(&self) -> Vec<Option<&'static str>> {
        self.0.colliding().map(|collision| collision.kind.map(kind_name)).collect()
    }

    /// Pairs that collided at the last check and still do, in another way: tuples of both objects, the kind before and the kind
    /// now.
    #[getter]
    fn kind_changes(&self) -> Vec<(u64, u64, &'static str, &'static str)> {
        let changes = self.0.kind_changes.iter().map(|change| {
            let [one, other] = numbers(change.pair);
            (one, other, kind_name(change.before), kind_name(change.now))
        });
        changes.collect()
    }

    /// How deep pairs are in each other that were asked for it: pairs, shape (d, 2); bounds of the depth, (d, 2); and the
    /// directions along which the upper one separates the first from the second, (d, 3).
    #[getter]
    fn depths<'py>(&self, py: Python<'py>) -> PyResult<Depths<'py>> {
        let depths = || self.0.depths.iter();
        let bounds = depths().map(|(_, depth)| [depth.at_least, depth.at_most]).collect();
        let directions = depths().map(|(_, depth)| depth.direction).collect();
        let of_pairs = pairs(py, depths().map(|(pair, _)| *pair))?;
        Ok((of_pairs, vectors(py, bounds)?, vectors(py, directions)?))
    }

    /// Points of contact for a solver, at most four a pair, the deepest first, of pairs that were asked for them: the pair of
    /// each point, shape (p, 2); the points, (p, 3); the normals, from the second to the first, (p, 3); the depths there, (p,);
    /// and numbers that points of a pair keep from check to check, (p,).
    #[getter]
    fn manifolds<'py>(&self, py: Python<'py>) -> PyResult<Manifolds<'py>> {
        let points = || {
            self.0.manifolds.iter().flat_map(|(pair, manifold)| {
                manifold.points.iter().map(move |point| (*pair, manifold.normal, point))
            })
        };
        let depths: Vec<f64> = points().map(|(.., point)| point.depth).collect();
        let ids: Vec<u32> = points().map(|(.., point)| point.id).collect();
        Ok((
            pairs(py, points().map(|(pair, ..)| pair))?,
            vectors(py, points().map(|(.., point)| point.point).collect())?,
            vectors(py, points().map(|(_, normal, _)| normal).collect())?,
            depths.into_pyarray(py),
            ids.into_pyarray(py),
        ))
    }

    /// Pairs without an answer, which keep their last state: shape (n, 2).
    #[getter]
    fn undecided<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        pairs(py, self.0.undecided.iter().map(|(pair, _)| *pair))
    }

    /// The pairs among them that count as in contact, as there was no time and the world assumes contact: pairs, shape (n, 2),
    /// and the common part of their boxes, lower and upper corner, shape (n, 2, 3). Nothing is proved of them.
    #[getter]
    fn assumed<'py>(&self, py: Python<'py>) -> PyResult<Assumed<'py>> {
        let assumed = || self.0.assumed.iter();
        let corners: Vec<[f64; 3]> =
            assumed().flat_map(|assumed| [assumed.region.min, assumed.region.max]).collect();
        let boxes = vectors(py, corners)?.reshape([self.0.assumed.len(), 2, 3])?;
        Ok((pairs(py, assumed().map(|assumed| assumed.pair))?, boxes))
    }

    /// Problems with single objects or pairs. All else is valid.
    #[getter]
    fn failures(&self) -> Vec<String> {
        self.0.failures.iter().map(ToString::to_string).collect()
    }

    /// Seconds that the check took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.0.times.total().as_secs_f64()
    }

    fn __repr__(&self) -> String {
        let xcollide::Frame { number, began, persisting, ended, .. } = &self.0;
        let (began, persisting, ended) = (began.len(), persisting.len(), ended.len());
        format!("Frame({number}: {began} began, {persisting} persisting, {ended} ended)")
    }
}

/// How the first of a pair lies to the second.
pub(crate) fn kind_name(kind: Kind) -> &'static str {
    if kind == Kind::Enclosing { "enclosing" } else { kind.name() }
}

fn faces(collision: &Collision) -> [i64; 2] {
    let number = |face: Option<xcollide::brep::FaceId>| face.map_or(-1, |face| i64::from(face.0));
    match collision.proof {
        Proof::Witness(witness) | Proof::InMotion { witness, .. } => {
            [number(witness.a.face()), number(witness.b.face())]
        }
        Proof::Near(nearness) | Proof::NearInMotion { nearness, .. } => {
            nearness.faces.map_or([-1; 2], |faces| faces.map(|face| i64::from(face.0)))
        }
        _ => [-1; 2],
    }
}
