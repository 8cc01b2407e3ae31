//! Volume and surface of the polyhedron that a k-DOP is.

use crate::{BoundingVolume, KDop};

/// Volume and surface up to a relative 1e-12: the areas of the faces, and the pyramids over them.
///
/// A face is computed in two dimensions. A direction b has a component of ±1; solving its plane for that
/// coordinate turns every other plane into a half-plane of the two others, and the area of the face is |b|
/// times that of its projection.
pub(crate) fn measures<const N: usize>(dop: &KDop<N>) -> (f64, f64) {
    let center = dop.center();
    let half = N / 2;
    let directions = KDop::<N>::directions();
    let size: f64 = (0..3).map(|i| dop.reach[i] + dop.reach[i + half]).sum();
    // Distances of the planes from the center, times the lengths of the directions.
    let mut heights = [0.0; N];
    for i in 0..N {
        let [x, y, z] = [0, 1, 2].map(|k| directions[i][k] * center[k]);
        heights[i] = dop.reach[i] - (x + y + z);
    }
    let (mut volume, mut surface) = (0.0, 0.0);
    for i in 0..N {
        let b = directions[i];
        let solved = (0..3).find(|&k| b[k] != 0.0).unwrap_or(0);
        let [u, v] = [[1, 2], [0, 2], [0, 1]][solved];
        let mut shadow =
            Polygon::rectangle([heights[u], heights[v]], [heights[u + half], heights[v + half]]);
        for j in 0..N {
            if j == i {
                continue;
            }
            let c = directions[j];
            let share = c[solved] * b[solved];
            let normal = [c[u] - share * b[u], c[v] - share * b[v]];
            shadow.clip(normal, heights[j] - share * heights[i] + 1e-14 * size);
            if shadow.count == 0 {
                break;
            }
        }
        let length_squared = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
        let area = shadow.area();
        surface += area * length_squared.sqrt();
        // The area lacks a factor of |b|, and the height has one too many.
        volume += area * heights[i] / 3.0;
    }
    (volume.max(0.0), surface)
}

/// The rectangle has four corners, and each of 25 cuts adds at most one.
const CORNERS: usize = 32;

/// A convex polygon in the plane.
struct Polygon {
    corners: [[f64; 2]; CORNERS],
    count: usize,
}

impl Polygon {
    fn rectangle(high: [f64; 2], low: [f64; 2]) -> Self {
        let mut corners = [[0.0; 2]; CORNERS];
        corners[..4].copy_from_slice(&[
            [-low[0], -low[1]],
            [high[0], -low[1]],
            [high[0], high[1]],
            [-low[0], high[1]],
        ]);
        Self { corners, count: 4 }
    }

    /// Cuts off what lies beyond a line.
    fn clip(&mut self, normal: [f64; 2], height: f64) {
        let above = |p: [f64; 2]| normal[0] * p[0] + normal[1] * p[1] - height;
        if self.corners[..self.count].iter().all(|p| above(*p) <= 0.0) {
            return;
        }
        let (mut corners, mut count) = ([[0.0; 2]; CORNERS], 0);
        for i in 0..self.count {
            let (p, q) = (self.corners[i], self.corners[(i + 1) % self.count]);
            let (a, b) = (above(p), above(q));
            if a <= 0.0 && count < CORNERS {
                corners[count] = p;
                count += 1;
            }
            if ((a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0)) && count < CORNERS {
                let share = a / (a - b);
                corners[count] = [0, 1].map(|k| p[k] + share * (q[k] - p[k]));
                count += 1;
            }
        }
        (self.corners, self.count) = (corners, count);
    }

    fn area(&self) -> f64 {
        let corners = &self.corners[..self.count];
        let mut doubled = 0.0;
        for pair in corners.windows(2).skip(1) {
            let [p, q] = [pair[0], pair[1]].map(|p| [p[0] - corners[0][0], p[1] - corners[0][1]]);
            doubled += p[0] * q[1] - p[1] * q[0];
        }
        0.5 * doubled.abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around a cube with corners cut so deep that an octahedron remains: 4/3 and 4√3 for the
    /// unit octahedron.
    #[test]
    fn the_octahedron_has_its_volume_and_surface() {
        let corners = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
        let corners = corners.map(|p: [i8; 3]| p.map(f64::from));
        let dop = KDop::<14>::fit(&corners);
        assert!((dop.volume() - 4.0 / 3.0).abs() < 1e-11);
        assert!((dop.surface() - 4.0 * 3.0_f64.sqrt()).abs() < 1e-11);
        let dop = KDop::<26>::fit(&corners);
        assert!((dop.volume() - 4.0 / 3.0).abs() < 1e-11);
    }

    #[test]
    fn boxes_and_flat_boxes_have_theirs() {
        let dop = KDop::<6>::fit(&[[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]);
        assert!((dop.volume() - 6.0).abs() < 1e-11 && (dop.surface() - 22.0).abs() < 1e-11);
        let corners = [[0.0, 0.0, 5.0], [2.0, 0.0, 5.0], [0.0, 3.0, 5.0], [2.0, 3.0, 5.0]];
        let flat = KDop::<18>::fit(&corners);
        assert!(flat.volume() < 1e-11 && (flat.surface() - 12.0).abs() < 1e-9);
    }

    /// The 18-DOP of a rhombic dodecahedron's corners is that body: volume 16 for corners
    /// (±1, ±1, ±1) and (±2, 0, 0) and so on.
    #[test]
    fn the_rhombic_dodecahedron_has_its_volume() {
        let mut corners = Vec::new();
        for bits in 0..8 {
            corners.push([0, 1, 2].map(|k| if bits >> k & 1 == 0 { 1.0 } else { -1.0 }));
        }
        for k in 0..3 {
            for s in [2.0, -2.0] {
                let mut p = [0.0; 3];
                p[k] = s;
                corners.push(p);
            }
        }
        assert!((KDop::<18>::fit(&corners).volume() - 16.0).abs() < 1e-11);
    }
}
