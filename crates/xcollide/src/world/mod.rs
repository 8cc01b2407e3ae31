//! The world: objects that move, and what collides among them.
//!
//! A check is a pipeline (Zachmann 1994, 7.1): poses, boxes, candidate pairs, exact tests. Each stage
//! sees only what the one before hands it, so each can be swapped, between any two checks, without a
//! change of the answers. What is kept from check to check is here: the objects in tables by index,
//! the pairs whose boxes overlap with what algorithms remember of them, and who wants to be told.

mod batch;
mod builder;
mod callbacks;
mod check;
mod concurrent;
mod effort;
mod error;
mod frame;
mod handoff;
mod hierarchy;
mod jobs;
mod object_id;
mod objects;
mod pair_state;
mod pair_table;
mod reach;
mod schedule;
mod snapshot;

use std::sync::mpsc::{Receiver, channel};

use crate::bounding::Bounding;
use crate::broad::{self, BroadPhase};
use crate::execution::Execution;
use crate::interest::InterestMatrix;
use crate::narrow::{Model, NarrowPhase, Placed, Pose, Query};
use batch::Batches;
use callbacks::Callbacks;
use effort::Effort;
use objects::Objects;
use pair_table::PairTable;

pub use schedule::Schedule;

pub use builder::WorldBuilder;
pub use callbacks::{Change, Event, Report};
pub use concurrent::{Concurrent, DetectionError};
pub use error::WorldError;
pub use frame::{Cause, Collision, Ended, Failure, Frame, FrameStats, Proof, StageTimes};
pub(crate) use jobs::{BoundsJob, PairsJob};
pub use object_id::{ObjectId, ObjectPair};
pub(crate) use snapshot::record;
pub use snapshot::{RestoreError, WorldSnapshot};

/// Objects, and what collides among them, frame by frame.
///
/// ```
/// use xcollide::prelude::*;
///
/// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
/// let mut world = World::new();
/// let still = world.add(&model, &Pose::identity())?;
/// let moving = world.add(&model, &Pose::translation(5.0, 0.0, 0.0))?;
/// assert!(world.check().began.is_empty());
///
/// world.set_pose(moving, &Pose::translation(0.5, 0.0, 0.0))?;
/// let frame = world.check();
/// assert_eq!(frame.began[0].pair, ObjectPair::new(still, moving));
/// assert!(frame.collides(moving, still));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Coordinates and poses are exact numbers, and so is the answer: see the promises of the
/// [crate](crate). The same history of calls gives the same frames, whatever the exact algorithms,
/// the bounding strategy and the number of threads; only *which* proof is found may differ.
pub struct World {
    objects: Objects,
    interest: InterestMatrix,
    /// Whether it may have changed since the last check.
    interest_touched: bool,
    bounding: Box<dyn Bounding>,
    broad: Box<dyn BroadPhase>,
    narrow: Box<dyn NarrowPhase>,
    execution: Box<dyn Execution>,
    query: Query,
    pairs: PairTable,
    candidates: broad::Pairs,
    schedule: Option<Schedule>,
    callbacks: Callbacks,
    /// Objects that were removed since the last report.
    gone: Vec<ObjectId>,
    /// Checks so far.
    check: u64,
    /// The frame of the application.
    application: u64,
    /// Whether the last check left nothing undecided.
    settled: bool,
    /// Tests of checks before this one are out of date.
    since: u64,
    /// Whether boxes may be wider than their objects, for pairs that matter before they touch.
    widened: bool,
    /// What bounding an object takes.
    bounds_effort: Effort,
    /// What testing a pair takes.
    pairs_effort: Effort,
    /// The memory of pairs that are asked about together.
    batches: Batches,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// An empty world of defaults.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Chooses the layers.
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Adds an object. The model is shared, not copied.
    ///
    /// O(1); what algorithms prepare for a model is built with the first check that needs it.
    ///
    /// # Errors
    /// The pose is no rigid motion of finite numbers, or moves the model beyond the range of f64.
    pub fn add(&mut self, model: &Model, pose: &Pose) -> Result<ObjectId, WorldError> {
        Ok(self.objects.add(model, pose)?)
    }

    /// Takes an object out. Its collisions end with the next check; objects that are attached to it
    /// stay where they are, on their own. What was said about it in the interest matrix is forgotten.
    ///
    /// # Errors
    /// There is no such object.
    pub fn remove(&mut self, object: ObjectId) -> Result<(), WorldError> {
        self.objects.remove(object)?;
        self.interest_touched = true;
        self.interest.forget(object);
        self.gone.push(object);
        Ok(())
    }

    /// Whether there is such an object.
    #[must_use]
    pub fn contains(&self, object: ObjectId) -> bool {
        self.objects.is_alive(object)
    }

    /// How many objects there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All objects, in order.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.alive()
    }

    /// Moves an object; relative to its parent, if it has one. Some nanoseconds, as often a frame as
    /// one likes: the last pose counts. An object that is set where it is has not moved.
    ///
    /// # Errors
    /// There is no such object, or it cannot be there. It stays where it was.
    #[inline]
    pub fn set_pose(&mut self, object: ObjectId, pose: &Pose) -> Result<(), WorldError> {
        self.objects.set_pose(object, pose)
    }

    /// The pose that was set: relative to the parent, if there is one.
    ///
    /// # Errors
    /// There is no such object.
    pub fn pose(&self, object: ObjectId) -> Result<&Pose, WorldError> {
        Ok(&self.objects.poses[self.objects.check(object)?])
    }

    /// The pose in the world, all ancestors included. As many products as it has ancestors.
    ///
    /// # Errors
    /// There is no such object.
    pub fn world_pose(&self, object: ObjectId) -> Result<Pose, WorldError> {
        self.objects.check(object)?;
        Ok(self.objects.world_pose(object.index()))
    }

    /// Gives an object another shape, as when its geometry has changed. It counts as moved.
    ///
    /// # Errors
    /// There is no such object, or the model would reach beyond the range of f64.
    pub fn set_model(&mut self, object: ObjectId, model: &Model) -> Result<(), WorldError> {
        self.objects.set_model(object, model)
    }

    /// The model of an object.
    ///
    /// # Errors
    /// There is no such object.
    pub fn model(&self, object: ObjectId) -> Result<&Model, WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.models[slot].as_ref().ok_or(WorldError::Stale { id: object })
    }

    /// The object as the last check saw it, or as it is now if it has no parent: what proofs are
    /// verified with.
    ///
    /// # Errors
    /// There is no such object.
    pub fn placed(&self, object: ObjectId) -> Result<Placed<'_>, WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.placed(slot).ok_or(WorldError::Stale { id: object })
    }

    /// The volumes around an object that the last check told the broad phase of; the empty box
    /// before the first.
    ///
    /// ```
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::new();
    /// let object = world.add(&model, &Pose::translation(5.0, 0.0, 0.0))?;
    /// assert!(world.bounds(object)?.aabb.is_empty());
    /// let _ = world.check();
    /// assert!(world.bounds(object)?.aabb.contains([5.25, 0.25, 0.25]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such object.
    pub fn bounds(&self, object: ObjectId) -> Result<&broad::Bounds, WorldError> {
        Ok(&self.objects.bounds[self.objects.check(object)?])
    }

    /// Says whether an object is expected to stay where it is. Only a hint, which saves time: it may
    /// be moved all the same, and collides like any other.
    ///
    /// # Errors
    /// There is no such object.
    pub fn set_static(&mut self, object: ObjectId, is_static: bool) -> Result<(), WorldError> {
        self.objects.set_static(object, is_static)
    }

    /// Promises how the box of an object is going to move, from the next check on, or takes that back:
    /// `None`, as it is at first. Lengths are in the world, time is counted in checks that have anything
    /// to do. For broad phases that look ahead, [`SpaceTime`](broad::SpaceTime); to others it means
    /// nothing, and costs time. A wrong promise costs time as well, and changes no answer: a new one is
    /// worth while after each bounce. It belongs to no [snapshot](Self::snapshot).
    ///
    /// The box of an object that turns changes its sides too; under
    /// [`FixedCubes`](crate::bounding::FixedCubes) it does not.
    ///
    /// ```
    /// use xcollide::broad::{MotionBound, SpaceTime};
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::builder().broad_phase(SpaceTime::new()).build();
    /// world.add(&model, &Pose::identity())?;
    /// let comet = world.add(&model, &Pose::translation(5.0, 0.0, 0.0))?;
    /// let velocity = [-0.1, 0.0, 0.0];
    /// world.set_motion_bound(comet, Some(MotionBound { velocity, acceleration: 0.0 }))?;
    /// assert!(world.check().began.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is no such object; a number is NaN.
    pub fn set_motion_bound(
        &mut self,
        object: ObjectId,
        bound: Option<broad::MotionBound>,
    ) -> Result<(), WorldError> {
        self.objects.set_motion_bound(object, bound)
    }

    /// Whether it was said that the object stays where it is.
    ///
    /// # Errors
    /// There is no such object.
    pub fn is_static(&self, object: ObjectId) -> Result<bool, WorldError> {
        Ok(self.objects.is_static(self.objects.check(object)?))
    }

    /// Keeps a number of the application's with an object, such as an index of its own tables.
    ///
    /// # Errors
    /// There is no such object.
    pub fn set_user_data(&mut self, object: ObjectId, data: u64) -> Result<(), WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.data[slot] = data;
        Ok(())
    }

    /// The number that the application keeps with an object; 0 where it keeps none.
    ///
    /// # Errors
    /// There is no such object.
    pub fn user_data(&self, object: ObjectId) -> Result<u64, WorldError> {
        Ok(self.objects.data[self.objects.check(object)?])
    }

    /// Hangs an object on another: from now on it moves with its parent, and its pose, now and
    /// whenever it is set, is relative to the parent's. Takes it off the parent it had.
    ///
    /// Relatives collide like others; say so in the [interest matrix](Self::interest_mut) where that
    /// is not wanted.
    ///
    /// # Errors
    /// There is no such object, the pose is none, or the parent hangs on the child itself.
    pub fn attach(
        &mut self,
        child: ObjectId,
        parent: ObjectId,
        pose: &Pose,
    ) -> Result<(), WorldError> {
        self.objects.attach(child, parent, pose)
    }

    /// Takes an object off its parent, if it has one. It stays where it is, and its pose is the one
    /// in the world again.
    ///
    /// # Errors
    /// There is no such object.
    pub fn detach(&mut self, child: ObjectId) -> Result<(), WorldError> {
        self.objects.detach(child)
    }

    /// What an object hangs on.
    ///
    /// # Errors
    /// There is no such object.
    pub fn parent(&self, object: ObjectId) -> Result<Option<ObjectId>, WorldError> {
        self.objects.check(object)?;
        let parent = self.objects.hierarchy.parent(object.index());
        Ok(parent.map(|index| self.objects.names[index as usize]))
    }

    /// Which pairs are wanted.
    #[must_use]
    pub fn interest(&self) -> &InterestMatrix {
        &self.interest
    }

    /// Changes which pairs are wanted, and what is asked about them, from the next check on.
    #[must_use]
    pub fn interest_mut(&mut self) -> &mut InterestMatrix {
        self.interest_touched = true;
        &mut self.interest
    }

    /// Calls a function for every pair that has no [function of its own](Self::set_pair_callback):
    /// when it begins to collide, with every check in which it still does and has moved, and when it
    /// does not any more.
    ///
    /// Called in order: what has begun, what persists, what has ended; each by the pairs. The
    /// function may change whatever it likes in the world; that counts from the next check.
    pub fn set_callback(
        &mut self,
        callback: impl FnMut(Report<'_>, &Frame, &mut Self) + Send + 'static,
    ) {
        self.callbacks.general = Some(Box::new(callback));
    }

    /// Calls a function for this pair, and not the general one. Ends with the objects.
    pub fn set_pair_callback(
        &mut self,
        one: ObjectId,
        other: ObjectId,
        callback: impl FnMut(Report<'_>, &Frame, &mut Self) + Send + 'static,
    ) {
        self.callbacks.of_pairs.insert(ObjectPair::new(one, other), Box::new(callback));
    }

    /// A channel to which each check sends what has begun and ended, for another part of the program,
    /// or another thread, to take out when it likes. What nobody takes out stays in it.
    #[must_use = "who drops the receiver hears nothing"]
    pub fn events(&mut self) -> Receiver<Event> {
        let (sender, receiver) = channel();
        self.callbacks.channels.push(sender);
        receiver
    }

    /// What all tests have in common.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Changes what all tests have in common. All pairs are tested anew.
    pub fn set_query(&mut self, query: Query) {
        self.query = query;
        self.since = self.check + 1;
        self.settled = false;
    }

    /// Limits the time that the tests of a check take together, or lifts the limit.
    pub fn set_schedule(&mut self, schedule: Option<Schedule>) {
        self.schedule = schedule;
        // Nobody is late any more, and nobody's turn is past.
        self.pairs.each_active(|state, _| state.late = false);
        self.settled = false;
    }

    /// The bounding strategy.
    #[must_use]
    pub fn bounding(&self) -> &dyn Bounding {
        &*self.bounding
    }

    /// Swaps the bounding strategy.
    pub fn set_bounding(&mut self, bounding: Box<dyn Bounding>) {
        self.bounding = bounding;
        self.bounds_effort.forget();
        self.objects.unprepare_all();
    }

    /// The broad phase.
    #[must_use]
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        &*self.broad
    }

    /// Swaps the broad phase for another, which must be empty. Nothing is lost: collisions that
    /// persist do so under the new one.
    pub fn set_broad_phase(&mut self, broad: Box<dyn BroadPhase>) {
        self.broad = broad;
        self.objects.insert_all();
    }

    /// The narrow phase.
    #[must_use]
    pub fn narrow_phase(&self) -> &dyn NarrowPhase {
        &*self.narrow
    }

    /// Swaps the narrow phase. All pairs are tested anew.
    pub fn set_narrow_phase(&mut self, narrow: Box<dyn NarrowPhase>) {
        self.narrow = narrow;
        self.pairs_effort.forget();
        self.since = self.check + 1;
        self.settled = false;
        self.pairs.forget_caches();
    }

    /// The execution mode.
    #[must_use]
    pub fn execution(&self) -> &dyn Execution {
        &*self.execution
    }

    /// Swaps the execution mode. The broad phase stays; choose one for several threads, too, where
    /// that is wanted.
    pub fn set_execution(&mut self, execution: Box<dyn Execution>) {
        self.execution = execution;
    }

    /// How many pairs algorithms remember something of: those whose boxes overlap, and those whose
    /// boxes did a few checks ago.
    #[must_use]
    pub fn remembered_pairs(&self) -> usize {
        self.pairs.len()
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("objects", &self.len())
            .field("bounding", &self.bounding.name())
            .field("broad", &self.broad.name())
            .field("narrow", &self.narrow.name())
            .field("execution", &self.execution.name())
            .field("callbacks", &self.callbacks)
            .field("checks", &self.check)
            .finish_non_exhaustive()
    }
}
