//! Buffers: the binary chunk, base64 in the JSON, or other files.

use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use ::gltf::json::{Buffer, Root};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::compression::is_fallback;
use crate::error::{Position, Problem, ReadError, quote};

pub(super) struct Buffers<'a>(pub(super) Vec<Cow<'a, [u8]>>);

impl<'a> Buffers<'a> {
    /// Loads all buffers. `chunk`: the binary chunk. `folder`: the folder of external files.
    pub(super) fn load(
        root: &Root,
        chunk: Option<&'a [u8]>,
        folder: Option<&Path>,
    ) -> Result<Self, ReadError> {
        let mut buffers = Vec::new();
        for (index, buffer) in root.buffers.iter().enumerate() {
            // Only the first buffer may be the chunk.
            let chunk = if index == 0 { chunk } else { None };
            let bytes = load(buffer, chunk, folder)
                .map_err(|problem| problem.at(Position::element("buffer", index)))?;
            buffers.push(bytes);
        }
        Ok(Self(buffers))
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|bytes| bytes.len()).sum()
    }
}

fn load<'a>(
    buffer: &Buffer,
    chunk: Option<&'a [u8]>,
    folder: Option<&Path>,
) -> Result<Cow<'a, [u8]>, Problem> {
    let length = buffer.byte_length.0;
    if buffer.uri.is_none() && buffer.extensions.as_ref().is_some_and(is_fallback) {
        return Ok(Cow::Borrowed(&[]));
    }
    let bytes: Cow<'a, [u8]> = match &buffer.uri {
        None => chunk
            .ok_or_else(|| Problem::unexpected("a buffer without data", "a `uri`, or a BIN chunk"))?
            .into(),
        Some(uri) => match uri.strip_prefix("data:") {
            Some(data) => decode(data)?.into(),
            None => load_file(uri, length, folder)?.into(),
        },
    };
    // A chunk may have padding.
    if (bytes.len() as u64) < length {
        let found = format!("{} bytes", bytes.len());
        return Err(Problem::unexpected(found, format!("{length} as its byteLength says")));
    }
    Ok(match bytes {
        Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[..length as usize]),
        Cow::Owned(mut bytes) => {
            bytes.truncate(length as usize);
            Cow::Owned(bytes)
        }
    })
}

/// The bytes of a `data:` URI, given the part after the colon.
fn decode(data: &str) -> Result<Vec<u8>, Problem> {
    const BASE64: GeneralPurpose = GeneralPurpose::new(
        &STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    match data.split_once(',') {
        Some((kind, data)) if kind.ends_with(";base64") => {
            BASE64.decode(data).map_err(|error| Problem::unexpected(error.to_string(), "base64"))
        }
        _ => Err(Problem::unsupported(quote(data.as_bytes()), "a data URI in base64")),
    }
}

fn load_file(uri: &str, length: u64, folder: Option<&Path>) -> Result<Vec<u8>, Problem> {
    let external = || format!("a buffer in the file {}", quote(uri.as_bytes()));
    let Some(folder) = folder else {
        return Err(Problem::unsupported(
            external(),
            "buffers inside, as there is only this input and no path",
        ));
    };
    let name = percent_decoded(uri);
    let has_scheme = name.split('/').next().is_some_and(|first| first.contains(':'));
    let name = Path::new(&name);
    if has_scheme || name.is_absolute() || name.has_root() {
        return Err(Problem::unsupported(external(), "a relative path"));
    }
    let path = folder.join(name);
    let in_file = |error: std::io::Error| {
        Problem::Io(std::io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    };
    // A device or pipe may never end, and opening a pipe may block.
    let metadata = std::fs::metadata(&path).map_err(in_file)?;
    if !metadata.is_file() {
        return Err(Problem::unexpected(external(), "a regular file"));
    }
    if metadata.len() < length {
        let found = format!("{} bytes in {}", metadata.len(), quote(uri.as_bytes()));
        return Err(Problem::unexpected(found, format!("{length} as its byteLength says")));
    }
    let mut bytes = Vec::new();
    File::open(&path).map_err(in_file)?.take(length).read_to_end(&mut bytes).map_err(in_file)?;
    Ok(bytes)
}

/// Decodes `%20` and the like; other text stays unchanged.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let escaped = tail
            .get(..2)
            .filter(|_| byte == b'%')
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(escaped.unwrap_or(byte));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_in_file_names_are_resolved() {
        assert_eq!(percent_decoded("my%20mesh%2Ebin"), "my mesh.bin");
        assert_eq!(percent_decoded("100%+%4"), "100%+%4");
        assert_eq!(percent_decoded("%C3%BC%zz"), "ü%zz");
    }
}
