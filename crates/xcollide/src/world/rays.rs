//! Rays and moving spheres against all objects of a world.

use std::ops::ControlFlow;

use super::objects::Objects;
use super::ray_tree::{Course, RayTree};
use super::{ObjectId, World, WorldError};
use crate::narrow::rays::{
    MovingSphere, Ray, RayHit, SphereHit, all_hits, any_hit, first_hit, sphere_cast,
};
use crate::narrow::{Placed, QueryError};

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
        self.each_entered(&ray.into(), |object, placed| {
            if let Some(hit) = first_hit(placed, ray) {
                let known = first.as_ref().map(|(other, known)| (known.parameter, *other));
                if is_earlier((hit.parameter, object), known) {
                    first = Some((object, hit));
                }
            }
            first.as_ref().map_or(f64::INFINITY, |(_, hit)| hit.parameter)
        })?;
        Ok(first)
    }

    /// As [`World::any_hit`].
    ///
    /// # Errors
    /// As there.
    pub fn any_hit(self, ray: &Ray) -> Result<Option<(ObjectId, RayHit)>, WorldError> {
        let course = Course::from(ray);
        // Of those that are hit the one whose box is entered first, however they are shown.
        let mut any: Option<(f64, ObjectId, RayHit)> = None;
        self.each_entered(&course, |object, placed| {
            if let Some(hit) = any_hit(placed, ray) {
                let enters = course.enters(&placed.world_box()).unwrap_or(0.0);
                let known = any.as_ref().map(|(known, other, _)| (*known, *other));
                if is_earlier((enters, object), known) {
                    any = Some((enters, object, hit));
                }
            }
            any.as_ref().map_or(f64::INFINITY, |(enters, ..)| *enters)
        })?;
        Ok(any.map(|(_, object, hit)| (object, hit)))
    }

    /// As [`World::all_hits`].
    ///
    /// # Errors
    /// As there.
    pub fn all_hits(self, ray: &Ray) -> Result<Vec<(ObjectId, RayHit)>, WorldError> {
        let (mut all, mut hits) = (Vec::new(), Vec::new());
        self.each_entered(&ray.into(), |object, placed| {
            all_hits(placed, ray, &mut hits);
            all.extend(hits.drain(..).map(|hit| (object, hit)));
            f64::INFINITY
        })?;
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
        let course = Course::from(sphere);
        let mut first: Option<(ObjectId, SphereHit)> = None;
        // What is unknown counts only if it may come before the hit.
        let mut unknown: Option<(f64, ObjectId, QueryError)> = None;
        self.each_entered(&course, |object, placed| {
            match sphere_cast(placed, segment, radius) {
                Ok(None) => {}
                Ok(Some(hit)) => {
                    let known = first.as_ref().map(|(other, known)| (known.parameter, *other));
                    if is_earlier((hit.parameter, object), known) {
                        first = Some((object, hit));
                    }
                }
                Err(error) => {
                    let enters = course.enters(&placed.world_box()).unwrap_or(0.0);
                    let known = unknown.as_ref().map(|(known, other, _)| (*known, *other));
                    if is_earlier((enters, object), known) {
                        unknown = Some((enters, object, error));
                    }
                }
            }
            first.as_ref().map_or(f64::INFINITY, |(_, hit)| hit.parameter)
        })?;
        if let Some((enters, _, error)) = unknown
            && first.as_ref().is_none_or(|(_, hit)| enters <= hit.parameter)
        {
            return Err(WorldError::Sphere(error));
        }
        Ok(first)
    }

    /// Shows `visit` the objects whose boxes a course enters, roughly in this order. It tells up to which parameter others
    /// matter.
    fn each_entered(
        self,
        course: &Course,
        mut visit: impl FnMut(ObjectId, Placed<'w>) -> f64,
    ) -> Result<(), WorldError> {
        let mut failed = None;
        let _ =
            self.tree.each_entered(self.objects, course, |object| match self.objects.at(object) {
                Ok(placed) => ControlFlow::Continue(visit(object, placed)),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            });
        failed.map_or(Ok(()), Err)
    }
}

/// Whether a parameter, and then an object, comes before what is known.
fn is_earlier(found: (f64, ObjectId), known: Option<(f64, ObjectId)>) -> bool {
    known.is_none_or(|known| found.0.total_cmp(&known.0).then(found.1.cmp(&known.1)).is_lt())
}
