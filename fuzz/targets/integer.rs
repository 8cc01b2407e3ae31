//! Small integer geometry from the fuzzer's bytes: coordinates are below 2⁵ and turns are signed permutations, so
//! everything is exact in f64.

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
    pub fn rows(self) -> [Vector; 3] {
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

    pub fn shift(self) -> Vector {
        self.shift.map(|x| i64::from(x % 16))
    }

    pub fn pose(self) -> Pose {
        let rows = self.rows().map(|row| row.map(|x| x as f64));
        Pose::from_matrix(rows, self.shift().map(|x| x as f64))
            .expect("signed permutations are rotations")
    }
}
