//! The header of a PLY file: normalized, parsed by the crate, and checked.

use std::borrow::Cow;

use ply_rs_bw::parser::{Parser, Reader};
use ply_rs_bw::ply::{self, ElementDef, PropertyType, ScalarType};

use super::Encoding;
use super::row::{Role, Row, is_corner_list, is_used};
use crate::error::{Position, Problem, ReadError, quote};
use crate::report::{ReadReport, RemarkKind};

/// A checked header and the payload after it.
pub(super) struct Header<'a> {
    parsed: ply::Header,
    lines: Vec<Cow<'a, str>>,
    pub(super) payload: &'a [u8],
    /// The offset of the payload in the file.
    pub(super) payload_start: usize,
}

impl<'a> Header<'a> {
    /// Reads the header: lines up to `end_header`, with any line end, comments in any encoding.
    pub(super) fn read(bytes: &'a [u8], report: &mut ReadReport) -> Result<Self, ReadError> {
        let (lines, payload_start) = split_lines(bytes)?;
        let known = lines.iter().enumerate().map(|(index, line)| {
            if is_statement(line) {
                return line.as_ref();
            }
            let at = Position::Line(index as u64 + 1);
            report.add(RemarkKind::Unknown, "line", " of the header", 1, at);
            "comment"
        });
        let text = known.collect::<Vec<_>>().join("\n");
        let parsed = Parser::<Row>::new().read_header(&mut Reader::new(text.as_bytes())).map_err(
            |error| {
                let line = error.line().unwrap_or(lines.len());
                let found = lines.get(line.saturating_sub(1)).map(|text| quote(text.as_bytes()));
                let expected = match error.line() {
                    Some(_) => "a PLY header line such as `element vertex 8`",
                    None => "a line `format ascii 1.0` before it",
                };
                let found = found.unwrap_or_else(|| "the end of the header".to_owned());
                Problem::unexpected(found, expected).at(Position::Line(line as u64))
            },
        )?;
        let header = Self { parsed, lines, payload: &bytes[payload_start..], payload_start };
        header.check_names()?;
        header.check_types()?;
        Ok(header)
    }

    /// Rejects counts that the payload cannot contain.
    pub(super) fn check_room(&self) -> Result<(), ReadError> {
        // The line end after the last element may be missing.
        let mut room = self.payload.len() as u64 + 1;
        for element in self.elements() {
            let shortest = self.shortest(element);
            if shortest == 0 {
                continue;
            }
            let (found, fitting) = (element.count as u64, room / shortest);
            if found > fitting {
                let what = format!("elements `{}`", element.name);
                let problem = Problem::count(what, found, fitting);
                return Err(problem.at(self.position_of(element)));
            }
            room -= found * shortest;
        }
        Ok(())
    }

    /// Reports the elements and properties that are not read.
    pub(super) fn report_skipped(&self, report: &mut ReadReport) {
        for element in self.elements().filter(|element| element.count > 0) {
            let (role, at) = (Role::of(element), self.position_of(element));
            let name = quote(element.name.as_bytes());
            if role == Role::Other {
                let kind = match element.name.as_str() {
                    "edge" | "range_grid" => RemarkKind::Geometry,
                    _ if element.properties.keys().any(|name| is_corner_list(name)) => {
                        RemarkKind::Unknown
                    }
                    _ => RemarkKind::Attribute,
                };
                let count = element.count as u64;
                report.add(kind, "element", &format!(" {name}"), count, at);
                continue;
            }
            let skipped = element.properties.keys().filter(|property| !is_used(role, property));
            match skipped.count() as u64 {
                0 => {}
                count => {
                    let detail = format!(" of each element {name}");
                    report.add(RemarkKind::Attribute, "value", &detail, count, at);
                }
            }
            let has = |name: &str| element.properties.contains_key(name);
            report.splats |= role == Role::Vertex && has("f_dc_0") && has("rot_0");
        }
    }

    pub(super) fn encoding(&self) -> Encoding {
        match self.parsed.encoding {
            ply::Encoding::Ascii => Encoding::Text,
            ply::Encoding::BinaryBigEndian => Encoding::BigEndian,
            ply::Encoding::BinaryLittleEndian => Encoding::LittleEndian,
        }
    }

    pub(super) fn elements(&self) -> impl Iterator<Item = &ElementDef> {
        self.parsed.elements.values()
    }

    /// The line on which the payload starts, from 1.
    pub(super) fn payload_line(&self) -> u64 {
        self.lines.len() as u64 + 1
    }

    /// Rejects duplicate names: the crate keeps only one of two elements or properties with the same
    /// name, and would read everything after them from the wrong place.
    fn check_names(&self) -> Result<(), ReadError> {
        let mut names: Vec<(&str, Option<&str>)> = Vec::new();
        let mut element = "";
        for (index, line) in self.lines.iter().enumerate() {
            let mut words = line.split_ascii_whitespace();
            let name = match words.next() {
                Some("element") => {
                    element = words.next().unwrap_or_default();
                    (element, None)
                }
                Some("property") => (element, words.next_back()),
                _ => continue,
            };
            names.push(name);
            let at = Position::Line(index as u64 + 1);
            // Also bounds the quadratic search below.
            if names.len() > MOST_NAMES {
                let found = format!("a header with more than {MOST_NAMES} elements and properties");
                return Err(Problem::unsupported(found, "fewer").at(at));
            }
            if names[..names.len() - 1].contains(&name) {
                let expected = "a name that was not used before";
                return Err(Problem::unexpected(quote(line.as_bytes()), expected).at(at));
            }
        }
        Ok(())
    }

    /// Checks the types of properties in use, and the length types of all lists.
    fn check_types(&self) -> Result<(), ReadError> {
        use ScalarType::{Double, Float};
        if !self.elements().any(|element| Role::of(element) == Role::Vertex) {
            let problem = Problem::unexpected("no element `vertex`", "one");
            return Err(problem.at(Position::Line(self.lines.len() as u64)));
        }
        for element in self.elements() {
            let fail = |found: String, expected: &'static str| {
                Err(Problem::unexpected(found, expected).at(self.position_of(element)))
            };
            for property in element.properties.values() {
                if let PropertyType::List(Float | Double, _) = property.data_type {
                    let found =
                        format!("list `{}` with a length that is no integer", property.name);
                    return fail(found, "an integer type such as uchar");
                }
            }
            match Role::of(element) {
                Role::Vertex if element.count > 0 => {
                    for axis in ["x", "y", "z"] {
                        let data_type = element.properties.get(axis).map(|p| &p.data_type);
                        if !matches!(data_type, Some(PropertyType::Scalar(_))) {
                            let found = format!("vertices without a number `{axis}`");
                            return fail(found, "x, y and z");
                        }
                    }
                }
                Role::Face | Role::Strips if element.count > 0 => {
                    let lists = element.properties.values().filter(|p| is_corner_list(&p.name));
                    let types: Vec<_> = lists.map(|property| &property.data_type).collect();
                    let is_usable = match types[..] {
                        [PropertyType::List(_, item)] => !matches!(item, Float | Double),
                        _ => false,
                    };
                    if !is_usable {
                        let found = format!("elements `{}` without vertex numbers", element.name);
                        return fail(found, "one list of integers called vertex_indices");
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The least number of bytes of an element.
    fn shortest(&self, element: &ElementDef) -> u64 {
        let size = |scalar: &ScalarType| match scalar {
            // A digit, and a blank or line end.
            _ if self.encoding() == Encoding::Text => 2,
            ScalarType::Char | ScalarType::UChar => 1,
            ScalarType::Short | ScalarType::UShort => 2,
            ScalarType::Int | ScalarType::UInt | ScalarType::Float => 4,
            ScalarType::Double => 8,
        };
        let sizes = element.properties.values().map(|property| match &property.data_type {
            PropertyType::Scalar(scalar) => size(scalar),
            PropertyType::List(length, _) => size(length),
        });
        sizes.sum()
    }

    /// The line on which an element is declared.
    fn position_of(&self, element: &ElementDef) -> Position {
        let declares = |line: &Cow<'_, str>| {
            let mut words = line.split_ascii_whitespace();
            words.next() == Some("element") && words.next() == Some(&element.name)
        };
        match self.lines.iter().position(declares) {
            Some(index) => Position::Line(index as u64 + 1),
            None => Position::File,
        }
    }
}

fn is_statement(line: &str) -> bool {
    const STATEMENTS: [&str; 7] =
        ["ply", "format", "comment", "obj_info", "element", "property", "end_header"];
    line.split_ascii_whitespace().next().is_none_or(|word| STATEMENTS.contains(&word))
}

/// Most elements and properties that a header may declare.
const MOST_NAMES: usize = 1000;

/// The lines of the header, up to `end_header`, and the start of the payload. All lines end like the
/// first one: after a lone CR, a binary payload may begin with the byte of an LF.
fn split_lines(bytes: &[u8]) -> Result<(Vec<Cow<'_, str>>, usize), ReadError> {
    let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
    let first = bytes.iter().position(is_end).unwrap_or(bytes.len());
    if bytes.is_empty() {
        return Err(Problem::empty("`ply`"));
    }
    if bytes[..first].trim_ascii_end() != b"ply" {
        let problem = Problem::unexpected(quote(&bytes[..first]), "`ply`");
        return Err(problem.at(Position::Line(1)));
    }
    let line_end: &[u8] = match &bytes[first..] {
        [b'\r', b'\n', ..] => b"\r\n",
        [b'\r', ..] => b"\r",
        _ => b"\n",
    };
    let mut lines = Vec::new();
    let mut rest = bytes;
    while !rest.is_empty() {
        let last = line_end[line_end.len() - 1];
        let end = rest.iter().position(|&byte| byte == last).unwrap_or(rest.len());
        let line = rest[..end].trim_ascii_end();
        rest = rest.get(end + 1..).unwrap_or_default();
        lines.push(String::from_utf8_lossy(line));
        if line == b"end_header" {
            return Ok((lines, bytes.len() - rest.len()));
        }
    }
    Err(Problem::truncated("`end_header`").at(Position::Line(lines.len() as u64)))
}
