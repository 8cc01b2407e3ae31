//! The robot of a scene: objects for its links, and rules for the pairs of them.

use super::links::Links;
use super::parts::{Parts, TextFile};
use super::{motion, table};
use crate::{Import, JointMotion, Object, Robot, Rule, SceneError, SceneFiles};

/// Reads the robot of an import, with its own stream of random numbers.
pub(crate) fn import(
    seed: u64,
    index: usize,
    import: &Import,
    robot: &Robot,
    files: &mut dyn SceneFiles,
) -> Result<(Vec<Object>, Vec<Rule>), SceneError> {
    let key = |key: &str| format!("imports[{index}].{key}");
    let mut text = |name: &str, path: &str| {
        files.text(path).map_err(|problem| SceneError::File {
            key: key(name),
            path: path.to_owned(),
            problem,
        })
    };
    let urdf = text("robot", &robot.urdf)?;
    let urdf = TextFile { path: &robot.urdf, text: &urdf };
    let srdf = robot.srdf.as_deref().map(|path| Ok((path, text("srdf", path)?))).transpose()?;
    let srdf = srdf.as_ref().map(|(path, text)| TextFile { path, text });
    let table = match &robot.joints {
        JointMotion::File { path, .. } => Some((path.as_str(), text("joints", path)?)),
        JointMotion::Random { .. } => None,
    };
    let wrong = |error| SceneError::Robot { key: key("robot"), error: Box::new(error) };
    let parts = Parts::read(urdf, srdf, robot.adjacent, files).map_err(wrong)?;
    let mut values = match (&table, &robot.joints) {
        (Some((path, text)), _) => {
            let others = motion::rest(&parts.tree);
            table::read(text, &parts.tree, path, &others).map_err(wrong)?
        }
        (None, JointMotion::Random { steps }) => motion::random(seed, index, &parts.tree, *steps),
        (None, JointMotion::File { .. }) => Vec::new(),
    };
    for row in &mut values {
        parts.tree.complete(row);
    }
    let links = Links { parts: &parts, import, robot, values: &values };
    let rules = parts.rules.iter().map(|rule| {
        let [a, b] = rule.links.map(|link| links.name(link, 0));
        Rule::new(&a, &b, rule.on)
    });
    Ok((links.objects(), rules.collect()))
}
