//! What a search for the origin asks of its point sets.

use xcollide_bounds::Motion;

use crate::lanes::f64x4::Quad;
use crate::lanes::vec3::{Three, dot, opposite, splat};
use crate::normal_fan::NormalFan;
use crate::point_set::few::Few;
use crate::point_set::{LANES, PointSet};

/// A set at its place.
pub(crate) trait Side {
    /// The point that is farthest along a direction, and where it is.
    fn farthest<L: Quad>(&self, direction: Three<L>) -> (usize, Three<L>);

    /// Its radius, more or less, if it has so many points that directions near the last one meet others.
    fn radius(&self) -> Option<f64>;
}

/// The points p and q that are farthest towards each other along a direction, and where they are.
#[inline(always)]
pub(crate) fn farthest<L: Quad>(
    [a, b]: &[impl Side; 2],
    direction: Three<L>,
) -> ([usize; 2], [Three<L>; 2]) {
    let (p, at_p) = a.farthest(direction);
    let (q, at_q) = b.farthest(opposite(direction));
    ([p, q], [at_p, at_q])
}

/// The sum of the radii.
#[inline(always)]
pub(crate) fn radius([a, b]: &[impl Side; 2]) -> Option<f64> {
    Some(a.radius()? + b.radius()?)
}

impl<const BLOCKS: usize> Side for Few<BLOCKS> {
    #[inline(always)]
    fn farthest<L: Quad>(&self, direction: Three<L>) -> (usize, Three<L>) {
        Self::farthest(self, direction)
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
    pub(crate) motion: &'a Motion,
}

impl Side for InFrame<'_> {
    #[inline(always)]
    fn farthest<L: Quad>(&self, [x, y, z]: Three<L>) -> (usize, Three<L>) {
        let rows = &self.motion.rotation;
        let [r, s, t] = [splat::<L>(rows[0]), splat::<L>(rows[1]), splat::<L>(rows[2])];
        let along = [
            r[0].mul(x).add(s[0].mul(y)).add(t[0].mul(z)),
            r[1].mul(x).add(s[1].mul(y)).add(t[1].mul(z)),
            r[2].mul(x).add(s[2].mul(y)).add(t[2].mul(z)),
        ];
        let (index, [x, y, z]) = match self.fan {
            Some(fan) => fan.farthest_along(along),
            None => {
                let index = L::farthest(&self.points.blocks, along);
                let [xs, ys, zs] = &self.points.blocks[index / LANES].coordinates;
                (index, [xs[index % LANES], ys[index % LANES], zs[index % LANES]])
            }
        };
        let point = [L::spread(x), L::spread(y), L::spread(z)];
        let [tx, ty, tz] = splat::<L>(self.motion.translation);
        (index, [dot(r, point).add(tx), dot(s, point).add(ty), dot(t, point).add(tz)])
    }

    #[inline(always)]
    fn radius(&self) -> Option<f64> {
        Some(self.fan?.radius())
    }
}
