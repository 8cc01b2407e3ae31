//! The world of a run, in the calling thread or in one of its own.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use serde::Serialize;
use xcollide::math::Motion;
use xcollide::narrow::{Guarantee, Pose};
use xcollide::{Concurrent, Frame, ObjectId, PoseError, World, WorldError};

use crate::execution_mode::CONCURRENT;

/// A world that checks frame by frame. The frames do not depend on the thread.
pub(crate) struct Detector {
    place: Place,
    pub(super) layers: Layers,
    /// Where the objects were in the last frame, by number, if they are tested on their way from there.
    before: Option<Vec<Pose>>,
    /// Vertices of flexible objects that the next check moves.
    vertices: Vec<(ObjectId, Vec<[f64; 3]>)>,
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
    /// The detector of a world with all its objects. `continuous`: it tests them on their way from frame to frame.
    pub(crate) fn new(world: World, concurrent: bool, continuous: bool) -> Self {
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
        Self { place, layers, before: continuous.then(Vec::new), vertices: Vec::new() }
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

    /// Moves the vertices of an object in the next check.
    pub(crate) fn set_vertices(&mut self, object: ObjectId, positions: &[[f64; 3]]) {
        self.vertices.push((object, positions.to_vec()));
    }

    /// Moves the objects to their poses, by number, and checks for collisions. Returns the time of handing over the
    /// poses or motions.
    pub(crate) fn check(
        &mut self,
        objects: &[ObjectId],
        pose: impl Fn(usize) -> Pose + Sync,
        found: &mut Frame,
    ) -> Result<Duration, String> {
        let began = Instant::now();
        let vertices = std::mem::take(&mut self.vertices);
        let is_rigid = vertices.is_empty();
        let deform = move |world: &mut World| {
            vertices.iter().try_for_each(|(id, positions)| world.set_vertices(*id, positions))
        };
        if let Some(before) = &mut self.before {
            let now: Vec<Pose> = (0..objects.len()).map(&pose).collect();
            let from = std::mem::replace(before, now.clone());
            // The objects of the first frame are where they are.
            if !from.is_empty() {
                return self.check_ways(objects, [&from, &now], deform, found);
            }
        }
        match &mut self.place {
            Place::Here(world) => {
                deform(world).map_err(|error| error.to_string())?;
                world.set_poses(objects, pose).map_err(|error| error.to_string())?;
                let moving = began.elapsed();
                world.check_into(found);
                Ok(moving)
            }
            Place::Ready(world) => {
                let mut world = world.take().ok_or("there is no world")?;
                deform(&mut world).map_err(|error| error.to_string())?;
                let moving = began.elapsed();
                let detection = Concurrent::start(*world);
                let reported = report(&detection, found);
                self.place = Place::Thread(detection);
                reported.map(|()| moving)
            }
            Place::Thread(detection) if !is_rigid => {
                let (ids, poses) = (objects.to_vec(), (0..objects.len()).map(&pose));
                let poses: Vec<Pose> = poses.collect();
                let set = move |world: &mut World| {
                    deform(world)?;
                    world.set_poses(&ids, |number| poses[number])
                };
                check_after(set, detection, began, found)
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

impl Detector {
    /// As [`check`](Self::check), on the ways from the poses of the last frame.
    fn check_ways(
        &mut self,
        objects: &[ObjectId],
        [from, to]: [&[Pose]; 2],
        deform: impl FnOnce(&mut World) -> Result<(), WorldError> + Send + 'static,
        found: &mut Frame,
    ) -> Result<Duration, String> {
        let began = Instant::now();
        let ways = objects.iter().zip(from.iter().zip(to)).filter(|(_, (from, to))| from != to);
        let motions = ways.map(|(&id, (&from, &to))| Ok((id, Motion::linear(from, to)?)));
        let motions: Result<Vec<(ObjectId, Motion)>, PoseError> = motions.collect();
        let motions = motions.map_err(|error| error.to_string())?;
        let set = move |world: &mut World| {
            deform(world)?;
            motions.into_iter().try_for_each(|(id, motion)| world.set_motion(id, motion))
        };
        match &mut self.place {
            Place::Here(world) => {
                set(world).map_err(|error| error.to_string())?;
                let moving = began.elapsed();
                world.check_into(found);
                Ok(moving)
            }
            // The first frame has started the thread.
            Place::Ready(_) => Err("there is no world".to_owned()),
            Place::Thread(detection) => check_after(set, detection, began, found),
        }
    }
}

/// Changes the world in its thread, at once so that no check comes in between, and takes the frame of the check after that.
fn check_after(
    set: impl FnOnce(&mut World) -> Result<(), WorldError> + Send + 'static,
    detection: &Concurrent,
    began: Instant,
    found: &mut Frame,
) -> Result<Duration, String> {
    detection.next_frame();
    let (tell, told) = channel();
    // An error if nobody listens, as the detection has failed.
    detection.change(move |world| {
        let _ = tell.send(set(world));
    });
    let moving = began.elapsed();
    report(detection, found)?;
    let set = told.recv().map_err(|error| error.to_string())?;
    set.map(|()| moving).map_err(|error| error.to_string())
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
