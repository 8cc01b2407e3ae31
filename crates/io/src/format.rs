//! Mesh file formats.

use std::path::Path;

/// A mesh file format.
///
/// ```
/// use std::path::Path;
/// use xcollide_io::Format;
///
/// assert_eq!(Format::of_path(Path::new("models/Bunny.STL")), Some(Format::Stl));
/// assert_eq!(Format::of_content(b"ply\nformat ascii 1.0\n"), Some(Format::Ply));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ ([`crate::obj`]).
    Obj,
    /// STL, binary or text ([`crate::stl`]).
    Stl,
    /// PLY, binary or text ([`crate::ply`]).
    Ply,
    /// Geomview OFF, text or binary ([`crate::off`]).
    Off,
    /// glTF 2.0, as JSON (`.gltf`) or binary (`.glb`) ([`crate::gltf`]).
    Gltf,
}

impl Format {
    /// The format of a file by its extension, in upper or lower case.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "obj" => Some(Self::Obj),
            "stl" => Some(Self::Stl),
            "ply" => Some(Self::Ply),
            "off" => Some(Self::Off),
            "gltf" | "glb" => Some(Self::Gltf),
            _ => None,
        }
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Obj => "OBJ",
            Self::Stl => "STL",
            Self::Ply => "PLY",
            Self::Off => "OFF",
            Self::Gltf => "glTF",
        })
    }
}
