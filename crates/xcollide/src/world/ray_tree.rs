//! A hierarchy over the boxes of objects, for rays: built when a world is asked about several rays between two checks.
//!
//! It has the objects that have not changed since the last check. Others are in the list of changes that the next check
//! visits, and are tested one by one; a check discards the hierarchy. So it needs no updates, and what rays
//! meet does not depend on whether there is one.

use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use super::ObjectId;
use super::objects::{LISTED, Objects};
use crate::bounds::Aabb;
use crate::narrow::bvh::binary::{Builder, Bvh, Split};

/// After so many rays the hierarchy is built; it takes as long as some rays.
const RAYS: u32 = 16;

/// So few objects are tested one by one.
const FEW: usize = 32;

/// The hierarchy, once there is one.
#[derive(Debug, Default)]
pub(super) struct RayTree {
    tree: OnceLock<Tree>,
    /// Rays without a hierarchy. Only the time depends on it, so relaxed order is enough.
    rays: AtomicU32,
}

#[derive(Debug)]
struct Tree {
    /// Of boxes, as segments between two of their corners; `None` if there are too many.
    boxes: Option<Bvh<Aabb>>,
    slots: Vec<u32>,
    /// The objects with infinite boxes, as half spaces have, which are tested one by one.
    infinite: Vec<u32>,
}

impl RayTree {
    /// Shows `visit` the objects whose boxes a ray enters, with a bound from below on where, in no order. `enters` bounds it for
    /// a box; for a box in another one it is not less.
    pub(super) fn each_entered(
        &self,
        objects: &Objects,
        enters: impl Fn(&Aabb) -> Option<f64>,
        mut visit: impl FnMut(f64, ObjectId),
    ) {
        let mut visit_slot = |slot: usize| {
            let Some(placed) = objects.placed(slot) else { return };
            if let Some(from) = enters(&placed.world_box()) {
                visit(from, objects.names[slot]);
            }
        };
        let is_listed = |slot: usize| objects.flags[slot] & LISTED != 0;
        let Some((boxes, Tree { slots, infinite, .. })) = self.tree(objects) else {
            return (0..objects.models.len()).for_each(visit_slot);
        };
        // The boxes of nodes contain those below.
        let _ = boxes.search(
            |bounds| enters(bounds).is_some(),
            |number| {
                let slot = slots[number as usize] as usize;
                if !is_listed(slot) {
                    visit_slot(slot);
                }
                ControlFlow::Continue(())
            },
        );
        let unchanged = infinite.iter().map(|&slot| slot as usize).filter(|&slot| !is_listed(slot));
        unchanged.for_each(&mut visit_slot);
        objects.back.as_slice().iter().for_each(|&slot| visit_slot(slot as usize));
    }

    /// Counts rays before they are asked about, by several threads: else each of these builds the hierarchy.
    pub(super) fn expect(&self, rays: usize, objects: &Objects) {
        let more = rays.min(RAYS as usize) as u32;
        if self.tree.get().is_none()
            && objects.len > FEW
            && self.rays.fetch_add(more, Ordering::Relaxed) + more >= RAYS
        {
            self.build(objects);
        }
    }

    fn tree(&self, objects: &Objects) -> Option<(&Bvh<Aabb>, &Tree)> {
        let tree = match self.tree.get() {
            Some(tree) => tree,
            None if objects.len <= FEW => return None,
            None if self.rays.fetch_add(1, Ordering::Relaxed) < RAYS => return None,
            None => self.build(objects)?,
        };
        Some((tree.boxes.as_ref()?, tree))
    }

    fn build(&self, objects: &Objects) -> Option<&Tree> {
        // Not within the lock: threads of a pool that build it may take up another ray while they wait for each other.
        let _ = self.tree.set(Tree::new(objects));
        self.tree.get()
    }
}

impl Tree {
    fn new(objects: &Objects) -> Self {
        let is_unchanged = |slot: &usize| objects.flags[*slot] & LISTED == 0;
        let (mut corners, mut slots, mut infinite) = (Vec::new(), Vec::new(), Vec::new());
        for slot in (0..objects.models.len()).filter(is_unchanged) {
            if let Some(placed) = objects.placed(slot) {
                let bounds = placed.world_box();
                if bounds.min.iter().chain(&bounds.max).any(|x| x.is_infinite()) {
                    infinite.extend((!bounds.is_empty()).then_some(slot as u32));
                } else if !bounds.is_empty() {
                    corners.push([bounds.min, bounds.max]);
                    slots.push(slot as u32);
                }
            }
        }
        Self { boxes: Builder::new(Split::Median).build(&corners).ok(), slots, infinite }
    }
}
