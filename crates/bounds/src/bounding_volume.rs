//! The trait of bounding volumes.
//!
//! Builders of hierarchies use [`fit`](BoundingVolume::fit) or [`merged`](BoundingVolume::merged),
//! [`volume`](BoundingVolume::volume), [`surface`](BoundingVolume::surface) or
//! [`bulk`](BoundingVolume::bulk) as the cost, and [`center`](BoundingVolume::center) for sorting. Queries
//! use [`overlaps`](BoundingVolume::overlaps) for two volumes in one frame, after
//! [`moved`](BoundingVolume::moved) has brought one of them into the frame of the other,
//! [`distance_squared`](BoundingVolume::distance_squared) and [`contains`](BoundingVolume::contains). Volumes
//! of different kinds are never compared: that would need a test for each pair of kinds.
//!
//! A volume is a set of real points, defined by its stored numbers. All tests err on the safe side, because
//! volumes are filters before exact tests.

use std::fmt::Debug;

use xcollide_math::Pose;

/// A simple convex set around a set of points.
///
/// Promises of every implementation, for finite coordinates up to 1e100:
/// - a fitted volume contains its points, a merged one both parts;
/// - a moved volume contains the image of every point of the original, both the exact image and the
///   rounded one that [`Pose::apply`] computes;
/// - [`overlaps`](Self::overlaps) is never false if a common point exists,
///   [`contains`](Self::contains) never if the point belongs to the volume;
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
    /// A motion with all that can be computed once for all volumes of a hierarchy.
    type Prepared: Clone + Debug + Send + Sync;

    /// A small volume around the points; each implementation documents how small.
    fn fit(points: &[[f64; 3]]) -> Self;

    /// A small volume around triangles.
    #[must_use]
    fn fit_triangles(triangles: &[[[f64; 3]; 3]]) -> Self {
        Self::fit(triangles.as_flattened())
    }

    /// A volume around both.
    #[must_use]
    fn merged(&self, other: &Self) -> Self;

    /// Whether the volumes may have a point in common; false only if they have none.
    fn overlaps(&self, other: &Self) -> bool;

    /// Whether the point may belong to the volume; false only if it does not.
    fn contains(&self, point: [f64; 3]) -> bool;

    /// A volume around all points within `margin` (at least 0) of this one.
    #[must_use]
    fn expanded(&self, margin: f64) -> Self;

    /// Prepares a motion for [`moved`](Self::moved), which also expands volumes by `margin` at no cost: see
    /// [`Pose::relative_margin`].
    fn prepare(motion: &Pose, margin: f64) -> Self::Prepared;

    /// A volume around this one after a prepared motion.
    #[must_use]
    fn moved(&self, prepared: &Self::Prepared) -> Self;

    /// A volume around this one after a motion.
    #[must_use]
    fn transformed(&self, motion: &Pose) -> Self {
        self.moved(&Self::prepare(motion, 0.0))
    }

    /// The volume, rounded; 0 for the empty volume.
    fn volume(&self) -> f64;

    /// The area of the border, rounded; 0 for the empty volume.
    fn surface(&self) -> f64;

    /// A cheap measure of size, to compare volumes of one kind: the surface if that is cheap.
    fn bulk(&self) -> f64 {
        self.surface()
    }

    /// A lower bound of the squared distance of two volumes; 0 if they overlap.
    fn distance_squared(&self, other: &Self) -> f64;

    /// A point in the middle. Not meaningful for the empty volume.
    fn center(&self) -> [f64; 3];
}
