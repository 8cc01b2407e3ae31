//! OFF of Geomview: reads and writes polygons over numbered vertices.
//!
//! Reads `OFF` with the prefixes `ST`, `C` and `N` in any combination, without a header or with one that
//! runs into the counts (`OFF8 6 12`), with or without the number of edges, with comments and blank
//! lines, behind an `appearance` of Geomview. Each vertex or face is one line; normals, colours and
//! texture coordinates are skipped. Lines behind the announced faces are skipped with a warning if there
//! is a header; the number of edges is ignored. `OFF BINARY` is read as Geomview writes it. OFF whose vertices
//! have other than three coordinates (`4OFF`, `nOFF`) is rejected.
//! Source: Geomview manual, "OFF Files".

mod binary;

use std::io;

use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError, quote};
use crate::report::{ReadReport, RemarkKind};
use crate::text::{self, Text, integer};
use crate::write_error::{WriteError, bridged};

/// Reads OFF, text or binary. O(n).
///
/// # Errors
/// With the line or byte: neither header nor counts, too few lines, an invalid or non-finite number, a face
/// without vertices or with one that does not exist, an unsupported variant.
///
/// ```
/// let mesh = xcollide_io::off::read(b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")?;
/// assert_eq!((mesh.vertex_count(), mesh.face_count()), (3, 1));
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<PolygonMesh, ReadError> {
    read_reported(bytes, &mut ReadReport::default())
}

pub(crate) fn read_reported(
    bytes: &[u8],
    report: &mut ReadReport,
) -> Result<PolygonMesh, ReadError> {
    let mut text = Text::new(bytes).with_comments();
    let header = read_header(&mut text, report)?;
    if let Some(start) = header.binary_start {
        return binary::read(bytes, start, header.attributes, report);
    }
    let has_header = header.is_there;
    let Counts { vertices, faces } = read_counts(&mut text, header.glued)?;

    let mut positions = Vec::with_capacity(vertices);
    for vertex in 0..vertices {
        seek_line(&mut text, || format!("vertex {vertex} of {vertices}"))?;
        positions.push([text.coordinate()?, text.coordinate()?, text.coordinate()?]);
        end_line(&mut text, "vertex attribute", report);
    }
    let mut mesh =
        PolygonMesh::from_positions(positions).map_err(|error| text.error(error.into()))?;
    let mut corners = Vec::new();
    for face in 0..faces {
        seek_line(&mut text, || format!("face {face} of {faces}"))?;
        read_face(&mut text, vertices, &mut corners)?;
        mesh.push_face(&corners).map_err(|error| text.error(error.into()))?;
        end_line(&mut text, "face colour", report);
    }
    while let Some(word) = text.word() {
        if !has_header {
            // Any table of numbers begins like this.
            let expected = format!("the end of the file after {vertices} vertices, {faces} faces");
            return Err(text.unexpected(word, expected));
        }
        let at = Position::Line(text.line());
        report.add(RemarkKind::Trailing, "line", " after the last face", 1, at);
        text.next_line();
    }
    Ok(mesh)
}

/// Goes to the next line. Words before it are an attribute.
fn end_line(text: &mut Text<'_>, attribute: &'static str, report: &mut ReadReport) {
    let line = text.line();
    if text.count_words_on_line() > 0 {
        report.add(RemarkKind::Attribute, attribute, "", 1, Position::Line(line));
    }
    text.next_line();
}

/// Writes a mesh as OFF with the shortest digits that reproduce every f64. Reading gives the same mesh
/// bit for bit, with holes bridged.
///
/// # Errors
/// Errors of `out`; bridges of holes that exceed the size of a mesh.
pub fn write(mesh: &PolygonMesh, mut out: impl io::Write) -> Result<(), WriteError> {
    let mesh = &*bridged(mesh)?;
    writeln!(out, "OFF\n{} {} 0", mesh.vertex_count(), mesh.face_count())?;
    text::write_vertices(mesh, "", &mut out)?;
    text::write_faces(mesh, &mut out)
}

/// An OFF header keyword and the text attached to it.
#[derive(Clone, Copy)]
pub(crate) struct Keyword<'a> {
    /// Numbers of the normal, colour and texture coordinates of each vertex.
    attributes: usize,
    has_four_coordinates: bool,
    has_any_coordinates: bool,
    /// Counts that follow without a blank.
    rest: &'a [u8],
}

/// `[ST][C][N][4][n]OFF`, possibly followed by digits.
pub(crate) fn keyword(word: &[u8]) -> Option<Keyword<'_>> {
    let mut word = word;
    let mut has = |prefix: &[u8]| {
        let rest = word.strip_prefix(prefix);
        word = rest.unwrap_or(word);
        rest.is_some()
    };
    let (texture, color, normal) = (has(b"ST"), has(b"C"), has(b"N"));
    let (has_four_coordinates, has_any_coordinates) = (has(b"4"), has(b"n"));
    let rest = word.strip_prefix(b"OFF")?;
    let attributes = 2 * usize::from(texture) + 4 * usize::from(color) + 3 * usize::from(normal);
    let digits = rest.iter().all(u8::is_ascii_digit);
    digits.then_some(Keyword { attributes, has_four_coordinates, has_any_coordinates, rest })
}

impl Keyword<'_> {
    /// Rejects vertices that are no points in space. `word`: the keyword in the file.
    fn check(self, word: &[u8]) -> Result<(), Problem> {
        let coordinates = match (self.has_four_coordinates, self.has_any_coordinates) {
            (false, false) => return Ok(()),
            (true, false) => "four coordinates",
            (_, true) => "any number of coordinates",
        };
        let found = format!("OFF of vertices with {coordinates} ({})", quote(word));
        let expected =
            "three coordinates a vertex: project the vertices to space, and write them as `OFF`";
        Err(Problem::unsupported(found, expected))
    }
}

/// What is before the counts.
struct Header<'a> {
    is_there: bool,
    /// The number of vertices, if it was read with the header.
    glued: Option<&'a [u8]>,
    /// Numbers of each vertex behind its coordinates, in binary.
    attributes: usize,
    /// The offset of binary counts.
    binary_start: Option<usize>,
}

fn read_header<'a>(text: &mut Text<'a>, report: &mut ReadReport) -> Result<Header<'a>, ReadError> {
    let mut first = text.word();
    if first == Some(b"appearance") {
        let at = Position::Line(text.line());
        report.add(RemarkKind::Attribute, "appearance", "", 1, at);
        skip_braces(text);
        first = text.word();
    }
    let Some(first) = first else {
        return Err(Problem::empty("`OFF`"));
    };
    let plain = Header { is_there: false, glued: None, attributes: 0, binary_start: None };
    let Some(keyword) = keyword(first) else {
        return match integer(first) {
            Some(_) => Ok(Header { glued: Some(first), ..plain }),
            None => Err(text.unexpected(first, "`OFF`")),
        };
    };
    keyword.check(first).map_err(|problem| text.error(problem))?;
    let Keyword { attributes, rest, .. } = keyword;
    let mut ahead = *text;
    let binary_start = (ahead.word_on_line() == Some(b"BINARY")).then(|| ahead.next_line_start());
    let glued = (!rest.is_empty()).then_some(rest);
    Ok(Header { is_there: true, glued, attributes, binary_start })
}

/// The announced numbers of vertices and faces.
struct Counts {
    vertices: usize,
    faces: usize,
}

/// Reads the counts of vertices and faces, and checks that the remaining text can hold them: the shortest
/// vertex is `0 0 0` and a line end, the shortest face `1 0`.
fn read_counts(text: &mut Text<'_>, glued: Option<&[u8]>) -> Result<Counts, ReadError> {
    const SHORTEST_VERTEX: u64 = 6;
    const SHORTEST_FACE: u64 = 4;

    let vertices = match glued {
        Some(word) => count(text, word, "the number of vertices")?,
        None => next_count(text, "the number of vertices")?,
    };
    let faces = next_count(text, "the number of faces")?;
    skip_edge_count(text)?;

    // The last line end may be missing.
    let bytes = text.remaining() as u64 + 1;
    let room = bytes / SHORTEST_VERTEX;
    if vertices > room {
        return Err(text.error(Problem::count("vertices", vertices, room)));
    }
    let room = (bytes - vertices * SHORTEST_VERTEX) / SHORTEST_FACE;
    if faces > room {
        return Err(text.error(Problem::count("faces", faces, room)));
    }
    Ok(Counts { vertices: vertices as usize, faces: faces as usize })
}

/// Skips a block in braces, which may be nested.
fn skip_braces(text: &mut Text<'_>) {
    let mut depth = 0_i64;
    while let Some(word) = text.word() {
        for byte in word {
            depth += i64::from(*byte == b'{') - i64::from(*byte == b'}');
        }
        if depth <= 0 {
            return;
        }
    }
}

/// Skips the number of edges, which may be missing or on its own line.
fn skip_edge_count(text: &mut Text<'_>) -> Result<(), ReadError> {
    let mut ahead = *text;
    if let Some(word) = ahead.word_on_line() {
        if integer(word).is_none() {
            return Err(ahead.unexpected(word, "the number of edges"));
        }
        *text = ahead;
    } else if ahead.word().is_some_and(|word| integer(word).is_some())
        && ahead.word_on_line().is_none()
    {
        *text = ahead;
    }
    text.next_line();
    Ok(())
}

fn next_count(text: &mut Text<'_>, expected: &'static str) -> Result<u64, ReadError> {
    match text.word() {
        Some(word) => count(text, word, expected),
        None => Err(text.error(Problem::truncated(expected))),
    }
}

fn count(text: &Text<'_>, word: &[u8], expected: &'static str) -> Result<u64, ReadError> {
    integer(word)
        .and_then(|count| u64::try_from(count).ok())
        .ok_or_else(|| text.unexpected(word, expected))
}

/// Goes to the next line that has a word.
fn seek_line(text: &mut Text<'_>, expected: impl Fn() -> String) -> Result<(), ReadError> {
    loop {
        let mut ahead = *text;
        if ahead.word_on_line().is_some() {
            return Ok(());
        }
        if !text.next_line() {
            return Err(text.error(Problem::truncated(expected())));
        }
    }
}

fn read_face(
    text: &mut Text<'_>,
    vertices: usize,
    corners: &mut Vec<u32>,
) -> Result<(), ReadError> {
    const EXPECTED: &str = "the number of vertices of a face";
    let word = text.expect_on_line(EXPECTED)?;
    let size = count(text, word, EXPECTED)?;
    // Each needs a blank and a digit.
    let room = text.remaining() as u64 / 2;
    if size > room {
        return Err(text.error(Problem::count("vertices in a face", size, room)));
    }
    if size == 0 {
        return Err(text.error(Problem::unexpected("a face of 0 vertices", "at least 1")));
    }
    corners.clear();
    for _ in 0..size {
        let word = text.expect_on_line("a vertex number")?;
        let number = integer(word).ok_or_else(|| text.unexpected(word, "a vertex number"))?;
        match u32::try_from(number) {
            Ok(corner) if (corner as usize) < vertices => corners.push(corner),
            _ => {
                let valid = 0..=vertices as i64 - 1;
                return Err(text.error(Problem::vertex_number(number, &valid)));
            }
        }
    }
    Ok(())
}
