//! New poses of many objects, spread over threads.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::cost_estimate::CostEstimate;
use super::hierarchy::Hierarchy;
use super::objects::{LISTED, MOVED, Objects};
use super::{ObjectId, World, WorldError};
use crate::execution::Job;
use crate::narrow::{Model, Placed, Pose};

/// Gives the objects of an ascending list new poses.
pub(crate) struct PosesJob<'a> {
    ids: &'a [ObjectId],
    /// The number of the first id in the whole list.
    first: usize,
    /// The object index of the first element of `poses`, `transforms` and `flags`.
    offset: usize,
    poses: &'a mut [Pose],
    transforms: &'a mut [Pose],
    flags: &'a mut [u8],
    common: Common<'a>,
}

/// Shared by all parts of the job.
#[derive(Clone, Copy)]
struct Common<'a> {
    /// The new pose of the object with this number in the whole list.
    pose: &'a (dyn Fn(usize) -> Pose + Sync),
    names: &'a [ObjectId],
    models: &'a [Option<Model>],
    hierarchy: &'a Hierarchy,
    parts: &'a Mutex<Vec<Part>>,
    cost: &'a CostEstimate,
}

/// The result of a part of the job.
#[derive(Debug)]
struct Part {
    /// The number of its first id.
    first: usize,
    /// Objects that were not in the back buffer.
    listed: Vec<u32>,
    /// The first object that could not be moved.
    refused: Option<WorldError>,
}

/// Objects that one thread moves in some microseconds.
const OBJECTS: usize = 256;

impl World {
    /// Moves many objects: `pose` returns the new pose of an object by its number in `ids`. As
    /// [`set_pose`](Self::set_pose) for each of them in turn, but on the threads of the [execution
    /// mode](Self::execution) if the ids [ascend](Self::objects).
    ///
    /// ```
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::new();
    /// for _ in 0..3 {
    ///     world.add(&model, &Pose::IDENTITY)?;
    /// }
    /// let ids: Vec<ObjectId> = world.objects().collect();
    /// let positions = [[0.0; 3], [0.5, 0.0, 0.0], [9.0, 0.0, 0.0]];
    /// world.set_poses(&ids, |number| Pose::from_translation(positions[number]))?;
    /// assert_eq!(world.check().began.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Some objects do not exist, or cannot be placed at their poses. These stay where they were and all others
    /// move; the error is that of the first of them.
    pub fn set_poses(
        &mut self,
        ids: &[ObjectId],
        pose: impl Fn(usize) -> Pose + Sync,
    ) -> Result<(), WorldError> {
        if !ids.is_sorted_by(|a, b| a.index() < b.index()) {
            let moved = ids.iter().enumerate().map(|(at, &id)| {
                self.set_pose(id, &pose(at)).map_err(|error| match error {
                    WorldError::Pose(error) => WorldError::PoseOf { id, error },
                    other => other,
                })
            });
            return moved.fold(Ok(()), Result::and);
        }
        let Objects { names, models, hierarchy, poses, transforms, flags, back, .. } =
            &mut self.objects;
        let parts = Mutex::default();
        let common =
            Common { pose: &pose, names, models, hierarchy, parts: &parts, cost: &self.poses_cost };
        let job = PosesJob { ids, first: 0, offset: 0, poses, transforms, flags, common };
        let execution = &*self.execution;
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| execution.run(Job::of_poses(job)))) {
            // `pose` panicked, and it is not known after which objects.
            let flags = &self.objects.flags;
            let listed = (0..flags.len() as u32).filter(|&at| flags[at as usize] & LISTED != 0);
            self.objects.back = listed.collect();
            resume_unwind(panic);
        }
        self.poses_cost.settle();
        let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
        parts.sort_unstable_by_key(|part| part.first);
        let mut outcome = Ok(());
        for Part { listed, refused, .. } in parts {
            back.extend_from_slice(&listed);
            outcome = outcome.and(refused.map_or(Ok(()), Err));
        }
        outcome
    }
}

impl PosesJob<'_> {
    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Estimated time of one thread.
    pub(crate) fn work(&self) -> Duration {
        self.common.cost.estimate(0, self.ids.len())
    }

    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.ids.len() < 2 * OBJECTS {
            return (self, None);
        }
        let Self { ids, first, offset, poses, transforms, flags, common } = self;
        let (ids, others) = ids.split_at(ids.len() / 2);
        // Objects that do not exist may have any index.
        let middle = (others[0].slot() - offset).min(poses.len());
        let (poses, other_poses) = poses.split_at_mut(middle);
        let (transforms, other_transforms) = transforms.split_at_mut(middle);
        let (flags, other_flags) = flags.split_at_mut(middle);
        let other = Self {
            ids: others,
            first: first + ids.len(),
            offset: offset + middle,
            poses: other_poses,
            transforms: other_transforms,
            flags: other_flags,
            common,
        };
        (Self { ids, first, offset, poses, transforms, flags, common }, Some(other))
    }

    pub(crate) fn finish(mut self) {
        let Common { cost, parts, .. } = self.common;
        cost.measure(0, || {
            let part = self.move_all();
            parts.lock().unwrap_or_else(PoisonError::into_inner).push(part);
            self.ids.len() as u64
        });
    }

    fn move_all(&mut self) -> Part {
        let (mut listed, mut refused) = (Vec::with_capacity(self.ids.len()), None);
        for (at, &id) in self.ids.iter().enumerate() {
            match self.move_one(id, &(self.common.pose)(self.first + at)) {
                Ok(true) => listed.push(id.index()),
                Ok(false) => {}
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Part { first: self.first, listed, refused }
    }

    /// Moves an object; whether it belongs into the back buffer and is not there yet.
    #[inline]
    fn move_one(&mut self, id: ObjectId, pose: &Pose) -> Result<bool, WorldError> {
        let Common { names, models, hierarchy, .. } = self.common;
        let model = models.get(id.slot()).and_then(Option::as_ref);
        let Some(model) = model.filter(|_| names[id.slot()] == id) else {
            return Err(WorldError::Stale { id });
        };
        let place = id.slot() - self.offset;
        if self.poses[place] == *pose {
            return Ok(false);
        }
        // The world pose of an attached object also depends on its ancestors.
        if hierarchy.is_flat() || hierarchy.parent(id.index()).is_none() {
            Placed::new(model, pose).map_err(|error| WorldError::PoseOf { id, error })?;
            self.transforms[place] = *pose;
        }
        self.poses[place] = *pose;
        let flags = &mut self.flags[place];
        let is_new = *flags & LISTED == 0;
        *flags |= LISTED | MOVED;
        Ok(is_new)
    }
}
