//! The box of the moved box (Zachmann 1994, 5.2.1).

use super::{Bounding, BoundsMemory};
use crate::broad::Bounds;
use crate::narrow::Placed;

/// The axis-aligned box around the model's own box, moved: 18 multiplications, for any model. The
/// default.
///
/// Up to √3 times as wide as the smallest box for a cube, more for what is long and slanted.
#[derive(Clone, Copy, Debug, Default)]
pub struct AxisAligned;

impl Bounding for AxisAligned {
    fn name(&self) -> &'static str {
        "axis-aligned"
    }

    #[inline]
    fn bounds(&self, placed: Placed<'_>, _: &mut BoundsMemory, bounds: &mut Bounds) {
        bounds.aabb = placed.world_box();
    }
}
