//! Writing a mesh to a file or to bytes.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use xcollide_brep::{FaceId, PolygonMesh, VertexId};

use crate::{Format, obj, off, ply, stl};

/// Why a mesh could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output does not take it.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The ending of the file name stands for no format.
    #[error("the name has no ending of a format, expected .obj, .stl, .ply or .off")]
    UnknownEnding,
    /// The format is only read here.
    #[error("{format} is not written, expected OBJ, STL, PLY or OFF")]
    NotWritten {
        /// The format asked for.
        format: Format,
    },
    /// The formats have no place for holes, and joining those of this face to its outer contour
    /// makes more corners than a mesh can number.
    #[error("face {face} has holes that cannot be joined to its outer contour")]
    Holes {
        /// The face.
        face: FaceId,
    },
    /// A coordinate is beyond the range of the f32 numbers that STL holds.
    #[error("vertex {vertex}: coordinate {value:?} is too large for STL, expected at most {max:?}", max = f32::MAX)]
    TooLarge {
        /// The vertex.
        vertex: VertexId,
        /// The coordinate.
        value: f64,
    },
    /// More triangles than STL can count.
    #[error("{count} triangles, expected at most {max} in STL", max = u32::MAX)]
    TooMany {
        /// How many there are.
        count: usize,
    },
    /// One of the above, for a file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        #[source]
        error: Box<WriteError>,
    },
}

/// Writes a mesh to a file, in the format that its ending stands for: `.obj`, `.stl` (binary),
/// `.ply` (binary, little-endian) or `.off`.
///
/// All but STL give the same mesh back, bit for bit; see each format's `write`. A face with hole
/// contours is written as one contour, the holes joined to the outer one by bridges
/// ([`PolygonMesh::bridged`]), as the formats demand.
///
/// # Errors
/// The file cannot be written, its ending stands for none of these formats, or the format cannot
/// hold the mesh.
pub fn write_path(path: impl AsRef<Path>, mesh: &PolygonMesh) -> Result<(), WriteError> {
    let path = path.as_ref();
    let write = || {
        let format = Format::of_path(path).ok_or(WriteError::UnknownEnding)?;
        // Judged before an existing file is emptied.
        if format == Format::Gltf {
            return Err(WriteError::NotWritten { format });
        }
        let mut file = BufWriter::new(File::create(path)?);
        write_to(&mut file, mesh, format)?;
        Ok(file.flush()?)
    };
    write().map_err(|error| WriteError::File { path: path.to_path_buf(), error: Box::new(error) })
}

/// Writes a mesh to bytes, as [`write_path`] would write it to a file.
///
/// # Errors
/// The format cannot hold the mesh, or is only read here.
///
/// ```
/// use xcollide_io::{Format, read_bytes, write_bytes};
///
/// let mesh = read_bytes(b"v 0 0 .1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", Some(Format::Obj))?;
/// let bytes = write_bytes(&mesh, Format::Ply)?;
/// assert_eq!(read_bytes(&bytes, None)?, mesh);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_bytes(mesh: &PolygonMesh, format: Format) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, mesh, format)?;
    Ok(bytes)
}

fn write_to(out: impl Write, mesh: &PolygonMesh, format: Format) -> Result<(), WriteError> {
    match format {
        Format::Obj => obj::write(mesh, out),
        Format::Stl => stl::write(mesh, out),
        Format::Ply => ply::write(mesh, ply::Encoding::LittleEndian, out),
        Format::Off => off::write(mesh, out),
        Format::Gltf => Err(WriteError::NotWritten { format }),
    }
}

/// The mesh with each face as the one contour that the formats hold: holes are joined to the
/// outer contour by edges that are run both ways.
pub(crate) fn bridged(mesh: &PolygonMesh) -> Result<Cow<'_, PolygonMesh>, WriteError> {
    if !mesh.has_holes() {
        return Ok(Cow::Borrowed(mesh));
    }
    let bridged = mesh.bridged();
    let holed = bridged.faces().find(|face| face.holes().len() > 0).map(|face| face.id());
    holed.map_or(Ok(Cow::Owned(bridged)), |face| Err(WriteError::Holes { face }))
}
