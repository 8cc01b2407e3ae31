//! What every bounding volume can do.
//!
//! A hierarchy needs surprisingly little of its volumes. To be built: a [fit](BoundingVolume::fit)
//! to points, or a [merger](BoundingVolume::merged) of children, with [volume](BoundingVolume::volume)
//! or [surface](BoundingVolume::surface) as the price, [bulk](BoundingVolume::bulk) where a rough
//! one will do, and the [center](BoundingVolume::center) for sorting. To be queried: [overlap](BoundingVolume::overlaps) of two volumes in one frame, so a
//! way to [move](BoundingVolume::moved) one of them into the frame of the other; a
//! [distance](BoundingVolume::distance_squared) for distance queries and the order of descent;
//! [containment](BoundingVolume::contains) of points. There is no overlap test between volumes of
//! different kinds: that way lies a matrix of near copies.
//!
//! A volume is a set of real points, fixed by its stored numbers. All tests err on one side only,
//! because the volumes are filters before exact tests: what may be so is not denied.

use std::fmt::Debug;

use xcollide_math::Pose;

/// A convex set, simple to test, that holds a set of points.
///
/// Promises of every implementation, for finite coordinates up to 1e100:
/// - a fitted volume holds its points, a merged one both of its parts;
/// - a moved volume holds the image of every point of the original, the exact image and the
///   rounded one that [`Pose::apply`] computes;
/// - [`overlaps`](Self::overlaps) is never false where a common point exists,
///   [`contains`](Self::contains) never where the point belongs to the volume;
/// - the empty volume (of no points) overlaps nothing, contains nothing, stays empty in motion and
///   changes nothing in a merger.
///
/// ```
/// use xcollide_bounds::{Aabb, BoundingVolume};
/// use xcollide_math::Pose;
///
/// /// Whether two clouds of points may touch, each in its own frame.
/// fn may_touch<V: BoundingVolume>(
///     (a, motion_a): (&[[f64; 3]], &Pose),
///     (b, motion_b): (&[[f64; 3]], &Pose),
/// ) -> bool {
///     let reach = |points: &[[f64; 3]]| points.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
///     let margin = Pose::relative_margin(motion_a, motion_b, reach(a), reach(b));
///     let into_a = V::prepare(&Pose::relative(motion_a, motion_b), margin);
///     V::fit(a).overlaps(&V::fit(b).moved(&into_a))
/// }
///
/// let corner = [[0.0; 3], [1.0; 3]];
/// let far = Pose::from_translation([0.0, 0.0, 9.0]);
/// assert!(!may_touch::<Aabb>((&corner, &Pose::IDENTITY), (&corner, &far)));
/// ```
pub trait BoundingVolume: Clone + Debug + Send + Sync + 'static {
    /// A motion, worked out for this kind of volume: what can be computed once for all volumes of
    /// a hierarchy (the correspondence of k-DOPs, magnitudes of a matrix).
    type Prepared: Clone + Debug + Send + Sync;

    /// A small volume around the points. How small, each implementation says.
    fn fit(points: &[[f64; 3]]) -> Self;

    /// A small volume around triangles. Kinds of volumes to which the triangles tell more than
    /// their corners do implement it for themselves.
    #[must_use]
    fn fit_triangles(triangles: &[[[f64; 3]; 3]]) -> Self {
        Self::fit(triangles.as_flattened())
    }

    /// A volume that holds both.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// Whether the volumes may have a point in common; false only where they have none.
    fn overlaps(&self, other: &Self) -> bool;

    /// Whether the point may belong to the volume; false only where it does not.
    fn contains(&self, point: [f64; 3]) -> bool;

    /// A volume that holds every point within `margin` (at least 0) of this one.
    #[must_use]
    fn expanded(&self, margin: f64) -> Self;

    /// Prepares a motion for [`moved`](Self::moved). Every volume that is moved with it is also
    /// expanded by `margin`, at no cost: see [`Pose::relative_margin`].
    fn prepare(motion: &Pose, margin: f64) -> Self::Prepared;

    /// A volume that holds this one after a prepared motion.
    #[must_use]
    fn moved(&self, prepared: &Self::Prepared) -> Self;

    /// A volume that holds this one after a motion.
    #[must_use]
    fn transformed(&self, motion: &Pose) -> Self {
        self.moved(&Self::prepare(motion, 0.0))
    }

    /// Volume, rounded; where a type says so an upper bound. 0 for the empty volume.
    fn volume(&self) -> f64;

    /// Area of the border, rounded; where a type says so an upper bound. 0 for the empty volume.
    fn surface(&self) -> f64;

    /// A cheap measure of how large the volume is, to compare volumes of one kind: which of two
    /// nodes to open first. The surface, where that is cheap.
    fn bulk(&self) -> f64 {
        self.surface()
    }

    /// A lower bound of the square of the distance between two volumes; 0 where they overlap.
    fn distance_squared(&self, other: &Self) -> f64;

    /// A point in the middle. Not meaningful for the empty volume.
    fn center(&self) -> [f64; 3];
}
