//! Pairs shared by several threads: frames equal those of one thread, to the last contact.

use std::time::Duration;

use nalgebra::Isometry3;
use xcollide::execution::{Execution, FineGrain, Parallel, Serial, TwoPhases};
use xcollide::interest::{Ask, InterestMatrix};
use xcollide::narrow::{Contact, Grain, Model, Pose};
use xcollide::registry;
use xcollide::{Collision, Frame, ObjectPair, World};
use xcollide_fixtures::long_run;
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{log_of, truth};

/// The pairs of a frame, and contacts with their geometry.
#[derive(Debug, PartialEq)]
struct Said {
    began: Vec<Collision>,
    persisting: Vec<Collision>,
    ended: Vec<ObjectPair>,
    contacts: Vec<Contact>,
}

fn said(frame: &Frame) -> Said {
    assert!(frame.failures.is_empty() && frame.undecided.is_empty(), "{frame:?}");
    Said {
        began: frame.began.clone(),
        persisting: frame.persisting.clone(),
        ended: frame.ended.iter().map(|ended| ended.pair).collect(),
        contacts: frame
            .colliding()
            .flat_map(|collision| frame.contacts(collision))
            .copied()
            .collect(),
    }
}

/// Frames of a few large bodies that graze, cross and leave each other.
fn large_bodies(
    execution: Box<dyn Execution>,
    narrow: &str,
    faces: usize,
    frames: usize,
) -> Result<Vec<Said>, Box<dyn std::error::Error>> {
    let ask = Ask::Contacts { limit: usize::MAX };
    let mut interest = InterestMatrix::new();
    interest.set_default_ask(ask);
    let narrow = registry::narrow_phase(narrow).ok_or("no such narrow phase")?;
    let mut world = World::builder()
        .boxed_execution(execution)
        .boxed_narrow_phase(narrow)
        .interest(interest)
        .build();
    let shapes = [format!("knot?faces={faces}"), format!("torus?faces={faces}")];
    let mut objects = Vec::new();
    for number in 0..3 {
        let model = Model::from_mesh(xcollide_scenes::shape(&shapes[number % 2])?)?;
        objects.push(world.add(&model, &Pose::IDENTITY)?);
    }
    let (mut random, mut frame, mut all) = (Random::new(3), Frame::new(), Vec::new());
    for _ in 0..frames {
        for &object in &objects {
            let offset = random.in_ball().map(|x| 1.5 * x);
            let turn = random.direction();
            world.set_pose(object, &Pose::try_from(Isometry3::new(offset.into(), turn.into()))?)?;
        }
        world.check_into(&mut frame);
        all.push(said(&frame));
    }
    Ok(all)
}

/// Every mode, with its own threads.
fn modes() -> Result<Vec<Box<dyn Execution>>, Box<dyn std::error::Error>> {
    Ok(vec![
        Box::new(Parallel::with_threads(2)?),
        Box::new(FineGrain::with_threads(2)?),
        Box::new(FineGrain::with_threads(3)?),
        Box::new(TwoPhases::with_threads(2)?),
    ])
}

fn same_frames(narrow: &str, faces: usize, frames: usize) -> Outcome {
    let expected = large_bodies(Box::new(Serial), narrow, faces, frames)?;
    let sum = |count: fn(&Said) -> usize| expected.iter().map(count).sum::<usize>();
    assert!(sum(|said| said.began.len()) > 0 && sum(|said| said.ended.len()) > 0, "{narrow}");
    assert!(sum(|said| said.contacts.len()) > frames, "{narrow}");
    for mode in modes()? {
        let name = mode.name();
        assert!(large_bodies(mode, narrow, faces, frames)? == expected, "{narrow}, {name}");
    }
    Ok(())
}

/// Modes return their grain.
#[test]
fn modes_differ_in_their_grain() {
    assert_eq!(Serial.grain(), Grain::Coarse);
    assert_eq!(Parallel::new().grain(), Grain::Coarse);
    assert_eq!(TwoPhases::new().grain(), Grain::Medium);
    assert_eq!(FineGrain::new().grain(), Grain::Fine);
    assert!(TwoPhases::new().is_parallel() && FineGrain::new().is_parallel());
}

/// Witnesses and contacts are the same, in the same order, in every mode.
#[test]
fn frames_of_large_bodies_are_the_same_in_every_mode() -> Outcome {
    same_frames("wide-obb", 3000, 8)?;
    same_frames("arbitrary", 400, 6)
}

/// The budget of a pair still applies.
#[test]
fn a_budget_ends_pairs_of_several_threads() -> Outcome {
    let mut world = World::builder().execution(FineGrain::with_threads(2)?).build();
    world.set_query(world.query().budget(Duration::ZERO));
    let model = Model::from_mesh(xcollide_scenes::shape("torus?faces=2000")?)?;
    for x in [0.0, 0.1] {
        world.add(&model, &Pose::from_translation([x, 0.0, 0.0]))?;
    }
    assert_eq!(world.check().undecided.len(), 1);
    Ok(())
}

#[test]
fn every_mode_gives_the_frames_of_one_thread_soak() -> Outcome {
    let narrow = ["auto", "wide-obb", "wide-compact", "obb-tree", "kdop-tree", "arbitrary"];
    let run = long_run(1, narrow.len() as u64);
    let (count, frames) = (24, 30);
    let truth = truth(count, frames)?;
    for (number, narrow) in narrow.into_iter().enumerate() {
        for mode in modes()?.into_iter().filter(|_| run.picks(number, 6)) {
            let mut builder = World::builder().boxed_execution(mode);
            if let Some(narrow) = registry::narrow_phase(narrow) {
                builder = builder.boxed_narrow_phase(narrow);
            }
            assert_eq!(log_of(builder.build(), count, frames, |_, _| ())?, truth, "{narrow}");
        }
    }
    if !run.is_whole {
        return Ok(());
    }
    for narrow in ["wide-obb", "wide-compact"] {
        same_frames(narrow, 30_000, 8)?;
    }
    for narrow in ["obb-tree", "aabb-tree", "kdop-tree", "sphere-tree"] {
        same_frames(narrow, 5000, 8)?;
    }
    same_frames("arbitrary", 1000, 8)
}
