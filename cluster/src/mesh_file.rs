//! Meshes of a scene, or of the lists in a table, as files that keep each bit.
//!
//! Little-endian: the number of vertices, then three f64 each; then for each face the number of its contours, and for each of
//! these the number of its vertices and their numbers, all as u32. The first contour is the outer one.

use std::io::{self, Write};

use xcollide_brep::PolygonMesh;

/// How the names of such files end.
pub(crate) const ENDING: &str = ".xmesh";

/// Writes a mesh.
pub(crate) fn write(mesh: &PolygonMesh, mut to: impl Write) -> io::Result<()> {
    let number = |value: usize| u32::try_from(value).unwrap_or(u32::MAX).to_le_bytes();
    to.write_all(&number(mesh.vertex_count()))?;
    for coordinate in mesh.positions().iter().flatten() {
        to.write_all(&coordinate.to_le_bytes())?;
    }
    for face in mesh.faces() {
        to.write_all(&number(face.contours().len()))?;
        for contour in face.contours() {
            to.write_all(&number(contour.len()))?;
            for vertex in contour {
                to.write_all(&number(vertex.index()))?;
            }
        }
    }
    to.flush()
}

/// The mesh of these bytes.
///
/// # Errors
/// The bytes end too soon, or are no mesh.
pub(crate) fn read(bytes: &[u8]) -> Result<PolygonMesh, String> {
    let short = || "the file ends too soon".to_owned();
    let mut rest = bytes;
    let number = |rest: &mut &[u8]| -> Result<u32, String> {
        let (head, tail) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        *rest = tail;
        Ok(u32::from_le_bytes(*head))
    };
    let vertices = number(&mut rest)? as usize;
    let coordinates = rest.get(..24 * vertices).ok_or_else(short)?;
    let positions: Vec<[f64; 3]> = coordinates
        .as_chunks::<24>()
        .0
        .iter()
        .map(|vertex| {
            let numbers = vertex.as_chunks::<8>().0;
            [0, 1, 2].map(|axis| f64::from_le_bytes(numbers[axis]))
        })
        .collect();
    rest = &rest[24 * vertices..];
    let wrong = |error: &dyn ToString| error.to_string();
    let mut mesh = PolygonMesh::from_positions(positions).map_err(|error| wrong(&error))?;
    while !rest.is_empty() {
        let mut contours = Vec::new();
        for _ in 0..number(&mut rest)? {
            let length = number(&mut rest)?;
            let contour: Result<Vec<u32>, String> =
                (0..length).map(|_| number(&mut rest)).collect();
            contours.push(contour?);
        }
        let (outer, holes) = contours.split_first().ok_or_else(short)?;
        let holes: Vec<&[u32]> = holes.iter().map(Vec::as_slice).collect();
        mesh.push_face_with_holes(outer, &holes).map_err(|error| wrong(&error))?;
    }
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_what_was_written() -> Result<(), Box<dyn std::error::Error>> {
        let corners = [[0.1, -0.0, 1e-300], [3.0, 0.0, 0.0], [3.0, 3.0, 0.0], [0.0, 3.0, 0.0]];
        let mut mesh = PolygonMesh::from_positions(corners.to_vec())?;
        mesh.push_face(&[0, 1, 2])?;
        mesh.push_face(&[0, 1, 2, 3])?;
        let mut bytes = Vec::new();
        write(&mesh, &mut bytes)?;
        let read_again = read(&bytes)?;
        assert_eq!(read_again, mesh);
        assert_eq!(read_again.positions()[0][1].to_bits(), (-0.0_f64).to_bits());
        for length in 0..bytes.len() {
            // Some beginnings are meshes with fewer faces.
            let _ = read(&bytes[..length]);
        }
        assert!(read(&bytes[..bytes.len() - 1]).is_err());
        Ok(())
    }
}
