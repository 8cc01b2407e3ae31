//! Bounding strategies: how to bound a moving object.
//!
//! Strategies trade time against tightness (I-COLLIDE 4.1). A strategy runs for every moved object in every
//! frame. Data that depends on the model alone is computed once ([`Bounding::prepare`]), and hints for the
//! next frame are stored with the object ([`BoundsMemory`]); strategies have no other state.
//!
//! Volumes contain the object in spite of rounding, so a [`World`](crate::World) reports the same collisions
//! under any strategy.

mod axis_aligned;
mod dynamic_box;
mod fixed_cube;
mod kdops;
mod oriented;

use std::any::Any;
use std::sync::Arc;

use crate::broad::Bounds;
use crate::narrow::{Model, Placed, Pose};

pub use axis_aligned::AxisAligned;
pub use dynamic_box::DynamicBox;
pub use fixed_cube::FixedCubes;
pub use kdops::KDops;
pub use oriented::Oriented;

/// Bounds placed models.
///
/// ```
/// use xcollide::bounding::{AxisAligned, Bounding, DynamicBox};
/// use xcollide::broad::Bounds;
/// use xcollide::narrow::{Model, Placed, Pose};
/// # use xcollide::brep::PolygonMesh;
///
/// # let mesh = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// let model = Model::from_mesh(mesh)?;
/// let turned = Pose::from_axis_angle([0.0, 0.0, 1.0], 0.7, [0.0; 3])?;
/// let placed = Placed::new(&model, &turned)?;
/// let volume = |strategy: &dyn Bounding| {
///     let mut bounds = Bounds::default();
///     strategy.bounds(placed, &mut strategy.prepare(&model), &mut bounds);
///     bounds.aabb.volume()
/// };
/// assert!(volume(&DynamicBox) < volume(&AxisAligned));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Bounding: Send + Sync {
    /// The name in programs, such as `"axis-aligned"`.
    fn name(&self) -> &'static str;

    /// The data to store with an object of this model. Called when the object is added, and when its model or
    /// the strategy changes.
    fn prepare(&self, _model: &Model) -> BoundsMemory {
        BoundsMemory::default()
    }

    /// Writes the volumes of this strategy to `bounds`; always its box.
    ///
    /// They must contain the vertices as [`Placed::position`] maps them. `bounds` and `memory` are those of
    /// the last call for this object. A box with a NaN counts as unbounded.
    fn bounds(&self, placed: Placed<'_>, memory: &mut BoundsMemory, bounds: &mut Bounds);

    /// As [`bounds`](Self::bounds), for a model and a pose that [were placed](Placed::new) before. Override
    /// it if checking them again costs more than the box.
    fn bounds_at(
        &self,
        model: &Model,
        transform: &Pose,
        memory: &mut BoundsMemory,
        bounds: &mut Bounds,
    ) {
        if let Ok(placed) = Placed::new(model, transform) {
            self.bounds(placed, memory, bounds);
        }
    }
}

/// The data that a strategy stores with one object.
#[derive(Clone, Default)]
pub struct BoundsMemory {
    /// Computed from the model.
    pub shape: Option<Arc<dyn Any + Send + Sync>>,
    /// Hints for the next frame, such as the extreme vertices.
    pub hints: [u32; 6],
}

impl BoundsMemory {
    /// Memory with the data of a model and no hints.
    #[must_use]
    pub fn of(shape: Arc<dyn Any + Send + Sync>) -> Self {
        Self { shape: Some(shape), hints: [0; 6] }
    }

    /// The data of the model, if it has this type.
    #[inline]
    #[must_use]
    pub fn shape<T: Any>(&self) -> Option<&T> {
        self.shape.as_deref()?.downcast_ref()
    }
}

impl std::fmt::Debug for BoundsMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BoundsMemory")
            .field("shape", &self.shape.is_some())
            .field("hints", &self.hints)
            .finish()
    }
}

/// The vertices that determine the bounds of a model.
fn used_positions(model: &Model) -> Vec<[f64; 3]> {
    model.used_vertices().iter().map(|&vertex| model.mesh().position(vertex)).collect()
}

/// Replaces an optional volume, in the same memory.
fn replace<T>(place: &mut Option<Box<T>>, volume: T) {
    match place {
        Some(old) => **old = volume,
        none => *none = Some(Box::new(volume)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::Pose;
    use nalgebra::{Isometry3, Translation3, Vector3};
    use xcollide_scenes::Poses;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    fn strategies() -> [Box<dyn Bounding>; 5] {
        [
            Box::new(AxisAligned),
            Box::new(FixedCubes),
            Box::new(DynamicBox),
            Box::new(Oriented),
            Box::new(KDops),
        ]
    }

    /// Every vertex, as it is rounded, lies in every volume: for shapes of all kinds, any size,
    /// near and far, from frame to frame.
    #[test]
    fn bounds_hold_every_rounded_vertex() -> Outcome {
        let specs = [
            "shape:polytope?vertices=20&seed=3",
            "shape:polytope?vertices=300&kind=rod",
            "shape:torus?faces=100",
            "shape:mobius?faces=30",
            "shape:plane?faces=6",
            "shape:soup?faces=1",
        ];
        let mut poses = Poses::new(3);
        for spec in specs {
            let model = Model::from_mesh(xcollide_scenes::shape(spec)?)?;
            for strategy in strategies() {
                let mut memory = strategy.prepare(&model);
                let mut bounds = Bounds::default();
                for step in 0..200 {
                    let far = [1.0, 1e3, 1e9, 0.0][step % 4];
                    let [x, y, z] = poses.translation(far);
                    let turn = poses.direction().map(|value| 3.0 * value);
                    let pose = Pose::try_from(Isometry3::from_parts(
                        Translation3::new(x, y, z),
                        nalgebra::UnitQuaternion::new(Vector3::from(turn)),
                    ))
                    .unwrap();
                    let placed = Placed::new(&model, &pose)?;
                    strategy.bounds(placed, &mut memory, &mut bounds);
                    for &vertex in model.used_vertices() {
                        let at = placed.position(vertex);
                        assert!(bounds.aabb.contains(at), "{}, {spec}: {at:?}", strategy.name());
                        if let Some(oriented) = &bounds.oriented {
                            use crate::bounds::BoundingVolume;
                            assert!(oriented.contains(at), "{}, {spec}", strategy.name());
                        }
                        if let Some(kdop) = &bounds.kdop {
                            use crate::bounds::BoundingVolume;
                            assert!(kdop.contains(at), "{}, {spec}", strategy.name());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A dynamic box is the smallest one but for rounding, also where hill climbing has far to go.
    #[test]
    fn dynamic_boxes_are_tight() -> Outcome {
        for spec in ["shape:polytope?vertices=20", "shape:polytope?vertices=500&kind=plate"] {
            let model = Model::from_mesh(xcollide_scenes::shape(spec)?)?;
            let mut memory = DynamicBox.prepare(&model);
            let mut bounds = Bounds::default();
            let mut poses = Poses::new(5);
            for _ in 0..200 {
                let turn = poses.direction().map(|value| 3.0 * value);
                let pose = Pose::try_from(Isometry3::rotation(turn.into()))?;
                let placed = Placed::new(&model, &pose)?;
                DynamicBox.bounds(placed, &mut memory, &mut bounds);
                let vertices = model.used_vertices().iter().map(|&v| placed.position(v));
                let smallest = crate::bounds::Aabb::from_points(vertices);
                let grown = smallest.expanded(1e-9);
                assert!(grown.contains(bounds.aabb.min) && grown.contains(bounds.aabb.max));
            }
        }
        Ok(())
    }

    /// As narrow as the object in each of the nine directions where it has few vertices, and not wider
    /// than the axis-aligned box along the axes where it has many.
    #[test]
    fn kdops_are_tight() -> Outcome {
        use crate::bounds::{BoundingVolume, KDop};
        for (spec, few) in [("shape:polytope?vertices=20", true), ("shape:torus?faces=500", false)]
        {
            let model = Model::from_mesh(xcollide_scenes::shape(spec)?)?;
            let mut memory = KDops.prepare(&model);
            let mut poses = Poses::new(6);
            let (mut bounds, mut boxed) = (Bounds::default(), Bounds::default());
            for _ in 0..50 {
                let turn = poses.direction().map(|value| 3.0 * value);
                let pose = Pose::try_from(Isometry3::rotation(turn.into()))?;
                let placed = Placed::new(&model, &pose)?;
                KDops.bounds(placed, &mut memory, &mut bounds);
                AxisAligned.bounds(placed, &mut BoundsMemory::default(), &mut boxed);
                let (aabb, around) = (&bounds.aabb, &boxed.aabb);
                assert!(around.contains(aabb.min) && around.contains(aabb.max), "{spec}");
                let vertices = model.used_vertices().iter().map(|&v| placed.position(v));
                let smallest = KDop::<18>::fit(&vertices.collect::<Vec<_>>());
                let kdop = bounds.kdop.as_deref().ok_or("it writes a k-DOP")?;
                if few {
                    assert_eq!(*kdop, smallest);
                } else {
                    assert!(kdop.volume() < around.volume(), "{spec}");
                }
            }
        }
        Ok(())
    }

    #[test]
    fn a_model_without_faces_has_the_empty_box() -> Outcome {
        let model = Model::from_mesh(crate::brep::PolygonMesh::new())?;
        let placed = Placed::new(&model, &Pose::IDENTITY)?;
        for strategy in strategies() {
            let mut bounds = Bounds::default();
            strategy.bounds(placed, &mut strategy.prepare(&model), &mut bounds);
            assert!(bounds.aabb.is_empty(), "{}", strategy.name());
        }
        Ok(())
    }
}
