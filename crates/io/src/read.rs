//! Reads a mesh of any format from a file or from bytes.

use std::fs;
use std::path::Path;

use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError, quote};
use crate::{Format, gltf, obj, off, ply, stl};

/// Reads a mesh file.
///
/// The format is that of a signature in the content, otherwise of the extension: a PLY file called `.obj`
/// is read as PLY. Buffers beside a glTF file are read too.
///
/// # Errors
/// The file cannot be read, has no known format, or is invalid.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("triangle.off");
/// std::fs::write(&path, "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")?;
/// let mesh = xcollide_io::read_path(&path)?;
/// assert_eq!((mesh.vertex_count(), mesh.face_count()), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_path(path: impl AsRef<Path>) -> Result<PolygonMesh, ReadError> {
    let path = path.as_ref();
    let read = || {
        let bytes = fs::read(path).map_err(|error| Problem::Io(error).at(Position::File))?;
        match Format::of_file(&bytes, path) {
            Some(Format::Gltf) => gltf::read(&bytes, path.parent().or(Some(Path::new(".")))),
            format => read_bytes(&bytes, format),
        }
    };
    read().map_err(|error| error.in_file(path))
}

/// Reads a mesh from bytes in the given format, or in the one detected from the content.
///
/// # Errors
/// As [`read_path`]; also glTF with external buffers.
///
/// ```
/// let mesh = xcollide_io::read_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", None)?;
/// assert_eq!(mesh.face_count(), 1);
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
pub fn read_bytes(bytes: &[u8], format: Option<Format>) -> Result<PolygonMesh, ReadError> {
    match format.or_else(|| Format::of_content(bytes)) {
        Some(Format::Obj) => obj::read(bytes),
        Some(Format::Stl) => stl::read(bytes),
        Some(Format::Ply) => ply::read(bytes),
        Some(Format::Off) => off::read(bytes),
        Some(Format::Gltf) => gltf::read(bytes, None),
        None if bytes.is_empty() => Err(Problem::empty("a mesh")),
        None => {
            let expected = "a mesh as OBJ, STL, PLY, OFF or glTF";
            Err(Problem::unexpected(quote(bytes), expected).at(Position::File))
        }
    }
}
