//! Oriented boxes that move with the object.

use std::sync::Arc;

use super::{Bounding, BoundsMemory, replace, used_positions};
use crate::bounds::{BoundingVolume, Obb};
use crate::broad::Bounds;
use crate::narrow::{Model, Placed, PreparedData};

/// A small oriented box, fitted to the model once and moved with it, and the axis-aligned box
/// around it.
///
/// For broad phases that read [`Volume::Oriented`](crate::broad::Volume), such as the stabbed
/// [`Grid`](crate::broad::classic::Grid) (Zachmann 1994, 5.5.1): long slanted objects get far fewer
/// candidates.
#[derive(Clone, Copy, Debug, Default)]
pub struct Oriented;

/// The oriented box of a model.
struct Fitted(Obb);

impl PreparedData for Fitted {}

impl Bounding for Oriented {
    fn name(&self) -> &'static str {
        "oriented"
    }

    fn prepare(&self, model: &Model) -> BoundsMemory {
        let fitted: Arc<Fitted> = model.prepared(|model| Fitted(Obb::fit(&used_positions(model))));
        BoundsMemory::of(fitted)
    }

    fn bounds(&self, placed: Placed<'_>, memory: &mut BoundsMemory, bounds: &mut Bounds) {
        let Some(Fitted(local)) = memory.shape::<Fitted>() else {
            bounds.aabb = placed.world_box();
            bounds.oriented = None;
            return;
        };
        let moved = local.transformed(placed.pose());
        // Both contain the object, so their intersection does.
        bounds.aabb = moved.aabb().intersection(&placed.world_box());
        replace(&mut bounds.oriented, moved);
    }
}
