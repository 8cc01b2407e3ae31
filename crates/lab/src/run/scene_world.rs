//! A scene's instances as objects of a world.

use std::time::{Duration, Instant};

use xcollide::narrow::{Model, Reason};
use xcollide::{Frame, FrameStats, ObjectId, ObjectPair, StageTimes, World};
use xcollide_scenes::{Scene, SceneError, SceneFiles, Simulation};

use super::detector::{Detector, Layers};
use super::motion_bounds::MotionBounds;
use super::{acceptance, interest};
use crate::exit::Failure;

/// A simulated scene and the world that detects its collisions. Object `i` of the world is instance
/// `i` of the scene.
pub(crate) struct SceneWorld {
    simulation: Simulation,
    detector: Detector,
    motion_bounds: MotionBounds,
    /// Moving instances and their objects.
    moving: Vec<(usize, ObjectId)>,
    found: Frame,
    lists: Lists,
    answers: Vec<(usize, usize)>,
    pub(super) preparing: Duration,
}

/// Why a scene cannot be simulated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StagingError {
    #[error(transparent)]
    Scene(#[from] SceneError),
    #[error("object {object}: {message}")]
    Object { object: usize, message: String },
    #[error("{narrow} does not accept objects {a} and {b} together")]
    NotAccepted { narrow: &'static str, a: usize, b: usize },
}

/// The pairs of a frame by object numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lists {
    pub(super) began: Vec<[u32; 2]>,
    pub(super) persisting: Vec<[u32; 2]>,
    pub(super) ended: Vec<[u32; 2]>,
}

impl Lists {
    /// The pairs that collide now.
    pub(super) fn colliding(&self) -> impl Iterator<Item = [u32; 2]> {
        self.began.iter().chain(&self.persisting).copied()
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameMeasurement {
    pub(super) frame: usize,
    pub(super) times: StageTimes,
    pub(super) stats: FrameStats,
    /// Numbers of pairs that began, persist, ended, are undecided.
    pub(super) counts: [usize; 4],
}

impl SceneWorld {
    /// Adds the scene's instances to an empty world and prepares its algorithms, so that no frame
    /// is timed with it. `concurrent`: the world checks in a thread of its own.
    pub(crate) fn new(
        scene: &Scene,
        files: &mut dyn SceneFiles,
        mut world: World,
        concurrent: bool,
    ) -> Result<Self, StagingError> {
        let simulation = Simulation::with_files(scene, files)?;
        let began = Instant::now();
        let mut models: Vec<Option<Model>> = vec![None; simulation.meshes().len()];
        let mut ids = Vec::with_capacity(simulation.instances().len());
        let mut kinds = Vec::with_capacity(ids.capacity());
        for (object, instance) in simulation.instances().iter().enumerate() {
            let refused = |message: String| StagingError::Object { object, message };
            let model = match &models[instance.mesh] {
                Some(model) => model,
                None => {
                    let mesh = simulation.meshes()[instance.mesh].clone();
                    let made =
                        Model::from_mesh(mesh).map_err(|error| refused(error.to_string()))?;
                    // A model that is refused alone may be in no wanted pair; checked below.
                    let _ = world.narrow_phase().prepare(&made);
                    models[instance.mesh].insert(made)
                }
            };
            let pose = &simulation.poses()[object];
            let id = world.add(model, pose).map_err(|error| refused(error.to_string()))?;
            world.set_static(id, instance.is_static).map_err(|error| refused(error.to_string()))?;
            ids.push(id);
            kinds.push(model.topology());
        }
        let narrow = world.narrow_phase();
        if let Some((a, b)) = acceptance::first_refused(narrow, &simulation, &kinds) {
            return Err(StagingError::NotAccepted { narrow: narrow.name(), a, b });
        }
        interest::set_interest(&mut world, &simulation, &ids);
        // A world in another thread could not be updated with new bounds.
        let bodies = if concurrent { &[] } else { ids.as_slice() };
        let motion_bounds = MotionBounds::of(&mut world, &simulation, bodies);
        let all = ids.into_iter().enumerate();
        let moving = all.filter(|(index, _)| !simulation.instances()[*index].is_static).collect();
        Ok(Self {
            simulation,
            moving,
            found: Frame::new(),
            lists: Lists::default(),
            answers: Vec::new(),
            preparing: began.elapsed(),
            motion_bounds,
            detector: Detector::new(world, concurrent),
        })
    }

    /// The world, if it is in this thread.
    pub(super) fn world(&self) -> Option<&World> {
        self.detector.world()
    }

    /// The names of its algorithms.
    pub(super) fn layers(&self) -> Layers {
        self.detector.layers()
    }

    pub(crate) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The pairs of the last [`detect`](Self::detect).
    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The colliding pairs of the last [`detect`](Self::detect), ordered.
    pub(crate) fn colliding(&self) -> Vec<[u32; 2]> {
        let numbers = |pair: ObjectPair| [pair.a.index(), pair.b.index()];
        self.found.colliding().map(|collision| numbers(collision.pair)).collect()
    }

    /// Moves the objects to their poses in this frame and finds the collisions.
    pub(crate) fn detect(&mut self) -> Result<FrameMeasurement, Failure> {
        let frame = self.simulation.frame();
        let poses = self.simulation.poses();
        let poses = self.moving.iter().map(|&(index, id)| (id, poses[index]));
        let moving = self
            .detector
            .check(poses, &mut self.found)
            .map_err(|problem| failed(frame, &problem))?;
        let found = &self.found;
        if let Some(failure) = found.failures.first() {
            return Err(failed(frame, failure));
        }
        let not_accepted = found.undecided.iter().find(|(_, why)| *why == Reason::NotAccepted);
        if let Some((ObjectPair { a, b }, _)) = not_accepted {
            let narrow = self.layers().narrow;
            let what = format!("frame {frame}: {narrow} does not accept objects {a} and {b}");
            return Err(Failure::bad_input(what));
        }
        let numbers = |pair: ObjectPair| [pair.a.index(), pair.b.index()];
        let lists = &mut self.lists;
        renew(&mut lists.began, found.began.iter().map(|collision| numbers(collision.pair)));
        renew(&mut lists.persisting, found.persisting.iter().map(|now| numbers(now.pair)));
        renew(&mut lists.ended, found.ended.iter().map(|ended| numbers(ended.pair)));
        let mut times = found.times;
        times.pose += moving;
        let counts =
            [lists.began.len(), lists.persisting.len(), lists.ended.len(), found.undecided.len()];
        Ok(FrameMeasurement { frame, times, stats: found.stats, counts })
    }

    /// Lets the scene respond to collisions and advances it by a frame.
    pub(crate) fn advance(&mut self) {
        let colliding = self.found.colliding().map(|collision| collision.pair);
        let numbers = |pair: ObjectPair| (pair.a.index() as usize, pair.b.index() as usize);
        renew(&mut self.answers, colliding.map(numbers));
        self.simulation.respond(&self.answers);
        self.simulation.advance();
        if let Some(world) = self.detector.world_mut() {
            self.motion_bounds.renew(world, &self.simulation);
        }
    }
}

fn renew<T>(list: &mut Vec<T>, items: impl Iterator<Item = T>) {
    list.clear();
    list.extend(items);
}

fn failed(frame: usize, what: &dyn std::fmt::Display) -> Failure {
    Failure::Failed(format!("frame {frame}: {what}"))
}
