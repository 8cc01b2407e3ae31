//! Objects in motion, and what collides among them.
//!
//! A check is a pipeline (Zachmann 1994, 7.1): poses, boxes, candidate pairs, exact tests. A stage
//! sees only the output of the one before, so each can be swapped between two checks without
//! changing the answers. The world keeps what lasts: objects in tables by index, pairs with
//! overlapping boxes and their caches, and the callbacks.

mod batch;
mod box_margins;
mod builder;
mod callbacks;
mod check;
mod concurrent;
mod cost_estimate;
mod double_buffer;
mod error;
mod frame;
mod hierarchy;
mod jobs;
mod object_id;
mod objects;
mod pair_state;
mod pair_table;
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
use cost_estimate::CostEstimate;
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
/// let still = world.add(&model, &Pose::IDENTITY)?;
/// let moving = world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
/// assert!(world.check().began.is_empty());
///
/// world.set_pose(moving, &Pose::from_translation([0.5, 0.0, 0.0]))?;
/// let frame = world.check();
/// assert_eq!(frame.began[0].pair, ObjectPair::new(still, moving));
/// assert!(frame.collides(moving, still));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Answers are exact; the [crate](crate) lists the promises. The same calls give the same frames
/// with any exact algorithm, any bounding strategy and any number of threads; only *which* proof is
/// found may differ.
pub struct World {
    objects: Objects,
    interest: InterestMatrix,
    /// Whether `interest` may have changed since the last check.
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
    /// Objects removed since the last report.
    gone: Vec<ObjectId>,
    /// Number of checks so far.
    check: u64,
    /// The application's frame.
    application: u64,
    /// Whether the last check left nothing undecided and had no failure.
    settled: bool,
    /// Tests of earlier checks are out of date.
    since: u64,
    /// Whether some boxes may have margins.
    widened: bool,
    /// Cost of bounding an object.
    bounds_cost: CostEstimate,
    /// Cost of testing a pair.
    pair_cost: CostEstimate,
    /// Memory of batches.
    batches: Batches,
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// An empty world with default layers.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// A builder, to choose the layers.
    pub fn builder() -> WorldBuilder {
        WorldBuilder::default()
    }

    /// Adds an object. The model is shared, not copied. O(1); the first check that needs prepared
    /// data builds it.
    ///
    /// # Errors
    /// The pose is not a rigid motion of finite numbers, or moves the model out of the range of
    /// f64.
    pub fn add(&mut self, model: &Model, pose: &Pose) -> Result<ObjectId, WorldError> {
        Ok(self.objects.add(model, pose)?)
    }

    /// Removes an object. Its collisions end with the next check. Its children keep their place
    /// without a parent. The interest matrix drops its rules.
    ///
    /// # Errors
    /// No such object.
    pub fn remove(&mut self, object: ObjectId) -> Result<(), WorldError> {
        self.objects.remove(object)?;
        self.interest_touched = true;
        self.interest.forget(object);
        self.gone.push(object);
        Ok(())
    }

    /// Whether the object exists.
    #[must_use]
    pub fn contains(&self, object: ObjectId) -> bool {
        self.objects.is_alive(object)
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Whether there are no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All objects, ascending.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.objects.alive()
    }

    /// Moves an object, relative to its parent if it has one. Takes some nanoseconds; the last pose
    /// before a check counts. Setting the current pose is no motion.
    ///
    /// # Errors
    /// No such object, or the pose cannot place it. It stays where it was.
    #[inline]
    pub fn set_pose(&mut self, object: ObjectId, pose: &Pose) -> Result<(), WorldError> {
        self.objects.set_pose(object, pose)
    }

    /// The pose as it was set, relative to the parent if there is one.
    ///
    /// # Errors
    /// No such object.
    pub fn pose(&self, object: ObjectId) -> Result<&Pose, WorldError> {
        Ok(&self.objects.poses[self.objects.check(object)?])
    }

    /// The pose in the world. One product per ancestor.
    ///
    /// # Errors
    /// No such object.
    pub fn world_pose(&self, object: ObjectId) -> Result<Pose, WorldError> {
        self.objects.check(object)?;
        Ok(self.objects.world_pose(object.index()))
    }

    /// Replaces the model of an object. The object counts as moved.
    ///
    /// # Errors
    /// No such object, or the model would leave the range of f64.
    pub fn set_model(&mut self, object: ObjectId, model: &Model) -> Result<(), WorldError> {
        self.objects.set_model(object, model)
    }

    /// The model of an object.
    ///
    /// # Errors
    /// No such object.
    pub fn model(&self, object: ObjectId) -> Result<&Model, WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.models[slot].as_ref().ok_or(WorldError::Stale { id: object })
    }

    /// The object as the last check saw it, or as it is now if it has no parent. Verify proofs with
    /// it.
    ///
    /// # Errors
    /// No such object.
    pub fn placed(&self, object: ObjectId) -> Result<Placed<'_>, WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.placed(slot).ok_or(WorldError::Stale { id: object })
    }

    /// The bounds that the last check passed to the broad phase; empty before the first check.
    ///
    /// ```
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::new();
    /// let object = world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// assert!(world.bounds(object)?.aabb.is_empty());
    /// let _ = world.check();
    /// assert!(world.bounds(object)?.aabb.contains([5.25, 0.25, 0.25]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No such object.
    pub fn bounds(&self, object: ObjectId) -> Result<&broad::Bounds, WorldError> {
        Ok(&self.objects.bounds[self.objects.check(object)?])
    }

    /// Marks an object as expected to stay where it is. The hint saves time; the object may still
    /// move, and collides as any other.
    ///
    /// # Errors
    /// No such object.
    pub fn set_static(&mut self, object: ObjectId, is_static: bool) -> Result<(), WorldError> {
        self.objects.set_static(object, is_static)
    }

    /// Promises how the box of an object moves from the next check on; `None`, the default,
    /// withdraws the promise. Lengths are in world units, time counts checks that have anything to
    /// do. Only broad phases that look ahead ([`SpaceTime`](broad::classic::SpaceTime)) use it; others lose
    /// time. A wrong promise costs time and changes no answer; renew it after each bounce.
    /// [Snapshots](Self::snapshot) omit it.
    ///
    /// The box of a turning object changes its size too, except under
    /// [`FixedCubes`](crate::bounding::FixedCubes).
    ///
    /// ```
    /// use xcollide::broad::{MotionBound, classic::SpaceTime};
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::builder().broad_phase(SpaceTime::new()).build();
    /// world.add(&model, &Pose::IDENTITY)?;
    /// let comet = world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// let velocity = [-0.1, 0.0, 0.0];
    /// world.set_motion_bound(comet, Some(MotionBound { velocity, acceleration: 0.0 }))?;
    /// assert!(world.check().began.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// No such object, or a number is NaN.
    pub fn set_motion_bound(
        &mut self,
        object: ObjectId,
        bound: Option<broad::MotionBound>,
    ) -> Result<(), WorldError> {
        self.objects.set_motion_bound(object, bound)
    }

    /// Whether the object is marked as static.
    ///
    /// # Errors
    /// No such object.
    pub fn is_static(&self, object: ObjectId) -> Result<bool, WorldError> {
        Ok(self.objects.is_static(self.objects.check(object)?))
    }

    /// Stores a number of the application with an object, such as an index into its own tables.
    ///
    /// # Errors
    /// No such object.
    pub fn set_user_data(&mut self, object: ObjectId, data: u64) -> Result<(), WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.data[slot] = data;
        Ok(())
    }

    /// The application's number of an object; 0 by default.
    ///
    /// # Errors
    /// No such object.
    pub fn user_data(&self, object: ObjectId) -> Result<u64, WorldError> {
        Ok(self.objects.data[self.objects.check(object)?])
    }

    /// Attaches an object to a parent, in place of any earlier one. From now on it moves with the
    /// parent and its pose is relative to the parent's.
    ///
    /// Relatives collide as others do, unless the [interest matrix](Self::interest_mut) excludes
    /// them.
    ///
    /// # Errors
    /// No such object, an invalid pose, or the parent is a descendant of the child.
    pub fn attach(
        &mut self,
        child: ObjectId,
        parent: ObjectId,
        pose: &Pose,
    ) -> Result<(), WorldError> {
        self.objects.attach(child, parent, pose)
    }

    /// Detaches an object from its parent, if it has one. It stays where it is; its pose is then
    /// the world pose.
    ///
    /// # Errors
    /// No such object.
    pub fn detach(&mut self, child: ObjectId) -> Result<(), WorldError> {
        self.objects.detach(child)
    }

    /// The parent of an object.
    ///
    /// # Errors
    /// No such object.
    pub fn parent(&self, object: ObjectId) -> Result<Option<ObjectId>, WorldError> {
        self.objects.check(object)?;
        let parent = self.objects.hierarchy.parent(object.index());
        Ok(parent.map(|index| self.objects.names[index as usize]))
    }

    /// The interest matrix.
    #[must_use]
    pub fn interest(&self) -> &InterestMatrix {
        &self.interest
    }

    /// The interest matrix, for changes that count from the next check.
    #[must_use]
    pub fn interest_mut(&mut self) -> &mut InterestMatrix {
        self.interest_touched = true;
        &mut self.interest
    }

    /// Sets the function for every pair without [one of its own](Self::set_pair_callback). A check
    /// calls it when a pair begins to collide, while it collides and has moved, and when it ends.
    ///
    /// Order: began, persisting, ended, each by pair. The function may change anything in the
    /// world; that counts from the next check.
    pub fn set_callback(
        &mut self,
        callback: impl FnMut(Report<'_>, &Frame, &mut Self) + Send + 'static,
    ) {
        self.callbacks.general = Some(Box::new(callback));
    }

    /// Sets the function for one pair, in place of the general one. Removing an object drops it.
    pub fn set_pair_callback(
        &mut self,
        one: ObjectId,
        other: ObjectId,
        callback: impl FnMut(Report<'_>, &Frame, &mut Self) + Send + 'static,
    ) {
        self.callbacks.of_pairs.insert(ObjectPair::new(one, other), Box::new(callback));
    }

    /// A channel to which each check sends what began and ended. Unread events stay in it.
    #[must_use = "who drops the receiver hears nothing"]
    pub fn events(&mut self) -> Receiver<Event> {
        let (sender, receiver) = channel();
        self.callbacks.channels.push(sender);
        receiver
    }

    /// What all tests share.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Changes what all tests share. The next check tests all pairs again.
    pub fn set_query(&mut self, query: Query) {
        self.query = query;
        self.since = self.check + 1;
        self.settled = false;
    }

    /// Limits the time of all tests of a check, or lifts the limit.
    pub fn set_schedule(&mut self, schedule: Option<Schedule>) {
        self.schedule = schedule;
        // Without this, late pairs would stay late.
        self.pairs.each_active(|state, _| state.late = false);
        self.settled = false;
    }

    /// The bounding strategy.
    #[must_use]
    pub fn bounding(&self) -> &dyn Bounding {
        &*self.bounding
    }

    /// Replaces the bounding strategy.
    pub fn set_bounding(&mut self, bounding: Box<dyn Bounding>) {
        self.bounding = bounding;
        self.bounds_cost.forget();
        self.objects.unprepare_all();
    }

    /// The broad phase.
    #[must_use]
    pub fn broad_phase(&self) -> &dyn BroadPhase {
        &*self.broad
    }

    /// Replaces the broad phase by an empty one. Collisions persist.
    pub fn set_broad_phase(&mut self, broad: Box<dyn BroadPhase>) {
        self.broad = broad;
        self.objects.insert_all();
    }

    /// The narrow phase.
    #[must_use]
    pub fn narrow_phase(&self) -> &dyn NarrowPhase {
        &*self.narrow
    }

    /// Replaces the narrow phase. The next check tests all pairs again.
    pub fn set_narrow_phase(&mut self, narrow: Box<dyn NarrowPhase>) {
        self.narrow = narrow;
        self.pair_cost.forget();
        self.since = self.check + 1;
        self.settled = false;
        self.pairs.forget_caches();
    }

    /// The execution mode.
    #[must_use]
    pub fn execution(&self) -> &dyn Execution {
        &*self.execution
    }

    /// Replaces the execution mode. The broad phase stays; replace it too if it should be
    /// multithreaded.
    pub fn set_execution(&mut self, execution: Box<dyn Execution>) {
        self.execution = execution;
    }

    /// Number of pairs with a cache: those with overlapping boxes, now or a few checks ago.
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
