//! Neighbours of triangles, by sorting the half-edges of a mesh.

/// No neighbour.
pub(super) const NONE: u32 = u32::MAX;

/// For each triangle the neighbours across the edges that start at its three corners. O(n log n).
///
/// Two triangles are neighbours if exactly these two share an edge, in opposite directions. An edge from a
/// vertex to itself joins nothing.
pub(super) fn neighbours(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    // (both ends, the smaller first; half-edge: three times the triangle, plus the corner).
    let mut edges: Vec<(u64, u32)> = Vec::with_capacity(3 * triangles.len());
    for (triangle, corners) in triangles.iter().enumerate() {
        for corner in 0..3 {
            let (from, to) = (corners[corner], corners[(corner + 1) % 3]);
            if from != to {
                let ends = u64::from(from.min(to)) << 32 | u64::from(from.max(to));
                edges.push((ends, (3 * triangle + corner) as u32));
            }
        }
    }
    edges.sort_unstable();
    let mut across = vec![[NONE; 3]; triangles.len()];
    let start = |half_edge: u32| triangles[half_edge as usize / 3][half_edge as usize % 3];
    for shared in edges.chunk_by(|(ends, _), (others, _)| ends == others) {
        if let [(_, first), (_, second)] = *shared
            && start(first) != start(second)
        {
            for (own, other) in [(first, second), (second, first)] {
                across[own as usize / 3][own as usize % 3] = other / 3;
            }
        }
    }
    across
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_triangles_that_agree_on_an_edge_are_neighbours() {
        let fold = [[0, 1, 2], [2, 1, 3]];
        assert_eq!(neighbours(&fold), [[NONE, 1, NONE], [0, NONE, NONE]]);
        let turned = [[0, 1, 2], [1, 2, 3]];
        assert_eq!(neighbours(&turned), [[NONE; 3]; 2]);
        let three = [[0, 1, 2], [2, 1, 3], [4, 2, 1]];
        assert_eq!(neighbours(&three), [[NONE; 3]; 3]);
        let needle = [[0, 1, 1], [1, 0, 0]];
        assert_eq!(neighbours(&needle), [[NONE; 3]; 2], "each has the edge twice");
    }
}
