//! Errors of writing meshes.

use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

use xcollide_brep::{FaceId, PolygonMesh, VertexId};

use crate::format::Format;

/// Error of writing a mesh.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// An error of the output.
    #[error("cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The extension of the file name denotes no format.
    #[error("the name has no ending of a format, expected .obj, .stl, .ply or .off")]
    UnknownEnding,
    /// The format can only be read.
    #[error("{format} is not written, expected OBJ, STL, PLY or OFF")]
    NotWritten {
        /// The format.
        format: Format,
    },
    /// Bridges from the holes of a face to its outer contour would exceed the size of a mesh.
    #[error("face {face} has holes that cannot be joined to its outer contour")]
    Holes {
        /// The face.
        face: FaceId,
    },
    /// A coordinate exceeds the range of f32.
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
        /// Number of triangles.
        count: usize,
    },
    /// Another error, with its file.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error.
        #[source]
        error: Box<WriteError>,
    },
}

/// The position in f32, or a coordinate that is too large.
pub(crate) fn to_f32(position: [f64; 3]) -> Result<[f32; 3], f64> {
    let too_large = position.into_iter().find(|&value| !(value as f32).is_finite());
    too_large.map_or(Ok(position.map(|value| value as f32)), Err)
}

/// The mesh with each face as one contour: bridges join holes to the outer contour.
pub(crate) fn bridged(mesh: &PolygonMesh) -> Result<Cow<'_, PolygonMesh>, WriteError> {
    if !mesh.has_holes() {
        return Ok(Cow::Borrowed(mesh));
    }
    let bridged = mesh.bridged();
    let holed = bridged.faces().find(|face| face.holes().len() > 0).map(|face| face.id());
    holed.map_or(Ok(Cow::Owned(bridged)), |face| Err(WriteError::Holes { face }))
}
