//! Points at a place, for tests of what takes any set.

use xcollide_math::Pose;

use super::MovedSet;
use crate::{NormalFan, PointSet};

/// Points at a place, without a fan.
pub(crate) struct MovedPoints {
    pub(crate) set: PointSet,
    pub(crate) positions: Vec<[f64; 3]>,
    pub(crate) motion: Pose,
}

impl MovedPoints {
    pub(crate) fn new(positions: Vec<[f64; 3]>, motion: Pose) -> Self {
        Self { set: PointSet::new(&positions), positions, motion }
    }
}

impl MovedSet for MovedPoints {
    fn points(&self) -> &PointSet {
        &self.set
    }

    fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    fn fan(&self) -> Option<&NormalFan> {
        None
    }

    fn motion(&self) -> &Pose {
        &self.motion
    }
}
