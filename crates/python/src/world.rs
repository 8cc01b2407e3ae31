//! `World`: objects that move, and what collides among them.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use xcollide::interest::InterestMatrix;
use xcollide::math::Motion;
use xcollide::narrow::Query;
use xcollide::{ObjectId, Pose, Schedule, WorldSnapshot};

use crate::arrays::vectors;
use crate::ask::ask_of;
use crate::bounded_distance::duration;
use crate::errors;
use crate::errors::class::{ArrayError, SnapshotError, WorldError};
use crate::events::Events;
use crate::frame::Frame;
use crate::layers::Layers;
use crate::model::Model;
use crate::object_numbers::{number_of, object_of, objects_of};
use crate::operand::{model, semantics};
use crate::poses::{Poses, matrix, pose};
use crate::shape::Shape;
use crate::world_rays::Hits;

/// Objects that move, and what collides among them, frame by frame.
///
/// World(*, bounding=None, broad=None, narrow=None, semantics="solid", coherent=False)
///
/// bounding, broad, narrow: names of algorithms, as `xcollide.algorithms` lists them; None for the default. They change
/// the time, never the answer.
/// coherent: whether pairs keep more from check to check, for slow motion.
///
/// Objects are numbers, valid in their world until they are removed; a number that is none raises `StaleObjectError`.
/// All methods may be called from several threads, one after the other.
///
/// >>> import xcollide
/// >>> world, box = xcollide.World(), xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> still = world.add(box)
/// >>> moving = world.add(box, ([0, 0, 0, 1], [5.0, 0.0, 0.0]))
/// >>> len(world.check().began)
/// 0
/// >>> world.set_pose(moving, ([0, 0, 0, 1], [0.5, 0.0, 0.0]))
/// >>> world.check().began.tolist() == [[still, moving]]
/// True
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct World {
    inner: Mutex<xcollide::World>,
    pub(crate) layers: Layers,
}

impl World {
    pub(crate) fn lock(&self) -> MutexGuard<'_, xcollide::World> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the world, without the interpreter's lock.
    fn with<R: Send>(
        &self,
        py: Python<'_>,
        action: impl FnOnce(&mut xcollide::World) -> R + Send,
    ) -> R {
        py.detach(|| action(&mut self.lock()))
    }

    /// The same for what may be refused.
    pub(crate) fn try_with<R: Send>(
        &self,
        py: Python<'_>,
        action: impl FnOnce(&mut xcollide::World) -> Result<R, xcollide::WorldError> + Send,
    ) -> PyResult<R> {
        self.with(py, action).map_err(|error| errors::world(&error))
    }

    /// Changes the interest matrix about one object, which must exist.
    fn with_interest(
        &self,
        py: Python<'_>,
        objects: &[ObjectId],
        action: impl FnOnce(&mut InterestMatrix) + Send,
    ) -> PyResult<()> {
        self.try_with(py, |world| {
            for &object in objects {
                world.pose(object)?;
            }
            action(world.interest_mut());
            Ok(())
        })
    }
}

fn group(group: u8) -> PyResult<u8> {
    let groups = InterestMatrix::GROUPS;
    if usize::from(group) < groups {
        return Ok(group);
    }
    Err(WorldError::new_err(format!("group is {group}, expected a number below {groups}")))
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (*, bounding=None, broad=None, narrow=None, semantics="solid", coherent=false))]
    fn new(
        bounding: Option<String>,
        broad: Option<String>,
        narrow: Option<String>,
        semantics: &str,
        coherent: bool,
    ) -> PyResult<Self> {
        let layers = Layers { bounding, broad, narrow, coherent };
        let query = Query::new().semantics(self::semantics(semantics)?);
        let world = layers.builder()?.query(query).build();
        Ok(Self { inner: Mutex::new(world), layers })
    }

    /// Adds an object; returns its number. The model is shared.
    ///
    /// group: a number below 64; see `set_groups`.
    #[pyo3(signature = (model, pose=None, *, group=0))]
    fn add(
        &self,
        py: Python<'_>,
        model: &Bound<'_, PyAny>,
        pose: Option<&Bound<'_, PyAny>>,
        group: u8,
    ) -> PyResult<u64> {
        let pose = pose.map_or(Ok(Pose::IDENTITY), |value| self::pose(value, "pose"))?;
        let group = self::group(group)?;
        let model = self::model(model, "model")?;
        self.try_with(py, |world| {
            let object = world.add(&model, &pose)?;
            if group != 0 {
                world.interest_mut().set_group(object, group);
            }
            Ok(number_of(object))
        })
    }

    /// Adds an object for each pose; returns their numbers, shape (n,). Without an error all are added, else none.
    #[pyo3(signature = (model, poses, *, group=0))]
    fn add_many<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'_, PyAny>,
        poses: &Bound<'py, PyAny>,
        group: u8,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let poses = all_poses(poses, None)?;
        let group = self::group(group)?;
        let model = self::model(model, "model")?;
        for (number, pose) in poses.iter().enumerate() {
            xcollide::Placed::new(&model, pose)
                .map_err(|error| errors::pose(&format!("poses[{number}]"), &error))?;
        }
        let model = &model;
        let numbers = self.try_with(py, |world| {
            poses
                .iter()
                .map(|pose| {
                    let object = world.add(model, pose)?;
                    if group != 0 {
                        world.interest_mut().set_group(object, group);
                    }
                    Ok(number_of(object))
                })
                .collect::<Result<Vec<u64>, _>>()
        })?;
        Ok(numbers.into_pyarray(py))
    }

    /// Removes an object. Its collisions end with the next check.
    fn remove(&self, py: Python<'_>, object: u64) -> PyResult<()> {
        self.try_with(py, |world| world.remove(object_of(object)))
    }

    fn __len__(&self) -> usize {
        self.lock().len()
    }

    fn __contains__(&self, object: u64) -> bool {
        self.lock().contains(object_of(object))
    }

    /// All objects, ascending by index: shape (n,).
    #[getter]
    fn objects<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.with(py, |world| world.objects().map(number_of).collect::<Vec<_>>()).into_pyarray(py)
    }

    /// The model of an object: a `Model`, or a `Shape`.
    fn model<'py>(&self, py: Python<'py>, object: u64) -> PyResult<Bound<'py, PyAny>> {
        let inner = self.try_with(py, |world| world.model(object_of(object)).cloned())?;
        Ok(match Shape::of_model(&inner) {
            Some(shape) => shape.into_pyobject(py)?.into_any(),
            None => Model { inner }.into_pyobject(py)?.into_any(),
        })
    }

    /// The pose of an object in the world: shape (4, 4).
    fn pose<'py>(&self, py: Python<'py>, object: u64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let pose = self.try_with(py, |world| world.world_pose(object_of(object)))?;
        vectors(py, matrix(&pose).to_vec())
    }

    /// The poses of objects in the world: shape (n, 4, 4).
    fn poses<'py>(
        &self,
        py: Python<'py>,
        objects: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let objects = objects_of(objects)?;
        let rows = self.try_with(py, |world| {
            let poses = objects.iter().map(|&object| Ok(matrix(&world.world_pose(object)?)));
            Ok(poses.collect::<Result<Vec<_>, xcollide::WorldError>>()?.into_flattened())
        })?;
        vectors(py, rows)?.reshape([objects.len(), 4, 4])
    }

    /// Moves an object, relative to its parent if it has one. The last pose before a check counts.
    fn set_pose(&self, py: Python<'_>, object: u64, pose: &Bound<'_, PyAny>) -> PyResult<()> {
        let pose = self::pose(pose, "pose")?;
        self.try_with(py, |world| world.set_pose(object_of(object), &pose))
    }

    /// Moves objects, shape (n,), to poses, shape (n, 4, 4) or as of `intersects_many`.
    ///
    /// Raises for the first object or pose that is none; objects that can be moved are moved, unless a pose is no rigid
    /// motion.
    fn set_poses(
        &self,
        py: Python<'_>,
        objects: &Bound<'_, PyAny>,
        poses: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let objects = objects_of(objects)?;
        let poses = all_poses(poses, Some(objects.len()))?;
        self.try_with(py, |world| world.set_poses(&objects, |number| poses[number]))
    }

    /// Moves an object to a pose on a continuous path during the next check: pairs that touch at any time on the way
    /// collide in it.
    ///
    /// kind: "linear", where the origin of the model moves on a line and the model turns the shorter way, or "screw".
    #[pyo3(signature = (object, end, *, kind="linear"))]
    fn set_motion(
        &self,
        py: Python<'_>,
        object: u64,
        end: &Bound<'_, PyAny>,
        kind: &str,
    ) -> PyResult<()> {
        let (end, object) = (pose(end, "end")?, object_of(object));
        let path = crate::motion::kind(kind)?;
        self.try_with(py, |world| {
            let start = *world.pose(object)?;
            let motion: Motion = path(start, end)?;
            world.set_motion(object, motion)
        })
    }

    /// Attaches an object to another, with which it then moves, at a pose in the frame of that one.
    #[pyo3(signature = (child, parent, pose=None))]
    fn attach(
        &self,
        py: Python<'_>,
        child: u64,
        parent: u64,
        pose: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let pose = pose.map_or(Ok(Pose::IDENTITY), |value| self::pose(value, "pose"))?;
        self.try_with(py, |world| world.attach(object_of(child), object_of(parent), &pose))
    }

    /// Takes an object off its parent; it stays where it is.
    fn detach(&self, py: Python<'_>, child: u64) -> PyResult<()> {
        self.try_with(py, |world| world.detach(object_of(child)))
    }

    /// Moves the vertices of an object: shape (n, 3), in the frame of its model, which other objects keep.
    fn set_vertices(
        &self,
        py: Python<'_>,
        object: u64,
        vertices: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let vertices = crate::arrays::Rows::<3>::read(vertices, "vertices")?;
        let rows = vertices.rows();
        self.try_with(py, |world| world.set_vertices(object_of(object), rows))
    }

    /// Moves the vertices of an object straight to these positions during the next check, shape (n, 3), in the frame of its
    /// model: pairs that touch at any time on the way collide in it.
    fn move_vertices(
        &self,
        py: Python<'_>,
        object: u64,
        vertices: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let vertices = crate::arrays::Rows::<3>::read(vertices, "vertices")?;
        let positions = vertices.rows().to_vec();
        self.try_with(py, |world| world.move_vertices(object_of(object), positions))
    }

    /// Moves an object to a group, a number below 64.
    fn set_group(&self, py: Python<'_>, object: u64, group: u8) -> PyResult<()> {
        let (object, group) = (object_of(object), self::group(group)?);
        self.with_interest(py, &[object], |interest| interest.set_group(object, group))
    }

    /// Sets whether pairs of objects of two groups, which may be equal, are wanted. Without a rule all are.
    fn set_groups(&self, py: Python<'_>, one: u8, other: u8, wanted: bool) -> PyResult<()> {
        let (one, other) = (group(one)?, group(other)?);
        self.with_interest(py, &[], |interest| interest.set_groups(one, other, wanted))
    }

    /// Sets whether a pair is wanted, whatever the groups say.
    fn set_pair(&self, py: Python<'_>, one: u64, other: u64, wanted: bool) -> PyResult<()> {
        let (one, other) = (object_of(one), object_of(other));
        self.with_interest(py, &[one, other], |interest| interest.set_pair(one, other, wanted))
    }

    /// Sets what is asked of pairs: of all, or of those of two groups, or of one pair.
    ///
    /// ask(what, value=None, *, groups=None, pair=None)
    ///
    /// what: "touch", the default; "contacts", with the faces and points of contact of at most `value` pairs of faces;
    /// "within", where pairs at most `value` apart count as colliding, decided exactly; "distance", with the distance of
    /// pairs if it is at most `value`; "kind", with how colliding pairs lie to each other, exact; "depth", with bounds of how
    /// deep they are in each other; or "manifold", with at most four points for a solver of rigid bodies.
    /// groups: a tuple of two groups. pair: a tuple of two objects.
    #[pyo3(signature = (what, value=None, *, groups=None, pair=None))]
    fn ask(
        &self,
        py: Python<'_>,
        what: &str,
        value: Option<f64>,
        groups: Option<(u8, u8)>,
        pair: Option<(u64, u64)>,
    ) -> PyResult<()> {
        let ask = ask_of(what, value)?;
        match (groups, pair) {
            (None, None) => self.with_interest(py, &[], |interest| interest.set_default_ask(ask)),
            (Some((one, other)), None) => {
                let (one, other) = (group(one)?, group(other)?);
                self.with_interest(py, &[], |interest| interest.set_groups_ask(one, other, ask))
            }
            (None, Some((one, other))) => {
                let (one, other) = (object_of(one), object_of(other));
                let set = |interest: &mut InterestMatrix| interest.set_pair_ask(one, other, ask);
                self.with_interest(py, &[one, other], set)
            }
            (Some(_), Some(_)) => {
                Err(WorldError::new_err("found groups and a pair, expected one of them, or none"))
            }
        }
    }

    /// Finds what collides now, and what has begun and ended since the last check. Exact.
    fn check(&self, py: Python<'_>) -> Frame {
        Frame(self.with(py, xcollide::World::check))
    }

    /// For each of many configurations, how many pairs collide: shape (n,). The world itself does not change.
    ///
    /// check_many(objects, configurations, *, threads=None)
    ///
    /// objects: those that move, shape (k,). configurations: their poses, shape (n, k, 4, 4). All others stay where they
    /// are. The counts do not depend on the number of threads, each of which has a copy of the world.
    #[pyo3(signature = (objects, configurations, *, threads=None))]
    fn check_many<'py>(
        &self,
        py: Python<'py>,
        objects: &Bound<'py, PyAny>,
        configurations: &Bound<'py, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray1<u64>>> {
        self.counts_of_many(py, [objects, configurations], threads)
    }

    /// The objects that rays meet first, at their latest poses: objects, shape (n,), −1 where a ray meets none; parameters,
    /// shape (n,), inf there; and faces, shape (n,), −1 there.
    ///
    /// ray_cast_many(origins, directions, reach=inf, *, threads=None)
    ///
    /// origins, directions: shape (n, 3); a ray is origin + s · direction for 0 ≤ s ≤ reach. Which objects are met is exact; of
    /// several at the same rounded parameter it is the one with the lowest number. The answers do not depend on the number of
    /// threads. Raises `WorldError` if a ray comes to the box of a shape before, as shapes have no faces.
    ///
    /// >>> import xcollide
    /// >>> world, box = xcollide.World(), xcollide.Model.shape("shape:box?x=1&y=1&z=1")
    /// >>> still = world.add(box)
    /// >>> objects, parameters, faces = world.ray_cast_many([[0.0, 0.0, 5.0]], [[0.0, 0.0, -1.0]])
    /// >>> objects.tolist() == [still], parameters.tolist()
    /// (True, [4.5])
    #[pyo3(signature = (origins, directions, reach=f64::INFINITY, *, threads=None))]
    fn ray_cast_many<'py>(
        &self,
        py: Python<'py>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        reach: f64,
        threads: Option<usize>,
    ) -> PyResult<Hits<'py>> {
        self.first_hits(py, [origins, directions], reach, threads)
    }

    /// The objects whose surfaces moving spheres meet first: objects, times from 0 to 1 and faces, as of `ray_cast_many`.
    ///
    /// sphere_cast_many(starts, ends, radii, *, threads=None)
    ///
    /// Arguments as of `xcollide.sphere_cast_many`. Objects are at rest at their latest poses.
    #[pyo3(signature = (starts, ends, radii, *, threads=None))]
    fn sphere_cast_many<'py>(
        &self,
        py: Python<'py>,
        starts: &Bound<'py, PyAny>,
        ends: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Hits<'py>> {
        self.sphere_casts(py, [starts, ends, radii], threads)
    }

    /// Limits the tests of a check, or with None and None lifts the limit.
    ///
    /// set_limit(seconds=None, *, tests=None, assume_contact=False)
    ///
    /// seconds: for all tests of a check. tests: the most tests of a check, from 1 on; unlike time, it gives the same frames on
    /// every machine. Pairs that are not tested are `undecided` and come first in the next check.
    /// assume_contact: whether pairs that are not tested are listed as `assumed` contacts, with the common part of their boxes.
    #[pyo3(signature = (seconds=None, *, tests=None, assume_contact=false))]
    fn set_limit(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        tests: Option<usize>,
        assume_contact: bool,
    ) -> PyResult<()> {
        let budget = seconds.map_or(Ok(Duration::MAX), duration).map_err(WorldError::new_err)?;
        if tests == Some(0) {
            return Err(WorldError::new_err("tests is 0, expected a number from 1 on"));
        }
        let schedule = (seconds.is_some() || tests.is_some()).then(|| {
            let schedule = Schedule::new(budget).at_most(tests.unwrap_or(usize::MAX));
            if assume_contact { schedule.assuming_contact() } else { schedule }
        });
        self.with(py, |world| world.set_schedule(schedule));
        Ok(())
    }

    /// Limits the time of each test of a pair; without an argument, no more. Pairs whose test it ends are `undecided`, distances that it
    /// ends are `bounded_distances`, and both are tested again in the next check, which tests all pairs.
    ///
    /// set_budget(seconds=None)
    #[pyo3(signature = (seconds=None))]
    fn set_budget(&self, py: Python<'_>, seconds: Option<f64>) -> PyResult<()> {
        let budget = seconds.map(duration).transpose().map_err(WorldError::new_err)?;
        self.with(py, |world| {
            let mut query = *world.query();
            query.budget = budget;
            world.set_query(query);
        });
        Ok(())
    }

    /// An iterator over the collisions that begin and end from now on: tuples (check, change, one, other), where change is
    /// "began" or "ended", or the kind of a pair that was asked for it and collides in another way than before. It ends where
    /// there is no more, and goes on after the next check.
    fn events(&self, py: Python<'_>) -> Events {
        Events(Mutex::new(self.with(py, xcollide::World::events)))
    }

    /// All that decides later checks, as bytes: objects, meshes, groups, which pairs collide.
    fn snapshot<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let snapshot = self.with(py, |world| world.snapshot());
        let mut bytes = Vec::new();
        ciborium::into_writer(&snapshot, &mut bytes)
            .map_err(|error| SnapshotError::new_err(error.to_string()))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The world of a snapshot. Object numbers are those of the original.
    ///
    /// Raises `SnapshotError` for bytes that are none, or are damaged.
    #[staticmethod]
    #[pyo3(signature = (snapshot, *, bounding=None, broad=None, narrow=None, coherent=false))]
    fn restore(
        py: Python<'_>,
        snapshot: &[u8],
        bounding: Option<String>,
        broad: Option<String>,
        narrow: Option<String>,
        coherent: bool,
    ) -> PyResult<Self> {
        let layers = Layers { bounding, broad, narrow, coherent };
        let builder = layers.builder()?;
        let world = py.detach(|| {
            let snapshot: WorldSnapshot = ciborium::from_reader(snapshot).map_err(|error| {
                SnapshotError::new_err(format!("the bytes are no snapshot: {error}"))
            })?;
            xcollide::World::restore(&snapshot, builder).map_err(|error| errors::restore(&error))
        })?;
        Ok(Self { inner: Mutex::new(world), layers })
    }

    fn __repr__(&self) -> String {
        let world = self.lock();
        let (bounding, broad) = (world.bounding().name(), world.broad_phase().name());
        let narrow = world.narrow_phase().name();
        format!(
            "World({} objects, bounding={bounding:?}, broad={broad:?}, narrow={narrow:?})",
            world.len()
        )
    }
}

/// Poses for objects, as many as expected.
fn all_poses(value: &Bound<'_, PyAny>, expected: Option<usize>) -> PyResult<Vec<Pose>> {
    let poses = Poses::read(value, "poses")?;
    let view = poses.view();
    let Some(count) = view.len() else {
        return Err(ArrayError::new_err("found one pose, expected an array of shape (n, 4, 4)"));
    };
    if let Some(expected) = expected
        && expected != count
    {
        let text = format!("found {count} poses for {expected} objects, expected as many");
        return Err(ArrayError::new_err(text));
    }
    let pose = |number| view.at(number).map_err(|defect| defect.of("poses", Some(number)));
    (0..count).map(pose).collect()
}
