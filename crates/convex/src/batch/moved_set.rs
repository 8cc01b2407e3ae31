//! A set of points at its place.

use xcollide_math::Pose;

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
    fn motion(&self) -> &Pose;
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
    fn motion(&self) -> &Pose {
        (**self).motion()
    }
}
