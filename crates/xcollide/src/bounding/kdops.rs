//! Boxes with bevelled edges that are made for every orientation (Zachmann 1994, 5.6).

use std::sync::Arc;

use super::{Bounding, BoundsMemory};
use crate::bounds::{Aabb, BoundingVolume, KDop};
use crate::broad::Bounds;
use crate::narrow::{Model, Placed};

/// An 18-DOP, the intersection of the axis-aligned box with twelve bevels along its edges, and that
/// box.
///
/// For broad phases that look at [`Volume::KDop`](crate::broad::Volume), such as the
/// [`SlabOctree`](crate::broad::SlabOctree): objects that are thin at a slant have fewer candidates
/// there. A model of up to 64 vertices is fitted anew wherever it is, as tightly as 18 planes can; the
/// k-DOP of a larger one is fitted once, and each plane of the moved one goes through corners of that,
/// in constant time.
#[derive(Clone, Copy, Debug, Default)]
pub struct KDops;

/// Models of more vertices are fitted once only.
const FITTED_ANEW: usize = 64;

/// The k-DOP of a model at the origin.
struct Fitted(KDop<18>);

impl Bounding for KDops {
    fn name(&self) -> &'static str {
        "k-dop"
    }

    fn prepare(&self, model: &Model) -> BoundsMemory {
        if model.used_vertices().len() <= FITTED_ANEW {
            return BoundsMemory::default();
        }
        let fitted: Arc<Fitted> = model.prepared(|model| {
            let used = model.used_vertices();
            let points: Vec<[f64; 3]> = used.iter().map(|&v| model.mesh().position(v)).collect();
            Fitted(KDop::fit(&points))
        });
        BoundsMemory::of(fitted)
    }

    fn bounds(&self, placed: Placed<'_>, memory: &mut BoundsMemory, bounds: &mut Bounds) {
        let moved = match memory.shape::<Fitted>() {
            Some(Fitted(local)) => local.transformed(placed.transform().motion()),
            None => around(placed),
        };
        // Both hold the object, so what is in both does.
        bounds.aabb = box_of(&moved).intersection(&placed.world_box());
        match &mut bounds.kdop {
            Some(kept) => **kept = moved,
            none => *none = Some(Box::new(moved)),
        }
    }
}

/// The k-DOP around the vertices where they are.
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

/// The axis-aligned box that it is cut out of: its first three pairs of planes.
fn box_of(kdop: &KDop<18>) -> Aabb {
    let reach = kdop.reach();
    Aabb::new([0, 1, 2].map(|axis| -reach[9 + axis]), [0, 1, 2].map(|axis| reach[axis]))
}
