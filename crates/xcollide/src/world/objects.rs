//! The objects of a world, in tables by index.
//!
//! A change is written to the tables at once and listed in the *back* buffer; a check swaps the list for an
//! empty one (Zachmann 1994, 7.0.2). So an object that moves many times between two checks counts once, and
//! changes by callbacks count from the next check.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::change_list::ChangeList;
use super::deformations::{Deformation, Sparse};
use super::hierarchy::Hierarchy;
use super::motion::Motions;
use super::{Failure, ObjectId, WorldError};
use crate::bounding::BoundsMemory;
use crate::broad::{Bounds, ProxyId, ProxyIds};
use crate::narrow::{Model, Placed, Pose};

#[derive(Debug, Default)]
pub(crate) struct Objects {
    /// Shared with [`Concurrent`](super::Concurrent), which issues ids before it adds objects.
    pub(super) ids: Arc<Mutex<ProxyIds>>,
    pub(super) len: usize,
    pub(super) names: Vec<ObjectId>,
    /// `None` where an index is free.
    pub(super) models: Vec<Option<Model>>,
    /// In the world; for attached objects as of the last check.
    pub(super) poses: Vec<Pose>,
    pub(super) flags: Vec<u8>,
    pub(super) data: Vec<u64>,
    /// The check before which the object last moved or changed its model.
    pub(super) changed: Vec<u64>,
    pub(super) bounds: Vec<Bounds>,
    pub(super) memories: Vec<BoundsMemory>,
    /// Added to the boxes; see [`widen_boxes`](super::World::widen_boxes).
    pub(super) margins: Vec<f64>,
    pub(super) hierarchy: Hierarchy,
    /// Those of the current check; empty where it is none.
    pub(super) motions: Motions,
    /// Those for the next check.
    pub(super) next_motions: Motions,
    /// Motions of vertices in the current check; empty where it is none.
    pub(super) deformations: Sparse<Deformation>,
    /// Where vertices are after the next check.
    pub(super) next_positions: Sparse<Vec<[f64; 3]>>,
    /// Objects with [`LISTED`], which the next check visits.
    pub(super) back: ChangeList,
    /// Reused memory for objects that are moved together; its contents are of no use.
    pub(super) together: Vec<u32>,
    /// Objects that the current check visits, ascending.
    pub(super) front: Vec<u32>,
    /// Removed objects that are still in the broad phase.
    pub(super) removed: Vec<ProxyId>,
}

/// In the back buffer.
pub(super) const LISTED: u8 = 1;
/// Moved, or changed its model, since the last check.
pub(super) const MOVED: u8 = 2;
/// Not in the broad phase yet.
pub(super) const NEW: u8 = 4;
/// Expected to stay where it is.
pub(super) const STATIC: u8 = 8;
/// The bounding memory belongs to another model or strategy.
pub(super) const UNPREPARED: u8 = 16;
/// Its model is given by a formula.
pub(super) const FORMULA: u8 = 32;

/// [`FORMULA`], if the model is given by one.
pub(super) fn formula_flag(model: &Model) -> u8 {
    if model.formula().is_some() { FORMULA } else { 0 }
}

pub(super) fn issue(ids: &Mutex<ProxyIds>) -> ObjectId {
    lock(ids).issue().into()
}

pub(super) fn lock(ids: &Mutex<ProxyIds>) -> MutexGuard<'_, ProxyIds> {
    ids.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Objects {
    /// The index of an object in the tables.
    #[inline]
    pub(super) fn check(&self, id: ObjectId) -> Result<usize, WorldError> {
        if self.is_alive(id) { Ok(id.slot()) } else { Err(WorldError::Stale { id }) }
    }

    #[inline]
    pub(super) fn is_alive(&self, id: ObjectId) -> bool {
        self.names.get(id.slot()) == Some(&id) && self.models[id.slot()].is_some()
    }

    /// Adds an object under an id that was issued before.
    pub(super) fn insert(&mut self, id: ObjectId, model: &Model, pose: &Pose) {
        let slot = id.slot();
        while self.models.len() <= slot {
            self.names.push(ObjectId::new(self.names.len() as u32, 0));
            self.models.push(None);
            self.poses.push(*pose);
            self.flags.push(0);
            self.data.push(0);
            self.changed.push(0);
            self.bounds.push(Bounds::default());
            self.memories.push(BoundsMemory::default());
            self.margins.push(0.0);
        }
        self.len += 1;
        self.names[slot] = id;
        self.models[slot] = Some(model.clone());
        self.poses[slot] = *pose;
        self.data[slot] = 0;
        self.bounds[slot] = Bounds::default();
        self.margins[slot] = 0.0;
        // A reused index may still be listed.
        self.flags[slot] &= LISTED;
        self.mark(slot, NEW | MOVED | UNPREPARED | formula_flag(model));
    }

    /// Adds an object of a snapshot with its flags, new to the broad phase and the bounding strategy.
    pub(super) fn restore(&mut self, id: ObjectId, model: &Model, pose: &Pose, flags: u8) {
        self.insert(id, model, pose);
        let kept = flags & (MOVED | STATIC);
        self.flags[id.slot()] = kept | NEW | UNPREPARED | formula_flag(model);
        // Instead of a flag for the box: the first check computes all boxes and so lists them.
        self.margins[id.slot()] = f64::NAN;
        self.back.pop();
        if flags & LISTED != 0 {
            self.mark(id.slot(), 0);
        }
    }

    pub(super) fn set_ids(&mut self, ids: ProxyIds) {
        *lock(&self.ids) = ids;
    }

    /// The ids without those of objects that are not added yet.
    pub(super) fn settled_ids(&self) -> ProxyIds {
        let mut ids = lock(&self.ids).clone();
        for index in 0..ids.generations().len() {
            let id = ProxyId::new(index as u32, ids.generations()[index]);
            if !self.is_alive(id.into()) {
                ids.retire(id);
            }
        }
        ids
    }

    pub(super) fn is_static(&self, slot: usize) -> bool {
        self.flags[slot] & STATIC != 0
    }

    /// The pose as it was set, relative to the parent if there is one.
    #[inline]
    pub(super) fn pose(&self, index: u32) -> &Pose {
        self.hierarchy.local(index).unwrap_or(&self.poses[index as usize])
    }

    pub(super) fn world_pose(&self, index: u32) -> Pose {
        if self.hierarchy.is_flat() {
            return self.poses[index as usize];
        }
        self.hierarchy.world_pose(index, &self.poses)
    }

    /// The object in the world now; an attached one as of the last check.
    #[inline]
    pub(super) fn placed(&self, slot: usize) -> Option<Placed<'_>> {
        Placed::new(self.models[slot].as_ref()?, &self.poses[slot]).ok()
    }

    /// An object at its latest pose.
    pub(super) fn at(&self, object: ObjectId) -> Result<Placed<'_>, WorldError> {
        let slot = self.check(object)?;
        self.placed(slot).ok_or(WorldError::Stale { id: object })
    }

    #[inline]
    pub(super) fn mark(&mut self, slot: usize, flags: u8) {
        if self.flags[slot] & LISTED == 0 {
            self.back.push(slot as u32);
        }
        self.flags[slot] |= flags | LISTED;
    }

    /// Discards all bounds, for another bounding strategy.
    pub(super) fn unprepare_all(&mut self) {
        for slot in 0..self.models.len() {
            if self.models[slot].is_some() {
                let bounds = &mut self.bounds[slot];
                // The motion bound belongs to the application, not to the strategy.
                let motion = bounds.motion.take();
                *bounds = Bounds::default();
                bounds.motion = motion;
                self.mark(slot, UNPREPARED);
            }
        }
    }

    /// Marks all objects for insertion into an empty broad phase.
    pub(super) fn insert_all(&mut self) {
        self.removed.clear();
        for slot in 0..self.models.len() {
            if self.models[slot].is_some() {
                self.mark(slot, NEW);
            }
        }
    }

    /// Updates the world poses of attached objects.
    pub(super) fn update_world_poses(&mut self, check: u64, failures: &mut Vec<Failure>) {
        if self.hierarchy.is_flat() {
            return;
        }
        let (models, poses) = (&self.models, &mut self.poses);
        let (flags, back, names) = (&mut self.flags, &mut self.back, &self.names);
        let moved = back.as_slice().to_vec();
        self.hierarchy.update(moved.into_iter(), poses, check, |index, pose, place| {
            let slot = index as usize;
            let Some(model) = &models[slot] else { return };
            match Placed::new(model, pose) {
                Ok(_) if place == pose => {}
                Ok(_) => {
                    *place = *pose;
                    if flags[slot] & LISTED == 0 {
                        back.push(index);
                    }
                    flags[slot] |= LISTED | MOVED;
                }
                Err(error) => failures
                    .push(Failure::Object { object: names[slot], message: error.to_string() }),
            }
        });
    }

    /// Begins a check: swaps the back buffer to the front.
    pub(super) fn swap_buffers(&mut self) {
        // As it is: to fill a list with zeros, one thread would take long.
        std::mem::swap(&mut self.front, &mut self.together);
        self.back.pass_on(&mut self.front);
    }

    /// Removes from the front buffer what has been removed from the world.
    pub(super) fn drop_removed(&mut self) {
        let models = &self.models;
        self.front.retain(|&index| models[index as usize].is_some());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interest::Ask;
    use crate::world::World;

    /// A pair with an object that cannot be placed is a failure, in a batch and alone, never apart.
    #[test]
    fn what_cannot_be_placed_is_told() -> Result<(), Box<dyn std::error::Error>> {
        // Just small enough to be placed at the origin, and nowhere else.
        let large = |corner: u32| [0, 1, 2].map(|k| if corner >> k & 1 == 0 { 0.0 } else { 4e307 });
        let corners = (0..4).map(|k| large([0, 1, 2, 4][k])).collect();
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let mesh = crate::brep::PolygonMesh::from_polygons(corners, faces)?;
        let model = Model::from_mesh(mesh)?;
        let small = Model::from_mesh(crate::brep::PolygonMesh::new())?;
        let beyond = Pose::from_translation([2e307, 0.0, 0.0]);
        for ask in [Ask::Touch, Ask::Contacts { limit: 9 }] {
            let mut world = World::new();
            let a = world.add(&model, &Pose::IDENTITY)?;
            let b = world.add(&model, &Pose::IDENTITY)?;
            world.interest_mut().set_pair_ask(a, b, ask);
            assert!(world.check().failures.is_empty());
            assert!(world.set_pose(b, &beyond).is_err(), "it stays where it is");
            world.objects.poses[b.slot()] = *Placed::new(&small, &beyond)?.pose();
            world.objects.mark(b.slot(), MOVED);
            for _ in 0..2 {
                let frame = world.check();
                assert!(frame.ended.is_empty(), "it is not apart");
                let [Failure::Pair { message, .. }] = &frame.failures[..] else {
                    panic!("{:?}", frame.failures);
                };
                assert!(message.contains("beyond the range"), "{message}");
            }
        }
        Ok(())
    }
}
