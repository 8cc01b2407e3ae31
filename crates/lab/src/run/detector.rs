//! Where the world of a run checks: in place, or in a thread of its own.

use std::time::{Duration, Instant};

use xcollide::narrow::{Guarantee, Pose};
use xcollide::{Concurrent, Frame, ObjectId, World};

use super::layers::CONCURRENT;

/// A world, frame by frame. In either place it sees the same frames, and so finds the same.
pub(super) struct Detector {
    place: Place,
    layers: Layers,
}

enum Place {
    Here(Box<World>),
    /// In step: a frame is handed over when the one before has been reported.
    Thread {
        detection: Concurrent,
        /// Whether there was a check; the first sees what there was at the start.
        is_running: bool,
    },
}

/// The algorithms of a world.
#[derive(Clone, Copy)]
pub(super) struct Layers {
    pub(super) broad: &'static str,
    pub(super) narrow: &'static str,
    /// That of the narrow phase.
    pub(super) guarantee: Guarantee,
    pub(super) bounds: &'static str,
    pub(super) execution: &'static str,
    pub(super) is_parallel: bool,
    /// Whether they count.
    pub(super) stats: bool,
}

impl Detector {
    /// Of a world with all its objects.
    pub(super) fn new(world: World, concurrent: bool) -> Self {
        let execution = if concurrent { CONCURRENT } else { world.execution().name() };
        let layers = Layers {
            broad: world.broad_phase().name(),
            narrow: world.narrow_phase().name(),
            guarantee: world.narrow_phase().guarantee(),
            bounds: world.bounding().name(),
            execution,
            is_parallel: world.execution().is_parallel(),
            stats: world.query().stats,
        };
        let place = if concurrent {
            Place::Thread { detection: Concurrent::start(world), is_running: false }
        } else {
            Place::Here(Box::new(world))
        };
        Self { place, layers }
    }

    pub(super) fn layers(&self) -> Layers {
        self.layers
    }

    /// The world, where it is here.
    pub(super) fn world(&self) -> Option<&World> {
        match &self.place {
            Place::Here(world) => Some(world),
            Place::Thread { .. } => None,
        }
    }

    /// The same, to be told more.
    pub(super) fn world_mut(&mut self) -> Option<&mut World> {
        match &mut self.place {
            Place::Here(world) => Some(world),
            Place::Thread { .. } => None,
        }
    }

    /// Moves the objects, and finds out what collides then. Returns how long it took to hand the poses
    /// over.
    ///
    /// # Errors
    /// An object cannot be where it should; the detection has ended.
    pub(super) fn check(
        &mut self,
        poses: impl Iterator<Item = (ObjectId, Pose)>,
        found: &mut Frame,
    ) -> Result<Duration, String> {
        let began = Instant::now();
        match &mut self.place {
            Place::Here(world) => {
                for (id, pose) in poses {
                    world.set_pose(id, &pose).map_err(|error| format!("object {id}: {error}"))?;
                }
                let moving = began.elapsed();
                world.check_into(found);
                Ok(moving)
            }
            Place::Thread { detection, is_running } => {
                if std::mem::replace(is_running, true) {
                    detection.next_frame();
                    detection.set_poses(poses).map_err(|error| error.to_string())?;
                }
                let moving = began.elapsed();
                detection.wait();
                if !detection.latest(found) {
                    let why = detection.failure().map(ToString::to_string);
                    return Err(why.unwrap_or_else(|| "the detection is silent".to_owned()));
                }
                Ok(moving)
            }
        }
    }
}
