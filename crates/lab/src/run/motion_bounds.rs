//! Motion bounds of a scene's bodies, for broad phases that look ahead.

use xcollide::broad::MotionBound;
use xcollide::{ObjectId, World};
use xcollide_scenes::Simulation;

/// The only broad phase that uses motion bounds; others would lose time.
const LOOKS_AHEAD: &str = "space-time";

/// Freely flying bodies, with the velocity in their current bound.
pub(super) struct MotionBounds(Vec<(usize, ObjectId, [f64; 3])>);

impl MotionBounds {
    /// Sets the bounds of all bodies, if the broad phase uses them.
    pub(super) fn of(world: &mut World, simulation: &Simulation, ids: &[ObjectId]) -> Self {
        if world.broad_phase().name() != LOOKS_AHEAD {
            return Self(Vec::new());
        }
        let bodies = simulation.instances().iter().enumerate().zip(ids);
        let free = bodies.filter(|((index, instance), _)| {
            let moves = simulation.velocity(*index) != [0.0; 3] || simulation.turning(*index) > 0.0;
            moves && instance.parent.is_none()
        });
        let bodies = free.map(|((index, _), &id)| {
            set_bound(world, simulation, index, id);
            (index, id, simulation.velocity(index))
        });
        Self(bodies.collect())
    }

    pub(super) fn renew(&mut self, world: &mut World, simulation: &Simulation) {
        for (index, id, known) in &mut self.0 {
            let velocity = simulation.velocity(*index);
            if *known != velocity {
                *known = velocity;
                set_bound(world, simulation, *index, *id);
            }
        }
    }
}

/// Sets the bound of a freely flying body. Turning moves a side of its box by at most `turning` a
/// frame, which `acceleration · t² / 2` covers with twice that acceleration.
fn set_bound(world: &mut World, simulation: &Simulation, index: usize, id: ObjectId) {
    let velocity = simulation.velocity(index);
    let bound = MotionBound {
        velocity,
        acceleration: 2.0 * simulation.turning(index),
        ..MotionBound::default()
    };
    // Only a hint, so an error is ignored.
    let _ = world.set_motion_bound(id, Some(bound));
}
