//! What [ellipsoids](crate::convex::Ellipsoid) tell of eight pairs at once: as
//! [`EllipsoidPair`](crate::convex::ellipsoid_pair) says, lane by lane.

use xcollide_convex::batch::{Eight, Three, dot, minus, plus, rows, taxicab, times};

use super::bodies::Bodies;
use crate::convex::ellipsoid_pair::{MARGIN, RIM};

/// The ellipsoids of eight pairs, all of which have some.
pub(crate) struct Ellipsoids<E> {
    a: Shapes<E>,
    b: Shapes<E>,
    /// w times the determinant.
    pub(crate) direction: Three<E>,
    determinant: E,
    /// How far the ellipsoids reach along the direction from their centers, times its length.
    half_widths: [E; 2],
    /// d · w, times the determinant.
    between: E,
    far: E,
}

impl<E: Eight> Ellipsoids<E> {
    #[inline(always)]
    pub(crate) fn of(bodies: &[Bodies<'_, '_, E>; 2]) -> Self {
        let (a, b) = (Shapes::of(&bodies[0]), Shapes::of(&bodies[1]));
        let between = minus(b.center, a.center);
        let mut sum = a.shape;
        for (sum, of_b) in sum.iter_mut().zip(b.shape) {
            *sum = sum.plus(of_b);
        }
        let [xx, yy, zz, xy, xz, yz] = sum;
        let adjugate = [
            yy.times(zz).minus(yz.times(yz)),
            xx.times(zz).minus(xz.times(xz)),
            xx.times(yy).minus(xy.times(xy)),
            xz.times(yz).minus(xy.times(zz)),
            xy.times(yz).minus(xz.times(yy)),
            xy.times(xz).minus(xx.times(yz)),
        ];
        let determinant =
            xx.times(adjugate[0]).plus(xy.times(adjugate[3])).plus(xz.times(adjugate[4]));
        let direction = product(&adjugate, between);
        let half_widths = [half_width(&a.shape, direction), half_width(&b.shape, direction)];
        let (between, far) = (dot(direction, between), bodies[0].far.plus(bodies[1].far));
        Self { a, b, direction, determinant, half_widths, between, far }
    }

    /// How far both reach along the direction, times its length.
    #[inline(always)]
    pub(crate) fn width(&self) -> E {
        self.half_widths[0].plus(self.half_widths[1])
    }

    /// Where planes across the direction part the bodies, and their offsets.
    #[inline(always)]
    pub(crate) fn apart(&self) -> (E::Mask, E) {
        let [of_a, of_b] = self.half_widths;
        let size = self.a.size.plus(self.b.size).plus(self.far);
        let doubt = E::splat(MARGIN).times(size).times(taxicab(self.direction));
        let apart = self.between.minus(self.width()).above(doubt);
        let low = dot(self.direction, self.a.center).plus(of_a);
        let high = dot(self.direction, self.b.center).minus(of_b);
        let half = E::splat(0.5);
        (apart, half.times(low).plus(half.times(high)))
    }

    /// Where a point is in the ellipsoids that the bodies fill.
    #[inline(always)]
    pub(crate) fn inside(&self) -> E::Mask {
        let limit = self.determinant.times(E::splat(1.0 - RIM));
        let in_a = limit.times(self.a.inner).above(self.half_widths[0]);
        let in_b = limit.times(self.b.inner).above(self.half_widths[1]);
        E::and(in_a, in_b)
    }

    /// That point, as seen from either body.
    #[inline(always)]
    pub(crate) fn inner_points(&self) -> [Three<E>; 2] {
        let w = times(self.direction, E::splat(1.0).over(self.determinant));
        [
            plus(self.a.center, product(&self.a.shape, w)),
            minus(self.b.center, product(&self.b.shape, w)),
        ]
    }
}

/// Symmetric matrices: xx, yy, zz, xy, xz, yz.
type Shape<E> = [E; 6];

/// The ellipsoids of eight bodies in the world.
struct Shapes<E> {
    shape: Shape<E>,
    center: Three<E>,
    size: E,
    inner: E,
}

impl<E: Eight> Shapes<E> {
    #[inline(always)]
    fn of(bodies: &Bodies<'_, '_, E>) -> Self {
        let [xx, yy, zz] = E::columns(rows(&bodies.portraits, |portrait| &portrait.shape[0]));
        let [xy, xz, yz] = E::columns(rows(&bodies.portraits, |portrait| &portrait.shape[1]));
        let [r, s, t] = bodies.motions.rotation;
        let local = [xx, yy, zz, xy, xz, yz];
        let (first, second, third) = (product(&local, r), product(&local, s), product(&local, t));
        let shape = [
            dot(first, r),
            dot(second, s),
            dot(third, t),
            dot(first, s),
            dot(first, t),
            dot(second, t),
        ];
        let center = bodies.place(rows(&bodies.portraits, |portrait| &portrait.ellipsoid_center));
        Self { shape, center, size: bodies.size, inner: bodies.inner }
    }
}

#[inline(always)]
fn product<E: Eight>(&[xx, yy, zz, xy, xz, yz]: &Shape<E>, v: Three<E>) -> Three<E> {
    [dot([xx, xy, xz], v), dot([xy, yy, yz], v), dot([xz, yz, zz], v)]
}

/// How far ellipsoids of these shapes reach along directions, times their lengths.
#[inline(always)]
fn half_width<E: Eight>(shape: &Shape<E>, direction: Three<E>) -> E {
    dot(product(shape, direction), direction).greater(E::splat(0.0)).root()
}
