//! The hand of a walkthrough (I-COLLIDE 5.4): it reaches into a scene of mostly resting polytopes,
//! what it touches turns red, and it picks up one object, changes its scale, and carries it away.
//!
//! The hand is an assembly, "composed of several convex polytopes": a palm with attached fingers.
//! Its parts are a group of the interest matrix, so that they are not tested with each other; what
//! it holds joins the group.
//!
//! `cargo run -p xcollide --example walkthrough_hand`
#![allow(clippy::unwrap_used)]
#![allow(clippy::print_stdout)]

use std::collections::BTreeSet;

use xcollide::nalgebra::{Isometry3, Vector3};
use xcollide::prelude::*;

/// Groups of the interest matrix.
const SCENE: u8 = 0;
const HAND: u8 = 1;

struct Hand {
    palm: ObjectId,
    parts: Vec<ObjectId>,
    /// What it carries.
    held: Option<Held>,
}

struct Held {
    thing: ObjectId,
    /// The vertices at scale 1.
    vertices: Vec<[f64; 3]>,
    scale: f64,
}

impl Held {
    /// Changes the scale about the thing's own origin; the model of the other things stays as it is.
    fn rescale(&mut self, world: &mut World, by: f64) -> Result<(), xcollide::WorldError> {
        self.scale *= by;
        let scaled: Vec<_> =
            self.vertices.iter().map(|vertex| vertex.map(|x| self.scale * x)).collect();
        world.set_vertices(self.thing, &scaled)
    }
}

impl Hand {
    fn new(world: &mut World, pose: &Pose) -> Result<Self, Box<dyn std::error::Error>> {
        let palm_model = Model::from_mesh(xcollide_scenes::shape("polytope?vertices=20")?)?;
        let finger_model =
            Model::from_mesh(xcollide_scenes::shape("polytope?vertices=12&kind=rod")?)?;
        let palm = world.add(&palm_model, pose)?;
        let mut parts = vec![palm];
        for number in 0..5 {
            let finger = world.add(&finger_model, &Pose::IDENTITY)?;
            let spread = 0.4 * (f64::from(number) - 2.0);
            let turn = Vector3::new(0.0, 0.0, 0.3 * spread);
            world.attach(
                finger,
                palm,
                &Pose::try_from(Isometry3::new(Vector3::new(1.2, spread, 0.0), turn)).unwrap(),
            )?;
            parts.push(finger);
        }
        let interest = world.interest_mut();
        parts.iter().for_each(|&part| interest.set_group(part, HAND));
        Ok(Self { palm, parts, held: None })
    }

    /// Whether a thing is in it.
    fn holds(&self, thing: ObjectId) -> bool {
        self.held.as_ref().is_some_and(|held| held.thing == thing)
    }

    /// Takes hold of a thing: from now on it goes where the palm goes.
    fn grasp(&mut self, world: &mut World, thing: ObjectId) -> Result<(), xcollide::WorldError> {
        let relative = world.world_pose(self.palm)?.inverse() * world.world_pose(thing)?;
        world.set_static(thing, false)?;
        world.attach(thing, self.palm, &relative)?;
        world.interest_mut().set_group(thing, HAND);
        let vertices = world.model(thing)?.mesh().positions().to_vec();
        self.held = Some(Held { thing, vertices, scale: 1.0 });
        Ok(())
    }
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut interest = InterestMatrix::nothing();
    interest.set_groups(HAND, SCENE, true);
    let mut world = World::builder().interest(interest).build();
    // A kitchen of sorts: shelves of polytopes, none of which moves.
    let things = (0..4)
        .map(|seed| {
            let spec = format!("polytope?vertices=30&seed={seed}");
            Ok(Model::from_mesh(xcollide_scenes::shape(&spec)?)?)
        })
        .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    for number in 0..400 {
        let [x, y, z] = [number % 10, number / 10 % 10, number / 100].map(f64::from);
        let at = Pose::from_translation([3.0 * x + 4.0, 3.0 * y - 12.0, 3.0 * z - 3.0]);
        let thing = world.add(&things[number as usize % things.len()], &at)?;
        world.set_static(thing, true)?;
    }
    let mut hand = Hand::new(&mut world, &Pose::from_translation([-2.0, 0.0, 0.0]))?;

    let mut red = BTreeSet::new();
    let mut touched = 0;
    let (mut growing, mut largest) = (true, 1.0);
    for step in 0..120 {
        // In, and out again with what it holds.
        let forth = f64::from(if step < 60 { step } else { 120 - step });
        let sway = if step < 60 { 0.0 } else { 0.02 * f64::from(step - 60) };
        let turn = Vector3::new(0.01 * f64::from(step), 0.0, 0.0);
        let at = Vector3::new(-2.0 + 0.15 * forth, 0.0, sway);
        world.set_pose(hand.palm, &Pose::try_from(Isometry3::new(at, turn)).unwrap())?;

        // The user changes the scale of what is held: it grows until it meets something, and then shrinks.
        if let Some(held) = &mut hand.held {
            let limit = if growing { 4.0 } else { 0.5 };
            if (growing && held.scale < limit) || (!growing && held.scale > limit) {
                held.rescale(&mut world, if growing { 1.1 } else { 0.9 })?;
                largest = f64::max(largest, held.scale);
            }
        }

        let frame = world.check();
        for collision in &frame.began {
            // The one of the two that is neither part of the hand nor in it.
            let other = [collision.pair.a, collision.pair.b]
                .into_iter()
                .find(|object| !hand.parts.contains(object) && !hand.holds(*object));
            let Some(thing) = other else { continue };
            touched += 1;
            if red.insert(thing) {
                println!("step {step:3}: object {thing:?} turns red");
            }
            if let Some(held) =
                hand.held.as_ref().filter(|held| collision.pair.contains(held.thing))
                && growing
            {
                println!("step {step:3}: at {:.2} times its size it meets {thing:?}", held.scale);
                growing = false;
            }
            if hand.held.is_none() && touched == 3 {
                hand.grasp(&mut world, thing)?;
                println!("step {step:3}: object {thing:?} is picked up");
            }
        }
        let colliding =
            |thing: &ObjectId| frame.colliding().any(|collision| collision.pair.contains(*thing));
        red.retain(|thing| {
            let stays = colliding(thing);
            if !stays {
                println!("step {step:3}: object {thing:?} is itself again");
            }
            stays
        });
    }
    let Held { thing, vertices, scale } = hand.held.ok_or("nothing was picked up")?;
    let at = Vector3::from(world.world_pose(thing)?.translation());
    println!(
        "{touched} touches; object {thing:?} was carried to {:.1} {:.1} {:.1}, at {scale:.2} times its size",
        at.x, at.y, at.z
    );
    assert!(touched > 1 && !growing && largest > 1.0 && scale < largest);
    // The world has the vertices at that scale, and those of other things are as they were.
    let now = world.model(thing)?.mesh().positions()[0];
    assert_eq!(now, vertices[0].map(|x| scale * x));
    let same = |model: &&Model| model.mesh().positions() == vertices;
    assert!(things.iter().any(|model| same(&model)));
    Ok(())
}
