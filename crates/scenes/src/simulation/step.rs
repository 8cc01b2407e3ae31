//! A step of a scene in motion: each body moves by itself, so any number of threads may move them.

#[cfg(feature = "parallel")]
use rayon::prelude::*;
use xcollide_math::Pose;

use super::Instance;
use super::assembly::Assembly;
use super::body::Body;
use super::walls::Walls;
use crate::Placement;

/// Fewer bodies are moved by one thread, in some dozens of microseconds.
#[cfg(feature = "parallel")]
const PIECE: usize = 512;

/// The bodies of a simulation, and where it writes their poses.
pub(super) struct Step<'a> {
    pub(super) rules: Rules<'a>,
    pub(super) bodies: &'a mut [Body],
    pub(super) instances: &'a [Instance],
    pub(super) placements: &'a mut [Placement],
    pub(super) poses: &'a mut [Pose],
}

/// What moving a body to a frame depends on.
#[derive(Clone, Copy)]
pub(super) struct Rules<'a> {
    pub(super) frame: usize,
    pub(super) walls: Option<&'a Walls>,
    pub(super) assembly: &'a Assembly,
}

impl Step<'_> {
    /// Moves all bodies to the frame.
    pub(super) fn advance(self) {
        let rules = self.rules;
        self.bodies.iter_mut().enumerate().for_each(|(index, body)| rules.advance(index, body));
        self.write_poses();
    }

    /// As [`advance`](Self::advance), on the threads of rayon's current pool.
    #[cfg(feature = "parallel")]
    pub(super) fn advance_in_parallel(self) {
        let Self { rules, bodies, instances, placements, poses } = self;
        let moved = bodies.par_iter_mut().enumerate().with_min_len(PIECE);
        moved.for_each(|(index, body)| rules.advance(index, body));
        let instances = instances.par_iter().enumerate().with_min_len(PIECE);
        instances.zip(placements).zip(poses).for_each(|((instance, placement), pose)| {
            rules.place(instance, bodies, (placement, pose));
        });
    }

    /// Writes the poses of the bodies where they are now.
    pub(super) fn write_poses(self) {
        let Self { rules, bodies, instances, placements, poses } = self;
        for (instance, place) in instances.iter().enumerate().zip(placements.iter_mut().zip(poses))
        {
            rules.place(instance, bodies, place);
        }
    }
}

impl Rules<'_> {
    fn advance(&self, index: usize, body: &mut Body) {
        body.advance(self.frame);
        if let Some(walls) = self.walls
            && body.is_free()
        {
            walls.turn_back(body, self.assembly.reaches[index]);
        }
    }

    /// Writes the pose of an instance in the world, after all bodies have moved.
    fn place(
        &self,
        (index, instance): (usize, &Instance),
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
