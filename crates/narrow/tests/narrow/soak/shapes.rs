//! The twenty shapes: every kind of surface that a file may hold, small enough for brute force.

use xcollide_brep::PolygonMesh;
use xcollide_narrow::Model;

use crate::support::{cuboid, flipped, joined};

/// A model with what the poses need to know of it.
pub(crate) struct Subject {
    pub(crate) name: &'static str,
    pub(crate) model: Model,
    /// The largest distance of a vertex from the origin of its frame.
    pub(crate) radius: f64,
    /// Whether all coordinates are multiples of 2⁻¹⁸ of the scale below 4 of it, so that exact
    /// turns and moves between such multiples round nothing.
    pub(crate) on_grid: bool,
    pub(crate) scale: f64,
}

/// What coordinates are rounded to, so that contacts can be made exactly.
const GRID: f64 = (1_u64 << 16) as f64;

pub(crate) fn all() -> [Subject; 20] {
    let named = |name, spec: &str| (name, xcollide_scenes::shape(spec).unwrap(), 1.0);
    [
        // Convex.
        ("box", cuboid([-1.0, -0.5, -0.25], [1.0, 0.5, 0.25]), 1.0),
        named("polytope", "polytope?vertices=14&seed=3"),
        named("plate", "polytope?vertices=10&kind=plate&seed=5"),
        named("sphere", "icosphere?frequency=2"),
        // Closed, not convex, of one piece or of several.
        named("tetraflake", "tetraflake?depth=1"),
        named("torus", "torus?faces=48"),
        named("hyperboloid", "hyperboloid?faces=26"),
        named("gear", "gear?teeth=5"),
        named("cubes", "cubes?n=2"),
        ("shells", shells(), 1.0),
        // Polygons with holes.
        named("frame", "frame"),
        // Open, impossible to orient, passing through itself.
        named("möbius", "mobius?faces=24"),
        named("klein", "klein?faces=64"),
        named("plane", "plane?faces=12"),
        // Triangles that have nothing to do with each other.
        named("soup", "soup?faces=40&length=0.8&seed=9"),
        ("stack", stack(), 1.0),
        ("degenerate", degenerate(), 1.0),
        ("slivers", slivers(), 1.0),
        // Small and large.
        ("tiny frame", xcollide_scenes::shape("frame").unwrap(), 1e-9),
        ("huge torus", xcollide_scenes::shape("torus?faces=32").unwrap(), 1e9),
    ]
    .map(|(name, mesh, scale)| Subject::new(name, &mesh, scale))
}

impl Subject {
    fn new(name: &'static str, mesh: &PolygonMesh, scale: f64) -> Self {
        let on_grid = scale >= 1.0 && name != "slivers";
        let snap = |x: f64| if on_grid { (x * GRID).round() * (scale / GRID) } else { x * scale };
        let mut scaled = PolygonMesh::from_positions(
            mesh.positions().iter().map(|position| position.map(snap)).collect(),
        )
        .unwrap();
        for face in mesh.faces() {
            let contours: Vec<Vec<u32>> =
                face.contours().map(|contour| contour.iter().map(|v| v.0).collect()).collect();
            let holes: Vec<&[u32]> = contours[1..].iter().map(Vec::as_slice).collect();
            scaled.push_face_with_holes(&contours[0], &holes).unwrap();
        }
        let model = Model::from_mesh(scaled).unwrap();
        let squares = model.used_vertices().iter().map(|&v| {
            let position = model.mesh().position(v);
            position.iter().map(|x| x / scale * (x / scale)).sum::<f64>()
        });
        let radius = squares.fold(0.0, f64::max).sqrt() * scale;
        Self { name, model, radius, on_grid, scale }
    }
}

/// A body in the cavity of another, and a filled one around a third.
fn shells() -> PolygonMesh {
    let cube =
        |center: f64, half: f64| cuboid([center - half, -half, -half], [center + half, half, half]);
    joined(&[
        cube(0.0, 1.0),
        flipped(&cube(0.0, 0.75)),
        cube(0.0, 0.25),
        cube(2.0, 0.5),
        cube(2.0, 0.25),
    ])
}

/// Squares and triangles on each other in one plane, some of them equal, and more of them in
/// planes that are as near as the grid allows.
fn stack() -> PolygonMesh {
    let square = |x: f64, y: f64, z: f64, half: f64| {
        vec![
            [x - half, y - half, z],
            [x + half, y - half, z],
            [x + half, y + half, z],
            [x - half, y + half, z],
        ]
    };
    let mut mesh = PolygonMesh::new();
    let mut push = |corners: Vec<[f64; 3]>| {
        let vertices: Vec<u32> =
            corners.into_iter().map(|corner| mesh.push_vertex(corner).unwrap().0).collect();
        mesh.push_face(&vertices).unwrap();
    };
    for z in [0.0, 1.0 / GRID, -1.0 / GRID, 0.5] {
        push(square(0.0, 0.0, z, 1.0));
        push(square(0.0, 0.0, z, 1.0));
        push(square(0.5, 0.25, z, 0.75));
        push(square(1.0, 1.0, z, 0.5).into_iter().rev().collect());
        push(vec![[-1.0, -1.0, z], [0.25, -0.5, z], [-0.5, 1.0, z]]);
    }
    mesh
}

/// Points, segments, triangles without area, corners with several numbers, faces that are there
/// twice, and all sizes.
fn degenerate() -> PolygonMesh {
    let positions = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.5, 0.5],
        [0.5, 0.0, 0.0],
        [0.25, 0.0, 0.0],
        [1.0, 0.0, 0.0], // 1 again
        [0.0, 0.0, 0.0], // 0 again
        [1.0, 1.0, -1.0],
        [1.0 + 1.0 / GRID, 1.0, -1.0],
        [1.0, 1.0 + 1.0 / GRID, -1.0],
        [-1.0, 0.5, 0.0],
    ];
    let faces: [&[u32]; 16] = [
        &[4],             // a point
        &[9, 10],         // a short segment
        &[0, 12],         // a long one
        &[1, 2, 3],       // an honest triangle
        &[1, 2, 3],       // and again
        &[3, 2, 1],       // and turned over
        &[7, 2, 3],       // by another number
        &[0, 5, 1],       // a segment as a triangle
        &[1, 0, 6],       // overlapping it
        &[0, 8, 0],       // a point as a triangle
        &[0, 8, 2],       // a segment with a repeated corner
        &[9, 10, 11],     // very small
        &[9, 10, 2],      // a sliver
        &[0, 6, 5, 1, 2], // a polygon with collinear corners
        &[0, 1, 2, 0],    // one that comes back
        &[12, 12, 12],    // a point three times
    ];
    PolygonMesh::from_polygons(positions, faces).unwrap()
}

/// Needles 1e-12 and less wide, a fan of them, and planes that meet at 1e-9.
fn slivers() -> PolygonMesh {
    let mut triangles = Vec::new();
    for i in 0..8 {
        let x = f64::from(i) / 8.0;
        triangles.push([[x, -1.0, x], [x + 1e-12, -1.0, x], [1.0 - x, 1.0, 0.0]]);
        triangles.push([[0.0, 0.0, -1.0], [x, 1.0, 1e-9], [x + 1e-15, 1.0, 1e-9]]);
    }
    triangles.push([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]]);
    triangles.push([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 1e-9]]);
    triangles.push([[-1.0, -1.0, 1e-9], [1.0, -1.0, -1e-9], [0.0, 1.0, 0.0]]);
    let positions = triangles.as_flattened().to_vec();
    let faces = (0..triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
    PolygonMesh::from_polygons(positions, faces).unwrap()
}
