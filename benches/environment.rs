//! A closed box full of moving polytopes: the world of Chung's experiments (1996, 6.2).
//!
//! Polytopes of radius 1 fly through a box with equal speeds and spins, bounce off its walls, and
//! reverse when they collide. The recorded queries are the pairs whose tightest boxes overlap,
//! frame by frame, with those that overlapped before.
#![allow(clippy::unwrap_used)]

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use xcollide_bounds::Aabb;
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide_scenes::{PolytopeKind, Random, polytope};

/// What kind of world.
#[derive(Clone, Copy, Debug)]
pub struct Environment {
    /// How many polytopes.
    pub count: usize,
    /// In radii a frame.
    pub velocity: f64,
    /// In degrees a frame.
    pub spin: f64,
    /// The part of the box that the cubes around the bodies' spheres fill. The thesis gives none.
    pub density: f64,
}

impl Default for Environment {
    /// As the thesis has it where it does not say otherwise, with a twentieth of the box full.
    fn default() -> Self {
        Self { count: 100, velocity: 0.05, spin: 10.0, density: 0.05 }
    }
}

/// A pair of polytopes whose boxes overlap.
#[derive(Clone, Copy, Debug)]
pub struct Encounter {
    /// Which pair, from 0 to [`Recording::pairs`]: always the same for the same two.
    pub pair: usize,
    /// The two, by number of the model.
    pub models: [usize; 2],
    /// Where they are.
    pub poses: [Pose; 2],
    /// Whether the boxes did not overlap in the frame before.
    pub first: bool,
    /// Whether the two collide.
    pub hit: bool,
}

/// The queries of some frames.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    /// In the order of the frames.
    pub encounters: Vec<Encounter>,
    /// How many different pairs met.
    pub pairs: usize,
    /// How many frames there were.
    pub frames: usize,
}

/// Polytopes of the three kinds with this many vertices, two of each.
///
/// # Panics
/// There are no such polytopes: `vertices` is below 4.
#[must_use]
pub fn mixture(vertices: usize) -> Vec<Model> {
    let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate];
    (0..6).map(|i| of_kind(vertices, kinds[i % 3], i as u64 + 1)).collect()
}

/// A polytope of one kind.
///
/// # Panics
/// There is none: `vertices` is below 4.
#[must_use]
pub fn of_kind(vertices: usize, kind: PolytopeKind, seed: u64) -> Model {
    match polytope(vertices, kind, seed).map(Model::from_mesh) {
        Ok(Ok(model)) => model,
        other => panic!("{vertices} vertices: {other:?}"),
    }
}

struct Flight {
    model: usize,
    pose: Pose,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

impl Environment {
    /// Lets polytopes fly until there are enough queries; body i has the shape of model i modulo
    /// their number.
    ///
    /// # Panics
    /// There is no model.
    #[must_use]
    pub fn record(&self, models: &[Model], queries: usize) -> Recording {
        let side = (8.0 * self.count as f64 / self.density).cbrt();
        let mut flights = self.start(models.len(), side);
        let mut recording = Recording::default();
        let mut pairs = vec![Known::default(); self.count * self.count];
        while recording.encounters.len() < queries {
            recording.frames += 1;
            for flight in &mut flights {
                flight.step(0.5 * side);
            }
            let boxes: Vec<Aabb> = flights
                .iter()
                .map(|flight| tightest(&models[flight.model], &flight.pose))
                .collect();
            let mut turned = vec![false; self.count];
            for i in 0..self.count {
                for j in (0..i).filter(|&j| boxes[i].overlaps(&boxes[j])) {
                    let known = &mut pairs[i * self.count + j];
                    let encounter = known.met(&mut recording, [&flights[j], &flights[i]], models);
                    if encounter.hit {
                        (turned[i], turned[j]) = (true, true);
                    }
                    recording.encounters.push(encounter);
                }
            }
            for (flight, _) in flights.iter_mut().zip(turned).filter(|(_, turned)| *turned) {
                (flight.velocity, flight.spin) = (-flight.velocity, -flight.spin);
            }
        }
        recording
    }

    /// On a lattice, so that none begin in each other.
    fn start(&self, models: usize, side: f64) -> Vec<Flight> {
        let mut random = Random::new(7);
        let cells = (self.count as f64).cbrt().ceil() as usize;
        let middle = |cell: usize| ((cell as f64 + 0.5) / cells as f64 - 0.5) * side;
        (0..self.count)
            .map(|i| {
                let [x, y, z] = [i % cells, i / cells % cells, i / (cells * cells)].map(middle);
                let [qx, qy, qz, qw] = random.rotation();
                let turn = UnitQuaternion::new_normalize(Quaternion::new(qw, qx, qy, qz));
                Flight {
                    model: i % models,
                    pose: Pose::try_from(Isometry3::from_parts(Translation3::new(x, y, z), turn))
                        .unwrap(),
                    velocity: Vector3::from(random.direction()) * self.velocity,
                    spin: Vector3::from(random.direction()) * self.spin.to_radians(),
                }
            })
            .collect()
    }
}

impl Flight {
    fn step(&mut self, half: f64) {
        let turn = Pose::try_from(Isometry3::from_parts(
            Translation3::identity(),
            UnitQuaternion::new(self.spin),
        ))
        .unwrap();
        self.pose = (turn * self.pose).with_translation(self.pose.translation());
        self.pose = self
            .pose
            .with_translation((Vector3::from(self.pose.translation()) + (self.velocity)).into());
        for axis in 0..3 {
            let at = Vector3::from(self.pose.translation())[axis];
            if at.abs() > half - 1.0 {
                self.velocity[axis] = -self.velocity[axis].abs() * at.signum();
            }
        }
    }
}

/// What is known of a pair while a world is recorded.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// Its number, and the last frame in which the boxes overlapped.
    number: Option<usize>,
    last: usize,
}

impl Known {
    fn met(
        &mut self,
        recording: &mut Recording,
        flights: [&Flight; 2],
        models: &[Model],
    ) -> Encounter {
        let first = self.number.is_none() || self.last + 1 < recording.frames;
        self.last = recording.frames;
        let pair = *self.number.get_or_insert_with(|| {
            recording.pairs += 1;
            recording.pairs - 1
        });
        let numbers = flights.map(|flight| flight.model);
        let poses = flights.map(|flight| flight.pose);
        let [a, b] = [0, 1].map(|k| placed(&models[numbers[k]], &poses[k]));
        let verdict = Hybrid::default().test(a, b, &Query::new(), &mut PairCache::new());
        Encounter { pair, models: numbers, poses, first, hit: verdict.is_collision() }
    }
}

/// A model at a pose of a recording.
///
/// # Panics
/// The pose is no motion.
#[must_use]
pub fn placed<'a>(model: &'a Model, pose: &'a Pose) -> Placed<'a> {
    match Placed::new(model, pose) {
        Ok(placed) => placed,
        Err(error) => panic!("{error}"),
    }
}

fn tightest(model: &Model, pose: &Pose) -> Aabb {
    let placed = placed(model, pose);
    Aabb::from_points(model.used_vertices().iter().map(|&vertex| placed.position(vertex)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_new_once_and_known_as_long_as_their_boxes_overlap() {
        let world = Environment { count: 20, density: 0.1, ..Environment::default() };
        let recording = world.record(&mixture(20), 2000);
        let encounters = &recording.encounters;
        let mut known = vec![false; recording.pairs];
        for encounter in encounters {
            assert!(known[encounter.pair] || encounter.first);
            known[encounter.pair] = true;
        }
        assert!(known.iter().all(|&known| known));
        let first = encounters.iter().filter(|encounter| encounter.first).count();
        let hits = encounters.iter().filter(|encounter| encounter.hit).count();
        assert!((recording.pairs..400).contains(&first), "{first} of {}", encounters.len());
        assert!((20..600).contains(&hits), "{hits} hits");
    }
}
