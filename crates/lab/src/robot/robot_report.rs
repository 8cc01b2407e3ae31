//! A robot's report and exported scene: its links, row by row.

use xcollide::narrow::{Placed, Semantics};
use xcollide::robot::{Robot, RobotError, RobotState};

use super::Answer;
use crate::exit::Failure;
use crate::meetings::{Measurements, MeetingLog, PairContact};
use crate::motion_files::MotionFiles;
use crate::options::RobotOptions;
use crate::report::{Page, Section, Table, how_to_repeat, invoked_command};

/// The files of a robot, and its state of the last row.
pub(super) struct RobotReport<'r> {
    files: MotionFiles,
    robot: &'r Robot,
    state: RobotState<'r>,
    measurements: Measurements,
}

impl<'r> RobotReport<'r> {
    /// Opens the files; `None` without any.
    pub(super) fn create(
        options: &RobotOptions,
        robot: &'r Robot,
    ) -> Result<Option<Self>, Failure> {
        let Some(mut files) = MotionFiles::create(&options.files)? else { return Ok(None) };
        let state = robot.state().map_err(Failure::bad_input)?;
        for body in robot.bodies() {
            let models = state.shapes(body).map(|(model, _)| model.clone());
            files.motion.body(robot.name(body), body.index() as u32, models);
        }
        let measurements = Measurements::new(Semantics::Solid);
        Ok(Some(Self { files, robot, state, measurements }))
    }

    /// Adds a row and its answer. Returns where links collide, and how those that are one shape each.
    pub(super) fn add(
        &mut self,
        row: &[f64],
        answer: &Answer,
    ) -> Result<Vec<PairContact>, Failure> {
        let Self { files, robot, state, measurements } = self;
        state.set_joints(row).map_err(|error: RobotError| Failure::bad_input(error))?;
        let shape = |number: u32| {
            let body = robot.bodies().find(|body| body.index() == number as usize)?;
            let mut shapes = state.shapes(body);
            let (model, pose) = shapes.next()?;
            if shapes.next().is_some() { None } else { Placed::new(model, pose).ok() }
        };
        let mut measured = |contact: PairContact| match contact.pair.map(shape) {
            [Some(a), Some(b)] => measurements.of(contact, a, b),
            _ => contact,
        };
        let contacts: Vec<PairContact> = answer.contacts().map(&mut measured).collect();
        let poses = robot.bodies().flat_map(|body| state.shapes(body).map(|(_, pose)| pose));
        files.add(poses, &contacts)?;
        let aids = files.motion.aids();
        if let Some(nearest) = answer.clearance.as_ref().filter(|nearest| nearest.distance > 0.0) {
            let pair = nearest.bodies.map(|body| body.index() as u32);
            aids.add_nearest(pair, nearest.points, None);
        }
        for body in robot.bodies() {
            let placed =
                state.shapes(body).filter_map(|(model, pose)| Placed::new(model, pose).ok());
            if let Some(bounds) =
                placed.map(|placed| placed.world_box()).reduce(|all, one| all.merged(&one))
            {
                aids.add_box(body.index() as u32, &bounds);
            }
        }
        Ok(contacts)
    }

    pub(super) fn finish(
        self,
        options: &RobotOptions,
        rows: usize,
        meetings: &MeetingLog,
    ) -> Result<(), Failure> {
        let path = |path: &Option<std::path::PathBuf>| {
            path.as_ref().map_or_else(|| "–".to_owned(), |path| path.display().to_string())
        };
        let obstacles = options.obstacles.as_ref();
        let obstacles =
            obstacles.map_or_else(|| "–".to_owned(), |of| of.to_string_lossy().into_owned());
        let table = Table::of_values()
            .row(["robot", &options.urdf.display().to_string()])
            .row(["disabled pairs", &path(&options.srdf_file())])
            .row(["configurations", &path(&options.joints)])
            .row(["rows", &rows.to_string()])
            .row(["obstacles", &obstacles])
            .row(["units", "meters and radians, as in URDF"])
            .row(["margin", &format!("{:?}", options.margin)])
            .row(["bodies", &self.robot.bodies().count().to_string()])
            .row(["pairs that are tested", &self.robot.tested_pairs().count().to_string()])
            .row(["algorithms", "boxes of links, then auto; exact"])
            .row(["program", &format!("xcollide {}", env!("CARGO_PKG_VERSION"))]);
        let name = options.urdf.file_stem().unwrap_or_default().to_string_lossy();
        let page = Page::new(&format!("Collisions of {name}"))
            .lead("Which links met each other or their surroundings, row by row.");
        let rest = [Section::new("What was run").table(table), how_to_repeat(&invoked_command())];
        self.files.finish(page, meetings, rest)
    }
}
