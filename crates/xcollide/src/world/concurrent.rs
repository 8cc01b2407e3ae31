//! Detection in a thread of its own (Zachmann 1994, 6.4).
//!
//! ```text
//!   application  ──▶ back buffer ──swap──▶ front buffer ──▶ check ──▶ latest frame ──▶ application
//!   never waits      latest pose only      applied in order           events, callbacks
//! ```
//!
//! Not a queue but two buffers that are swapped, as in the thesis: an object is entered at most once,
//! its latest pose wins, and what the detection has no time for is overwritten. Everything else (objects
//! that come and go, changes of interest and layers) is entered in order and never lost; poses keep their
//! place before or after it. The thesis guards the buffers by a lock; here they
//! [change hands](super::handoff), so that the application never waits for the detection, not even where
//! that is put to sleep in the middle of a swap.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread::JoinHandle;

use super::handoff::{Buffer, Inbox, Outbox};
use super::objects::issue;
use super::pair_state::message_of;
use super::{Failure, Frame, ObjectId, World, WorldError};
use crate::broad::ProxyIds;
use crate::narrow::{Model, Placed, Pose, Reason, Transform};

/// A [`World`] that checks without pause in a thread of its own, while the application goes on.
///
/// What began and ended is not lost if one makes a channel of [`World::events`] before, or sets
/// callbacks, which are called in that thread; the [latest frame](Self::latest) has all that collides.
/// All of them say which frame of the application they saw. The thread sleeps while there is nothing
/// new.
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
/// let still = detection.add(&model, &Pose::identity())?;
/// let moving = detection.add(&model, &Pose::translation(3.0, 0.0, 0.0))?;
/// for step in 0..10 {
///     detection.set_pose(moving, &Pose::translation(3.0 - 0.3 * f64::from(step), 0.0, 0.0))?;
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
    /// `None` when it has been joined.
    thread: Option<JoinHandle<Option<World>>>,
    /// The number of the application's frame, as it is told to those who ask for it.
    application: AtomicU64,
}

struct Shared {
    inbox: Inbox<Back>,
    outbox: Outbox<Frame>,
    stop: AtomicBool,
    /// The thread has ended, in whatever way.
    ended: AtomicBool,
    failure: OnceLock<DetectionError>,
}

/// What the application has entered since the last swap.
#[derive(Default)]
struct Back {
    entries: Vec<Entry>,
    /// By object: in which period its pose was entered, and where.
    places: Vec<(u64, u32)>,
    /// A period ends with a swap, and with every change that is no pose.
    period: u64,
    application: u64,
    waiting: Vec<Waiter>,
}

enum Entry {
    Pose(ObjectId, Pose),
    /// Entered one by one, all at once.
    Poses(Vec<(ObjectId, Pose)>),
    Change(Box<dyn FnOnce(&mut World) + Send>),
    NextFrame,
    Wait(Waiter),
}

/// Who drops it tells someone that all is done.
type Waiter = Sender<()>;

/// The detection panicked outside of single pairs and callbacks: in a broad phase, or a bounding
/// strategy, of the application's own.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the detection has ended early: {message}")]
pub struct DetectionError {
    message: String,
}

impl Concurrent {
    /// Starts the thread. It checks once at once, and then whenever something has changed.
    #[must_use]
    pub fn start(world: World) -> Self {
        let (ids, application) = (world.objects.ids(), world.application);
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

    /// Moves an object. Never waits: some tens of nanoseconds, whatever the detection does. Where it is
    /// moved several times between two checks, the latest pose counts; an object that is gone is not
    /// moved.
    ///
    /// # Errors
    /// The pose is no rigid motion of finite numbers. Where it leads out of the range of f64, the frame
    /// says so.
    pub fn set_pose(&self, object: ObjectId, pose: &Pose) -> Result<(), WorldError> {
        Transform::new(pose)?;
        self.enter(Entry::Pose(object, *pose));
        Ok(())
    }

    /// Moves many objects at once: every check sees all of these poses or none, unless later ones
    /// of the same objects. Else as [`set_pose`](Self::set_pose).
    ///
    /// # Errors
    /// A pose is no rigid motion of finite numbers. Nothing is moved then.
    pub fn set_poses(
        &self,
        poses: impl IntoIterator<Item = (ObjectId, Pose)>,
    ) -> Result<(), WorldError> {
        let poses: Vec<(ObjectId, Pose)> = poses.into_iter().collect();
        for (_, pose) in &poses {
            Transform::new(pose)?;
        }
        self.enter(Entry::Poses(poses));
        Ok(())
    }

    /// Adds an object, whose id is valid from now on.
    ///
    /// # Errors
    /// As [`World::add`].
    pub fn add(&self, model: &Model, pose: &Pose) -> Result<ObjectId, WorldError> {
        let transform = *Placed::new(model, pose)?.transform();
        let id = issue(&self.ids);
        let (model, pose) = (model.clone(), *pose);
        self.change(move |world| world.objects.insert(id, &model, &pose, transform));
        Ok(id)
    }

    /// Takes an object out, if it is still there.
    pub fn remove(&self, object: ObjectId) {
        self.change(move |world| {
            // Callbacks may have been quicker.
            let _ = world.remove(object);
        });
    }

    /// Has anything done to the world before the next check: interest, layers, parents, callbacks.
    /// Changes are made in order, and none is lost.
    pub fn change(&self, change: impl FnOnce(&mut World) + Send + 'static) {
        self.enter(Entry::Change(Box::new(change)));
    }

    /// Says that a frame of the application begins: what checks find from now on they find in this
    /// one, or in a later one.
    pub fn next_frame(&self) {
        self.application.fetch_add(1, Ordering::Relaxed);
        // No reason to check: the detection need not wake up.
        self.shared.inbox.enter(Entry::NextFrame);
    }

    /// The number of the frame of the application, 0 before the first.
    #[must_use]
    pub fn application_frame(&self) -> u64 {
        self.application.load(Ordering::Relaxed)
    }

    /// Swaps the frame of the latest check in, and returns true; returns false where there was none
    /// since the last call. Never waits.
    pub fn latest(&self, frame: &mut Frame) -> bool {
        let Some(mut latest) = self.shared.outbox.take() else { return false };
        std::mem::swap(frame, &mut *latest);
        self.shared.outbox.give_back(latest);
        true
    }

    /// Waits until everything that was handed over has been checked, and nothing is left to be decided;
    /// for programs that want to be in step for once. Returns at once where the detection
    /// [has failed](Self::failure).
    pub fn wait(&self) {
        let (waiter, done) = channel();
        self.enter(Entry::Wait(waiter));
        if !self.shared.ended.load(Ordering::Acquire) {
            // Nothing is ever sent: it ends when the waiter is dropped.
            let _ = done.recv();
        }
    }

    /// Why the detection has ended early, if it has: from then on nothing is checked any more, and what
    /// is handed over is dropped. [`stop`](Self::stop) says it, too.
    #[must_use]
    pub fn failure(&self) -> Option<&DetectionError> {
        self.shared.failure.get()
    }

    /// Stops when everything that was handed over has been checked, and returns the world.
    ///
    /// # Errors
    /// The detection panicked before.
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

    /// Has the detection look at what there is; once more where it is looking.
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
    /// Stops the thread, after the check that is under way and one of what is left. Who wants to hear
    /// whether it failed calls [`stop`](Self::stop).
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
        // Periods are counted from 0, and so is what is in no period yet.
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
                // Poses that come later are not to take effect earlier.
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

/// The thread, up to its end, in whatever way that comes.
fn run(world: World, shared: &Shared) -> Option<World> {
    // Here, so that nobody is told that all is done before it is said that nothing will be any more.
    let mut waiting = Vec::new();
    let ended = catch_unwind(AssertUnwindSafe(|| detect(world, shared, &mut waiting)));
    let world = ended.map_err(|panic| {
        let _ = shared.failure.set(DetectionError { message: message_of(&*panic) });
    });
    // Those who have come to wait find out by the flag, or by what is dropped here.
    shared.ended.store(true, Ordering::Release);
    drop(shared.inbox.swap(Box::default()));
    world.ok()
}

/// The loop of the thread: "something in front buffer: swap, process; empty: sleep".
fn detect(mut world: World, shared: &Shared, waiting: &mut Vec<Waiter>) -> World {
    let (mut front, mut frame) = (Box::<Back>::default(), Box::new(Frame::new()));
    // What there was before the start is unchecked yet.
    let mut unfinished = true;
    loop {
        // First: what was entered before the end is checked.
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
        unfinished = frame.undecided.iter().any(|(_, reason)| *reason == Reason::OutOfTime);
        frame = shared.outbox.publish(frame).unwrap_or_default();
        if !unfinished {
            waiting.clear();
        }
    }
}

/// Does what was entered, in order.
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
            // Not kept in the list.
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
