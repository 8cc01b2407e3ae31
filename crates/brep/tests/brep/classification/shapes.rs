//! Shapes with small integer coordinates, so that every fact about them is exact.

use xcollide_brep::{Brep, MeshError, PolygonMesh};

pub(crate) type Outcome = Result<(), MeshError>;
pub(crate) type Made = Result<Brep, MeshError>;

pub(crate) const CUBE: [[u32; 4]; 6] =
    [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]];

pub(crate) const TETRAHEDRON: [[u32; 3]; 4] = xcollide_fixtures::tetrahedron().1;

/// The corners of the unit cube with its lowest corner at `low`, as `CUBE` numbers them.
pub(crate) fn cube_corners(low: [f64; 3]) -> Vec<[f64; 3]> {
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]]
        .iter()
        .map(|corner: &[i32; 3]| [0, 1, 2].map(|axis| low[axis] + f64::from(corner[axis])))
        .collect()
}

pub(crate) fn tetrahedron_corners() -> Vec<[f64; 3]> {
    xcollide_fixtures::tetrahedron().0.to_vec()
}

pub(crate) fn cube() -> Made {
    Brep::from_polygons(cube_corners([0.0; 3]), CUBE)
}

/// Two unit cubes, the second moved by `offset`; what then coincides is one vertex.
pub(crate) fn two_cubes(offset: [f64; 3]) -> Made {
    let mut corners = cube_corners([0.0; 3]);
    let moved: Vec<u32> = cube_corners(offset)
        .into_iter()
        .map(|corner| {
            let known = corners.iter().position(|&other| other == corner);
            known.unwrap_or_else(|| {
                corners.push(corner);
                corners.len() - 1
            }) as u32
        })
        .collect();
    let second = CUBE.map(|face| face.map(|corner| moved[corner as usize]));
    Brep::from_polygons(corners, CUBE.into_iter().chain(second))
}

/// A quad strip of `n` quads round a ring, closed with a half twist or without.
pub(crate) fn strip(n: u32, twisted: bool) -> Made {
    // Where the vertices lie matters little, but that no face is degenerate.
    let corners = (0..2 * n).map(|i| [i / 2, i / 2 * (i / 2), i % 2].map(f64::from)).collect();
    let quads = (0..n).map(|i| {
        let (a, b) = (2 * i, 2 * i + 1);
        let (c, d) = match (i + 1 == n, twisted) {
            (false, _) => (2 * i + 3, 2 * i + 2),
            (true, false) => (1, 0),
            (true, true) => (0, 1),
        };
        [a, b, c, d]
    });
    Brep::from_polygons(corners, quads)
}

/// An n × m grid of quads closed in both directions: a torus, or Klein's bottle where the second
/// direction closes in reverse.
pub(crate) fn closed_grid(n: u32, m: u32, reversed: bool) -> Made {
    let vertex = |x: u32, y: u32| {
        let turned = reversed && x >= n;
        (x % n) * m + if turned { (m - y % m) % m } else { y % m }
    };
    let corners =
        (0..n * m).map(|i| [f64::from(i / m), f64::from(i % m), f64::from(i * i % 7)]).collect();
    let quads = (0..n)
        .flat_map(|x| (0..m).map(move |y| (x, y)))
        .map(|(x, y)| [vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1), vertex(x, y + 1)]);
    Brep::from_polygons(corners, quads)
}

/// A square from 0 to 6 with the square hole from 2 to 4 in it, both as contours.
pub(crate) fn square_with_hole() -> Result<PolygonMesh, MeshError> {
    let corner = |x: i32, y: i32| [f64::from(x), f64::from(y), 0.0];
    let mut mesh = PolygonMesh::from_positions(vec![
        corner(0, 0),
        corner(6, 0),
        corner(6, 6),
        corner(0, 6),
        corner(2, 2),
        corner(2, 4),
        corner(4, 4),
        corner(4, 2),
    ])?;
    mesh.push_face_with_holes(&[0, 1, 2, 3], &[&[4, 5, 6, 7]])?;
    Ok(mesh)
}
