//! STL: loose triangles, binary and text, in; binary out.
//!
//! STL has no vertex numbers, so vertices are welded: equal coordinates are the same vertex (and
//! 0 and -0 are equal), numbered in the order in which they first come. Nothing is rounded or
//! snapped. Triangles keep their order; normals, attribute bytes and names are dropped. All
//! solids of a text are read, one after the other.
//!
//! `stl_io` reads the binary records. The text form is read here: that crate stops after the
//! first solid, refuses names that are not UTF-8 or missing, rounds to f32, and says no line.
//!
//! Source: 3D Systems, "Stereolithography Interface Specification", 1989.

mod text;
mod weld;

use std::borrow::Cow;
use std::io::{self, Cursor};

use stl_io::{Normal, Triangle, Vertex};
use xcollide_brep::{PolygonMesh, VertexId};

use crate::error::{Position, Problem, ReadError};
use crate::write::WriteError;
use weld::Weld;

/// Reads binary or text STL, in time linear in its length.
///
/// It is binary if its length fits the number of triangles it announces, whatever the header
/// says; else text if it begins with `solid` and has no zero bytes near its beginning. Fewer
/// than 50 bytes after the last binary triangle are dropped.
///
/// # Errors
/// With the line or the triangle: the input ends early or holds more than it announces,
/// something else than a number, a number that is not finite.
///
/// ```
/// let mesh = xcollide_io::stl::read(
///     b"solid tile
///         facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 1 1 0 endloop endfacet
///         facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 1 0 vertex 0 1 0 endloop endfacet
///       endsolid tile",
/// )?;
/// assert_eq!((mesh.vertex_count(), mesh.face_count()), (4, 2));
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<PolygonMesh, ReadError> {
    if bytes.is_empty() {
        return Err(Problem::Empty { expected: "STL".into() }.at(Position::File));
    }
    if !has_binary_length(bytes) && is_text(bytes) { text::read(bytes) } else { read_binary(bytes) }
}

/// Writes a mesh as binary STL.
///
/// Faces are triangulated. Coordinates are rounded to f32, so only a mesh whose coordinates are
/// f32 already comes back with the same coordinates, and vertices that round to the same place
/// come back as one. Normals are those of the rounded triangles, zero where they have no area.
///
/// # Errors
/// What `out` reports, a coordinate beyond the range of f32, or 2³² triangles and more.
pub fn write(mesh: &PolygonMesh, out: impl io::Write) -> Result<(), WriteError> {
    let round = |vertex: VertexId| {
        let position = mesh.position(vertex);
        match position.into_iter().find(|value| !(*value as f32).is_finite()) {
            None => Ok(position.map(|value| value as f32)),
            Some(value) => Err(WriteError::TooLarge { vertex, value }),
        }
    };
    let triangulation = mesh.triangulate();
    let mut triangles = Vec::with_capacity(triangulation.len());
    for &[a, b, c] in triangulation.triangles() {
        let vertices = [round(a)?, round(b)?, round(c)?];
        let normal = Normal::new(unit_normal(vertices));
        triangles.push(Triangle { normal, vertices: vertices.map(Vertex::new) });
    }
    if u32::try_from(triangles.len()).is_err() {
        return Err(WriteError::TooMany { count: triangles.len() });
    }
    let mut out = out;
    Ok(stl_io::write_stl(&mut out, triangles.iter())?)
}

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Whether the length of the input fits the number of triangles that a binary file announces.
pub(crate) fn has_binary_length(bytes: &[u8]) -> bool {
    announced(bytes).is_some_and(|count| {
        let length = HEADER as u64 + u64::from(count) * RECORD as u64;
        length == bytes.len() as u64
    })
}

/// The number of triangles that the header of a binary file announces.
fn announced(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(HEADER - 4..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().ok()?))
}

fn is_text(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 512;
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    let start = start.strip_prefix(b"\xef\xbb\xbf").unwrap_or(start).trim_ascii_start();
    let solid = start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    solid && !start.contains(&0)
}

fn read_binary(bytes: &[u8]) -> Result<PolygonMesh, ReadError> {
    let Some(count) = announced(bytes) else {
        let expected = "`solid`, or a binary header of 84 bytes";
        return Err(Problem::truncated(expected).at(Position::Byte(bytes.len() as u64)));
    };
    let room = ((bytes.len() - HEADER) / RECORD) as u64;
    if u64::from(count) > room {
        let problem = Problem::Count { what: "triangles".into(), found: count.into(), room };
        return Err(problem.at(Position::Byte(HEADER as u64 - 4)));
    }
    if u64::from(count) < room {
        let end = HEADER as u64 + u64::from(count) * RECORD as u64;
        let found = format!("{} more bytes", bytes.len() as u64 - end);
        let expected = format!("the end of the file after {count} triangles");
        return Err(Problem::unexpected(found, expected).at(Position::Byte(end)));
    }

    let at = |triangle: usize| Position::Element {
        name: "triangle".into(),
        index: triangle as u64,
        byte: Some((HEADER + triangle * RECORD) as u64),
    };
    // `stl_io` takes for text what begins with "solid ", so such a header is blanked.
    let bytes = if bytes.starts_with(b"solid ") {
        let mut copy = bytes.to_vec();
        copy[..HEADER - 4].fill(0);
        Cow::Owned(copy)
    } else {
        Cow::Borrowed(bytes)
    };
    let mut cursor = Cursor::new(&*bytes);
    let failed = |error: io::Error| Problem::Io(error).at(Position::File);
    let records = stl_io::create_stl_reader(&mut cursor).map_err(failed)?;
    let mut weld = Weld::default();
    for (index, triangle) in records.enumerate() {
        let triangle = triangle.map_err(failed)?;
        let vertices = triangle.vertices.map(|vertex| vertex.0.map(f64::from));
        for value in vertices.into_iter().flatten() {
            if !value.is_finite() {
                return Err(Problem::NotFinite { found: value.to_string() }.at(at(index)));
            }
        }
        weld.triangle(vertices).map_err(|problem| problem.at(at(index)))?;
    }
    Ok(weld.into_mesh())
}

/// The normal that the right-hand rule gives, of length 1, or zero. Edges of f32 points cannot
/// make an f64 overflow here.
fn unit_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let edge = |p: [f32; 3], q: [f32; 3]| [0, 1, 2].map(|i| f64::from(q[i]) - f64::from(p[i]));
    let (u, v) = (edge(a, b), edge(a, c));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    if length > 0.0 { normal.map(|x| (x / length) as f32) } else { [0.0; 3] }
}
