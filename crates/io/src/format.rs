//! Mesh file formats and their endings.

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
#[non_exhaustive]
pub enum Format {
    /// Wavefront OBJ ([`crate::obj`]).
    Obj,
    /// STL, binary or text ([`crate::stl`]).
    Stl,
    /// PLY, binary or text ([`crate::ply`]).
    Ply,
    /// Geomview OFF as text ([`crate::off`]).
    Off,
    /// glTF 2.0, as JSON (`.gltf`) or binary (`.glb`) ([`crate::gltf`]).
    Gltf,
}

impl Format {
    /// The format of a file name, by its ending in upper or lower case.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        let of =
            |(name, format): &(&str, Self)| ending.eq_ignore_ascii_case(name).then_some(*format);
        ENDINGS.iter().find_map(of)
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

const ENDINGS: [(&str, Format); 6] = [
    ("obj", Format::Obj),
    ("stl", Format::Stl),
    ("ply", Format::Ply),
    ("off", Format::Off),
    ("gltf", Format::Gltf),
    ("glb", Format::Gltf),
];
