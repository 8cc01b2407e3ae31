//! [`EllipsoidPair`](crate::ellipsoid_pair) for eight pairs, lane by lane.

use crate::batch::rows;
use xcollide_simd::vec3::{add, dot, scale, sub, taxicab};
use xcollide_simd::{F64x8, SimdMask};

use super::bodies::Bodies;
use crate::ellipsoid::lanes::{adjugate, product, rotated};
use crate::ellipsoid_pair::{MARGIN, RIM};

/// The ellipsoids of eight pairs.
pub(crate) struct Ellipsoids<F> {
    a: Shapes<F>,
    b: Shapes<F>,
    /// w times the determinant.
    pub(crate) direction: [F; 3],
    determinant: F,
    /// How far the ellipsoids reach along the direction, times its length.
    half_widths: [F; 2],
    /// d · w, times the determinant.
    between: F,
    far: F,
}

impl<F: F64x8> Ellipsoids<F> {
    #[inline(always)]
    pub(crate) fn of(bodies: &[Bodies<'_, '_, F>; 2]) -> Self {
        let (a, b) = (Shapes::of(&bodies[0]), Shapes::of(&bodies[1]));
        let between = sub(b.center, a.center);
        let mut sum = a.shape;
        for (sum, of_b) in sum.iter_mut().zip(b.shape) {
            *sum = sum.add(of_b);
        }
        let (adjugate, determinant) = adjugate(&sum);
        let direction = product(&adjugate, between);
        let half_widths = [half_width(&a.shape, direction), half_width(&b.shape, direction)];
        let (between, far) = (dot(direction, between), bodies[0].far.add(bodies[1].far));
        Self { a, b, direction, determinant, half_widths, between, far }
    }

    /// The sum of both half widths.
    #[inline(always)]
    pub(crate) fn width(&self) -> F {
        self.half_widths[0].add(self.half_widths[1])
    }

    /// The lanes in which a plane across the direction separates the bodies, and its offsets.
    #[inline(always)]
    pub(crate) fn apart(&self) -> (F::Mask, F) {
        let [of_a, of_b] = self.half_widths;
        let size = self.a.size.add(self.b.size).add(self.far);
        let doubt = F::splat(MARGIN).mul(size).mul(taxicab(self.direction));
        let apart = self.between.sub(self.width()).gt(doubt);
        let low = dot(self.direction, self.a.center).add(of_a);
        let high = dot(self.direction, self.b.center).sub(of_b);
        let half = F::splat(0.5);
        (apart, half.mul(low).add(half.mul(high)))
    }

    /// The lanes with a point that is in the ellipsoids inside of both bodies.
    #[inline(always)]
    pub(crate) fn inside(&self) -> F::Mask {
        let limit = self.determinant.mul(F::splat(1.0 - RIM));
        let in_a = limit.mul(self.a.inner).gt(self.half_widths[0]);
        let in_b = limit.mul(self.b.inner).gt(self.half_widths[1]);
        in_a.and(in_b)
    }

    /// That point, computed from either body.
    #[inline(always)]
    pub(crate) fn inner_points(&self) -> [[F; 3]; 2] {
        let w = scale(self.direction, F::splat(1.0).div(self.determinant));
        [
            add(self.a.center, product(&self.a.shape, w)),
            sub(self.b.center, product(&self.b.shape, w)),
        ]
    }
}

/// Symmetric matrices: xx, yy, zz, xy, xz, yz.
type Shape<F> = [F; 6];

/// The ellipsoids of eight bodies in the world.
struct Shapes<F> {
    shape: Shape<F>,
    center: [F; 3],
    size: F,
    inner: F,
}

impl<F: F64x8> Shapes<F> {
    #[inline(always)]
    fn of(bodies: &Bodies<'_, '_, F>) -> Self {
        let [xx, yy, zz] = F::from_vectors(rows(bodies.data, |data| &data.shape[0].0));
        let [xy, xz, yz] = F::from_vectors(rows(bodies.data, |data| &data.shape[1].0));
        let shape = rotated(&[xx, yy, zz, xy, xz, yz], bodies.motions.rotation);
        let center = bodies.center();
        Self { shape, center, size: bodies.size(), inner: bodies.inner }
    }
}

/// How far the ellipsoids reach along directions, times the lengths of those.
#[inline(always)]
fn half_width<F: F64x8>(shape: &Shape<F>, direction: [F; 3]) -> F {
    dot(product(shape, direction), direction).max(F::splat(0.0)).sqrt()
}
