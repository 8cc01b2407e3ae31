//! Detection in a separate thread (Zachmann 1994, 6.4).
//!
//! ```text
//!   application  ──▶ back buffer ──swap──▶ front buffer ──▶ check ──▶ latest frame ──▶ application
//!   never waits      latest pose only      applied in order           events, callbacks
//! ```
//!
//! Two buffers are swapped, as in the thesis: the latest pose of an object replaces an earlier one. All other
//! changes (objects added or removed, interest, layers) are stored in order, and poses keep their place
//! before or after them. The thesis guards the buffers by a lock; here they are [exchanged
//! atomically](super::double_buffer), so the application never waits for the detection, even if the scheduler
//! suspends it during a swap.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;

use super::double_buffer::{Buffer, Inbox, Outbox};
use super::objects::issue;
use super::pair_state::message_of;
use super::{Failure, Frame, ObjectId, World, WorldError};
use crate::broad::ProxyIds;
use crate::narrow::{Model, Placed, Pose};

/// A [`World`] that checks continuously in a separate thread.
///
/// The [latest frame](Self::latest) has all current collisions. To receive all that begin and end, create a
/// channel by [`World::events`] before, or set callbacks, which run in that thread. All of them carry the
/// number of the application's frame. The thread sleeps while nothing changes.
///
/// ```
/// use xcollide::prelude::*;
/// use xcollide::Concurrent;
///
/// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
/// let mut world = World::new();
/// let events = world.events();
/// let detection = Concurrent::start(world);
/// let still = detection.add(&model, &Pose::IDENTITY)?;
/// let moving = detection.add(&model, &Pose::from_translation([3.0, 0.0, 0.0]))?;
/// for step in 0..10 {
///     detection.set_pose(moving, &Pose::from_translation([3.0 - 0.3 * f64::from(step), 0.0, 0.0]))?;
///     detection.next_frame();
///     // … draw …
/// }
/// let world = detection.stop()?;
/// assert_eq!(events.try_iter().last().map(|event| event.pair), Some(ObjectPair::new(still, moving)));
/// assert_eq!(world.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Concurrent {
    shared: Arc<Shared>,
    ids: Arc<Mutex<ProxyIds>>,
    /// `None` after the join.
    thread: Option<JoinHandle<Option<World>>>,
    /// The number of the application's frame, for [`application_frame`](Self::application_frame).
    application: AtomicU64,
}

struct Shared {
    inbox: Inbox<Back>,
    outbox: Outbox<Frame>,
    stop: AtomicBool,
    /// Whether the thread has ended, normally or by a panic.
    ended: AtomicBool,
    failure: OnceLock<DetectionError>,
}

/// The entries since the last swap.
#[derive(Default)]
struct Back {
    entries: Vec<Entry>,
    /// By object: the period of its pose, and the place in `entries`.
    places: Vec<(u64, u32)>,
    /// A period ends with a swap and with every entry that is not a pose.
    period: u64,
    application: u64,
    waiting: Vec<Waiter>,
}

enum Entry {
    Pose(ObjectId, Pose),
    /// Applied in the same check.
    Poses(Vec<(ObjectId, Pose)>),
    Change(Box<dyn FnOnce(&mut World) + Send>),
    NextFrame,
    Wait(Waiter),
}

/// Dropping it wakes the caller of [`Concurrent::wait`].
type Waiter = Sender<()>;

/// The detection panicked outside a pair test or a callback, for example in the application's broad phase or
/// bounding strategy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the detection has ended early: {message}")]
pub struct DetectionError {
    message: String,
}

impl Concurrent {
    /// Starts the thread, which checks at once and then whenever something changes.
    #[must_use]
    pub fn start(world: World) -> Self {
        let (ids, application) = (world.objects.ids.clone(), world.application);
        let back = Back { application, ..Back::default() };
        let shared = Arc::new(Shared {
            inbox: Inbox::new(back),
            outbox: Outbox::new(),
            stop: AtomicBool::new(false),
            ended: AtomicBool::new(false),
            failure: OnceLock::new(),
        });
        let theirs = shared.clone();
        let thread = std::thread::spawn(move || run(world, &theirs));
        let application = AtomicU64::new(application);
        Self { shared, ids, thread: Some(thread), application }
    }

    /// Moves an object. Never waits; takes some tens of nanoseconds. The latest pose before a check counts. A
    /// removed object is ignored.
    ///
    /// # Errors
    /// The pose is not a rigid motion of finite numbers. If it leads out of the range of f64, the
    /// next frame has a failure.
    pub fn set_pose(&self, object: ObjectId, pose: &Pose) -> Result<(), WorldError> {
        pose.check()?;
        self.enter(Entry::Pose(object, *pose));
        Ok(())
    }

    /// Moves many objects at once: a check uses all of these poses, or later ones, or none. Otherwise as
    /// [`set_pose`](Self::set_pose).
    ///
    /// # Errors
    /// A pose is not a rigid motion of finite numbers. Then nothing moves.
    pub fn set_poses(
        &self,
        poses: impl IntoIterator<Item = (ObjectId, Pose)>,
    ) -> Result<(), WorldError> {
        let poses: Vec<(ObjectId, Pose)> = poses.into_iter().collect();
        for (_, pose) in &poses {
            pose.check()?;
        }
        self.enter(Entry::Poses(poses));
        Ok(())
    }

    /// Adds an object. Its id is valid at once.
    ///
    /// # Errors
    /// As [`World::add`].
    pub fn add(&self, model: &Model, pose: &Pose) -> Result<ObjectId, WorldError> {
        Placed::new(model, pose)?;
        let id = issue(&self.ids);
        let (model, pose) = (model.clone(), *pose);
        self.change(move |world| world.objects.insert(id, &model, &pose));
        Ok(id)
    }

    /// Removes an object, if it still exists.
    pub fn remove(&self, object: ObjectId) {
        self.change(move |world| {
            // A callback may have removed it already.
            let _ = world.remove(object);
        });
    }

    /// Runs a function on the world before the next check, for example to change interest, layers, parents or
    /// callbacks. Changes run in order; none is lost.
    pub fn change(&self, change: impl FnOnce(&mut World) + Send + 'static) {
        self.enter(Entry::Change(Box::new(change)));
    }

    /// Begins a frame of the application; later checks carry its number or a later one.
    pub fn next_frame(&self) {
        self.application.fetch_add(1, Ordering::Relaxed);
        // Nothing to check, so the thread stays asleep.
        self.shared.inbox.enter(Entry::NextFrame);
    }

    /// The number of the application's frame; 0 before the first.
    #[must_use]
    pub fn application_frame(&self) -> u64 {
        self.application.load(Ordering::Relaxed)
    }

    /// Writes the frame of the latest check to `frame`; false if there was none since the last call. Never
    /// waits.
    pub fn latest(&self, frame: &mut Frame) -> bool {
        let Some(mut latest) = self.shared.outbox.take() else { return false };
        std::mem::swap(frame, &mut *latest);
        self.shared.outbox.give_back(latest);
        true
    }

    /// Waits until every entry so far has been checked and no pair is late. Returns at once if the
    /// detection [has failed](Self::failure).
    pub fn wait(&self) {
        let (waiter, done) = channel();
        self.enter(Entry::Wait(waiter));
        if !self.shared.ended.load(Ordering::Acquire) {
            // Returns when the waiter is dropped, as nothing is ever sent.
            let _ = done.recv();
        }
    }

    /// Why the detection ended early, if it did; from then on entries are dropped.
    /// [`stop`](Self::stop) returns the same error.
    #[must_use]
    pub fn failure(&self) -> Option<&DetectionError> {
        self.shared.failure.get()
    }

    /// Checks all entries, stops the thread and returns the world.
    ///
    /// # Errors
    /// The detection panicked.
    pub fn stop(mut self) -> Result<World, DetectionError> {
        let world = self.end();
        let unknown = || DetectionError { message: "it was stopped".to_owned() };
        world.ok_or_else(|| self.failure().cloned().unwrap_or_else(unknown))
    }

    fn enter(&self, entry: Entry) {
        if self.shared.ended.load(Ordering::Relaxed) {
            return;
        }
        self.shared.inbox.enter(entry);
        self.wake();
    }

    /// Wakes the thread, or has it check once more.
    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }

    fn end(&mut self) -> Option<World> {
        self.shared.stop.store(true, Ordering::Release);
        self.wake();
        self.thread.take()?.join().ok()?
    }
}

impl Drop for Concurrent {
    /// Stops the thread after the current check and one more for the remaining entries, without its error.
    fn drop(&mut self) {
        let _ = self.end();
    }
}

impl Back {
    fn enter_pose(&mut self, object: ObjectId, pose: Pose) {
        let (slot, entry) = (object.slot(), Entry::Pose(object, pose));
        if self.places.len() <= slot {
            self.places.resize(slot + 1, (0, 0));
        }
        let (period, place) = self.places[slot];
        // Stored periods are one higher, so 0 means none.
        if period == self.period + 1
            && let Some(known) = self.entries.get_mut(place as usize)
            && matches!(known, Entry::Pose(of, _) if *of == object)
        {
            *known = entry;
            return;
        }
        self.places[slot] = (self.period + 1, self.entries.len() as u32);
        self.entries.push(entry);
    }
}

impl Buffer for Back {
    type Entry = Entry;

    fn enter(&mut self, entry: Entry) {
        match entry {
            Entry::Pose(object, pose) => self.enter_pose(object, pose),
            Entry::Poses(poses) => {
                poses.into_iter().for_each(|(object, pose)| self.enter_pose(object, pose));
            }
            Entry::Change(_) => {
                self.entries.push(entry);
                // Later poses must not take effect before this change.
                self.period += 1;
            }
            Entry::NextFrame => self.application += 1,
            Entry::Wait(waiter) => self.waiting.push(waiter),
        }
    }

    fn follow(&mut self, before: &Self) {
        self.period += 1;
        self.application = before.application;
    }
}

/// The thread's main function.
fn run(world: World, shared: &Shared) -> Option<World> {
    // Outside the loop, so that waiters are dropped only after `failure` is set.
    let mut waiting = Vec::new();
    let ended = catch_unwind(AssertUnwindSafe(|| detect(world, shared, &mut waiting)));
    let world = ended.map_err(|panic| {
        let _ = shared.failure.set(DetectionError { message: message_of(&*panic) });
    });
    // Later waiters read the flag; those before are dropped here.
    shared.ended.store(true, Ordering::Release);
    drop(shared.inbox.swap(Box::default()));
    world.ok()
}

/// The loop of the thesis: "something in front buffer: swap, process; empty: sleep".
fn detect(mut world: World, shared: &Shared, waiting: &mut Vec<Waiter>) -> World {
    let (mut front, mut frame) = (Box::<Back>::default(), Box::new(Frame::new()));
    // The initial state is unchecked.
    let mut unfinished = true;
    loop {
        // Read first, so that entries made before the stop are still checked.
        let stop = shared.stop.load(Ordering::Acquire);
        front = shared.inbox.swap(front);
        waiting.append(&mut front.waiting);
        world.application = front.application;
        if front.entries.is_empty() && (stop || !unfinished) {
            waiting.clear();
            if stop {
                return world;
            }
            std::thread::park();
            continue;
        }
        let failures = apply(&mut world, &mut front.entries);
        world.check_into(&mut frame);
        frame.failures.extend(failures);
        unfinished =
            frame.approximate || frame.undecided.iter().any(|(_, reason)| reason.is_out_of_time());
        frame = shared.outbox.publish(frame).unwrap_or_default();
        if !unfinished {
            waiting.clear();
        }
    }
}

/// Applies entries in order.
fn apply(world: &mut World, front: &mut Vec<Entry>) -> Vec<Failure> {
    let mut failures = Vec::new();
    for entry in front.drain(..) {
        match entry {
            Entry::Pose(object, pose) => match world.set_pose(object, &pose) {
                Ok(()) | Err(WorldError::Stale { .. }) => {}
                Err(error) => {
                    failures.push(Failure::Object { object, message: error.to_string() });
                }
            },
            Entry::Change(change) => {
                if let Err(panic) = catch_unwind(AssertUnwindSafe(|| change(world))) {
                    failures.push(Failure::Change { message: message_of(&*panic) });
                }
            }
            // Never stored in the list.
            Entry::Poses(_) | Entry::NextFrame | Entry::Wait(_) => {}
        }
    }
    failures
}

impl std::fmt::Debug for Concurrent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Concurrent")
            .field("application_frame", &self.application_frame())
            .field("failure", &self.failure())
            .finish_non_exhaustive()
    }
}
