//! How much room a body takes, and so its mass where none is given.

use xcollide_brep::{MassProperties, PolygonMesh};

/// The volume of a closed mesh; of any other, that of the sphere it lies in; never nothing.
pub(super) fn bulk(mesh: &PolygonMesh, radius: f64) -> f64 {
    const SPHERE: f64 = 4.0 / 3.0 * core::f64::consts::PI;

    let sphere = SPHERE * radius * radius * radius;
    let volume = MassProperties::of(mesh).map_or(sphere, |mass| mass.volume.abs());
    // A single point has none either.
    if volume.is_finite() && volume > 0.0 { volume } else { 1.0 }
}
