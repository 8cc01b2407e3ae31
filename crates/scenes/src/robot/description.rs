//! A robot as a value: its links, joints and pairs, with meshes.

use xcollide_brep::PolygonMesh;

use super::geometry::Solid;
use super::joints::{Tree, is_value};
use super::parts::{Parts, TextFile};
use super::{RobotError, table};
use crate::error::excerpt;
use crate::message_number::number;
use crate::{Formula, Placement, SceneFiles};

/// A robot of a URDF file: links with collision geometry, the joints between them, and which pairs of links
/// are tested.
///
/// A *configuration* has a value for each of the [`joints`](Self::joints), in their order: radians for joints
/// that turn, units of length for those that slide. Joints that are fixed or follow another have none.
///
/// ```
/// use xcollide_scenes::{NoFiles, SceneFiles};
/// use xcollide_scenes::robot::RobotDescription;
/// # use xcollide_scenes::Placement;
/// # struct Texts;
/// # impl SceneFiles for Texts {
/// #     fn mesh(&mut self, path: &str) -> Result<xcollide_brep::PolygonMesh, String> {
/// #         NoFiles.mesh(path)
/// #     }
/// #     fn poses(&mut self, path: &str) -> Result<Vec<Placement>, String> {
/// #         NoFiles.poses(path)
/// #     }
/// #     fn text(&mut self, _: &str) -> Result<String, String> {
/// #         Ok("<robot><link name='base'/>
/// #             <link name='sled'><collision><geometry><box size='1 1 1'/></geometry></collision></link>
/// #             <joint name='rail' type='prismatic'><parent link='base'/><child link='sled'/>
/// #             <limit lower='0' upper='2'/></joint></robot>".to_owned())
/// #     }
/// # }
/// # let mut files = Texts;
/// let robot = RobotDescription::read("sled.urdf", None, &mut files)?;
/// let rail = robot.joints().next().ok_or("no joint")?;
/// assert_eq!((rail.name, rail.limits), ("rail", Some([0.0, 2.0])));
/// let mut links = Vec::new();
/// robot.place_links(&[1.5], &mut links)?;
/// assert_eq!(links[1].translation, [1.5, 0.0, 0.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct RobotDescription {
    parts: Parts,
    geometries: Vec<Vec<LinkGeometry>>,
    /// The joints of a configuration.
    free: Vec<usize>,
}

/// A collision geometry of a link.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LinkGeometry {
    /// Its mesh. Of a sphere, cylinder or capsule it is a polyhedron to draw, which contains it and reaches at most 0.6 % of
    /// the radius further.
    pub mesh: PolygonMesh,
    /// The body itself, if it is a sphere, cylinder or capsule.
    pub formula: Option<Formula>,
    /// Its pose in the frame of the link.
    pub origin: Placement,
}

/// A joint that has a value in a configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RobotJoint<'a> {
    /// Its name.
    pub name: &'a str,
    /// The minimum and maximum value; `None` for continuous joints.
    pub limits: Option<[f64; 2]>,
}

/// Why values are no configuration of a robot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigurationError {
    /// Too few or too many.
    #[error("found {found} values, expected {expected}, one for each of: {joints}")]
    Count {
        /// How many there are.
        found: usize,
        /// How many there must be.
        expected: usize,
        /// The names of the joints.
        joints: String,
    },
    /// A joint, or one that follows it, has a value that is not finite or too large.
    #[error("joint `{joint}`: found {}, expected a number from -1e9 to 1e9", number(*.value))]
    Value {
        /// The name of the joint.
        joint: String,
        /// The value.
        value: f64,
    },
}

impl RobotDescription {
    /// Reads a URDF file with its meshes, and optionally an SRDF file, from these paths.
    ///
    /// # Errors
    /// A file cannot be read; an element of it is invalid.
    pub fn read(
        urdf: &str,
        srdf: Option<&str>,
        files: &mut dyn SceneFiles,
    ) -> Result<Self, RobotError> {
        let mut text = |path: &str| {
            let unreadable = |problem| RobotError::File { file: path.to_owned(), problem };
            files.text(path).map_err(unreadable)
        };
        let urdf_text = text(urdf)?;
        let srdf_text = srdf.map(text).transpose()?;
        let srdf = srdf.zip(srdf_text.as_deref()).map(|(path, text)| TextFile { path, text });
        let urdf_file = TextFile { path: urdf, text: &urdf_text };
        let parts = Parts::read(urdf_file, srdf, false, files)?;
        let mut geometries = Vec::with_capacity(parts.solids.len());
        for (link, solids) in parts.tree.links.iter().zip(&parts.solids) {
            let load = |solid: &Solid| {
                let wrong = |problem| RobotError::File {
                    file: urdf.to_owned(),
                    problem: format!(
                        "link `{}`: the mesh `{}` {problem}",
                        excerpt(link),
                        excerpt(&solid.mesh)
                    ),
                };
                let mesh = solid.load(files).map_err(wrong)?;
                Ok(LinkGeometry { mesh, formula: solid.formula, origin: solid.origin })
            };
            geometries.push(solids.iter().map(load).collect::<Result<_, _>>()?);
        }
        let joints = &parts.tree.joints;
        let free = (0..joints.len()).filter(|&joint| joints[joint].is_free()).collect();
        Ok(Self { parts, geometries, free })
    }

    /// The names of the links, in the order of the file.
    #[must_use]
    pub fn links(&self) -> &[String] {
        &self.tree().links
    }

    /// The root of the tree of links.
    #[must_use]
    pub fn base(&self) -> usize {
        self.tree().base()
    }

    /// The collision geometries of a link, in the order of the file.
    #[must_use]
    pub fn geometries(&self, link: usize) -> &[LinkGeometry] {
        &self.geometries[link]
    }

    /// The joints of a configuration, in the order of the file.
    #[must_use]
    pub fn joints(&self) -> impl ExactSizeIterator<Item = RobotJoint<'_>> {
        self.free.iter().map(|&joint| {
            let joint = &self.tree().joints[joint];
            RobotJoint { name: &joint.name, limits: joint.limits() }
        })
    }

    /// The topmost ancestor that only fixed joints connect to this link, or the link itself. Links with the same
    /// root never move relative to each other.
    #[must_use]
    pub fn rigid_root(&self, link: usize) -> usize {
        self.tree().rigid_root(link)
    }

    /// Whether two links are tested: they can move relative to each other, no joint connects them (links
    /// without geometry do not count as between), and the SRDF file does not disable them. Linear in the
    /// number of its rules.
    #[must_use]
    pub fn are_tested(&self, a: usize, b: usize) -> bool {
        let mut rules = self.parts.rules.iter().rev();
        let rule = rules.find(|rule| rule.links == [a, b] || rule.links == [b, a]);
        self.rigid_root(a) != self.rigid_root(b) && rule.is_none_or(|rule| rule.on)
    }

    /// Writes the pose of each link in the frame of the base to `poses`, in the order of the links. Mimic
    /// joints follow theirs; limits are not enforced. Linear time; the same bits on every platform.
    ///
    /// # Errors
    /// The configuration has another number of values than the robot [`joints`](Self::joints), or one beyond
    /// ±10⁹.
    pub fn place_links(
        &self,
        configuration: &[f64],
        poses: &mut Vec<Placement>,
    ) -> Result<(), ConfigurationError> {
        let values = self.joint_values(configuration)?;
        self.tree().place(&values, poses);
        Ok(())
    }

    /// The values of all joints in a configuration.
    ///
    /// # Errors
    /// As for [`place_links`](Self::place_links).
    pub(super) fn joint_values(
        &self,
        configuration: &[f64],
    ) -> Result<Vec<f64>, ConfigurationError> {
        let Tree { joints, .. } = self.tree();
        if configuration.len() != self.free.len() {
            let names: Vec<&str> = self.joints().map(|joint| joint.name).collect();
            return Err(ConfigurationError::Count {
                found: configuration.len(),
                expected: self.free.len(),
                joints: names.join(", "),
            });
        }
        let mut values = vec![0.0; joints.len()];
        for (&joint, &value) in self.free.iter().zip(configuration) {
            values[joint] = value;
        }
        self.tree().complete(&mut values);
        if let Some(joint) = values.iter().position(|&value| !is_value(value)) {
            let (joint, value) = (joints[joint].name.clone(), values[joint]);
            return Err(ConfigurationError::Value { joint, value });
        }
        Ok(values)
    }

    /// The numbers of the joints of a configuration among all joints.
    pub(super) fn free_joints(&self) -> &[usize] {
        &self.free
    }

    /// Reads configurations from the text of a table: names of joints, then a row of numbers for each
    /// configuration, separated by commas, semicolons or blanks; `#` begins a comment. Joints without a column
    /// are at 0; columns named `frame`, `time`, `t` or `timestamp` are ignored. `file` names it in errors.
    ///
    /// # Errors
    /// A column names no joint, a row has another number of values or one that is no number from -10⁹ to 10⁹,
    /// or there are no rows; with the line.
    pub fn read_configurations(&self, text: &str, file: &str) -> Result<Vec<Vec<f64>>, RobotError> {
        let rows = table::read(text, self.tree(), file, &vec![0.0; self.tree().joints.len()])?;
        let of_row = |row: Vec<f64>| self.free.iter().map(|&joint| row[joint]).collect();
        Ok(rows.into_iter().map(of_row).collect())
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.parts.tree
    }
}
