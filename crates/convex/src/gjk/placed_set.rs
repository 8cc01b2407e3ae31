//! What a search for the origin asks of its point sets.

use xcollide_math::Pose;
use xcollide_simd::vec3::{dot, neg, splat, widen};
use xcollide_simd::{F64x4, Simd, SimdFloat};

use crate::normal_fan::NormalFan;
use crate::point_set::few::Few;
use crate::point_set::{LANES, PointSet, farthest};

/// A set at its place.
pub(crate) trait Side {
    /// The point that is farthest along a direction, and where it is.
    fn farthest<S: Simd>(&self, direction: [S::F64x4; 3]) -> (usize, [S::F64x4; 3]);

    /// Its radius, more or less, if it has so many points that directions near the last one meet others.
    fn radius(&self) -> Option<f64>;
}

/// The points p and q that are farthest towards each other along a direction, and where they are.
#[inline(always)]
pub(crate) fn farthest<S: Simd>(
    [a, b]: &[impl Side; 2],
    direction: [S::F64x4; 3],
) -> ([usize; 2], [[S::F64x4; 3]; 2]) {
    let (p, at_p) = a.farthest::<S>(direction);
    let (q, at_q) = b.farthest::<S>(neg(direction));
    ([p, q], [at_p, at_q])
}

/// The sum of the radii.
#[inline(always)]
pub(crate) fn radius([a, b]: &[impl Side; 2]) -> Option<f64> {
    Some(a.radius()? + b.radius()?)
}

impl<const BLOCKS: usize> Side for Few<BLOCKS> {
    #[inline(always)]
    fn farthest<S: Simd>(&self, direction: [S::F64x4; 3]) -> (usize, [S::F64x4; 3]) {
        Self::farthest::<S>(self, direction)
    }

    #[inline(always)]
    fn radius(&self) -> Option<f64> {
        None
    }
}

/// A set that stays where it is: directions are turned to its frame.
pub(crate) struct InFrame<'a> {
    pub(crate) points: &'a PointSet,
    pub(crate) fan: Option<&'a NormalFan>,
    pub(crate) motion: &'a Pose,
}

impl Side for InFrame<'_> {
    #[inline(always)]
    fn farthest<S: Simd>(&self, [x, y, z]: [S::F64x4; 3]) -> (usize, [S::F64x4; 3]) {
        let rows = &self.motion.rotation();
        let [r, s, t] =
            [splat::<S::F64x4>(rows[0]), splat::<S::F64x4>(rows[1]), splat::<S::F64x4>(rows[2])];
        let along = [
            r[0].mul(x).add(s[0].mul(y)).add(t[0].mul(z)),
            r[1].mul(x).add(s[1].mul(y)).add(t[1].mul(z)),
            r[2].mul(x).add(s[2].mul(y)).add(t[2].mul(z)),
        ];
        let (index, [x, y, z]) = match self.fan {
            Some(fan) => fan.farthest_along(along),
            None => {
                let index = farthest::farthest::<S::F64x8>(&self.points.blocks, widen(along));
                let [xs, ys, zs] = &self.points.blocks[index / LANES].coordinates;
                (index, [xs[index % LANES], ys[index % LANES], zs[index % LANES]])
            }
        };
        let point =
            [S::F64x4::splat_opaque(x), S::F64x4::splat_opaque(y), S::F64x4::splat_opaque(z)];
        let [tx, ty, tz] = splat::<S::F64x4>(self.motion.translation());
        (index, [dot(r, point).add(tx), dot(s, point).add(ty), dot(t, point).add(tz)])
    }

    #[inline(always)]
    fn radius(&self) -> Option<f64> {
        Some(self.fan?.radius())
    }
}
