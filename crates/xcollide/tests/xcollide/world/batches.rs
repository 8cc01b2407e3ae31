//! Batches: frames equal those of single tests, whatever goes wrong in between.

use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use xcollide::execution::{Execution, Parallel, Serial};
use xcollide::interest::Ask;
use xcollide::narrow::{
    Contact, Guarantee, Model, NarrowPhase, PairCache, PairQuery, Placed, PrepareError, Query,
    Reason, Semantics, Stats, Verdict, combine::Auto, mesh::Wide,
};
use xcollide::prelude::Topology;
use xcollide::{Collision, Failure, Frame, ObjectId, ObjectPair, Proof, Schedule, World};
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{Entry, cage, entry, fill, models};
use super::threads::Splitter;

/// Uses only the [`test`](NarrowPhase::test) of another narrow phase, for one pair after the other,
/// or in a more difficult way.
struct Asked<N> {
    inner: N,
    mood: Mood,
    together: Together,
    /// The sizes of the batches.
    batches: Arc<Mutex<Vec<usize>>>,
}

/// What it panics at.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mood {
    /// Nothing.
    Good,
    /// Some poses of a pair.
    Changing,
    /// Objects on the left.
    RightOnly,
}

impl Mood {
    fn is_bad(self, pair: [Placed<'_>; 2]) -> bool {
        let [x, y] = pair.map(|placement| placement.pose().translation()[0]);
        let [p, q] = [x, y].map(|x| x.to_bits() >> 20);
        match self {
            Self::Good => false,
            Self::Changing => (p ^ q.rotate_left(7)).is_multiple_of(17),
            Self::RightOnly => x < 0.0 || y < 0.0,
        }
    }
}

/// How it handles a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Together {
    /// One after the other.
    Alone,
    /// The last pair first; after a panic, all caches are corrupted.
    Backwards,
    /// Panics for more than one pair.
    Never,
    /// Omits the last verdict.
    Forgetful,
}

/// A cache entry that no test may see.
#[derive(Default)]
struct Spoilt(bool);

fn sulk() -> ! {
    // Without the printing hook, for thousands of panics.
    resume_unwind(Box::new("in no mood"))
}

impl<N: NarrowPhase> NarrowPhase for Asked<N> {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        self.inner.accepts(a, b)
    }

    fn guarantee(&self) -> Guarantee {
        self.inner.guarantee()
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        self.inner.prepare(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        assert!(!cache.get_or_default::<Spoilt>().0, "what was half done has been left");
        if self.mood.is_bad([a, b]) {
            cache.get_or_default::<Spoilt>().0 = true;
            sulk();
        }
        self.inner.test(a, b, query, cache)
    }

    fn test_many(
        &self,
        questions: &mut [PairQuery<'_>],
        query: &Query,
        verdicts: &mut Vec<Verdict>,
    ) {
        let count = questions.len();
        self.batches.lock().unwrap_or_else(PoisonError::into_inner).push(count);
        verdicts.clear();
        if self.together == Together::Never && count > 1 {
            sulk();
        }
        let backwards = self.together == Together::Backwards;
        let mut bad =
            questions.iter().filter(|question| self.mood.is_bad([question.a, question.b]));
        if backwards && count > 1 && bad.next().is_some() {
            for question in questions {
                question.cache.get_or_default::<Spoilt>().0 = true;
            }
            sulk();
        }
        let mut test =
            |question: &mut PairQuery<'_>| self.test(question.a, question.b, query, question.cache);
        if backwards {
            verdicts.extend(questions.iter_mut().rev().map(&mut test));
            verdicts.reverse();
        } else {
            verdicts.extend(questions.iter_mut().map(&mut test));
        }
        if self.together == Together::Forgetful {
            verdicts.pop();
        }
    }
}

/// A frame without its proofs, which are verified.
#[derive(Debug, PartialEq)]
struct Said {
    pairs: Entry,
    failures: Vec<Failure>,
    undecided: Vec<(ObjectPair, Reason)>,
    contacts: Vec<Vec<Contact>>,
    distances: Vec<(ObjectPair, f64)>,
    tested: usize,
}

fn said(frame: &Frame, world: &World) -> Result<Said, Box<dyn std::error::Error>> {
    for &Collision { pair, proof, .. } in frame.colliding() {
        let [a, b] = [world.placed(pair.a)?, world.placed(pair.b)?];
        if let Proof::Witness(witness) = proof {
            witness.verify(a, b, Semantics::Solid)?;
        }
    }
    Ok(Said {
        pairs: entry(frame),
        failures: frame.failures.clone(),
        undecided: frame.undecided.clone(),
        contacts: frame.colliding().map(|c| frame.contacts(c).to_vec()).collect(),
        distances: frame.distances.iter().map(|(pair, distance)| (*pair, distance.value)).collect(),
        tested: frame.stats.tested,
    })
}

/// The result of a history: frames, proofs and counts.
#[derive(Debug, Default, PartialEq)]
struct Told {
    frames: Vec<Said>,
    proofs: Vec<Proof>,
    stats: Vec<Stats>,
}

const BODIES: usize = 96;
const FRAMES: usize = 12;

/// Frames in which bodies move, rest, appear and vanish, and queries of some pairs change.
fn history(mut world: World, mixed: bool) -> Result<Told, Box<dyn std::error::Error>> {
    let (models, mut cage, mut random) = (models(BODIES)?, cage(BODIES)?, Random::new(4));
    let mut objects = fill(&mut world, &models, &cage)?;
    let (mut frame, mut told) = (Frame::new(), Told::default());
    for number in 0..FRAMES {
        for (index, (&object, pose)) in objects.iter().zip(cage.poses()).enumerate() {
            if number == 0 || !(index + number).is_multiple_of(5) {
                world.set_pose(object, pose)?;
            }
        }
        if mixed {
            for _ in 0..BODIES * BODIES / 8 {
                let [i, j] = [0, 1].map(|_| objects[random.bits() as usize % BODIES]);
                if i != j {
                    ask(&mut world, i, j, &mut random);
                }
            }
            let index = random.bits() as usize % BODIES;
            world.remove(objects[index])?;
            objects[index] = world.add(&models[index], &cage.poses()[index])?;
        }
        world.check_into(&mut frame);
        told.frames.push(said(&frame, &world)?);
        told.proofs.extend(frame.colliding().map(|collision| collision.proof));
        told.stats.push(frame.stats.narrow);
        cage.advance();
    }
    Ok(told)
}

/// Most pairs have yes/no queries.
fn ask(world: &mut World, i: ObjectId, j: ObjectId, random: &mut Random) {
    let ask = match random.bits() % 8 {
        0 => Ask::Contacts { limit: usize::MAX },
        1 => Ask::Contacts { limit: 2 },
        2 => Ask::Within { tolerance: 0.1 },
        3 => Ask::Distance { up_to: 0.5 },
        _ => Ask::Touch,
    };
    world.interest_mut().set_pair_ask(i, j, ask);
}

/// A world with this behaviour, and its batch sizes.
fn world(
    together: Together,
    mood: Mood,
    execution: Box<dyn Execution>,
) -> (World, Arc<Mutex<Vec<usize>>>) {
    let batches = Arc::<Mutex<Vec<usize>>>::default();
    let inner = Auto::new();
    let narrow = Asked { inner, mood, together, batches: batches.clone() };
    (World::builder().narrow_phase(narrow).boxed_execution(execution).build(), batches)
}

/// One thread, several, and pieces of all sizes.
fn modes() -> Result<Vec<Box<dyn Execution>>, Box<dyn std::error::Error>> {
    Ok(vec![
        Box::new(Serial),
        Box::new(Parallel::with_threads(2)?),
        Box::new(Parallel::with_threads(3)?),
        Box::new(Splitter::default()),
    ])
}

/// Mixed queries get the same answers as single ones, on any threads.
#[test]
fn frames_are_those_of_asking_one_by_one() -> Outcome {
    for mixed in [false, true] {
        let (referee, sizes) = world(Together::Alone, Mood::Good, Box::new(Serial));
        let expected = history(referee, mixed)?;
        let sizes = sizes.lock().map_err(|_| "poisoned")?.clone();
        assert!(sizes.iter().all(|&size| size <= 256), "{sizes:?}");
        assert!(sizes.contains(&256), "{sizes:?}");
        assert!(sizes.iter().filter(|&&size| size > 20).count() > FRAMES / 2, "{sizes:?}");
        let sum = |of: fn(&Said) -> usize| expected.frames.iter().map(of).sum::<usize>();
        assert!(sum(|said| said.pairs.began.len()) > 20 && sum(|said| said.pairs.ended.len()) > 5);
        assert_eq!(mixed, sum(|said| said.distances.len()) > 10);
        assert_eq!(mixed, sum(|said| said.contacts.iter().flatten().count()) > 10);
        for mode in modes()? {
            let name = mode.name();
            let (asked, _) = world(Together::Backwards, Mood::Good, mode);
            assert!(history(asked, mixed)? == expected, "{name}, {mixed}");
        }
    }
    Ok(())
}

/// The default narrow phase gives the same verdicts in batches, with the same proofs on any
/// threads, and the same verdicts under a schedule, where pairs are tested alone.
#[test]
fn proofs_do_not_depend_on_who_is_asked_about_at_the_same_time() -> Outcome {
    for mixed in [false, true] {
        let (one_by_one, _) = world(Together::Alone, Mood::Good, Box::new(Serial));
        let expected = history(one_by_one, mixed)?;
        let in_turn = history(World::new(), mixed)?;
        assert!(in_turn.frames == expected.frames);
        for mode in modes()? {
            let name = mode.name();
            let told = history(World::builder().boxed_execution(mode).build(), mixed)?;
            assert!(told == in_turn, "{name}, {mixed}");
        }
        let hour = Schedule::new(Duration::from_secs(3600));
        let told = history(World::builder().schedule(hour).build(), mixed)?;
        assert!(told.frames == in_turn.frames, "{mixed}");
    }
    Ok(())
}

/// With a schedule the world tests pairs one by one and never calls `test_many`.
#[test]
fn a_schedule_has_pairs_tested_one_by_one() -> Outcome {
    let (mut scheduled, batches) = world(Together::Alone, Mood::Good, Box::new(Serial));
    scheduled.set_schedule(Some(Schedule::new(Duration::from_secs(3600))));
    let told = history(scheduled, false)?;
    assert!(told.frames.iter().map(|said| said.tested).sum::<usize>() > 100);
    assert!(batches.lock().map_err(|_| "poisoned")?.is_empty());
    Ok(())
}

/// A panic fails its own pair and no other of the batch; likewise if whole batches panic or
/// verdicts are missing.
#[test]
fn panics_fail_no_pair_but_their_own() -> Outcome {
    for (mood, mixed) in [(Mood::Changing, false), (Mood::Changing, true), (Mood::Good, true)] {
        let (referee, _) = world(Together::Alone, mood, Box::new(Splitter::default()));
        let expected = history(referee, mixed)?;
        let failures: usize = expected.frames.iter().map(|said| said.failures.len()).sum();
        assert_eq!(failures > 2 * FRAMES, mood == Mood::Changing);
        for together in [Together::Backwards, Together::Never, Together::Forgetful] {
            for mode in modes()? {
                let name = mode.name();
                let (asked, _) = world(together, mood, mode);
                let told = history(asked, mixed)?;
                assert!(told.frames == expected.frames, "{together:?}, {name}, {mixed}");
            }
        }
    }
    Ok(())
}

/// A pair that fails repeatedly is tested alone, so that others are not tested twice.
#[test]
fn a_pair_that_fails_is_kept_apart_until_it_is_well() -> Outcome {
    let (mut world, batches) = world(Together::Backwards, Mood::RightOnly, Box::new(Serial));
    let model = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let pose = |x: f64| xcollide::narrow::Pose::from_translation([x, 0.0, 0.0]);
    let objects = (0..5)
        .map(|number| world.add(&model, &pose(0.01 * f64::from(number))))
        .collect::<Result<Vec<_>, _>>()?;
    let mut check = |x: f64| -> Result<_, Box<dyn std::error::Error>> {
        for (number, &object) in objects.iter().enumerate().skip(1) {
            world.set_pose(object, &pose(x + 0.01 * number as f64))?;
        }
        world.set_pose(objects[0], &pose(x.min(1.0) - 0.1))?;
        let failures = world.check().failures.len();
        let mut sizes = std::mem::take(&mut *batches.lock().map_err(|_| "poisoned")?);
        sizes.sort_unstable();
        Ok((failures, sizes))
    };
    assert_eq!(check(1.0)?, (0, vec![10]));
    // Each was tested alone.
    assert_eq!(check(0.05)?, (4, [vec![1; 10], vec![10]].concat()));
    // Known failures.
    assert_eq!(check(0.06)?, (4, vec![1, 1, 1, 1, 6]));
    assert_eq!(check(0.5)?, (0, vec![1, 1, 1, 1, 6]));
    assert_eq!(check(0.6)?, (0, vec![10]));
    Ok(())
}

/// Counts are those of single tests, and none if not requested; a budget limits each pair.
#[test]
fn what_is_asked_of_many_is_counted_and_ended_as_of_each() -> Outcome {
    let mut counts = Vec::new();
    for together in [Together::Alone, Together::Backwards, Together::Never] {
        let batches = Arc::default();
        let asked = Asked { inner: Wide::new(), mood: Mood::Good, together, batches };
        let mut world = World::builder().narrow_phase(asked).build();
        world.set_query(Query::new().stats(true));
        counts.push(history(world, false)?.stats);
    }
    assert!(counts.iter().all(|of| *of == counts[0] && of[0].primitive_tests > 100));
    let mut world = World::new();
    fill(&mut world, &models(BODIES)?, &cage(BODIES)?)?;
    world.set_query(Query::new().budget(Duration::ZERO));
    let frame = world.check();
    assert!(frame.undecided.len() == frame.stats.tested && frame.stats.tested > 64);
    assert_eq!(frame.stats.narrow, Stats::default());
    Ok(())
}
