//! Vectors in space as the searches need them: rounded, for finding, never for deciding.

pub(crate) type Vector = [f64; 3];

#[inline(always)]
pub(crate) fn dot(a: Vector, b: Vector) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

#[inline(always)]
pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
pub(crate) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(crate) fn scaled(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

#[inline(always)]
pub(crate) fn negated(a: Vector) -> Vector {
    [-a[0], -a[1], -a[2]]
}

#[inline(always)]
pub(crate) fn square(a: Vector) -> f64 {
    dot(a, a)
}

/// The vector at length 1; `None` where it has none.
#[inline(always)]
pub(crate) fn unit(a: Vector) -> Option<Vector> {
    let length = square(a).sqrt();
    (length > 0.0 && length.is_finite()).then(|| scaled(a, 1.0 / length))
}
