//! Vertices and faces in file order, before vertex numbers are checked. OBJ and PLY faces may precede
//! their vertices, so numbers are checked at the end; each face is stored with its place in the file for
//! the error message.

use xcollide_brep::{MeshError, PolygonMesh};

use crate::error::{Position, Problem, ReadError};

/// Takes 24 bytes a vertex, 4 a corner and 16 a face.
#[derive(Debug, Default)]
pub(crate) struct Soup {
    positions: Vec<[f64; 3]>,
    corners: Vec<u32>,
    /// The end of each face among the corners, and its line or byte in the file.
    faces: Vec<(u32, u64)>,
    /// The first vertex number that exceeds 32 bits; its corner is `u32::MAX`.
    huge: Option<i64>,
}

impl Soup {
    pub(crate) fn vertex(&mut self, position: [f64; 3]) {
        self.positions.push(position);
    }

    pub(crate) fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Adds a corner to the current face, by a vertex number from 0.
    pub(crate) fn corner(&mut self, number: i64) {
        let corner = u32::try_from(number).unwrap_or(u32::MAX);
        if corner == u32::MAX && self.huge.is_none() {
            self.huge = Some(number);
        }
        self.corners.push(corner);
    }

    /// Ends the current face, which is at `place`.
    pub(crate) fn end_face(&mut self, place: u64) -> Result<(), Problem> {
        match u32::try_from(self.corners.len()) {
            Ok(end) => self.faces.push((end, place)),
            Err(_) => return Err(MeshError::TooLarge { what: "corners" }.into()),
        }
        Ok(())
    }

    /// The mesh, or an error at the first face with a vertex that does not exist. `first_number`: the
    /// format's number of the first vertex. `position`: the position of a face, given its number and
    /// place.
    pub(crate) fn into_mesh(
        self,
        first_number: i64,
        position: impl Fn(usize, u64) -> Position,
    ) -> Result<PolygonMesh, ReadError> {
        let vertices = self.positions.len();
        let mut mesh = PolygonMesh::from_positions(self.positions)
            .map_err(|error| Problem::from(error).at(Position::File))?;
        let mut start = 0;
        for (face, &(end, place)) in self.faces.iter().enumerate() {
            let corners = &self.corners[start..end as usize];
            if let Some(&corner) = corners.iter().find(|&&corner| corner as usize >= vertices) {
                let number = if corner == u32::MAX { self.huge } else { None };
                let found = number.unwrap_or_else(|| corner.into()).saturating_add(first_number);
                let valid = first_number..=first_number + vertices as i64 - 1;
                return Err(Problem::vertex_number(found, &valid).at(position(face, place)));
            }
            mesh.push_face(corners)
                .map_err(|error| Problem::from(error).at(position(face, place)))?;
            start = end as usize;
        }
        Ok(mesh)
    }
}
