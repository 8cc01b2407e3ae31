//! MPR of one pair: the corners of the portal are in the lanes of a register.
//!
//! The latency of a step is the whole running time. So the three portals that can follow are computed before it is known
//! through which one the ray goes, and nothing that waits for a mask leaves the vector registers but the numbers of the
//! farthest points.

use xcollide_math::vector;
use xcollide_simd::vec3::{add, cross, dot, first, scale, select, splat, sub, taxicab};
use xcollide_simd::{F64x4, Simd, SimdFloat, SimdMask};

use super::borrowed::{Borrowed, TURN, WITHDRAWN};
use crate::body::Body;
use crate::pair_kernel::{self, SearchOfSets};
use crate::placed_set::PlacedSet;
use crate::support_pair::{Last, SupportPair};

/// Two polytopes, and where the search starts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MprPair<'a> {
    pub(crate) bodies: [Body<'a>; 2],
    /// A point in the interior of each.
    pub(crate) centers: [[f64; 3]; 2],
    /// A first direction, best towards the point nearest to the origin.
    pub(crate) direction: [f64; 3],
    /// How round the sets are, from 0 for very edgy ones to 1.
    pub(crate) roundness: f64,
    /// The search ends if the points overlap by more than this along the first direction: if that was the last one of an
    /// earlier query, after a small motion they would not.
    pub(crate) deepest: f64,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct MprPairResult {
    pub(crate) origin: MprOutcome,
    /// The points of the last direction.
    pub(crate) last: SupportPair,
    /// The number of directions searched.
    pub(crate) probes: u32,
}

/// Where the origin is, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MprOutcome {
    /// Outside: all differences q − p have a positive product with the last direction.
    Separated,
    /// In the hull of the difference of the centers and three others.
    Held(PortalPoint),
    /// So near to the border that rounding decides.
    Near,
    /// Far from the border along the first direction, so that this is no good start.
    Far,
}

/// A portal that holds the origin together with the center.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PortalPoint {
    /// The points p and q of its corners.
    pub(crate) ends: [[u32; 2]; 3],
    /// With the weights that make the origin of center and corners: a point of the first body.
    pub(crate) point: [f64; 3],
    /// The weight of the center; NaN if a weight is negative.
    pub(crate) of_center: f64,
    /// The taxicab distance of the same point of the second body, 0 but for rounding.
    pub(crate) to_twin: f64,
}

impl MprPair<'_> {
    #[inline]
    pub(crate) fn run(self) -> MprPairResult {
        pair_kernel::search(self.bodies, self)
    }
}

impl SearchOfSets for MprPair<'_> {
    type Output = MprPairResult;

    #[inline(always)]
    fn run<S: Simd>(self, sides: &[impl PlacedSet; 2]) -> MprPairResult {
        let (last, origin) = find_origin::<S>(sides, &self);
        MprPairResult { origin, last: last.pair(), probes: last.probes }
    }
}

/// The most directions. Random sets take fewer than ten, touching ones some twenty.
const MOST_PROBES: u32 = 40;

/// Points must be farther than the portal by this part of the size.
const RESOLUTION: f64 = 1e-14;

#[inline(always)]
fn find_origin<S: Simd>(sides: &[impl PlacedSet; 2], of: &MprPair<'_>) -> (Last<S>, MprOutcome) {
    let direction = splat::<S::F64x4>(of.direction);
    let mut last = Last::<S>::of(sides, direction, 0);
    if last.gap.first() > 0.0 {
        return (last, MprOutcome::Separated);
    }
    let deepest = of.deepest * of.deepest * dot(direction, direction).first();
    if last.gap.mul(last.gap).first() > deepest {
        return (last, MprOutcome::Far);
    }
    let centers = [splat::<S::F64x4>(of.centers[0]), splat(of.centers[1])];
    let center = sub(centers[1], centers[0]);
    let mut portal = Portal::borrowed(center, direction, last.difference, of.roundness);
    let fine = S::F64x4::splat(RESOLUTION).mul(taxicab(center).add(taxicab(last.difference)));
    while last.probes < MOST_PROBES {
        let farther = dot(last.direction, sub(portal.corners, last.difference));
        let is_farther = farther.first() > fine.mul(taxicab(last.direction)).first();
        let normal = if is_farther {
            let Some(normal) = portal.narrow(last.difference, last.at[0], last.ends) else {
                return (last, MprOutcome::Near);
            };
            if portal.met == 0b111 && dot(normal, last.difference).first() < 0.0 {
                return (last, MprOutcome::Held(portal.common_point(centers[0])));
            }
            normal
        } else if portal.met == 0b111 {
            return (last, MprOutcome::Near);
        } else {
            portal.withdraw();
            portal.normal()
        };
        last = Last::<S>::of(sides, normal, last.probes);
        if last.gap.first() > 0.0 {
            return (last, MprOutcome::Separated);
        }
    }
    (last, MprOutcome::Near)
}

/// A triangle through which the ray from the center to the origin goes, counterclockwise as seen from the center.
struct Portal<F> {
    center: [F; 3],
    /// Differences, or borrowed: one in each of the first three lanes.
    corners: [F; 3],
    /// The next corner of each, and the last.
    next: [F; 3],
    last: [F; 3],
    /// The points p of the corners.
    points: [F; 3],
    /// Bit i: corner i is a difference, of these points.
    met: u32,
    ends: [[u32; 2]; 3],
}

impl<F: F64x4> Portal<F> {
    #[inline(always)]
    fn borrowed(center: [F; 3], direction: [F; 3], difference: [F; 3], roundness: f64) -> Self {
        let height = dot(direction, sub(center, difference));
        let Borrowed { middle, sides: [near, far], .. } =
            Borrowed::new(center, direction, height, F::splat(roundness));
        let [cosine, sine] = TURN.map(f64::from);
        let cosines = F::from_array([1.0, cosine, cosine, 1.0]);
        let sines = F::from_array([0.0, -sine, sine, 0.0]);
        let corners = add(middle, add(scale(near, cosines), scale(far, sines)));
        let (points, ends) = ([F::splat(0.0); 3], [[0; 2]; 3]);
        let mut portal =
            Self { center, corners, next: corners, last: corners, points, met: 0, ends };
        portal.turn();
        portal
    }

    #[inline(always)]
    fn turn(&mut self) {
        let [x, y, z] = self.corners;
        self.next = [x.rotate_left_3(1), y.rotate_left_3(1), z.rotate_left_3(1)];
        self.last = [x.rotate_left_3(2), y.rotate_left_3(2), z.rotate_left_3(2)];
    }

    /// Divides the portal by a corner beyond it and keeps the part through which the ray goes. Returns its normal, towards
    /// the center; `None` if rounding leaves a doubt.
    #[inline(always)]
    fn narrow(&mut self, corner: [F; 3], point: [F; 3], ends: [u32; 2]) -> Option<[F; 3]> {
        let zero = F::splat(0.0);
        // Normal of the plane of ray and corner, to the left as seen from the center.
        let across = cross(corner, self.center);
        let next_is_left = dot(across, self.next).gt(zero);
        let last_is_left = dot(across, self.last).gt(zero);
        let replaced = next_is_left.and_not(last_is_left);
        let [x, y, z] = cross(sub(self.last, corner), sub(self.next, corner));
        let none = F::splat(f64::NEG_INFINITY);
        let normal = [
            F::select(replaced, x, none).reduce_max(),
            F::select(replaced, y, none).reduce_max(),
            F::select(replaced, z, none).reduce_max(),
        ];
        let bits = replaced.to_bits() & 0b111;
        if bits == 0 {
            return None;
        }
        self.corners = select(replaced, corner, self.corners);
        self.points = select(replaced, point, self.points);
        self.turn();
        self.met |= bits;
        self.ends[bits.trailing_zeros() as usize % 3] = ends;
        Some(normal)
    }

    /// The point that the weights of the origin make, if all corners are differences.
    #[inline(always)]
    fn common_point(&self, origin: [F; 3]) -> PortalPoint {
        let zero = F::splat(0.0);
        let across = cross(self.next, self.last);
        // Barycentric coordinates of the origin, up to a factor. The last lane is zero.
        let weights = zero.sub(dot(self.center, across));
        let of_center = dot(self.corners, across).first();
        let [x, y, z] = scale(sub(self.points, origin), weights);
        let [x, y, z, sum] = F::sum_each([x, y, z, weights]).to_array();
        let inverse = 1.0 / (of_center + sum);
        let point = vector::add(first(origin), vector::scale([x, y, z], inverse));
        let [x, y, z] = scale(self.corners, weights);
        let [x, y, z, _] = F::sum_each([x, y, z, zero]).to_array();
        let to_twin = vector::add(vector::scale(first(self.center), of_center), [x, y, z]);
        let is_negative = zero.gt(weights.mul(F::splat(inverse))).any();
        PortalPoint {
            ends: self.ends,
            point,
            of_center: if is_negative { f64::NAN } else { of_center * inverse },
            to_twin: vector::taxicab(to_twin) * inverse.abs(),
        }
    }

    /// Moves borrowed corners nearer to the center.
    #[inline(always)]
    fn withdraw(&mut self) {
        let nearer =
            add(self.center, scale(sub(self.corners, self.center), F::splat(WITHDRAWN.into())));
        let borrowed = <F as SimdFloat>::Mask::from_bits(!self.met & 0b111);
        self.corners = select(borrowed, nearer, self.corners);
        self.turn();
    }

    /// The normal, towards the center.
    #[inline(always)]
    fn normal(&self) -> [F; 3] {
        let [x, y, z] = cross(sub(self.last, self.corners), sub(self.next, self.corners));
        [x.broadcast_lane(0), y.broadcast_lane(0), z.broadcast_lane(0)]
    }
}

#[cfg(test)]
mod tests;
