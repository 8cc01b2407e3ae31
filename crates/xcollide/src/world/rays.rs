//! Rays against all objects of a world.

use super::{ObjectId, World, WorldError};
use crate::narrow::Placed;
use crate::narrow::rays::{Ray, RayHit, all_hits, any_hit, first_hit};

impl World {
    /// The object that a ray meets first, and where; of several at the same rounded parameter the one with the lowest
    /// number. Objects are at their latest poses, also before a check; the pose of a child counts from the check on.
    ///
    /// Whether an object is met is exact. Its box is tested first: some nanoseconds for each object, but if there are many
    /// rays between two checks, only for those along the ray and those that moved since the check.
    ///
    /// # Errors
    /// [`WorldError::NoMesh`]: before that, the ray enters the box of an object that is given by a formula. Rays are tested
    /// against meshes.
    ///
    /// ```
    /// use xcollide::narrow::rays::Ray;
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::new();
    /// let far = world.add(&model, &Pose::from_translation([9.0, 0.0, 0.0]))?;
    /// let near = world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// let ray = Ray::new([0.0, 0.25, 0.25], [1.0, 0.0, 0.0])?;
    /// let (object, hit) = world.first_hit(&ray)?.ok_or("missed")?;
    /// assert_eq!((object, hit.parameter), (near, 5.0));
    /// assert_eq!(world.all_hits(&ray)?.len(), 4, "in and out of both");
    /// assert!(world.any_hit(&ray.up_to(4.0)?)?.is_none());
    /// # let _ = far;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn first_hit(&self, ray: &Ray) -> Result<Option<(ObjectId, RayHit)>, WorldError> {
        let mut first: Option<(ObjectId, RayHit)> = None;
        for (enters, object) in self.entered(ray) {
            if first.as_ref().is_some_and(|(_, hit)| enters > hit.parameter) {
                break;
            }
            let Some(hit) = first_hit(self.mesh(object)?, ray) else { continue };
            let is_earlier = first.as_ref().is_none_or(|(other, known)| {
                hit.parameter.total_cmp(&known.parameter).then(object.cmp(other)).is_lt()
            });
            if is_earlier {
                first = Some((object, hit));
            }
        }
        Ok(first)
    }

    /// Some object that a ray meets, not the first one; `None` exactly if it meets none.
    ///
    /// # Errors
    /// [`WorldError::NoMesh`]: it meets no mesh, and enters the box of an object that is given by a formula.
    pub fn any_hit(&self, ray: &Ray) -> Result<Option<(ObjectId, RayHit)>, WorldError> {
        let mut untested = None;
        for (_, object) in self.entered(ray) {
            match self.mesh(object).map(|placed| any_hit(placed, ray)) {
                Ok(Some(hit)) => return Ok(Some((object, hit))),
                Ok(None) => {}
                Err(error) => untested = Some(error),
            }
        }
        untested.map_or(Ok(None), Err)
    }

    /// All hits of a ray, in the order of their rounded parameters, then of the objects and triangles. Of each object exactly
    /// those of [`all_hits`](crate::narrow::rays::all_hits).
    ///
    /// # Errors
    /// [`WorldError::NoMesh`]: the ray enters the box of an object that is given by a formula.
    pub fn all_hits(&self, ray: &Ray) -> Result<Vec<(ObjectId, RayHit)>, WorldError> {
        let (mut all, mut hits) = (Vec::new(), Vec::new());
        for (_, object) in self.entered(ray) {
            all_hits(self.mesh(object)?, ray, &mut hits);
            all.extend(hits.drain(..).map(|hit| (object, hit)));
        }
        all.sort_by(|(one, p), (other, q)| {
            p.parameter
                .total_cmp(&q.parameter)
                .then(one.cmp(other))
                .then(p.triangle.cmp(&q.triangle))
        });
        Ok(all)
    }

    /// An object whose box a ray enters, if it is a mesh.
    fn mesh(&self, object: ObjectId) -> Result<Placed<'_>, WorldError> {
        let placed = self.placed(object)?;
        match placed.model().formula() {
            Some(formula) => Err(WorldError::NoMesh { id: object, formula: formula.name() }),
            None => Ok(placed),
        }
    }

    /// The objects whose boxes a ray meets, with a bound from below on where, in the order of these and of the objects.
    fn entered(&self, ray: &Ray) -> Vec<(f64, ObjectId)> {
        let mut entered = Vec::new();
        self.ray_tree.each_entered(&self.objects, ray, |enters, object| {
            entered.push((enters, object));
        });
        entered.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        entered
    }
}
