//! The world of a run, in the calling thread or in one of its own.

use std::time::{Duration, Instant};

use serde::Serialize;
use xcollide::narrow::{Guarantee, Pose};
use xcollide::{Concurrent, Frame, ObjectId, World};

use crate::execution_mode::CONCURRENT;

/// A world that checks frame by frame. The frames do not depend on the thread.
pub(crate) struct Detector {
    place: Place,
    pub(super) layers: Layers,
}

enum Place {
    Here(Box<World>),
    /// Before the first check, which starts the thread and sees the initial state.
    Ready(Option<Box<World>>),
    /// In step: each frame is handed over after the report of the one before.
    Thread(Concurrent),
}

#[derive(Clone, Copy, Serialize)]
pub(super) struct Layers {
    pub(super) broad: &'static str,
    pub(super) narrow: &'static str,
    pub(super) bounds: &'static str,
    pub(super) execution: &'static str,
    /// Of the narrow phase.
    #[serde(skip)]
    pub(super) guarantee: Guarantee,
    #[serde(skip)]
    pub(super) is_parallel: bool,
    /// Whether statistics are on.
    #[serde(skip)]
    pub(super) stats: bool,
}

impl Detector {
    /// The detector of a world with all its objects.
    pub(crate) fn new(world: World, concurrent: bool) -> Self {
        let layers = Layers {
            broad: world.broad_phase().name(),
            narrow: world.narrow_phase().name(),
            bounds: world.bounding().name(),
            execution: if concurrent { CONCURRENT } else { world.execution().name() },
            guarantee: world.narrow_phase().guarantee(),
            is_parallel: world.execution().is_parallel(),
            stats: world.query().stats,
        };
        let world = Box::new(world);
        let place = if concurrent { Place::Ready(Some(world)) } else { Place::Here(world) };
        Self { place, layers }
    }

    pub(super) fn world(&self) -> Option<&World> {
        match &self.place {
            Place::Here(world) => Some(world),
            Place::Ready(_) | Place::Thread(_) => None,
        }
    }

    /// Ends the detection and returns the world; `None` if the detection failed.
    pub(crate) fn into_world(self) -> Option<World> {
        match self.place {
            Place::Here(world) => Some(*world),
            Place::Ready(world) => world.map(|world| *world),
            Place::Thread(detection) => detection.stop().ok(),
        }
    }

    pub(super) fn world_mut(&mut self) -> Option<&mut World> {
        match &mut self.place {
            Place::Here(world) => Some(world),
            Place::Ready(_) | Place::Thread(_) => None,
        }
    }

    /// Moves the objects to their poses, by number, and checks for collisions. Returns the time of handing over the
    /// poses.
    pub(crate) fn check(
        &mut self,
        objects: &[ObjectId],
        pose: impl Fn(usize) -> Pose + Sync,
        found: &mut Frame,
    ) -> Result<Duration, String> {
        let began = Instant::now();
        match &mut self.place {
            Place::Here(world) => {
                world.set_poses(objects, pose).map_err(|error| error.to_string())?;
                let moving = began.elapsed();
                world.check_into(found);
                Ok(moving)
            }
            Place::Ready(world) => {
                let moving = began.elapsed();
                let world = world.take().ok_or("there is no world")?;
                let detection = Concurrent::start(*world);
                let reported = report(&detection, found);
                self.place = Place::Thread(detection);
                reported.map(|()| moving)
            }
            Place::Thread(detection) => {
                detection.next_frame();
                let poses = objects.iter().enumerate().map(|(number, &id)| (id, pose(number)));
                detection.set_poses(poses).map_err(|error| error.to_string())?;
                let moving = began.elapsed();
                report(detection, found).map(|()| moving)
            }
        }
    }
}

/// Waits for the detection and takes its frame.
fn report(detection: &Concurrent, found: &mut Frame) -> Result<(), String> {
    detection.wait();
    if detection.latest(found) {
        return Ok(());
    }
    let why = detection.failure().map(ToString::to_string);
    Err(why.unwrap_or_else(|| "the detection is silent".to_owned()))
}
