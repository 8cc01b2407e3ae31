//! Vectors of eight pairs of bodies.

use super::{EIGHT, Eight};

/// Coordinates x, y, z, each of eight vectors.
pub type Three<E> = [E; 3];

/// The differences of vectors.
#[inline(always)]
#[must_use]
pub fn minus<E: Eight>(a: Three<E>, b: Three<E>) -> Three<E> {
    [a[0].minus(b[0]), a[1].minus(b[1]), a[2].minus(b[2])]
}

/// The sums of vectors.
#[inline(always)]
#[must_use]
pub fn plus<E: Eight>(a: Three<E>, b: Three<E>) -> Three<E> {
    [a[0].plus(b[0]), a[1].plus(b[1]), a[2].plus(b[2])]
}

/// Vectors times numbers.
#[inline(always)]
#[must_use]
pub fn times<E: Eight>(a: Three<E>, factor: E) -> Three<E> {
    [a[0].times(factor), a[1].times(factor), a[2].times(factor)]
}

/// Inner products: (xu + yv) + zw.
#[inline(always)]
#[must_use]
pub fn dot<E: Eight>(a: Three<E>, b: Three<E>) -> E {
    (a[0].times(b[0]).plus(a[1].times(b[1]))).plus(a[2].times(b[2]))
}

/// Cross products.
#[inline(always)]
#[must_use]
pub fn cross<E: Eight>(a: Three<E>, b: Three<E>) -> Three<E> {
    [
        a[1].times(b[2]).minus(a[2].times(b[1])),
        a[2].times(b[0]).minus(a[0].times(b[2])),
        a[0].times(b[1]).minus(a[1].times(b[0])),
    ]
}

/// Lane by lane the first vector where the mask holds, else the other.
#[inline(always)]
#[must_use]
pub fn chosen<E: Eight>(mask: E::Mask, yes: Three<E>, no: Three<E>) -> Three<E> {
    [yes[0].chosen(mask, no[0]), yes[1].chosen(mask, no[1]), yes[2].chosen(mask, no[2])]
}

/// Sums of the magnitudes of coordinates: upper bounds of lengths.
#[inline(always)]
#[must_use]
pub fn taxicab<E: Eight>([x, y, z]: Three<E>) -> E {
    x.magnitude().plus(y.magnitude()).plus(z.magnitude())
}

/// Writes coordinates to memory.
#[inline(always)]
pub fn store<E: Eight>(lanes: Three<E>, values: &mut [[f64; EIGHT]; 3]) {
    lanes[0].store(&mut values[0]);
    lanes[1].store(&mut values[1]);
    lanes[2].store(&mut values[2]);
}

/// One row of each of eight things, for [`Eight::columns`].
#[inline(always)]
#[must_use]
pub fn rows<'a, T>(
    each: &[&'a T; EIGHT],
    row: impl Fn(&'a T) -> &'a [f64; 3],
) -> [&'a [f64; 3]; EIGHT] {
    let &[a, b, c, d, e, f, g, h] = each;
    [row(a), row(b), row(c), row(d), row(e), row(f), row(g), row(h)]
}
