//! Batches of poses of two bodies.

use std::ops::Range;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use xcollide::narrow::combine::Auto;
use xcollide::narrow::formula::Formulas;
use xcollide::narrow::{
    NarrowPhase, PairCache, PairQuery, Placed, Query, Reason, Semantics, Verdict,
};
use xcollide::{Model, Pose, PoseError};

use crate::arrays::vectors;
use crate::batch::{Batch, TOGETHER};
use crate::errors::class::{ArrayError, UndecidedError};
use crate::operand::{model, semantics};
use crate::poses::{Defect, Poses, PosesView};
use crate::queries::{self, no_faces};
use crate::verdict::undecided;

type Object<'py> = Bound<'py, PyAny>;

/// For each pose, or pair of poses, whether two bodies have a point in common: array of bools, shape (n,). Exact.
///
/// intersects_many(a, poses_a, b, poses_b, *, semantics="solid", threads=None)
///
/// poses_a, poses_b: arrays of shape (n, 4, 4), or tuples of quaternions, shape (n, 4), and translations, shape
/// (n, 3); one of them may be a single pose or None, for all. C-contiguous float64 is not copied.
/// threads: None for all processors; the answers do not depend on it.
///
/// Raises `PoseError` that names the first pose that is none, and otherwise as `intersects`.
///
/// >>> import numpy, xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> poses = numpy.tile(numpy.eye(4), (4, 1, 1))
/// >>> poses[:, 0, 3] = [0.0, 0.75, 1.0, 1.25]
/// >>> xcollide.intersects_many(box, poses, box, None).tolist()
/// [True, True, True, False]
#[pyfunction]
#[pyo3(signature = (a, poses_a, b, poses_b, *, semantics="solid", threads=None))]
pub(crate) fn intersects_many<'py>(
    py: Python<'py>,
    a: &Object<'py>,
    poses_a: &Object<'py>,
    b: &Object<'py>,
    poses_b: &Object<'py>,
    semantics: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let query = Query::new().semantics(self::semantics(semantics)?);
    let models = [model(a, "a")?, model(b, "b")?];
    let poses = PosePairs::read(poses_a, poses_b)?;
    let views = poses.views();
    let batch = Batch::new(poses.len, threads)?;
    let answers = py.detach(|| {
        let [a, b] = &models;
        prepare(a, b);
        let start = || Memory { caches: Vec::new(), verdicts: Vec::new() };
        batch.run_together(false, start, |memory, range, answers| {
            together([a, b], views, &query, memory, range, answers)
        })
    });
    answers.map(|answers| answers.into_pyarray(py)).map_err(Problem::raised)
}

/// The distance for each pose, or pair of poses: array of shape (n,), in units of length; 0 where the bodies collide.
///
/// distance_many(a, poses_a, b, poses_b, *, semantics="solid", threads=None)
///
/// Arguments as of `intersects_many`, errors as of `distance`.
#[pyfunction]
#[pyo3(signature = (a, poses_a, b, poses_b, *, semantics="solid", threads=None))]
pub(crate) fn distance_many<'py>(
    py: Python<'py>,
    a: &Object<'py>,
    poses_a: &Object<'py>,
    b: &Object<'py>,
    poses_b: &Object<'py>,
    semantics: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let found = nearest(py, [a, b], [poses_a, poses_b], semantics, threads)?;
    Ok(found.iter().map(|found| found.distance).collect::<Vec<_>>().into_pyarray(py))
}

type Nearest<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray3<f64>>, Bound<'py, PyArray2<i64>>);

/// The nearest points for each pose, or pair of poses: distances, shape (n,); points in the world, shape (n, 2, 3);
/// faces, shape (n, 2), −1 where one body contains the other, and for shapes.
///
/// closest_points_many(a, poses_a, b, poses_b, *, semantics="solid", threads=None)
///
/// Arguments as of `intersects_many`, errors as of `closest_points`.
#[pyfunction]
#[pyo3(signature = (a, poses_a, b, poses_b, *, semantics="solid", threads=None))]
pub(crate) fn closest_points_many<'py>(
    py: Python<'py>,
    a: &Object<'py>,
    poses_a: &Object<'py>,
    b: &Object<'py>,
    poses_b: &Object<'py>,
    semantics: &str,
    threads: Option<usize>,
) -> PyResult<Nearest<'py>> {
    let found = nearest(py, [a, b], [poses_a, poses_b], semantics, threads)?;
    let distances: Vec<f64> = found.iter().map(|found| found.distance).collect();
    let points: Vec<[f64; 3]> = found.iter().flat_map(|found| found.points).collect();
    let faces = found.iter().map(|found| found.faces).collect();
    let points = vectors(py, points)?.reshape([found.len(), 2, 3])?;
    Ok((distances.into_pyarray(py), points, vectors(py, faces)?))
}

/// The nearest points at one pair of poses.
#[derive(Clone, Copy, Default)]
struct Closest {
    distance: f64,
    points: [[f64; 3]; 2],
    faces: [i64; 2],
}

fn nearest<'py>(
    py: Python<'py>,
    bodies: [&Object<'py>; 2],
    poses: [&Object<'py>; 2],
    semantics: &str,
    threads: Option<usize>,
) -> PyResult<Vec<Closest>> {
    let semantics = self::semantics(semantics)?;
    let models = [model(bodies[0], "a")?, model(bodies[1], "b")?];
    let poses = PosePairs::read(poses[0], poses[1])?;
    let views = poses.views();
    let batch = Batch::of_long_items(poses.len, threads)?;
    let found = py.detach(|| {
        batch.run(
            Closest::default(),
            || (),
            |(), item| {
                let poses = [views[0].pose(item)?, views[1].pose(item)?];
                closest(&models, &poses, semantics)
            },
        )
    });
    found.map_err(Problem::raised)
}

fn closest(
    [a, b]: &[Model; 2],
    poses: &[Pose; 2],
    semantics: Semantics,
) -> Result<Closest, Problem> {
    let a =
        Placed::new(a, &poses[0]).map_err(|error| Problem::Pose("poses_a", Defect::Pose(error)))?;
    let b =
        Placed::new(b, &poses[1]).map_err(|error| Problem::Pose("poses_b", Defect::Pose(error)))?;
    let found = queries::nearest(a, b, semantics).ok_or(Problem::NoFaces)?;
    let faces = found.faces.map_or([-1; 2], |faces| faces.map(i64::from));
    Ok(Closest { distance: found.distance, points: found.points, faces })
}

/// Builds what the tests need, once instead of once a thread.
fn prepare(a: &Model, b: &Model) {
    // The default algorithm refuses no model.
    let _ = (Auto::new().prepare(a), Auto::new().prepare(b));
    if a.formula().is_some() || b.formula().is_some() {
        let _ = (Formulas.prepare(a), Formulas.prepare(b));
    }
}

/// What a thread keeps from one call of the narrow phase to the next.
struct Memory {
    caches: Vec<PairCache>,
    verdicts: Vec<Verdict>,
}

/// Tests up to [`TOGETHER`] pairs of poses by one call of the narrow phase.
fn together(
    [a, b]: [&Model; 2],
    views: [Side<'_>; 2],
    query: &Query,
    memory: &mut Memory,
    range: Range<usize>,
    answers: &mut [bool],
) -> Result<(), (usize, Problem)> {
    let Memory { caches, verdicts } = memory;
    let first = range.start;
    caches.resize_with(TOGETHER, PairCache::new);
    // An answer depends on its own pair alone.
    caches.iter_mut().for_each(PairCache::forget);
    let [poses_a, poses_b] = [views[0].poses(range.clone())?, views[1].poses(range)?];
    let at = |poses: &'_ [Pose], place: usize| if poses.len() == 1 { 0 } else { place };
    let mut pairs = Vec::with_capacity(answers.len());
    for (place, cache) in (0..answers.len()).zip(caches) {
        let item = |name: &'static str| {
            move |error: PoseError| (first + place, Problem::Pose(name, Defect::Pose(error)))
        };
        let a = Placed::new(a, &poses_a[at(&poses_a, place)]).map_err(item(views[0].name))?;
        let b = Placed::new(b, &poses_b[at(&poses_b, place)]).map_err(item(views[1].name))?;
        pairs.push(PairQuery::new(a, b, cache));
    }
    Auto::new().test_many(&mut pairs, query, verdicts);
    for (place, (answer, verdict)) in answers.iter_mut().zip(verdicts.iter()).enumerate() {
        *answer = match verdict {
            Verdict::Collides(_) => true,
            Verdict::Apart(_) => false,
            Verdict::Undecided(reason) => return Err((first + place, Problem::Undecided(*reason))),
        };
    }
    Ok(())
}

/// The poses of two bodies, as many of both.
struct PosePairs<'py> {
    a: Poses<'py>,
    b: Poses<'py>,
    len: usize,
}

impl<'py> PosePairs<'py> {
    fn read(a: &Object<'py>, b: &Object<'py>) -> PyResult<Self> {
        let (a, b) = (Poses::read(a, "poses_a")?, Poses::read(b, "poses_b")?);
        let len = match (a.view().len(), b.view().len()) {
            (Some(of_a), Some(of_b)) if of_a != of_b => {
                let text = format!("found {of_a} poses_a and {of_b} poses_b, expected as many");
                return Err(ArrayError::new_err(text));
            }
            (None, None) => {
                let text = "found one pose of each body, expected an array of shape (n, 4, 4) for one of them";
                return Err(ArrayError::new_err(text));
            }
            (Some(len), _) | (_, Some(len)) => len,
        };
        Ok(Self { a, b, len })
    }

    fn views(&self) -> [Side<'_>; 2] {
        [
            Side { name: "poses_a", view: self.a.view() },
            Side { name: "poses_b", view: self.b.view() },
        ]
    }
}

/// The poses of one of the bodies.
#[derive(Clone, Copy)]
struct Side<'a> {
    name: &'static str,
    view: PosesView<'a>,
}

impl Side<'_> {
    fn pose(&self, item: usize) -> Result<Pose, Problem> {
        self.view.at(item).map_err(|defect| Problem::Pose(self.name, defect))
    }

    /// The poses of a range; one, if it is one for all.
    fn poses(&self, range: Range<usize>) -> Result<Vec<Pose>, (usize, Problem)> {
        if let PosesView::One(pose) = self.view {
            return Ok(vec![pose]);
        }
        range.map(|item| self.pose(item).map_err(|problem| (item, problem))).collect()
    }
}

/// Why there is no answer for an item.
enum Problem {
    Pose(&'static str, Defect),
    NoFaces,
    Undecided(Reason),
}

impl Problem {
    fn raised((item, problem): (usize, Self)) -> PyErr {
        match problem {
            Self::Pose(name, defect) => defect.of(name, Some(item)),
            Self::NoFaces => no_faces(),
            Self::Undecided(reason) => {
                UndecidedError::new_err(format!("pose {item}: {}", undecided(reason)))
            }
        }
    }
}
