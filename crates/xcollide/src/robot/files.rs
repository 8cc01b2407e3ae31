//! The files of a robot: texts, and meshes of the formats of `xcollide-io`.

use std::path::Path;

use xcollide_scenes::{Placement, SceneFiles};

use super::Packages;
use crate::brep::PolygonMesh;

/// Reads files from the paths of the system.
pub(super) struct RobotFiles<'a>(pub(super) &'a Packages);

impl SceneFiles for RobotFiles<'_> {
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String> {
        xcollide_io::read_path(path).map_err(|error| format!("is no mesh: {error}"))
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is no file of a robot".to_owned())
    }

    fn text(&mut self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))
    }

    fn mesh_of_robot(&mut self, name: &str, beside: &str) -> Result<String, String> {
        let path = self.0.find(name, Path::new(beside))?;
        Ok(path.to_string_lossy().into_owned())
    }
}
