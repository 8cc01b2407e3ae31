//! Wavefront OBJ: reads and writes `v` and `f` statements.
//!
//! Reads vertices (`x y z`, followed by an ignored weight or colour) and faces of one or more vertices
//! (`v`, `v/vt`, `v//vn`, `v/vt/vn`, counted from 1, or backwards by negative numbers; vertices may
//! follow the face). Drops groups, materials, texture coordinates, normals, points, lines and free-form
//! surfaces; an unknown statement is an error. Vertices and faces keep their order, so that users can
//! look up numbers in the file. Source: Wavefront, "Object Files (.obj)", Advanced Visualizer manual,
//! appendix B1.

use std::io;

use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError, quote};
use crate::soup::Soup;
use crate::text::{self, Text, integer};
use crate::write_error::{WriteError, bridged};

/// Reads an OBJ text. O(n).
///
/// # Errors
/// With the line: an unknown statement, an invalid or non-finite number, a face without vertices or with
/// a vertex that does not exist.
///
/// ```
/// let mesh = xcollide_io::obj::read(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n")?;
/// assert_eq!((mesh.vertex_count(), mesh.face_count()), (3, 1));
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
pub fn read(bytes: &[u8]) -> Result<PolygonMesh, ReadError> {
    let mut text = Text::new(bytes).with_comments().with_continued_lines();
    let mut soup = Soup::default();
    let mut empty = true;
    while let Some(keyword) = text.word() {
        empty = false;
        match keyword {
            b"v" => {
                let position = [text.coordinate()?, text.coordinate()?, text.coordinate()?];
                soup.vertex(position);
                text.skip_words_on_line();
            }
            b"f" | b"fo" => read_face(&mut text, &mut soup)?,
            // The rest of the line is a name, which may end in a backslash.
            _ if is_one_of(NAMES, keyword) => {
                text.next_line();
            }
            _ if is_one_of(DROPPED, keyword) => text.skip_words_on_line(),
            b"call" | b"csh" => {
                let found = format!("the statement {}", quote(keyword));
                return Err(text.error(Problem::unsupported(found, "all geometry in this file")));
            }
            _ => {
                return Err(text.unexpected(keyword, "an OBJ statement such as `v` or `f`"));
            }
        }
    }
    if empty {
        return Err(Problem::empty("OBJ statements"));
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

/// Statements followed by a name to the end of the line.
const NAMES: &str = "usemtl o g mtllib maplib usemap shadow_obj trace_obj";

/// Statements without polygons.
const DROPPED: &str = "vt vn vp s p l mg cstype deg bmat step curv curv2 surf parm trim hole scrv \
                       sp end con bevel c_interp d_interp lod ctech stech res bsp bzp cdc cdp";

fn is_one_of(words: &str, word: &[u8]) -> bool {
    words.split(' ').any(|other| other.as_bytes() == word)
}

/// Whether an OBJ line may begin with this word.
pub(crate) fn is_keyword(word: &[u8]) -> bool {
    matches!(word, b"v" | b"f" | b"fo" | b"call" | b"csh")
        || is_one_of(NAMES, word)
        || is_one_of(DROPPED, word)
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
