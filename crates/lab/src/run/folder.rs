//! What a scene names: files whose paths begin in the folder of the scene's own.

use std::path::{Path, PathBuf};

use xcollide::brep::PolygonMesh;
use xcollide_scenes::{Placement, SceneFiles};

use crate::pose_line;

/// Reads a scene's files out of a folder.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(super) fn of(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Where a file is that the scene names.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl SceneFiles for Folder {
    fn mesh(&mut self, path: &str) -> Result<PolygonMesh, String> {
        xcollide_io::read_path(self.0.join(path)).map_err(|error| format!("is no mesh: {error}"))
    }

    fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String> {
        let text = std::fs::read_to_string(self.0.join(path))
            .map_err(|error| format!("cannot be read: {error}"))?;
        let lines = text.lines().enumerate().filter(|(_, line)| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with('#')
        });
        lines
            .map(|(number, line)| {
                let pose = pose_line::pose(line);
                pose.map(Placement::from)
                    .map_err(|error| format!("is wrong in line {}: {error}", number + 1))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_poses_are_read_line_by_line() -> std::io::Result<()> {
        let place = tempfile::tempdir()?;
        let mut folder = Folder::of(place.path());
        std::fs::write(
            place.path().join("way"),
            "# one\n\n0 0 3 0 0 0 1\n  # two\n1,2,3,0,0,0,1\n",
        )?;
        let heights = folder.poses("way").map(|poses| {
            let numbers = poses.iter().map(Placement::numbers);
            numbers.collect::<Vec<_>>()
        });
        let expected = [[0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 1.0], [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0]];
        assert_eq!(heights, Ok(expected.to_vec()));
        std::fs::write(place.path().join("way"), "0 0 3 0 0 0 1\n\n1 2 3\n")?;
        let wrong = folder.poses("way").err().unwrap_or_default();
        assert!(wrong.starts_with("is wrong in line 3: "), "{wrong}");
        let wrong = folder.poses("nowhere").err().unwrap_or_default();
        assert!(wrong.starts_with("cannot be read: "), "{wrong}");
        assert!(folder.mesh("way").is_err_and(|wrong| wrong.starts_with("is no mesh: ")));
        Ok(())
    }
}
