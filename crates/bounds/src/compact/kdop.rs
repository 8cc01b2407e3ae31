//! k-DOPs in f32.

use super::{by_widening, widen};
use crate::KDop;
use xcollide_math::f32_above;

/// A k-DOP in f32, 4N bytes: each plane of the f64 one moved outward by less than one unit in the
/// last place.
///
/// ```
/// use xcollide_bounds::{BoundingVolume, KDopF32};
///
/// let dop = KDopF32::<18>::fit(&[[0.1, 0.2, 0.3], [0.4, 0.5, 0.7]]);
/// assert_eq!(size_of_val(&dop), 72);
/// assert!(dop.contains([0.1, 0.2, 0.3]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct KDopF32<const N: usize> {
    /// How far it reaches in each of [`KDop::directions`].
    pub reach: [f32; N],
}

impl<const N: usize> KDopF32<N> {
    /// The k-DOP without points.
    pub const EMPTY: Self = Self { reach: [f32::NEG_INFINITY; N] };

    /// The smallest f32 k-DOP around an f64 one.
    #[inline]
    #[must_use]
    pub fn enclosing(wide: &KDop<N>) -> Self {
        Self { reach: wide.reach.map(f32_above) }
    }

    /// The same k-DOP in f64.
    #[inline]
    #[must_use]
    pub fn widened(&self) -> KDop<N> {
        KDop { reach: self.reach.map(widen) }
    }
}

by_widening!([<const N: usize>] KDopF32<N>, KDop<N>);
