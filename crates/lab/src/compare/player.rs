//! Plays a recorded motion with one combination and measures it.

use std::time::{Duration, Instant};

use xcollide::broad::Volume;
use xcollide::narrow::{Model, Query, Reason};
use xcollide::{Frame, ObjectId, World};

use super::{Combination, CompareError, Motion};
use crate::output::nanoseconds;
use crate::run::{Detector, Work, add_objects, first_refused, models, numbers, set_interest};

pub(super) struct Player<'a> {
    pub(super) combination: &'a Combination,
    motion: &'a Motion,
    /// Not shared with other players, as the narrow phase keeps its data with them.
    models: Vec<Model>,
    pub(super) build: Duration,
    /// The volumes that the broad phase reads.
    pub(super) volume: Volume,
    detector: Detector,
    /// The objects of moving instances.
    moving: Vec<ObjectId>,
    found: Frame,
}

/// Nanoseconds of a frame, by stage and in all.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FrameTime {
    pub(super) stages: [u64; 4],
    pub(super) whole: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction {
    pub(super) pair: [u32; 2],
    /// Whether the combination says that the pair collides.
    pub(super) collides: bool,
}

impl<'a> Player<'a> {
    /// Creates the models and prepares the narrow phase. The error says why the combination cannot
    /// play the scene.
    pub(super) fn new(combination: &'a Combination, motion: &'a Motion) -> Result<Self, String> {
        let models = models(motion.simulation())?;
        let query = Query::new().semantics(motion.semantics());
        let world = combination.world(query).map_err(|error| error.to_string())?;
        let narrow = world.narrow_phase();
        let began = Instant::now();
        for model in &models {
            // A model that is refused alone may be in no wanted pair; checked below.
            let _ = narrow.prepare(model);
        }
        let build = began.elapsed();
        if let Some((a, b)) = first_refused(narrow, motion.simulation(), &models) {
            return Err(format!("it does not accept objects {a} and {b} together"));
        }
        let mut player = Self {
            combination,
            motion,
            models,
            build,
            volume: world.broad_phase().volume(),
            detector: Detector::new(world, false, motion.scene().continuous),
            moving: Vec::new(),
            found: Frame::new(),
        };
        player.rewind(true)?;
        Ok(player)
    }

    /// Starts again with empty caches; prepared models stay.
    pub(super) fn rewind(&mut self, count: bool) -> Result<(), String> {
        let query = Query::new().semantics(self.motion.semantics()).stats(count);
        let mut world = self.combination.world(query).map_err(|error| error.to_string())?;
        let simulation = self.motion.simulation();
        let ids = add_objects(&mut world, simulation, &self.models)?;
        set_interest(&mut world, simulation, &ids);
        self.moving = self.motion.moving().iter().map(|&index| ids[index]).collect();
        let has_own_thread = self.combination.execution.has_own_thread;
        self.detector = Detector::new(world, has_own_thread, self.motion.scene().continuous);
        Ok(())
    }

    pub(super) fn play(&mut self, frame: usize) -> Result<FrameTime, CompareError> {
        let combination = self.combination;
        let failed = |problem: String| CompareError::Failed {
            combination: combination.in_words(),
            frame,
            problem,
        };
        let began = Instant::now();
        let poses = self.motion.poses(frame);
        let pose = |number: usize| poses[number].pose();
        let set = self.detector.check(&self.moving, pose, &mut self.found).map_err(failed)?;
        let whole = began.elapsed();
        if let Some(failure) = self.found.failures.first() {
            return Err(failed(failure.to_string()));
        }
        let refused = self.found.undecided.iter().find(|(_, why)| *why == Reason::NotAccepted);
        if let Some((pair, _)) = refused {
            let problem = format!("objects {} and {} are not accepted", pair.a, pair.b);
            return Err(failed(problem));
        }
        let times = &self.found.times;
        let stages = [times.pose + set, times.bounds, times.broad, times.narrow + times.report];
        Ok(FrameTime { stages: stages.map(nanoseconds), whole: nanoseconds(whole) })
    }

    pub(super) fn work(&self) -> Work {
        Work::new(&self.found.stats, self.found.undecided.len())
    }

    /// The first difference of the last frame from `expected`. Undecided pairs are no difference.
    pub(super) fn contradiction(&self, expected: &[[u32; 2]]) -> Option<Contradiction> {
        let mut found = self.found.colliding().map(|now| numbers(now.pair)).peekable();
        let mut expected = expected.iter().copied().peekable();
        loop {
            let (pair, collides) = match (found.peek(), expected.peek()) {
                (None, None) => return None,
                (Some(said), Some(known)) if said == known => {
                    found.next();
                    expected.next();
                    continue;
                }
                (Some(&said), known) if known.is_none_or(|&known| said < known) => {
                    found.next();
                    (said, true)
                }
                _ => (expected.next()?, false),
            };
            if !self.found.undecided.iter().any(|(open, _)| numbers(*open) == pair) {
                return Some(Contradiction { pair, collides });
            }
        }
    }

    /// Bytes and final choice of the broad phase.
    pub(super) fn broad_phase(self) -> (usize, String) {
        let world = self.detector.into_world();
        let of = |world: World| (world.broad_phase().bytes(), world.broad_phase().choice());
        world.map_or_else(Default::default, of)
    }

    /// Bytes that the narrow phase keeps with the models, if known.
    pub(super) fn prepared_bytes(&self) -> Option<usize> {
        let narrow = self.combination.narrow_phase(false).ok()?;
        self.models.iter().map(|model| narrow.prepared_bytes(model)).sum()
    }
}
