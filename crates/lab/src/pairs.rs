//! Traces of moving boxes and their overlapping pairs, frame by frame, by any broad phase: `xcollide pairs`.

mod trace;
mod traced_broad_phase;

use std::time::Instant;

use serde::Serialize;
use xcollide::registry::{self, Kind};

use crate::exit::{Failure, Status};
use crate::files::Input;
use crate::options::PairsOptions;
use crate::output::{Output, Session, count, nanoseconds, time};

pub use trace::{Frame, Trace, TraceError, TraceProblem};
pub use traced_broad_phase::{IdPairs, TracedBroadPhase};

#[derive(Serialize)]
struct PairsRecord<'a> {
    frame: u64,
    algorithm: &'a str,
    pairs: &'a [(u64, u64)],
    appeared: &'a [(u64, u64)],
    vanished: &'a [(u64, u64)],
    /// Nanoseconds for the updates and the answer of the broad phase.
    ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<PairsStats>,
}

#[derive(Serialize)]
struct PairsStats {
    boxes: usize,
    tests: u64,
    exchanges: u64,
    moves: u64,
    bytes: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    choice: String,
}

pub(crate) fn run(options: &PairsOptions, session: &mut Session) -> Result<Status, Failure> {
    let Session { common, output, progress } = session;
    let pool = common.pool(1)?;
    let is_parallel = pool.current_num_threads() > 1;
    let entries = registry::of_kind(Kind::Broad);
    let mut subjects: Vec<TracedBroadPhase> = entries
        .filter(|entry| options.broad == "all" || options.broad == entry.name)
        .filter_map(|entry| entry.broad_phase(is_parallel))
        .map(TracedBroadPhase::new)
        .collect();
    let Input { name, size, from } = Input::open(&options.trace)?;
    let mut trace = Trace::new(&name, from)?;
    let bar = progress.bytes(size);
    let mut frame = Frame::default();
    while trace.read(&mut frame)? {
        bar.at(trace.bytes());
        let mut first: Option<(&str, &IdPairs)> = None;
        for subject in &mut subjects {
            let started = Instant::now();
            pool.install(|| subject.frame(&frame.boxes))
                .map_err(|error| Failure::Failed(error.to_string()))?;
            let ns = nanoseconds(started.elapsed());
            subject.translate();
            report(subject, frame.number, ns, common.stats, output)?;
            let (name, pairs) = (subject.name(), subject.pairs());
            match first {
                None => first = Some((name, pairs)),
                Some((other, expected)) if pairs != expected => {
                    let frame = frame.number;
                    return Err(Failure::Failed(format!(
                        "frame {frame}: {other} and {name} disagree about the pairs"
                    )));
                }
                Some(_) => {}
            }
        }
    }
    Ok(Status::Done)
}

fn report(
    subject: &TracedBroadPhase,
    frame: u64,
    ns: u64,
    stats: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let IdPairs { overlapping, appeared, vanished } = subject.pairs();
    let record = PairsRecord {
        frame,
        algorithm: subject.name(),
        pairs: overlapping,
        appeared,
        vanished,
        ns,
        stats: stats.then(|| subject.stats()),
    };
    output.result(&record, || {
        let mut line = format!(
            "frame {frame}: {}, {} appeared, {} vanished [{}, {}]",
            count(overlapping.len(), "pair", "pairs"),
            appeared.len(),
            vanished.len(),
            subject.name(),
            time(ns)
        );
        if let Some(stats) = &record.stats {
            line += &format!(
                "\n    {} boxes, {} tests, {} exchanges, {} moves, {} bytes",
                stats.boxes, stats.tests, stats.exchanges, stats.moves, stats.bytes
            );
            if !stats.choice.is_empty() {
                line += &format!(", chose {}", stats.choice);
            }
        }
        line
    })
}
