//! One step of a scene in motion: each body for itself, so that any number of threads can move them.

use xcollide_math::Pose;

use super::Instance;
use super::assembly::Assembly;
use super::body::Body;
use super::walls::Walls;
use crate::Placement;

/// Fewer bodies are moved by one thread, in some dozens of microseconds.
#[cfg(feature = "parallel")]
pub(super) const PIECE: usize = 512;

/// What moving a body to a frame depends on.
#[derive(Clone, Copy)]
pub(super) struct Step<'a> {
    pub(super) frame: usize,
    pub(super) walls: Option<&'a Walls>,
    pub(super) assembly: &'a Assembly,
}

impl Step<'_> {
    pub(super) fn advance(&self, index: usize, body: &mut Body) {
        body.advance(self.frame);
        if let Some(walls) = self.walls
            && body.is_free()
        {
            walls.turn_back(body, self.assembly.reaches[index]);
        }
    }

    /// Writes the pose of an instance in the world, after all bodies have moved.
    pub(super) fn place(
        &self,
        index: usize,
        instance: &Instance,
        bodies: &[Body],
        (placement, pose): (&mut Placement, &mut Pose),
    ) {
        // Static instances have no moving parents.
        if self.frame > 0 && instance.is_static {
            return;
        }
        *placement = self.assembly.world(bodies, index);
        *pose = placement.pose();
    }
}
