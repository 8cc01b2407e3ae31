//! Convex hulls against brute force in integers, and the defining properties of hulls.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use xcollide_brep::{ConvexHull, HullError, MeshError, VertexId};
use xcollide_predicates::{Point, Sign, orient2d, orient3d};

type Cell = [i64; 3];

fn sub(a: Cell, b: Cell) -> Cell {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Cell, b: Cell) -> Cell {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Cell, b: Cell) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The faces of a three-dimensional hull, each as the set of its corners; found from all planes
/// through three points that have all points on one side. A point is a vertex if it is on three
/// of them that meet in a point.
fn brute_force(cells: &[Cell]) -> Option<BTreeSet<BTreeSet<Cell>>> {
    let mut planes: BTreeMap<BTreeSet<Cell>, Cell> = BTreeMap::new();
    for a in cells {
        for b in cells {
            for c in cells {
                let normal = cross(sub(*b, *a), sub(*c, *a));
                let height = |p: &Cell| dot(normal, sub(*p, *a));
                if normal != [0; 3] && cells.iter().all(|p| height(p) <= 0) {
                    let on: BTreeSet<Cell> =
                        cells.iter().copied().filter(|p| height(p) == 0).collect();
                    planes.insert(on, normal);
                }
            }
        }
    }
    let is_vertex = |cell: &Cell| {
        let normals: Vec<Cell> =
            planes.iter().filter(|(on, _)| on.contains(cell)).map(|(_, n)| *n).collect();
        normals
            .iter()
            .any(|a| normals.iter().any(|b| normals.iter().any(|c| dot(cross(*a, *b), *c) != 0)))
    };
    // Coplanar points have planes with both sides, hence no three that meet in a point.
    let faces: BTreeSet<BTreeSet<Cell>> = planes
        .keys()
        .map(|on| on.iter().copied().filter(&is_vertex).collect::<BTreeSet<_>>())
        .collect();
    (!faces.is_empty() && !faces.contains(&BTreeSet::new())).then_some(faces)
}

fn floats(cells: &[Cell], exponent: i32) -> Vec<Point> {
    let scale = f64::powi(2.0, exponent);
    cells.iter().map(|cell| cell.map(|x| x as f64 * scale)).collect()
}

/// Checks all guarantees of a hull with exact predicates.
fn assert_hull(points: &[Point]) -> ConvexHull {
    let hull = ConvexHull::of(points).unwrap();
    let mesh = hull.mesh();
    let at = |vertex: VertexId| mesh.position(vertex);
    assert_eq!(hull.points().len(), mesh.vertex_count());
    assert!(hull.points().windows(2).all(|pair| pair[0] < pair[1]), "ascending");
    for (vertex, &point) in hull.points().iter().enumerate() {
        assert_eq!(mesh.positions()[vertex], points[point]);
        assert_eq!(points.iter().position(|p| *p == points[point]), Some(point), "the first");
    }
    let faces: Vec<&[VertexId]> = mesh.faces().map(|face| face.outer()).collect();
    assert!(faces.windows(2).all(|pair| pair[0] < pair[1]), "sorted");
    assert!(faces.iter().all(|face| face.iter().min() == face.first()));
    if hull.dimension() < 3 {
        return hull;
    }
    let mut edges: BTreeMap<(VertexId, VertexId), usize> = BTreeMap::new();
    for (f, face) in faces.iter().enumerate() {
        let n = face.len();
        let [a, b, c] = [0, 1, 2].map(|i| at(face[i]));
        assert!(points.iter().all(|&p| orient3d(a, b, c, p) != Sign::Positive), "all below");
        // Strictly convex in the projection in which it has an area.
        let flat = |p: Point, k: usize| [p[(k + 1) % 3], p[(k + 2) % 3]];
        let turn = |k: usize, i: usize| {
            let [p, q, r] = [i, i + 1, i + 2].map(|i| flat(at(face[i % n]), k));
            orient2d(p, q, r)
        };
        let k = (0..3).find(|&k| turn(k, 0) != Sign::Zero).unwrap();
        assert!((0..n).all(|i| turn(k, i) == turn(k, 0)), "strictly convex");
        for i in 0..n {
            assert_eq!(orient3d(a, b, c, at(face[i])), Sign::Zero, "planar");
            assert_eq!(edges.insert((face[i], face[(i + 1) % n]), f), None, "each edge once");
        }
    }
    for (&(p, q), &f) in &edges {
        let g = edges[&(q, p)];
        let [a, b, c] = [0, 1, 2].map(|i| at(faces[f][i]));
        let below = |v: &VertexId| orient3d(a, b, c, at(*v)) == Sign::Negative;
        assert!(faces[g].iter().any(below), "neighbours are not coplanar");
    }
    let used: BTreeSet<VertexId> = faces.iter().flat_map(|face| face.iter().copied()).collect();
    assert_eq!(used.len(), mesh.vertex_count());
    let (v, e, f) = (mesh.vertex_count(), edges.len() / 2, faces.len());
    assert_eq!(v + f, e + 2, "Euler");
    hull
}

/// A hull is a function of the set of points.
fn assert_order_does_not_matter(points: &[Point], hull: &ConvexHull) {
    let mut reversed = points.to_vec();
    reversed.reverse();
    let corners = |hull: &ConvexHull| -> BTreeSet<Vec<[u64; 3]>> {
        let at = |v: &VertexId| hull.mesh().position(*v).map(|x| (x + 0.0).to_bits());
        hull.mesh()
            .faces()
            .map(|face| {
                let mut corners: Vec<[u64; 3]> = face.outer().iter().map(at).collect();
                corners.sort_unstable();
                corners
            })
            .collect()
    };
    assert_eq!(corners(hull), corners(&ConvexHull::of(&reversed).unwrap()));
}

fn places(hull: &ConvexHull, exponent: i32) -> BTreeSet<BTreeSet<Cell>> {
    let scale = f64::powi(2.0, exponent);
    let at = |v: &VertexId| hull.mesh().position(*v).map(|x| (x / scale) as i64);
    hull.mesh().faces().map(|face| face.outer().iter().map(at).collect()).collect()
}

fn cells(radius: i64, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Cell>> {
    prop::collection::vec(prop::array::uniform3(-radius..=radius), count)
}

/// 2^−996 is about 1e-300, 2^498 about 1e150.
fn exponent() -> impl Strategy<Value = i32> {
    prop::sample::select(vec![0, 0, 0, -996, 498])
}

proptest! {
    #[test]
    fn hulls_match_brute_force(
        cells in prop_oneof![cells(1, 1..14), cells(2, 1..14), cells(3, 1..11), cells(9, 1..11)],
        exponent in exponent(),
    ) {
        let points = floats(&cells, exponent);
        let hull = assert_hull(&points);
        assert_order_does_not_matter(&points, &hull);
        match brute_force(&cells) {
            Some(faces) => {
                prop_assert_eq!(hull.dimension(), 3);
                prop_assert_eq!(places(&hull, exponent), faces);
            }
            None => prop_assert!(hull.dimension() < 3),
        }
    }

    #[test]
    fn flat_hulls_match_brute_force(
        flat in prop::collection::vec(prop::array::uniform2(-3i64..=3), 1..12),
        u in prop::array::uniform3(-3i64..=3),
        v in prop::array::uniform3(-3i64..=3),
        exponent in exponent(),
    ) {
        let cells: Vec<Cell> =
            flat.iter().map(|&[x, y]| [0, 1, 2].map(|k| 5 + x * u[k] + y * v[k])).collect();
        let points = floats(&cells, exponent);
        let hull = assert_hull(&points);
        assert_order_does_not_matter(&points, &hull);
        // The extreme points: those not on a segment between two others, nor in a triangle.
        let distinct: BTreeSet<Cell> = cells.iter().copied().collect();
        let on_segment = |p: Cell, a: Cell, b: Cell| {
            cross(sub(a, p), sub(b, p)) == [0; 3] && dot(sub(a, p), sub(b, p)) <= 0
        };
        let in_triangle = |p: Cell, a: Cell, b: Cell, c: Cell| {
            let [i, j, k] = [(a, b), (b, c), (c, a)].map(|(s, t)| cross(sub(s, p), sub(t, p)));
            [dot(i, j), dot(j, k), dot(k, i)].iter().all(|&d| d > 0)
        };
        let extreme: BTreeSet<Cell> = distinct
            .iter()
            .copied()
            .filter(|&p| {
                let others = || distinct.iter().copied().filter(move |&q| q != p);
                !others().any(|a| others().any(|b| {
                    on_segment(p, a, b) || others().any(|c| in_triangle(p, a, b, c))
                }))
            })
            .collect();
        let found: BTreeSet<Cell> = hull.points().iter().map(|&point| cells[point]).collect();
        prop_assert_eq!(&found, &extreme);
        let expected = match extreme.len() { 1 => 0, 2 => 1, _ => 2 };
        prop_assert_eq!(hull.dimension(), expected);
        let sizes: Vec<usize> = hull.mesh().faces().map(|face| face.outer().len()).collect();
        let size = extreme.len();
        prop_assert_eq!(sizes, if expected == 2 { vec![size; 2] } else { vec![size] });
        if expected == 2 {
            // Each side turns one way throughout.
            for face in hull.mesh().faces() {
                let at = |i: usize| cells[hull.points()[face.outer()[i % size].index()]];
                let turn = |i: usize| cross(sub(at(i + 1), at(i)), sub(at(i + 2), at(i + 1)));
                prop_assert!((1..size).all(|i| dot(turn(0), turn(i)) > 0));
            }
        }
    }

    #[test]
    fn clouds_have_hulls(
        points in prop::collection::vec(prop::array::uniform3(-1.0..1.0f64), 1..200),
        scale in prop::sample::select(vec![1.0, 1e-300, 1e150, 1e-310]),
    ) {
        let points: Vec<Point> = points.iter().map(|p| p.map(|x| x * scale)).collect();
        let hull = assert_hull(&points);
        assert_order_does_not_matter(&points, &hull);
    }
}

/// Points on a sphere, many of them on common circles: all whole solutions of x² + y² + z² = r².
fn whole_sphere(r: i64) -> Vec<Cell> {
    let mut cells = Vec::new();
    for x in -r..=r {
        for y in -r..=r {
            for z in -r..=r {
                if x * x + y * y + z * z == r * r {
                    cells.push([x, y, z]);
                }
            }
        }
    }
    cells
}

#[test]
fn every_point_of_a_sphere_is_a_vertex_though_many_are_cocircular() {
    for r in [1, 3, 9, 15, 45] {
        let cells = whole_sphere(r);
        for exponent in [0, -996, 498] {
            let hull = assert_hull(&floats(&cells, exponent));
            assert_eq!(hull.mesh().vertex_count(), cells.len());
            if cells.len() < 40 {
                assert_eq!(Some(places(&hull, exponent)), brute_force(&cells));
            }
        }
    }
}

#[test]
fn a_box_full_of_grid_points_has_six_faces() {
    let n = 12;
    let mut cells = Vec::new();
    for x in 0..n {
        for y in 0..n {
            cells.extend((0..n).map(|z| [x, y, z]));
        }
    }
    cells.extend(cells.clone());
    let hull = assert_hull(&floats(&cells, 0));
    assert_eq!((hull.mesh().vertex_count(), hull.mesh().face_count()), (8, 6));
    // Sheared, the planes are no longer those of the axes.
    let sheared: Vec<Cell> =
        cells.iter().map(|&[x, y, z]| [3 * x + y, y - 2 * z, z + x + y]).collect();
    let hull = assert_hull(&floats(&sheared, 0));
    assert_eq!((hull.mesh().vertex_count(), hull.mesh().face_count()), (8, 6));
}

#[test]
fn lower_dimensions_have_their_forms() {
    let hull = assert_hull(&[[1.0; 3], [1.0; 3]]);
    assert_eq!((hull.dimension(), hull.points()), (0, &[0][..]));
    assert_eq!(hull.mesh().face(0.into()).outer().len(), 1);
    let hull = assert_hull(&[[1.0; 3], [2.0; 3], [0.0; 3], [1.5; 3], [-0.0; 3]]);
    assert_eq!((hull.dimension(), hull.points()), (1, &[1, 2][..]));
    assert_eq!(hull.mesh().face(0.into()).outer().len(), 2);
    let hull = assert_hull(&[[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0], [1.0, 1.0, 1.0]]);
    assert_eq!((hull.dimension(), hull.points()), (2, &[0, 1, 2][..]));
    assert_eq!(hull.mesh().face_count(), 2);
}

#[test]
fn nearly_coplanar_is_not_coplanar() {
    // The middle of a square, raised by the least that there is.
    let square = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0]];
    for least in [5e-324, 1e-300, f64::EPSILON] {
        let hull = assert_hull(&[&square[..], &[[1.0, 1.0, least]]].concat());
        assert_eq!((hull.dimension(), hull.mesh().face_count()), (3, 5));
    }
}

#[test]
fn bad_points_are_refused() {
    assert_eq!(ConvexHull::of(&[]), Err(HullError::Empty));
    let error = ConvexHull::of(&[[0.0; 3], [0.0, f64::NAN, 0.0]]);
    assert!(matches!(
        error,
        Err(HullError::Points(MeshError::NonFinite { vertex: 1, axis: 1, .. }))
    ));
}
