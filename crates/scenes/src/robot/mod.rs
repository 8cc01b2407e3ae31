//! Robots: the links of a URDF file, the joints between them, and the pairs that an SRDF file disables.
//!
//! A [`RobotDescription`] has them for programs that set joints themselves.
//!
//! In a scene that imports a robot, each collision geometry of a link is an object. The first is a child of the
//! first geometry of the nearest ancestor that has one; the others are children of the first. Poses are those of
//! the geometries relative to their parents, computed joint by joint from the base outward. Visual geometry only
//! gives the colour.
//!
//! Floating, planar and spherical joints do not move.
//!
//! Sources: Open Robotics, "Unified Robot Description Format", urdf/XML, and "Semantic Robot Description
//! Format", in the documentation of ROS.

mod description;
mod disabled;
mod error;
mod geometry;
mod import;
mod joints;
mod link_path;
mod links;
mod motion;
mod parts;
mod table;
mod urdf;

pub use description::{ConfigurationError, LinkGeometry, RobotDescription, RobotJoint};
pub use error::RobotError;
pub(crate) use import::import;
pub use link_path::{JointPath, LinkPath};
