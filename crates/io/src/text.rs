//! Words and lines of text formats, read and written. Line ends are LF, CRLF or CR. The text is a
//! sequence of bytes, so that names and comments may have any encoding.

use std::borrow::Cow;
use std::io;

use xcollide_brep::PolygonMesh;

use crate::WriteError;
use crate::error::{Position, Problem, ReadError, quote};

/// A text in UTF-16 with a byte order mark as UTF-8; others as they are. What is no character becomes U+FFFD.
pub(crate) fn without_utf16(bytes: &[u8]) -> Cow<'_, [u8]> {
    let of_bytes = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(bytes),
    };
    let (units, rest) = bytes[2..].as_chunks::<2>();
    let characters = char::decode_utf16(units.iter().map(|&unit| of_bytes(unit)));
    let mut text: String =
        characters.map(|found| found.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    if !rest.is_empty() {
        text.push(char::REPLACEMENT_CHARACTER);
    }
    Cow::Owned(text.into_bytes())
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
    comments: bool,
    continued: bool,
}

impl<'a> Text<'a> {
    /// The whole text, without a byte order mark.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self { bytes, at, line: 1, comments: false, continued: false }
    }

    /// Makes words that begin with `#` start comments.
    pub(crate) fn with_comments(self) -> Self {
        Self { comments: true, ..self }
    }

    /// Makes a backslash before a line end continue the line.
    pub(crate) fn with_continued_lines(self) -> Self {
        Self { continued: true, ..self }
    }

    /// Sets the number of the first line.
    pub(crate) fn counted_from(self, line: u64) -> Self {
        Self { line, ..self }
    }

    /// The line of the word read last, from 1.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    #[inline]
    pub(crate) fn word_on_line(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        if self.comments && self.peek(0) == Some(b'#') {
            self.skip_to_line_end();
        }
        let start = self.at;
        while let Some(byte) = self.peek(0) {
            if is_blank(byte) || is_line_end(byte) || self.continuation().is_some() {
                break;
            }
            self.at += 1;
        }
        (self.at > start).then(|| &self.bytes[start..self.at])
    }

    /// The next word of this line or of later ones.
    #[inline]
    pub(crate) fn word(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some(word) = self.word_on_line() {
                return Some(word);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    /// Goes to the next line, ignoring comments and continuations. False at the end of the text.
    pub(crate) fn next_line(&mut self) -> bool {
        self.skip_to_line_end();
        let width = self.line_end_width(0);
        self.at += width;
        self.line += u64::from(width > 0);
        width > 0
    }

    /// Goes to the next line; its offset in the text.
    pub(crate) fn next_line_start(&mut self) -> usize {
        self.next_line();
        self.at
    }

    /// The rest of this line, or the next line that is not blank.
    pub(crate) fn filled_line(&mut self) -> Option<&'a [u8]> {
        loop {
            self.skip_blanks();
            let start = self.at;
            self.skip_to_line_end();
            if self.at > start {
                return Some(&self.bytes[start..self.at]);
            }
            if !self.next_line() {
                return None;
            }
        }
    }

    /// Skips all words of this line and of the lines that continue it, and counts them.
    pub(crate) fn count_words_on_line(&mut self) -> usize {
        std::iter::from_fn(|| self.word_on_line()).count()
    }

    #[inline]
    pub(crate) fn expect_on_line(
        &mut self,
        expected: impl Into<Cow<'static, str>>,
    ) -> Result<&'a [u8], ReadError> {
        match self.word_on_line() {
            Some(word) => Ok(word),
            None if self.is_at_end() => Err(self.error(Problem::truncated(expected))),
            None => Err(self.error(Problem::unexpected("the end of the line", expected))),
        }
    }

    #[inline]
    pub(crate) fn coordinate(&mut self) -> Result<f64, ReadError> {
        let word = self.expect_on_line("a coordinate")?;
        coordinate(word).map_err(|problem| self.error(problem))
    }

    /// An error on the line of the word that was read last.
    #[cold]
    pub(crate) fn error(&self, problem: Problem) -> ReadError {
        problem.at(Position::Line(self.line))
    }

    /// An error that `word`, which was read last, is not what was `expected`.
    #[cold]
    pub(crate) fn unexpected(
        &self,
        word: &[u8],
        expected: impl Into<Cow<'static, str>>,
    ) -> ReadError {
        self.error(Problem::unexpected(quote(word), expected))
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_blanks();
        self.remaining() == 0
    }

    #[inline]
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    #[inline]
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek(0) {
            if is_blank(byte) {
                self.at += 1;
            } else if let Some(width) = self.continuation() {
                self.at += width;
                self.line += 1;
            } else {
                break;
            }
        }
    }

    fn skip_to_line_end(&mut self) {
        while self.peek(0).is_some_and(|byte| !is_line_end(byte)) {
            self.at += 1;
        }
    }

    /// Length in bytes of the line end at offset `ahead` from here, or 0.
    #[inline]
    fn line_end_width(&self, ahead: usize) -> usize {
        match (self.peek(ahead), self.peek(ahead + 1)) {
            (Some(b'\r'), Some(b'\n')) => 2,
            (Some(b'\n' | b'\r'), _) => 1,
            _ => 0,
        }
    }

    /// Length in bytes of the backslash and line end here, if any.
    #[inline]
    fn continuation(&self) -> Option<usize> {
        if !self.continued || self.peek(0) != Some(b'\\') {
            return None;
        }
        let width = self.line_end_width(1);
        (width > 0).then_some(1 + width)
    }
}

/// Writes the vertices of a mesh, one on each line after `prefix`, with the shortest digits that
/// reproduce every f64.
pub(crate) fn write_vertices(
    mesh: &PolygonMesh,
    prefix: &str,
    out: &mut impl io::Write,
) -> io::Result<()> {
    mesh.positions().iter().try_for_each(|[x, y, z]| writeln!(out, "{prefix}{x:?} {y:?} {z:?}"))
}

/// Writes the faces of a mesh without holes, one a line: the number of vertices, then these from 0.
pub(crate) fn write_faces(mesh: &PolygonMesh, out: &mut impl io::Write) -> Result<(), WriteError> {
    for face in mesh.faces() {
        let contour = face.outer();
        write!(out, "{}", contour.len())?;
        for vertex in contour {
            write!(out, " {vertex}")?;
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A word as a finite number, correctly rounded.
#[inline]
pub(crate) fn coordinate(word: &[u8]) -> Result<f64, Problem> {
    match std::str::from_utf8(word).ok().and_then(|word| word.parse::<f64>().ok()) {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(Problem::not_finite(quote(word))),
        None => Err(Problem::unexpected(quote(word), "a coordinate")),
    }
}

#[inline]
pub(crate) fn integer(word: &[u8]) -> Option<i64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

#[inline]
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

#[inline]
fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(mut text: Text<'_>) -> Vec<(u64, String)> {
        let mut words = Vec::new();
        while let Some(word) = text.word() {
            words.push((text.line(), String::from_utf8_lossy(word).into_owned()));
        }
        words
    }

    #[test]
    fn every_line_end_counts_one_line() {
        for end in ["\n", "\r\n", "\r"] {
            let text = ["a b", "", "\tc ", "d"].join(end);
            let found = words(Text::new(text.as_bytes()));
            let expected = [(1, "a"), (1, "b"), (3, "c"), (4, "d")];
            assert_eq!(found, expected.map(|(line, word)| (line, word.to_owned())), "{end:?}");
        }
    }

    #[test]
    fn a_backslash_joins_lines_but_not_in_comments() {
        let text = Text::new(b"a \\\n b\\\r\nc # d \\\ne\\f").with_comments();
        let joined = words(text.with_continued_lines());
        let expected = [(1, "a"), (2, "b"), (3, "c"), (4, "e\\f")];
        assert_eq!(joined, expected.map(|(line, word)| (line, word.to_owned())));
    }

    #[test]
    fn a_number_is_not_cut_by_a_comment_sign() {
        assert_eq!(words(Text::new(b"1.#INF # x").with_comments())[0].1, "1.#INF");
        assert!(coordinate(b"1.#INF").is_err());
    }
}
