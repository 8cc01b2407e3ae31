//! A mesh that is far from the origin, moved to it without rounding.

use xcollide_math::vector::{largest, length};
use xcollide_predicates::Point;

use super::body::Body;
use crate::{Model, Placed};

/// A mesh and a point near what it has in common with another model, which is the origin of the mesh; `None` if it is near the origin
/// as it is, or a vertex would be rounded.
pub(super) fn near_origin(mesh: Placed<'_>, other: Placed<'_>) -> Option<(Model, Point)> {
    let common = mesh.world_box().intersection(&other.world_box());
    let (center, extent) = (common.center(), length(common.size()));
    if extent.is_nan() || largest(center) < 4.0 * extent {
        return None;
    }
    // With few digits, so that differences have no more than vertices have.
    let unit = libm::exp2(libm::ceil(libm::log2(0.25 * extent)));
    let origin = center.map(|x| (x / unit).round() * unit);
    let moved = mesh.model().mesh().positions().iter().map(|&local| {
        let position = mesh.pose().apply(local);
        let moved = [0, 1, 2].map(|k| position[k] - origin[k]);
        // Of a sum and its parts one difference is exact (Dekker): that with the larger part.
        let is_exact = (0..3)
            .all(|k| position[k] - moved[k] == origin[k] && moved[k] + origin[k] == position[k]);
        is_exact.then_some(moved)
    });
    let model = mesh.model().moved(moved.collect::<Option<_>>()?).ok()?;
    Body::of(mesh.model(), "first").ok()?.keep_for(&model);
    Some((model, origin))
}
