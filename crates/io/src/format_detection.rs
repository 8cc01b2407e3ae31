//! Detects a format by content and file extension.

use std::path::Path;

use crate::text::{Text, integer, without_utf16};
use crate::{Format, obj, off, stl};

impl Format {
    /// The format of a content, detected in a bounded part of its beginning: by the signature of binary
    /// STL (a length that fits its count), glTF, PLY, OFF or text STL, otherwise by a first statement of
    /// OBJ or the bare counts of OFF.
    #[must_use]
    pub fn of_content(bytes: &[u8]) -> Option<Self> {
        Self::of_signature(bytes).or_else(|| Self::of_first_word(bytes))
    }

    /// The format by a signature in the content, or by the extension, or by the first statement.
    pub(crate) fn of_file(bytes: &[u8], path: &Path) -> Option<Self> {
        Self::of_signature(bytes)
            .or_else(|| Self::of_path(path))
            .or_else(|| Self::of_first_word(bytes))
    }

    fn of_signature(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"glTF") {
            return Some(Self::Gltf);
        }
        if stl::has_binary_length(bytes) {
            return Some(Self::Stl);
        }
        match start_of(bytes).word()? {
            b"ply" => Some(Self::Ply),
            word if off::keyword(word).is_some() => Some(Self::Off),
            word if word.eq_ignore_ascii_case(b"solid") => Some(Self::Stl),
            word if word.starts_with(b"{") => Some(Self::Gltf),
            _ => None,
        }
    }

    fn of_first_word(bytes: &[u8]) -> Option<Self> {
        let mut text = start_of(bytes);
        let word = text.word()?;
        let decoded = without_utf16(&bytes[..bytes.len().min(START)]);
        if obj::is_keyword(word) || start_of(&decoded).word().is_some_and(obj::is_keyword) {
            return Some(Self::Obj);
        }
        let counts = integer(word).is_some_and(|count| count >= 0)
            && text.word().and_then(integer).is_some_and(|count| count >= 0);
        counts.then_some(Self::Off)
    }
}

/// How many bytes are searched.
const START: usize = 1 << 16;

/// The beginning of a content, in which a first word is searched after comments.
fn start_of(bytes: &[u8]) -> Text<'_> {
    Text::new(&bytes[..bytes.len().min(START)]).with_comments()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_with_a_mark_beats_the_ending() {
        let name = Path::new("mesh.obj");
        assert_eq!(Format::of_file(b"# from CAD\nCOFF\n0 0 0\n", name), Some(Format::Off));
        assert_eq!(Format::of_file(b"solid x\nendsolid x\n", name), Some(Format::Stl));
        assert_eq!(Format::of_file(b"\n {\"asset\":{}}", name), Some(Format::Gltf));
        assert_eq!(Format::of_file(b"glTF\x02\0\0\0", name), Some(Format::Gltf));
        assert_eq!(Format::of_file(b"ply\r\n", name), Some(Format::Ply));
    }

    #[test]
    fn binary_stl_is_known_by_its_length_even_where_it_says_solid() {
        let mut bytes = b"solid or ply or OFF".to_vec();
        bytes.resize(84 + 2 * 50, 0);
        bytes[80] = 2;
        assert_eq!(Format::of_content(&bytes), Some(Format::Stl));
    }

    #[test]
    fn the_ending_beats_a_likeness() {
        assert_eq!(Format::of_file(b"8 6 12\n", Path::new("a.stl")), Some(Format::Stl));
        assert_eq!(Format::of_file(b"8 6 12\n", Path::new("a")), Some(Format::Off));
        assert_eq!(Format::of_file(b"# c\nmtllib a.mtl\n", Path::new("a.x")), Some(Format::Obj));
        assert_eq!(Format::of_file(b"", Path::new("a.Glb")), Some(Format::Gltf));
        assert_eq!(Format::of_content(b"\xff\xfe#\0\n\0v\0 \0"), Some(Format::Obj));
        assert_eq!(Format::of_content(b"\xfe\xff\0v\0 "), Some(Format::Obj));
        assert_eq!(Format::of_content(b"\xff\xfex\0"), None);
        assert_eq!(Format::of_file(b"<html>", Path::new("a")), None);
    }
}
