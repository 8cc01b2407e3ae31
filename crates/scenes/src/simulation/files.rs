//! What a scene has in files, which somebody else reads.

use xcollide_brep::PolygonMesh;

use crate::{FilePart, Placement, SceneFile};

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

    /// The text in a file, such as a robot's. Where it is not implemented there is none.
    ///
    /// # Errors
    /// There is none.
    fn text(&mut self, _path: &str) -> Result<String, String> {
        Err("is a file, and there are none here".to_owned())
    }

    /// The objects of a scene of another format. Where it is not implemented there are none.
    ///
    /// # Errors
    /// There are none.
    fn parts(&mut self, _file: &SceneFile) -> Result<Vec<FilePart>, String> {
        Err("is a file, and there are none here".to_owned())
    }

    /// Where a mesh is that the robot in the file `beside` names: the path that
    /// [`mesh`](Self::mesh) is to be asked for. Without an implementation it is the name itself.
    ///
    /// # Errors
    /// It is nowhere; the message says where it was sought and what to do.
    fn mesh_of_robot(&mut self, name: &str, _beside: &str) -> Result<String, String> {
        Ok(name.to_owned())
    }
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
