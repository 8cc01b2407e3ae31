//! Reads a mesh of any format from a file or from bytes.

use std::fs;
use std::path::Path;

use xcollide_brep::PolygonMesh;

use crate::error::{Position, Problem, ReadError, quote};
use crate::report::ReadReport;
use crate::{Format, gltf, obj, off, ply, stl};

/// A mesh that was read, with a report of what was not.
///
/// [`read_path`] and [`read_bytes`] return the mesh alone.
///
/// ```
/// use xcollide_io::{MeshFile, NoFaces};
///
/// let file = MeshFile::from_bytes(b"v 0 0 0\nv 1 0 0\nl 1 2\n", None)?;
/// assert_eq!(file.report.no_faces(), Some(NoFaces::Lines(2)));
/// # Ok::<(), xcollide_io::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MeshFile {
    /// The mesh.
    pub mesh: PolygonMesh,
    /// The format in which it was read.
    pub format: Format,
    /// What was skipped.
    pub report: ReadReport,
}

impl MeshFile {
    /// Reads a file, as [`read_path`] does.
    ///
    /// # Errors
    /// As [`read_path`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let read = || {
            let bytes = fs::read(path).map_err(|error| Problem::Io(error).at(Position::File))?;
            let folder = path.parent().or(Some(Path::new(".")));
            Self::parse(&bytes, Format::of_file(&bytes, path), folder)
        };
        read().map_err(|error| error.in_file(path))
    }

    /// Reads bytes, as [`read_bytes`] does.
    ///
    /// # Errors
    /// As [`read_bytes`].
    pub fn from_bytes(bytes: &[u8], format: Option<Format>) -> Result<Self, ReadError> {
        Self::parse(bytes, format.or_else(|| Format::of_content(bytes)), None)
    }

    /// `folder`: that of external buffers.
    fn parse(
        bytes: &[u8],
        format: Option<Format>,
        folder: Option<&Path>,
    ) -> Result<Self, ReadError> {
        let Some(format) = format else {
            if bytes.is_empty() {
                return Err(Problem::empty("a mesh"));
            }
            let expected = "a mesh as OBJ, STL, PLY, OFF or glTF";
            return Err(Problem::unexpected(quote(bytes), expected).at(Position::File));
        };
        let mut report = ReadReport::default();
        let mesh = match format {
            Format::Obj => obj::read_reported(bytes, &mut report),
            Format::Stl => stl::read_reported(bytes, &mut report),
            Format::Ply => ply::read_reported(bytes, &mut report),
            Format::Off => off::read_reported(bytes, &mut report),
            Format::Gltf => gltf::read_reported(bytes, folder, &mut report),
        }?;
        report.set_counts(mesh.vertex_count(), mesh.face_count());
        Ok(Self { mesh, format, report })
    }
}

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
    MeshFile::read(path).map(|file| file.mesh)
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
    MeshFile::from_bytes(bytes, format).map(|file| file.mesh)
}
