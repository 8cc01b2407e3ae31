//! A scene's instances as objects of a world.

use std::time::{Duration, Instant};

use serde::Serialize;
use xcollide::bounds::Aabb;
use xcollide::narrow::proximity::Distance;
use xcollide::narrow::{Model, Placed, Pose, Reason};
use xcollide::{Collision, Frame, FrameStats, ObjectId, ObjectPair, World};
use xcollide_scenes::{Scene, SceneFiles, Simulation};

use super::detector::{Detector, Layers};
use super::flexible::{FlexibleFrame, FlexibleObjects};
use super::motion_bounds::MotionBounds;
use super::record::{StageNs, Work};
use super::{add_objects, first_refused, models, set_interest};
use crate::exit::Failure;
use crate::meetings::{Measurements, PairContact};

/// A simulated scene and the world that detects its collisions. Object `i` of the world is instance
/// `i` of the scene.
pub(crate) struct SceneWorld {
    simulation: Simulation,
    models: Vec<Model>,
    detector: Detector,
    motion_bounds: MotionBounds,
    flexible: FlexibleObjects,
    /// What they have done since the last frame.
    gave_way: FlexibleFrame,
    ids: Vec<ObjectId>,
    /// The objects of moving instances.
    moving: Vec<ObjectId>,
    found: Frame,
    lists: Lists,
    answers: Vec<(usize, usize)>,
    pub(super) preparing: Duration,
}

/// The pairs of a frame by object numbers, the smaller one first; lists are ordered.
#[derive(Default, Serialize)]
pub(super) struct Lists {
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

#[derive(Clone, Copy)]
pub(crate) struct FrameMeasurement {
    pub(super) frame: usize,
    pub(crate) ns: StageNs,
    pub(super) stats: FrameStats,
    /// Of a scene with flexible objects.
    pub(crate) flexible: Option<FlexibleFrame>,
    /// Numbers of pairs that began, persist, ended, are undecided.
    pub(super) counts: [usize; 4],
    /// Whether the tests were approximate.
    pub(super) approximate: bool,
}

impl FrameMeasurement {
    pub(super) fn work(&self) -> Work {
        Work::new(&self.stats, self.counts[3])
    }
}

impl SceneWorld {
    /// Adds the scene's instances to an empty world and prepares its algorithms, so that no timed
    /// frame has to. `concurrent`: the world checks in a thread of its own. The error says why the
    /// scene cannot be simulated.
    pub(crate) fn new(
        scene: &Scene,
        files: &mut dyn SceneFiles,
        mut world: World,
        concurrent: bool,
    ) -> Result<Self, String> {
        let simulation = Simulation::with_files(scene, files).map_err(|error| error.to_string())?;
        let began = Instant::now();
        let models = models(&simulation)?;
        let narrow = world.narrow_phase();
        for model in &models {
            // A model that is refused alone may be in no wanted pair; checked below.
            let _ = narrow.prepare(model);
        }
        if let Some((a, b)) = first_refused(narrow, &simulation, &models) {
            return Err(format!("{} does not accept objects {a} and {b} together", narrow.name()));
        }
        let ids = add_objects(&mut world, &simulation, &models)?;
        set_interest(&mut world, &simulation, &ids);
        let flexible = FlexibleObjects::new(scene, &simulation, &models)?;
        for (instance, vertices) in flexible.vertices() {
            let id = ids[instance];
            let pose = flexible.pose(instance, simulation.poses()[instance]);
            let placed = world.set_pose(id, &pose).and_then(|()| world.set_vertices(id, vertices));
            placed.map_err(|error| format!("object {instance}: {error}"))?;
        }
        // Bounds of a world in another thread could not be updated.
        let bodies = if concurrent { &[] } else { ids.as_slice() };
        let motion_bounds = MotionBounds::of(&mut world, &simulation, bodies);
        let moves = |id: &ObjectId| !simulation.instances()[id.index() as usize].is_static;
        let moving = ids.iter().copied().filter(moves).collect();
        Ok(Self {
            simulation,
            models,
            flexible,
            gave_way: FlexibleFrame::default(),
            ids,
            moving,
            found: Frame::new(),
            lists: Lists::default(),
            answers: Vec::new(),
            preparing: began.elapsed(),
            motion_bounds,
            detector: Detector::new(world, concurrent, scene.continuous),
        })
    }

    pub(super) fn world(&self) -> Option<&World> {
        self.detector.world()
    }

    /// The names of its algorithms.
    pub(super) fn layers(&self) -> Layers {
        self.detector.layers
    }

    pub(crate) fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    pub(crate) fn flexible(&self) -> &FlexibleObjects {
        &self.flexible
    }

    /// The pairs of the last [`detect`](Self::detect).
    pub(super) fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The distances that the world measured in the last [`detect`](Self::detect).
    pub(super) fn distances(&self) -> impl Iterator<Item = ([u32; 2], &Distance)> {
        self.found.distances.iter().map(|(pair, distance)| (numbers(*pair), distance))
    }

    /// The boxes of all objects in the last [`detect`](Self::detect); none of a world in another thread.
    pub(super) fn boxes(&self) -> impl Iterator<Item = (u32, Aabb)> {
        let bounds = |world: &World, id: ObjectId| Some((id.index(), world.bounds(id).ok()?.aabb));
        self.world()
            .into_iter()
            .flat_map(move |world| self.ids.iter().filter_map(move |&id| bounds(world, id)))
    }

    /// Where bodies collide in the last [`detect`](Self::detect), ordered by pair.
    pub(super) fn contacts(&self) -> impl Iterator<Item = PairContact> {
        self.collisions().map(|(pair, collision)| PairContact::of_collision(pair, collision))
    }

    /// The pairs that the last [`detect`](Self::detect) did not test in time and that count as in contact, ordered.
    pub(super) fn assumed(&self) -> Vec<[u32; 2]> {
        self.found.assumed.iter().map(|contact| numbers(contact.pair)).collect()
    }

    /// The pairs that the last [`detect`](Self::detect) found to touch on their way, and when: at the earliest and at
    /// the latest.
    pub(super) fn times(&self) -> Vec<(u32, u32, f64, f64)> {
        let timed = |collision: &Collision| {
            let [a, b] = numbers(collision.pair);
            collision.time().map(|time| (a, b, time.lo, time.hi))
        };
        self.found.colliding().filter_map(timed).collect()
    }

    /// The collisions of the last [`detect`](Self::detect), ordered by pair.
    pub(super) fn collisions(&self) -> impl Iterator<Item = ([u32; 2], &Collision)> {
        self.found.colliding().map(|collision| (numbers(collision.pair), collision))
    }

    /// The pairs that the last [`detect`](Self::detect) left undecided, each with a bound of its distance if one is known.
    pub(super) fn undecided(&self) -> Vec<(u32, u32, Option<f64>)> {
        let told = |&(pair, reason): &(ObjectPair, Reason)| {
            let [a, b] = numbers(pair);
            (a, b, reason.at_most())
        };
        self.found.undecided.iter().map(told).collect()
    }

    /// The frame of the last [`detect`](Self::detect).
    pub(super) fn found(&self) -> &Frame {
        &self.found
    }

    /// What the last [`detect`](Self::detect) found to collide, and how.
    pub(super) fn measured_contacts(&self, measurements: &mut Measurements) -> Vec<PairContact> {
        self.contacts().map(|contact| self.measured(contact, measurements)).collect()
    }

    fn measured(&self, contact: PairContact, measurements: &mut Measurements) -> PairContact {
        let bodies = contact.pair.map(|number| number as usize);
        let [pose_a, pose_b] = bodies.map(|instance| self.pose(instance));
        let placed = |instance: usize, pose| Placed::new(self.model(instance)?, pose).ok();
        match (placed(bodies[0], &pose_a), placed(bodies[1], &pose_b)) {
            (Some(a), Some(b)) => measurements.of(contact, a, b),
            _ => contact,
        }
    }

    /// The pose of an instance in the last [`detect`](Self::detect).
    pub(super) fn pose(&self, instance: usize) -> Pose {
        self.flexible.pose(instance, self.simulation.poses()[instance])
    }

    /// The model of a rigid instance.
    pub(super) fn model(&self, instance: usize) -> Option<&Model> {
        let is_flexible = self.flexible.vertices().any(|(flexible, _)| flexible == instance);
        if is_flexible { None } else { self.models.get(self.simulation.instances()[instance].mesh) }
    }

    /// The colliding pairs of the last [`detect`](Self::detect), ordered.
    pub(crate) fn colliding(&self) -> Vec<[u32; 2]> {
        self.found.colliding().map(|collision| numbers(collision.pair)).collect()
    }

    /// Moves the objects to their poses in this frame and finds the collisions.
    pub(crate) fn detect(&mut self) -> Result<FrameMeasurement, Failure> {
        let frame = self.simulation.frame();
        let poses = self.simulation.poses();
        let (moving, flexible) = (&self.moving, &self.flexible);
        let pose = |number: usize| {
            let instance = moving[number].index() as usize;
            flexible.pose(instance, poses[instance])
        };
        let moving = self
            .detector
            .check(moving, pose, &mut self.found)
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
        let lists = &mut self.lists;
        renew(&mut lists.began, found.began.iter().map(|collision| numbers(collision.pair)));
        renew(&mut lists.persisting, found.persisting.iter().map(|now| numbers(now.pair)));
        renew(&mut lists.ended, found.ended.iter().map(|ended| numbers(ended.pair)));
        let mut times = found.times;
        times.pose += moving;
        let counts =
            [lists.began.len(), lists.persisting.len(), lists.ended.len(), found.undecided.len()];
        let (ns, stats) = (StageNs::from(&times), found.stats);
        let flexible = (!self.flexible.is_empty()).then(|| {
            let mut seen = std::mem::take(&mut self.gave_way);
            self.flexible.measure(&mut seen);
            seen
        });
        let approximate = self.found.approximate;
        Ok(FrameMeasurement { frame, ns, stats, flexible, counts, approximate })
    }

    /// Lets the scene respond to collisions, and to contacts that are assumed, and advances it by a frame.
    pub(crate) fn advance(&mut self) -> Result<(), Failure> {
        let colliding = self.found.colliding().map(|collision| collision.pair);
        let assumed = self.found.assumed.iter().map(|contact| contact.pair);
        let indices = |pair: ObjectPair| (pair.a.index() as usize, pair.b.index() as usize);
        renew(&mut self.answers, colliding.chain(assumed).map(indices));
        self.simulation.respond(&self.answers);
        let from = (!self.flexible.is_empty()).then(|| self.simulation.poses().to_vec());
        // The pool is that of the world.
        if self.layers().is_parallel {
            self.simulation.advance_in_parallel();
        } else {
            self.simulation.advance();
        }
        if let Some(from) = from {
            let to = self.simulation.poses();
            self.flexible
                .advance([&from, to], &self.answers, &mut self.gave_way)
                .map_err(|problem| failed(self.simulation.frame(), &problem))?;
            for (instance, vertices) in self.flexible.vertices() {
                self.detector.set_vertices(self.ids[instance], vertices);
            }
        }
        if let Some(world) = self.detector.world_mut() {
            self.motion_bounds.renew(world, &self.simulation);
        }
        Ok(())
    }
}

/// The numbers of two objects in the scene.
pub(crate) fn numbers(pair: ObjectPair) -> [u32; 2] {
    [pair.a.index(), pair.b.index()]
}

fn renew<T>(list: &mut Vec<T>, items: impl Iterator<Item = T>) {
    list.clear();
    list.extend(items);
}

fn failed(frame: usize, what: &dyn std::fmt::Display) -> Failure {
    Failure::Failed(format!("frame {frame}: {what}"))
}
