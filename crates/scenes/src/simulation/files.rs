//! Interface for the files of a scene.

use xcollide_brep::PolygonMesh;

use crate::{FilePart, Placement, SceneFile};

/// Reads the files of a scene, by paths as in the scene. Error messages complete a sentence that begins with the
/// path, as in "cannot be read: permission denied".
pub trait SceneFiles {
    /// Reads a mesh.
    ///
    /// # Errors
    /// The mesh cannot be read.
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String>;

    /// Reads poses by frame.
    ///
    /// # Errors
    /// The poses cannot be read.
    fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String>;

    /// Reads a text, such as a robot's or one of heights. By default an error.
    ///
    /// # Errors
    /// The text cannot be read.
    fn text(&mut self, _path: &str) -> Result<String, String> {
        Err("is a file, and there are none here".to_owned())
    }

    /// Reads the objects of a scene of another format. By default an error.
    ///
    /// # Errors
    /// The scene cannot be read.
    fn parts(&mut self, _file: &SceneFile) -> Result<Vec<FilePart>, String> {
        Err("is a file, and there are none here".to_owned())
    }

    /// Resolves the name of a mesh in the robot file `beside` to a path for [`mesh`](Self::mesh). By default the
    /// name itself.
    ///
    /// # Errors
    /// A message that says where the mesh was sought and what to do.
    fn mesh_of_robot(&mut self, name: &str, _beside: &str) -> Result<String, String> {
        Ok(name.to_owned())
    }
}

/// Rejects all files, for computed scenes.
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
