//! Axis-aligned boxes in f32.

use super::{by_widening, widen};
use crate::Aabb;
use xcollide_math::{f32_above, f32_below};

/// An axis-aligned box in f32, 24 bytes: each side of the f64 one rounded outward by less than one
/// unit in the last place.
///
/// ```
/// use xcollide_bounds::{Aabb, AabbF32};
///
/// let wide = Aabb::new([0.1, -1e9 - 0.5, 0.0], [0.2, 0.0, 1e-60]);
/// let compact = AabbF32::enclosing(&wide).widened();
/// assert_eq!(compact.merged(&wide), compact);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct AabbF32 {
    /// Smallest coordinates.
    pub min: [f32; 3],
    /// Largest coordinates.
    pub max: [f32; 3],
}

const _: () = assert!(size_of::<AabbF32>() == 24);

impl AabbF32 {
    /// The box without points.
    pub const EMPTY: Self = Self { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    /// The smallest f32 box around an f64 one.
    #[inline]
    #[must_use]
    pub fn enclosing(wide: &Aabb) -> Self {
        if wide.is_empty() {
            return Self::EMPTY;
        }
        Self { min: wide.min.map(f32_below), max: wide.max.map(f32_above) }
    }

    /// The same box in f64.
    #[inline]
    #[must_use]
    pub fn widened(&self) -> Aabb {
        Aabb { min: self.min.map(widen), max: self.max.map(widen) }
    }
}

by_widening!([] AabbF32, Aabb);
