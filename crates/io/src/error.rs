//! Read errors: one line with the file, the place, what was found and what was expected, such as
//! `bunny.obj: line 12: vertex number 900 in a face, expected 1..=800`.

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use xcollide_brep::MeshError;

/// Error of reading a mesh.
///
/// ```
/// use xcollide_io::{Format, Position, read_bytes};
///
/// let error = read_bytes(b"v 0 0 0\nf 1 2 1\n", Some(Format::Obj)).unwrap_err();
/// assert_eq!(error.position(), &Position::Line(2));
/// assert_eq!(error.to_string(), "line 2: vertex number 2 in a face, expected 1..=1");
/// ```
#[derive(Debug)]
pub struct ReadError(Box<Details>);

#[derive(Debug)]
struct Details {
    path: Option<PathBuf>,
    position: Position,
    problem: Problem,
}

/// Place of an error in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Position {
    /// The input as a whole.
    File,
    /// A line of a text, from 1.
    Line(u64),
    /// A byte offset.
    Byte(u64),
    /// A numbered part of a binary file or of a scene, such as `triangle 7` or `mesh 0, primitive 2`.
    Element {
        /// Kind of the part.
        name: Cow<'static, str>,
        /// Its number, from 0.
        index: u64,
        /// Its byte offset, if known.
        byte: Option<u64>,
    },
}

/// Kind of an error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The file, or one that it refers to, cannot be read.
    #[error("cannot be read: {0}")]
    Io(#[source] std::io::Error),
    /// The input is invalid or ends at this place.
    #[error("{found}, expected {expected}")]
    Unexpected {
        /// What was found; text from the input is in back-ticks.
        found: String,
        /// What is allowed at this place.
        expected: Cow<'static, str>,
    },
    /// A well-formed variant of the format that is not supported.
    #[error("{found} is not supported, expected {expected}")]
    Unsupported {
        /// The variant.
        found: String,
        /// What is supported.
        expected: Cow<'static, str>,
    },
    /// Data whose decoder is not compiled in.
    #[error(
        "{found}, expected xcollide-io with the feature `{feature}`: enable it, or export without compression"
    )]
    FeatureDisabled {
        /// The data.
        found: &'static str,
        /// The feature of this crate that decodes them.
        feature: &'static str,
    },
    /// More vertices, corners or faces than a mesh can number.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

impl ReadError {
    /// The file, if the input was a file.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.0.path.as_deref()
    }

    /// The place in the input.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.0.position
    }

    /// The kind of the error.
    #[must_use]
    pub fn problem(&self) -> &Problem {
        &self.0.problem
    }

    pub(crate) fn in_file(mut self, path: &Path) -> Self {
        self.0.path = Some(path.to_path_buf());
        self
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { path, position, problem } = &*self.0;
        if let Some(path) = path {
            write!(f, "{}: ", path.display())?;
        }
        if *position != Position::File {
            write!(f, "{position}: ")?;
        }
        write!(f, "{problem}")
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.problem.source()
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File => f.write_str("the file"),
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
            Self::Element { name, index, byte: None } => write!(f, "{name} {index}"),
            Self::Element { name, index, byte: Some(byte) } => {
                write!(f, "{name} {index} at byte {byte}")
            }
        }
    }
}

impl Position {
    pub(crate) fn element(name: impl Into<Cow<'static, str>>, index: usize) -> Self {
        Self::Element { name: name.into(), index: index as u64, byte: None }
    }

    pub(crate) fn element_at(name: impl Into<Cow<'static, str>>, index: usize, byte: u64) -> Self {
        Self::Element { name: name.into(), index: index as u64, byte: Some(byte) }
    }
}

impl Problem {
    pub(crate) fn unexpected(
        found: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Unexpected { found: found.into(), expected: expected.into() }
    }

    pub(crate) fn unsupported(
        found: impl Into<String>,
        expected: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Unsupported { found: found.into(), expected: expected.into() }
    }

    pub(crate) fn truncated(expected: impl Into<Cow<'static, str>>) -> Self {
        Self::unexpected("the file ends", expected)
    }

    pub(crate) fn empty(expected: &'static str) -> ReadError {
        Self::unexpected("the file is empty", expected).at(Position::File)
    }

    pub(crate) fn not_finite(coordinate: impl fmt::Display) -> Self {
        Self::unexpected(format!("coordinate {coordinate}"), "a finite number")
    }

    /// A face refers to a vertex that does not exist. `valid`: the range of vertex numbers in the format.
    pub(crate) fn vertex_number(found: i64, valid: &RangeInclusive<i64>) -> Self {
        let expected = if valid.is_empty() {
            "none, as there are no vertices".to_owned()
        } else {
            format!("{}..={}", valid.start(), valid.end())
        };
        Self::unexpected(format!("vertex number {found} in a face"), expected)
    }

    /// More elements are announced than the rest of the input can contain.
    pub(crate) fn count(what: impl fmt::Display, found: u64, room: u64) -> Self {
        let expected = format!("at most {room} in the bytes that follow");
        Self::unexpected(format!("{found} {what}"), expected)
    }

    pub(crate) fn at(self, position: Position) -> ReadError {
        ReadError(Box::new(Details { path: None, position, problem: self }))
    }
}

/// A part of the input in back-ticks, on one line and of bounded length.
pub(crate) fn quote(piece: &[u8]) -> String {
    const LONGEST: usize = 40;
    // A character has at most four bytes, so this prefix contains LONGEST of them.
    let prefix = &piece[..piece.len().min(4 * LONGEST)];
    let text = String::from_utf8_lossy(prefix);
    let shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    let cut = text.chars().nth(LONGEST).is_some() || prefix.len() < piece.len();
    // Quotes need no escape between back-ticks.
    let shown = shown.replace("\\'", "'").replace("\\\"", "\"");
    format!("`{shown}{}`", if cut { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_one_short_line_whatever_the_bytes() {
        assert_eq!(quote(b"a\nb\x00"), "`a\\nb\\0`");
        assert_eq!(quote("it's \"ü\"".as_bytes()), "`it's \"ü\"`");
        assert_eq!(quote(b"\xff"), "`\u{fffd}`");
        assert_eq!(quote(&[b'x'; 41]), format!("`{}…`", "x".repeat(40)));
        assert_eq!(quote(&[b'x'; 40]), format!("`{}`", "x".repeat(40)));
    }

    #[test]
    fn errors_name_file_position_found_and_expected() {
        let error = Problem::vertex_number(900, &(1..=800))
            .at(Position::Line(12))
            .in_file(Path::new("bunny.obj"));
        assert_eq!(
            error.to_string(),
            "bunny.obj: line 12: vertex number 900 in a face, expected 1..=800"
        );
    }
}
