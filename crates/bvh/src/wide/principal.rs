//! Principal axes of a set of points (Gottschalk, Lin and Manocha, *`OBBTree`*, 1996).

use super::vector::{Frame, IDENTITY, Vector, unit};
use crate::jacobi::rotate;
use xcollide_math::vector::{cross, dot, scale, sub};

/// The eigenvectors of a covariance, the largest eigenvalue first, as a right-handed frame; the coordinate
/// axes if it determines none.
pub(super) fn principal_axes(covariance: [[f64; 3]; 3]) -> Frame {
    let (values, axes) = eigenvectors(covariance);
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let (x, y) = (axes[order[0]], axes[order[1]]);
    let orthonormal = || {
        let x = unit(x)?;
        let y = unit(sub(y, scale(x, dot(x, y))))?;
        Some([x, y, cross(x, y)])
    };
    orthonormal().unwrap_or(IDENTITY)
}

/// Eigenvalues and, as rows, eigenvectors of a symmetric matrix.
fn eigenvectors(mut a: [[f64; 3]; 3]) -> (Vector, Frame) {
    /// More than ever needed: convergence is quadratic.
    const SWEEPS: usize = 12;
    let mut axes = IDENTITY;
    for _ in 0..SWEEPS {
        let mut off_diagonal = 0.0;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let entry = a[p][q];
            off_diagonal += entry * entry;
            if entry.abs() < 1e-300 {
                continue;
            }
            rotate(&mut a, &mut axes, p, q);
        }
        let diagonal = a[0][0].abs() + a[1][1].abs() + a[2][2].abs();
        if off_diagonal <= 1e-20 * diagonal * diagonal {
            break;
        }
    }
    ([a[0][0], a[1][1], a[2][2]], axes)
}

#[cfg(test)]
mod tests {
    use super::super::vector::is_frame;
    use super::*;

    fn covariance(points: &[Vector]) -> [[f64; 3]; 3] {
        let mean =
            [0, 1, 2].map(|i| points.iter().map(|p| p[i]).sum::<f64>() / points.len() as f64);
        let d = |p: &Vector, i: usize| p[i] - mean[i];
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| points.iter().map(|p| d(p, i) * d(p, j)).sum::<f64>()))
    }

    #[test]
    fn a_slanted_plate_is_found() {
        let tilt = [[0.6, 0.8, 0.0], [-0.48, 0.36, 0.8], [0.64, -0.48, 0.6]];
        assert!(is_frame(&tilt));
        let mut points = Vec::new();
        for (x, y, z) in [(3.0, 1.0, 0.1), (3.0, -1.0, -0.1), (3.0, 1.0, -0.1), (3.0, -1.0, 0.1)] {
            for sign in [1.0, -1.0] {
                let p = [0, 1, 2].map(|k| x * tilt[0][k] + y * tilt[1][k] + z * tilt[2][k]);
                points.push(scale(p, sign));
            }
        }
        let axes = principal_axes(covariance(&points));
        assert!(is_frame(&axes));
        assert!(dot(axes[0], tilt[0]).abs() > 0.999 && dot(axes[2], tilt[2]).abs() > 0.999);
    }

    #[test]
    fn coincident_points_give_a_frame() {
        assert!(is_frame(&principal_axes(covariance(&[[0.3; 3]; 4]))));
    }
}
