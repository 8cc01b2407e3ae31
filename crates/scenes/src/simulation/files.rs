//! What a scene has in files, which somebody else reads.

use xcollide_brep::PolygonMesh;

use crate::Placement;

/// Reads what a scene names: paths are as in the scene. Problems are told in words that follow
/// "which", as in "cannot be read: permission denied".
pub trait SceneFiles {
    /// The mesh in a file.
    ///
    /// # Errors
    /// There is none.
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String>;

    /// The poses in a file, frame by frame.
    ///
    /// # Errors
    /// There are none.
    fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String>;
}

/// Refuses all files: for scenes that are computed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl SceneFiles for NoFiles {
    fn mesh(&mut self, _: &str) -> Result<PolygonMesh, String> {
        Err("is a file, expected a generated shape".to_owned())
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is a file, expected `poses`".to_owned())
    }
}
