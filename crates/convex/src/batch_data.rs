//! What all steps of many pairs read of a polytope, side by side in memory.

use crate::contact_certificate::SAFETY;
use crate::polytope::Polytope;

/// Numbers of a polytope in rows of three, as many pairs read them at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchData {
    /// The diagonal of the ellipsoid's shape, and what is beside it.
    pub(crate) shape: [[f64; 3]; 2],
    /// The center of the ellipsoid, and the mean of the vertices.
    pub(crate) ellipsoid_center: [f64; 3],
    pub(crate) center: [f64; 3],
    /// The size of the ellipsoid, how much of it is filled, and how far the polytope reaches.
    pub(crate) sizes: [f64; 3],
    /// The dent of the solidity, and what it and rounding have to be multiplied by for the factor by which the
    /// polytope must be shrunk, NaN for what is no body; and 1 where a search for the origin
    /// misses nothing but what rounding hides, else 0.
    pub(crate) solidity: [f64; 3],
}

impl BatchData {
    /// `None` of what has no ellipsoid.
    pub(crate) fn of(polytope: &Polytope) -> Option<Self> {
        let ellipsoid = polytope.ellipsoid()?;
        let solidity = polytope.solidity();
        let [dent, factor] =
            solidity.map_or([f64::NAN; 2], |solidity| [solidity.dent, SAFETY / solidity.inner]);
        let is_exact = polytope.large_fan().is_none_or(|fan| fan.is_exact);
        let [xx, yy, zz, xy, xz, yz] = ellipsoid.shape();
        Some(Self {
            shape: [[xx, yy, zz], [xy, xz, yz]],
            ellipsoid_center: ellipsoid.center(),
            center: polytope.center(),
            sizes: [ellipsoid.size(), ellipsoid.inner(), polytope.reach()],
            solidity: [dent, factor, f64::from(u8::from(is_exact))],
        })
    }
}
