//! How large a model is.

use xcollide_bounds::{Aabb, Sphere};
use xcollide_brep::VertexId;
use xcollide_math::PoseError;
use xcollide_math::vector::largest;

use crate::Pose;

#[derive(Clone, Copy, Debug)]
pub(super) struct Measures {
    pub(super) local_box: Aabb,
    /// The largest magnitude of a coordinate; 0 if there are no faces.
    pub(super) extent: f64,
    /// The largest distance of a used vertex from the center of the box, rounded.
    pub(super) radius: f64,
}

impl Measures {
    pub(super) fn new(positions: &[[f64; 3]], used: &[VertexId]) -> Self {
        // Mostly all are used.
        if used.len() == positions.len() {
            return Self::of(positions.iter().copied());
        }
        Self::of(used.iter().map(|vertex| positions[vertex.index()]))
    }

    fn of(points: impl Iterator<Item = [f64; 3]> + Clone) -> Self {
        let local_box = Aabb::from_points(points.clone());
        let radius = Sphere::about(local_box.center(), points).radius;
        Self { local_box, extent: extent(&local_box), radius }
    }

    /// Of a body that is given by a formula, from its box.
    pub(super) fn of_box(local_box: Aabb) -> Self {
        Self { local_box, extent: extent(&local_box), radius: f64::INFINITY }
    }

    /// Whether what is measured stays within the range of f64 at a pose.
    #[inline]
    pub(super) fn check(&self, pose: &Pose) -> Result<(), PoseError> {
        check(self.extent, pose)
    }
}

/// Whether the used ones of these positions stay within the range of f64 at a pose.
pub(super) fn check_positions(
    positions: &[[f64; 3]],
    used: &[VertexId],
    pose: &Pose,
) -> Result<(), PoseError> {
    let points = used.iter().map(|vertex| positions[vertex.index()]);
    check(extent(&Aabb::from_points(points)), pose)
}

fn extent(local_box: &Aabb) -> f64 {
    if local_box.is_empty() {
        return 0.0;
    }
    let sides = local_box.min.iter().chain(&local_box.max);
    sides.fold(0.0, |most: f64, side| most.max(side.abs()))
}

/// `extent`: the largest magnitude of a coordinate, 0 if there are no faces.
#[inline]
fn check(extent: f64, pose: &Pose) -> Result<(), PoseError> {
    let [x, y, z] = pose.translation();
    // A world coordinate is at most √3 · extent + the largest of the translation; the rest is for
    // rounding. The sum instead of the largest makes the test faster.
    if (4.0 * extent + 2.0 * (x.abs() + y.abs() + z.abs())).is_finite() {
        return Ok(());
    }
    check_exactly(extent, pose)
}

#[cold]
fn check_exactly(extent: f64, pose: &Pose) -> Result<(), PoseError> {
    pose.check()?;
    let translation = largest(pose.translation());
    if (4.0 * extent + 2.0 * translation).is_finite() || extent == 0.0 {
        return Ok(());
    }
    Err(PoseError::OutOfRange { extent, translation })
}
