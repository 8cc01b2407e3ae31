//! The numbers of a polytope that batches read, side by side in memory.

use crate::polytope::Polytope;
use crate::solidity::SAFETY;

/// Numbers of a polytope in rows of three.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchData {
    /// The diagonal of the ellipsoid's shape, and the entries beside it.
    pub(crate) shape: [[f64; 3]; 2],
    /// The center of the ellipsoid, and the mean of the vertices.
    pub(crate) ellipsoid_center: [f64; 3],
    pub(crate) center: [f64; 3],
    /// The size of the ellipsoid, its inner factor, and the reach of the polytope.
    pub(crate) sizes: [f64; 3],
    /// The dent of the solidity; the multiplier that makes the shrinking factor of it and rounding, both NaN without
    /// solidity; 1 unless there is a fan that is not exact, else 0.
    pub(crate) solidity: [f64; 3],
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
        Some(Self {
            shape: [[xx, yy, zz], [xy, xz, yz]],
            ellipsoid_center: ellipsoid.center,
            center: polytope.center(),
            sizes: [ellipsoid.size, ellipsoid.inner, polytope.reach()],
            solidity: [dent, factor, f64::from(u8::from(is_exact))],
        })
    }
}
