//! Guarantees of the half-edge structure, on named shapes and on random soups, against brute force: sides
//! of edges in a `BTreeMap`, corners at a vertex joined by comparing all pairs.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use xcollide_brep::{Dcel, EdgeId, FaceId, HalfEdgeId, MeshError, PolygonMesh, VertexId};

type Outcome = Result<(), MeshError>;

fn topology_only(vertices: usize, faces: &[&[u32]]) -> Result<PolygonMesh, MeshError> {
    PolygonMesh::from_polygons(vec![[0.0; 3]; vertices], faces.iter().copied())
}

const CUBE: [&[u32]; 6] =
    [&[0, 3, 2, 1], &[4, 5, 6, 7], &[0, 1, 5, 4], &[1, 2, 6, 5], &[2, 3, 7, 6], &[3, 0, 4, 7]];

#[test]
fn a_cube_has_twelve_edges_and_three_faces_round_every_corner() -> Outcome {
    let dcel = Dcel::new(&topology_only(8, &CUBE)?);
    assert_eq!((dcel.vertex_count(), dcel.edge_count(), dcel.face_count()), (8, 12, 6));
    assert_eq!(dcel.half_edge_count(), 24);
    for half_edge in dcel.half_edges() {
        let twin = dcel.twin(half_edge);
        assert!(twin.is_some_and(|twin| dcel.twin(twin) == Some(half_edge)));
        assert!(twin.is_some_and(|twin| !dcel.runs_like(twin, half_edge)));
    }
    for vertex in (0..8).map(VertexId) {
        assert_eq!(dcel.fans(vertex).count(), 1);
        assert!(dcel.fans(vertex).all(|fan| fan.is_ring() && fan.half_edges().len() == 3));
        assert_eq!(dcel.vertex_neighbours(vertex).count(), 3);
    }
    for face in (0..6).map(FaceId) {
        let neighbours: BTreeSet<FaceId> = dcel.face_neighbours(face).collect();
        assert_eq!(neighbours.len(), 4, "all faces but itself and the opposite one");
    }
    Ok(())
}

#[test]
fn a_walk_round_a_vertex_is_rotational_and_starts_at_the_boundary() -> Outcome {
    // A fan of four triangles round vertex 0, open between 5 and 1, given in no order.
    let mesh = topology_only(6, &[&[0, 3, 4], &[0, 1, 2], &[4, 5, 0], &[2, 3, 0]])?;
    let dcel = Dcel::new(&mesh);
    let neighbours: Vec<u32> = dcel.vertex_neighbours(VertexId(0)).map(u32::from).collect();
    assert_eq!(neighbours, [1, 2, 3, 4, 5]);
    let faces: Vec<u32> = dcel.vertex_faces(VertexId(0)).map(u32::from).collect();
    assert_eq!(faces, [1, 3, 0, 2]);
    assert!(dcel.fans(VertexId(0)).all(|fan| !fan.is_ring()));
    Ok(())
}

#[test]
fn a_wrongly_oriented_neighbour_is_walked_across() -> Outcome {
    // The same fan; the faces 1 and 3 run the other way.
    for faces in [
        [[0, 1, 2], [0, 3, 2], [0, 3, 4], [0, 4, 5]],
        [[0, 2, 1], [0, 2, 3], [0, 4, 3], [0, 4, 5]],
        [[0, 2, 1], [0, 3, 2], [0, 4, 3], [0, 5, 4]],
        [[0, 2, 1], [0, 2, 3], [0, 3, 4], [0, 5, 4]],
    ] {
        let dcel = Dcel::new(&PolygonMesh::from_polygons(vec![[0.0; 3]; 6], faces)?);
        let mut neighbours: Vec<u32> = dcel.vertex_neighbours(VertexId(0)).map(u32::from).collect();
        if neighbours[0] == 5 {
            neighbours.reverse();
        }
        assert_eq!(neighbours, [1, 2, 3, 4, 5], "{faces:?}");
        assert_eq!(dcel.fans(VertexId(0)).count(), 1);
    }
    Ok(())
}

#[test]
fn surfaces_that_meet_in_a_vertex_are_fans_of_it() -> Outcome {
    // A ring of three faces and a single face that touches its middle.
    let dcel = Dcel::new(&topology_only(6, &[&[0, 1, 2], &[0, 2, 3], &[0, 4, 5], &[0, 3, 1]])?);
    let mut fans: Vec<(bool, usize)> =
        dcel.fans(VertexId(0)).map(|fan| (fan.is_ring(), fan.half_edges().len())).collect();
    fans.sort_unstable();
    assert_eq!(fans, [(false, 1), (true, 3)]);
    assert_eq!(dcel.vertex_edges(VertexId(0)).count(), 5);
    Ok(())
}

#[test]
fn three_pages_of_a_book_share_an_edge_and_none_has_a_twin_there() -> Outcome {
    let dcel = Dcel::new(&topology_only(5, &[&[0, 1, 2], &[0, 1, 3], &[1, 0, 4]])?);
    let spine = dcel.edge(HalfEdgeId(0));
    assert_eq!(dcel.ends(spine), [VertexId(0), VertexId(1)]);
    let pages: Vec<u32> = dcel.sides(spine).map(|side| dcel.face(side).0).collect();
    assert_eq!(pages, [0, 1, 2]);
    assert!(dcel.sides(spine).all(|side| dcel.twin(side).is_none()));
    assert_eq!(dcel.fans(VertexId(0)).count(), 3, "each page is a fan of its own");
    assert_eq!(dcel.vertex_neighbours(VertexId(0)).count(), 4);
    Ok(())
}

#[test]
fn a_face_with_holes_is_one_face_of_several_contours() -> Outcome {
    let mut mesh = topology_only(10, &[&[0, 1, 2, 3]])?;
    mesh.push_face_with_holes(&[3, 2, 1, 0], &[&[4, 5, 6], &[7, 8, 9]])?;
    let dcel = Dcel::new(&mesh);
    assert_eq!((dcel.face_count(), dcel.contour_count()), (2, 4));
    let of_face: Vec<u32> = dcel.half_edges_of(FaceId(1)).map(u32::from).collect();
    assert_eq!(of_face, (4..14).collect::<Vec<_>>());
    let hole: Vec<u32> = dcel.contour(HalfEdgeId(9)).map(u32::from).collect();
    assert_eq!(hole, [9, 10, 8]);
    assert!(dcel.half_edges_of(FaceId(1)).all(|half_edge| dcel.face(half_edge) == FaceId(1)));
    Ok(())
}

#[test]
fn faces_of_one_and_two_corners_and_edges_to_nowhere_are_held() -> Outcome {
    let dcel = Dcel::new(&topology_only(4, &[&[0], &[1, 2], &[3, 3, 1]])?);
    assert_eq!(dcel.half_edge_count(), 6);
    assert_eq!(dcel.next(HalfEdgeId(0)), HalfEdgeId(0));
    assert!(dcel.is_degenerate(dcel.edge(HalfEdgeId(0))));
    assert_eq!(dcel.twin(HalfEdgeId(1)), Some(HalfEdgeId(2)), "both sides of the two-gon");
    assert_eq!(dcel.vertex_neighbours(VertexId(0)).count(), 0);
    assert_eq!(dcel.vertex_neighbours(VertexId(3)).collect::<Vec<_>>(), [VertexId(1)]);
    assert_eq!(dcel.fans(VertexId(3)).count(), 1, "an edge to nowhere parts nothing");
    Ok(())
}

#[test]
fn an_empty_mesh_has_nothing_to_walk() {
    let dcel = Dcel::new(&PolygonMesh::new());
    assert_eq!((dcel.half_edge_count(), dcel.edge_count(), dcel.face_count()), (0, 0, 0));
    assert_eq!(dcel.contour_count(), 0);
    assert_eq!(dcel.heap_bytes(), 0);
}

/// The documented memory: 16 H + 4 E + 4 V bytes and a bit a half-edge, and no spare capacity.
#[test]
fn memory_is_what_the_documentation_states() -> Outcome {
    let side = 100;
    let vertex = |x: u32, y: u32| (x % side) * side + y % side;
    let mut triangles = Vec::new();
    let mut polygons = Vec::new();
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        let quad = [vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1), vertex(x, y + 1)];
        triangles.extend([[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]);
        if (x + y) % 2 == 0 {
            polygons.push(quad.to_vec());
        } else {
            polygons.extend([vec![quad[0], quad[1], quad[2]], vec![quad[0], quad[2], quad[3]]]);
        }
    }
    let positions = vec![[0.0; 3]; (side * side) as usize];
    let dcel = Dcel::new(&PolygonMesh::from_polygons(positions.clone(), &triangles)?);
    let (h, e, v) = (dcel.half_edge_count(), dcel.edge_count(), dcel.vertex_count());
    assert_eq!(h, 2 * e, "closed");
    assert_eq!(dcel.heap_bytes(), 16 * h + 4 * e + 4 * v + 8 * h.div_ceil(64));
    let per_edge = dcel.heap_bytes() as f64 / e as f64;
    assert!((per_edge - 37.6).abs() < 0.05, "{per_edge}");

    let dcel = Dcel::new(&PolygonMesh::from_polygons(positions, &polygons)?);
    let (h, e, v, c) =
        (dcel.half_edge_count(), dcel.edge_count(), dcel.vertex_count(), dcel.contour_count());
    assert_eq!(dcel.heap_bytes(), 20 * h + 4 * (e + v + c) + 8 * h.div_ceil(64));
    let per_edge = dcel.heap_bytes() as f64 / e as f64;
    assert!((per_edge - 48.0).abs() < 0.5, "{per_edge}");
    Ok(())
}

/// A mesh takes 24 bytes a vertex, 4 a corner and 4 a face; its triangles 12 each, and 4 a triangle and a face more
/// if not all faces are triangles. Clones have no spare capacity.
#[test]
fn meshes_and_triangles_take_the_memory_that_the_readme_states() -> Outcome {
    let cube = topology_only(8, &CUBE)?.clone();
    assert_eq!(cube.heap_bytes(), 24 * 8 + 4 * 24 + 4 * 6);
    let of_cube = cube.triangulate().clone();
    assert_eq!((of_cube.len(), of_cube.heap_bytes()), (12, 12 * 12 + 4 * 12 + 4 * 6));
    let pyramid = topology_only(4, &[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]])?.clone();
    assert_eq!(pyramid.heap_bytes(), 24 * 4 + 4 * 12 + 4 * 4);
    assert_eq!(pyramid.triangulate().clone().heap_bytes(), 12 * 4);
    Ok(())
}

/// Faces as lists of contours over a few vertices, so that everything repeats.
fn soups() -> impl Strategy<Value = (usize, Vec<Vec<Vec<u32>>>)> {
    (1_u32..9).prop_flat_map(|vertices| {
        let contour = prop::collection::vec(0..vertices, 1..6);
        let face = prop_oneof![
            4 => contour.clone().prop_map(|outer| vec![outer]),
            4 => prop::collection::vec(0..vertices, 3).prop_map(|outer| vec![outer]),
            1 => prop::collection::vec(contour, 1..4),
        ];
        prop::collection::vec(face, 0..12).prop_map(move |faces| (vertices as usize, faces))
    })
}

fn mesh_of(vertices: usize, faces: &[Vec<Vec<u32>>]) -> Result<PolygonMesh, MeshError> {
    let mut mesh = PolygonMesh::from_positions(vec![[0.0; 3]; vertices])?;
    for contours in faces {
        let holes: Vec<&[u32]> = contours[1..].iter().map(Vec::as_slice).collect();
        mesh.push_face_with_holes(&contours[0], &holes)?;
    }
    Ok(mesh)
}

/// What the mesh says, written out corner by corner.
struct Twin {
    /// By half-edge: origin, next, face.
    corners: Vec<(u32, usize, usize)>,
    /// By pair of vertices: the half-edges that run it.
    edges: BTreeMap<(u32, u32), Vec<usize>>,
}

impl Twin {
    fn new(faces: &[Vec<Vec<u32>>]) -> Self {
        let mut corners = Vec::new();
        let mut edges: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (face, contour) in
            faces.iter().enumerate().flat_map(|(f, c)| c.iter().map(move |c| (f, c)))
        {
            let start = corners.len();
            for (index, &origin) in contour.iter().enumerate() {
                let next = (index + 1) % contour.len();
                let ends = (origin.min(contour[next]), origin.max(contour[next]));
                edges.entry(ends).or_default().push(corners.len());
                corners.push((origin, start + next, face));
            }
        }
        Self { corners, edges }
    }

    fn target(&self, half_edge: usize) -> u32 {
        self.corners[self.corners[half_edge].1].0
    }

    fn sides(&self, half_edge: usize) -> &[usize] {
        let (from, to) = (self.corners[half_edge].0, self.target(half_edge));
        &self.edges[&(from.min(to), from.max(to))]
    }

    /// The edges at a corner's vertex: what leaves, and what arrives.
    fn around(&self, corner: usize) -> [usize; 2] {
        let before = (0..self.corners.len()).find(|&h| self.corners[h].1 == corner);
        [corner, before.unwrap_or(corner)]
    }

    /// Whether two corners of one vertex are neighbours in a fan.
    fn joined(&self, a: usize, b: usize) -> bool {
        self.around(a).into_iter().any(|x| {
            self.around(b).into_iter().any(|y| {
                let degenerate = self.corners[x].0 == self.target(x);
                if degenerate {
                    x == y
                } else {
                    self.sides(x).len() == 2 && self.sides(x).contains(&y)
                }
            })
        })
    }

    /// The corners of a vertex, parted into fans.
    fn fans(&self, vertex: u32) -> BTreeSet<BTreeSet<u32>> {
        let corners: Vec<usize> =
            (0..self.corners.len()).filter(|&h| self.corners[h].0 == vertex).collect();
        let mut fans: Vec<Vec<usize>> = Vec::new();
        for corner in corners {
            let (mine, mut rest): (Vec<_>, Vec<_>) = fans
                .into_iter()
                .partition(|fan| fan.iter().any(|&other| self.joined(corner, other)));
            rest.push(mine.concat().into_iter().chain([corner]).collect());
            fans = rest;
        }
        fans.into_iter().map(|fan| fan.into_iter().map(|h| h as u32).collect()).collect()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

    #[test]
    fn half_edges_agree_with_the_corners_of_the_mesh((vertices, faces) in soups()) {
        let dcel = Dcel::new(&mesh_of(vertices, &faces)?);
        let twin = Twin::new(&faces);
        prop_assert_eq!(dcel.half_edge_count(), twin.corners.len());
        prop_assert_eq!(dcel.face_count(), faces.len());
        prop_assert_eq!(dcel.contour_count(), faces.iter().map(Vec::len).sum::<usize>());
        for half_edge in dcel.half_edges() {
            let (origin, next, face) = twin.corners[half_edge.index()];
            prop_assert_eq!(dcel.origin(half_edge).0, origin);
            prop_assert_eq!(dcel.next(half_edge).index(), next);
            prop_assert_eq!(dcel.prev(dcel.next(half_edge)), half_edge);
            prop_assert_eq!(dcel.next(dcel.prev(half_edge)), half_edge);
            prop_assert_eq!(dcel.face(half_edge).index(), face);
            prop_assert_eq!(dcel.target(half_edge).0, twin.target(half_edge.index()));
        }
        let mut listed = dcel.half_edges();
        for (face, contours) in faces.iter().enumerate() {
            for half_edge in dcel.half_edges_of(FaceId::from_index(face)) {
                prop_assert_eq!(listed.next(), Some(half_edge));
            }
            let first = dcel.half_edges_of(FaceId::from_index(face)).next();
            let round = first.map_or(0, |first| dcel.contour(first).count());
            prop_assert_eq!(round, contours[0].len());
        }
        prop_assert_eq!(listed.next(), None);
    }

    #[test]
    fn edges_list_exactly_the_sides_between_their_vertices((vertices, faces) in soups()) {
        let dcel = Dcel::new(&mesh_of(vertices, &faces)?);
        let twin = Twin::new(&faces);
        prop_assert_eq!(dcel.edge_count(), twin.edges.len());
        let mut sides_seen = 0;
        let mut first_sides = Vec::new();
        for edge in dcel.edges() {
            let [from, to] = dcel.ends(edge);
            let sides: Vec<usize> = dcel.sides(edge).map(HalfEdgeId::index).collect();
            prop_assert_eq!(&twin.edges[&(from.0.min(to.0), from.0.max(to.0))], &sides);
            prop_assert_eq!(dcel.is_degenerate(edge), from == to);
            sides_seen += sides.len();
            first_sides.push(sides[0]);
            for side in dcel.sides(edge) {
                prop_assert_eq!(dcel.edge(side), edge);
                let other = dcel.twin(side);
                prop_assert_eq!(other.is_some(), sides.len() == 2);
                if let Some(other) = other {
                    prop_assert!(other != side && dcel.twin(other) == Some(side));
                    prop_assert_eq!(
                        dcel.runs_like(side, other),
                        dcel.origin(side) == dcel.origin(other)
                    );
                }
            }
        }
        prop_assert_eq!(sides_seen, dcel.half_edge_count(), "each half-edge is one side");
        prop_assert!(first_sides.is_sorted(), "edges are numbered as they appear");
    }

    #[test]
    fn fans_part_the_corners_of_a_vertex_as_its_twinned_edges_join_them(
        (vertices, faces) in soups()
    ) {
        let dcel = Dcel::new(&mesh_of(vertices, &faces)?);
        let twin = Twin::new(&faces);
        for vertex in (0..vertices as u32).map(VertexId) {
            let fans: BTreeSet<BTreeSet<u32>> = dcel
                .fans(vertex)
                .map(|fan| fan.half_edges().iter().map(|h| h.0).collect())
                .collect();
            let corners: usize = dcel.fans(vertex).map(|fan| fan.half_edges().len()).sum();
            prop_assert_eq!(corners, dcel.half_edges_at(vertex).len(), "each corner once");
            prop_assert_eq!(&fans, &twin.fans(vertex.0));
            for fan in dcel.fans(vertex) {
                let edges: Vec<EdgeId> = fan.edges().collect();
                let open = usize::from(!fan.is_ring());
                prop_assert_eq!(edges.len(), fan.half_edges().len() + open);
                for (index, &corner) in fan.half_edges().iter().enumerate() {
                    let both = [edges[index], edges[(index + 1) % edges.len()]];
                    let own = [dcel.edge(corner), dcel.edge(dcel.prev(corner))];
                    prop_assert!(both == own || both == [own[1], own[0]]);
                }
                if open == 1 {
                    for end in [edges[0], edges[edges.len() - 1]] {
                        prop_assert!(dcel.sides(end).count() != 2, "a fan ends where it must");
                    }
                }
            }
        }
    }

    #[test]
    fn neighbours_are_found_once_each((vertices, faces) in soups()) {
        let dcel = Dcel::new(&mesh_of(vertices, &faces)?);
        let twin = Twin::new(&faces);
        for vertex in 0..vertices as u32 {
            let mut found: Vec<u32> =
                dcel.vertex_neighbours(VertexId(vertex)).map(u32::from).collect();
            found.sort_unstable();
            let expected: Vec<u32> = (0..vertices as u32)
                .filter(|&other| other != vertex)
                .filter(|&other| twin.edges.contains_key(&(vertex.min(other), vertex.max(other))))
                .collect();
            prop_assert_eq!(found, expected);
        }
        for (face, contours) in faces.iter().enumerate() {
            let found: BTreeSet<usize> =
                dcel.face_neighbours(FaceId::from_index(face)).map(FaceId::index).collect();
            let shares = |other: usize| {
                twin.edges.values().any(|sides| {
                    [face, other].iter().all(|f| sides.iter().any(|&h| twin.corners[h].2 == *f))
                })
            };
            let expected: BTreeSet<usize> =
                (0..faces.len()).filter(|&other| other != face && shares(other)).collect();
            prop_assert_eq!(found, expected, "{:?}", contours);
        }
    }
}
