//! `xcollide sweep`: when do two moving meshes first touch?

mod distance_report;
mod record;

use std::io::{BufReader, Read};
use std::time::Instant;

use rayon::prelude::*;
use xcollide::Pose;
use xcollide::math::{Motion, PoseError};
use xcollide::narrow::continuous::{
    MeshesVerdict, MotionVerdict, Moving, MovingMesh, TimeInterval, meshes_contact, time_of_contact,
};
use xcollide::narrow::{Model, ProofError, Query, Reason, Witness};

use crate::exit::{Failure, Status};
use crate::files::Input;
use crate::mesh_source::two_models;
use crate::options::SweepOptions;
use crate::output::{Session, nanoseconds};
use crate::pose_line::{MotionPoses, PoseLines};
use crate::tally::Tally;
use distance_report::DistanceReport;
use record::SweepRecord;

/// The answer to one query.
pub(super) struct Answer {
    outcome: Outcome,
    nanoseconds: u64,
}

/// What either engine told.
enum Outcome {
    Collides {
        time: TimeInterval,
        witness: Witness,
    },
    Apart {
        /// Of the engine that takes steps.
        steps: Option<usize>,
    },
    Undecided {
        reason: Reason,
        /// Known to be apart until then.
        until: f64,
    },
}

/// Of what is apart throughout.
const AT_THE_END: TimeInterval = TimeInterval { lo: 1.0, hi: 1.0 };

impl Outcome {
    /// The times of first contact that are left; `None` if the two are apart.
    fn interval(&self) -> Option<TimeInterval> {
        match *self {
            Self::Collides { time, .. } => Some(time),
            Self::Apart { .. } => None,
            Self::Undecided { until, .. } => Some(TimeInterval { lo: until, hi: 1.0 }),
        }
    }

    fn of_rigid(verdict: &MotionVerdict) -> Self {
        let time = verdict.interval().unwrap_or(AT_THE_END);
        match verdict {
            MotionVerdict::Collides { witness, .. } => Self::Collides { time, witness: *witness },
            MotionVerdict::Apart(apart) => Self::Apart { steps: Some(apart.steps()) },
            MotionVerdict::Undecided { reason, .. } => {
                Self::Undecided { reason: *reason, until: time.lo }
            }
        }
    }

    fn of_linear(verdict: &MeshesVerdict) -> Self {
        let time = verdict.interval().unwrap_or(AT_THE_END);
        match verdict {
            MeshesVerdict::Collides { contact, .. } => {
                Self::Collides { time, witness: contact.witness }
            }
            MeshesVerdict::Apart(_) => Self::Apart { steps: None },
            MeshesVerdict::Undecided { reason, .. } => {
                Self::Undecided { reason: *reason, until: time.lo }
            }
        }
    }
}

pub(crate) fn run(options: &SweepOptions, session: &mut Session) -> Result<Status, Failure> {
    let Session { common, output, progress } = session;
    let [a, b] = two_models(&options.a, &options.b, progress)?;
    progress.during("preparing", || {
        [&a, &b].map(|model| Moving::new(model, &Pose::IDENTITY).prepare())
    });
    let mut motions = Motions::new(options)?;
    let mut report = options.report.as_deref().map(DistanceReport::create).transpose()?;
    let bar = progress.bytes(motions.size);
    let pool = common.pool(1)?;
    // One thread takes single queries, so that each line of an endless file is answered at once.
    let at_once = match pool.current_num_threads() {
        1 => 1,
        threads => threads * QUERIES_A_THREAD,
    };
    let mut tally = Tally::default();
    loop {
        let batch: Vec<_> = motions.by_ref().take(at_once).collect();
        let is_end = batch.len() < at_once;
        let solve = |query: &Result<MotionQuery, Failure>| match query {
            Ok(query) => Some(query.solve(options, [&a, &b])),
            Err(_) => None,
        };
        let solved: Vec<_> = if at_once == 1 {
            batch.iter().map(solve).collect()
        } else {
            pool.install(|| batch.par_iter().map(solve).collect())
        };
        for (query, answer) in batch.into_iter().zip(solved) {
            let query = query?;
            let number = query.number;
            if let Some(answer) = answer {
                let answer = answer?;
                if let Some(report) = &mut report {
                    query.plot(options, [&a, &b], &answer, report)?;
                }
                tally.add(decided(&answer.outcome));
                let shown = motions.are_many().then_some(number);
                output.result(&SweepRecord { query: number, answer: &answer }, || {
                    answer.in_words(shown)
                })?;
            }
        }
        bar.at(motions.bytes());
        if is_end {
            break;
        }
    }
    if let Some(report) = report {
        report.finish()?;
    }
    if motions.are_many() {
        output.remark(tally.in_words())?;
    }
    Ok(if options.exit_code { tally.status() } else { Status::Done })
}

const QUERIES_A_THREAD: usize = 64;

fn decided(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Collides { .. } => Some(true),
        Outcome::Apart { .. } => Some(false),
        Outcome::Undecided { .. } => None,
    }
}

/// One query.
struct MotionQuery {
    number: u64,
    poses: MotionPoses,
    /// The options or the line of the poses, for messages.
    origin: String,
}

impl MotionQuery {
    fn solve(&self, options: &SweepOptions, models: [&Model; 2]) -> Result<Answer, Failure> {
        let mut query = Query::new().semantics(options.semantics);
        query.budget = options.budget;
        let are_meshes = models.iter().all(|model| model.formula().is_none());
        if are_meshes && options.motion == "linear" && self.poses.are_translations() {
            self.solve_translation(options, models, &query)
        } else {
            self.solve_rigid(options, models, &query)
        }
    }

    /// Exact: no contact is too short.
    fn solve_translation(
        &self,
        options: &SweepOptions,
        [a, b]: [&Model; 2],
        query: &Query,
    ) -> Result<Answer, Failure> {
        let moving = |model, [from, to]: [Pose; 2]| {
            MovingMesh::between(model, &from, &to).map_err(|error| self.refused(&error))
        };
        let (a, b) = (moving(a, self.poses.a)?, moving(b, self.poses.b)?);
        let began = Instant::now();
        let verdict = meshes_contact(&a, &b, options.width, query);
        let nanoseconds = nanoseconds(began.elapsed());
        let verdict = verdict.map_err(|error| self.refused(&error))?;
        let outcome = Outcome::of_linear(&verdict);
        if options.verify {
            self.verified(&outcome, verdict.verify(&a, &b, options.semantics))?;
        }
        Ok(Answer { outcome, nanoseconds })
    }

    fn solve_rigid(
        &self,
        options: &SweepOptions,
        [a, b]: [&Model; 2],
        query: &Query,
    ) -> Result<Answer, Failure> {
        let [of_a, of_b] = self.paths(options)?;
        let (a, b) = (Moving::new(a, &of_a), Moving::new(b, &of_b));
        let began = Instant::now();
        let verdict = time_of_contact(a, b, options.width, query);
        let nanoseconds = nanoseconds(began.elapsed());
        let verdict = verdict.map_err(|error| self.refused(&error))?;
        let outcome = Outcome::of_rigid(&verdict);
        if options.verify {
            self.verified(&outcome, verdict.verify(a, b, options.semantics))?;
        }
        Ok(Answer { outcome, nanoseconds })
    }

    fn paths(&self, options: &SweepOptions) -> Result<[Motion; 2], Failure> {
        let path = |poses| motion(poses, &options.motion).map_err(|error| self.refused(&error));
        Ok([path(self.poses.a)?, path(self.poses.b)?])
    }

    /// Adds the distance over time to a report.
    fn plot(
        &self,
        options: &SweepOptions,
        [a, b]: [&Model; 2],
        answer: &Answer,
        report: &mut DistanceReport,
    ) -> Result<(), Failure> {
        let [of_a, of_b] = self.paths(options)?;
        let moving = [Moving::new(a, &of_a), Moving::new(b, &of_b)];
        let (words, time) = (answer.in_words(None), answer.outcome.interval());
        report.add(self.number, moving, options.semantics, &words, time);
        Ok(())
    }

    fn refused(&self, error: &dyn std::fmt::Display) -> Failure {
        Failure::bad_input(format!("{}: {error}", self.origin))
    }

    fn verified(&self, outcome: &Outcome, proof: Result<(), ProofError>) -> Result<(), Failure> {
        let Self { number, origin, .. } = self;
        proof.map_err(|error| {
            Failure::Failed(format!(
                "query {number} ({origin}): the proof for \"{}\" does not hold: {error}",
                record::name(outcome)
            ))
        })
    }
}

fn motion([from, to]: [Pose; 2], kind: &str) -> Result<Motion, PoseError> {
    if kind == "screw" { Motion::screw(from, to) } else { Motion::linear(from, to) }
}

/// All queries in order. A file is read as needed, so it may be endless.
struct Motions {
    from: From,
    size: Option<u64>,
    next: u64,
}

enum From {
    /// `None` after the one query.
    CommandLine(Option<Box<MotionPoses>>),
    File {
        name: String,
        lines: PoseLines<BufReader<Box<dyn Read>>, MotionPoses>,
    },
}

impl Motions {
    fn new(options: &SweepOptions) -> Result<Self, Failure> {
        if let Some(path) = &options.motions {
            let Input { name, size, from } = Input::open(path)?;
            let lines = PoseLines::motions(BufReader::new(from));
            return Ok(Self { from: From::File { name, lines }, size, next: 0 });
        }
        // Each pose the identity, or its partner, unless given.
        let poses = |from: Option<Pose>, to: Option<Pose>| {
            let rest = from.or(to).unwrap_or_default();
            [from.unwrap_or(rest), to.unwrap_or(rest)]
        };
        let a = poses(options.from_a, options.to_a);
        let b = poses(options.from_b, options.to_b);
        Ok(Self {
            from: From::CommandLine(Some(Box::new(MotionPoses { a, b }))),
            size: None,
            next: 0,
        })
    }

    fn are_many(&self) -> bool {
        matches!(self.from, From::File { .. })
    }

    fn bytes(&self) -> u64 {
        match &self.from {
            From::File { lines, .. } => lines.bytes(),
            From::CommandLine(_) => 0,
        }
    }
}

impl Iterator for Motions {
    type Item = Result<MotionQuery, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let (poses, origin) = match &mut self.from {
            From::CommandLine(poses) => (*poses.take()?, "the motion".to_owned()),
            From::File { name, lines } => match lines.next()? {
                Ok(line) => (line.poses, format!("{name}, line {}", line.line)),
                Err(error) => return Some(Err(Failure::bad_input(format!("{name}, {error}")))),
            },
        };
        let number = self.next;
        self.next += 1;
        Some(Ok(MotionQuery { number, poses, origin }))
    }
}
