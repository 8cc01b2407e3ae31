//! Many objects moved by one call.

use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, PoisonError};

use super::change_list::ChangeList;
use super::objects::LISTED;
use super::poses_job::{Part, PosesJob};
use super::{ObjectId, World, WorldError};
use crate::execution::Job;
use crate::narrow::Pose;

impl World {
    /// Moves many objects: `pose` returns the new pose of an object by its number in `ids`, and is called at least once for
    /// each. As [`set_pose`](Self::set_pose) for each of them in turn, but on the threads of a parallel
    /// [execution mode](Self::execution) if the ids [ascend](Self::objects).
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
        // Poses replace motions, which only one thread may change.
        if self.execution.is_parallel()
            && self.objects.next_motions.is_empty()
            && let Some(outcome) = self.set_ascending(ids, &pose)
        {
            return outcome;
        }
        let mut outcome = Ok(());
        for (number, &id) in ids.iter().enumerate() {
            if let Err(error) = self.set_pose(id, &pose(number))
                && outcome.is_ok()
            {
                outcome = Err(error.of_many(id));
            }
        }
        outcome
    }

    /// As [`set_poses`](Self::set_poses), on several threads. `None`, after some objects were moved, if the ids do not ascend.
    fn set_ascending(
        &mut self,
        ids: &[ObjectId],
        pose: &(impl Fn(usize) -> Pose + Sync),
    ) -> Option<Result<(), WorldError>> {
        let (parts, mut listed) = (Mutex::default(), take(&mut self.objects.together));
        listed.resize(ids.len(), 0);
        let job =
            PosesJob::new(&mut self.objects, ids, &mut listed, pose, &parts, &self.poses_cost);
        let (execution, work, mut job) = (&*self.execution, self.last_check, Some(job));
        let mut run = || {
            if let Some(job) = job.take() {
                execution.run(Job::of_poses(job));
            }
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| execution.enter(work, &mut run))) {
            // `pose` panicked, and it is not known after which objects.
            let flags = &self.objects.flags;
            let is_listed = |&at: &u32| flags[at as usize] & LISTED != 0;
            let mut all: Vec<u32> = (0..flags.len() as u32).filter(is_listed).collect();
            self.objects.back = ChangeList::default();
            self.objects.back.append(&mut all);
            resume_unwind(panic);
        }
        self.poses_cost.settle();
        let mut parts = parts.into_inner().unwrap_or_else(PoisonError::into_inner);
        parts.sort_unstable_by_key(|part| part.first);
        // First of all parts: `pose` may panic below.
        let mut end = 0;
        for part in &parts {
            // As a rule all objects are listed, each where it belongs.
            if part.first != end {
                listed.copy_within(part.first..part.first + part.listed, end);
            }
            end += part.listed;
        }
        listed.truncate(end);
        self.objects.back.append(&mut listed);
        self.objects.together = listed;
        if parts.iter().any(|part| part.is_disordered) {
            return None;
        }
        let mut outcome = Ok(());
        for Part { attached, refused, .. } in parts {
            let mut first = refused;
            for number in attached {
                let moved = self.set_pose(ids[number], &pose(number));
                if let Err(error) = moved
                    && first.as_ref().is_none_or(|&(before, _)| number < before)
                {
                    first = Some((number, error.of_many(ids[number])));
                }
            }
            outcome = outcome.and(first.map_or(Ok(()), |(_, error)| Err(error)));
        }
        Some(outcome)
    }
}
