//! Replaces imports by objects.

use super::{Ending, ImportFrom, Motion, Object, Recording, Scene, SceneError, file_parts};
use crate::{SceneFiles, robot};

impl Scene {
    /// The scene with its imports replaced by objects, which follow the scene's own. Rules of imports precede
    /// the scene's own, which override them. Without imports it is a copy.
    ///
    /// A [`Simulation`](crate::Simulation) resolves its scene itself; use this to learn the objects.
    ///
    /// # Errors
    /// [`check`](Self::check) fails before or after; a file is missing or invalid.
    pub fn resolved(&self, files: &mut dyn SceneFiles) -> Result<Self, SceneError> {
        self.check()?;
        let mut scene = self.clone();
        let imports = std::mem::take(&mut scene.imports);
        if imports.is_empty() {
            return Ok(scene);
        }
        let mut interest = Vec::new();
        // The most rows of a table of joint values.
        let mut rows = 0;
        for (index, import) in imports.iter().enumerate() {
            let (objects, rules) = match &import.from {
                ImportFrom::Robot(robot) => robot::import(self.seed, index, import, robot, files)?,
                ImportFrom::File(file) => {
                    (file_parts::import(index, import, file, files)?, Vec::new())
                }
            };
            if import.has_table() {
                rows = objects.iter().filter_map(listed).fold(rows, usize::max);
            }
            scene.objects.extend(objects);
            interest.extend(rules);
        }
        interest.append(&mut scene.interest);
        scene.interest = interest;
        if rows > 0 {
            scene.fit_frames(rows)?;
        }
        scene.check()?;
        Ok(scene)
    }

    /// Sets the number of frames to that of the rows, or checks it. More frames than rows need something
    /// that moves in them.
    fn fit_frames(&mut self, rows: usize) -> Result<(), SceneError> {
        let ends = self.objects.iter().all(|object| ends_within(object, rows));
        if std::mem::take(&mut self.frames_from_table) {
            self.frames = if ends { rows } else { rows.max(self.frames) };
        } else if ends && self.frames > rows {
            let expected = format!(
                "at most {rows}, the rows of the table of joint values, or `then = \"repeat\"` beside it"
            );
            return Err(SceneError::bad("frames", self.frames, expected));
        }
        Ok(())
    }
}

/// The number of poses that move an object.
fn listed(object: &Object) -> Option<usize> {
    match &object.motion {
        Motion::Recorded { poses: Recording::Listed(poses), .. } => Some(poses.len()),
        _ => None,
    }
}

/// Whether an object stands after so many frames.
fn ends_within(object: &Object, frames: usize) -> bool {
    match &object.motion {
        Motion::Fixed => true,
        Motion::Recorded { ending: Ending::Stay, .. } => {
            listed(object).is_some_and(|poses| poses <= frames)
        }
        _ => false,
    }
}
