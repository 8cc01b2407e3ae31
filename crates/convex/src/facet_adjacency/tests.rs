use xcollide_brep::{ConvexHull, Dcel, EdgeId, HalfEdgeId, VertexId};
use xcollide_scenes::Random;

use super::*;

/// Numbers and orders are those of the general half-edge structure.
#[test]
fn hulls_are_seen_as_by_the_general_structure() {
    let mut random = Random::new(3);
    for round in 0..300 {
        let count = 1 + round / 4;
        let flat = [1.0, 1.0, 0.0, 1.0][round % 4];
        let mut point = || [(); 3].map(|()| random.between(-4.0, 4.0).round());
        let points: Vec<[f64; 3]> = (0..count).map(|_| point()).collect();
        let points: Vec<_> = points.iter().map(|p| [p[0], p[1], flat * p[2]]).collect();
        let hull = ConvexHull::of(&points).unwrap();
        let mesh = hull.mesh();
        let loops = mesh.faces().map(|face| face.outer().iter().map(|v| v.0).collect());
        let facets = Facets::new::<Vec<u32>>(loops);
        assert_eq!(facets.dimension(), hull.dimension());
        let adjacency = FacetAdjacency::new(mesh.vertex_count(), &facets).unwrap();
        let dcel = Dcel::new(mesh);
        for vertex in 0..mesh.vertex_count() as u32 {
            let neighbours = dcel.vertex_neighbours(VertexId(vertex)).map(|v| v.0);
            let neighbours: Vec<u32> = neighbours.filter(|&v| v != vertex).collect();
            assert_eq!(adjacency.neighbours(vertex).collect::<Vec<_>>(), neighbours);
            let leaving: Vec<u32> =
                dcel.half_edges_at(VertexId(vertex)).iter().map(|h| h.0).collect();
            assert_eq!(adjacency.half_edges_at(vertex).collect::<Vec<_>>(), leaving);
        }
        if hull.dimension() == 0 {
            continue;
        }
        let sides: Vec<u32> = dcel.edges().map(|edge| dcel.first_side(edge).0).collect();
        assert_eq!(adjacency.first_sides().collect::<Vec<_>>(), sides);
        for h in (0..dcel.half_edge_count() as u32).map(HalfEdgeId) {
            assert_eq!(Some(HalfEdgeId(adjacency.twin(h.0))), dcel.twin(h));
            assert_eq!(EdgeId(adjacency.edge(h.0)), dcel.edge(h));
            assert_eq!(adjacency.facet(h.0), dcel.face(h).0);
            assert_eq!(adjacency.origin(h.0), dcel.origin(h).0);
            assert_eq!(adjacency.target(h.0), dcel.target(h).0);
        }
    }
}

#[test]
fn what_is_not_closed_is_refused() {
    let refused =
        |vertices, facets: &[&[u32]]| FacetAdjacency::new(vertices, &Facets::new(facets)).err();
    let tetrahedron: [&[u32]; 4] = [&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]];
    assert_eq!(refused(4, &tetrahedron), None);
    assert_eq!(refused(5, &tetrahedron), Some(PolytopeError::UnusedVertex { vertex: 4 }));
    assert_eq!(refused(3, &tetrahedron), Some(PolytopeError::UnknownVertex { vertex: 3 }));
    let open = &tetrahedron[..3];
    assert_eq!(refused(4, open), Some(PolytopeError::NotClosed { ends: [0, 2] }));
    assert_eq!(
        refused(3, &[&[0, 1, 2], &[0, 1, 2]]),
        Some(PolytopeError::NotClosed { ends: [0, 1] })
    );
}
