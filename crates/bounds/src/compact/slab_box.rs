//! Slab boxes in f32.

use super::{AabbF32, by_widening, widen};
use crate::frame::unit;
use crate::{SlabBox, f32_above, f32_below};

/// An axis-aligned box with a slab in f32, 44 bytes: the points x of the box with
/// `low ≤ normal · (x − c) ≤ high`, where all products are exact and c is the
/// [center](crate::Aabb::center) of the box in f64.
///
/// The box and the normal are rounded first, and the slab is measured against them and rounded
/// outward; so it is thicker than the f64 one by about 1e-7 of the size, plus 1e-7 of the distance
/// from the origin. Keep models near their origins. A box that is open to a side, as it is beyond
/// the range of f32, has no slab.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, SlabBox, SlabBoxF32};
///
/// let sheet = [[0.0, 0.0, 0.1], [1.0, 0.0, 1.1], [0.0, 1.0, 0.1], [1.0, 1.0, 1.1]];
/// let above = sheet.map(|[x, y, z]| [x, y, z + 0.01]);
/// let compact = SlabBoxF32::enclosing(&SlabBox::fit(&sheet));
/// assert!(sheet.iter().all(|corner| compact.contains(*corner)));
/// assert!(compact.high - compact.low < 1e-6, "flat");
/// assert!(!compact.overlaps(&SlabBoxF32::fit(&above)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct SlabBoxF32 {
    /// The box.
    pub bounds: AabbF32,
    /// The normal of the slab, a unit vector up to rounding.
    pub normal: [f32; 3],
    /// Where the slab begins along its normal, relative to the box's center.
    pub low: f32,
    /// Where it ends.
    pub high: f32,
}

const _: () = assert!(size_of::<SlabBoxF32>() == 44);

impl SlabBoxF32 {
    /// The volume without points.
    pub const EMPTY: Self =
        Self { bounds: AabbF32::EMPTY, normal: [0.0, 0.0, 1.0], low: 0.0, high: 0.0 };

    /// A f32 slab box around an f64 one: the smallest box, with the slab along the rounded normal.
    #[must_use]
    pub fn enclosing(wide: &SlabBox) -> Self {
        let bounds = AabbF32::enclosing(&wide.bounds());
        if bounds == AabbF32::EMPTY {
            return Self::EMPTY;
        }
        let normal = wide.normal().map(|x| x as f32);
        let is_open = bounds.min.iter().chain(&bounds.max).any(|x| x.is_infinite());
        let [low, high] = if is_open {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            wide.interval_along(normal.map(f64::from), bounds.widened().center())
        };
        Self { bounds, normal, low: f32_below(low), high: f32_above(high) }
    }

    /// An f64 slab box around this one: the same box, and the slab along a normal of length 1, so
    /// thicker by about 1e-15 of the size.
    #[must_use]
    pub fn widened(&self) -> SlabBox {
        let (bounds, along) = (self.bounds.widened(), self.normal.map(f64::from));
        let Some(normal) = unit(along) else { return SlabBox::from(bounds) };
        let length = crate::motion::dot(along, normal);
        SlabBox::around_slab(bounds, normal, [self.low, self.high].map(|end| widen(end) / length))
    }
}

by_widening!([] SlabBoxF32, SlabBox);
