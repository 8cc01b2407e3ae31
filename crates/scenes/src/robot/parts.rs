//! What the files of a robot say, before meshes are loaded.

use super::disabled::{self, Pair};
use super::error::FileErrors;
use super::geometry::{self, Solid};
use super::joints::Tree;
use super::{RobotError, urdf};
use crate::SceneFiles;

/// The text of a file, and its path for messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct TextFile<'a> {
    pub(super) path: &'a str,
    pub(super) text: &'a str,
}

#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) tree: Tree,
    /// The collision geometries of each link.
    pub(super) solids: Vec<Vec<Solid>>,
    /// Which pairs of links with geometry are tested; of several rules for a pair the last counts.
    pub(super) rules: Vec<Pair>,
}

impl Parts {
    /// Reads a robot that has a collision geometry. Adjacent links are not tested unless `adjacent` says so.
    pub(super) fn read(
        urdf: TextFile<'_>,
        srdf: Option<TextFile<'_>>,
        adjacent: bool,
        files: &mut dyn SceneFiles,
    ) -> Result<Self, RobotError> {
        let errors = FileErrors::of(urdf.path);
        let robot_file = urdf::read_urdf(urdf.text, urdf.path)?;
        let tree = Tree::of(&robot_file, errors)?;
        let mut solids = Vec::with_capacity(robot_file.links.len());
        for link in &robot_file.links {
            solids.push(geometry::solids(&robot_file, link, urdf.path, files)?);
        }
        if solids.iter().all(Vec::is_empty) {
            return Err(errors.of_robot("no link with a collision geometry", "at least one"));
        }
        let mut parts = Self { tree, solids, rules: Vec::new() };
        if !adjacent {
            let off = |link| Some(Pair { links: [parts.carrier(link)?, link], on: false });
            parts.rules = (0..parts.solids.len()).filter_map(off).collect();
        }
        if let Some(srdf) = srdf {
            parts.rules.extend(disabled::read(srdf.text, srdf.path, &parts.tree)?);
        }
        let is_solid = |&link: &usize| !parts.solids[link].is_empty();
        parts.rules.retain(|rule| rule.links.iter().all(is_solid));
        Ok(parts)
    }

    /// The nearest ancestor of a link that has a geometry.
    pub(super) fn carrier(&self, link: usize) -> Option<usize> {
        let up = |at: usize| Some(self.tree.joints[self.tree.above[at]?].parent);
        std::iter::successors(up(link), |&at| up(at)).find(|&at| !self.solids[at].is_empty())
    }
}
