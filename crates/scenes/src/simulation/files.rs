//! Interface for the files of a scene.

use xcollide_brep::PolygonMesh;

use crate::{FilePart, Placement, SceneFile};

/// Reads the files of a scene, by paths as in the scene. Error messages continue "which", as in "cannot be
/// read: permission denied".
pub trait SceneFiles {
    /// Reads a mesh.
    ///
    /// # Errors
    /// A message if there is none.
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String>;

    /// Reads poses by frame.
    ///
    /// # Errors
    /// A message if there are none.
    fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String>;

    /// Reads a text, such as a robot's. By default there is none.
    ///
    /// # Errors
    /// A message if there is none.
    fn text(&mut self, _path: &str) -> Result<String, String> {
        Err("is a file, and there are none here".to_owned())
    }

    /// Reads the objects of a scene of another format. By default there are none.
    ///
    /// # Errors
    /// A message if there are none.
    fn parts(&mut self, _file: &SceneFile) -> Result<Vec<FilePart>, String> {
        Err("is a file, and there are none here".to_owned())
    }

    /// Resolves the name of a mesh in the robot file `beside` to a path for [`mesh`](Self::mesh). By default
    /// the name itself.
    ///
    /// # Errors
    /// A message that says where it was sought and what to do.
    fn mesh_of_robot(&mut self, name: &str, _beside: &str) -> Result<String, String> {
        Ok(name.to_owned())
    }
}

/// Refuses all files: for computed scenes.
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
