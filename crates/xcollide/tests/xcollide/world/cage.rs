//! Bodies of all kinds in a cage, and brute force's log of them.

use std::collections::BTreeSet;

use xcollide::narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, mesh::BruteForce};
use xcollide::{Concurrent, Frame, ObjectId, World};
use xcollide_scenes::{Placement, Scene, SceneError, Simulation};

/// Convex, concave, long, open, of many pieces, all of similar size.
const SHAPES: [&str; 6] = [
    "shape:polytope?vertices=12&seed=2",
    "shape:torus?faces=40",
    "shape:polytope?vertices=12&kind=rod&seed=3",
    "shape:mobius?faces=20",
    "shape:cubes?n=2",
    "shape:tetraflake?depth=1",
];

/// The pose of a placement.
pub(crate) fn pose(placement: &Placement) -> Pose {
    placement.pose()
}

/// The models of the bodies.
pub(crate) fn models(count: usize) -> Result<Vec<Model>, Box<dyn std::error::Error>> {
    let shapes = SHAPES
        .iter()
        .map(|spec| Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?))
        .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    Ok((0..count).map(|number| shapes[number % shapes.len()].clone()).collect())
}

/// The collisions of a check, by body numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Entry {
    pub(crate) began: Vec<[u32; 2]>,
    pub(crate) persisting: Vec<[u32; 2]>,
    pub(crate) ended: Vec<[u32; 2]>,
}

/// Frame by frame.
pub(crate) type Log = Vec<Entry>;

/// The log entry of a frame.
pub(crate) fn entry(frame: &Frame) -> Entry {
    let numbers = |a: ObjectId, b: ObjectId| [a.index(), b.index()];
    Entry {
        began: frame.began.iter().map(|c| numbers(c.pair.a, c.pair.b)).collect(),
        persisting: frame.persisting.iter().map(|c| numbers(c.pair.a, c.pair.b)).collect(),
        ended: frame.ended.iter().map(|e| numbers(e.pair.a, e.pair.b)).collect(),
    }
}

/// Makes a log from the sets of colliding pairs.
#[derive(Default)]
pub(crate) struct Logger {
    before: BTreeSet<[u32; 2]>,
}

impl Logger {
    pub(crate) fn entry(&mut self, now: BTreeSet<[u32; 2]>) -> Entry {
        let entry = Entry {
            began: now.difference(&self.before).copied().collect(),
            persisting: now.intersection(&self.before).copied().collect(),
            ended: self.before.difference(&now).copied().collect(),
        };
        self.before = now;
        entry
    }
}

/// The colliding pairs, by brute force over all triangles.
pub(crate) fn brute_force(bodies: &[(u32, Placed<'_>)]) -> BTreeSet<[u32; 2]> {
    let mut now = BTreeSet::new();
    for (position, &(i, a)) in bodies.iter().enumerate() {
        for &(j, b) in &bodies[position + 1..] {
            let verdict = BruteForce.test(a, b, &Query::new(), &mut PairCache::new());
            if verdict.is_collision() {
                now.insert([i.min(j), i.max(j)]);
            }
        }
    }
    now
}

/// The cage of the tests: crowded, with many collisions from the first frame on.
pub(crate) fn cage(count: usize) -> Result<Simulation, SceneError> {
    let mut scene = Scene::crowd(&SHAPES, count, 4.0 / 0.35, 0.25, 17.0);
    scene.seed = 7;
    let mut cage = Simulation::new(&scene)?;
    (0..40).for_each(|_| cage.advance());
    Ok(cage)
}

/// The log of brute force.
pub(crate) fn truth(count: usize, frames: usize) -> Result<Log, Box<dyn std::error::Error>> {
    let (models, mut cage, mut logger) = (models(count)?, cage(count)?, Logger::default());
    let mut log = Log::new();
    for _ in 0..frames {
        let placed = models.iter().zip(cage.poses()).enumerate();
        let placed =
            placed.map(|(number, (model, pose))| Ok((number as u32, Placed::new(model, pose)?)));
        let placed = placed.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
        log.push(logger.entry(brute_force(&placed)));
        cage.advance();
    }
    Ok(log)
}

/// Adds the bodies of a cage to a world.
pub(crate) fn fill(
    world: &mut World,
    models: &[Model],
    cage: &Simulation,
) -> Result<Vec<ObjectId>, Box<dyn std::error::Error>> {
    let bodies = models.iter().zip(cage.poses());
    bodies.map(|(model, pose)| Ok(world.add(model, pose)?)).collect()
}

/// The log of a world that `change` modifies before each frame.
pub(crate) fn log_of(
    mut world: World,
    count: usize,
    frames: usize,
    mut change: impl FnMut(usize, &mut World),
) -> Result<Log, Box<dyn std::error::Error>> {
    let (models, mut cage) = (models(count)?, cage(count)?);
    let objects = fill(&mut world, &models, &cage)?;
    let (mut frame, mut log) = (Frame::new(), Log::new());
    for number in 0..frames {
        for (&object, pose) in objects.iter().zip(cage.poses()) {
            world.set_pose(object, pose)?;
        }
        change(number, &mut world);
        world.check_into(&mut frame);
        assert!(frame.failures.is_empty() && frame.undecided.is_empty(), "{frame:?}");
        log.push(entry(&frame));
        cage.advance();
    }
    Ok(log)
}

/// The log of a world in a thread of its own, whose application waits for each check; each frame
/// has the application's number.
pub(crate) fn log_in_step_of(
    mut world: World,
    count: usize,
    frames: usize,
) -> Result<Log, Box<dyn std::error::Error>> {
    let (models, mut cage) = (models(count)?, cage(count)?);
    let objects = fill(&mut world, &models, &cage)?;
    let detection = Concurrent::start(world);
    detection.wait();
    let (mut frame, mut log) = (Frame::new(), Vec::new());
    assert!(detection.latest(&mut frame) && !detection.latest(&mut frame));
    log.push(entry(&frame));
    for number in 1..frames {
        cage.advance();
        // One change, so that no check sees half of the poses.
        let poses = cage.poses().to_vec();
        let objects = objects.clone();
        detection.next_frame();
        detection.change(move |world| {
            for (&object, pose) in objects.iter().zip(&poses) {
                assert_eq!(world.set_pose(object, pose), Ok(()));
            }
        });
        detection.wait();
        assert!(detection.latest(&mut frame));
        assert!(frame.failures.is_empty());
        assert_eq!(frame.application, number as u64);
        log.push(entry(&frame));
    }
    Ok(log)
}
