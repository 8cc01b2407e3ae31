//! The tree of links and joints, and its forward kinematics.

use std::collections::BTreeMap;

use super::RobotError;
use super::error::FileErrors;
use super::urdf::{JointElement, JointType, Origin, UrdfFile};
use crate::Placement;
use crate::error::excerpt;
use crate::message_number::number;
use crate::placement::{product, unit};

#[derive(Clone, Debug)]
pub(super) struct Tree {
    pub(super) links: Vec<String>,
    pub(super) joints: Vec<Joint>,
    /// The joint above each link; `None` for the base.
    pub(super) above: Vec<Option<usize>>,
    /// All links, parents before their children.
    order: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) parent: usize,
    /// Pose of the child in the parent's frame at joint value 0.
    origin: Placement,
    /// Unit vector of the rotation or translation.
    axis: [f64; 3],
    pub(super) kind: Kind,
    /// The joint that it follows, a factor and an offset.
    pub(super) mimic: Option<(usize, f64, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Fixed,
    /// Rotates by an angle within limits, in radians; `None` if it has no limits.
    Turning(Option<[f64; 2]>),
    /// Translates by a length within limits.
    Sliding([f64; 2]),
}

impl Joint {
    pub(super) fn moves(&self) -> bool {
        self.kind != Kind::Fixed
    }

    /// Whether it moves and does not mimic another joint.
    pub(super) fn is_free(&self) -> bool {
        self.moves() && self.mimic.is_none()
    }

    /// The minimum and maximum value, if limited.
    pub(super) fn limits(&self) -> Option<[f64; 2]> {
        match self.kind {
            Kind::Fixed => None,
            Kind::Turning(limits) => limits,
            Kind::Sliding(limits) => Some(limits),
        }
    }

    /// Pose of the child in the frame of the parent at joint value 0.
    pub(super) fn origin(&self) -> &Placement {
        &self.origin
    }

    /// Unit vector of the rotation or translation, in the frame of the origin.
    pub(super) fn axis(&self) -> [f64; 3] {
        self.axis
    }

    /// Pose of the child in the frame of the parent.
    pub(super) fn placement(&self, value: f64) -> Placement {
        if self.moves() { self.origin.after(&self.moved(value)) } else { self.origin }
    }

    /// Pose of the child in the frame of the origin.
    pub(super) fn moved(&self, value: f64) -> Placement {
        match self.kind {
            Kind::Fixed => Placement::IDENTITY,
            Kind::Turning(_) => {
                let (sine, cosine) = (libm::sin(0.5 * value), libm::cos(0.5 * value));
                let [x, y, z] = self.axis.map(|coordinate| sine * coordinate);
                Placement::turned([x, y, z, cosine], [0.0; 3])
            }
            Kind::Sliding(_) => Placement::at(self.axis.map(|coordinate| value * coordinate)),
        }
    }
}

impl Tree {
    pub(super) fn of(
        robot_file: &UrdfFile<'_>,
        errors: FileErrors<'_>,
    ) -> Result<Self, RobotError> {
        let links: Vec<String> = robot_file.links.iter().map(|link| link.name.clone()).collect();
        let numbers: BTreeMap<&str, usize> =
            links.iter().enumerate().map(|(number, name)| (name.as_str(), number)).collect();
        let mut above = vec![None; links.len()];
        let mut joints = Vec::with_capacity(robot_file.joints.len());
        for (index, joint) in robot_file.joints.iter().enumerate() {
            let end = |role: &str, name: &str| {
                numbers.get(name).copied().ok_or_else(|| {
                    let found = format!("{role} `{}`, which is no link", excerpt(name));
                    robot_file.wrong_joint(joint, found, "the name of a link")
                })
            };
            let (parent, child) = (end("parent", &joint.parent)?, end("child", &joint.child)?);
            if let Some(other) = above[child].replace(index) {
                let other = &robot_file.joints[other].name;
                let found = format!("child `{}`, which hangs on joint `{other}` too", links[child]);
                return Err(robot_file.wrong_joint(joint, found, "one joint above each link"));
            }
            joints.push(read(robot_file, joint, parent)?);
        }
        let order = (0..links.len()).collect();
        let mut tree = Self { links, joints, above, order };
        tree.follow(robot_file)?;
        tree.check_base(errors)?;
        let depths: Vec<usize> =
            (0..tree.links.len()).map(|link| tree.joints_between(link, None).count()).collect();
        tree.order.sort_by_key(|&link| depths[link]);
        Ok(tree)
    }

    /// Finds the leader of each mimic joint, and rejects cycles.
    fn follow(&mut self, robot_file: &UrdfFile<'_>) -> Result<(), RobotError> {
        for (index, joint) in robot_file.joints.iter().enumerate() {
            let Some((leader_name, factor, offset)) =
                joint.mimic.as_ref().filter(|_| self.joints[index].moves())
            else {
                continue;
            };
            let Some(leader) = self.joint(leader_name) else {
                let found = format!("mimic of `{}`, which is no joint", excerpt(leader_name));
                return Err(robot_file.wrong_joint(joint, found, "the name of a joint"));
            };
            let (factor, offset) = (*factor, *offset);
            if let Some(value) = [factor, offset].into_iter().find(|value| !is_value(*value)) {
                let found = format!("{} in its mimic", number(value));
                return Err(robot_file.wrong_joint(joint, found, "a number from -1e9 to 1e9"));
            }
            self.joints[index].mimic = Some((leader, factor, offset));
        }
        for index in 0..self.joints.len() {
            let mut at = index;
            for _ in 0..self.joints.len() {
                let Some((leader, ..)) = self.joints[at].mimic else { break };
                at = leader;
                if at == index {
                    let (joint, found) =
                        (&robot_file.joints[index], "mimics that follow each other");
                    return Err(robot_file.wrong_joint(joint, found, "one that follows nobody"));
                }
            }
        }
        Ok(())
    }

    /// Checks that all links descend from a single one.
    fn check_base(&self, errors: FileErrors<'_>) -> Result<(), RobotError> {
        let bases: Vec<usize> =
            (0..self.links.len()).filter(|&link| self.above[link].is_none()).collect();
        let one = "one link that hangs on no other";
        match bases.as_slice() {
            [] if self.links.is_empty() => return Err(errors.of_robot("no links", "at least one")),
            [] => return Err(errors.of_robot("joints in a circle", one)),
            [_] => {}
            [a, b, ..] => {
                let [a, b] = [a, b].map(|&link| excerpt(&self.links[link]));
                let found = format!("links `{a}` and `{b}`, and neither is the child of a joint");
                return Err(errors.of_robot(&found, one));
            }
        }
        for (link, name) in self.links.iter().enumerate() {
            let mut at = link;
            for _ in 0..self.links.len() {
                let Some(joint) = self.above[at] else { break };
                at = self.joints[joint].parent;
            }
            if self.above[at].is_some() {
                let found = format!("link `{}` in a circle of joints", excerpt(name));
                return Err(errors.of_robot(&found, one));
            }
        }
        Ok(())
    }

    pub(super) fn joint(&self, name: &str) -> Option<usize> {
        self.joints.iter().position(|joint| joint.name == name)
    }

    pub(super) fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link == name)
    }

    /// Computes the values of mimic joints from the others.
    pub(super) fn complete(&self, values: &mut [f64]) {
        for index in 0..self.joints.len() {
            let (leader, factor, offset) = self.leader(index);
            if leader != index {
                values[index] = factor * values[leader] + offset;
            }
        }
    }

    /// The joint that a mimic joint follows in the end, with a factor and an offset; of others themselves.
    pub(super) fn leader(&self, joint: usize) -> (usize, f64, f64) {
        let (mut at, mut factor, mut offset) = (joint, 1.0, 0.0);
        while let Some((leader, times, plus)) = self.joints[at].mimic {
            (at, factor, offset) = (leader, factor * times, offset + factor * plus);
        }
        (at, factor, offset)
    }

    /// Writes the poses of all links in the frame of the base, in linear time.
    pub(super) fn place(&self, values: &[f64], poses: &mut Vec<Placement>) {
        poses.clear();
        poses.resize(self.links.len(), Placement::IDENTITY);
        for &link in &self.order {
            if let Some(joint) = self.above[link] {
                let Joint { parent, .. } = self.joints[joint];
                poses[link] = poses[parent].after(&self.joints[joint].placement(values[joint]));
            }
        }
    }

    /// The root of the tree.
    pub(super) fn base(&self) -> usize {
        self.order[0]
    }

    /// The topmost ancestor that only fixed joints connect to this link, or the link itself.
    pub(super) fn rigid_root(&self, link: usize) -> usize {
        let fixed = |&joint: &usize| !self.joints[joint].moves();
        let up = self.joints_between(link, None).take_while(fixed);
        up.last().map_or(link, |joint| self.joints[joint].parent)
    }

    /// The pose of a link relative to one of its ancestors, or to the base.
    pub(super) fn placement(&self, link: usize, above: Option<usize>, values: &[f64]) -> Placement {
        self.joints_between(link, above).fold(Placement::IDENTITY, |placement, joint| {
            self.joints[joint].placement(values[joint]).after(&placement)
        })
    }

    /// Whether a moving joint is between a link and one of its ancestors, or the base.
    pub(super) fn moves(&self, link: usize, above: Option<usize>) -> bool {
        self.joints_between(link, above).any(|joint| self.joints[joint].moves())
    }

    /// The joints from a link up to the base.
    pub(super) fn joints_above(&self, link: usize) -> impl Iterator<Item = usize> + '_ {
        self.joints_between(link, None)
    }

    /// The joints from a link up to one of its ancestors, or to the base.
    fn joints_between(
        &self,
        link: usize,
        above: Option<usize>,
    ) -> impl Iterator<Item = usize> + '_ {
        let up = move |at: usize| self.above[at].filter(|_| Some(at) != above);
        std::iter::successors(up(link), move |&joint| up(self.joints[joint].parent))
    }
}

/// Whether a joint may have this value.
pub(super) fn is_value(value: f64) -> bool {
    value.abs() <= 1e9
}

fn read(
    robot_file: &UrdfFile<'_>,
    joint: &JointElement,
    parent: usize,
) -> Result<Joint, RobotError> {
    let limits = || {
        let [lower, upper] = joint.limits;
        if lower <= upper {
            return Ok([lower, upper]);
        }
        let found = format!("the limits {} and {}", number(lower), number(upper));
        Err(robot_file.wrong_joint(joint, found, "a lower one that is not above the upper one"))
    };
    let kind = match joint.kind {
        JointType::Fixed => Kind::Fixed,
        JointType::Continuous => Kind::Turning(None),
        JointType::Revolute => Kind::Turning(Some(limits()?)),
        JointType::Prismatic => Kind::Sliding(limits()?),
    };
    let axis = joint.axis;
    let length = axis.iter().map(|value| value * value).sum::<f64>().sqrt();
    if kind != Kind::Fixed && !(1e-9..=1e9).contains(&length) {
        let found = format!("the axis {axis:?}");
        return Err(robot_file.wrong_joint(joint, found, "a vector of length 1"));
    }
    Ok(Joint {
        name: joint.name.clone(),
        parent,
        origin: pose(&joint.origin)
            .map_err(|found| robot_file.wrong_joint(joint, found, "a number from -1e9 to 1e9"))?,
        axis: if kind == Kind::Fixed { axis } else { axis.map(|value| value / length) },
        kind,
        mimic: None,
    })
}

/// The pose of an `origin`: rotations about the x, y and z axes of the outer frame, in this order. The error
/// names a number that is out of range.
pub(super) fn pose(origin: &Origin) -> Result<Placement, String> {
    let Origin { xyz: translation, rpy: angles } = *origin;
    if let Some(&value) = translation.iter().chain(&angles).find(|value| !is_value(**value)) {
        return Err(format!("{} in an origin", number(value)));
    }
    let mut rotation = [0.0, 0.0, 0.0, 1.0];
    for (axis, angle) in angles.into_iter().enumerate() {
        if angle != 0.0 {
            let mut turn = [0.0, 0.0, 0.0, libm::cos(0.5 * angle)];
            turn[axis] = libm::sin(0.5 * angle);
            rotation = unit(product(turn, rotation));
        }
    }
    Ok(Placement::turned(rotation, translation))
}
