//! Options of `robot`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::scene::SceneFiles;
use super::value::tolerance;

#[derive(Args, Clone, Debug)]
pub(crate) struct RobotOptions {
    /// The robot: a URDF file.
    #[arg(value_name = "ARM.urdf")]
    pub(crate) urdf: PathBuf,
    /// The SRDF file with the pairs of links that are not tested. [default: the one beside the robot,
    /// with its name, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) srdf: Option<PathBuf>,
    /// The configurations: a table, or - for standard input. [default: one, all joints at 0]
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) joints: Option<PathBuf>,
    /// The folder of a ROS package that meshes are in; may be repeated.
    #[arg(long, value_name = "NAME=DIR", value_parser = package)]
    pub(crate) package: Vec<(String, PathBuf)>,
    /// Count links at most this far apart as colliding.
    #[arg(
        long,
        value_name = "X",
        default_value = "0",
        allow_negative_numbers = true,
        value_parser = tolerance
    )]
    pub(crate) margin: f64,
    /// Measure the least distance of two tested links.
    #[arg(long)]
    pub(crate) distance: bool,
    #[command(flatten)]
    pub(crate) files: SceneFiles,
    /// With --json: have each row tell why its pairs collide, by two features that meet and a point.
    #[arg(long, requires = "json")]
    pub(crate) witness: bool,
    /// Also test the links against the objects of a scene, where its first frame has them.
    #[arg(long, value_name = "SCENE")]
    pub(crate) obstacles: Option<OsString>,
    /// Do not test a pair of links or obstacles; may be repeated.
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pub(crate) allow: Vec<(String, String)>,
    /// Set the exit status by the verdicts: 0 all apart, 10 a row collides.
    #[arg(long)]
    pub(crate) exit_code: bool,
}

impl RobotOptions {
    /// The SRDF file: that of the option, else the one beside the robot, if there is one.
    pub(crate) fn srdf_file(&self) -> Option<PathBuf> {
        let beside = self.urdf.with_extension("srdf");
        self.srdf.clone().or_else(|| beside.is_file().then_some(beside))
    }
}

/// Parses "cubes=../cubes".
fn package(text: &str) -> Result<(String, PathBuf), &'static str> {
    let (name, folder) = text.split_once('=').ok_or("expected a name and a folder, NAME=DIR")?;
    Ok((name.to_owned(), folder.into()))
}

/// Parses "hand,cup".
fn pair(text: &str) -> Result<(String, String), &'static str> {
    let (a, b) = text.split_once(',').ok_or("expected two names, A,B")?;
    Ok((a.trim().to_owned(), b.trim().to_owned()))
}
