//! Jacobi's rotation, by which symmetric matrices are diagonalised.

/// Makes `m[p][q]` zero by turning the frame, whose rows are its axes, in the plane of its axes p and q.
///
/// Uses only +, −, ·, / and √, so the result is the same on every platform.
pub(crate) fn rotate(m: &mut [[f64; 3]; 3], frame: &mut [[f64; 3]; 3], p: usize, q: usize) {
    // The smaller of the two angles, written so that nothing cancels.
    let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let tangent = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for row in &mut *m {
        (row[p], row[q]) = (cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]);
    }
    for rows in [m, frame] {
        for column in 0..3 {
            let (x, y) = (rows[p][column], rows[q][column]);
            (rows[p][column], rows[q][column]) = (cosine * x - sine * y, sine * x + cosine * y);
        }
    }
}
