//! Mass properties of bodies whose formulas are in every book.

#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use xcollide_brep::{ConvexHull, MassError, MassProperties, PolygonMesh};

type Point = [f64; 3];

/// A box with its faces as quadrilaterals, outward.
fn cuboid(min: Point, size: Point) -> PolygonMesh {
    let corners = (0..8).map(|i| [0, 1, 2].map(|k| min[k] + size[k] * f64::from(i >> k & 1)));
    PolygonMesh::from_polygons(corners.collect(), xcollide_fixtures::cube().1).unwrap()
}

/// All faces of some meshes, those marked turned inside out.
fn together(parts: &[(&PolygonMesh, bool)]) -> PolygonMesh {
    let mut all = PolygonMesh::new();
    for (part, inside_out) in parts {
        let first = all.vertex_count() as u32;
        for &position in part.positions() {
            all.push_vertex(position).unwrap();
        }
        for face in part.faces() {
            let mut corners: Vec<u32> = face.outer().iter().map(|v| v.0 + first).collect();
            if *inside_out {
                corners.reverse();
            }
            all.push_face(&corners).unwrap();
        }
    }
    all
}

/// A sphere of radius 1 about the origin: an octahedron refined and blown up.
fn sphere(levels: usize) -> PolygonMesh {
    let axis = |k: usize, sign: f64| {
        let mut p = [0.0; 3];
        p[k] = sign;
        p
    };
    let mut triangles: Vec<[Point; 3]> = Vec::new();
    for signs in 0..8 {
        let [x, y, z] = [0, 1, 2].map(|k| axis(k, if signs >> k & 1 == 1 { -1.0 } else { 1.0 }));
        let even = i32::count_ones(signs) % 2 == 0;
        triangles.push(if even { [x, y, z] } else { [x, z, y] });
    }
    let middle = |a: Point, b: Point| {
        let sum = [0, 1, 2].map(|k| a[k] + b[k]);
        let length = sum.iter().map(|x| x * x).sum::<f64>().sqrt();
        sum.map(|x| x / length)
    };
    for _ in 0..levels {
        triangles = triangles
            .iter()
            .flat_map(|&[a, b, c]| {
                let [p, q, r] = [middle(a, b), middle(b, c), middle(c, a)];
                [[a, p, r], [p, b, q], [r, q, c], [p, q, r]]
            })
            .collect();
    }
    let numbers = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
    PolygonMesh::from_polygons(triangles.concat(), numbers).unwrap()
}

fn assert_close(found: f64, expected: f64, relative: f64) {
    assert!((found - expected).abs() <= relative * expected.abs(), "{found}, not {expected}");
}

fn assert_box(mass: &MassProperties, min: Point, size: Point, relative: f64) {
    let volume = size[0] * size[1] * size[2];
    assert_close(mass.volume, volume, relative);
    for i in 0..3 {
        assert_close(mass.centroid[i], min[i] + size[i] / 2.0, relative);
        let (u, v) = (size[(i + 1) % 3], size[(i + 2) % 3]);
        assert_close(mass.inertia[i][i], volume * (u * u + v * v) / 12.0, relative);
        for j in (0..3).filter(|&j| j != i) {
            assert!(mass.inertia[i][j].abs() <= relative * mass.inertia[i][i]);
        }
    }
}

#[test]
fn a_box() {
    for scale in [1.0, 1e-50, 1e50] {
        let (min, size) = ([1.0, -2.0, 0.5].map(|x| x * scale), [2.0, 3.0, 5.0].map(|x| x * scale));
        let mesh = cuboid(min, size);
        assert_box(&MassProperties::of(&mesh).unwrap(), min, size, 1e-14);
        assert_close(mesh.surface_area(), 62.0 * scale * scale, 1e-14);
    }
}

#[test]
fn a_tetrahedron() {
    let mesh =
        ConvexHull::of(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).unwrap();
    let mass = MassProperties::of(mesh.mesh()).unwrap();
    assert_close(mass.volume, 1.0 / 6.0, 1e-14);
    for i in 0..3 {
        assert_close(mass.centroid[i], 0.25, 1e-14);
        for j in 0..3 {
            // ∫x² = 1/60, ∫xy = 1/120 about the origin; the centroid takes off 1/96 each.
            let expected = if i == j { 2.0 / 60.0 - 2.0 / 96.0 } else { 1.0 / 96.0 - 1.0 / 120.0 };
            assert_close(mass.inertia[i][j], expected, 1e-13);
        }
    }
    assert_close(mesh.mesh().surface_area(), 1.5 + 0.75f64.sqrt(), 1e-14);
}

#[test]
fn a_sphere_of_loose_triangles() {
    let mesh = sphere(6);
    let mass = MassProperties::of(&mesh).unwrap();
    let volume = 4.0 / 3.0 * std::f64::consts::PI;
    assert_close(mass.volume, volume, 1e-3);
    assert_close(mesh.surface_area(), 4.0 * std::f64::consts::PI, 1e-3);
    for i in 0..3 {
        assert!(mass.centroid[i].abs() < 1e-12);
        assert_close(mass.inertia[i][i], 0.4 * volume, 2e-3);
    }
}

#[test]
fn far_away_nothing_is_lost_but_what_the_vertices_lose() {
    let (min, size) = ([1e9, -2e9, 3e8], [2.0, 3.0, 5.0]);
    let mass = MassProperties::of(&cuboid(min, size)).unwrap();
    assert_box(&mass, min, size, 1e-14);
    // A vertex that no face uses does not count.
    let mut mesh = cuboid(min, size);
    mesh.push_vertex([1e300; 3]).unwrap();
    assert_eq!(MassProperties::of(&mesh), Ok(mass));
}

#[test]
fn cavities_count_nothing_and_overlaps_twice() {
    let outer = cuboid([0.0; 3], [4.0; 3]);
    let inner = cuboid([1.0; 3], [2.0; 3]);
    let volume = |parts: &[(&PolygonMesh, bool)]| {
        MassProperties::of(&together(parts)).map(|mass| mass.volume)
    };
    let hollow = MassProperties::of(&together(&[(&outer, false), (&inner, true)])).unwrap();
    assert_close(hollow.volume, 64.0 - 8.0, 1e-14);
    assert_close(hollow.inertia[0][0], 64.0 * 32.0 / 12.0 - 8.0 * 8.0 / 12.0, 1e-14);
    assert_close(volume(&[(&outer, false), (&inner, false)]).unwrap(), 72.0, 1e-14);
    assert_close(volume(&[(&outer, true)]).unwrap(), -64.0, 1e-14);
    assert_eq!(volume(&[(&outer, true), (&outer, false)]), Err(MassError::NoVolume));
}

#[test]
fn a_hole_through_a_face_counts() {
    // A square frame: outer and inner walls, top and bottom with a hole.
    let ring = |lo: f64, hi: f64, z: f64| [[lo, lo, z], [hi, lo, z], [hi, hi, z], [lo, hi, z]];
    let positions =
        [ring(0.0, 4.0, 0.0), ring(0.0, 4.0, 1.0), ring(1.0, 3.0, 0.0), ring(1.0, 3.0, 1.0)];
    let mut mesh = PolygonMesh::from_positions(positions.concat()).unwrap();
    for i in 0..4 {
        let j = (i + 1) % 4;
        mesh.push_face(&[i, j, 4 + j, 4 + i]).unwrap();
        mesh.push_face(&[8 + j, 8 + i, 12 + i, 12 + j]).unwrap();
    }
    mesh.push_face_with_holes(&[4, 5, 6, 7], &[&[15, 14, 13, 12]]).unwrap();
    mesh.push_face_with_holes(&[3, 2, 1, 0], &[&[8, 9, 10, 11]]).unwrap();
    for mesh in [mesh.bridged(), mesh] {
        let mass = MassProperties::of(&mesh).unwrap();
        assert_close(mass.volume, 12.0, 1e-14);
        assert_close(mesh.surface_area(), 2.0 * 12.0 + 16.0 + 8.0, 1e-14);
        assert!((0..3).all(|k| (mass.centroid[k] - [2.0, 2.0, 0.5][k]).abs() < 1e-14));
    }
}

#[test]
fn what_has_no_inside_has_no_mass() {
    let whole = cuboid([0.0; 3], [1.0; 3]);
    let five: Vec<Vec<u32>> =
        whole.faces().skip(1).map(|face| face.outer().iter().map(|v| v.0).collect()).collect();
    let open = PolygonMesh::from_polygons(whole.positions().to_vec(), &five).unwrap();
    assert!(matches!(MassProperties::of(&open), Err(MassError::NotClosed { .. })));
    let mut mixed_up = open;
    mixed_up.push_face(&[1, 3, 2, 0]).unwrap();
    assert!(matches!(MassProperties::of(&mixed_up), Err(MassError::NotClosed { .. })));
    assert_eq!(MassProperties::of(&PolygonMesh::new()), Err(MassError::NoVolume));
    let flat = ConvexHull::of(&[[0.0; 3], [3.0, 1.0, 2.0], [1.0, 5.0, 2.0]]).unwrap();
    assert_eq!(MassProperties::of(flat.mesh()), Err(MassError::NoVolume));
}

proptest! {
    /// A rotation of the body rotates its inertia; a shift leaves it.
    #[test]
    fn inertia_moves_with_the_body(
        points in prop::collection::vec(prop::array::uniform3(-8i32..=8), 5..20),
        shift in prop::array::uniform3(-1000i32..1000),
    ) {
        let points: Vec<Point> = points.iter().map(|p| p.map(f64::from)).collect();
        let hull = ConvexHull::of(&points).unwrap();
        prop_assume!(hull.dimension() == 3);
        let mass = MassProperties::of(hull.mesh()).unwrap();
        prop_assert!(mass.volume > 0.0);
        // x → y → z → x is a rotation.
        let moved: Vec<Point> = points
            .iter()
            .map(|p| [0, 1, 2].map(|k| p[(k + 2) % 3] + f64::from(shift[k])))
            .collect();
        let again = MassProperties::of(ConvexHull::of(&moved).unwrap().mesh()).unwrap();
        assert_close(again.volume, mass.volume, 1e-12);
        let size = mass.inertia[0][0] + mass.inertia[1][1] + mass.inertia[2][2];
        for i in 0..3 {
            let expected = mass.centroid[(i + 2) % 3] + f64::from(shift[i]);
            prop_assert!((again.centroid[i] - expected).abs() < 1e-9);
            for j in 0..3 {
                let expected = mass.inertia[(i + 2) % 3][(j + 2) % 3];
                prop_assert!((again.inertia[i][j] - expected).abs() <= 1e-11 * size);
            }
        }
    }
}
