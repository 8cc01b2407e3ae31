//! The few vector operations that fitting boxes needs.

pub(super) type Vector = [f64; 3];

/// Three vectors, nearly orthonormal, one a row.
pub(super) type Frame = [Vector; 3];

pub(super) const IDENTITY: Frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

#[inline]
pub(super) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline]
pub(super) fn add(a: Vector, b: Vector) -> Vector {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline]
pub(super) fn scale(a: Vector, factor: f64) -> Vector {
    a.map(|x| x * factor)
}

#[inline]
pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(super) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline]
pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The vector at length 1; `None` where its length is 0, too small for a direction, or no number.
#[inline]
pub(super) fn unit(a: Vector) -> Option<Vector> {
    let length = length(a);
    (length > 1e-150 && length < 1e150).then(|| a.map(|x| x / length))
}

/// Two unit vectors that complete a unit vector to a frame.
pub(super) fn perpendiculars(normal: Vector) -> Option<[Vector; 2]> {
    let [x, y, z] = normal.map(f64::abs);
    let smallest = if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    };
    let u = unit(cross(normal, IDENTITY[smallest]))?;
    Some([u, cross(normal, u)])
}

/// Whether the rows are orthonormal up to rounding in f64.
pub(super) fn is_frame(frame: &Frame) -> bool {
    (0..3).all(|i| {
        (i..3).all(|j| {
            let expected = if i == j { 1.0 } else { 0.0 };
            (dot(frame[i], frame[j]) - expected).abs() < 1e-12
        })
    })
}
