//! Farthest points of eight sets, each at its place.

use xcollide_bounds::Motion;

use super::{EIGHT, Eight, Motions, Three};
use crate::{NormalFan, PointSet};

/// A set of points at its place.
pub trait MovedSet {
    /// The points, in their frame; one at least.
    fn points(&self) -> &PointSet;
    /// The same, in the same order.
    fn positions(&self) -> &[[f64; 3]];
    /// Their fan, if there is one: so many points are not all looked at, but looked up.
    fn fan(&self) -> Option<&NormalFan>;
    /// Where they are.
    fn motion(&self) -> &Motion;
}

impl<S: MovedSet> MovedSet for &S {
    #[inline(always)]
    fn points(&self) -> &PointSet {
        (**self).points()
    }

    #[inline(always)]
    fn positions(&self) -> &[[f64; 3]] {
        (**self).positions()
    }

    #[inline(always)]
    fn fan(&self) -> Option<&NormalFan> {
        (**self).fan()
    }

    #[inline(always)]
    fn motion(&self) -> &Motion {
        (**self).motion()
    }
}

/// For each of the sets whose bits are set, the point that is farthest along the direction of its lane, as
/// [`PointSet::farthest`] and [`NormalFan::farthest`] say, along the [turned](Motions::local) direction: its
/// number, and where it is in the frame of the set. Other lanes have zeros.
///
/// # Panics
/// A set is empty, or has fewer positions than points.
#[inline(always)]
#[must_use]
pub fn farthest<E: Eight, S: MovedSet>(
    sets: &[&S; EIGHT],
    motions: &Motions<E>,
    direction: Three<E>,
    active: u8,
) -> ([u32; EIGHT], Three<E>) {
    let [x, y, z] = motions.local(direction);
    let mut numbers = [0; EIGHT];
    let mut rows = [&[0.0; 3]; EIGHT];
    let mut left = active;
    while left != 0 {
        let lane = left.trailing_zeros() as usize % EIGHT;
        left &= left - 1;
        let set = sets[lane];
        let point = E::farthest(set.points(), set.fan(), [x[lane], y[lane], z[lane]]);
        numbers[lane] = point as u32;
        rows[lane] = &set.positions()[point];
    }
    (numbers, E::columns(rows))
}
