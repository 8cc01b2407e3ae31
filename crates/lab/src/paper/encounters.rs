//! The pairs of a recorded motion whose boxes overlap, for experiments that look into single tests.

use std::collections::BTreeMap;

use xcollide::bounds::Aabb;
use xcollide::narrow::{Model, PairCache, Placed, Pose, Semantics};
use xcollide_scenes::{NoFiles, Scene};

use super::experiment::unusable;
use crate::compare::{CompareError, Motion};
use crate::run::models;

/// Models, and all tests of a recorded motion.
pub(super) struct Encounters {
    models: Vec<Model>,
    tests: Vec<Encounter>,
    pairs: usize,
}

/// A test in a frame.
struct Encounter {
    /// The number of the pair.
    pair: usize,
    meshes: [usize; 2],
    poses: [Pose; 2],
    /// Whether the boxes were apart in the frame before.
    is_first: bool,
    collides: bool,
}

impl Encounters {
    /// Records a scene by the default algorithms.
    pub(super) fn record(scene: &Scene, semantics: Semantics) -> Result<Self, CompareError> {
        let failed = |problem: String| unusable(&scene.name, problem);
        let motion = Motion::record_as(semantics, scene, &mut NoFiles, |_| ())?;
        let simulation = motion.simulation();
        let models = models(simulation).map_err(failed)?;
        let instances = simulation.instances();
        let mut numbers = BTreeMap::new();
        let (mut tests, mut last) = (Vec::new(), Vec::new());
        for frame in 0..motion.frames() {
            let poses: Vec<Pose> =
                (0..instances.len()).map(|index| motion.pose(frame, index).pose()).collect();
            let boxes = instances.iter().zip(&poses).map(|(instance, pose)| {
                let placed = Placed::new(&models[instance.mesh], pose);
                placed.map(|placed| placed.world_box()).map_err(|error| failed(error.to_string()))
            });
            let boxes: Vec<Aabb> = boxes.collect::<Result<_, _>>()?;
            let mut now = Vec::new();
            for a in 0..instances.len() {
                for b in a + 1..instances.len() {
                    if !boxes[a].overlaps(&boxes[b]) || !simulation.is_wanted(a, b) {
                        continue;
                    }
                    let count = numbers.len();
                    let pair = *numbers.entry([a, b]).or_insert(count);
                    now.push(pair);
                    tests.push(Encounter {
                        pair,
                        meshes: [a, b].map(|index| instances[index].mesh),
                        poses: [poses[a], poses[b]],
                        is_first: !last.contains(&pair),
                        collides: motion.colliding(frame).contains(&[a as u32, b as u32]),
                    });
                }
            }
            last = now;
        }
        Ok(Self { models, tests, pairs: numbers.len() })
    }

    pub(super) fn models(&self) -> &[Model] {
        &self.models
    }

    pub(super) fn count(&self) -> usize {
        self.tests.len()
    }

    /// The share of tests that are of colliding pairs.
    pub(super) fn colliding_share(&self) -> f64 {
        let hits = self.tests.iter().filter(|test| test.collides).count();
        hits as f64 / self.tests.len().max(1) as f64
    }

    /// Shows all tests in order: the two models in place, whether they collide, and a cache that begins when the boxes
    /// begin to overlap.
    pub(super) fn each(
        &self,
        mut show: impl FnMut([Placed<'_>; 2], bool, &mut PairCache),
    ) -> Result<(), CompareError> {
        let mut caches: Vec<PairCache> = (0..self.pairs).map(|_| PairCache::new()).collect();
        for Encounter { pair, meshes, poses, is_first, collides } in &self.tests {
            let cache = &mut caches[*pair];
            if *is_first {
                cache.clear();
            }
            let placed = |side: usize| {
                Placed::new(&self.models[meshes[side]], &poses[side])
                    .map_err(|error| unusable("a pair", error))
            };
            show([placed(0)?, placed(1)?], *collides, cache);
        }
        Ok(())
    }
}
