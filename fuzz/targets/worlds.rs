//! Histories of a world: objects come, move and go, layers are swapped, the world is stored and restored in the middle.
//! After every check the colliding pairs are those of one call for each pair.
#![no_main]

mod integer;

use arbitrary::Arbitrary;
use integer::{Placing, Soup};
use libfuzzer_sys::fuzz_target;
use xcollide::registry::{self, Kind};
use xcollide::{Frame, Model, ObjectId, Pose, World, intersects};

#[derive(Arbitrary, Debug)]
struct History {
    models: [Soup; 3],
    steps: Vec<Step>,
}

#[derive(Arbitrary, Debug)]
enum Step {
    Add(u8, Placing),
    Move(u8, Placing),
    Remove(u8),
    Broad(u8),
    Narrow(u8),
    Bounds(u8),
    Store,
    Check,
}

const OBJECTS: usize = 8;

fuzz_target!(|history: History| {
    let models: Vec<Model> = history.models.iter().filter_map(Soup::model).collect();
    if models.is_empty() {
        return;
    }
    let mut world = World::new();
    let mut objects: Vec<(ObjectId, Model, Pose)> = Vec::new();
    for step in history.steps.iter().take(48).chain([&Step::Check]) {
        let chosen = |number: u8, count: usize| usize::from(number) % count;
        match *step {
            Step::Add(model, placing) if objects.len() < OBJECTS => {
                let (model, pose) = (&models[chosen(model, models.len())], placing.pose());
                let object = world.add(model, &pose).expect("small numbers can be placed");
                objects.push((object, model.clone(), pose));
            }
            Step::Move(number, placing) if !objects.is_empty() => {
                let number = chosen(number, objects.len());
                objects[number].2 = placing.pose();
                world.set_pose(objects[number].0, &objects[number].2).expect("it is there");
            }
            Step::Remove(number) if !objects.is_empty() => {
                let (object, ..) = objects.remove(chosen(number, objects.len()));
                world.remove(object).expect("it is there");
            }
            Step::Broad(number) => {
                let all: Vec<_> = registry::of_kind(Kind::Broad).collect();
                if let Some(broad) = all[chosen(number, all.len())].broad_phase(false) {
                    world.set_broad_phase(broad);
                }
            }
            Step::Narrow(number) => {
                let all: Vec<_> = registry::of_kind(Kind::Narrow)
                    .filter(|entry| entry.guarantee == xcollide::narrow::Guarantee::Exact)
                    .collect();
                if let Some(narrow) = all[chosen(number, all.len())].narrow_phase()
                    && models
                        .iter()
                        .all(|a| models.iter().all(|b| narrow.accepts(a.topology(), b.topology())))
                {
                    world.set_narrow_phase(narrow);
                }
            }
            Step::Bounds(number) => {
                let all: Vec<_> = registry::of_kind(Kind::Bounds).collect();
                if let Some(bounding) = all[chosen(number, all.len())].bounding() {
                    world.set_bounding(bounding);
                }
            }
            Step::Store => {
                let stored = world.snapshot();
                world =
                    World::restore(&stored, World::builder()).expect("what was stored is restored");
            }
            Step::Check => check(&mut world, &objects),
            _ => {}
        }
    }
});

fn check(world: &mut World, objects: &[(ObjectId, Model, Pose)]) {
    let frame: Frame = world.check();
    assert!(frame.failures.is_empty(), "{:?}", frame.failures);
    for (number, (one, model, pose)) in objects.iter().enumerate() {
        for (other, other_model, other_pose) in &objects[..number] {
            let expected = intersects((model, pose), (other_model, other_pose));
            assert_eq!(frame.collides(*one, *other), expected.expect("they can be placed"));
        }
    }
}
