//! Binary OFF, as Geomview reads and writes it: big-endian, of numbers of 32 bits. Behind the line of the header
//! are the counts of vertices, faces and edges; the coordinates of each vertex with its normal, colour and
//! texture coordinates; and for each face its number of vertices, their numbers, the number of its colour
//! components, and these.

use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError};
use crate::report::{ReadReport, RemarkKind};

/// Reads from the offset of the counts. `attributes`: the numbers of each vertex behind its coordinates.
pub(super) fn read(
    bytes: &[u8],
    start: usize,
    attributes: usize,
    report: &mut ReadReport,
) -> Result<PolygonMesh, ReadError> {
    let mut words = Words { bytes, at: start };
    let vertices = words.count("vertices", WORD * (3 + attributes))?;
    let faces = words.count("faces", WORD * SHORTEST_FACE)?;
    let _edges = words.next("the number of edges")?;
    let mut positions = Vec::with_capacity(vertices);
    for vertex in 0..vertices {
        let first = words.at;
        let mut position = [0.0; 3];
        for coordinate in &mut position {
            let value = f32::from_bits(words.next("a coordinate")?);
            if !value.is_finite() {
                let at = Position::element_at("vertex", vertex, first as u64);
                return Err(Problem::not_finite(value).at(at));
            }
            *coordinate = f64::from(value);
        }
        positions.push(position);
        if attributes > 0 {
            words.skip(attributes, "the attributes of a vertex")?;
            let at = Position::element_at("vertex", vertex, first as u64);
            report.add(RemarkKind::Attribute, "vertex attribute", "", 1, at);
        }
    }
    let at = |byte: usize| Position::Byte(byte as u64);
    let mut mesh = PolygonMesh::from_positions(positions)
        .map_err(|error| Problem::from(error).at(at(words.at)))?;
    let mut corners = Vec::new();
    for face in 0..faces {
        let first = words.at;
        let here = || Position::element_at("face", face, first as u64);
        read_face(&mut words, vertices, &mut corners, &here)?;
        mesh.push_face(&corners).map_err(|error| Problem::from(error).at(here()))?;
        let components = words.next("the number of colour components")?;
        if components > MOST_COMPONENTS {
            let found = format!("{components} colour components");
            return Err(Problem::unexpected(found, "0..=4").at(here()));
        }
        if components > 0 {
            words.skip(components as usize, "the colour of a face")?;
            report.add(RemarkKind::Attribute, "face colour", "", 1, here());
        }
    }
    let rest = &bytes[words.at..];
    if !rest.trim_ascii().is_empty() {
        let count = rest.len() as u64;
        report.add(RemarkKind::Trailing, "byte", " after the last face", count, at(words.at));
    }
    Ok(mesh)
}

const WORD: usize = 4;

/// The number of vertices, one of them, and the number of colour components.
const SHORTEST_FACE: usize = 3;

const MOST_COMPONENTS: u32 = 4;

fn read_face(
    words: &mut Words<'_>,
    vertices: usize,
    corners: &mut Vec<u32>,
    here: &impl Fn() -> Position,
) -> Result<(), ReadError> {
    let size = words.count("vertices in a face", WORD)?;
    if size == 0 {
        return Err(Problem::unexpected("a face of 0 vertices", "at least 1").at(here()));
    }
    corners.clear();
    for _ in 0..size {
        let corner = words.next("a vertex number")?;
        if corner as usize >= vertices {
            let valid = 0..=vertices as i64 - 1;
            // Geomview's numbers have signs.
            return Err(Problem::vertex_number(corner.cast_signed().into(), &valid).at(here()));
        }
        corners.push(corner);
    }
    Ok(())
}

/// Big-endian words of 32 bits.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Words<'_> {
    fn next(&mut self, expected: &'static str) -> Result<u32, ReadError> {
        let word = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<WORD>());
        let Some(word) = word else {
            let end = Position::Byte(self.bytes.len() as u64);
            return Err(Problem::truncated(expected).at(end));
        };
        self.at += WORD;
        Ok(u32::from_be_bytes(*word))
    }

    fn skip(&mut self, count: usize, expected: &'static str) -> Result<(), ReadError> {
        (0..count).try_for_each(|_| self.next(expected).map(drop))
    }

    /// A number of things of at least `size` bytes each, which the rest of the file can hold.
    fn count(&mut self, what: &'static str, size: usize) -> Result<usize, ReadError> {
        let at = Position::Byte(self.at as u64);
        let count = self.next("a count")?;
        let room = (self.bytes.len() - self.at) / size;
        if count as usize > room {
            return Err(Problem::count(what, count.into(), room as u64).at(at));
        }
        Ok(count as usize)
    }
}
