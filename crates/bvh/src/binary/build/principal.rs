//! Principal axes of a set of points.

use crate::jacobi::rotate;

/// Orthonormal axes, the direction of largest variance first, for points of magnitude about 1.
/// Axes of equal variance are arbitrary.
pub(super) fn principal_frame(points: impl Iterator<Item = [f64; 3]> + Clone) -> [[f64; 3]; 3] {
    let (mut count, mut mean) = (0.0, [0.0; 3]);
    for point in points.clone() {
        count += 1.0;
        for axis in 0..3 {
            mean[axis] += point[axis];
        }
    }
    let mut m = [[0.0_f64; 3]; 3];
    for point in points {
        let d = [0, 1, 2].map(|axis| point[axis] - mean[axis] / count);
        for row in 0..3 {
            for column in 0..3 {
                m[row][column] += d[row] * d[column] / count;
            }
        }
    }
    let mut frame = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Convergence is quadratic: four sweeps usually suffice.
    for _ in 0..10 {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if m[p][q].abs() < f64::MIN_POSITIVE {
                continue;
            }
            rotate(&mut m, &mut frame, p, q);
        }
    }
    let mut by_variance = [0, 1, 2];
    by_variance.sort_by(|&i, &j| m[j][j].total_cmp(&m[i][i]));
    by_variance.map(|axis| frame[axis])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a slanted, flattened cloud whose axes are known.
    #[test]
    fn the_axes_of_a_box_are_found() {
        let axes = [
            [2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0],
            [-2.0 / 3.0, 1.0 / 3.0, 2.0 / 3.0],
            [1.0 / 3.0, -2.0 / 3.0, 2.0 / 3.0],
        ];
        let sides = [0.1, 1.0, 0.4];
        let corners = (0..8).map(|corner: u32| {
            [0, 1, 2].map(|axis| {
                0.25 + (0..3)
                    .map(|side| {
                        let sign = if corner >> side & 1 == 0 { -1.0 } else { 1.0 };
                        sign * sides[side] * axes[side][axis]
                    })
                    .sum::<f64>()
            })
        });
        let frame = principal_frame(corners);
        for (found, expected) in frame.iter().zip([axes[1], axes[2], axes[0]]) {
            let cosine: f64 = (0..3).map(|axis| found[axis] * expected[axis]).sum();
            assert!((cosine.abs() - 1.0).abs() < 1e-12, "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn points_without_variance_give_a_frame() {
        let frame = principal_frame([[0.5; 3]; 4].into_iter());
        assert_eq!(frame, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    }
}
