//! Small integer geometry from the fuzzer's bytes, and the exact separating axis test for it.
//!
//! Coordinates are below 2⁵ and turns are signed permutations, so everything is exact in f64, and in 64-bit integers
//! the separating axis theorem decides without rounding. It shares no code with what is tested.

use arbitrary::Arbitrary;
use xcollide::brep::PolygonMesh;
use xcollide::{Model, Pose};

pub type Vector = [i64; 3];

/// A soup of triangles over a few vertices; indices count modulo their number.
#[derive(Arbitrary, Debug)]
pub struct Soup {
    vertices: Vec<[i8; 3]>,
    faces: Vec<[u8; 3]>,
}

impl Soup {
    /// The triangles, at most 12.
    pub fn triangles(&self) -> Vec<[Vector; 3]> {
        let vertices = &self.vertices[..self.vertices.len().min(12)];
        if vertices.is_empty() {
            return Vec::new();
        }
        let corner =
            |index: u8| vertices[usize::from(index) % vertices.len()].map(|x| i64::from(x % 8));
        self.faces.iter().take(12).map(|face| face.map(corner)).collect()
    }

    /// Of shared vertices, so that closed surfaces occur.
    pub fn model(&self) -> Option<Model> {
        let (mut positions, mut faces) = (Vec::<[f64; 3]>::new(), Vec::new());
        for triangle in self.triangles() {
            faces.push(triangle.map(|corner| {
                let corner = corner.map(|x| x as f64);
                let known = positions.iter().position(|&position| position == corner);
                known.unwrap_or_else(|| {
                    positions.push(corner);
                    positions.len() - 1
                }) as u32
            }));
        }
        Model::from_mesh(PolygonMesh::from_polygons(positions, faces).ok()?).ok()
    }
}

/// A signed permutation and a translation.
#[derive(Arbitrary, Clone, Copy, Debug)]
pub struct Placing {
    turn: u8,
    shift: [i8; 3],
}

impl Placing {
    fn rows(self) -> [Vector; 3] {
        const ORDERS: [[usize; 3]; 6] =
            [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
        let order = usize::from(self.turn % 6);
        let sign = |bit: u8| if self.turn >> bit & 1 == 1 { -1 } else { 1 };
        let mut signs = [sign(5), sign(6), 1];
        // A rotation: odd permutations need an odd number of negative signs.
        let odd = order >= 3;
        if (signs.iter().filter(|&&sign| sign < 0).count() % 2 == 1) != odd {
            signs[2] = -1;
        }
        let mut rows = [[0; 3]; 3];
        for row in 0..3 {
            rows[row][ORDERS[order][row]] = signs[row];
        }
        rows
    }

    fn shift(self) -> Vector {
        self.shift.map(|x| i64::from(x % 16))
    }

    pub fn apply(self, p: Vector) -> Vector {
        let (rows, shift) = (self.rows(), self.shift());
        [0, 1, 2].map(|row| (0..3).map(|k| rows[row][k] * p[k]).sum::<i64>() + shift[row])
    }

    pub fn pose(self) -> Pose {
        let rows = self.rows().map(|row| row.map(|x| x as f64));
        Pose::from_matrix(rows, self.shift().map(|x| x as f64))
            .expect("signed permutations are rotations")
    }
}

fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn separates(axis: Vector, s: &[Vector; 3], t: &[Vector; 3]) -> bool {
    let range = |points: &[Vector; 3]| {
        let [a, b, c] = points.map(|p| dot(axis, p));
        (a.min(b).min(c), a.max(b).max(c))
    };
    let ((low_s, high_s), (low_t, high_t)) = (range(s), range(t));
    high_s < low_t || high_t < low_s
}

/// Whether two triangles, which may be segments or points, have a point in common: some axis of a finite set
/// separates them strictly, or none does.
pub fn triangles_meet(s: &[Vector; 3], t: &[Vector; 3]) -> bool {
    let edges = |t: &[Vector; 3]| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
    let (of_s, of_t) = (edges(s), edges(t));
    let normals = [cross(of_s[0], of_s[1]), cross(of_t[0], of_t[1])];
    let between: Vec<Vector> = s.iter().flat_map(|&p| t.map(|q| sub(q, p))).collect();
    let all: Vec<Vector> = of_s.into_iter().chain(of_t).chain(normals).chain(between).collect();
    // All directions, normals of pairs of them, and what is square to an edge in such a plane: more than the theorem
    // needs, so that flat and parallel cases are covered too.
    let mut axes = all.clone();
    for (number, &u) in all.iter().enumerate() {
        for &v in &all[..number] {
            axes.push(cross(u, v));
        }
    }
    let edges: Vec<Vector> = of_s.into_iter().chain(of_t).collect();
    for &edge in &edges {
        for &v in &all {
            axes.push(cross(edge, cross(edge, v)));
        }
    }
    !axes.into_iter().any(|axis| separates(axis, s, t))
}
