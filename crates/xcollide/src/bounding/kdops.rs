//! 18-DOPs for every orientation (Zachmann 1994, 5.6).

use std::sync::Arc;

use super::{Bounding, BoundsMemory, replace, used_positions};
use crate::bounds::{Aabb, BoundingVolume, KDop};
use crate::broad::Bounds;
use crate::narrow::{Model, Placed, PreparedData};

/// An 18-DOP (an axis-aligned box with its twelve edges bevelled) and its box.
///
/// For broad phases that read [`Volume::KDop`](crate::broad::Volume), such as the
/// [`SlabOctree`](crate::broad::classic::SlabOctree): thin slanted objects get fewer candidates. A model of
/// up to 64 vertices is fitted at every pose. A larger one is fitted once; in constant time, each plane of
/// the moved k-DOP is placed at the extreme corner of the fitted one.
#[derive(Clone, Copy, Debug, Default)]
pub struct KDops;

/// Models with more vertices are fitted only once.
const FITTED_ANEW: usize = 64;

/// The k-DOP of a model in local coordinates.
struct Fitted(KDop<18>);

impl PreparedData for Fitted {}

impl Bounding for KDops {
    fn name(&self) -> &'static str {
        "k-dop"
    }

    fn prepare(&self, model: &Model) -> BoundsMemory {
        if model.used_vertices().len() <= FITTED_ANEW {
            return BoundsMemory::default();
        }
        let fitted: Arc<Fitted> = model.prepared(|model| Fitted(KDop::fit(&used_positions(model))));
        BoundsMemory::of(fitted)
    }

    fn bounds(&self, placed: Placed<'_>, memory: &mut BoundsMemory, bounds: &mut Bounds) {
        let moved = match memory.shape::<Fitted>() {
            Some(Fitted(local)) => local.transformed(placed.pose()),
            None => around(placed),
        };
        // Both contain the object, so their intersection does.
        bounds.aabb = box_of(&moved).intersection(&placed.world_box());
        replace(&mut bounds.kdop, moved);
    }
}

/// The k-DOP of the placed vertices.
fn around(placed: Placed<'_>) -> KDop<18> {
    let mut points = [[0.0; 3]; FITTED_ANEW];
    let used = placed.model().used_vertices();
    match points.get_mut(..used.len()) {
        Some(points) => {
            for (point, &vertex) in points.iter_mut().zip(used) {
                *point = placed.position(vertex);
            }
            KDop::fit(points)
        }
        None => {
            let points: Vec<_> = used.iter().map(|&vertex| placed.position(vertex)).collect();
            KDop::fit(&points)
        }
    }
}

/// The axis-aligned box between the first three pairs of planes.
fn box_of(kdop: &KDop<18>) -> Aabb {
    let reach = kdop.reach();
    Aabb::new([0, 1, 2].map(|axis| -reach[9 + axis]), [0, 1, 2].map(|axis| reach[axis]))
}
