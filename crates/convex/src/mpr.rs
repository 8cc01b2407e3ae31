//! Minkowski portal refinement (MPR, `XenoCollide`), for one pair or eight at a time: whether the differences of two point
//! sets hold the origin.
//!
//! ```text
//!        ╲ b             A ray from an inner difference c to the origin O and beyond goes through the
//!         ╲              portal a b, in space a triangle. The point p that is farthest beyond the portal
//!   c ─────┼──O─── p     divides it, and the ray goes through one of the parts: the next portal. If O is
//!         ╱              before the portal, it is inside; if O is beyond a plane through p across the
//!        ╱ a             direction in which p was farthest, it is outside.
//! ```
//!
//! The portal has three corners in each step, so all steps are the same. For [one pair](pair) the corners are in the lanes of a
//! register; of [eight pairs](MprBatch) each has a lane, and only farthest points are searched pair by pair, where no search
//! waits for another. Results are rounded; callers derive a proof from the last points.
//!
//! The first portal is [*borrowed*](borrowed): its corners are no differences of points but estimates of the border around the
//! ray. So the first direction may be any, the best that is known, and finding a first portal takes no step. Steps replace
//! the corners one after the other; a borrowed corner that proves to be outside moves towards c, which does not change
//! which parts the ray goes through.
//!
//! Source: Snethen, *`XenoCollide`: Complex Collision Made Simple*, Game Programming Gems 7, 2008. Borrowed portals and
//! batches of eight are ours.

pub(crate) mod batch;
mod borrowed;
pub(crate) mod pair;
mod search;

use arrayvec::ArrayVec;

use crate::batch::EIGHT;

/// Eight pairs of point sets, and where their searches start.
#[derive(Debug)]
pub(crate) struct MprBatch<'a, F, P> {
    /// The points p, and the points q.
    pub(crate) sets: &'a [P; 2],
    /// A difference q − p in the interior of the others.
    pub(crate) center: [F; 3],
    /// A first direction, best towards the point nearest to the origin.
    pub(crate) direction: [F; 3],
    /// The points p and q that are farthest along it: their numbers, and their positions.
    pub(crate) ends: [[u32; EIGHT]; 2],
    pub(crate) points: [[F; 3]; 2],
    /// An estimate of the distance from the center to the border against that direction, times the direction's length.
    pub(crate) height: F,
    /// How round the sets are, from 0 for very edgy ones to 1.
    pub(crate) roundness: F,
    /// The sum of the errors of both heights along a direction of length 1.
    pub(crate) doubt: F,
    /// Points must be farther than the portal by this part of the size.
    pub(crate) resolution: f64,
}

/// The results of eight searches, up to rounding.
#[derive(Debug, Default)]
pub(crate) struct MprBatchResult {
    /// Bit i: the direction of lane i separates.
    pub(crate) beyond: u32,
    /// Bit i: the gap exceeds the errors of the heights.
    pub(crate) clear: u32,
    /// Bit i: the center and three differences hold the origin. All other lanes are near the border.
    pub(crate) held: u32,
    /// The directions that separate.
    pub(crate) direction: [[f64; EIGHT]; 3],
    /// direction · p and direction · q.
    pub(crate) heights: [[f64; EIGHT]; 2],
    /// The steps that found the corners, and the last step.
    corners: [[f64; EIGHT]; 3],
    last: [f64; EIGHT],
    /// The farthest points of each step.
    steps: ArrayVec<[[u32; EIGHT]; 2], { MOST_PROBES + 1 }>,
}

/// The number of a step, or any for a corner that was borrowed.
#[inline(always)]
fn index(step: f64) -> usize {
    /// A small integer plus this has the integer in its last bits.
    const BIAS: f64 = 4_503_599_627_370_496.0;
    usize::from((step + BIAS).to_bits() as u8)
}

/// The most directions. Random sets take fewer than ten, touching ones some twenty.
const MOST_PROBES: usize = 40;

impl MprBatchResult {
    /// The number of directions that a lane searched.
    #[inline]
    pub(crate) fn probes(&self, lane: usize) -> u32 {
        1 + index(self.last[lane % EIGHT]) as u32
    }

    /// The farthest points of a lane's last direction.
    #[inline]
    pub(crate) fn last_ends(&self, lane: usize) -> [u32; 2] {
        self.ends(lane, self.last[lane % EIGHT])
    }

    /// The points of a corner of a lane's portal, if that holds the origin.
    #[inline]
    pub(crate) fn corner(&self, lane: usize, number: usize) -> [u32; 2] {
        self.ends(lane, self.corners[number % 3][lane % EIGHT])
    }

    #[inline(always)]
    fn ends(&self, lane: usize, step: f64) -> [u32; 2] {
        let step = self.steps.get(index(step));
        step.map_or([0; 2], |[p, q]| [p[lane % EIGHT], q[lane % EIGHT]])
    }

    /// A lane's last direction and its farthest points, if it separates.
    pub(crate) fn separated(&self, lane: usize) -> Option<([f64; 3], [u32; 2])> {
        let lane = lane % EIGHT;
        let direction = self.direction.map(|axis| axis[lane]);
        (self.beyond >> lane & 1 == 1).then(|| (direction, self.last_ends(lane)))
    }
}

#[cfg(test)]
mod tests;
