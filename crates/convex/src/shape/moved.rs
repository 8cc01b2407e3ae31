//! A shape at a pose, for searches in registers.

use xcollide_math::vector::{add, scale};
use xcollide_simd::vec3;
use xcollide_simd::{F64x4, Simd, SimdFloat};

use super::placed::PlacedShape;
use super::{Core, Shape};

/// A shape at a pose. The core may be shrunk: the matrix and the translation are those of the shrunk core.
pub(super) struct MovedShape<'a> {
    core: Core,
    rotation: [[f64; 3]; 3],
    translation: [f64; 3],
    radius: f64,
    /// Of shapes without formula.
    farthest: &'a dyn Fn([f64; 3]) -> [f64; 3],
}

impl<'a> MovedShape<'a> {
    /// The core, shrunk about a center by a factor, and all points at most the radius away from it.
    #[inline]
    pub(super) fn new<S: Shape + ?Sized>(
        placed: &PlacedShape<'_, S>,
        center: [f64; 3],
        factor: f64,
        radius: f64,
        farthest: &'a dyn Fn([f64; 3]) -> [f64; 3],
    ) -> Self {
        let keep = 1.0 - factor;
        Self {
            core: placed.core,
            rotation: placed.rotation().map(|row| scale(row, keep)),
            translation: add(scale(placed.center(), keep), scale(center, factor)),
            radius,
            farthest,
        }
    }

    /// The point that is farthest along a direction of any length.
    #[inline(always)]
    pub(super) fn farthest<S: Simd>(&self, direction: [S::F64x4; 3]) -> [S::F64x4; 3] {
        let zero = S::F64x4::splat(0.0);
        let rows = &self.rotation;
        let [r, s, t] = [
            vec3::splat::<S::F64x4>(rows[0]),
            vec3::splat::<S::F64x4>(rows[1]),
            vec3::splat::<S::F64x4>(rows[2]),
        ];
        let [x, y, z] = direction;
        let along = [
            r[0].mul(x).add(s[0].mul(y)).add(t[0].mul(z)),
            r[1].mul(x).add(s[1].mul(y)).add(t[1].mul(z)),
            r[2].mul(x).add(s[2].mul(y)).add(t[2].mul(z)),
        ];
        let core = match self.core {
            Core::Point => [zero; 3],
            Core::Segment { half } => [zero, zero, signed::<S>(half, along[2])],
            Core::Cuboid { half: [x, y, z] } => {
                [signed::<S>(x, along[0]), signed::<S>(y, along[1]), signed::<S>(z, along[2])]
            }
            Core::Cylinder { half, radius } => {
                let [x, y] = on_circle::<S>(radius, along);
                [x, y, signed::<S>(half, along[2])]
            }
            Core::Cone { half, radius } => {
                let [x, y] = on_circle::<S>(radius, along);
                let rim = x.mul(along[0]).add(y.mul(along[1]));
                let half = S::F64x4::splat_opaque(half);
                let on_rim = rim.gt(half.add(half).mul(along[2]));
                [
                    S::F64x4::select(on_rim, x, zero),
                    S::F64x4::select(on_rim, y, zero),
                    S::F64x4::select(on_rim, zero.sub(half), half),
                ]
            }
            Core::Ellipsoid { half } => {
                let half: [S::F64x4; 3] = opaque::<S>(half);
                let scaled = [half[0].mul(along[0]), half[1].mul(along[1]), half[2].mul(along[2])];
                let unit = unit_or_zero::<S>(scaled);
                [half[0].mul(unit[0]), half[1].mul(unit[1]), half[2].mul(unit[2])]
            }
            Core::Other => opaque::<S>((self.farthest)(vec3::first(unit_or_zero::<S>(along)))),
        };
        let [tx, ty, tz] = vec3::splat::<S::F64x4>(self.translation);
        let mut point =
            [vec3::dot(r, core).add(tx), vec3::dot(s, core).add(ty), vec3::dot(t, core).add(tz)];
        if self.radius > 0.0 {
            let outward = vec3::scale(unit_or_zero::<S>(direction), S::F64x4::splat(self.radius));
            point = vec3::add(point, outward);
        }
        point
    }
}

/// The number with the sign of another.
#[inline(always)]
fn signed<S: Simd>(number: f64, sign: S::F64x4) -> S::F64x4 {
    let number = S::F64x4::splat_opaque(number);
    let zero = S::F64x4::splat(0.0);
    S::F64x4::select(sign.ge(zero), number, zero.sub(number))
}

#[inline(always)]
fn opaque<S: Simd>([x, y, z]: [f64; 3]) -> [S::F64x4; 3] {
    [S::F64x4::splat_opaque(x), S::F64x4::splat_opaque(y), S::F64x4::splat_opaque(z)]
}

/// The point of a circle about the z-axis that is farthest along a direction; its center if all are.
#[inline(always)]
fn on_circle<S: Simd>(radius: f64, [x, y, _]: [S::F64x4; 3]) -> [S::F64x4; 2] {
    let across = x.mul(x).add(y.mul(y)).sqrt();
    let zero = S::F64x4::splat(0.0);
    let factor =
        S::F64x4::select(across.gt(zero), S::F64x4::splat_opaque(radius).div(across), zero);
    [x.mul(factor), y.mul(factor)]
}

#[inline(always)]
fn unit_or_zero<S: Simd>(v: [S::F64x4; 3]) -> [S::F64x4; 3] {
    let length = vec3::dot(v, v).sqrt();
    let (zero, one) = (S::F64x4::splat(0.0), S::F64x4::splat_opaque(1.0));
    vec3::scale(v, S::F64x4::select(length.gt(zero), one.div(length), zero))
}
