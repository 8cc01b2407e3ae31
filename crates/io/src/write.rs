//! Writes a mesh to a file or to bytes.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use xcollide_brep::PolygonMesh;

use crate::write_error::WriteError;
use crate::{Format, obj, off, ply, stl};

/// Writes a mesh to a file, in the format of its extension: `.obj`, `.stl` (binary), `.ply` (binary,
/// little-endian) or `.off`.
///
/// All but STL reproduce the mesh bit for bit, except that bridges join the holes of a face to its outer
/// contour ([`PolygonMesh::bridged`]), because these formats have one contour a face.
///
/// # Errors
/// The file cannot be written, its extension denotes none of these formats, or the format cannot
/// represent the mesh.
pub fn write_path(path: impl AsRef<Path>, mesh: &PolygonMesh) -> Result<(), WriteError> {
    let path = path.as_ref();
    let write = || {
        let format = Format::of_path(path).ok_or(WriteError::UnknownEnding)?;
        // Checked before an existing file is truncated.
        if format == Format::Gltf {
            return Err(WriteError::NotWritten { format });
        }
        let mut file = BufWriter::new(File::create(path)?);
        write_to(&mut file, mesh, format)?;
        Ok(file.flush()?)
    };
    write().map_err(|error| WriteError::File { path: path.to_path_buf(), error: Box::new(error) })
}

/// Writes a mesh to bytes, as [`write_path`] does to a file.
///
/// # Errors
/// The format cannot represent the mesh, or can only be read.
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
