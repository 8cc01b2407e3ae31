//! The support mapping of a search for the origin.

use xcollide_simd::vec3::{dot, neg, splat, widen};
use xcollide_simd::{F64x4, Simd, SimdFloat};

use crate::body::Body;
use crate::point_set::farthest;

/// A point set at a pose.
pub(crate) trait PlacedSet {
    /// Where the set looks for the farthest point along a direction, if it has a place for each.
    #[inline(always)]
    fn cell<S: Simd>(&self, _: [S::F64x4; 3]) -> u32 {
        0
    }

    /// The number of the point that is farthest along a direction with this cell, and its position.
    fn farthest<S: Simd>(&self, direction: [S::F64x4; 3], cell: u32) -> (usize, [S::F64x4; 3]);

    /// The approximate radius of a set with so many points that directions near the last one have other farthest
    /// points.
    fn radius(&self) -> Option<f64>;
}

/// The points p and q that are farthest towards each other along a direction, and their positions.
#[inline(always)]
pub(crate) fn farthest<S: Simd>(
    [a, b]: &[impl PlacedSet; 2],
    direction: [S::F64x4; 3],
) -> ([usize; 2], [[S::F64x4; 3]; 2]) {
    // Both cells first, so that the one is not looked up after all of the other.
    let back = neg(direction);
    let cells = [a.cell::<S>(direction), b.cell::<S>(back)];
    let (p, at_p) = a.farthest::<S>(direction, cells[0]);
    let (q, at_q) = b.farthest::<S>(back, cells[1]);
    ([p, q], [at_p, at_q])
}

/// Turns each direction to the frame of the polytope.
impl PlacedSet for Body<'_> {
    #[inline(always)]
    fn cell<S: Simd>(&self, direction: [S::F64x4; 3]) -> u32 {
        match &self.polytope().fan {
            Some(fan) => fan.fan.cell_along(turned_back::<S>(self, direction)),
            None => 0,
        }
    }

    #[inline(always)]
    fn farthest<S: Simd>(&self, direction: [S::F64x4; 3], cell: u32) -> (usize, [S::F64x4; 3]) {
        let along = turned_back::<S>(self, direction);
        let points = &self.polytope().points;
        let (index, [x, y, z]) = match &self.polytope().fan {
            Some(fan) => fan.fan.farthest_in(cell, along),
            None => {
                let index = farthest::farthest::<S::F64x8>(&points.blocks, widen(along));
                (index, points.point(index))
            }
        };
        let point =
            [S::F64x4::splat_opaque(x), S::F64x4::splat_opaque(y), S::F64x4::splat_opaque(z)];
        let [r, s, t] = self.pose().rotation();
        let [r, s, t] = [splat::<S::F64x4>(*r), splat(*s), splat(*t)];
        let [tx, ty, tz] = splat::<S::F64x4>(self.pose().translation());
        (index, [dot(r, point).add(tx), dot(s, point).add(ty), dot(t, point).add(tz)])
    }

    #[inline(always)]
    fn radius(&self) -> Option<f64> {
        Some(self.polytope().fan.as_ref()?.fan.radius())
    }
}

/// A direction in the frame of the polytope.
#[inline(always)]
fn turned_back<S: Simd>(body: &Body<'_>, [x, y, z]: [S::F64x4; 3]) -> [S::F64x4; 3] {
    let [r, s, t] = body.pose().rotation();
    let [r, s, t] = [splat::<S::F64x4>(*r), splat::<S::F64x4>(*s), splat::<S::F64x4>(*t)];
    [
        r[0].mul(x).add(s[0].mul(y)).add(t[0].mul(z)),
        r[1].mul(x).add(s[1].mul(y)).add(t[1].mul(z)),
        r[2].mul(x).add(s[2].mul(y)).add(t[2].mul(z)),
    ]
}
