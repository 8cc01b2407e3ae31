//! The box of the moved box (Zachmann 1994, 5.2.1), no wider than a fixed cube (I-COLLIDE 4.1).

use super::{Bounding, BoundsMemory};
use crate::broad::Bounds;
use crate::narrow::{Model, Placed, Transform};

/// The axis-aligned box around the model's own box, moved: 18 multiplications, for any model; on each
/// axis no wider than the ball about the middle of that box that holds the model. The default.
///
/// Up to √3 times as wide as the smallest box for a cube, more for what is long and slanted; for what
/// is round a fifth wider or so.
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
        transform: &Transform,
        _: &mut BoundsMemory,
        bounds: &mut Bounds,
    ) {
        bounds.aabb = model.box_at(transform);
    }
}
