//! An object whose vertices move during the next check.

use super::objects::MOVED;
use super::{ObjectId, World, WorldError};

impl World {
    /// Moves the vertices of an object during the next check: each goes straight in the world from where it is at time 0 to
    /// where it is at time 1, at one of these positions, in the model's frame. There it is after the check and stays. The
    /// object may have a [motion](Self::set_motion) too, or be attached to one that has: that tells where its frame is at both ends.
    ///
    /// Pairs in which an object is in motion collide in that check if they touch at any time, as those of
    /// [`set_motion`](Self::set_motion). If the other object rests, moves its vertices or is a
    /// [translation](crate::math::Path::is_translation), the answer is that of
    /// [`meshes_contact`](crate::narrow::continuous::meshes_contact), which decides every case. If the other one turns or is given
    /// by a formula it is that of [`time_of_contact`](crate::narrow::continuous::time_of_contact), by conservative advancement of
    /// the whole bodies: right, slower, and undecided for bodies that come closer than rounding lets it tell.
    ///
    /// The check takes linear time and memory for each object of this kind. The last positions before a check count, of this
    /// and of [`set_vertices`](Self::set_vertices). [Snapshots](Self::snapshot) have the vertices of time 0 instead of a motion. An
    /// object that is given by a formula does not change its shape.
    ///
    /// ```
    /// use xcollide::prelude::*;
    ///
    /// # let (corners, faces) = xcollide_fixtures::cube();
    /// # let unit_cube = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let cube = Model::from_mesh(unit_cube)?;
    /// let mut world = World::new();
    /// let floor = world.add(&cube, &Pose::from_translation([0.0, 0.0, -1.5]))?;
    /// let jelly = world.add(&cube, &Pose::IDENTITY)?;
    /// assert!(world.check().began.is_empty());
    ///
    /// // It is squeezed flat beneath the floor, through it within a frame.
    /// let below = cube.mesh().positions().iter().map(|&[x, y, z]| [x, y, 0.1 * z - 2.0]);
    /// world.move_vertices(jelly, below.collect())?;
    /// let frame = world.check();
    /// assert!(frame.collides(floor, jelly));
    /// // Its lower side falls by 2, and meets the floor's upper side, 0.5 below, after a quarter of that.
    /// let time = frame.first_contact().ok_or("no contact")?;
    /// assert!(time.lo <= 0.25 && 0.25 <= time.hi && time.hi - time.lo <= 1e-9);
    ///
    /// // It has the new shape, and is at rest.
    /// assert_eq!(world.model(jelly)?.mesh().position(0.into()), [0.0, 0.0, -2.0]);
    /// assert_eq!(world.check().ended.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is not one position for each vertex, a coordinate is not finite, or the model would leave the range of f64 at the
    /// object's pose. The world is then unchanged. If it would at the end of a motion, the check reports it in
    /// [`Frame::failures`](super::Frame::failures), and the vertices stay where they are.
    pub fn move_vertices(
        &mut self,
        object: ObjectId,
        positions: Vec<[f64; 3]>,
    ) -> Result<(), WorldError> {
        let objects = &mut self.objects;
        let slot = objects.check(object)?;
        let Some(model) = &objects.models[slot] else {
            return Err(WorldError::Stale { id: object });
        };
        if model.formula().is_some() {
            return self.set_vertices(object, &positions);
        }
        model
            .check_positions(&positions, &objects.poses[slot])
            .map_err(|error| WorldError::Vertices { id: object, error })?;
        objects.next_positions.set(slot, positions);
        objects.mark(slot, MOVED);
        Ok(())
    }
}
