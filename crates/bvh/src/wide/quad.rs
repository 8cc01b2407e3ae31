//! Four f32 at once: a vector of three and a lane to spare. Every operation is rounded on its own.

pub(super) type Quad = [f32; 4];

/// `((c₀x + c₁y) + c₂z)` for the columns c of a matrix.
#[inline(always)]
pub(super) fn turn(columns: &[[f32; 4]; 3], [x, y, z]: [f32; 3]) -> Quad {
    let [a, b, c] = columns;
    [0, 1, 2, 3].map(|k| a[k] * x + b[k] * y + c[k] * z)
}

/// `v · scale + by`.
#[inline(always)]
pub(super) fn shifted(v: Quad, scale: f32, by: &[f32; 4]) -> Quad {
    [0, 1, 2, 3].map(|k| v[k] * scale + by[k])
}

#[inline(always)]
pub(super) fn first_three([x, y, z, _]: Quad) -> [f32; 3] {
    [x, y, z]
}
