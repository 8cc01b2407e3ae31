//! The farthest points of two sets along a direction: as numbers, and in the lanes of a search for the origin.

use xcollide_simd::vec3::{dot, first, sub};
use xcollide_simd::{F64x4, Simd};

use crate::placed_set::{self, PlacedSet};

/// The points that are farthest towards each other along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SupportPair {
    /// Of any length.
    pub(crate) direction: [f64; 3],
    /// The points p and q.
    pub(crate) ends: [u32; 2],
    /// q − p in the world.
    pub(crate) difference: [f64; 3],
    /// direction · (q − p).
    pub(crate) gap: f64,
    /// direction · p and direction · q.
    pub(crate) heights: [f64; 2],
}

/// The last direction and its farthest points, in all lanes.
pub(crate) struct Last<S: Simd> {
    pub(crate) direction: [S::F64x4; 3],
    pub(crate) ends: [u32; 2],
    pub(crate) at: [[S::F64x4; 3]; 2],
    pub(crate) difference: [S::F64x4; 3],
    pub(crate) gap: S::F64x4,
    pub(crate) probes: u32,
}

impl<S: Simd> Last<S> {
    #[inline(always)]
    pub(crate) fn of(sides: &[impl PlacedSet; 2], direction: [S::F64x4; 3], before: u32) -> Self {
        let ([p, q], at) = placed_set::farthest::<S>(sides, direction);
        let difference = sub(at[1], at[0]);
        let gap = dot(direction, difference);
        let ends = [p as u32, q as u32];
        Self { direction, ends, at, difference, gap, probes: before + 1 }
    }

    #[inline(always)]
    pub(crate) fn pair(&self) -> SupportPair {
        SupportPair {
            direction: first(self.direction),
            ends: self.ends,
            difference: first(self.difference),
            gap: self.gap.first(),
            heights: [
                dot(self.direction, self.at[0]).first(),
                dot(self.direction, self.at[1]).first(),
            ],
        }
    }
}
