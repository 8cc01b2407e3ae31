//! Projection of a polygon on the coordinate plane in which it is largest (Zachmann 1994, 3.2.2).
//!
//! Dropping a coordinate is exact, so exact predicates in the projection hold for the polygon itself.

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
    /// The projection for a contour, by its Newell normal. Rounding of the normal may select a plane
    /// in which the polygon is slightly smaller than in the best one, which affects no sign.
    pub(crate) fn of_contour(positions: &[[f64; 3]], contour: &[VertexId]) -> Self {
        let normal = newell_normal(positions, contour);
        let dropped = if normal == [0.0; 3] {
            // A bow tie or a polygon without area: keep the two axes with the largest extents.
            let [low, high] = bounds(contour.iter().map(|vertex| positions[vertex.index()]));
            let extents = [0, 1, 2].map(|k| high[k] / 2.0 - low[k] / 2.0);
            (1..3).fold(0, |least, axis| if extents[axis] < extents[least] { axis } else { least })
        } else {
            largest_component(normal)
        };
        let (u, v) = ((dropped + 1) % 3, (dropped + 2) % 3);
        Self { axes: if normal[dropped] < 0.0 { [v, u] } else { [u, v] } }
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

pub(crate) fn bounds(points: impl Iterator<Item = [f64; 3]>) -> [[f64; 3]; 2] {
    points.fold([[f64::MAX; 3], [f64::MIN; 3]], |[low, high], p| {
        [[0, 1, 2].map(|k| low[k].min(p[k])), [0, 1, 2].map(|k| high[k].max(p[k]))]
    })
}

/// Drops a coordinate, keeping the orientation as seen from the positive end of that axis.
pub(crate) fn project(point: [f64; 3], axis: usize) -> Point2 {
    [point[(axis + 1) % 3], point[(axis + 2) % 3]]
}

pub(crate) fn largest_component(vector: [f64; 3]) -> usize {
    let size = vector.map(f64::abs);
    let larger = if size[1] > size[0] { 1 } else { 0 };
    if size[2] > size[larger] { 2 } else { larger }
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
