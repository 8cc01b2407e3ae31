//! A step of a scene in motion: each body moves by itself, so any number of threads may move them.

#[cfg(feature = "parallel")]
use rayon::prelude::*;
use xcollide_math::Pose;

use super::Instance;
use super::assembly::Assembly;
use super::body::Body;
use super::walls::Walls;
use crate::Placement;

/// The number of bodies that a thread moves before it writes their poses: some dozens of microseconds, and they stay in its caches.
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
    pub(super) fn advance(mut self) {
        let Self { rules, bodies, instances, placements, poses } = &mut self;
        let pieces = bodies.chunks_mut(PIECE).zip(instances.chunks(PIECE));
        let places = placements.chunks_mut(PIECE).zip(poses.chunks_mut(PIECE));
        for (number, ((bodies, instances), places)) in pieces.zip(places).enumerate() {
            rules.advance_all(PIECE * number, bodies, instances, places);
        }
        if self.rules.assembly.has_children() {
            self.write_poses();
        }
    }

    /// As [`advance`](Self::advance), on the threads of rayon's current pool.
    #[cfg(feature = "parallel")]
    pub(super) fn advance_in_parallel(self) {
        let Self { rules, bodies, instances, placements, poses } = self;
        let pieces = bodies.par_chunks_mut(PIECE).zip(instances.par_chunks(PIECE));
        let places = placements.par_chunks_mut(PIECE).zip(poses.par_chunks_mut(PIECE));
        pieces.zip(places).enumerate().for_each(|(number, ((bodies, instances), places))| {
            rules.advance_all(PIECE * number, bodies, instances, places);
        });
        if rules.assembly.has_children() {
            let instances = instances.par_iter().enumerate().with_min_len(PIECE);
            instances.zip(placements).zip(poses).for_each(|((instance, placement), pose)| {
                rules.place(instance, bodies, (placement, pose));
            });
        }
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
    /// Moves bodies, numbered from `first` on, and writes their poses unless those depend on parents.
    fn advance_all(
        &self,
        first: usize,
        bodies: &mut [Body],
        instances: &[Instance],
        (placements, poses): (&mut [Placement], &mut [Pose]),
    ) {
        for (index, body) in (first..).zip(&mut *bodies) {
            body.advance(self.frame);
            if let Some(walls) = self.walls
                && body.is_free()
            {
                walls.turn_back(body, self.assembly.reaches[index]);
            }
        }
        if self.assembly.has_children() {
            return;
        }
        // In a loop of its own: loads that cross recent stores of other sizes would wait for them.
        let places = placements.iter_mut().zip(poses);
        for ((instance, body), (placement, pose)) in instances.iter().zip(bodies).zip(places) {
            if !self.rests(instance) {
                *placement = body.now;
                *pose = body.now.pose();
            }
        }
    }

    /// Writes the pose of an instance in the world, after all bodies have moved.
    fn place(
        &self,
        (index, instance): (usize, &Instance),
        bodies: &[Body],
        (placement, pose): (&mut Placement, &mut Pose),
    ) {
        if !self.rests(instance) {
            *placement = self.assembly.world(bodies, index);
            *pose = placement.pose();
        }
    }

    /// Whether the pose of an instance is what it was. Static instances have no moving parents.
    fn rests(&self, instance: &Instance) -> bool {
        self.frame > 0 && instance.is_static
    }
}
