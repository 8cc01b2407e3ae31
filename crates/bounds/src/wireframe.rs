//! Volumes as lines, for pictures. Numbers are rounded to nearest, not outward.

use crate::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_math::vector::{cross, dot};

/// A volume that can be drawn.
///
/// ```
/// use xcollide_bounds::{Aabb, BoundingVolume, KDop, Wireframe};
///
/// let corners = [[0.0; 3], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
/// assert_eq!(Aabb::fit(&corners).wireframe().len(), 12);
/// // The slab across x + y ends at the triangle's third side.
/// assert_eq!(KDop::<18>::fit(&corners).wireframe().len(), 3);
/// assert!(Aabb::EMPTY.wireframe().is_empty());
/// ```
pub trait Wireframe {
    /// The lines, each by its two ends, in a fixed order; none for an empty volume.
    fn wireframe(&self) -> Vec<[[f64; 3]; 2]>;
}

/// The twelve edges, those along the first axis first.
impl Wireframe for Aabb {
    fn wireframe(&self) -> Vec<[[f64; 3]; 2]> {
        if self.is_empty() {
            return Vec::new();
        }
        let ends = [self.min, self.max];
        edges(|bits| [0, 1, 2].map(|axis| ends[bits >> axis & 1][axis]))
    }
}

/// The twelve edges, those along the first axis first.
impl Wireframe for Obb {
    fn wireframe(&self) -> Vec<[[f64; 3]; 2]> {
        if self.is_empty() {
            return Vec::new();
        }
        edges(|bits| {
            (0..3).fold(self.center, |at, axis| {
                let step = if bits >> axis & 1 == 0 { -self.half[axis] } else { self.half[axis] };
                [0, 1, 2].map(|k| at[k] + step * self.axes[axis][k])
            })
        })
    }
}

/// The edges of the polyhedron, each once. O(N³).
impl<const N: usize> Wireframe for KDop<N> {
    fn wireframe(&self) -> Vec<[[f64; 3]; 2]> {
        if self.is_empty() {
            return Vec::new();
        }
        let center = self.center();
        let planes = Self::directions();
        // Relative to the center, so that magnitudes are those of the volume.
        let heights: [f64; N] = std::array::from_fn(|i| self.reach[i] - dot(planes[i], center));
        let size = heights.iter().fold(0.0, |most: f64, &height| most.max(height));
        let mut found: Vec<[[f64; 3]; 2]> = Vec::new();
        for i in 0..N {
            for j in i + 1..N {
                let Some(edge) = edge_of(&planes, &heights, [i, j], 1e-11 * size) else { continue };
                let close =
                    |p: [f64; 3], q: [f64; 3]| (0..3).all(|k| (p[k] - q[k]).abs() <= 1e-9 * size);
                // Several pairs of planes may have the same edge.
                let is_there = found.iter().any(|[p, q]| {
                    close(*p, edge[0]) && close(*q, edge[1])
                        || close(*p, edge[1]) && close(*q, edge[0])
                });
                if !is_there {
                    found.push(edge);
                }
            }
        }
        found.iter().map(|edge| edge.map(|end| [0, 1, 2].map(|k| end[k] + center[k]))).collect()
    }
}

/// Three great circles around the axes, as polygons of 24 sides.
impl Wireframe for Sphere {
    fn wireframe(&self) -> Vec<[[f64; 3]; 2]> {
        if self.is_empty() {
            return Vec::new();
        }
        let corner = |axis: usize, step: usize| {
            let mut at = self.center;
            at[(axis + 1) % 3] += self.radius * cosine(step);
            at[(axis + 2) % 3] += self.radius * cosine(step + 18);
            at
        };
        let side = |axis, step| [corner(axis, step), corner(axis, step + 1)];
        (0..3).flat_map(|axis| (0..24).map(move |step| side(axis, step))).collect()
    }
}

/// The edges of a box given by its eight corners.
fn edges(corner: impl Fn(usize) -> [f64; 3]) -> Vec<[[f64; 3]; 2]> {
    let along = |axis: usize| (0..8).filter(move |bits| bits >> axis & 1 == 0);
    (0..3)
        .flat_map(|axis| along(axis).map(move |bits| [bits, bits | 1 << axis]))
        .map(|ends| ends.map(&corner))
        .collect()
}

/// The intersection of two planes and all half-spaces, if it is a segment.
fn edge_of(
    planes: &[[f64; 3]],
    heights: &[f64],
    [i, j]: [usize; 2],
    tolerance: f64,
) -> Option<[[f64; 3]; 2]> {
    // Directions are integers, so the cross product of parallel ones is exactly 0.
    let along = cross(planes[i], planes[j]);
    let square = dot(along, along);
    if square == 0.0 {
        return None;
    }
    let (u, v) = (cross(planes[j], along), cross(along, planes[i]));
    let foot = [0, 1, 2].map(|k| (heights[i] * u[k] + heights[j] * v[k]) / square);
    let (mut start, mut end) = (f64::NEG_INFINITY, f64::INFINITY);
    for (plane, height) in planes.iter().zip(heights) {
        let slope = dot(*plane, along);
        let room = height - dot(*plane, foot) + tolerance;
        if slope > 0.0 {
            end = end.min(room / slope);
        } else if slope < 0.0 {
            start = start.max(room / slope);
        } else if room < 0.0 {
            return None;
        }
    }
    // A segment within the tolerance is a corner, not an edge.
    (end - start > 8.0 * tolerance)
        .then(|| [start, end].map(|t| [0, 1, 2].map(|k| foot[k] + t * along[k])))
}

/// The cosine of `step` times 15°, from constants, so that it is the same on every platform.
fn cosine(step: usize) -> f64 {
    const QUARTER: [f64; 7] = [
        1.0,
        0.965_925_826_289_068_3,
        0.866_025_403_784_438_6,
        std::f64::consts::FRAC_1_SQRT_2,
        0.5,
        0.258_819_045_102_520_74,
        0.0,
    ];
    match step % 24 {
        step @ 0..=6 => QUARTER[step],
        step @ 7..=12 => -QUARTER[12 - step],
        step @ 13..=18 => -QUARTER[step - 12],
        step => QUARTER[24 - step],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn length([p, q]: &[[f64; 3]; 2]) -> f64 {
        let d = [0, 1, 2].map(|k| p[k] - q[k]);
        dot(d, d).sqrt()
    }

    #[test]
    fn a_box_has_twelve_edges_whichever_kind_it_is() {
        let aabb = Aabb::new([0.0; 3], [1.0, 2.0, 3.0]);
        let corners: Vec<[f64; 3]> = aabb.wireframe().into_iter().flatten().collect();
        let kinds =
            [aabb.wireframe(), Obb::from(aabb).wireframe(), KDop::<6>::fit(&corners).wireframe()];
        for edges in kinds {
            assert_eq!(edges.len(), 12);
            assert!((edges.iter().map(length).sum::<f64>() - 24.0).abs() < 1e-9);
            assert!(edges.iter().flatten().all(|end| aabb.expanded(1e-9).contains(*end)));
        }
    }

    /// Corners are where at least three planes meet, and edges bound a polyhedron: Euler's formula.
    #[test]
    fn edges_of_a_k_dop_are_those_of_a_polyhedron() {
        // A ball about a place off the origin, by points that no symmetry has.
        let points: Vec<[f64; 3]> = (0..200)
            .map(|i| {
                let spread = |k: f64| (f64::from(i) * k).rem_euclid(1.0) - 0.5;
                let p = [spread(0.618_033), spread(0.754_877), spread(0.569_84)];
                let scale = 1.0 / dot(p, p).sqrt();
                [5.0 + scale * p[0], scale * p[1], scale * p[2] - 2.0]
            })
            .collect();
        let dop = KDop::<18>::fit(&points);
        let edges = dop.wireframe();
        let mut corners: Vec<[f64; 3]> = Vec::new();
        for end in edges.iter().flatten() {
            assert!(dop.expanded(1e-8).contains(*end));
            if !corners.iter().any(|p| length(&[*p, *end]) < 1e-8) {
                corners.push(*end);
            }
        }
        let touching = |p: &[f64; 3]| {
            let planes = KDop::<18>::directions();
            (0..18).filter(|&i| (dot(planes[i], *p) - dop.reach()[i]).abs() < 1e-8).count()
        };
        assert!(corners.iter().all(|p| touching(p) >= 3));
        let faces = 18;
        assert_eq!(corners.len() + faces, edges.len() + 2, "Euler: V + F = E + 2");
    }

    #[test]
    fn a_flat_k_dop_has_each_edge_once() {
        let edges = KDop::<18>::fit(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).wireframe();
        assert_eq!(edges.len(), 3, "{edges:?}");
    }

    #[test]
    fn circles_lie_on_the_sphere() {
        let sphere = Sphere { center: [1.0, 2.0, 3.0], radius: 2.0 };
        let lines = sphere.wireframe();
        assert_eq!(lines.len(), 72);
        for end in lines.iter().flatten() {
            assert!((length(&[*end, sphere.center]) - 2.0).abs() < 1e-12);
        }
        for circle in lines.chunks(24) {
            let next = circle.iter().cycle().skip(1);
            assert!(circle.iter().zip(next).all(|(one, next)| length(&[one[1], next[0]]) < 1e-12));
        }
    }
}
