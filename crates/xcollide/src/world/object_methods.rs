//! The objects of a world: adding, removing, moving, and their properties.

use super::objects::{FORMULA, LISTED, MOVED, NEW, STATIC, UNPREPARED, formula_flag, issue, lock};
use super::{ObjectId, World, WorldError};
use crate::bounding::BoundsMemory;
use crate::broad::{Bounds, MotionBound};
use crate::narrow::{Model, Placed, Pose};

impl World {
    /// Adds an object. The model is shared, not copied. O(1); the first check that needs prepared data
    /// computes it.
    ///
    /// The model may be [given by a formula](Model::from_formula): pairs with such an object are tested by
    /// [`Formulas`](crate::narrow::formula::Formulas), unless the narrow phase of the world accepts formulas itself. They
    /// are [undecided](crate::Frame::undecided) if they touch up to rounding. Contacts of faces are about meshes: such a pair has
    /// none. A [kind](crate::interest::Ask::Kind) that rounding hides is left out.
    ///
    /// # Errors
    /// The pose is not a rigid motion of finite numbers, or moves the model out of the range of f64.
    pub fn add(&mut self, model: &Model, pose: &Pose) -> Result<ObjectId, WorldError> {
        Placed::new(model, pose)?;
        let id = issue(&self.objects.ids);
        self.objects.insert(id, model, pose);
        Ok(id)
    }

    /// Removes an object and its rules in the interest matrix. Its collisions end with the next check. Its
    /// children stay where they are, without a parent.
    pub fn remove(&mut self, object: ObjectId) -> Result<(), WorldError> {
        let slot = self.objects.check(object)?;
        self.detach(object)?;
        while let Some(&child) = self.objects.hierarchy.children(object.index()).first() {
            self.detach(self.objects.names[child as usize])?;
        }
        let objects = &mut self.objects;
        lock(&objects.ids).retire(object.into());
        objects.len -= 1;
        objects.models[slot] = None;
        objects.memories[slot] = BoundsMemory::default();
        objects.motions.forget(slot);
        objects.next_motions.forget(slot);
        objects.next_positions.forget(slot);
        if objects.flags[slot] & NEW == 0 {
            objects.removed.push(object.into());
        }
        objects.flags[slot] &= LISTED;
        self.interest_touched = true;
        self.interest.forget(object);
        self.gone.push(object);
        Ok(())
    }

    /// Whether the object exists.
    #[must_use]
    pub fn contains(&self, object: ObjectId) -> bool {
        self.objects.is_alive(object)
    }

    /// Number of objects.
    #[must_use]
    pub fn len(&self) -> usize {
        self.objects.len
    }

    /// Whether there are no objects.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All objects, ascending.
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        let all = self.objects.names.iter().zip(&self.objects.models);
        all.filter(|(_, model)| model.is_some()).map(|(&name, _)| name)
    }

    /// Moves an object, relative to its parent if it has one. Takes some nanoseconds. The last pose before a
    /// check counts; setting the current pose is not a motion.
    ///
    /// # Errors
    /// The pose cannot place the object; it stays where it was.
    #[inline]
    pub fn set_pose(&mut self, object: ObjectId, pose: &Pose) -> Result<(), WorldError> {
        let objects = &mut self.objects;
        let slot = objects.check(object)?;
        // The world pose of an attached object also depends on its ancestors.
        let local = match objects.hierarchy.is_flat() {
            true => None,
            false => objects.hierarchy.local_mut(object.index()),
        };
        let is_attached = local.is_some();
        let place = local.unwrap_or(&mut objects.poses[slot]);
        if place == pose && objects.next_motions.of(slot).is_none() {
            return Ok(());
        }
        if let (Some(model), false) = (&objects.models[slot], is_attached) {
            Placed::new(model, pose)?;
        }
        *place = *pose;
        objects.next_motions.forget(slot);
        objects.mark(slot, MOVED);
        Ok(())
    }

    /// The pose as it was set, relative to the parent if there is one.
    pub fn pose(&self, object: ObjectId) -> Result<&Pose, WorldError> {
        self.objects.check(object)?;
        Ok(self.objects.pose(object.index()))
    }

    /// The pose in the world. One product per ancestor.
    pub fn world_pose(&self, object: ObjectId) -> Result<Pose, WorldError> {
        self.objects.check(object)?;
        Ok(self.objects.world_pose(object.index()))
    }

    /// Replaces the model of an object. The object counts as moved.
    ///
    /// # Errors
    /// The model would leave the range of f64.
    pub fn set_model(&mut self, object: ObjectId, model: &Model) -> Result<(), WorldError> {
        let slot = self.objects.check(object)?;
        Placed::new(model, &self.objects.poses[slot])?;
        self.objects.models[slot] = Some(model.clone());
        self.objects.next_positions.forget(slot);
        self.objects.flags[slot] &= !FORMULA;
        self.objects.mark(slot, MOVED | UNPREPARED | formula_flag(model));
        Ok(())
    }

    /// The model of an object.
    pub fn model(&self, object: ObjectId) -> Result<&Model, WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.models[slot].as_ref().ok_or(WorldError::Stale { id: object })
    }

    /// The object to verify proofs with: as of the last check, or as of now if it has no parent.
    pub fn placed(&self, object: ObjectId) -> Result<Placed<'_>, WorldError> {
        self.objects.at(object)
    }

    /// The bounds that the last check passed to the broad phase; empty before the first check.
    ///
    /// ```
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::new();
    /// let object = world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// assert!(world.bounds(object)?.aabb.is_empty());
    /// let _ = world.check();
    /// assert!(world.bounds(object)?.aabb.contains([5.25, 0.25, 0.25]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn bounds(&self, object: ObjectId) -> Result<&Bounds, WorldError> {
        Ok(&self.objects.bounds[self.objects.check(object)?])
    }

    /// Marks an object as expected to stay where it is. The hint saves time; the object may still move, and
    /// collides as others do.
    pub fn set_static(&mut self, object: ObjectId, is_static: bool) -> Result<(), WorldError> {
        let slot = self.objects.check(object)?;
        if is_static != self.objects.is_static(slot) {
            self.objects.flags[slot] ^= STATIC;
            self.objects.mark(slot, 0);
        }
        Ok(())
    }

    /// Promises how the box of an object moves from the next check on; `None`, the default, withdraws the
    /// promise. Lengths are in world units, times in checks in which something has changed. Only broad
    /// phases that look ahead ([`SpaceTime`](crate::broad::classic::SpaceTime)) use it; others lose time. A wrong
    /// promise costs time and changes no answer; renew it after each bounce. The box of a turning object
    /// also changes its size, except with [`FixedCubes`](crate::bounding::FixedCubes).
    /// [Snapshots](Self::snapshot) omit promises.
    ///
    /// ```
    /// use xcollide::broad::{MotionBound, classic::SpaceTime};
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::builder().broad_phase(SpaceTime::new()).build();
    /// world.add(&model, &Pose::IDENTITY)?;
    /// let comet = world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// let velocity = [-0.1, 0.0, 0.0];
    /// world.set_motion_bound(comet, Some(MotionBound { velocity, ..MotionBound::default() }))?;
    /// assert!(world.check().began.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A number is NaN.
    pub fn set_motion_bound(
        &mut self,
        object: ObjectId,
        bound: Option<MotionBound>,
    ) -> Result<(), WorldError> {
        let slot = self.objects.check(object)?;
        if bound.as_ref().is_some_and(MotionBound::has_nan) {
            return Err(WorldError::Motion { id: object });
        }
        let kept = &mut self.objects.bounds[slot].motion;
        if kept.as_deref() != bound.as_ref() {
            match (&mut *kept, bound) {
                (Some(kept), Some(bound)) => **kept = bound,
                (kept, bound) => *kept = bound.map(Box::new),
            }
            self.objects.mark(slot, 0);
        }
        Ok(())
    }

    /// Whether the object is marked as static.
    pub fn is_static(&self, object: ObjectId) -> Result<bool, WorldError> {
        Ok(self.objects.is_static(self.objects.check(object)?))
    }

    /// Stores a number of the application with an object, such as an index.
    pub fn set_user_data(&mut self, object: ObjectId, data: u64) -> Result<(), WorldError> {
        let slot = self.objects.check(object)?;
        self.objects.data[slot] = data;
        Ok(())
    }

    /// The application's number of an object; 0 by default.
    pub fn user_data(&self, object: ObjectId) -> Result<u64, WorldError> {
        Ok(self.objects.data[self.objects.check(object)?])
    }

    /// Attaches an object to a parent, in place of any earlier one and of a [motion](Self::set_motion). From now on it
    /// moves with the parent and its pose is relative to the parent's. Relatives collide unless the [interest
    /// matrix](Self::interest_mut) excludes them.
    ///
    /// # Errors
    /// The pose is invalid, or the parent is a descendant of the child.
    pub fn attach(
        &mut self,
        child: ObjectId,
        parent: ObjectId,
        pose: &Pose,
    ) -> Result<(), WorldError> {
        let objects = &mut self.objects;
        let (slot, up) = (objects.check(child)?, objects.check(parent)?);
        pose.check()?;
        if objects.hierarchy.hangs_on(parent.index(), child.index()) {
            return Err(WorldError::Cycle { child, parent });
        }
        // A parent's world pose is stored only once it has a relative.
        objects.mark(up, 0);
        objects.hierarchy.detach(child.index());
        objects.hierarchy.attach(child.index(), parent.index(), *pose);
        objects.next_motions.forget(slot);
        objects.mark(slot, MOVED);
        Ok(())
    }

    /// Detaches an object from its parent, if it has one. It stays where it is; its pose becomes the world
    /// pose, or if that is out of the range of f64, the last one that was not. A [motion](Self::set_motion) relative to
    /// the parent is void.
    pub fn detach(&mut self, child: ObjectId) -> Result<(), WorldError> {
        let objects = &mut self.objects;
        let slot = objects.check(child)?;
        if objects.hierarchy.parent(child.index()).is_none() {
            return Ok(());
        }
        let pose = objects.world_pose(child.index());
        objects.hierarchy.detach(child.index());
        objects.next_motions.forget(slot);
        if let Some(model) = &objects.models[slot]
            && Placed::new(model, &pose).is_ok()
        {
            objects.poses[slot] = pose;
        }
        objects.mark(slot, MOVED);
        Ok(())
    }

    /// The parent of an object.
    pub fn parent(&self, object: ObjectId) -> Result<Option<ObjectId>, WorldError> {
        self.objects.check(object)?;
        let parent = self.objects.hierarchy.parent(object.index());
        Ok(parent.map(|index| self.objects.names[index as usize]))
    }
}
