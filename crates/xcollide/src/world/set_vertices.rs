//! Objects whose vertices move.

use super::objects::{MOVED, UNPREPARED};
use super::{ObjectId, World, WorldError};

impl World {
    /// Moves the vertices of an object, as fast as each frame needs: to one position for each vertex of its
    /// [model](Self::model), in the model's frame. The object counts as moved.
    ///
    /// Answers are those of a new model with these vertices. The object then has a model of its own: if others share
    /// it, or the application keeps a handle of it, the model is copied once; after that it is
    /// [changed in place](crate::narrow::Model::set_positions). For contacts on the way there, see
    /// [`move_vertices`](Self::move_vertices).
    ///
    /// ```
    /// use xcollide::prelude::*;
    ///
    /// # let (corners, faces) = xcollide_fixtures::cube();
    /// # let unit_cube = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let cube = Model::from_mesh(unit_cube)?;
    /// let mut world = World::new();
    /// let floor = world.add(&cube, &Pose::IDENTITY)?;
    /// let jelly = world.add(&cube, &Pose::from_translation([0.0, 0.0, 1.5]))?;
    /// assert!(world.check().began.is_empty());
    ///
    /// let mut vertices = cube.mesh().positions().to_vec();
    /// vertices[0][2] = -1.0;
    /// world.set_vertices(jelly, &vertices)?;
    /// assert!(world.check().collides(floor, jelly));
    /// assert_eq!(cube.mesh().position(0.into()), [0.0; 3], "of others");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// There is not one position for each vertex, a coordinate is not finite, or the model would leave the range of
    /// f64. The world is then unchanged.
    pub fn set_vertices(
        &mut self,
        object: ObjectId,
        positions: &[[f64; 3]],
    ) -> Result<(), WorldError> {
        let objects = &mut self.objects;
        let slot = objects.check(object)?;
        if let Some(model) = &mut objects.models[slot] {
            model
                .check_positions(positions, &objects.poses[slot])
                .and_then(|()| Ok(model.set_positions(positions)?))
                .map_err(|error| WorldError::Vertices { id: object, error })?;
        }
        objects.next_positions.forget(slot);
        objects.mark(slot, MOVED | UNPREPARED);
        Ok(())
    }
}
