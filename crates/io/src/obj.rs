//! Wavefront OBJ: reads and writes `v` and `f` statements.
//!
//! Reads vertices (`x y z`, followed by an ignored weight or colour) and faces of one or more vertices
//! (`v`, `v/vt`, `v//vn`, `v/vt/vn`, counted from 1, or backwards by negative numbers; vertices may
//! follow the face). All other statements are skipped and counted, with a warning unless they are about
//! groups, materials, texture coordinates or normals. Vertices and faces keep their order, so that users
//! can look up numbers in the file. A text in UTF-16 is one that begins with a byte order mark; others may have
//! any encoding that continues ASCII.
//! Source: Wavefront, "Object Files (.obj)", Advanced Visualizer manual, appendix B1.

use std::collections::BTreeMap;
use std::io;

use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError, quote};
use crate::report::{ReadReport, RemarkKind};
use crate::soup::Soup;
use crate::text::{self, Text, integer};
use crate::write_error::{WriteError, bridged};

/// Reads an OBJ text. O(n).
///
/// # Errors
/// With the line: no statement that is known, an invalid or non-finite number, a face without vertices
/// or with one that does not exist.
///
/// ```
/// let mesh = xcollide_io::obj::read(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n")?;
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
    let decoded = text::without_utf16(bytes);
    let mut text = Text::new(&decoded).with_comments().with_continued_lines();
    let mut soup = Soup::default();
    let mut is_obj = false;
    // By name: the first line, the number, and the kind.
    let mut skipped = BTreeMap::<&[u8], (u64, u64, RemarkKind)>::new();
    while let Some(keyword) = text.word() {
        let line = text.line();
        let kind = kind(keyword);
        is_obj |= kind.is_some();
        match kind {
            Some(Kind::Vertex) => {
                let position = [text.coordinate()?, text.coordinate()?, text.coordinate()?];
                soup.vertex(position);
                let others = text.count_words_on_line();
                if others > 0 {
                    let what = if others == 1 { "vertex weight" } else { "vertex colour" };
                    report.add(RemarkKind::Attribute, what, "", 1, Position::Line(line));
                }
            }
            Some(Kind::Face) => read_face(&mut text, &mut soup)?,
            _ => {
                let remark = match kind {
                    Some(Kind::Name | Kind::Attribute) => RemarkKind::Attribute,
                    Some(Kind::Geometry) => RemarkKind::Geometry,
                    _ => RemarkKind::Unknown,
                };
                skipped.entry(keyword).or_insert((line, 0, remark)).1 += 1;
                // A name goes to the end of the line and may end in a backslash.
                if kind == Some(Kind::Name) {
                    text.next_line();
                } else {
                    text.count_words_on_line();
                }
            }
        }
    }
    let mut skipped: Vec<_> = skipped.into_iter().collect();
    skipped.sort_unstable_by_key(|&(_, (line, ..))| line);
    if !is_obj {
        return Err(match skipped.first() {
            None => Problem::empty("OBJ statements"),
            Some(&(word, (line, ..))) => {
                let expected = "an OBJ statement such as `v` or `f`";
                Problem::unexpected(quote(word), expected).at(Position::Line(line))
            }
        });
    }
    for (keyword, (line, count, kind)) in skipped {
        let name = format!(" {}", quote(keyword));
        report.add(kind, "statement", &name, count, Position::Line(line));
    }
    soup.into_mesh(1, |_, line| Position::Line(line))
}

/// Writes a mesh as OBJ with the shortest digits that reproduce every f64. Reading gives the same mesh
/// bit for bit, with holes bridged.
///
/// # Errors
/// Errors of `out`; bridges of holes that exceed the size of a mesh.
pub fn write(mesh: &PolygonMesh, mut out: impl io::Write) -> Result<(), WriteError> {
    let mesh = &*bridged(mesh)?;
    // A text without statements would not be recognized as OBJ.
    if mesh.vertex_count() == 0 {
        out.write_all(b"o empty\n")?;
    }
    text::write_vertices(mesh, "v ", &mut out)?;
    for face in mesh.faces() {
        out.write_all(b"f")?;
        for vertex in face.outer() {
            write!(out, " {}", u64::from(vertex.0) + 1)?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// Kind of a known statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Vertex,
    Face,
    /// Its argument is a name to the end of the line.
    Name,
    /// Normals, texture coordinates, shading.
    Attribute,
    /// Points, lines, curves and surfaces, and geometry in other files.
    Geometry,
}

fn kind(keyword: &[u8]) -> Option<Kind> {
    Some(match keyword {
        b"v" => Kind::Vertex,
        b"f" | b"fo" => Kind::Face,
        b"usemtl" | b"o" | b"g" | b"mtllib" | b"maplib" | b"usemap" | b"shadow_obj"
        | b"trace_obj" => Kind::Name,
        b"vt" | b"vn" | b"s" | b"mg" | b"bevel" | b"c_interp" | b"d_interp" | b"lod" => {
            Kind::Attribute
        }
        b"p" | b"l" | b"vp" | b"cstype" | b"deg" | b"bmat" | b"step" | b"curv" | b"curv2"
        | b"surf" | b"parm" | b"trim" | b"hole" | b"scrv" | b"sp" | b"end" | b"con" | b"ctech"
        | b"stech" | b"res" | b"bsp" | b"bzp" | b"cdc" | b"cdp" | b"call" | b"csh" => {
            Kind::Geometry
        }
        _ => return None,
    })
}

/// Whether an OBJ line may begin with this word.
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    kind(word).is_some()
}

fn read_face(text: &mut Text<'_>, soup: &mut Soup) -> Result<(), ReadError> {
    let line = text.line();
    let mut next = Some(text.expect_on_line("vertex numbers of a face")?);
    while let Some(word) = next {
        let number = vertex_number(word)
            .ok_or_else(|| text.unexpected(word, "a corner such as `1`, `1/2` or `1/2/3`"))?;
        let count = soup.vertex_count() as i64;
        if number < -count {
            return Err(text.error(Problem::vertex_number(number, &(-count..=-1))));
        }
        if number == 0 {
            return Err(text.error(Problem::vertex_number(0, &(1..=count))));
        }
        soup.corner(if number < 0 { count + number } else { number - 1 });
        next = text.word_on_line();
    }
    soup.end_face(line).map_err(|problem| problem.at(Position::Line(line)))
}

/// The vertex number of a corner. Texture and normal numbers must be integers, but are not used.
fn vertex_number(corner: &[u8]) -> Option<i64> {
    let mut parts = corner.split(|&byte| byte == b'/');
    let number = integer(parts.next()?)?;
    let others_are_fine = parts.by_ref().take(2).all(|p| p.is_empty() || integer(p).is_some());
    (others_are_fine && parts.next().is_none()).then_some(number)
}
