//! Principal axes of eight sets of points at once (Gottschalk, Lin and Manocha, *`OBBTree`*, 1996).

use xcollide_simd::F32x8;
use xcollide_simd::vec3::select;

/// Enough for f32: convergence is quadratic.
const SWEEPS: usize = 4;

/// The eigenvectors of the largest and of the smallest eigenvalue of covariances, given by their entries
/// xx, yy, zz, xy, xz, yz. By Jacobi's rotations; any two directions where the covariance has none.
#[inline(always)]
pub(super) fn principal_axes<F: F32x8>(entries: [F; 6]) -> [[F; 3]; 2] {
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    // The size does not matter; so rounding to zero is avoided for small boxes.
    let size = entries[0].add(entries[1]).add(entries[2]).max(F::splat(1e-30));
    let [xx, yy, zz, xy, xz, yz] = [
        entries[0].div(size),
        entries[1].div(size),
        entries[2].div(size),
        entries[3].div(size),
        entries[4].div(size),
        entries[5].div(size),
    ];
    let mut matrix = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let mut axes = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
    for _ in 0..SWEEPS {
        rotate(&mut matrix, &mut axes, 0, 1);
        rotate(&mut matrix, &mut axes, 0, 2);
        rotate(&mut matrix, &mut axes, 1, 2);
    }
    let [x, y, z] = [matrix[0][0], matrix[1][1], matrix[2][2]];
    let largest = select(x.ge(y), axes[0], axes[1]);
    let largest = select(z.gt(x.max(y)), axes[2], largest);
    let smallest = select(y.le(x), axes[1], axes[0]);
    let smallest = select(z.le(x.min(y)), axes[2], smallest);
    [largest, smallest]
}

/// Makes `matrix[p][q]` zero by turning the frame in the plane of its axes p and q.
#[inline(always)]
fn rotate<F: F32x8>(matrix: &mut [[F; 3]; 3], axes: &mut [[F; 3]; 3], p: usize, q: usize) {
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    let entry = matrix[p][q];
    let present = entry.abs().gt(F::splat(1e-12));
    let entry = F::select(present, entry, one);
    // The smaller of the two angles, written so that nothing cancels.
    let theta = matrix[q][q].sub(matrix[p][p]).div(entry.add(entry));
    let sign = F::select(theta.lt(zero), F::splat(-1.0), one);
    let tangent = sign.div(theta.abs().add(theta.mul(theta).add(one).sqrt()));
    let tangent = F::select(present, tangent, zero);
    let cosine = one.div(tangent.mul(tangent).add(one).sqrt());
    let sine = tangent.mul(cosine);
    let r = 3 - p - q;
    // The entries of the plane change by the tangent, those beside it turn.
    let change = F::select(present, tangent.mul(entry), zero);
    matrix[p][p] = matrix[p][p].sub(change);
    matrix[q][q] = matrix[q][q].add(change);
    (matrix[p][q], matrix[q][p]) = (F::select(present, zero, matrix[p][q]), zero);
    matrix[q][p] = matrix[p][q];
    let (x, y) = (matrix[r][p], matrix[r][q]);
    matrix[r][p] = cosine.mul(x).sub(sine.mul(y));
    matrix[r][q] = sine.mul(x).add(cosine.mul(y));
    (matrix[p][r], matrix[q][r]) = (matrix[r][p], matrix[r][q]);
    for k in 0..3 {
        let (x, y) = (axes[p][k], axes[q][k]);
        axes[p][k] = cosine.mul(x).sub(sine.mul(y));
        axes[q][k] = sine.mul(x).add(cosine.mul(y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_simd::SimdFloat;
    use xcollide_simd::{Portable, Simd};

    type Lanes = <Portable as Simd>::F32x8;

    fn axes(entries: [f32; 6]) -> [[f32; 3]; 2] {
        let mut lanes = [Lanes::splat(0.0); 6];
        for k in 0..6 {
            lanes[k] = Lanes::splat(entries[k]);
        }
        let mut axes = [[0.0; 3]; 2];
        for (axis, lanes) in axes.iter_mut().zip(principal_axes(lanes)) {
            for k in 0..3 {
                axis[k] = lanes[k].to_array()[0];
            }
        }
        axes
    }

    fn dot(a: [f32; 3], b: [f32; 3]) -> f32 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// Of a box with these half sides along the rows of a frame, at any scale.
    #[test]
    fn a_slanted_plate_is_found() {
        let tilt = [[0.6, 0.8, 0.0], [-0.48, 0.36, 0.8], [0.64, -0.48, 0.6]];
        let sides: [f32; 3] = [3.0, 1.0, 0.1];
        for scale in [1.0, 1e-9, 1e9] {
            let entry = |i: usize, j: usize| {
                (0..3).map(|k| scale * sides[k] * sides[k] * tilt[k][i] * tilt[k][j]).sum::<f32>()
            };
            let [largest, smallest] = axes([
                entry(0, 0),
                entry(1, 1),
                entry(2, 2),
                entry(0, 1),
                entry(0, 2),
                entry(1, 2),
            ]);
            assert!(dot(largest, tilt[0]).abs() > 0.999, "{largest:?}");
            assert!(dot(smallest, tilt[2]).abs() > 0.999, "{smallest:?}");
        }
    }

    #[test]
    fn coincident_points_give_two_directions() {
        let [a, b] = axes([0.0; 6]);
        assert!(dot(a, b).abs() < 1e-6 && (dot(a, a) - 1.0).abs() < 1e-6);
        assert!((dot(b, b) - 1.0).abs() < 1e-6);
    }
}
