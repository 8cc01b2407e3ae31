//! What `Triangulation` promises, on random polygons of every kind.
//!
//! The slow twin of the closing step is `chain_of`, which adds up directed edges in a map. Areas
//! are compared in whole numbers, so they must be equal.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use xcollide_brep::{FaceId, PolygonMesh, Triangulation, VertexId};

type Cell = [i64; 2];

/// Adds the directed edges of closed walks; opposite ones cancel, loops count nothing.
fn chain_of<'a>(cycles: impl IntoIterator<Item = &'a [VertexId]>) -> BTreeMap<(u32, u32), i64> {
    let mut chain = BTreeMap::new();
    for cycle in cycles {
        for (i, from) in cycle.iter().enumerate() {
            let (p, q) = (from.0, cycle[(i + 1) % cycle.len()].0);
            if p != q {
                *chain.entry((p.min(q), p.max(q))).or_insert(0) += if p < q { 1 } else { -1 };
            }
        }
    }
    chain.retain(|_, sum| *sum != 0);
    chain
}

/// Everything that is promised for every mesh.
fn assert_promises(mesh: &PolygonMesh) -> Triangulation {
    let triangulation = mesh.triangulate();
    let triangles = triangulation.triangles();
    assert_eq!(triangulation.len(), triangles.len());
    let mut next = 0;
    for face in mesh.faces() {
        let range = triangulation.triangles_of(face.id());
        assert_eq!(range.start, next, "triangles follow the order of the faces");
        assert!(!range.is_empty(), "a face has a triangle");
        next = range.end;
        for triangle in range.clone() {
            assert_eq!(triangulation.face_of(triangle), face.id());
        }
        let own = &triangles[range];
        assert_eq!(
            chain_of(own.iter().map(|t| &t[..])),
            chain_of(face.contours()),
            "boundary of {own:?}"
        );
        let has_edge = |p: VertexId, q: VertexId| {
            let pairs = |t: &[VertexId; 3]| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])];
            own.iter().flat_map(pairs).any(|e| e == (p, q) || e == (q, p))
        };
        for contour in face.contours() {
            for (i, &p) in contour.iter().enumerate() {
                let q = contour[(i + 1) % contour.len()];
                let met = if p == q { own.iter().any(|t| t.contains(&p)) } else { has_edge(p, q) };
                assert!(met, "edge {p}-{q} of {contour:?} in {own:?}");
            }
        }
        assert!(own.iter().flatten().all(|vertex| face.corners().contains(vertex)));
    }
    assert_eq!(next, triangles.len());
    assert_eq!(mesh.triangulate(), triangulation, "same input, same output");
    triangulation
}

fn turn(a: Cell, b: Cell, c: Cell) -> i64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

fn on_segment(a: Cell, b: Cell, p: Cell) -> bool {
    turn(a, b, p) == 0 && (0..2).all(|k| a[k].min(b[k]) <= p[k] && p[k] <= a[k].max(b[k]))
}

fn segments_meet(a: Cell, b: Cell, c: Cell, d: Cell) -> bool {
    let crossing = turn(a, b, c).signum() * turn(a, b, d).signum() < 0
        && turn(c, d, a).signum() * turn(c, d, b).signum() < 0;
    let touching =
        on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b);
    crossing || touching
}

/// Twice the area; positive counter-clockwise.
fn double_area(polygon: &[Cell]) -> i64 {
    (1..polygon.len() - 1).map(|i| turn(polygon[0], polygon[i], polygon[i + 1])).sum()
}

/// Whether a point is strictly inside a simple polygon: the winding number.
fn inside(polygon: &[Cell], p: Cell) -> bool {
    let mut winding = 0;
    for (i, &a) in polygon.iter().enumerate() {
        let b = polygon[(i + 1) % polygon.len()];
        if on_segment(a, b, p) {
            return false;
        }
        if a[1] <= p[1] && b[1] > p[1] && turn(a, b, p) > 0 {
            winding += 1;
        } else if a[1] > p[1] && b[1] <= p[1] && turn(a, b, p) < 0 {
            winding -= 1;
        }
    }
    winding != 0
}

/// Whether the edges of a polygon meet only where neighbours join, and neighbours only there.
fn is_simple(polygon: &[Cell]) -> bool {
    let n = polygon.len();
    let edge = |i: usize| (polygon[i % n], polygon[(i + 1) % n]);
    (0..n).all(|i| {
        let ((a, b), (_, c)) = (edge(i), edge(i + 1));
        let spike = a == b || on_segment(a, b, c) || on_segment(b, c, a);
        !spike
            && (i + 2..i + n - 1).all(|j| {
                let (c, d) = edge(j);
                !segments_meet(a, b, c, d)
            })
    })
}

/// A simple polygon, counter-clockwise: a triangle into whose edges points are pulled as long as
/// it stays simple. Points on edges (collinear runs) stay likely on a small grid.
fn simple_polygon(radius: i64, points: usize) -> impl Strategy<Value = Vec<Cell>> {
    let cell = prop::array::uniform2(-radius..=radius);
    prop::collection::vec((cell, any::<prop::sample::Index>()), 3..points)
        .prop_map(|candidates| {
            let mut polygon: Vec<Cell> = Vec::new();
            for (cell, place) in candidates {
                // Into the first edge, from a random one on, that can take it.
                let first = place.index(polygon.len() + 1);
                for step in 0..=polygon.len() {
                    let at = (first + step) % (polygon.len() + 1);
                    polygon.insert(at, cell);
                    let good = match polygon.len() {
                        1 => true,
                        2 => polygon[0] != polygon[1],
                        _ => is_simple(&polygon),
                    };
                    if good {
                        break;
                    }
                    polygon.remove(at);
                }
            }
            if polygon.len() >= 3 && double_area(&polygon) < 0 {
                polygon.reverse();
            }
            polygon
        })
        .prop_filter("a polygon", |polygon| polygon.len() >= 3)
}

/// An exact embedding of the plane into space, at a scale of a power of two.
#[derive(Clone, Copy, Debug)]
struct Plane {
    u: [i64; 3],
    v: [i64; 3],
    origin: [i64; 3],
    exponent: i32,
}

fn plane() -> impl Strategy<Value = Plane> {
    let vector = || prop::array::uniform3(-3i64..=3);
    (vector(), vector(), vector(), prop::sample::select(vec![0, 0, -900, 480]))
        .prop_filter("independent", |(u, v, _, _)| {
            (0..3).any(|k| u[k] * v[(k + 1) % 3] != u[(k + 1) % 3] * v[k])
        })
        .prop_map(|(u, v, origin, exponent)| Plane { u, v, origin, exponent })
}

impl Plane {
    fn embed(&self, cells: &[Cell]) -> Vec<[f64; 3]> {
        let at = |[x, y]: Cell| {
            [0, 1, 2].map(|k| {
                let whole = x * self.u[k] + y * self.v[k] + 100 * self.origin[k];
                whole as f64 * f64::powi(2.0, self.exponent)
            })
        };
        cells.iter().map(|&cell| at(cell)).collect()
    }
}

fn areas(triangulation: &Triangulation, cells: &[Cell]) -> Vec<i64> {
    let at = |vertex: VertexId| cells[vertex.index()];
    triangulation.triangles().iter().map(|&[a, b, c]| turn(at(a), at(b), at(c))).collect()
}

/// Holes of the outline: small simple polygons strictly inside it and apart from each other,
/// clockwise.
fn holes_inside(outline: &[Cell], candidates: Vec<(Cell, Vec<Cell>)>) -> Vec<Vec<Cell>> {
    let mut contours = vec![outline.to_vec()];
    for (shift, polygon) in candidates {
        let hole: Vec<Cell> =
            polygon.iter().rev().map(|p| [p[0] + shift[0], p[1] + shift[1]]).collect();
        let apart = contours.iter().all(|other| {
            (0..hole.len()).all(|i| {
                let (a, b) = (hole[i], hole[(i + 1) % hole.len()]);
                (0..other.len())
                    .all(|j| !segments_meet(a, b, other[j], other[(j + 1) % other.len()]))
            })
        });
        let placed = inside(outline, hole[0])
            && contours[1..].iter().all(|other| {
                let mut other = other.clone();
                other.reverse();
                let mut own = hole.clone();
                own.reverse();
                !inside(&other, hole[0]) && !inside(&own, other[0])
            });
        if apart && placed {
            contours.push(hole);
        }
    }
    contours
}

fn mesh_of_contours(contours: &[Vec<Cell>], plane: &Plane) -> (PolygonMesh, Vec<Cell>) {
    let cells: Vec<Cell> = contours.concat();
    let mut mesh = PolygonMesh::from_positions(plane.embed(&cells)).unwrap();
    let mut next = 0;
    let numbers: Vec<Vec<u32>> = contours
        .iter()
        .map(|contour| {
            next += contour.len() as u32;
            (next - contour.len() as u32..next).collect()
        })
        .collect();
    let holes: Vec<&[u32]> = numbers[1..].iter().map(Vec::as_slice).collect();
    mesh.push_face_with_holes(&numbers[0], &holes).unwrap();
    (mesh, cells)
}

proptest! {
    /// Whatever the corners, vertices repeated and faces of one or two corners included.
    #[test]
    fn the_boundary_is_the_contours_for_garbage(
        cells in prop::collection::vec(prop::array::uniform3(-2i8..=2), 1..12),
        faces in prop::collection::vec(
            prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 1..9), 1..4),
            1..6,
        ),
    ) {
        let positions = cells.iter().map(|cell| cell.map(f64::from)).collect();
        let mut mesh = PolygonMesh::from_positions(positions).unwrap();
        for contours in faces {
            let numbers: Vec<Vec<u32>> = contours
                .iter()
                .map(|contour| contour.iter().map(|i| i.index(cells.len()) as u32).collect())
                .collect();
            let holes: Vec<&[u32]> = numbers[1..].iter().map(Vec::as_slice).collect();
            mesh.push_face_with_holes(&numbers[0], &holes).unwrap();
        }
        assert_promises(&mesh);
    }

    #[test]
    fn simple_polygons_are_tiled(cells in simple_polygon(8, 60), plane in plane()) {
        let numbers: Vec<u32> = (0..cells.len() as u32).collect();
        let mesh = PolygonMesh::from_polygons(plane.embed(&cells), [numbers]).unwrap();
        let triangulation = assert_promises(&mesh);
        let areas = areas(&triangulation, &cells);
        prop_assert!(areas.iter().all(|&area| area >= 0), "{areas:?}");
        prop_assert_eq!(areas.iter().sum::<i64>(), double_area(&cells));
        prop_assert_eq!(triangulation.len(), cells.len() - 2);
        prop_assert!(triangulation.folded_faces().is_empty());
    }

    #[test]
    fn polygons_with_holes_are_tiled(
        outline in simple_polygon(30, 20),
        candidates in prop::collection::vec(
            (prop::array::uniform2(-24i64..=24), simple_polygon(4, 9)),
            0..40,
        ),
        plane in plane(),
    ) {
        let contours = holes_inside(&outline, candidates);
        let (mesh, cells) = mesh_of_contours(&contours, &plane);
        let triangulation = assert_promises(&mesh);
        let areas = areas(&triangulation, &cells);
        prop_assert!(areas.iter().all(|&area| area >= 0), "{areas:?}");
        let expected: i64 = contours.iter().map(|contour| double_area(contour)).sum();
        prop_assert_eq!(areas.iter().sum::<i64>(), expected);
        prop_assert!(triangulation.folded_faces().is_empty());
    }

    /// Bridges that cross nothing leave a contour that can be tiled as the face could.
    #[test]
    fn bridges_keep_the_boundary_and_cross_nothing(
        outline in simple_polygon(30, 20),
        candidates in prop::collection::vec(
            (prop::array::uniform2(-24i64..=24), simple_polygon(4, 9)),
            1..40,
        ),
        plane in plane(),
    ) {
        let contours = holes_inside(&outline, candidates);
        let (mesh, cells) = mesh_of_contours(&contours, &plane);
        let bridged = mesh.bridged();
        let face = bridged.face(FaceId(0));
        let holes = contours.len() - 1;
        prop_assert_eq!(face.contours().len(), 1);
        prop_assert_eq!(face.corners().len(), mesh.corner_count() + 2 * holes);
        prop_assert_eq!(chain_of(face.contours()), chain_of(mesh.face(FaceId(0)).contours()));
        let triangulation = assert_promises(&bridged);
        prop_assert!(triangulation.folded_faces().is_empty(), "{contours:?}");
        let expected: i64 = contours.iter().map(|contour| double_area(contour)).sum();
        prop_assert_eq!(areas(&triangulation, &cells).iter().sum::<i64>(), expected);
    }
}

#[test]
fn faces_of_one_and_two_corners_give_a_triangle() {
    let positions = vec![[0.0; 3], [1.0, 0.0, 0.0]];
    let mesh = PolygonMesh::from_polygons(positions, [&[1][..], &[0, 1]]).unwrap();
    let [a, b] = [VertexId(0), VertexId(1)];
    assert_eq!(assert_promises(&mesh).triangles(), [[b, b, b], [a, b, b]]);
}

#[test]
fn triangles_and_convex_faces_keep_their_first_corner() {
    let positions =
        [[0, 0], [2, 0], [2, 2], [0, 2], [1, 0]].map(|[x, y]| [x as f64, y as f64, 1.0]);
    // The third face has a corner in the middle of an edge.
    let faces: [&[u32]; 3] = [&[1, 0, 2], &[2, 3, 0, 1], &[0, 4, 1, 2, 3]];
    let mesh = PolygonMesh::from_polygons(positions.to_vec(), faces).unwrap();
    let triangulation = assert_promises(&mesh);
    let numbers: Vec<[u32; 3]> =
        triangulation.triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect();
    assert_eq!(numbers, [[1, 0, 2], [2, 3, 0], [2, 0, 1], [0, 4, 1], [0, 1, 2], [0, 2, 3]]);
    assert_eq!(triangulation.triangles_of(FaceId(1)), 1..3);
}

#[test]
fn a_dart_is_cut_along_its_inner_diagonal() {
    // The first corner does not see the third.
    let positions =
        [[0, 0], [4, 1], [0, 2], [1, 1]].map(|[x, y]| [x as f64, y as f64, 0.0]).to_vec();
    let mesh = PolygonMesh::from_polygons(positions, [[0, 1, 2, 3]]).unwrap();
    let triangulation = assert_promises(&mesh);
    assert!(triangulation.folded_faces().is_empty());
    let diagonal = [VertexId(1), VertexId(3)];
    assert!(triangulation.triangles().iter().all(|t| diagonal.iter().all(|v| t.contains(v))));
}

#[test]
fn a_bridged_hole_is_tiled() {
    // Square 0..4 with the square hole 4..8, joined by the edge 0-4 that is run both ways.
    let cells: Vec<Cell> =
        vec![[0, 0], [6, 0], [6, 6], [0, 6], [2, 2], [2, 4], [4, 4], [4, 2], [0, 0], [2, 2]];
    let plane = Plane { u: [1, 0, 0], v: [0, 1, 0], origin: [0; 3], exponent: 0 };
    // Once by number, once as soups have it: the bridge's ends doubled.
    for polygon in [[0, 4, 5, 6, 7, 4, 0, 1, 2, 3], [0, 4, 5, 6, 7, 9, 8, 1, 2, 3]] {
        let mesh = PolygonMesh::from_polygons(plane.embed(&cells), [polygon]).unwrap();
        let triangulation = assert_promises(&mesh);
        let areas = areas(&triangulation, &cells);
        assert!(areas.iter().all(|&area| area >= 0), "{areas:?}");
        assert_eq!(areas.iter().sum::<i64>(), 2 * (36 - 4));
        assert!(triangulation.folded_faces().is_empty());
    }
}

/// Found by `polygons_with_holes_are_tiled`: the library's own proposal folds over here.
#[test]
fn a_polygon_that_the_library_gets_wrong_is_tiled() {
    let outline: Vec<Cell> = vec![
        [1, -8],
        [18, 8],
        [0, 15],
        [-3, 15],
        [-2, -6],
        [-5, 0],
        [-9, -10],
        [-6, 9],
        [-27, -5],
        [-4, -22],
        [-10, -16],
    ];
    let candidates = vec![
        ([-18, -9], vec![[2, -1], [1, 1], [-1, 2]]),
        ([4, 3], vec![[0, 0], [0, 1], [-1, 0]]),
        ([1, 2], vec![[1, 1], [-3, -4], [3, 3], [-3, 0]]),
        ([-16, -5], vec![[-1, 0], [3, 0], [0, 1]]),
    ];
    let contours = holes_inside(&outline, candidates);
    let plane = Plane { u: [-3, 2, 0], v: [2, 0, 2], origin: [0; 3], exponent: 0 };
    let (mesh, cells) = mesh_of_contours(&contours, &plane);
    let triangulation = assert_promises(&mesh);
    assert!(triangulation.folded_faces().is_empty());
    assert!(areas(&triangulation, &cells).iter().all(|&area| area > 0));
}

/// A face whose corners are far too many for ear clipping, and a comb, which no fan covers.
#[test]
fn large_faces_are_tiled() {
    let teeth = 5_000;
    let mut cells: Vec<Cell> = Vec::new();
    for tooth in 0..teeth {
        cells.extend([[2 * tooth, 0], [2 * tooth + 1, 10 + tooth % 7]]);
    }
    cells.extend([[2 * teeth, 0], [2 * teeth, -1], [0, -1]]);
    let numbers: Vec<u32> = (0..cells.len() as u32).rev().collect();
    let plane = Plane { u: [1, 0, 0], v: [0, 1, 0], origin: [0; 3], exponent: 0 };
    let mesh = PolygonMesh::from_polygons(plane.embed(&cells), [numbers]).unwrap();
    let triangulation = assert_promises(&mesh);
    assert!(triangulation.folded_faces().is_empty());
    let area: i64 = areas(&triangulation, &cells).iter().sum();
    assert_eq!(area, -double_area(&cells));
}

/// Faces of more than 262,144 corners are fans of their first corner: a comb is not tiled by that, a convex face is.
#[test]
fn huge_faces_are_fans_and_named_if_these_do_not_tile() {
    let teeth = 131_071;
    let mut cells: Vec<Cell> = Vec::new();
    for tooth in 0..teeth {
        cells.extend([[2 * tooth, 0], [2 * tooth + 1, 10 + tooth % 7]]);
    }
    cells.extend([[2 * teeth, 0], [2 * teeth, -1], [0, -1]]);
    let count = cells.len();
    assert_eq!(count, 262_145);
    cells.extend((0..count as i64).map(|x| [x, x * x]));
    let comb: Vec<u32> = (0..count as u32).rev().collect();
    let convex: Vec<u32> = (count as u32..2 * count as u32).collect();
    let plane = Plane { u: [1, 0, 0], v: [0, 1, 0], origin: [0; 3], exponent: 0 };
    let mesh = PolygonMesh::from_polygons(plane.embed(&cells), [comb, convex]).unwrap();
    let triangulation = mesh.triangulate();
    assert_eq!(triangulation.len(), 2 * (count - 2));
    assert_eq!(triangulation.folded_faces(), [FaceId(0)]);
}

#[test]
fn bridging_garbage_keeps_the_boundary() {
    // A hole outside, one that crosses the outline, one of one vertex, one on a corner.
    let cells: Vec<Cell> =
        vec![[0, 0], [4, 0], [4, 4], [0, 4], [9, 9], [9, 8], [8, 8], [2, 2], [3, 9], [-3, 1]];
    let plane = Plane { u: [1, 0, 0], v: [0, 1, 0], origin: [0; 3], exponent: 0 };
    let mut mesh = PolygonMesh::from_positions(plane.embed(&cells)).unwrap();
    mesh.push_face(&[0, 1, 2]).unwrap();
    mesh.push_face_with_holes(&[0, 1, 2, 3], &[&[4, 5, 6], &[7, 8, 9], &[7], &[0, 7]]).unwrap();
    let bridged = mesh.bridged();
    assert_promises(&mesh);
    assert_promises(&bridged);
    for (before, after) in mesh.faces().zip(bridged.faces()) {
        assert_eq!(after.contours().len(), 1);
        assert_eq!(chain_of(before.contours()), chain_of(after.contours()));
    }
}

#[test]
fn a_pentagram_keeps_its_boundary_and_is_named() {
    let tips: Vec<Cell> = vec![[0, 10], [-6, -8], [10, 3], [-10, 3], [6, -8]];
    let plane = Plane { u: [1, 0, 2], v: [0, 1, 0], origin: [0; 3], exponent: 0 };
    let convex = [1, 4, 2, 0];
    let mesh =
        PolygonMesh::from_polygons(plane.embed(&tips), [&[0, 1, 2, 3, 4][..], &convex]).unwrap();
    let triangulation = assert_promises(&mesh);
    // It winds around its core twice, so that the areas add up; no triangles tile that.
    let twice: i64 =
        areas(&triangulation, &tips)[triangulation.triangles_of(FaceId(0))].iter().sum();
    assert_eq!(twice, double_area(&tips));
    assert_eq!(triangulation.folded_faces(), [FaceId(0)]);
}

#[test]
fn a_bow_tie_is_named() {
    let cells: Vec<Cell> = vec![[0, 0], [2, 2], [2, 0], [0, 2], [-1, 1]];
    let plane = Plane { u: [1, 0, 0], v: [0, 1, 0], origin: [0; 3], exponent: 0 };
    for polygon in [&[0, 1, 2, 3][..], &[0, 1, 2, 3, 4]] {
        let mesh = PolygonMesh::from_polygons(plane.embed(&cells), [polygon]).unwrap();
        assert_eq!(assert_promises(&mesh).folded_faces(), [FaceId(0)]);
    }
}

#[test]
fn a_spike_keeps_its_edge() {
    // 1 → 2 → 1 is run out and back.
    let cells: Vec<Cell> = vec![[0, 0], [4, 0], [9, 1], [4, 4], [1, 1], [0, 4]];
    let plane = Plane { u: [1, 0, 0], v: [0, 1, 0], origin: [0; 3], exponent: 0 };
    let mesh = PolygonMesh::from_polygons(plane.embed(&cells), [[0u32, 1, 2, 1, 3, 4, 5]]).unwrap();
    let triangulation = assert_promises(&mesh);
    let without_spike = [0, 1, 3, 4, 5].map(|i: usize| cells[i]);
    assert_eq!(areas(&triangulation, &cells).iter().sum::<i64>(), double_area(&without_spike));
}
