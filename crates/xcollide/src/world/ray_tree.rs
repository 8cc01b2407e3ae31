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
use crate::narrow::bvh::{BoxRay, RayBoxes};
use crate::narrow::rays::{MovingSphere, Ray};

/// After so many rays the hierarchy is built; it takes as long as some rays.
const RAYS: u32 = 16;

/// So few objects are tested one by one.
const FEW: usize = 8;

/// The hierarchy, once there is one.
#[derive(Debug, Default)]
pub(super) struct RayTree {
    tree: OnceLock<Tree>,
    /// Rays without a hierarchy. Only the time depends on it, so relaxed order is enough.
    rays: AtomicU32,
}

#[derive(Debug)]
struct Tree {
    boxes: RayBoxes,
    /// The objects of the boxes.
    slots: Vec<u32>,
    /// The objects with infinite boxes, as half spaces have, which are tested one by one.
    infinite: Vec<u32>,
}

/// What moves through a world: a point or a ball, along a ray or at rest.
pub(super) struct Course {
    /// `None` at rest.
    ray: Option<Ray>,
    start: [f64; 3],
    radius: f64,
}

impl From<&Ray> for Course {
    fn from(ray: &Ray) -> Self {
        Self { ray: Some(*ray), start: ray.origin(), radius: 0.0 }
    }
}

impl From<&MovingSphere> for Course {
    fn from(&MovingSphere { segment: [from, to], radius }: &MovingSphere) -> Self {
        Self { ray: Ray::segment(from, to).ok(), start: from, radius }
    }
}

impl Course {
    /// A bound from below on where it enters a box; `None` only if it does not. In a box around another one it is not more.
    pub(super) fn enters(&self, bounds: &Aabb) -> Option<f64> {
        let around = if self.radius > 0.0 {
            Aabb {
                min: bounds.min.map(|x| (x - self.radius).next_down()),
                max: bounds.max.map(|x| (x + self.radius).next_up()),
            }
        } else {
            *bounds
        };
        match &self.ray {
            Some(ray) => ray.range_in(&around).map(|[from, _]| from),
            None => around.contains(self.start).then_some(0.0),
        }
    }

    fn box_ray(&self) -> BoxRay {
        BoxRay {
            origin: self.start,
            direction: self.ray.map_or([0.0; 3], |ray| ray.direction()),
            reach: self.ray.map_or(0.0, |ray| ray.reach()),
            radius: self.radius,
        }
    }
}

impl RayTree {
    /// Shows `visit` the objects whose boxes a course enters, roughly in the order in which it does. `visit` breaks, or tells up to
    /// which parameter others matter: all whose boxes are entered up to there are shown, and others.
    pub(super) fn each_entered(
        &self,
        objects: &Objects,
        course: &Course,
        mut visit: impl FnMut(ObjectId) -> ControlFlow<(), f64>,
    ) -> ControlFlow<()> {
        let is_listed = |slot: usize| objects.flags[slot] & LISTED != 0;
        let mut entered = Vec::new();
        let mut test = |slot: usize| {
            let Some(placed) = objects.placed(slot) else { return };
            if let Some(from) = course.enters(&placed.world_box()) {
                entered.push((from, objects.names[slot]));
            }
        };
        let tree = self.tree(objects);
        match tree {
            Some(tree) => {
                let infinite = tree.infinite.iter().map(|&slot| slot as usize);
                infinite.filter(|&slot| !is_listed(slot)).for_each(&mut test);
                objects.back.as_slice().iter().for_each(|&slot| test(slot as usize));
            }
            None => (0..objects.models.len()).for_each(&mut test),
        }
        entered.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        let mut limit = f64::INFINITY;
        for (from, object) in entered {
            if from > limit {
                break;
            }
            limit = visit(object)?;
        }
        let Some(Tree { boxes, slots, .. }) = tree else { return ControlFlow::Continue(()) };
        let mut ray = course.box_ray();
        ray.reach = if limit < ray.reach { limit } else { ray.reach };
        boxes.along(&ray, &mut |number, _| {
            let slot = slots[number as usize] as usize;
            // Those that have gone are listed nowhere.
            if !is_listed(slot) && objects.models[slot].is_some() {
                limit = visit(objects.names[slot])?;
            }
            ControlFlow::Continue(limit)
        })
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

    fn tree(&self, objects: &Objects) -> Option<&Tree> {
        match self.tree.get() {
            Some(tree) => Some(tree),
            None if objects.len <= FEW => None,
            None if self.rays.fetch_add(1, Ordering::Relaxed) < RAYS => None,
            None => self.build(objects),
        }
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
        let (mut boxes, mut slots, mut infinite) = (Vec::new(), Vec::new(), Vec::new());
        for slot in (0..objects.models.len()).filter(is_unchanged) {
            let Some(placed) = objects.placed(slot) else { continue };
            let bounds = placed.world_box();
            if bounds.is_empty() {
                continue;
            }
            if bounds.min.iter().chain(&bounds.max).all(|x| x.is_finite()) {
                boxes.push(bounds);
                slots.push(slot as u32);
            } else {
                infinite.push(slot as u32);
            }
        }
        // Boxes that are not finite were left out, and there are fewer objects than the hierarchy can number.
        match RayBoxes::build(&boxes) {
            Ok(boxes) => Self { boxes, slots, infinite },
            Err(_) => {
                infinite.append(&mut slots);
                Self { boxes: RayBoxes::default(), slots, infinite }
            }
        }
    }
}
