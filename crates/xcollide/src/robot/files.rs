//! The files of a robot: texts, and meshes of the formats of `xcollide-io`.

use std::path::Path;

use xcollide_io::MeshFile;
use xcollide_scenes::{Placement, SceneFiles};

use super::{MeshReport, Packages};
use crate::brep::PolygonMesh;

/// Reads files from the paths of the system, and keeps what was skipped in meshes.
pub(super) struct RobotFiles<'a> {
    packages: &'a Packages,
    reports: Vec<MeshReport>,
}

impl<'a> RobotFiles<'a> {
    pub(super) fn new(packages: &'a Packages) -> Self {
        Self { packages, reports: Vec::new() }
    }

    /// One for each mesh file in which something was skipped, in the order in which they were read.
    pub(super) fn into_reports(self) -> Vec<MeshReport> {
        self.reports
    }
}

impl SceneFiles for RobotFiles<'_> {
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String> {
        let MeshFile { mesh, report, .. } =
            MeshFile::read(path).map_err(|error| format!("is no mesh: {error}"))?;
        // Links often share a mesh.
        if !report.remarks().is_empty() && self.reports.iter().all(|known| known.path != path) {
            self.reports.push(MeshReport { path: path.to_owned(), report });
        }
        Ok(mesh)
    }

    fn poses(&mut self, _: &str) -> Result<Vec<Placement>, String> {
        Err("is no file of a robot".to_owned())
    }

    fn text(&mut self, path: &str) -> Result<String, String> {
        std::fs::read_to_string(path).map_err(|error| format!("cannot be read: {error}"))
    }

    fn mesh_of_robot(&mut self, name: &str, beside: &str) -> Result<String, String> {
        let path = self.packages.find(name, Path::new(beside))?;
        Ok(path.to_string_lossy().into_owned())
    }
}
