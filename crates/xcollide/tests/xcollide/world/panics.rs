//! Random histories in which algorithms and callbacks panic.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};

use xcollide::execution::{Execution, Parallel, Serial};
use xcollide::narrow::mesh::BruteForce;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, Query, Verdict,
};
use xcollide::prelude::Topology;
use xcollide::{Failure, ObjectId, ObjectPair, World};
use xcollide_fixtures::long_run;
use xcollide_scenes::Random;

use super::Outcome;

/// Panics for some poses of a pair.
struct Moody;

/// Without the printing hook, for thousands of panics.
fn panics(why: &'static str) -> ! {
    resume_unwind(Box::new(why))
}

impl NarrowPhase for Moody {
    fn name(&self) -> &'static str {
        "moody"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let bits = [a, b].map(|placed| placed.pose().translation()[0].to_bits() >> 20);
        if (bits[0] ^ bits[1].rotate_left(7)).is_multiple_of(5) {
            panics("in no mood");
        }
        BruteForce.test(a, b, query, cache)
    }
}

/// Changes of a world. Objects are named by position among the living ones.
#[derive(Clone, Copy)]
enum Change {
    Add(Pose),
    Move(usize, Pose),
    Remove(usize),
}

impl Change {
    fn random(random: &mut Random) -> Self {
        let [x, y, z] = random.in_ball().map(|x| 2.0 * x);
        let pose = Pose::from_translation([x, y, z]);
        let which = random.bits() as usize;
        match random.bits() % 16 {
            0 => Self::Add(pose),
            1 => Self::Remove(which),
            _ => Self::Move(which, pose),
        }
    }

    fn apply(self, world: &mut World, model: &Model) -> Outcome {
        let living: Vec<ObjectId> = world.objects().collect();
        match self {
            Self::Add(pose) => {
                world.add(model, &pose)?;
            }
            Self::Move(which, pose) if !living.is_empty() => {
                world.set_pose(living[which % living.len()], &pose)?;
            }
            Self::Remove(which) if living.len() > 8 => {
                world.remove(living[which % living.len()])?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// The changes and panics of a check's callbacks.
#[derive(Default)]
struct Doings {
    changes: Vec<Change>,
    panics: Vec<ObjectPair>,
}

/// Numbers of events.
#[derive(Default)]
struct Tally {
    tests: usize,
    callbacks: usize,
    events: usize,
}

/// A world of panicking layers beside a sound one with the same objects: pairs without panic are as
/// in the sound one, others keep their state; every panic is reported once, and changes made before
/// it count.
fn history(
    seed: u64,
    frames: usize,
    execution: impl Execution + 'static,
) -> Result<Tally, Box<dyn std::error::Error>> {
    let model = Model::from_mesh(xcollide_scenes::shape("octahedron")?)?;
    let mut moody = World::builder().narrow_phase(Moody).execution(execution).build();
    let mut sound = World::new();
    let mut random = Random::new(seed);
    for _ in 0..14 {
        let change = Change::Add(Pose::from_translation([2.0 * random.unit(), random.unit(), 0.0]));
        change.apply(&mut moody, &model)?;
        change.apply(&mut sound, &model)?;
    }
    let doings = Arc::new(Mutex::new(Doings::default()));
    let (done, shape) = (doings.clone(), model.clone());
    let mut mood = Random::new(!seed);
    moody.set_callback(move |report, _, world| {
        let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
        if mood.bits().is_multiple_of(4) {
            let change = Change::random(&mut mood);
            if change.apply(world, &shape).is_ok() {
                done.changes.push(change);
            }
        }
        if mood.bits().is_multiple_of(4) {
            done.panics.push(report.pair());
            panics("out of order");
        }
    });
    let mut told: BTreeSet<ObjectPair> = BTreeSet::new();
    let mut tally = Tally::default();
    for frame in 0..frames {
        for _ in 0..random.bits() % 9 {
            let change = Change::random(&mut random);
            change.apply(&mut moody, &model)?;
            change.apply(&mut sound, &model)?;
        }
        let truth: BTreeSet<ObjectPair> = sound.check().colliding().map(|c| c.pair).collect();
        let found = moody.check();
        let (mut untested, mut in_callbacks) = (BTreeSet::new(), Vec::new());
        for failure in &found.failures {
            match failure {
                Failure::Pair { pair, message } => {
                    assert_eq!(message, "in no mood");
                    assert!(untested.insert(*pair), "{pair:?} fails twice");
                }
                Failure::Callback { pair, .. } => in_callbacks.push(*pair),
                other => panic!("{other}"),
            }
        }
        let before = told.clone();
        for collision in &found.began {
            assert!(told.insert(collision.pair), "{:?} has begun before", collision.pair);
        }
        for ended in &found.ended {
            assert!(told.remove(&ended.pair), "{:?} has not begun", ended.pair);
        }
        for pair in told.union(&truth).chain(&before).filter(|pair| !untested.contains(pair)) {
            let of = |set: &BTreeSet<ObjectPair>| set.contains(pair);
            assert_eq!(of(&told), of(&truth), "{pair:?} in frame {frame}");
        }
        for pair in &untested {
            assert_eq!(told.contains(pair), before.contains(pair), "{pair:?} in frame {frame}");
        }
        let shown: BTreeSet<ObjectPair> = found.colliding().map(|c| c.pair).collect();
        assert_eq!(shown, told.difference(&untested).copied().collect());

        let mut done = doings.lock().unwrap_or_else(PoisonError::into_inner);
        assert_eq!(in_callbacks, done.panics);
        done.changes.drain(..).try_for_each(|change| change.apply(&mut sound, &model))?;
        assert!(moody.objects().eq(sound.objects()));
        tally.tests += untested.len();
        tally.callbacks += done.panics.len();
        tally.events += found.began.len() + found.ended.len();
        done.panics.clear();
    }
    Ok(tally)
}

fn histories(seeds: std::ops::Range<u64>, frames: usize) -> Outcome {
    for seed in seeds {
        let in_turn = history(seed, frames, Serial)?;
        let on_threads = history(seed, frames, Parallel::with_threads(3)?)?;
        let all = |tally: &Tally| [tally.tests, tally.callbacks, tally.events];
        assert_eq!(all(&in_turn), all(&on_threads));
        assert!(all(&in_turn).iter().all(|&times| times > frames), "{:?}", all(&in_turn));
    }
    Ok(())
}

#[test]
fn panics_lose_nothing_but_their_own_pair() -> Outcome {
    histories(0..4, 60)
}

#[test]
fn panics_lose_nothing_in_long_histories_soak() -> Outcome {
    let run = long_run(1, 100);
    let first = 4 + 100 * run.seed;
    histories(first..first + run.cases, 200)
}
