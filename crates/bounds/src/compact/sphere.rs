//! Spheres in f32.

use super::{by_widening, nearest, widen};
use crate::Sphere;
use crate::rounding::add_up;
use crate::sphere::length_above;
use xcollide_math::f32_above;

/// A sphere in f32, 16 bytes: the center is rounded first, and the radius grows by how far it
/// moved.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, Sphere, SphereF32};
///
/// let wide = Sphere::fit(&[[1e9, 0.0, 0.0], [1e9 + 2.0, 0.0, 0.0]]);
/// let compact = SphereF32::enclosing(&wide);
/// assert_eq!(compact.center, [1e9, 0.0, 0.0], "the center is 1e9 + 1");
/// assert!(compact.contains([1e9 + 2.0, 0.0, 0.0]) && compact.radius < 2.001);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct SphereF32 {
    /// The middle.
    pub center: [f32; 3],
    /// The radius; negative where the sphere is empty.
    pub radius: f32,
}

const _: () = assert!(size_of::<SphereF32>() == 16);

impl SphereF32 {
    /// The sphere without points.
    pub const EMPTY: Self = Self { center: [0.0; 3], radius: f32::NEG_INFINITY };

    /// A f32 sphere around an f64 one; the smallest about the rounded center.
    #[inline]
    #[must_use]
    pub fn enclosing(wide: &Sphere) -> Self {
        if wide.is_empty() {
            return Self::EMPTY;
        }
        let center = wide.center.map(nearest);
        let shift = length_above([0, 1, 2].map(|k| wide.center[k] - f64::from(center[k])));
        Self { center, radius: f32_above(add_up(wide.radius, shift)) }
    }

    /// The same sphere in f64.
    #[inline]
    #[must_use]
    pub fn widened(&self) -> Sphere {
        Sphere { center: self.center.map(f64::from), radius: widen(self.radius) }
    }
}

by_widening!([] SphereF32, Sphere);
