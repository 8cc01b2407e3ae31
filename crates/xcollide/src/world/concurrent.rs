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
//! place before or after it. Both sides hold the lock for some nanoseconds only: to write an entry, or
//! to swap.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

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
#[derive(Debug)]
pub struct Concurrent {
    shared: Arc<Shared>,
    ids: Arc<Mutex<ProxyIds>>,
    thread: Option<JoinHandle<World>>,
}

#[derive(Debug, Default)]
struct Shared {
    back: Mutex<Back>,
    /// There is something in the back buffer.
    filled: Condvar,
    /// The detection has nothing to do.
    idle: Condvar,
    latest: Mutex<Latest>,
}

/// What the application has entered since the last swap.
#[derive(Debug, Default)]
struct Back {
    entries: Vec<Entry>,
    /// By object: in which period its pose was entered, and where.
    places: Vec<(u64, u32)>,
    /// A period ends with a swap, and with every change that is no pose.
    period: u64,
    application: u64,
    sleeping: bool,
    stop: bool,
    /// The thread has ended, in whatever way.
    ended: bool,
}

enum Entry {
    Pose(ObjectId, Pose),
    Change(Box<dyn FnOnce(&mut World) + Send>),
}

#[derive(Debug, Default)]
struct Latest {
    frame: Frame,
    is_new: bool,
}

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
        let (shared, ids) = (Arc::new(Shared::default()), world.objects.ids());
        lock(&shared.back).period = 1;
        let theirs = shared.clone();
        let thread = std::thread::spawn(move || {
            let _ended = Ended(&theirs);
            detect(world, &theirs)
        });
        Self { shared, ids, thread: Some(thread) }
    }

    /// Moves an object. Never waits for a check: some nanoseconds. Where it is moved several times
    /// between two checks, the latest pose counts; an object that is gone is not moved.
    ///
    /// # Errors
    /// The pose is no rigid motion of finite numbers. Where it leads out of the range of f64, the frame
    /// says so.
    pub fn set_pose(&self, object: ObjectId, pose: &Pose) -> Result<(), WorldError> {
        Transform::new(pose)?;
        let mut back = lock(&self.shared.back);
        back.enter_pose(object, pose);
        self.wake(&back);
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
        let mut back = lock(&self.shared.back);
        back.enter(Entry::Change(Box::new(change)));
        self.wake(&back);
    }

    /// Says that a frame of the application begins: what checks find from now on they find in this
    /// one, or in a later one.
    pub fn next_frame(&self) {
        lock(&self.shared.back).application += 1;
    }

    /// The number of the frame of the application, 0 before the first.
    #[must_use]
    pub fn application_frame(&self) -> u64 {
        lock(&self.shared.back).application
    }

    /// Swaps the frame of the latest check in, and returns true; returns false where there was none
    /// since the last call. Never waits for a check.
    pub fn latest(&self, frame: &mut Frame) -> bool {
        let mut latest = lock(&self.shared.latest);
        let is_new = std::mem::take(&mut latest.is_new);
        if is_new {
            std::mem::swap(frame, &mut latest.frame);
        }
        is_new
    }

    /// Waits until everything that was handed over has been checked, and nothing is left to be decided;
    /// for programs that want to be in step for once.
    pub fn wait(&self) {
        let mut back = lock(&self.shared.back);
        while !(back.ended || back.sleeping && back.entries.is_empty()) {
            back = self.shared.idle.wait(back).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Stops when everything that was handed over has been checked, and returns the world.
    ///
    /// # Errors
    /// The detection panicked before.
    pub fn stop(mut self) -> Result<World, DetectionError> {
        self.end().unwrap_or_else(|| Err(DetectionError { message: "it was stopped".to_owned() }))
    }

    fn wake(&self, back: &Back) {
        if back.sleeping {
            self.shared.filled.notify_one();
        }
    }

    fn end(&mut self) -> Option<Result<World, DetectionError>> {
        let thread = self.thread.take()?;
        lock(&self.shared.back).stop = true;
        self.shared.filled.notify_one();
        let ended = thread.join();
        Some(ended.map_err(|panic| DetectionError { message: message_of(&*panic) }))
    }
}

impl Drop for Concurrent {
    /// Stops the thread, after the check that is under way and one of what is left.
    fn drop(&mut self) {
        let _ = self.end();
    }
}

impl Back {
    fn enter_pose(&mut self, object: ObjectId, pose: &Pose) {
        let (slot, entry) = (object.slot(), Entry::Pose(object, *pose));
        if self.places.len() <= slot {
            self.places.resize(slot + 1, (0, 0));
        }
        let (period, place) = self.places[slot];
        if period == self.period
            && let Some(known) = self.entries.get_mut(place as usize)
            && matches!(known, Entry::Pose(of, _) if *of == object)
        {
            *known = entry;
            return;
        }
        self.places[slot] = (self.period, self.entries.len() as u32);
        self.entries.push(entry);
    }

    fn enter(&mut self, entry: Entry) {
        self.entries.push(entry);
        // Poses that come later are not to take effect earlier.
        self.period += 1;
    }

    fn swap(&mut self, front: &mut Vec<Entry>) {
        std::mem::swap(&mut self.entries, front);
        self.period += 1;
    }
}

/// The loop of the thread: "something in front buffer: swap, process; empty: sleep".
fn detect(mut world: World, shared: &Shared) -> World {
    let (mut front, mut frame) = (Vec::new(), Frame::new());
    // What there was before the start is unchecked yet.
    let mut unfinished = true;
    loop {
        let mut back = lock(&shared.back);
        while back.entries.is_empty() && !back.stop && !unfinished {
            back.sleeping = true;
            shared.idle.notify_all();
            back = shared.filled.wait(back).unwrap_or_else(PoisonError::into_inner);
        }
        back.sleeping = false;
        back.swap(&mut front);
        world.application = back.application;
        let stop = back.stop;
        drop(back);
        if stop && front.is_empty() {
            return world;
        }
        let failures = apply(&mut world, &mut front);
        world.check_into(&mut frame);
        frame.failures.extend(failures);
        unfinished = frame.undecided.iter().any(|(_, reason)| *reason == Reason::OutOfTime);
        let mut latest = lock(&shared.latest);
        std::mem::swap(&mut latest.frame, &mut frame);
        latest.is_new = true;
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
        }
    }
    failures
}

/// Tells those who wait that the thread has ended, also where it panics.
struct Ended<'a>(&'a Shared);

impl Drop for Ended<'_> {
    fn drop(&mut self) {
        lock(&self.0.back).ended = true;
        self.0.idle.notify_all();
    }
}

/// What a panic left is whole: entries are written in one piece.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Pose(object, _) => write!(f, "Pose({object})"),
            Self::Change(_) => f.write_str("Change"),
        }
    }
}
