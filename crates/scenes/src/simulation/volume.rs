//! Volume of a body, which is also its default mass.

use xcollide_brep::{MassProperties, PolygonMesh};

/// The volume of a closed mesh, or of the bounding sphere of any other; always positive.
pub(super) fn volume_or_ball(mesh: &PolygonMesh, radius: f64) -> f64 {
    const SPHERE: f64 = 4.0 / 3.0 * core::f64::consts::PI;

    let sphere = SPHERE * radius * radius * radius;
    let volume = MassProperties::of(mesh).map_or(sphere, |mass| mass.volume.abs());
    // A single point has no volume.
    if volume.is_finite() && volume > 0.0 { volume } else { 1.0 }
}
