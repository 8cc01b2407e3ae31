//! New poses of many objects, spread over threads.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::cost_estimate::CostEstimate;
use super::hierarchy::Hierarchy;
use super::objects::{LISTED, MOVED, Objects};
use super::{ObjectId, WorldError};
use crate::narrow::{Model, Placed, Pose};

/// Gives the objects of an ascending list new poses. Of other lists some parts stop early.
pub(crate) struct PosesJob<'a> {
    ids: &'a [ObjectId],
    /// The number of the first id in the whole list.
    first: usize,
    /// The object index of the first element of `poses` and `flags`.
    offset: usize,
    poses: &'a mut [Pose],
    flags: &'a mut [u8],
    /// Where the objects are written, from the beginning on, that were not in the back buffer; a place for each id.
    listed: &'a mut [u32],
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
pub(super) struct Part {
    /// The number of its first id.
    pub(super) first: usize,
    /// How many objects were not in the back buffer.
    pub(super) listed: usize,
    /// The numbers of the ids of attached objects, which are not moved yet.
    pub(super) attached: Vec<usize>,
    /// The first object that could not be moved, by the number of its id.
    pub(super) refused: Option<(usize, WorldError)>,
    /// Whether an id is not where it would be in an ascending list; those from there on were not moved.
    pub(super) is_disordered: bool,
}

/// Objects that one thread moves in some microseconds.
const OBJECTS: usize = 256;

impl<'a> PosesJob<'a> {
    /// The job for objects in ascending order. `listed`, as long as the ids, receives the objects to list, those of each
    /// part at its place; `parts` receives the results of all parts, in any order.
    pub(super) fn new(
        objects: &'a mut Objects,
        ids: &'a [ObjectId],
        listed: &'a mut [u32],
        pose: &'a (dyn Fn(usize) -> Pose + Sync),
        parts: &'a Mutex<Vec<Part>>,
        cost: &'a CostEstimate,
    ) -> Self {
        let Objects { names, models, hierarchy, poses, flags, .. } = objects;
        let common = Common { pose, names, models, hierarchy, parts, cost };
        Self { ids, first: 0, offset: 0, poses, flags, listed, common }
    }

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
        let Self { ids, first, offset, poses, flags, listed, common } = self;
        let (listed, other_listed) = listed.split_at_mut(ids.len() / 2);
        let (ids, others) = ids.split_at(ids.len() / 2);
        // Objects that do not exist may have any index, and the ids may not ascend.
        let middle = others[0].slot().saturating_sub(offset).min(poses.len());
        let (poses, other_poses) = poses.split_at_mut(middle);
        let (flags, other_flags) = flags.split_at_mut(middle);
        let other = Self {
            ids: others,
            first: first + ids.len(),
            offset: offset + middle,
            poses: other_poses,
            flags: other_flags,
            listed: other_listed,
            common,
        };
        (Self { ids, first, offset, poses, flags, listed, common }, Some(other))
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
        let (mut listed, mut refused) = (0, None);
        let (hierarchy, mut attached) = (self.common.hierarchy, Vec::new());
        let (mut first, end) = (self.offset, self.offset + self.poses.len());
        let mut is_disordered = false;
        for (at, &id) in self.ids.iter().enumerate() {
            let slot = id.slot();
            if slot < first || (end..self.common.names.len()).contains(&slot) {
                is_disordered = true;
                break;
            }
            first = slot + 1;
            if !hierarchy.is_flat() && hierarchy.parent(id.index()).is_some() {
                attached.push(self.first + at);
                continue;
            }
            match self.move_one(id, &(self.common.pose)(self.first + at)) {
                Ok(true) => {
                    self.listed[listed] = id.index();
                    listed += 1;
                }
                Ok(false) => {}
                Err(error) => refused = refused.or(Some((self.first + at, error))),
            }
        }
        Part { first: self.first, listed, attached, refused, is_disordered }
    }

    /// Moves an object; whether it belongs into the back buffer and is not there yet.
    #[inline]
    fn move_one(&mut self, id: ObjectId, pose: &Pose) -> Result<bool, WorldError> {
        let Common { names, models, .. } = self.common;
        let model = models.get(id.slot()).and_then(Option::as_ref);
        let Some(model) = model.filter(|_| names[id.slot()] == id) else {
            return Err(WorldError::Stale { id });
        };
        let place = id.slot() - self.offset;
        if self.poses[place] == *pose {
            return Ok(false);
        }
        Placed::new(model, pose).map_err(|error| WorldError::PoseOf { id, error })?;
        self.poses[place] = *pose;
        let flags = &mut self.flags[place];
        let is_new = *flags & LISTED == 0;
        *flags |= LISTED | MOVED;
        Ok(is_new)
    }
}
