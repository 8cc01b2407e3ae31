//! Recognizes files of formats that are often given by mistake, to say what to do with them.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A format that is not read, or not in this place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForeignFormat {
    Collada,
    Fbx,
    Gzip,
    ThreeMf,
    Urdf,
    Xacro,
    Zip,
}

/// The bytes that are searched for the name of an XML format.
const START: u64 = 1 << 16;

impl ForeignFormat {
    /// The format of a content, else of the ending of a file's name.
    pub(crate) fn of(bytes: &[u8], path: &Path) -> Option<Self> {
        Self::of_content(bytes, path).or_else(|| Self::of_ending(path))
    }

    /// The format of a file; `None` if it cannot be read.
    pub(crate) fn of_file(path: &Path) -> Option<Self> {
        let mut bytes = Vec::new();
        File::open(path).ok()?.take(START).read_to_end(&mut bytes).ok()?;
        Self::of(&bytes, path)
    }

    fn of_content(bytes: &[u8], path: &Path) -> Option<Self> {
        if bytes.starts_with(b"\x1f\x8b") {
            return Some(Self::Gzip);
        }
        if bytes.starts_with(b"PK\x03\x04") {
            let is_3mf = Self::of_ending(path) == Some(Self::ThreeMf);
            return Some(if is_3mf { Self::ThreeMf } else { Self::Zip });
        }
        if bytes.starts_with(b"Kaydara FBX") || bytes.starts_with(b"; FBX") {
            return Some(Self::Fbx);
        }
        let start = &bytes[..bytes.len().min(START as usize)];
        let text = String::from_utf8_lossy(start);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        match text {
            _ if !text.starts_with('<') => None,
            _ if text.contains("<COLLADA") => Some(Self::Collada),
            _ if !text.contains("<robot") => None,
            _ if text.contains("xacro") => Some(Self::Xacro),
            _ => Some(Self::Urdf),
        }
    }

    fn of_ending(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "dae" => Self::Collada,
            "fbx" => Self::Fbx,
            "gz" => Self::Gzip,
            "3mf" => Self::ThreeMf,
            "urdf" => Self::Urdf,
            "xacro" => Self::Xacro,
            "zip" => Self::Zip,
            _ => return None,
        })
    }
}

/// Continues the name of the file: "is a Collada file; convert it to …".
impl fmt::Display for ForeignFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let convert = "convert it to glTF, OBJ, STL or PLY, for example with Blender";
        let (name, advice) = match self {
            Self::Collada => ("a Collada file", convert),
            Self::Fbx => ("an FBX file", convert),
            Self::ThreeMf => ("a 3MF file", convert),
            Self::Gzip => ("a gzip file", "decompress it with gunzip"),
            Self::Zip => ("a zip file", "unpack it"),
            Self::Urdf => {
                ("a URDF file", "`xcollide run` takes it as a scene if its name ends in .urdf")
            }
            Self::Xacro => ("a xacro file", "expand it to URDF: `xacro FILE > robot.urdf`"),
        };
        write!(f, "is {name}; {advice}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_counts_more_than_the_ending() {
        let of = |bytes: &[u8], name: &str| ForeignFormat::of(bytes, Path::new(name));
        assert_eq!(of(b"\x1f\x8b\x08", "a.stl"), Some(ForeignFormat::Gzip));
        assert_eq!(of(b"PK\x03\x04", "a.3mf"), Some(ForeignFormat::ThreeMf));
        assert_eq!(of(b"PK\x03\x04", "a.obj"), Some(ForeignFormat::Zip));
        assert_eq!(of(b"Kaydara FBX Binary  \0", ""), Some(ForeignFormat::Fbx));
        let collada = b"\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<COLLADA>";
        assert_eq!(of(collada, "a.obj"), Some(ForeignFormat::Collada));
        assert_eq!(of(b"<?xml?><robot name='a'/>", "a.toml"), Some(ForeignFormat::Urdf));
        let xacro = b"<robot xmlns:xacro='http://ros.org/wiki/xacro'/>";
        assert_eq!(of(xacro, "a.urdf"), Some(ForeignFormat::Xacro));
        assert_eq!(of(b"what?", "arm.XACRO"), Some(ForeignFormat::Xacro));
        assert_eq!(of(b"v 0 0 0\n", "a.obj"), None);
        assert_eq!(of(b"<html>", "a"), None);
    }
}
