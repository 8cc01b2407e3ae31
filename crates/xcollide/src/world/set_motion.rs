//! An object that moves during the next check.

use std::sync::Arc;

use super::objects::MOVED;
use super::{ObjectId, World, WorldError};
use crate::math::Path;
use crate::narrow::Placed;

impl World {
    /// Moves an object along a path during the next check: from its [pose](Path::at) at time 0, at once, to that at
    /// time 1, where it is after the check and stays. The path is relative to the object's parent if it has one, which may
    /// rest or move too.
    ///
    /// Pairs in which an object is in motion collide in that check if they touch at any time, bodies that are too fast
    /// for poses alone included. [`Proof::InMotion`](super::Proof::InMotion) has the time of the first contact,
    /// [`Frame::first_contact`](super::Frame::first_contact) that of the earliest of all. Objects that are
    /// [attached](Self::attach) to it move along.
    ///
    /// The [narrow phase](Self::narrow_phase) is not asked. If both objects rest or are
    /// [translated](Path::is_translation) the answer is that of
    /// [`meshes_contact`](crate::narrow::continuous::meshes_contact), which decides every case, contacts of a single moment
    /// included. Else it is that of [`time_of_contact`](crate::narrow::continuous::time_of_contact); pairs that come closer
    /// than rounding lets it tell are undecided. Contacts that are asked for are those at the first contact, distances those
    /// at the end. Whether a pair comes within a tolerance, and when, tells
    /// [`time_within`](crate::narrow::continuous::time_within).
    ///
    /// The last motion or pose before a check counts. [Snapshots](Self::snapshot) have the pose at time 0 instead of a
    /// motion.
    ///
    /// ```
    /// use xcollide::math::Motion;
    /// use xcollide::prelude::*;
    ///
    /// # let (corners, faces) = xcollide_fixtures::cube();
    /// # let unit_cube = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let cube = Model::from_mesh(unit_cube)?;
    /// let mut world = World::new();
    /// let wall = world.add(&cube, &Pose::IDENTITY)?;
    /// let start = Pose::from_translation([-5.0, 0.5, 0.0]);
    /// let bullet = world.add(&cube, &start)?;
    /// assert!(world.check().began.is_empty());
    ///
    /// // Through the wall within a frame.
    /// let end = Pose::from_translation([5.0, 0.5, 0.0]);
    /// world.set_motion(bullet, Motion::linear(start, end)?)?;
    /// let frame = world.check();
    /// assert!(frame.collides(wall, bullet));
    /// let first = frame.first_contact().ok_or("no contact")?;
    /// assert!(first.lo <= 0.4 && 0.4 <= first.hi && first.hi - first.lo <= 1e-9);
    ///
    /// // At rest again, behind the wall.
    /// assert_eq!(world.pose(bullet)?, &end);
    /// assert_eq!(world.check().ended.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Its poses at time 0 and 1 cannot place it.
    pub fn set_motion(
        &mut self,
        object: ObjectId,
        path: impl Path + Send + 'static,
    ) -> Result<(), WorldError> {
        let objects = &mut self.objects;
        let slot = objects.check(object)?;
        let [start, end] = [path.at(0.0), path.at(1.0)];
        match (objects.hierarchy.local_mut(object.index()), &objects.models[slot]) {
            // The check finds whether the ancestors' poses allow it.
            (Some(local), _) => {
                start.check()?;
                end.check()?;
                *local = start;
            }
            (None, Some(model)) => {
                Placed::new(model, &start)?;
                Placed::new(model, &end)?;
                objects.poses[slot] = start;
            }
            (None, None) => return Err(WorldError::Stale { id: object }),
        }
        objects.next_motions.set(slot, Arc::new(path));
        objects.mark(slot, MOVED);
        Ok(())
    }

    /// How wide the time interval of a contact may be; 1e-9 by default, in parts of the time of a check.
    ///
    /// # Errors
    /// It is NaN or negative.
    pub fn set_time_width(&mut self, width: f64) -> Result<(), WorldError> {
        if width.is_nan() || width < 0.0 {
            return Err(WorldError::TimeWidth { width });
        }
        self.time_width = width;
        Ok(())
    }

    /// How wide the time interval of a contact may be.
    #[must_use]
    pub fn time_width(&self) -> f64 {
        self.time_width
    }
}
