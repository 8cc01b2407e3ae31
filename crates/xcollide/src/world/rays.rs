//! Rays and moving spheres against all objects of a world.

use super::objects::Objects;
use super::ray_tree::RayTree;
use super::{ObjectId, World, WorldError};
use crate::bounds::Aabb;
use crate::narrow::Placed;
use crate::narrow::rays::{
    MovingSphere, Ray, RayHit, SphereHit, all_hits, any_hit, first_hit, sphere_cast,
};

impl World {
    /// The object that a ray meets first, and where; of several at the same rounded parameter the one with the lowest
    /// number. Objects are at their latest poses, also before a check; the pose of a child counts from the check on.
    ///
    /// Whether an object is met is exact. Its box is tested first: some nanoseconds for each object, but if there are many
    /// rays between two checks, only for those along the ray and those that moved since the check.
    ///
    /// # Errors
    /// An object along the ray is at a pose that cannot place it.
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
        self.targets().first_hit(ray)
    }

    /// Some object that a ray meets, not the first one; `None` exactly if it meets none.
    ///
    /// # Errors
    /// As of [`first_hit`](Self::first_hit).
    pub fn any_hit(&self, ray: &Ray) -> Result<Option<(ObjectId, RayHit)>, WorldError> {
        self.targets().any_hit(ray)
    }

    /// All hits of a ray, in the order of their rounded parameters, then of the objects and triangles. Of each object exactly
    /// those of [`all_hits`](crate::narrow::rays::all_hits).
    ///
    /// # Errors
    /// As of [`first_hit`](Self::first_hit).
    pub fn all_hits(&self, ray: &Ray) -> Result<Vec<(ObjectId, RayHit)>, WorldError> {
        self.targets().all_hits(ray)
    }

    /// [`first_hit`](Self::first_hit) of each of some rays, in their order: with the feature `parallel` on the threads of rayon's current
    /// pool. The same at any number of threads.
    ///
    /// # Errors
    /// Those of the rays, each in its place.
    pub fn first_hits(&self, rays: &[Ray]) -> Vec<Result<Option<(ObjectId, RayHit)>, WorldError>> {
        self.ray_targets(rays.len()).each(rays, RayTargets::first_hit)
    }

    /// [`any_hit`](Self::any_hit) of each of some rays, in their order: with the feature `parallel` on the threads of rayon's current
    /// pool. The same at any number of threads.
    ///
    /// # Errors
    /// Those of the rays, each in its place.
    pub fn any_hits(&self, rays: &[Ray]) -> Vec<Result<Option<(ObjectId, RayHit)>, WorldError>> {
        self.ray_targets(rays.len()).each(rays, RayTargets::any_hit)
    }

    /// [`all_hits`](Self::all_hits) of each of some rays, in their order: with the feature `parallel` on the threads of rayon's current
    /// pool. The same at any number of threads.
    ///
    /// # Errors
    /// Those of the rays, each in its place.
    pub fn all_hits_of_each(
        &self,
        rays: &[Ray],
    ) -> Vec<Result<Vec<(ObjectId, RayHit)>, WorldError>> {
        self.ray_targets(rays.len()).each(rays, RayTargets::all_hits)
    }

    /// The object whose surface a moving sphere meets first, and where; of several at the same rounded time the one with the
    /// lowest number. Objects are at rest at their latest poses, as for [`first_hit`](Self::first_hit).
    ///
    /// Whether it meets an object is exact, the time is rounded; see [`sphere_cast`].
    ///
    /// # Errors
    /// [`WorldError::Sphere`]: a coordinate is not finite, or the radius is negative or not finite; or before another hit the
    /// sphere comes so near to an object given by a formula that rounding hides whether it touches.
    ///
    /// ```
    /// use xcollide::narrow::rays::MovingSphere;
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::new();
    /// let object = world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// let segment = [[0.0, 0.25, 0.25], [9.0, 0.25, 0.25]];
    /// let hit = world.sphere_cast(&MovingSphere { segment, radius: 0.5 })?;
    /// let (first, hit) = hit.ok_or("missed")?;
    /// assert_eq!((first, hit.center), (object, [4.5, 0.25, 0.25]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sphere_cast(
        &self,
        sphere: &MovingSphere,
    ) -> Result<Option<(ObjectId, SphereHit)>, WorldError> {
        self.targets().sphere_cast(sphere)
    }

    /// [`sphere_cast`](Self::sphere_cast) of each of some spheres, in their order: with the feature `parallel` on the threads of rayon's current
    /// pool. The same at any number of threads.
    ///
    /// # Errors
    /// Those of the spheres, each in its place.
    pub fn sphere_casts(
        &self,
        spheres: &[MovingSphere],
    ) -> Vec<Result<Option<(ObjectId, SphereHit)>, WorldError>> {
        self.ray_targets(spheres.len()).each(spheres, RayTargets::sphere_cast)
    }

    /// What rays and moving spheres are tested against, for several threads at once, which a world is not. `rays` is about how
    /// many there will be: for many, a hierarchy over the objects is built first.
    ///
    /// ```
    /// use xcollide::narrow::rays::Ray;
    /// use xcollide::prelude::*;
    ///
    /// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    /// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    /// let mut world = World::new();
    /// world.add(&model, &Pose::from_translation([5.0, 0.0, 0.0]))?;
    /// let ray = Ray::new([0.0, 0.25, 0.25], [1.0, 0.0, 0.0])?;
    /// let targets = world.ray_targets(2);
    /// let there = std::thread::scope(|scope| scope.spawn(|| targets.first_hit(&ray)).join());
    /// assert_eq!(there.map_err(|_| "panicked")??, world.first_hit(&ray)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn ray_targets(&self, rays: usize) -> RayTargets<'_> {
        self.ray_tree.expect(rays, &self.objects);
        self.targets()
    }

    fn targets(&self) -> RayTargets<'_> {
        RayTargets { objects: &self.objects, tree: &self.ray_tree }
    }
}

/// The objects of a world at their latest poses; see [`World::ray_targets`].
#[derive(Clone, Copy)]
pub struct RayTargets<'w> {
    objects: &'w Objects,
    tree: &'w RayTree,
}

impl std::fmt::Debug for RayTargets<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("RayTargets")
            .field("objects", &self.objects.len)
            .finish_non_exhaustive()
    }
}

impl<'w> RayTargets<'w> {
    /// The answers for some rays or spheres, in their order: with the feature `parallel` on the threads of rayon's current pool.
    fn each<I: Sync, R: Send>(self, items: &[I], answer: impl Fn(Self, &I) -> R + Sync) -> Vec<R> {
        #[cfg(feature = "parallel")]
        {
            use rayon::prelude::*;
            /// Items that a thread takes at least, so that waking it pays.
            const SHARE: usize = 64;
            if items.len() >= 2 * SHARE {
                let shares = items.par_iter().with_min_len(SHARE);
                return shares.map(|item| answer(self, item)).collect();
            }
        }
        items.iter().map(|item| answer(self, item)).collect()
    }

    /// As [`World::first_hit`].
    ///
    /// # Errors
    /// As there.
    pub fn first_hit(self, ray: &Ray) -> Result<Option<(ObjectId, RayHit)>, WorldError> {
        let mut first: Option<(ObjectId, RayHit)> = None;
        for (enters, object) in self.entered_by(ray) {
            if first.as_ref().is_some_and(|(_, hit)| enters > hit.parameter) {
                break;
            }
            let Some(hit) = first_hit(self.placed(object)?, ray) else { continue };
            let is_earlier = first.as_ref().is_none_or(|(other, known)| {
                hit.parameter.total_cmp(&known.parameter).then(object.cmp(other)).is_lt()
            });
            if is_earlier {
                first = Some((object, hit));
            }
        }
        Ok(first)
    }

    /// As [`World::any_hit`].
    ///
    /// # Errors
    /// As there.
    pub fn any_hit(self, ray: &Ray) -> Result<Option<(ObjectId, RayHit)>, WorldError> {
        for (_, object) in self.entered_by(ray) {
            if let Some(hit) = any_hit(self.placed(object)?, ray) {
                return Ok(Some((object, hit)));
            }
        }
        Ok(None)
    }

    /// As [`World::all_hits`].
    ///
    /// # Errors
    /// As there.
    pub fn all_hits(self, ray: &Ray) -> Result<Vec<(ObjectId, RayHit)>, WorldError> {
        let (mut all, mut hits) = (Vec::new(), Vec::new());
        for (_, object) in self.entered_by(ray) {
            all_hits(self.placed(object)?, ray, &mut hits);
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

    /// As [`World::sphere_cast`].
    ///
    /// # Errors
    /// As there.
    pub fn sphere_cast(
        self,
        sphere: &MovingSphere,
    ) -> Result<Option<(ObjectId, SphereHit)>, WorldError> {
        let MovingSphere { segment, radius } = *sphere;
        sphere.check().map_err(WorldError::Sphere)?;
        // Of a sphere at rest there is no ray.
        let path = Ray::segment(segment[0], segment[1]).ok();
        let entered = self.entered(|bounds| {
            let grown = Aabb {
                min: bounds.min.map(|x| (x - radius).next_down()),
                max: bounds.max.map(|x| (x + radius).next_up()),
            };
            match &path {
                Some(path) => path.range_in(&grown).map(|[from, _]| from),
                None => grown.contains(segment[0]).then_some(0.0),
            }
        });
        let mut first: Option<(ObjectId, SphereHit)> = None;
        for (enters, object) in entered {
            if first.as_ref().is_some_and(|(_, hit)| enters > hit.parameter) {
                break;
            }
            let found = sphere_cast(self.placed(object)?, segment, radius);
            let Some(hit) = found.map_err(WorldError::Sphere)? else { continue };
            let is_earlier = first.as_ref().is_none_or(|(other, known)| {
                hit.parameter.total_cmp(&known.parameter).then(object.cmp(other)).is_lt()
            });
            if is_earlier {
                first = Some((object, hit));
            }
        }
        Ok(first)
    }

    /// An object whose box a ray enters.
    fn placed(self, object: ObjectId) -> Result<Placed<'w>, WorldError> {
        self.objects.at(object)
    }

    /// The objects whose boxes a ray meets, with a bound from below on where, in the order of these and of the objects.
    fn entered_by(self, ray: &Ray) -> Vec<(f64, ObjectId)> {
        // Bounds in a box are those in a larger box, or in part of them: `range_in` is monotone.
        self.entered(|bounds| ray.range_in(bounds).map(|[from, _]| from))
    }

    /// The objects for whose boxes there is a bound, in the order of these and of the objects.
    fn entered(self, enters: impl Fn(&Aabb) -> Option<f64>) -> Vec<(f64, ObjectId)> {
        let mut entered = Vec::new();
        self.tree.each_entered(self.objects, enters, |from, object| {
            entered.push((from, object));
        });
        entered.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then(p.1.cmp(&q.1)));
        entered
    }
}
