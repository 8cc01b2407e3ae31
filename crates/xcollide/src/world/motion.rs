//! Objects that move during a check: their paths, and the boxes of these.

use std::sync::Arc;

use super::Failure;
use super::jobs::{UNBOUNDED, is_nan};
use super::objects::{MOVED, Objects};
use crate::bounding::{Bounding, BoundsMemory};
use crate::bounds::Aabb;
use crate::broad::Bounds;
use crate::math::vector::length;
use crate::math::{Attached, Path};
use crate::narrow::{Model, Placed, Pose};

type SharedPath = Arc<dyn Path + Send>;

/// Paths of objects during one check.
#[derive(Default)]
pub(super) struct Motions {
    /// By object index; without the rest where no further object moves.
    paths: Vec<Option<SharedPath>>,
    /// The indices of all objects that ever had a path since the last [`clear`](Self::clear).
    moving: Vec<u32>,
    /// Where attached objects with motions of their own are at the end, relative to their parents.
    ends: Vec<(u32, Pose)>,
}

impl Motions {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.moving.is_empty()
    }

    /// The path of an object.
    #[inline]
    pub(super) fn of(&self, slot: usize) -> Option<&SharedPath> {
        self.paths.get(slot)?.as_ref()
    }

    pub(super) fn set(&mut self, slot: usize, path: SharedPath) {
        if self.paths.len() <= slot {
            self.paths.resize(slot + 1, None);
        }
        if self.paths[slot].replace(path).is_none() {
            self.moving.push(slot as u32);
        }
    }

    /// The object has no path any more.
    #[inline]
    pub(super) fn forget(&mut self, slot: usize) {
        if let Some(path) = self.paths.get_mut(slot) {
            *path = None;
        }
    }

    fn clear(&mut self) {
        for &index in &self.moving {
            self.paths[index as usize] = None;
        }
        self.moving.clear();
        self.ends.clear();
    }
}

impl std::fmt::Debug for Motions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.moving).finish()
    }
}

impl Objects {
    /// Begins a check: the motions set since the last one count, and carry the objects attached to those that move.
    pub(super) fn begin_motions(&mut self) {
        self.motions.clear();
        if self.next_motions.is_empty() {
            return;
        }
        std::mem::swap(&mut self.motions, &mut self.next_motions);
        let paths = &self.motions.paths;
        self.motions.moving.retain(|&index| paths[index as usize].is_some());
        // One that was forgotten and set again is listed twice.
        self.motions.moving.sort_unstable();
        self.motions.moving.dedup();
        if self.hierarchy.is_flat() {
            return;
        }
        let is_carried = |&index: &u32| {
            let mut above = self.hierarchy.parent(index);
            while let Some(parent) = above {
                if self.motions.of(parent as usize).is_some() {
                    return true;
                }
                above = self.hierarchy.parent(parent);
            }
            false
        };
        let tops = self.motions.moving.iter().copied().filter(|index| !is_carried(index));
        let mut waiting: Vec<u32> = tops.collect();
        while let Some(index) = waiting.pop() {
            if let Some(parent) = self.hierarchy.parent(index) {
                self.attach_path(index, parent);
            }
            waiting.extend(self.hierarchy.children(index));
        }
    }

    /// The path of an attached object in the world: that relative to its parent, or its pose there, carried along the
    /// parent's, or at its pose.
    fn attach_path(&mut self, index: u32, parent: u32) {
        let (slot, above) = (index as usize, parent as usize);
        let base = self.motions.of(above).cloned();
        let base = base.unwrap_or_else(|| Arc::new(self.poses[above]));
        let local = match self.motions.of(slot).cloned() {
            Some(own) => {
                self.motions.ends.push((index, own.at(1.0)));
                own
            }
            None => Arc::new(*self.hierarchy.local(index).unwrap_or(&Pose::IDENTITY)),
        };
        match Attached::new(base, local) {
            Ok(path) => self.motions.set(slot, Arc::new(path)),
            // The check found that the pose of the object cannot be used, and tells.
            Err(_) => self.motions.forget(slot),
        }
        self.mark(slot, MOVED);
    }

    /// Ends a check: objects in motion are at the ends of their paths, and rest there from then on.
    pub(super) fn end_motions(&mut self, failures: &mut Vec<Failure>) {
        for &(index, end) in &self.motions.ends {
            if let Some(local) = self.hierarchy.local_mut(index) {
                *local = end;
            }
        }
        for place in 0..self.motions.moving.len() {
            let index = self.motions.moving[place];
            let slot = index as usize;
            let (Some(path), Some(model)) = (self.motions.of(slot), &self.models[slot]) else {
                continue;
            };
            let end = path.at(1.0);
            match Placed::new(model, &end) {
                Ok(_) => self.poses[slot] = end,
                Err(error) => failures
                    .push(Failure::Object { object: self.names[slot], message: error.to_string() }),
            }
            self.mark(slot, MOVED);
        }
    }

    /// The path of an object in this check, or the pose at which it rests.
    pub(super) fn path(&self, slot: usize) -> &dyn Path {
        match self.motions.of(slot) {
            Some(path) => &**path,
            None => &self.poses[slot],
        }
    }
}

/// Parts of a path are so short that a body turns by less than this, in radians.
const TURN: f64 = 0.25;

/// The most parts of a path.
const MOST_PARTS: f64 = 256.0;

/// Bounds a model on its path by the boxes of a strategy, which has only boxes for it then.
///
/// Between the ends of a part of the path no point is farther from its straight and even way than
/// [`Speed::deviation`](crate::math::Speed::deviation), and on it, it is in the box around the boxes of both ends.
pub(super) fn bound_path(
    strategy: &dyn Bounding,
    model: &Model,
    path: &dyn Path,
    memory: &mut BoundsMemory,
    bounds: &mut Bounds,
) {
    let local = model.local_box();
    let mut swept = Aabb::EMPTY;
    if !local.is_empty() {
        let farthest = |from: [f64; 3]| {
            let side =
                |k: usize| (local.max[k] - from[k]).abs().max((from[k] - local.min[k]).abs());
            1.001 * length([side(0), side(1), side(2)])
        };
        let (arm, reach) = (farthest(path.center()), farthest([0.0; 3]));
        let whole = path.speed(0.0, 1.0);
        let turns = ((length(whole.spin) + whole.spin_error) / TURN).ceil();
        // Infinity and NaN too: their boxes are unbounded.
        let parts = if turns < MOST_PARTS { turns.max(1.0) } else { MOST_PARTS };
        let rounding = 2.0 * path.rounding(reach);
        let mut margin = 0.0_f64;
        for part in 0..=parts as usize {
            let time = part as f64 / parts;
            strategy.bounds_at(model, &path.at(time), memory, bounds);
            swept = if is_nan(&bounds.aabb) { UNBOUNDED } else { swept.merged(&bounds.aabb) };
            if part > 0 {
                let before = (part - 1) as f64 / parts;
                let deviation = path.speed(before, time).deviation(arm, time - before);
                // Unlike `max`, keeps NaN.
                if margin < deviation || deviation.is_nan() {
                    margin = deviation;
                }
            }
        }
        swept = swept.expanded(margin + rounding);
    }
    bounds.aabb = swept;
    bounds.oriented = None;
    bounds.kdop = None;
}
