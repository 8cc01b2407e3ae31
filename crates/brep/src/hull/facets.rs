//! Merges coplanar triangles of a hull into its faces.

use xcollide_predicates::{Point, Sign, TrianglePlane};

use super::incremental::Facet;

/// The faces of the hull as strictly convex polygons, without vertices inside a face or an edge.
pub(super) fn polygons(points: &[Point], facets: &[Facet]) -> Vec<Vec<u32>> {
    let (face, face_count) = faces(points, facets);
    let is_border =
        |facet: usize, k: usize| face[facet] != face[facets[facet].neighbours[k] as usize];
    // A vertex of a polyhedron has edges in at least three directions; one with two border edges is
    // inside an edge.
    let mut degree = vec![0u32; points.len()];
    for (f, facet) in facets.iter().enumerate() {
        for k in (0..3).filter(|&k| is_border(f, k)) {
            degree[facet.corners[k] as usize] += 1;
        }
    }
    let mut polygons: Vec<Vec<u32>> = vec![Vec::new(); face_count];
    for f in 0..facets.len() {
        let polygon = &mut polygons[face[f] as usize];
        if !polygon.is_empty() {
            continue;
        }
        let Some(start) = (0..3).find(|&k| is_border(f, k)) else { continue };
        // Walks along the border: turns about the end of each edge to find the next one.
        let (mut at, mut k) = (f, start);
        loop {
            let corner = facets[at].corners[k];
            if degree[corner as usize] > 2 {
                polygon.push(corner);
            }
            k = (k + 1) % 3;
            while !is_border(at, k) {
                let pivot = facets[at].corners[k];
                at = facets[at].neighbours[k] as usize;
                k = facets[at].corners.iter().position(|&corner| corner == pivot).unwrap_or(0);
            }
            if (at, k) == (f, start) {
                break;
            }
        }
    }
    polygons
}

/// The face (a connected set of exactly coplanar facets) of each facet, and the number of faces.
fn faces(points: &[Point], facets: &[Facet]) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let mut face = vec![NONE; facets.len()];
    let mut count = 0;
    let mut stack = Vec::new();
    for first in 0..facets.len() {
        if face[first] != NONE {
            continue;
        }
        // One triangle's plane decides for the whole face.
        let triangle = facets[first].corners.map(|corner| points[corner as usize]);
        let plane = TrianglePlane::new(&triangle);
        face[first] = count;
        stack.push(first);
        while let Some(facet) = stack.pop() {
            for neighbour in facets[facet].neighbours {
                let neighbour = neighbour as usize;
                let corners = facets[neighbour].corners;
                let coplanar =
                    || corners.iter().all(|&c| plane.side(points[c as usize]) == Sign::Zero);
                if face[neighbour] == NONE && coplanar() {
                    face[neighbour] = count;
                    stack.push(neighbour);
                }
            }
        }
        count += 1;
    }
    (face, count as usize)
}
