//! Imports become objects.

use super::{ImportFrom, Object, Rule, Scene, SceneError, file_parts};
use crate::{SceneFiles, robot};

/// What an import adds to a scene.
#[derive(Debug, Default)]
pub(crate) struct Imported {
    pub(crate) objects: Vec<Object>,
    pub(crate) interest: Vec<Rule>,
}

impl Scene {
    /// The scene without imports: what they hold has become objects, after the scene's own, and
    /// rules, before the scene's own, which so overrule them.
    ///
    /// A scene without imports is returned as it is. A [`Simulation`](crate::Simulation) resolves
    /// its scene itself; who wants to know what its instances are does so before.
    ///
    /// # Errors
    /// The scene does not pass [`check`](Self::check), before or after; a file cannot be had or is
    /// not what it should be.
    pub fn resolved(&self, files: &mut dyn SceneFiles) -> Result<Self, SceneError> {
        self.check()?;
        let mut scene = self.clone();
        let imports = std::mem::take(&mut scene.imports);
        if imports.is_empty() {
            return Ok(scene);
        }
        let mut interest = Vec::new();
        for (index, import) in imports.iter().enumerate() {
            let added = match &import.from {
                ImportFrom::Robot(robot) => robot::import(self.seed, index, import, robot, files)?,
                ImportFrom::File(file) => file_parts::import(index, import, file, files)?,
            };
            scene.objects.extend(added.objects);
            interest.extend(added.interest);
        }
        interest.append(&mut scene.interest);
        scene.interest = interest;
        scene.check()?;
        Ok(scene)
    }
}
