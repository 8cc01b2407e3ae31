//! Options of `view` and `picture`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use xcollide::Pose;
use xcollide::narrow::bvh::levels::Level;

use crate::mesh_source::MeshSource;
use crate::output_file::ending_in;
use crate::picture::outlined_algorithms;
use crate::pose_line;

use super::ending::GLB;

#[derive(Args, Clone, Debug)]
pub(crate) struct ViewOptions {
    /// A mesh (a file, or shape:…), a scene (a file or an embedded one) or a robot (a URDF file).
    #[arg(value_name = "A|SCENE")]
    pub(crate) a: OsString,
    /// A second mesh.
    #[arg(value_name = "B")]
    pub(crate) b: Option<OsString>,
    /// Do not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Of two meshes: the pose of A. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, requires = "b")]
    pose_a: Option<String>,
    /// Of two meshes: the pose of B. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, requires = "b")]
    pose_b: Option<String>,
    /// Of two meshes: a query a line, as for `check`.
    #[arg(long, value_name = "FILE", requires = "b")]
    poses: Option<OsString>,
    /// Of a robot: the configurations, as for `robot`.
    #[arg(long, value_name = "FILE.csv")]
    joints: Option<OsString>,
    /// Of a robot: the SRDF file with the pairs of links that are not tested.
    #[arg(long, value_name = "FILE")]
    srdf: Option<OsString>,
    /// Of a robot: the folder of a ROS package that meshes are in; may be repeated.
    #[arg(long, value_name = "NAME=DIR")]
    package: Vec<OsString>,
    /// Of a robot: the objects of a scene around it.
    #[arg(long, value_name = "SCENE")]
    obstacles: Option<OsString>,
    /// Of a scene: number of frames.
    #[arg(long, value_name = "N")]
    frames: Option<OsString>,
    /// Of a scene: seed of all random numbers.
    #[arg(long, value_name = "N")]
    seed: Option<OsString>,
    /// Of two meshes, a robot, a scene: measure distances, and show nearest points.
    #[arg(long)]
    distance: bool,
    /// Of two meshes, a robot, a scene: layers of lines, as for `check`, `robot` and `run`.
    #[arg(long, value_name = "NAMES")]
    layers: Option<OsString>,
}

impl ViewOptions {
    /// The arguments of the command that writes the report.
    pub(crate) fn arguments(&self, command: &str) -> Vec<OsString> {
        let text = |text: &Option<String>| text.clone().map(OsString::from);
        let named = [
            ("--pose-a", text(&self.pose_a)),
            ("--pose-b", text(&self.pose_b)),
            ("--poses", self.poses.clone()),
            ("--joints", self.joints.clone()),
            ("--srdf", self.srdf.clone()),
            ("--obstacles", self.obstacles.clone()),
            ("--frames", self.frames.clone()),
            ("--seed", self.seed.clone()),
            ("--layers", self.layers.clone()),
        ];
        let packages = self.package.iter().map(|package| ("--package", Some(package.clone())));
        let mut arguments: Vec<OsString> = vec![command.into(), self.a.clone()];
        arguments.extend(self.b.clone());
        for (name, value) in named.into_iter().chain(packages) {
            arguments.extend(value.into_iter().flat_map(|value| [name.into(), value]));
        }
        arguments.extend(self.distance.then(|| "--distance".into()));
        arguments
    }
}

#[derive(Args, Clone, Debug)]
pub(crate) struct PictureOptions {
    /// The mesh: a file, or shape:…
    #[arg(value_name = "A")]
    pub(crate) a: MeshSource,
    /// A second mesh, to show both hierarchies in a query.
    #[arg(value_name = "B")]
    pub(crate) b: Option<MeshSource>,
    /// The algorithm whose hierarchies are drawn.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "box-tree",
        value_parser = PossibleValuesParser::new(outlined_algorithms())
    )]
    pub(crate) algorithm: String,
    /// Which volumes of one mesh: a depth below the root, or `leaves`. [default: leaves]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = level,
        conflicts_with = "b"
    )]
    pub(crate) level: Option<Level>,
    /// Draw at most N disjoint spheres that fill the body of one closed mesh, instead of a hierarchy.
    #[arg(
        long,
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        conflicts_with_all = ["b", "level", "algorithm"]
    )]
    spheres: Option<u32>,
    /// The pose of A. [default: the identity]
    #[arg(
        long,
        value_name = "POSE",
        allow_hyphen_values = true,
        requires = "b",
        value_parser = pose_line::pose
    )]
    pub(crate) pose_a: Option<Pose>,
    /// The pose of B. [default: the identity]
    #[arg(
        long,
        value_name = "POSE",
        allow_hyphen_values = true,
        requires = "b",
        value_parser = pose_line::pose
    )]
    pub(crate) pose_b: Option<Pose>,
    /// The file to write: binary glTF for any viewer.
    #[arg(long, value_name = "OUT.glb", value_parser = ending_in(GLB))]
    pub(crate) export: PathBuf,
}

impl PictureOptions {
    /// The most spheres to draw, if spheres are drawn.
    pub(crate) fn spheres(&self) -> Option<usize> {
        self.spheres.map(|most| most as usize)
    }
}

fn level(text: &str) -> Result<Level, &'static str> {
    if text == "leaves" {
        return Ok(Level::Leaves);
    }
    text.parse().map(Level::At).map_err(|_| "expected a whole number, or leaves")
}
