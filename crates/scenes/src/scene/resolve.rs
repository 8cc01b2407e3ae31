//! Replaces imports by objects.

use super::{ImportFrom, Scene, SceneError, file_parts};
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
        for (index, import) in imports.iter().enumerate() {
            let (objects, rules) = match &import.from {
                ImportFrom::Robot(robot) => robot::import(self.seed, index, import, robot, files)?,
                ImportFrom::File(file) => {
                    (file_parts::import(index, import, file, files)?, Vec::new())
                }
            };
            scene.objects.extend(objects);
            interest.extend(rules);
        }
        interest.append(&mut scene.interest);
        scene.interest = interest;
        scene.check()?;
        Ok(scene)
    }
}
