//! `Robot`: the links of a URDF file, configuration by configuration.

// A closure takes a state of any lifetime, the path of a method one of a certain lifetime.
#![allow(clippy::redundant_closure_for_method_calls)]

use std::path::PathBuf;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use xcollide::Pose;
use xcollide::robot::{BodyId, Packages, RobotError, RobotState};

use crate::arrays::{Floats, vectors, wrong_shape};
use crate::batch::Batch;
use crate::edge::Edge;
use crate::errors::class::RobotError as PyRobotError;
use crate::operand::model;
use crate::poses::pose;

/// A robot of a URDF file with its meshes, and optionally an SRDF file with pairs of links that are not tested.
///
/// Robot(urdf, srdf=None, *, packages=None)
///
/// packages: a dict from names of packages, as in package://NAME/…, to their folders; others are searched beside the file
/// and in ROS_PACKAGE_PATH.
///
/// A configuration is an array of shape (dof,): a value for each of `joints`, in radians or units of length. Limits are
/// not enforced. Bodies are links with collision geometry, attached objects and obstacles.
///
/// Raises `RobotError` with file, line and element.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Robot {
    inner: RwLock<xcollide::robot::Robot>,
}

impl Robot {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, xcollide::robot::Robot> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change<R: Send>(
        &self,
        py: Python<'_>,
        action: impl FnOnce(&mut xcollide::robot::Robot) -> Result<R, RobotError> + Send,
    ) -> PyResult<R> {
        let changed =
            py.detach(|| action(&mut self.inner.write().unwrap_or_else(PoisonError::into_inner)));
        changed.map_err(|error| raised(&error))
    }

    /// Reads configurations, of shape (n, dof), or one, of shape (dof,).
    fn configurations(&self, value: &Bound<'_, PyAny>, name: &str) -> PyResult<Configurations> {
        let floats = Floats::read(value, name)?;
        let joints = self.read().description().joints().len();
        let (is_one, many) = match *floats.shape() {
            [count] if count == joints => (true, 1),
            [many, count] if count == joints => (false, many),
            _ => {
                let expected = format!("(n, {joints}) or ({joints},)");
                return Err(wrong_shape(name, floats.shape(), &expected));
            }
        };
        Ok(Configurations { joints, is_one, many, values: floats.numbers().to_vec() })
    }

    /// An answer for each configuration.
    fn query<R: Send + Clone>(
        &self,
        py: Python<'_>,
        configurations: &Bound<'_, PyAny>,
        threads: Option<usize>,
        nothing: R,
        query: impl Fn(&mut RobotState<'_>) -> Result<R, RobotError> + Sync,
    ) -> PyResult<Answers<R>> {
        let Configurations { joints, is_one, many, values } =
            self.configurations(configurations, "configurations")?;
        let batch = Batch::new(many, threads)?;
        let answers = py.detach(|| {
            let robot = self.read();
            let start = || robot.state();
            batch.run(nothing, start, |state, number| {
                let state = state.as_mut().map_err(|error| error.clone())?;
                state.set_joints(&values[number * joints..(number + 1) * joints])?;
                query(state)
            })
        });
        let answers = answers.map_err(|(index, error)| {
            raised(&if is_one {
                error
            } else {
                RobotError::OfMany { index, error: Box::new(error) }
            })
        })?;
        Ok(Answers { is_one, answers })
    }
}

/// Configurations, one after the other.
struct Configurations {
    /// The values of each.
    joints: usize,
    is_one: bool,
    many: usize,
    values: Vec<f64>,
}

/// Answers, and whether they are those of one configuration.
struct Answers<R> {
    is_one: bool,
    answers: Vec<R>,
}

pub(crate) fn raised(error: &RobotError) -> PyErr {
    PyRobotError::new_err(error.to_string())
}

type Nearest<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<i64>>, Bound<'py, PyArray3<f64>>);

#[pymethods]
impl Robot {
    #[new]
    #[pyo3(signature = (urdf, srdf=None, *, packages=None))]
    fn new(
        py: Python<'_>,
        urdf: PathBuf,
        srdf: Option<PathBuf>,
        packages: Option<std::collections::BTreeMap<String, PathBuf>>,
    ) -> PyResult<Self> {
        let named = packages.unwrap_or_default().into_iter();
        let packages =
            named.fold(Packages::from_environment(), |all, (name, folder)| all.with(&name, folder));
        let robot = py.detach(|| xcollide::robot::Robot::load(urdf, srdf, &packages));
        Ok(Self { inner: RwLock::new(robot.map_err(|error| raised(&error))?) })
    }

    /// The names of the joints of a configuration, in order.
    #[getter]
    fn joints(&self) -> Vec<String> {
        self.read().description().joints().map(|joint| joint.name.to_owned()).collect()
    }

    /// The names of the bodies, by number; "" for one that is gone.
    #[getter]
    fn bodies(&self) -> Vec<String> {
        let robot = self.read();
        let last = robot.bodies().map(|body| body.index() + 1).max().unwrap_or(0);
        let mut names = vec![String::new(); last];
        for body in robot.bodies() {
            robot.name(body).clone_into(&mut names[body.index()]);
        }
        names
    }

    /// The pairs of bodies that are tested, by number: shape (n, 2).
    #[getter]
    fn tested_pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        vectors(py, self.read().tested_pairs().map(numbers).collect())
    }

    /// Whether two bodies collide, or are within the margin: a bool for a configuration of shape (dof,), an array of
    /// shape (n,) for configurations of shape (n, dof). Exact for the poses of the links.
    ///
    /// check(configurations, *, threads=None)
    ///
    /// Raises `RobotError` that names the first configuration that is none.
    #[pyo3(signature = (configurations, *, threads=None))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let found = self.query(py, configurations, threads, false, |state| state.collides())?;
        match (found.is_one, found.answers.first()) {
            (true, Some(&answer)) => Ok(answer.into_pyobject(py)?.to_owned().into_any()),
            _ => Ok(found.answers.into_pyarray(py).into_any()),
        }
    }

    /// The names of all pairs of bodies that collide in one configuration, shape (dof,).
    fn colliding_pairs(
        &self,
        py: Python<'_>,
        configuration: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(String, String)>> {
        let found =
            self.query(py, configuration, Some(1), Vec::new(), |state| state.colliding_pairs())?;
        let robot = self.read();
        let name = |body: BodyId| robot.name(body).to_owned();
        Ok(found.answers.iter().flatten().map(|&[a, b]| (name(a), name(b))).collect())
    }

    /// The least distance of two tested bodies for each configuration, shape (n, dof) or (dof,): distances, shape (n,),
    /// inf if no pair is tested; the bodies, shape (n, 2); and their nearest points in the frame of the base, shape
    /// (n, 2, 3).
    #[pyo3(signature = (configurations, *, threads=None))]
    fn distance<'py>(
        &self,
        py: Python<'py>,
        configurations: &Bound<'py, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Nearest<'py>> {
        let found =
            self.query(py, configurations, threads, None, |state| state.distance())?.answers;
        let distances: Vec<f64> =
            found.iter().map(|one| one.map_or(f64::INFINITY, |one| one.distance)).collect();
        let bodies =
            found.iter().map(|one| one.map_or([-1; 2], |one| numbers(one.bodies))).collect();
        let points: Vec<[f64; 3]> =
            found.iter().flat_map(|one| one.map_or([[f64::NAN; 3]; 2], |one| one.points)).collect();
        let points = vectors(py, points)?.reshape([found.len(), 2, 3])?;
        Ok((distances.into_pyarray(py), vectors(py, bodies)?, points))
    }

    /// Whether bodies collide while all joints go evenly from one configuration to another, at any moment, with the proof.
    ///
    /// check_edge(start, end, *, width=1e-6) -> Edge
    ///
    /// start, end: shape (dof,).
    /// width: how wide the interval of time may be, from 0 to 1, that contains the first collision.
    ///
    /// The answer is about all moments of the way, not about samples, and keeps the margin. Joints that turn go the way of
    /// their numbers.
    #[pyo3(signature = (start, end, *, width=1e-6))]
    fn check_edge(
        slf: &Bound<'_, Self>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        width: f64,
    ) -> PyResult<Edge> {
        let robot = slf.get();
        let read = |value: &Bound<'_, PyAny>, name: &str| {
            let Configurations { joints, is_one, many, values } =
                robot.configurations(value, name)?;
            match is_one {
                true => Ok(values),
                false => Err(wrong_shape(name, &[many, joints], &format!("({joints},)"))),
            }
        };
        let ends = [read(start, "start")?, read(end, "end")?];
        Edge::find(slf.py(), slf, ends, width)
    }

    /// Whether edges between configurations are free: proved for all moments of the way, as by `check_edge`.
    ///
    /// check_edges(starts, ends, *, width=1e-6, threads=None)
    ///
    /// starts, ends: shape (n, dof). Returns a bool array of shape (n,), False also where an edge is undecided.
    ///
    /// Raises `RobotError` that names the first edge whose ends are no configurations.
    #[pyo3(signature = (starts, ends, *, width=1e-6, threads=None))]
    fn check_edges<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
        width: f64,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let starts = self.configurations(starts, "starts")?;
        let ends = self.configurations(ends, "ends")?;
        let (joints, many) = (starts.joints, starts.many);
        if ends.many != many || ends.is_one || starts.is_one {
            let [found, expected] = [[ends.many, joints], [many, joints]];
            return Err(wrong_shape(
                "ends",
                &found,
                &format!("{expected:?}, that of starts, both of two dimensions"),
            ));
        }
        let batch = Batch::of_long_items(many, threads)?;
        let free = py.detach(|| {
            let robot = self.read();
            batch.run(
                false,
                || (),
                |(), number| {
                    let values = number * joints..(number + 1) * joints;
                    let edge = robot.edge(&starts.values[values.clone()], &ends.values[values])?;
                    Ok::<bool, RobotError>(edge.check(width)?.is_free())
                },
            )
        });
        let of_many =
            |(index, error)| raised(&RobotError::OfMany { index, error: Box::new(error) });
        Ok(free.map_err(of_many)?.into_pyarray(py))
    }

    /// Sets the distance within which bodies count as colliding: 0 or more, in units of length.
    fn set_margin(&self, py: Python<'_>, margin: f64) -> PyResult<()> {
        self.change(py, |robot| robot.set_margin(margin))
    }

    /// Attaches an object to a link, at a pose in the frame of the link.
    #[pyo3(signature = (link, name, model, pose=None))]
    fn attach(
        &self,
        py: Python<'_>,
        link: &str,
        name: &str,
        model: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let model = self::model(model, "model")?;
        let pose = pose.map_or(Ok(Pose::IDENTITY), |value| self::pose(value, "pose"))?;
        self.change(py, |robot| robot.attach(link, name, &model, &pose).map(|_| ()))
    }

    /// Takes an attached object off its link.
    fn detach(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |robot| robot.detach(name))
    }

    /// Adds an obstacle at a pose in the frame of the base.
    #[pyo3(signature = (name, model, pose=None))]
    fn add_obstacle(
        &self,
        py: Python<'_>,
        name: &str,
        model: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let model = self::model(model, "model")?;
        let pose = pose.map_or(Ok(Pose::IDENTITY), |value| self::pose(value, "pose"))?;
        self.change(py, |robot| robot.add_obstacle(name, &model, &pose).map(|_| ()))
    }

    /// Takes an obstacle away.
    fn remove_obstacle(&self, py: Python<'_>, name: &str) -> PyResult<()> {
        self.change(py, |robot| robot.remove_obstacle(name))
    }

    /// Leaves a pair of bodies out of all tests.
    fn allow(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        self.change(py, |robot| robot.allow(a, b))
    }

    /// Tests a pair of bodies, whatever the files say.
    fn disallow(&self, py: Python<'_>, a: &str, b: &str) -> PyResult<()> {
        self.change(py, |robot| robot.disallow(a, b))
    }

    fn __repr__(&self) -> String {
        let robot = self.read();
        let joints = robot.description().joints().len();
        let (bodies, pairs) = (robot.bodies().count(), robot.tested_pairs().count());
        format!("Robot({joints} joints, {bodies} bodies, {pairs} tested pairs)")
    }
}

fn numbers(bodies: [BodyId; 2]) -> [i64; 2] {
    bodies.map(|body| body.index() as i64)
}
