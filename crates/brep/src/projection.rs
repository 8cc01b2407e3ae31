//! Projection of a polygon on the coordinate plane in which it is largest.
//!
//! Dropping a coordinate is exact, so exact predicates in the projection hold for the polygon itself.
//! Source: thesis section 3.2.2.

use xcollide_predicates::Point2;

use crate::VertexId;

/// Drops the coordinate of the largest normal component and orders the other two so that the polygon
/// runs counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Projection {
    /// The coordinates that become x and y.
    axes: [usize; 2],
}

impl Projection {
    /// The projection for a contour, by its Newell normal. The normal is rounded: the chosen plane may
    /// show the polygon slightly smaller, but never decides a sign wrongly.
    pub(crate) fn of_contour(positions: &[[f64; 3]], contour: &[VertexId]) -> Self {
        let normal = newell_normal(positions, contour);
        let mut largest = 0;
        if normal == [0.0; 3] {
            // A bow tie, or a polygon without area: use the two largest extents.
            let extents = extents(positions, contour);
            for axis in 1..3 {
                if extents[axis] < extents[largest] {
                    largest = axis;
                }
            }
        } else {
            for axis in 1..3 {
                if normal[axis].abs() > normal[largest].abs() {
                    largest = axis;
                }
            }
        }
        let (u, v) = ((largest + 1) % 3, (largest + 2) % 3);
        Self { axes: if normal[largest] < 0.0 { [v, u] } else { [u, v] } }
    }

    pub(crate) fn apply(self, point: [f64; 3]) -> Point2 {
        [point[self.axes[0]], point[self.axes[1]]]
    }
}

/// Twice the vector area of a contour, in units that keep it in range: coordinates are scaled by a
/// power of two to at most 2 and taken relative to the first corner.
pub(crate) fn newell_normal(positions: &[[f64; 3]], contour: &[VertexId]) -> [f64; 3] {
    let scale = unit_scale(contour.iter().map(|vertex| positions[vertex.index()]));
    let origin = positions[contour[0].index()].map(|x| x * scale);
    let local = |vertex: VertexId| {
        let p = positions[vertex.index()];
        [p[0] * scale - origin[0], p[1] * scale - origin[1], p[2] * scale - origin[2]]
    };
    let mut normal = [0.0; 3];
    let mut p = local(contour[contour.len() - 1]);
    for &vertex in contour {
        let q = local(vertex);
        for axis in 0..3 {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            normal[axis] += p[u] * q[v] - p[v] * q[u];
        }
        p = q;
    }
    normal
}

fn extents(positions: &[[f64; 3]], contour: &[VertexId]) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let along = || contour.iter().map(|vertex| positions[vertex.index()][axis] / 2.0);
        along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min)
    })
}

/// The power of two that brings the largest coordinate into [1, 2), exactly; 1 if all are zero.
/// Multiplying by it rounds only subnormal results, 2⁵² times smaller than the largest.
pub(crate) fn unit_scale(points: impl IntoIterator<Item = [f64; 3]>) -> f64 {
    let largest = points.into_iter().flatten().fold(0.0, |max: f64, x| max.max(x.abs()));
    if largest == 0.0 {
        return 1.0;
    }
    let exponent = largest.to_bits() >> 52;
    // 2^(1023 − e) has the biased exponent 2046 − e; both ends of the range are kept normal.
    f64::from_bits((2046 - exponent).clamp(1, 2046) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_polygon_runs_counter_clockwise_at_every_scale() {
        for scale in [1.0, 1e-300, 1e150, 1e300, 5e-324] {
            for axis in 0..3 {
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                let at = |x: f64, y: f64| {
                    let mut p = [scale; 3];
                    (p[u], p[v]) = (x * scale, y * scale);
                    p
                };
                let positions = [at(0.0, 0.0), at(1.0, 0.0), at(0.0, 1.0)];
                let forward = [0, 1, 2].map(VertexId);
                let backward = [0, 2, 1].map(VertexId);
                assert_eq!(Projection::of_contour(&positions, &forward).axes, [u, v]);
                assert_eq!(Projection::of_contour(&positions, &backward).axes, [v, u]);
            }
        }
    }

    #[test]
    fn the_unit_scale_is_a_power_of_two() {
        for largest in [f64::MAX, 1e150, 3.0, 2.0, 1.0, 0.1, 1e-300, f64::MIN_POSITIVE] {
            let scale = unit_scale([[0.0, -largest, largest / 2.0]]);
            assert!((1.0..2.0).contains(&(largest * scale)) || largest == f64::MAX);
            assert!(largest * scale < 4.0);
            assert_eq!(scale.to_bits() << 12, 0);
        }
        assert_eq!(unit_scale([[0.0; 3]]), 1.0);
        assert!(unit_scale([[5e-324; 3]]) > 1e300);
    }
}
