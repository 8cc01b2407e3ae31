//! Vectors in space with lanes for coordinates.

use crate::lanes::f64x4::Quad;

pub(crate) type Three<L> = [L; 3];

#[inline(always)]
pub(crate) fn sub<L: Quad>(a: Three<L>, b: Three<L>) -> Three<L> {
    [a[0].sub(b[0]), a[1].sub(b[1]), a[2].sub(b[2])]
}

#[inline(always)]
pub(crate) fn scaled<L: Quad>(a: Three<L>, factor: L) -> Three<L> {
    [a[0].mul(factor), a[1].mul(factor), a[2].mul(factor)]
}

#[inline(always)]
pub(crate) fn add<L: Quad>(a: Three<L>, b: Three<L>) -> Three<L> {
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

#[inline(always)]
pub(crate) fn dot<L: Quad>(a: Three<L>, b: Three<L>) -> L {
    (a[0].mul(b[0]).add(a[1].mul(b[1]))).add(a[2].mul(b[2]))
}

#[inline(always)]
pub(crate) fn cross<L: Quad>(a: Three<L>, b: Three<L>) -> Three<L> {
    [
        a[1].mul(b[2]).sub(a[2].mul(b[1])),
        a[2].mul(b[0]).sub(a[0].mul(b[2])),
        a[0].mul(b[1]).sub(a[1].mul(b[0])),
    ]
}

#[inline(always)]
pub(crate) fn splat<L: Quad>(v: [f64; 3]) -> Three<L> {
    [L::splat(v[0]), L::splat(v[1]), L::splat(v[2])]
}

#[inline(always)]
pub(crate) fn first<L: Quad>(v: Three<L>) -> [f64; 3] {
    [v[0].first(), v[1].first(), v[2].first()]
}

#[inline(always)]
pub(crate) fn opposite<L: Quad>(v: Three<L>) -> Three<L> {
    sub([L::splat(0.0); 3], v)
}
