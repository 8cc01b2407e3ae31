//! Robots as scenes: the links of a URDF file as objects, its joints as their motion, and the pairs that an
//! SRDF file disables.
//!
//! Each collision geometry of a link is an object. The first is a child of the first geometry of the nearest
//! ancestor that has one; the others are children of the first. Poses are those of the geometries relative to
//! their parents, computed joint by joint from the base outward. Visual geometry only gives the colour.
//!
//! Sources: Open Robotics, "Unified Robot Description Format", urdf/XML, and "Semantic Robot Description
//! Format", in the documentation of ROS.

mod disabled;
mod error;
mod geometry;
mod joints;
mod links;
mod motion;
mod table;
mod urdf;

pub use error::RobotError;

use crate::{Import, JointMotion, Object, Robot, Rule, SceneError, SceneFiles};
use error::FileErrors;
use joints::Tree;
use links::Links;

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
    let srdf = robot.srdf.as_deref().map(|path| Ok((path, text("srdf", path)?))).transpose()?;
    let table = match &robot.joints {
        JointMotion::File { path, .. } => Some((path.as_str(), text("joints", path)?)),
        JointMotion::Random { .. } => None,
    };
    let wrong = |error| SceneError::Robot { key: key("robot"), error: Box::new(error) };
    let errors = FileErrors::of(&robot.urdf);
    let robot_file = urdf::read_urdf(&urdf, &robot.urdf).map_err(wrong)?;
    let tree = Tree::of(&robot_file, errors).map_err(wrong)?;
    let mut solids = Vec::with_capacity(robot_file.links.len());
    for link in &robot_file.links {
        solids.push(geometry::solids(&robot_file, link, &robot.urdf, files).map_err(wrong)?);
    }
    let values = match (&table, &robot.joints) {
        (Some((path, text)), _) => table::read(text, &tree, path).map_err(wrong)?,
        (None, JointMotion::Random { steps }) => motion::random(seed, index, &tree, *steps),
        (None, JointMotion::File { .. }) => Vec::new(),
    };
    let links = Links { tree: &tree, solids: &solids, import, robot, values: &values };
    let objects = links.objects();
    if objects.is_empty() {
        let error = errors.of_robot("no link with a collision geometry", "at least one");
        return Err(wrong(error));
    }
    let mut interest = Vec::new();
    let rule = |a: usize, b: usize, on| {
        let [a, b] = [a, b].map(|link| links.name(link, 0));
        Rule::new(&a, &b, on)
    };
    let is_solid = |link: usize| !solids[link].is_empty();
    if !robot.adjacent {
        let solid = (0..solids.len()).filter(|&link| is_solid(link));
        let pairs = solid.filter_map(|link| Some((links.carrier(link)?, link)));
        interest.extend(pairs.map(|(a, b)| rule(a, b, false)));
    }
    if let Some((path, text)) = &srdf {
        let pairs = disabled::read(text, path, &tree).map_err(wrong)?;
        let solid =
            pairs.into_iter().filter(|pair| is_solid(pair.links[0]) && is_solid(pair.links[1]));
        interest.extend(solid.map(|pair| rule(pair.links[0], pair.links[1], pair.on)));
    }
    Ok((objects, interest))
}
