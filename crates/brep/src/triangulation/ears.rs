//! Ear clipping with exact decisions, for polygons that the faster library does not tile.
//!
//! Source: Meisters, *Polygons have ears*, 1975: a polygon of more than three corners has two corners
//! that a diagonal cuts off; this also holds with straight corners and with slits from bridges.

use xcollide_predicates::{Sign, orient2d};

use crate::VertexId;
use crate::diagonal::{Corner, blocks, enters};

/// Cuts a counter-clockwise contour that does not cross itself into triangles. If no ear is found, which
/// means that the contour crosses itself, returns false and leaves `triangles` unchanged. Usually takes
/// n² steps; gives up after 64 n².
pub(super) fn clip_ears(contour: &[Corner], triangles: &mut Vec<[VertexId; 3]>) -> bool {
    let start = triangles.len();
    let mut ring = contour.to_vec();
    // Edges without length have no direction. The caller closes the gaps.
    ring.dedup_by_key(|corner| corner.point);
    while ring.len() > 1 && ring[0].point == ring[ring.len() - 1].point {
        ring.pop();
    }
    let mut tries_left = 64 * ring.len();
    let (mut i, mut failures) = (0, 0);
    while ring.len() > 3 {
        if failures >= ring.len() || tries_left == 0 {
            triangles.truncate(start);
            return false;
        }
        tries_left -= 1;
        let n = ring.len();
        let (before, after) = ((i + n - 1) % n, (i + 1) % n);
        if is_ear(&ring, i) {
            triangles.push([ring[before], ring[i], ring[after]].map(|corner| corner.vertex));
            ring.remove(i);
            // Continues after the next corner, so that not all triangles share this one.
            i = (i + 1) % ring.len();
            failures = 0;
        } else {
            i = after;
            failures += 1;
        }
    }
    if let [a, b, c] = ring[..] {
        triangles.push([a, b, c].map(|corner| corner.vertex));
    }
    true
}

fn is_ear(ring: &[Corner], i: usize) -> bool {
    let n = ring.len();
    let at = |offset: usize| ring[(i + n + offset - 2) % n].point;
    let [far_a, a, tip, b, far_b] = [at(0), at(1), at(2), at(3), at(4)];
    orient2d(a, tip, b) == Sign::Positive
        && enters(far_a, a, tip, b)
        && enters(tip, b, far_b, a)
        && (0..n).all(|j| !blocks(ring[j].point, ring[(j + 1) % n].point, a, b))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(points: &[[i32; 2]]) -> Vec<Corner> {
        let point = |p: &[i32; 2]| p.map(f64::from);
        (0..).zip(points).map(|(i, p)| Corner { vertex: VertexId(i), point: point(p) }).collect()
    }

    /// Twice the areas of the triangles.
    fn areas(points: &[[i32; 2]], triangles: &[[VertexId; 3]]) -> Vec<i32> {
        let at = |vertex: VertexId| points[vertex.index()];
        let area = |[a, b, c]: [[i32; 2]; 3]| {
            (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        };
        triangles.iter().map(|&triangle| area(triangle.map(at))).collect()
    }

    #[test]
    fn contours_with_slits_and_straight_corners_are_tiled() {
        // A spiral; a square with a bridged hole; a triangle with corners along its edges.
        let spiral: &[[i32; 2]] = &[
            [0, 0],
            [9, 0],
            [9, 9],
            [2, 9],
            [2, 3],
            [6, 3],
            [6, 6],
            [4, 6],
            [4, 5],
            [5, 5],
            [5, 4],
            [3, 4],
            [3, 8],
            [8, 8],
            [8, 1],
            [0, 1],
        ];
        let bridged: &[[i32; 2]] =
            &[[0, 0], [2, 2], [2, 4], [4, 4], [4, 2], [2, 2], [0, 0], [6, 0], [6, 6], [0, 6]];
        let straight: &[[i32; 2]] = &[[0, 0], [1, 0], [2, 0], [4, 0], [2, 2], [0, 4], [0, 1]];
        for points in [spiral, bridged, straight] {
            let mut triangles = Vec::new();
            assert!(clip_ears(&corners(points), &mut triangles));
            assert_eq!(triangles.len(), points.len() - 2);
            let areas = areas(points, &triangles);
            assert!(areas.iter().all(|&area| area > 0), "{areas:?}");
            let whole: i32 = (0..points.len())
                .map(|i| (points[i], points[(i + 1) % points.len()]))
                .map(|(p, q)| p[0] * q[1] - p[1] * q[0])
                .sum();
            assert_eq!(areas.iter().sum::<i32>(), whole);
        }
    }

    #[test]
    fn what_crosses_itself_is_given_up() {
        let mut triangles = vec![[VertexId(7); 3]];
        let pentagram = [[0, 10], [-6, -8], [10, 3], [-10, 3], [6, -8]];
        assert!(!clip_ears(&corners(&pentagram), &mut triangles));
        assert_eq!(triangles, [[VertexId(7); 3]]);
    }
}
