//! Vectors in space whose coordinates are lanes.

use crate::{F64x4, F64x8, SimdFloat};

/// The same vector in all lanes.
#[inline(always)]
#[must_use]
pub fn splat<F: SimdFloat>([x, y, z]: [F::Scalar; 3]) -> [F; 3] {
    [F::splat(x), F::splat(y), F::splat(z)]
}

/// Reads vectors from memory.
#[inline(always)]
#[must_use]
pub fn load<F: SimdFloat>([x, y, z]: &[F::Array; 3]) -> [F; 3] {
    [F::load(x), F::load(y), F::load(z)]
}

/// Writes vectors to memory.
#[inline(always)]
pub fn store<F: SimdFloat>(v: [F; 3], [x, y, z]: &mut [F::Array; 3]) {
    v[0].store(x);
    v[1].store(y);
    v[2].store(z);
}

/// The vector in the first lane.
#[inline(always)]
#[must_use]
pub fn first<F: F64x4>([x, y, z]: [F; 3]) -> [f64; 3] {
    [x.first(), y.first(), z.first()]
}

/// Spreads vectors that are equal in all lanes to eight lanes.
#[inline(always)]
#[must_use]
pub fn widen<F: F64x8>([x, y, z]: [F::Half; 3]) -> [F; 3] {
    [F::widen(x), F::widen(y), F::widen(z)]
}

/// The sum.
#[inline(always)]
#[must_use]
pub fn add<F: SimdFloat>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

/// The difference.
#[inline(always)]
#[must_use]
pub fn sub<F: SimdFloat>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

/// `0 − v`.
#[inline(always)]
#[must_use]
pub fn neg<F: SimdFloat>(v: [F; 3]) -> [F; 3] {
    sub([F::splat(F::Scalar::default()); 3], v)
}

/// The vector times a number.
#[inline(always)]
#[must_use]
pub fn scale<F: SimdFloat>(v: [F; 3], factor: F) -> [F; 3] {
    [v[0].mul(factor), v[1].mul(factor), v[2].mul(factor)]
}

/// The inner product `(a₀b₀ + a₁b₁) + a₂b₂`.
#[inline(always)]
#[must_use]
pub fn dot<F: SimdFloat>(a: [F; 3], b: [F; 3]) -> F {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

/// The cross product.
#[inline(always)]
#[must_use]
pub fn cross<F: SimdFloat>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [
        a[1].mul(b[2]).sub(a[2].mul(b[1])),
        a[2].mul(b[0]).sub(a[0].mul(b[2])),
        a[0].mul(b[1]).sub(a[1].mul(b[0])),
    ]
}

/// The magnitudes of the coordinates.
#[inline(always)]
#[must_use]
pub fn abs<F: SimdFloat>([x, y, z]: [F; 3]) -> [F; 3] {
    [x.abs(), y.abs(), z.abs()]
}

/// The sum of the magnitudes of the coordinates, an upper bound of the length.
#[inline(always)]
#[must_use]
pub fn taxicab<F: SimdFloat>([x, y, z]: [F; 3]) -> F {
    x.abs().add(y.abs()).add(z.abs())
}

/// `yes` in lanes whose mask is set, else `no`.
#[inline(always)]
#[must_use]
pub fn select<F: SimdFloat>(mask: F::Mask, yes: [F; 3], no: [F; 3]) -> [F; 3] {
    [F::select(mask, yes[0], no[0]), F::select(mask, yes[1], no[1]), F::select(mask, yes[2], no[2])]
}
