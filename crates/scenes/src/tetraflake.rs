//! The tetra-flake, the "very non-convex object" of Zachmann 1994, sections 3.6.5 and 5.5.
//!
//! The thesis gives only its number of polygons, 52. A tetrahedron, with a smaller one on each of its faces and
//! again one on each new face, has 4 + 12 + 36 = 52 faces if the rest of a face around the tetrahedron on it
//! counts as one polygon. Here that rest consists of triangles, because most files have no holes.
use xcollide_brep::{MeshError, PolygonMesh};

use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const DEPTH: Parameter = Parameter::count("depth", "how often it grows", [3, 0, 12]);
const SIZE: Parameter = Parameter::length("size", "side of the cube around it", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "tetraflake",
    about: "tetrahedra growing on tetrahedra: 12·3^depth − 12 triangles, far from convex",
    parameters: &[DEPTH, SIZE],
    build,
};

/// A tetrahedron with tetrahedra of half its size on its faces, again half as large ones on the new faces, and
/// so on `depth` times: closed, oriented outward.
///
/// ```text
///         c             A tetrahedron stands on the triangle of the midpoints. The corners
///        / \            remain, the three sides of the tetrahedron are new and grow at the next
///      ca---bc          depth; then the midpoint m of their base cuts the corner in two.
///      / \ / \
///     a---ab--b
/// ```
///
/// Tetrahedra meet only where the mesh joins them: only new faces grow, so no tetrahedron is on the other side
/// of a notch, where two neighbours would share an edge. The object lies in the cube through the corners of the
/// first tetrahedron. If `size` is a power of two, all coordinates are exact.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let r = 0.5 * given.number(&SIZE);
    let corners = [[r, r, r], [r, -r, -r], [-r, r, -r], [-r, -r, r]];
    let mut mesh = PolygonMesh::from_positions(corners.to_vec())?;
    let first = [([1, 3, 2], 0), ([0, 2, 3], 1), ([0, 3, 1], 2), ([0, 1, 2], 3)];
    let mut sides = first.map(|(face, behind)| Side { face, behind, corner: None }).to_vec();
    for _ in 0..given.count(&DEPTH) {
        sides = grow(&mut mesh, &sides)?;
    }
    for side in &sides {
        mesh.push_face(&side.face)?;
        if let Some(corner) = side.corner {
            let [x, y, _] = side.face;
            mesh.push_face(&[corner, y, x])?;
        }
    }
    Ok(mesh)
}

/// A face of a tetrahedron that can grow.
#[derive(Clone, Copy)]
struct Side {
    /// Counter-clockwise as seen from outside; base first, apex last.
    face: [u32; 3],
    /// The corner of the tetrahedron opposite to this side.
    behind: u32,
    /// The tip of the remaining triangle of the face below, beyond the base.
    corner: Option<u32>,
}

/// Grows a tetrahedron on every side: adds the remaining triangles and returns the new sides.
fn grow(mesh: &mut PolygonMesh, sides: &[Side]) -> Result<Vec<Side>, MeshError> {
    let middles = Middles::of(mesh, sides)?;
    let mut grown = Vec::with_capacity(3 * sides.len());
    for side in sides {
        let [a, b, c] = side.face;
        let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|edge| middles.of_edge(edge));
        if let Some(corner) = side.corner {
            mesh.push_face(&[corner, b, ab])?;
            mesh.push_face(&[corner, ab, a])?;
        }
        let [pa, pb, pc, pd] = [a, b, c, side.behind].map(|v| mesh.position(v.into()));
        let apex = mesh.push_vertex([0, 1, 2].map(|k| 0.5 * (pa[k] + pb[k] + pc[k] - pd[k])))?.0;
        for ([x, y], behind, corner) in [([ca, ab], bc, a), ([ab, bc], ca, b), ([bc, ca], ab, c)] {
            grown.push(Side { face: [x, y, apex], behind, corner: Some(corner) });
        }
    }
    Ok(grown)
}

/// The midpoint of every edge of the growing sides, shared by two of them.
struct Middles {
    /// The ends, lesser number first, and the vertex between; sorted.
    edges: Vec<([u32; 2], u32)>,
}

impl Middles {
    fn of(mesh: &mut PolygonMesh, sides: &[Side]) -> Result<Self, MeshError> {
        let ends = |side: &Side| {
            let [a, b, c] = side.face;
            [[a, b], [b, c], [c, a]].map(ordered)
        };
        let mut edges: Vec<_> = sides.iter().flat_map(ends).map(|ends| (ends, 0)).collect();
        edges.sort_unstable();
        edges.dedup();
        for (ends, middle) in &mut edges {
            let [p, q] = ends.map(|end| mesh.position(end.into()));
            *middle = mesh.push_vertex([0, 1, 2].map(|k| 0.5 * (p[k] + q[k])))?.0;
        }
        Ok(Self { edges })
    }

    fn of_edge(&self, edge: [u32; 2]) -> u32 {
        let at = self.edges.partition_point(|(ends, _)| *ends < ordered(edge));
        self.edges[at].1
    }
}

fn ordered([a, b]: [u32; 2]) -> [u32; 2] {
    if a < b { [a, b] } else { [b, a] }
}
