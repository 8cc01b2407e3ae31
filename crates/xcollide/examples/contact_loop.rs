//! A physics loop: find contacts, separate bodies by their depth, let them bounce.
//!
//! The world finds collisions exactly; `Hybrid::penetration` gives depth and normal. The response
//! is the simplest (no rotation, equal masses, an impulse along the normal); a real one would start
//! from the same numbers.
//!
//! `cargo run -p xcollide --example contact_loop`
#![allow(clippy::print_stdout)]

use xcollide::convex::Penetration;
use xcollide::nalgebra::Vector3;
use xcollide::narrow::convex::Hybrid;
use xcollide::prelude::*;

/// A group of the interest matrix.
const FLOOR: u8 = 1;

/// Seconds a step.
const STEP: f64 = 1.0 / 60.0;

struct Body {
    object: ObjectId,
    at: Vector3<f64>,
    velocity: Vector3<f64>,
    /// 0 for immovable bodies.
    inverse_mass: f64,
}

impl Body {
    /// Separates the body from another along a normal that leads away from it, and reflects the
    /// velocity along it with a loss.
    fn respond(&mut self, away: Vector3<f64>, depth: f64, closing: f64) {
        self.at += self.inverse_mass * depth * away;
        self.velocity += self.inverse_mass * 1.4 * closing * away;
    }
}

/// The response of both bodies to a contact.
fn resolve(bodies: &mut [Body], [a, b]: [usize; 2], contact: &Penetration) {
    let normal = Vector3::from(contact.direction);
    let share = 1.0 / (bodies[a].inverse_mass + bodies[b].inverse_mass);
    let closing = (bodies[b].velocity - bodies[a].velocity).dot(&normal).max(0.0);
    bodies[a].respond(normal, share * contact.at_most, share * closing);
    bodies[b].respond(-normal, share * contact.at_most, share * closing);
}

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = |spec: &str| -> Result<Model, Box<dyn std::error::Error>> {
        Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
    };
    // Contacts between parts of the floor are ignored.
    let mut interest = InterestMatrix::new();
    interest.set_groups(FLOOR, FLOOR, false);
    let mut world = World::builder().interest(interest).build();
    let mut bodies = Vec::new();
    let mut add = |model: &Model, at: Vector3<f64>, inverse_mass: f64| {
        let object = world.add(model, &Pose::from_translation(at.into()))?;
        // Our index, to identify objects in collisions.
        world.set_user_data(object, bodies.len() as u64)?;
        if inverse_mass == 0.0 {
            world.set_static(object, true)?;
            world.interest_mut().set_group(object, FLOOR);
        }
        bodies.push(Body { object, at, velocity: Vector3::zeros(), inverse_mass });
        Ok::<(), xcollide::WorldError>(())
    };
    // A floor of boxes, and falling bodies above it.
    let (block, ball) = (model("box")?, model("polytope?vertices=30")?);
    for number in 0..36 {
        let [x, y] = [number % 6, number / 6].map(f64::from);
        add(&block, Vector3::new(2.0 * x - 5.0, 2.0 * y - 5.0, -1.0), 0.0)?;
    }
    for number in 0..27 {
        let [x, y, z] = [number % 3, number / 3 % 3, number / 9].map(f64::from);
        add(&ball, Vector3::new(2.1 * x - 2.0 + 0.2 * z, 2.1 * y - 2.0, 2.0 + 2.2 * z), 1.0)?;
    }

    let mut frame = Frame::new();
    let (mut contacts, mut deepest) = (0, 0.0_f64);
    for step in 0..180 {
        for body in &mut bodies {
            body.velocity.z -= 9.81 * STEP * body.inverse_mass;
            body.at += STEP * body.velocity;
            world.set_pose(body.object, &Pose::from_translation(body.at.into()))?;
        }
        world.check_into(&mut frame);
        for collision in frame.colliding() {
            let pair = [collision.pair.a, collision.pair.b];
            let [a, b] = [world.placed(pair[0])?, world.placed(pair[1])?];
            let Some(contact) = Hybrid::penetration(a, b, &mut PairCache::new())? else { continue };
            let [i, j] = [world.user_data(pair[0])?, world.user_data(pair[1])?];
            resolve(&mut bodies, [i as usize, j as usize], &contact);
            contacts += 1;
            deepest = deepest.max(contact.at_most);
        }
        if step % 30 == 29 {
            let highest = bodies.iter().map(|body| body.at.z).fold(f64::MIN, f64::max);
            println!(
                "{:.1} s: {} pairs collide, {contacts} contacts so far, the highest at {highest:.2}",
                STEP * f64::from(step + 1),
                frame.stats.colliding
            );
        }
    }
    println!("the deepest contact was {deepest:.3}");
    assert!(contacts > 27 && bodies.iter().all(|body| body.at.norm() < 100.0));
    Ok(())
}
