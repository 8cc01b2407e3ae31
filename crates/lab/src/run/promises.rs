//! What a scene knows of the motion of its bodies, for broad phases that look ahead.

use xcollide::broad::MotionBound;
use xcollide::{ObjectId, World};
use xcollide_scenes::Simulation;

/// The broad phase that has a use for promises. To all others they would be ballast.
const LOOKS_AHEAD: &str = "space-time";

/// The bodies that fly freely, each with the velocity that the world was told.
pub(super) struct Promises(Vec<(usize, ObjectId, [f64; 3])>);

impl Promises {
    /// Tells the world how the bodies of a scene fly, if its broad phase looks ahead.
    pub(super) fn of(world: &mut World, simulation: &Simulation, ids: &[ObjectId]) -> Self {
        if world.broad_phase().name() != LOOKS_AHEAD {
            return Self(Vec::new());
        }
        let bodies = simulation.instances().iter().enumerate().zip(ids);
        let free = bodies.filter(|((index, instance), _)| {
            let moves = simulation.velocity(*index) != [0.0; 3] || simulation.turning(*index) > 0.0;
            moves && instance.parent.is_none()
        });
        let promised = free.map(|((index, _), &id)| {
            tell(world, simulation, index, id);
            (index, id, simulation.velocity(index))
        });
        Self(promised.collect())
    }

    /// Tells the world of those that have been turned back.
    pub(super) fn renew(&mut self, world: &mut World, simulation: &Simulation) {
        for (index, id, told) in &mut self.0 {
            let velocity = simulation.velocity(*index);
            if *told != velocity {
                *told = velocity;
                tell(world, simulation, *index, *id);
            }
        }
    }
}

/// Promises that a body flies on. Turning moves a side of its box by at most so much a frame, so after
/// `t` frames by at most `acceleration · t² / 2` if the acceleration is twice that.
fn tell(world: &mut World, simulation: &Simulation, index: usize, id: ObjectId) {
    let velocity = simulation.velocity(index);
    let bound = MotionBound { velocity, acceleration: 2.0 * simulation.turning(index) };
    // Only a hint: one that is refused is none.
    let _ = world.set_motion_bound(id, Some(bound));
}
