//! `xcollide check`: do two meshes touch, at one pose or at many?

mod check_report;
mod placements;
mod record;
mod trial;

use std::num::NonZeroUsize;

use rayon::prelude::*;
use xcollide::narrow::{Guarantee, Model, NarrowPhase, Placed};
use xcollide::registry::{self, Kind};

use crate::exit::{Failure, Status};
use crate::meetings::{Instants, MeetingLog};
use crate::mesh_source::{MeshSource, two_models};
use crate::options::{CheckOptions, SweepOptions};
use crate::output::Session;
use crate::sweep;
use crate::tally::Tally;
use check_report::CheckReport;
use placements::{Placement, Placements};
use record::CheckRecord;
use trial::{Answer, Contestant, Outcome, Trial};

pub(crate) fn run(options: &CheckOptions, session: &mut Session) -> Result<Status, Failure> {
    if let Some(to) = options.to {
        return sweep::run(&SweepOptions::of_check(options, to), session);
    }
    let Session { common, output, progress } = session;
    let [a, b] = two_models(&options.a, &options.b, progress)?;
    let trial = Trial::new(options, common);
    // At most one per processor, as waiting threads would blur the times.
    let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = match common.threads {
        // With coherent caches each answer depends on all queries before it.
        Some(threads) if !options.coherent => threads.get().min(processors),
        _ => 1,
    };
    let mut teams: Vec<Vec<Contestant>> = Vec::new();
    for _ in 0..workers {
        let mut team = Vec::new();
        for algorithm in algorithms(options, &a, &b)? {
            progress.during(&format!("preparing {}", algorithm.name()), || {
                prepare(&*algorithm, options, &a, &b)
            })?;
            team.push(trial.contestant(algorithm));
        }
        teams.push(team);
    }
    let mut placements = Placements::new(options)?;
    let bar = progress.bytes(placements.total_bytes());
    let mut tally = Tally::default();
    let names = names(options);
    let mut report = CheckReport::create(options, &names, [&a, &b])?;
    let mut meetings = MeetingLog::new(names, Instants::Queries);
    // One thread takes single queries, so that each line of an endless file is answered at once.
    let at_once = if workers == 1 { 1 } else { workers * QUERIES_A_SHARE };
    loop {
        let mut end = None;
        let mut batch = Vec::new();
        while batch.len() < at_once && end.is_none() {
            match placements.next() {
                Some(Ok(placement)) => batch.push(placement),
                Some(Err(failure)) => end = Some(Err(failure)),
                None => end = Some(Ok(())),
            }
        }
        let solved = solve_all(&trial, &mut teams, &batch, [&a, &b]);
        for (placement, solved) in batch.iter().zip(solved) {
            let (answers, judgement) = solved?;
            for answer in &answers {
                let query = placement.query;
                output.result(&CheckRecord { query, answer }, || {
                    answer.in_words(placements.are_many().then_some(query))
                })?;
            }
            judgement?;
            tally.add(decided(&answers));
            meetings.add(match &mut report {
                Some(report) => report.add(placement, &answers, [&a, &b])?,
                None => answers.iter().find_map(Answer::contact),
            });
            let distances = answers.iter().filter_map(|answer| answer.distance.as_ref());
            meetings.add_distances(distances.map(|distance| ([0, 1], distance)));
        }
        bar.at(placements.bytes());
        if let Some(end) = end {
            end?;
            break;
        }
    }
    if let Some(report) = report {
        report.finish(options, &meetings, [&a, &b])?;
    }
    if placements.are_many() {
        if let Some(met) = meetings.in_words("--json or --report") {
            output.remark(met)?;
        }
        output.remark(tally.in_words())?;
    }
    Ok(if options.exit_code { tally.status() } else { Status::Done })
}

/// The names of the two meshes for people.
fn names(options: &CheckOptions) -> Vec<String> {
    let name = |source: &MeshSource| match source {
        MeshSource::File(path) => {
            path.file_name().unwrap_or_default().to_string_lossy().into_owned()
        }
        other => other.to_string(),
    };
    let [a, b] = [&options.a, &options.b].map(name);
    if a == b { vec![format!("A ({a})"), format!("B ({b})")] } else { vec![a, b] }
}

const QUERIES_A_SHARE: usize = 64;

/// The answers to one query, and whether they passed verification.
type Solved = (Vec<Answer>, Result<(), Failure>);

/// Answers queries in order; each team of algorithms takes a share, in parallel.
fn solve_all(
    trial: &Trial<'_>,
    teams: &mut [Vec<Contestant>],
    batch: &[Placement],
    models: [&Model; 2],
) -> Vec<Result<Solved, Failure>> {
    let share = |team: &mut Vec<Contestant>, placements: &[Placement]| -> Vec<_> {
        placements.iter().map(|placement| solve(trial, team, placement, models)).collect()
    };
    if let [team] = teams {
        return share(team, batch);
    }
    let shares = batch.par_chunks(batch.len().div_ceil(teams.len()).max(1)).zip(teams);
    shares.flat_map_iter(|(placements, team)| share(team, placements)).collect()
}

fn solve(
    trial: &Trial<'_>,
    team: &mut [Contestant],
    placement: &Placement,
    [a, b]: [&Model; 2],
) -> Result<Solved, Failure> {
    let refused = |error| Failure::bad_input(format!("{}: {error}", placement.origin));
    let place = |model, pose| Placed::new(model, pose).map_err(refused);
    let placed = [place(a, &placement.poses.a)?, place(b, &placement.poses.b)?];
    let answers: Vec<Answer> =
        team.iter_mut().map(|contestant| trial.answer(contestant, placed)).collect();
    let judgement = judge(trial, placement, &answers, placed);
    Ok((answers, judgement))
}

fn algorithms(
    options: &CheckOptions,
    a: &Model,
    b: &Model,
) -> Result<Vec<Box<dyn NarrowPhase>>, Failure> {
    let has_formula = a.formula().is_some() || b.formula().is_some();
    Ok(match &*options.algorithm {
        // The others are for meshes.
        "all" if has_formula => vec![registry::auto(a, b)],
        "auto" => vec![registry::auto_by(options.sizes.thresholds()?, a, b)],
        "all" => registry::of_kind(Kind::Narrow)
            // `auto` only chooses among the others.
            .filter(|entry| entry.name != "auto")
            .filter_map(registry::Entry::narrow_phase)
            .filter(|algorithm| algorithm.guarantee() == Guarantee::Exact)
            .filter(|algorithm| algorithm.accepts(a.topology(), b.topology()))
            .collect(),
        name => registry::narrow_phase(name).into_iter().collect(),
    })
}

/// Builds what the algorithm and the models keep, so that no timed query has to.
fn prepare(
    algorithm: &dyn NarrowPhase,
    options: &CheckOptions,
    a: &Model,
    b: &Model,
) -> Result<(), Failure> {
    for (model, source) in [(a, &options.a), (b, &options.b)] {
        let prepared = algorithm.prepare(model);
        prepared.map_err(|error| Failure::bad_input(format!("{source}: {error}")))?;
        let _ = model.components();
    }
    let has_formula = a.formula().is_some() || b.formula().is_some();
    let accepted = match has_formula {
        true => algorithm.accepts_formulas(),
        false => algorithm.accepts(a.topology(), b.topology()),
    };
    if !accepted {
        let (name, a, b) = (algorithm.name(), &options.a, &options.b);
        return Err(Failure::bad_input(format!("{name} does not accept {a} and {b} together")));
    }
    Ok(())
}

/// Verifies the proofs if requested, and checks that no two answers contradict each other.
fn judge(
    trial: &Trial<'_>,
    placement: &Placement,
    answers: &[Answer],
    placed: [Placed<'_>; 2],
) -> Result<(), Failure> {
    let failed = |what: String| {
        let Placement { query, origin, .. } = placement;
        Failure::Failed(format!("query {query} ({origin}): {what}"))
    };
    for answer in answers {
        if let Some(error) = answer.refused {
            let Placement { query, origin, .. } = placement;
            return Err(Failure::bad_input(format!("query {query} ({origin}): {error}")));
        }
        trial.verify(answer, placed).map_err(|error| {
            let (name, outcome) = (answer.algorithm, answer.outcome().name());
            failed(format!("the proof of {name} for \"{outcome}\" does not hold: {error}"))
        })?;
    }
    trial::disagreement(answers).map_or(Ok(()), |what| Err(failed(what)))
}

/// The answer of all algorithms together; one decided answer is enough.
fn decided(answers: &[Answer]) -> Option<bool> {
    let any = |outcome| answers.iter().any(|answer| answer.outcome() == outcome);
    if any(Outcome::Collides) { Some(true) } else { any(Outcome::Apart).then_some(false) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;
    use std::ops::ControlFlow;
    use xcollide::brep::{FaceId, Topology};
    use xcollide::narrow::{
        Feature, Listing, PairCache, Pose, PrepareError, Query, Separation, Verdict, Witness,
    };

    /// Says the same of every pair, and gives a proof that proves nothing.
    struct Liar(Verdict);

    impl NarrowPhase for Liar {
        fn name(&self) -> &'static str {
            "liar"
        }
        fn accepts(&self, _: Topology, _: Topology) -> bool {
            true
        }
        fn guarantee(&self) -> Guarantee {
            Guarantee::Exact
        }
        fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
            Ok(())
        }
        fn test(&self, _: Placed<'_>, _: Placed<'_>, _: &Query, _: &mut PairCache) -> Verdict {
            self.0.clone()
        }
        fn each_contact(
            &self,
            a: Placed<'_>,
            b: Placed<'_>,
            query: &Query,
            cache: &mut PairCache,
            visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
        ) -> Listing {
            let _ = visit(FaceId(0), FaceId(0));
            let verdict = self.test(a, b, query, cache);
            Listing { complete: verdict.decided().is_some(), verdict }
        }
    }

    /// The judgement on two cubes at the distance `at`; the liar made the first.
    fn judged(lie: Verdict, at: f64, options: &str) -> Result<(), Box<dyn std::error::Error>> {
        let text = format!("xcollide check shape:box shape:box {options}");
        let cli = Cli::try_parse_from(text.split_whitespace())?;
        let Command::Check(options) = &cli.command else { return Err("no check".into()) };
        let model = options.a.model()?;
        let trial = Trial::new(options, &cli.common);
        let poses = crate::pose_line::pose_pair(&format!("{at} 0 0 0 0 0 1"))?;
        let origin = placements::COMMAND_LINE.to_owned();
        let placement = Placement { query: 7, poses, origin };
        let pose = placement.poses.b;
        let placed = [Placed::new(&model, &Pose::IDENTITY)?, Placed::new(&model, &pose)?];
        let mut liar = trial.contestant(Box::new(Liar(lie)));
        let mut honest = trial.contestant(registry::auto(&model, &model));
        let answers = [&mut liar, &mut honest].map(|one| trial.answer(one, placed));
        let judgement = judge(&trial, &placement, &answers, placed);
        if let Err(failure) = &judgement {
            assert!(matches!(failure, Failure::Failed(_)), "the exit status is 1");
        }
        Ok(judgement?)
    }

    fn witness() -> Verdict {
        let feature = Feature::Face(FaceId(0));
        Verdict::Collides(Witness { a: feature, b: feature, point: [0.0; 3] })
    }

    fn message(lie: Verdict, at: f64, options: &str) -> String {
        judged(lie, at, options).map_or_else(|error| error.to_string(), |()| "agreed".into())
    }

    #[test]
    fn contradictions_name_the_query_and_both_sides() {
        assert_eq!(
            message(witness(), 5.0, ""),
            "query 7 (--pose-a, --pose-b): liar says \"collides\", hybrid says \"apart\""
        );
        assert_eq!(
            message(Verdict::Apart(Separation::Pairwise), 1.0, ""),
            "query 7 (--pose-a, --pose-b): liar says \"apart\", hybrid says \"collides\""
        );
        assert!(
            message(witness(), 2.0, "--contacts=all").contains("list different contacts (1 and")
        );
        assert!(message(witness(), 2.0, "--count").contains("list different contacts (1 and"));
    }

    #[test]
    fn what_does_not_contradict_passes() {
        assert_eq!(message(witness(), 2.0, ""), "agreed");
        assert_eq!(message(witness(), 2.0, "--contacts=1"), "agreed", "any one contact will do");
        let late = Verdict::Undecided(xcollide::narrow::Reason::OutOfTime);
        assert_eq!(message(late.clone(), 2.0, "--contacts=all --verify"), "agreed");
        assert_eq!(message(late, 5.0, ""), "agreed");
    }

    #[test]
    fn proofs_that_do_not_hold_are_found_when_asked_for() {
        // Right by chance, but face 0 of one cube is far from face 0 of the other.
        assert!(
            message(witness(), 1.5, "--verify")
                .contains("the proof of liar for \"collides\" does not hold: the two features")
        );
        assert!(
            message(Verdict::Apart(Separation::Pairwise), 1.5, "--verify")
                .contains("the proof of liar for \"apart\" does not hold: face")
        );
    }
}
