//! The numbers of a polytope that batches read, side by side in memory.

use crate::point_set::{Block, LANES};
use crate::polytope::Polytope;
use crate::solidity::SAFETY;

/// Three numbers that are read with one load, which crosses no cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct Row(pub(crate) [f64; 3]);

/// Numbers of a polytope in rows of three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchData {
    /// The diagonal of the ellipsoid's shape, and the entries beside it.
    pub(crate) shape: [Row; 2],
    /// The center of the ellipsoid, and the mean of the vertices.
    pub(crate) ellipsoid_center: Row,
    pub(crate) center: Row,
    /// The radius of the ellipsoid, its inner factor, and the reach of the polytope.
    pub(crate) sizes: Row,
    /// The dent of the solidity; the multiplier that makes the shrinking factor of it and rounding, both NaN without
    /// solidity; 1 unless there is a fan that is not exact, else 0.
    pub(crate) solidity: Row,
    /// `None` with more than eight vertices.
    pub(crate) few: Option<FewVertices>,
}

/// Numbers of a polytope of at most eight vertices in single precision, in units of the ellipsoid's radius. Aligned, so that
/// no load of eight crosses a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
pub(crate) struct FewVertices {
    /// The coordinates relative to the center of the ellipsoid, and 0.
    pub(crate) points: [[f32; 4]; LANES],
    /// The ellipsoid's shape, its inner factor, and the depth of its center.
    pub(crate) ellipsoid: [f32; LANES],
    /// The mean of the vertices, as their coordinates; the shrinking factor that the dent of the solidity needs, and the
    /// multiplier that makes one of rounding, both NaN without solidity.
    pub(crate) solid: [f32; LANES],
}

impl BatchData {
    /// `None` without an ellipsoid.
    pub(crate) fn of(polytope: &Polytope) -> Option<Self> {
        let ellipsoid = polytope.ellipsoid()?;
        let solidity = polytope.solidity();
        let [dent, factor] =
            solidity.map_or([f64::NAN; 2], |solidity| [solidity.dent, SAFETY / solidity.inner]);
        let is_exact = polytope.fan.as_ref().is_none_or(|fan| fan.is_exact);
        let [xx, yy, zz, xy, xz, yz] = ellipsoid.shape;
        let radius = ellipsoid.radius();
        let few = match (&polytope.points.blocks[..], &polytope.fan) {
            ([Block { coordinates }], None) => {
                let relative = |point: [f64; 3]| {
                    [0, 1, 2].map(|axis| (point[axis] - ellipsoid.center[axis]) / radius)
                };
                let points = std::array::from_fn(|number| {
                    let [x, y, z] = relative([0, 1, 2].map(|axis| coordinates[axis][number]));
                    [x as f32, y as f32, z as f32, 0.0]
                });
                let [xx, yy, zz, xy, xz, yz] = ellipsoid.shape.map(|entry| entry / radius / radius);
                let numbers = [xx, yy, zz, xy, xz, yz, ellipsoid.inner, ellipsoid.ball / radius];
                let [x, y, z] = relative(polytope.center());
                let solid = [x, y, z, dent * factor, radius * factor, 0.0, 0.0, 0.0];
                Some(FewVertices {
                    points,
                    ellipsoid: numbers.map(|number| number as f32),
                    solid: solid.map(|number| number as f32),
                })
            }
            _ => None,
        };
        Some(Self {
            shape: [Row([xx, yy, zz]), Row([xy, xz, yz])],
            ellipsoid_center: Row(ellipsoid.center),
            center: Row(polytope.center()),
            sizes: Row([radius, ellipsoid.inner, polytope.reach()]),
            solidity: Row([dent, factor, f64::from(u8::from(is_exact))]),
            few,
        })
    }
}
