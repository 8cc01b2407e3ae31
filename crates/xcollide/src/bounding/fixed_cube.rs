//! Cubes that contain an object in every orientation (Zachmann 1994, 5.2; I-COLLIDE 4.1).

use std::sync::Arc;

use super::{Bounding, BoundsMemory, used_positions};
use crate::bounds::FixedCube;
use crate::broad::Bounds;
use crate::narrow::{Model, Placed, PreparedData};

/// A cube of fixed size around one mapped point. About as tight as a box for round objects, mostly empty for
/// long ones. For many round objects that spin.
#[derive(Clone, Copy, Debug, Default)]
pub struct FixedCubes;

/// The cube of a model.
struct Cube(FixedCube);

impl PreparedData for Cube {}

impl Bounding for FixedCubes {
    fn name(&self) -> &'static str {
        "fixed-cube"
    }

    fn prepare(&self, model: &Model) -> BoundsMemory {
        let cube: Arc<Cube> =
            model.prepared(|model| Cube(FixedCube::around(&used_positions(model))));
        BoundsMemory::of(cube)
    }

    #[inline]
    fn bounds(&self, placed: Placed<'_>, memory: &mut BoundsMemory, bounds: &mut Bounds) {
        bounds.aabb = match memory.shape::<Cube>() {
            Some(cube) => cube.0.at(placed.pose()),
            None => placed.world_box(),
        };
    }
}
