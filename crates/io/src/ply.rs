//! PLY: reads and writes vertices and polygons, as text or binary of either byte order.
//!
//! Reads the elements `vertex` (`x`, `y`, `z` of any number type, exactly), `face` (a list of any integer
//! type called `vertex_indices` or `vertex_index`) and `tristrips` (strips as in the Stanford archive,
//! separated by -1), in any order. Edges, other elements over vertices, and data behind the last element
//! or the last value of a line are skipped with a warning, other elements and properties without.
//! Vertices and faces keep their order.
//!
//! `ply-rs-bw` parses the header and single elements. This module iterates over the elements, so that
//! errors name lines and bytes, and first checks that the input can contain all announced elements.
//! Source: G. Turk, "The PLY Polygon File Format", 1994.

mod header;
mod row;

use std::io::{self, ErrorKind};

use ply_rs_bw::parser::{ParseError, Parser};
use ply_rs_bw::ply::ElementDef;
use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError};
use crate::report::{ReadReport, RemarkKind};
use crate::soup::Soup;
use crate::text::{self, Text};
use crate::write_error::{WriteError, bridged};
use header::Header;
use row::{Role, Row};

/// Encoding of the values of a PLY file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Encoding {
    /// Decimal numbers.
    Text,
    /// Binary, the least significant byte first.
    #[default]
    LittleEndian,
    /// Binary, the most significant byte first.
    BigEndian,
}

/// Reads PLY of any encoding. O(n).
/// # Errors
/// With the line or element: an invalid header, more elements announced than the input can contain, input
/// that ends early, an invalid or non-finite value, a face without vertices or with one that does not
/// exist.
pub fn read(bytes: &[u8]) -> Result<PolygonMesh, ReadError> {
    read_reported(bytes, &mut ReadReport::default())
}

pub(crate) fn read_reported(
    bytes: &[u8],
    report: &mut ReadReport,
) -> Result<PolygonMesh, ReadError> {
    let header = Header::read(bytes, report)?;
    header.check_room()?;
    header.report_skipped(report);
    let mut soup = Soup::default();
    match header.encoding() {
        Encoding::Text => {
            read_text(&header, &mut soup, report)?;
            soup.into_mesh(0, |_, line| Position::Line(line))
        }
        _ => {
            read_binary(&header, &mut soup, report)?;
            soup.into_mesh(0, |face, byte| Position::element_at("face", face, byte))
        }
    }
}

/// Writes a mesh as PLY with `double` coordinates. Reading gives the same mesh bit for bit, with holes
/// bridged.
///
/// # Errors
/// Errors of `out`; bridges of holes that exceed the size of a mesh.
///
/// ```
/// use xcollide_io::ply::{self, Encoding};
///
/// let mesh = xcollide_io::off::read(b"OFF\n1 1 0\n0.1 -0.0 1e-310\n1 0\n")?;
/// let mut bytes = Vec::new();
/// ply::write(&mesh, Encoding::BigEndian, &mut bytes)?;
/// assert_eq!(ply::read(&bytes)?, mesh);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write(
    mesh: &PolygonMesh,
    encoding: Encoding,
    mut out: impl io::Write,
) -> Result<(), WriteError> {
    let mesh = &*bridged(mesh)?;
    let name = match encoding {
        Encoding::Text => "ascii",
        Encoding::LittleEndian => "binary_little_endian",
        Encoding::BigEndian => "binary_big_endian",
    };
    let (vertices, faces) = (mesh.vertex_count(), mesh.face_count());
    write!(out, "ply\nformat {name} 1.0\nelement vertex {vertices}\n")?;
    out.write_all(b"property double x\nproperty double y\nproperty double z\n")?;
    write!(out, "element face {faces}\nproperty list uint uint vertex_indices\nend_header\n")?;
    if encoding == Encoding::Text {
        text::write_vertices(mesh, "", &mut out)?;
        return text::write_faces(mesh, &mut out);
    }
    let word = |value: u32| match encoding {
        Encoding::BigEndian => value.to_be_bytes(),
        _ => value.to_le_bytes(),
    };
    for position in mesh.positions() {
        let bytes = position.map(|value| match encoding {
            Encoding::BigEndian => value.to_be_bytes(),
            _ => value.to_le_bytes(),
        });
        out.write_all(bytes.as_flattened())?;
    }
    for face in mesh.faces() {
        let contour = face.outer();
        // A mesh has fewer than 2³² corners.
        out.write_all(&word(contour.len() as u32))?;
        for vertex in contour {
            out.write_all(&word(vertex.0))?;
        }
    }
    Ok(())
}

/// Reads one element a line, skipping blank lines.
fn read_text(
    header: &Header<'_>,
    soup: &mut Soup,
    report: &mut ReadReport,
) -> Result<(), ReadError> {
    let parser = Parser::<Row>::new();
    let mut lines = Text::new(header.payload).counted_from(header.payload_line());
    for element in header.elements() {
        if element.properties.is_empty() {
            continue;
        }
        let role = Role::of(element);
        for index in 0..element.count {
            let Some(line) = lines.filled_line() else {
                let expected = format!("{} {index} of {}", element.name, element.count);
                return Err(lines.error(Problem::truncated(expected)));
            };
            let row =
                row::read_line(&parser, line, element).map_err(|problem| lines.error(problem))?;
            if row.surplus > 0 {
                let (count, at) = (row.surplus as u64, Position::Line(lines.line()));
                report.add(RemarkKind::Trailing, "value", " behind those of a line", count, at);
            }
            // `diagnose` quotes a number as written in the file.
            take(row, role, lines.line(), soup)
                .map_err(|problem| lines.error(row::diagnose(line, element).unwrap_or(problem)))?;
        }
    }
    while lines.filled_line().is_some() {
        let at = Position::Line(lines.line());
        report.add(RemarkKind::Trailing, "line", " after the last element", 1, at);
    }
    Ok(())
}

fn read_binary(
    header: &Header<'_>,
    soup: &mut Soup,
    report: &mut ReadReport,
) -> Result<(), ReadError> {
    let read = match header.encoding() {
        Encoding::BigEndian => Parser::<Row>::read_big_endian_element::<&[u8]>,
        _ => Parser::<Row>::read_little_endian_element::<&[u8]>,
    };
    let parser = Parser::new();
    let mut rest = header.payload;
    let end = header.payload_start + rest.len();
    for element in header.elements() {
        if element.properties.is_empty() {
            continue;
        }
        let role = Role::of(element);
        for index in 0..element.count {
            let byte = (end - rest.len()) as u64;
            let at = || Position::element_at(element.name.clone(), index, byte);
            let row = read(&parser, &mut rest, element)
                .map_err(|error| explain(&error, element).at(at()))?;
            take(row, role, byte, soup).map_err(|problem| problem.at(at()))?;
        }
    }
    // Some writers end the file with a line end or pad it with zeros.
    if !rest.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        let at = Position::Byte((end - rest.len()) as u64);
        report.add(RemarkKind::Trailing, "byte", " after the last element", rest.len() as u64, at);
    }
    Ok(())
}

/// Adds an element to the soup. `place`: its line or byte.
fn take(row: Row, role: Role, place: u64, soup: &mut Soup) -> Result<(), Problem> {
    match role {
        Role::Vertex => {
            let position = row.position;
            if let Some(value) = position.iter().find(|value| !value.is_finite()) {
                return Err(Problem::not_finite(value));
            }
            soup.vertex(position);
        }
        Role::Face => {
            if row.corners.is_empty() {
                return Err(Problem::unexpected("a face of 0 vertices", "at least 1"));
            }
            row.corners.into_iter().for_each(|corner| soup.corner(corner));
            soup.end_face(place)?;
        }
        Role::Strips => {
            for strip in row.corners.split(|&corner| corner == -1) {
                for (index, &[a, b, c]) in strip.array_windows().enumerate() {
                    // Every other triangle has the opposite orientation.
                    let triangle = if index % 2 == 0 { [a, b, c] } else { [b, a, c] };
                    triangle.into_iter().for_each(|corner| soup.corner(corner));
                    soup.end_face(place)?;
                }
            }
        }
        Role::Other => {}
    }
    Ok(())
}

fn explain(error: &ParseError, element: &ElementDef) -> Problem {
    if error.kind() == ErrorKind::UnexpectedEof {
        return Problem::truncated(format!("all values of a {}", element.name));
    }
    let message = error.to_string();
    let found = message.lines().next().unwrap_or_default().to_owned();
    Problem::unexpected(found, format!("the values of a {}", element.name))
}
