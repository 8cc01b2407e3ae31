//! `xcollide robot`: does a robot meet itself or its surroundings, configuration by configuration?

mod obstacles;
mod record;
mod robot_report;

use std::path::Path;

use xcollide::Proof;
use xcollide::narrow::proximity::Distance;
use xcollide::robot::{
    BodyId, Clearance, MeshReport, Packages, Robot, RobotError, RobotState, RobotStats,
};

use crate::exit::{Failure, Status, complain};
use crate::files::{Input, text};
use crate::meetings::{Instants, MeetingLog, PairContact, SCREENFUL};
use crate::options::RobotOptions;
use crate::output::{Session, count};
use crate::read_warnings;
use record::RowRecord;
use robot_report::RobotReport;

pub(crate) fn run(options: &RobotOptions, session: &mut Session) -> Result<Status, Failure> {
    let Session { common, output, progress } = session;
    let name = options.urdf.display();
    let robot = progress.during(&format!("reading {name}"), || load(options))?;
    let rows = match &options.joints {
        Some(path) => read_rows(path, &robot)?,
        None => vec![vec![0.0; robot.description().joints().len()]],
    };
    if !common.quiet
        && let Some(warning) = outside_limits(&robot, &rows)
    {
        complain(&format!("warning: {warning}"));
    }
    let pool = common.pool(1)?;
    let mut report = RobotReport::create(options, &robot)?;
    let is_proved = options.witness || !common.json || report.is_some();
    let query = |state: &mut RobotState<'_>| Answer::of(state, options.distance, is_proved);
    let mut meetings = MeetingLog::new(names(&robot), Instants::Rows);
    // More rows than a screen holds are summed up.
    let is_each_told = common.json || rows.len() <= SCREENFUL;
    let bar = progress.frames(rows.len() as u64, true);
    let mut colliding = 0;
    for (batch, configurations) in rows.chunks(ROWS_AT_ONCE).enumerate() {
        let first = batch * ROWS_AT_ONCE;
        let answers = pool.install(|| robot.query_many(configurations, query));
        let answers = answers.map_err(|error| match error {
            RobotError::OfMany { index, error } => {
                Failure::bad_input(format!("{name}: row {}: {error}", first + index))
            }
            error => Failure::bad_input(format!("{name}: {error}")),
        })?;
        for (number, (answer, configuration)) in answers.iter().zip(configurations).enumerate() {
            let row = first + number;
            let (witness, stats) = (options.witness, common.stats);
            let record = RowRecord { row, robot: &robot, answer, witness, stats };
            if is_each_told {
                output.result(&record, || record.in_words())?;
            }
            match &mut report {
                Some(report) => meetings.add(report.add(configuration, answer)?),
                None if !common.json => meetings.add(answer.contacts()),
                None => {}
            }
            meetings.add_distances(answer.distance().as_ref().map(|(pair, found)| (*pair, found)));
            colliding += usize::from(!answer.pairs.is_empty());
        }
        bar.at((first + answers.len()) as u64);
    }
    drop(bar);
    if let Some(report) = report {
        report.finish(options, rows.len(), &meetings)?;
    }
    if let Some(met) = meetings.in_words("--json or --report") {
        output.remark(met)?;
    }
    let apart = rows.len() - colliding;
    let rows = count(rows.len(), "row", "rows");
    output.remark(format!("{rows}: {colliding} colliding, {apart} apart"))?;
    Ok(if options.exit_code && colliding > 0 { Status::Collides } else { Status::Done })
}

/// Rows between two steps of the progress bar.
const ROWS_AT_ONCE: usize = 4096;

struct Answer {
    pairs: Vec<[BodyId; 2]>,
    /// Why each of them collides, if requested.
    proofs: Vec<Proof>,
    clearance: Option<Clearance>,
    stats: RobotStats,
}

impl Answer {
    fn of(state: &mut RobotState<'_>, distance: bool, is_proved: bool) -> Result<Self, RobotError> {
        let pairs = state.colliding_pairs()?;
        let stats = state.stats();
        let clearance = if distance { state.distance()? } else { None };
        let mut proofs = Vec::new();
        for &pair in pairs.iter().filter(|_| is_proved) {
            proofs.extend(state.proof(pair)?);
        }
        Ok(Self { pairs, proofs, clearance, stats })
    }

    /// The least distance, and the numbers of the bodies.
    fn distance(&self) -> Option<([u32; 2], Distance)> {
        let Clearance { distance: value, bodies, points, .. } = self.clearance?;
        Some((bodies.map(|body| body.index() as u32), Distance { value, points, faces: None }))
    }

    fn contacts(&self) -> impl Iterator<Item = PairContact> {
        let pairs = self.pairs.iter().map(|pair| pair.map(|body| body.index() as u32));
        pairs.zip(&self.proofs).map(|(pair, proof)| PairContact::of_proof(pair, proof))
    }
}

/// The names of the bodies, by number.
fn names(robot: &Robot) -> Vec<String> {
    let mut names = Vec::new();
    for body in robot.bodies() {
        names.resize(names.len().max(body.index() + 1), String::new());
        robot.name(body).clone_into(&mut names[body.index()]);
    }
    names
}

/// The robot with everything that the options add to it.
fn load(options: &RobotOptions) -> Result<Robot, Failure> {
    let mut packages = Packages::from_environment();
    for (name, folder) in &options.package {
        packages = packages.with(name, folder);
    }
    let robot = Robot::load(options.urdf.clone(), options.srdf_file(), &packages);
    let mut robot = robot.map_err(Failure::bad_input)?;
    for MeshReport { path, report, .. } in robot.mesh_reports() {
        let rejected = |what| Failure::bad_input(format!("{path}: {what}"));
        read_warnings::show(path, report).map_err(rejected)?;
    }
    robot.set_margin(options.margin).map_err(Failure::bad_input)?;
    if let Some(scene) = &options.obstacles {
        obstacles::add(scene, &mut robot)?;
    }
    for (a, b) in &options.allow {
        robot.allow(a, b).map_err(|error| Failure::bad_input(format!("--allow: {error}")))?;
    }
    Ok(robot)
}

fn read_rows(path: &Path, robot: &Robot) -> Result<Vec<Vec<f64>>, Failure> {
    let input = Input::open(path)?;
    let name = input.name.clone();
    let text = text(input.read()?, &name)?;
    robot.description().read_configurations(&text, &name).map_err(Failure::bad_input)
}

/// The joints with values outside their limits, and in how many rows.
fn outside_limits(robot: &Robot, rows: &[Vec<f64>]) -> Option<String> {
    let joints = robot.description().joints().enumerate();
    let joints: Vec<String> = joints
        .filter_map(|(joint, of)| {
            let [low, high] = of.limits?;
            let outside = rows.iter().filter(|row| !(low..=high).contains(&row[joint])).count();
            let rows = count(rows.len(), "row", "rows");
            let name = of.name;
            (outside > 0)
                .then(|| format!("`{name}` is outside {low:?} to {high:?} in {outside} of {rows}"))
        })
        .collect();
    (!joints.is_empty()).then(|| joints.join(", "))
}
