//! The box around the moved local box (Zachmann 1994, 5.2.1), no wider than a fixed cube (I-COLLIDE 4.1).

use super::{Bounding, BoundsMemory};
use crate::broad::Bounds;
use crate::narrow::{Model, Placed, Pose};

/// The axis-aligned box around the moved local box of the model, no wider on each axis than the bounding
/// ball about the center of that box. 18 multiplications for any model. The default.
///
/// Up to √3 times as wide as the tightest box for a cube, more for long slanted objects, about a
/// fifth wider for round ones.
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

    #[inline]
    fn bounds_at(
        &self,
        model: &Model,
        transform: &Pose,
        _: &mut BoundsMemory,
        bounds: &mut Bounds,
    ) {
        model.write_box_at(transform, &mut bounds.aabb);
    }
}
