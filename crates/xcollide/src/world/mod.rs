//! Objects in motion and their collisions.
//!
//! A check is a pipeline (Zachmann 1994, 7.1): poses, boxes, candidate pairs, exact tests. A stage reads only
//! the output of the one before, so each can be replaced between two checks without changing the answers.
//! The world stores the objects in tables by index, the pairs with overlapping boxes and their caches, and
//! the callbacks.

mod batch;
mod box_margins;
mod builder;
mod callbacks;
mod change_list;
mod check;
mod collect;
mod concurrent;
mod cost_estimate;
mod deformations;
mod degradation;
mod double_buffer;
mod error;
mod frame;
mod frame_parts;
mod hierarchy;
mod jobs;
mod mark;
mod motion;
mod move_vertices;
mod object_id;
mod object_methods;
mod objects;
mod pair_state;
mod pair_table;
mod poses_job;
mod ray_tree;
mod rays;
mod report;
mod reports_job;
mod rows;
mod rows_job;
mod schedule;
mod set_motion;
mod set_poses;
mod set_vertices;
mod snapshot;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::bounding::Bounding;
use crate::broad::{self, BroadPhase};
use crate::execution::Execution;
use crate::interest::InterestMatrix;
use crate::narrow::{NarrowPhase, Query};
use batch::Batches;
use callbacks::Callbacks;
use cost_estimate::CostEstimate;
use objects::Objects;
use pair_table::PairTable;
use ray_tree::RayTree;

pub use rays::RayTargets;
pub use schedule::{Order, Schedule};

pub use builder::WorldBuilder;
pub use callbacks::{Change, Event};
pub use concurrent::{Concurrent, DetectionError};
pub use degradation::Degradation;
pub use error::WorldError;
pub use frame::{
    AssumedContact, Cause, Collision, Ended, Failure, Frame, FrameStats, KindChange, Proof,
    StageTimes,
};
pub(crate) use jobs::{BoundsJob, PairsJob};
pub use object_id::{ObjectId, ObjectPair};
pub(crate) use poses_job::PosesJob;
pub use report::Report;
pub(crate) use reports_job::ReportsJob;
pub(crate) use rows_job::RowsJob;
pub(crate) use snapshot::record;
pub use snapshot::{RestoreError, WorldSnapshot};

/// Objects and their collisions, frame by frame.
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
/// Answers are exact; the [crate](crate) lists the promises. The same calls give the same frames with any
/// exact algorithm, any bounding strategy and any number of threads; only the choice of proof may differ.
///
/// Methods that take an id return [`WorldError::Stale`] if there is no such object.
pub struct World {
    objects: Objects,
    interest: InterestMatrix,
    /// Whether `interest` may have changed since the last check.
    interest_touched: bool,
    bounding: Box<dyn Bounding>,
    broad: Box<dyn BroadPhase>,
    narrow: Box<dyn NarrowPhase>,
    execution: Arc<dyn Execution>,
    query: Query,
    pairs: PairTable,
    candidates: broad::Pairs,
    schedule: Option<Schedule>,
    degradation: Option<Degradation>,
    callbacks: Callbacks,
    /// Objects removed since the last report.
    gone: Vec<ObjectId>,
    /// Number of checks so far.
    check: u64,
    /// Time of the last check, without the report.
    last_check: Duration,
    /// The application's frame.
    application: u64,
    /// Whether the last check left nothing undecided, measured all distances to the end, and had no failure.
    settled: bool,
    /// Results of earlier checks are out of date.
    since: u64,
    /// Whether some boxes may have margins.
    widened: bool,
    /// Cost of moving an object.
    poses_cost: CostEstimate,
    /// Cost of bounding an object.
    bounds_cost: CostEstimate,
    /// Cost of testing a pair.
    pair_cost: CostEstimate,
    /// Cost of a report to the parallel callback.
    report_cost: CostEstimate,
    /// Memory of batches.
    batches: Batches,
    /// How wide the time interval of a contact may be.
    time_width: f64,
    /// For rays until the next check.
    ray_tree: RayTree,
    /// Reused memory: the frame that was last passed in, as it was.
    former: Frame,
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

    /// The interest matrix.
    #[must_use]
    pub fn interest(&self) -> &InterestMatrix {
        &self.interest
    }

    /// The interest matrix; changes count from the next check.
    #[must_use]
    pub fn interest_mut(&mut self) -> &mut InterestMatrix {
        self.interest_touched = true;
        &mut self.interest
    }

    /// Sets the function for every pair without [its own](Self::set_pair_callback). A check calls it when a
    /// pair begins to collide, while it collides and has moved, and when it ends.
    ///
    /// Order: began, persisting, changed in kind, ended, each by pair. The function may change anything in the world; changes
    /// count from the next check.
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

    /// Sets a function for all reports that is called for several at the same time, on the threads of the
    /// [execution](Self::execution), in any order; with [`Serial`](crate::execution::Serial) in order. It has no access to the
    /// world. A check calls it before all other callbacks, and goes on when all reports are done. A panic becomes a
    /// [`Failure`]; the failures are in the order of the reports.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// use std::sync::Arc;
    /// use xcollide::{Report, World};
    ///
    /// let mut world = World::new();
    /// let begun = Arc::new(AtomicUsize::new(0));
    /// let count = Arc::clone(&begun);
    /// world.set_parallel_callback(move |report, _| {
    ///     count.fetch_add(usize::from(matches!(report, Report::Began(_))), Ordering::Relaxed);
    /// });
    /// let _ = world.check();
    /// assert_eq!(begun.load(Ordering::Relaxed), 0);
    /// ```
    pub fn set_parallel_callback(
        &mut self,
        callback: impl Fn(Report<'_>, &Frame) + Send + Sync + 'static,
    ) {
        self.callbacks.parallel = Some(Box::new(callback));
    }

    /// A channel to which each check sends the collisions that began, changed their kind and ended. Unread events stay in it.
    #[must_use = "without a receiver, no events are sent"]
    pub fn events(&mut self) -> Receiver<Event> {
        let (sender, receiver) = channel();
        self.callbacks.channels.push(sender);
        receiver
    }

    /// The settings that all tests share.
    #[must_use]
    pub fn query(&self) -> &Query {
        &self.query
    }

    /// Changes the settings that all tests share. The next check tests all pairs again.
    pub fn set_query(&mut self, query: Query) {
        self.query = query;
        self.since = self.check + 1;
        self.settled = false;
    }

    /// Limits the time of all tests of a check, or lifts the limit.
    pub fn set_schedule(&mut self, schedule: Option<Schedule>) {
        self.schedule = schedule;
        // Otherwise late pairs would stay late.
        self.pairs.each_active(|state, _| state.late = false);
        self.settled = false;
    }

    /// Has checks that would take too long test approximately, or all checks test exactly.
    pub fn set_degradation(&mut self, degradation: Option<Degradation>) {
        self.degradation = degradation;
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
        if let Some(degradation) = &mut self.degradation {
            degradation.forget();
        }
        self.since = self.check + 1;
        self.settled = false;
        self.pairs.forget_caches();
    }

    /// The execution mode.
    #[must_use]
    pub fn execution(&self) -> &dyn Execution {
        &*self.execution
    }

    /// Replaces the execution mode, but not the broad phase, which may be multithreaded too.
    pub fn set_execution(&mut self, execution: Box<dyn Execution>) {
        self.execution = Arc::from(execution);
    }

    /// Number of pairs with a cache: those whose boxes overlap or did a few checks ago.
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
            .field("checks", &self.check)
            .finish_non_exhaustive()
    }
}
