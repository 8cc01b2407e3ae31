//! Numbers the vertices of loose triangles by their coordinates.

use std::collections::HashMap;

use xcollide_brep::PolygonMesh;

use crate::error::Problem;

/// A mesh of triangles in which equal vertices are merged. The seeded hash keeps this linear for any
/// coordinates.
#[derive(Debug, Default)]
pub(crate) struct Weld {
    numbers: HashMap<[u64; 3], u32>,
    pub(crate) mesh: PolygonMesh,
}

impl Weld {
    /// Adds a triangle with finite coordinates.
    pub(crate) fn triangle(&mut self, vertices: [[f64; 3]; 3]) -> Result<(), Problem> {
        let mut corners = [0; 3];
        for (corner, vertex) in corners.iter_mut().zip(vertices) {
            // Adding zero turns -0 into 0.
            let key = vertex.map(|value| (value + 0.0).to_bits());
            *corner = match self.numbers.get(&key) {
                Some(&number) => number,
                None => {
                    let number = self.mesh.push_vertex(vertex)?.0;
                    self.numbers.insert(key, number);
                    number
                }
            };
        }
        self.mesh.push_face(&corners)?;
        Ok(())
    }
}
