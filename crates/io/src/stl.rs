//! STL: reads triangles in binary and text, writes binary.
//!
//! STL has no vertex numbers, so vertices of equal coordinates are welded (0 and -0 are equal), numbered
//! by first appearance, without rounding. Triangles keep their order; normals, colours and names are
//! skipped. All solids of a text are read, also empty ones.
//!
//! `stl_io` reads the binary records. Text is read here, because that crate stops after the first solid,
//! rejects names that are missing or not UTF-8, rounds to f32, and reports no line. Source: 3D Systems,
//! "Stereolithography Interface Specification", 1989.

mod text;
mod weld;

use std::borrow::Cow;
use std::io::{self, Cursor};

use stl_io::{Normal, Triangle, Vertex};
use xcollide_brep::{PolygonMesh, VertexId};
use xcollide_math::vector::{cross, length, sub};

use crate::error::{Position, Problem, ReadError};
use crate::report::{ReadReport, RemarkKind};
use crate::write_error::{WriteError, to_f32};
use weld::Weld;

/// Reads binary or text STL. O(n).
///
/// The input is binary if its length fits the announced number of triangles, whatever the header says;
/// otherwise text if it begins with `solid` and has no zero bytes near its beginning. Bytes after the last
/// binary triangle are skipped with a warning, unless they are blank.
///
/// # Errors
/// With the line or triangle: input that ends early, an invalid or non-finite number.
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
    read_reported(bytes, &mut ReadReport::default())
}

pub(crate) fn read_reported(
    bytes: &[u8],
    report: &mut ReadReport,
) -> Result<PolygonMesh, ReadError> {
    if bytes.is_empty() {
        return Err(Problem::empty("STL"));
    }
    if !has_binary_length(bytes) && is_text(bytes) {
        text::read(bytes, report)
    } else {
        read_binary(bytes, report)
    }
}

/// Writes a mesh as binary STL. Faces are triangulated and coordinates rounded to f32. Vertices that
/// round to the same position are welded on reading. Normals are those of the rounded triangles, zero for
/// degenerate ones.
///
/// # Errors
/// Errors of `out`, a coordinate beyond the range of f32, or 2³² triangles and more.
pub fn write(mesh: &PolygonMesh, mut out: impl io::Write) -> Result<(), WriteError> {
    let round = |vertex: VertexId| {
        to_f32(mesh.position(vertex)).map_err(|value| WriteError::TooLarge { vertex, value })
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
    Ok(stl_io::write_stl(&mut out, triangles.iter())?)
}

const HEADER: usize = 84;
const RECORD: usize = 50;

/// Whether the length of the input fits the announced number of binary triangles.
pub(crate) fn has_binary_length(bytes: &[u8]) -> bool {
    announced(bytes).is_some_and(|count| {
        let length = HEADER as u64 + u64::from(count) * RECORD as u64;
        length == bytes.len() as u64
    })
}

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

fn read_binary(bytes: &[u8], report: &mut ReadReport) -> Result<PolygonMesh, ReadError> {
    let Some(count) = announced(bytes) else {
        let expected = "`solid`, or a binary header of 84 bytes";
        return Err(Problem::truncated(expected).at(Position::Byte(bytes.len() as u64)));
    };
    let room = ((bytes.len() - HEADER) / RECORD) as u64;
    if u64::from(count) > room {
        let problem = Problem::count("triangles", count.into(), room);
        return Err(problem.at(Position::Byte(HEADER as u64 - 4)));
    }
    let end = HEADER + count as usize * RECORD;
    let (bytes, rest) = bytes.split_at(end);
    if !rest.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        let at = Position::Byte(end as u64);
        report.add(RemarkKind::Trailing, "byte", " after the last triangle", rest.len() as u64, at);
    }
    let records = bytes[HEADER..].as_chunks::<RECORD>().0;
    let colored = |record: &[u8; RECORD]| record[RECORD - 2..] != [0, 0];
    if let Some(first) = records.iter().position(colored) {
        let count = records.iter().filter(|record| colored(record)).count() as u64;
        let at = Position::element("triangle", first);
        report.add(RemarkKind::Attribute, "triangle colour", " or attribute", count, at);
    }

    let at = |triangle: usize| {
        Position::element_at("triangle", triangle, (HEADER + triangle * RECORD) as u64)
    };
    // `stl_io` assumes that input beginning with "solid " is text, so such a header is blanked.
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
                return Err(Problem::not_finite(value).at(at(index)));
            }
        }
        weld.triangle(vertices).map_err(|problem| problem.at(at(index)))?;
    }
    Ok(weld.mesh)
}

/// The unit normal by the right-hand rule, or zero. Edges of f32 points cannot overflow f64 here.
fn unit_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = [a, b, c].map(|corner| corner.map(f64::from));
    let normal = cross(sub(b, a), sub(c, a));
    let length = length(normal);
    if length > 0.0 { normal.map(|x| (x / length) as f32) } else { [0.0; 3] }
}
