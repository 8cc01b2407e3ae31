//! Motion bounds of a scene's bodies, for broad phases that look ahead.

use xcollide::broad::MotionBound;
use xcollide::{ObjectId, World};
use xcollide_scenes::Simulation;

/// The only broad phase that uses motion bounds; others would lose time.
const LOOKS_AHEAD: &str = "space-time";

/// The bodies whose motion is bounded: those that fly freely, and those for which the scene promises a bound.
pub(super) struct MotionBounds(Vec<Body>);

struct Body {
    index: usize,
    id: ObjectId,
    /// The velocity in its current bound.
    known: [f64; 3],
    /// Its place in the last frame.
    at: [f64; 3],
}

impl MotionBounds {
    /// Sets the bounds of all bodies, if the broad phase uses them.
    pub(super) fn of(world: &mut World, simulation: &Simulation, ids: &[ObjectId]) -> Self {
        if world.broad_phase().name() != LOOKS_AHEAD {
            return Self(Vec::new());
        }
        let mut bodies = Vec::new();
        for ((index, instance), &id) in simulation.instances().iter().enumerate().zip(ids) {
            let known = simulation.velocity(index);
            let flies = known != [0.0; 3] || simulation.turning(index) > 0.0;
            if instance.parent.is_some() || !flies && instance.promise.is_none() {
                continue;
            }
            if flies {
                set_bound(world, simulation, index, id, known);
            }
            let at = simulation.poses()[index].translation();
            bodies.push(Body { index, id, known, at });
        }
        Self(bodies)
    }

    pub(super) fn renew(&mut self, world: &mut World, simulation: &Simulation) {
        for body in &mut self.0 {
            let &mut Body { index, id, known, at } = body;
            let now = simulation.poses()[index].translation();
            let velocity = match simulation.instances()[index].promise {
                Some(_) => [0, 1, 2].map(|k| now[k] - at[k]),
                None => simulation.velocity(index),
            };
            body.at = now;
            if known != velocity {
                body.known = velocity;
                set_bound(world, simulation, index, id, velocity);
            }
        }
    }
}

/// Sets the bound of a body. Turning moves a side of its box by at most `turning` a frame, which `acceleration · t² / 2` covers
/// with twice that acceleration; so does twice a promised one cover that the velocity is that of the last frame.
fn set_bound(
    world: &mut World,
    simulation: &Simulation,
    index: usize,
    id: ObjectId,
    velocity: [f64; 3],
) {
    let promise = simulation.instances()[index].promise.unwrap_or_default();
    let bound = MotionBound {
        velocity,
        acceleration: 2.0 * (simulation.turning(index) + promise.acceleration),
        never_towards: promise.never_towards,
    };
    // Only a hint, so an error is ignored.
    let _ = world.set_motion_bound(id, Some(bound));
}
