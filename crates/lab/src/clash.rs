//! `xcollide clash`: interferences among many placed models.

mod bcf;
mod clash_report;
mod clash_table;
mod csv_table;
mod focus;
mod options;
#[cfg(feature = "parquet")]
mod parquet_file;
mod record;
mod source;
mod table;

pub(crate) use options::ClashOptions;
pub use source::{Meshes, RowFailure, Rows, model_beside};

use std::ffi::OsStr;
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use xcollide_clash::{ClashDetector, Clashes, InstanceSet, Rules};

use crate::clash_engine::{ClashEngine, ClashRequest, FoundClashes};
use crate::exit::{Failure, Status, complain};
use crate::files::{Input, text};
use crate::meetings::SCREENFUL;
use crate::output::{Output, Session, count, nanoseconds, time};
use crate::output_file::OutputFile;
use crate::report::timestamp;
use record::{ClashRecord, ErrorRecord, Summary, SummaryRecord, Times, pair_of_groups};
use source::Source;

/// Finds and tells clashes: in memory, or by `engine` where the options ask for it.
pub(crate) fn run(
    options: &ClashOptions,
    engine: Option<&dyn ClashEngine>,
    session: &mut Session,
) -> Result<Status, Failure> {
    let Session { common, output, progress } = session;
    let rules = rules(options)?;
    let merged = rules.merge.is_some();
    let [out, report] = [&options.out, &options.report].map(|path| path.as_deref());
    let open = |path: Option<&Path>| path.map(OutputFile::open).transpose();
    let (out, report) = (open(out)?, open(report)?);
    let pool = common.pool(0)?;
    let name = options.table.display();
    let (source, found, times) = match engine.filter(|_| options.other_engine()) {
        Some(engine) => {
            let began = Instant::now();
            let request = ClashRequest {
                depth: options.depth,
                cluster: options.cluster.clone(),
                partitions: options.partitions,
                work: options.work.clone(),
                ..ClashRequest::new(&options.table, rules)
            };
            let found = progress.during(&format!("testing {name}"), || engine.detect(&request))?;
            let FoundClashes { set, mut clashes, failures, rows } = found;
            if options.volume {
                pool.install(|| clashes.measure_volumes(&set));
            }
            let times = Times { read: 0, detect: nanoseconds(began.elapsed()) };
            (Source { set, failures, rows }, clashes, times)
        }
        None => {
            let began = Instant::now();
            let source = progress.during(&format!("reading {name}"), || {
                pool.install(|| Source::read(&options.table))
            })?;
            let read = nanoseconds(began.elapsed());
            let began = Instant::now();
            let detector = ClashDetector::new(rules).depth(options.depth).volume(options.volume);
            let found =
                progress.during("testing pairs", || pool.install(|| detector.detect(&source.set)));
            let times = Times { read, detect: nanoseconds(began.elapsed()) };
            (source, found, times)
        }
    };
    let summary = Summary {
        instances: source.rows,
        candidates: found.candidates,
        clashes: found.clashes.len(),
        errors: source.failures.len() + found.failures.len(),
        issues: merged.then_some(found.issues),
        ns: common.stats.then_some(times),
    };
    tell(&source, &found, merged, output)?;
    if !common.quiet
        && let Some(warning) = without_volume(&found, &source.set)
    {
        complain(&format!("{name}: {warning}"));
    }
    if let (Some(path), Some(to)) = (&options.out, out) {
        to.write(&file(path, options, &found, &source.set)?)?;
    }
    if let Some(to) = report {
        to.write(clash_report::page(options, &source, &found, summary).to_html().as_bytes())?;
    }
    output.result(&SummaryRecord { summary }, || in_words(&summary))?;
    Ok(match () {
        () if summary.errors > 0 => Status::Incomplete,
        () if options.exit_code && summary.clashes > 0 => Status::Collides,
        () => Status::Done,
    })
}

/// The rules of the file, and what options say instead.
fn rules(options: &ClashOptions) -> Result<Rules, Failure> {
    let mut rules = match &options.rules {
        Some(path) => {
            let input = Input::open(path)?;
            let name = input.name.clone();
            let text = text(input.read()?, &name)?;
            let rules = Rules::from_toml(&text);
            rules.map_err(|error| Failure::bad_input(format!("{name}: {error}")))?
        }
        None => Rules::new(),
    };
    rules.tolerance = options.tolerance.unwrap_or(rules.tolerance);
    rules.merge = options.merge.or(rules.merge);
    Ok(rules)
}

/// Writes errors and clashes; as text no more than a screen holds.
fn tell(
    source: &Source,
    found: &Clashes,
    merged: bool,
    output: &mut Output,
) -> Result<(), Failure> {
    let set = &source.set;
    let rows = source.failures.iter().map(ErrorRecord::of_row);
    let pairs = found.failures.iter().map(|failure| ErrorRecord::of_pair(failure, set));
    let errors: Vec<ErrorRecord<'_>> = rows.chain(pairs).collect();
    if output.is_json() {
        for error in &errors {
            output.result(error, String::new)?;
        }
    } else {
        errors.iter().take(SCREENFUL).for_each(|error| complain(&error.in_words()));
        let more = errors.len().saturating_sub(SCREENFUL);
        if more > 0 {
            complain(&format!("and {} (see --json)", count(more, "more error", "more errors")));
        }
    }
    let listed = if output.is_json() { usize::MAX } else { SCREENFUL };
    for clash in found.clashes.iter().take(listed) {
        let record = ClashRecord::new(clash, set, merged);
        output.result(&record, || record.in_words())?;
    }
    let more = found.clashes.len().saturating_sub(SCREENFUL);
    if more > 0 {
        let more = count(more, "more clash", "more clashes");
        output.remark(format!("and {more} (see --json, --out or --report)"))?;
    }
    let groups = found.by_groups(set);
    if groups.len() > 1 || groups.keys().any(|groups| *groups != ["", ""]) {
        for (groups, number) in groups {
            let clashes = count(number, "clash", "clashes");
            output.remark(format!("{}: {clashes}", pair_of_groups(groups)))?;
        }
    }
    Ok(())
}

/// How many clashes have no volume though it was asked for, and why the first one has none.
fn without_volume(found: &Clashes, set: &InstanceSet) -> Option<String> {
    let without = found.clashes.iter().filter_map(|clash| {
        let error = clash.interference.volume?.err()?;
        Some((clash.pair, error))
    });
    let without: Vec<_> = without.collect();
    let (pair, error) = without.first()?;
    let [a, b] = pair.map(|id| &set.instance(id).id);
    let clashes = count(without.len(), "clash has", "clashes have");
    Some(format!("{clashes} no volume in common that is known; {a} – {b}: {error}"))
}

fn in_words(summary: &Summary) -> String {
    let Summary { instances, candidates, clashes, errors, issues, ns } = *summary;
    let mut text = format!(
        "{}: {}, {}",
        count(instances, "instance", "instances"),
        count(candidates, "candidate pair", "candidate pairs"),
        count(clashes, "clash", "clashes"),
    );
    if let Some(issues) = issues {
        text += &format!(" in {}", count(issues, "issue", "issues"));
    }
    if errors > 0 {
        text += &format!(", {}", count(errors, "error", "errors"));
    }
    if let Some(Times { read, detect }) = ns {
        text += &format!("; read in {}, tested in {}", time(read), time(detect));
    }
    text
}

/// The content of `--out`, by its ending.
fn file(
    path: &Path,
    options: &ClashOptions,
    found: &Clashes,
    set: &InstanceSet,
) -> Result<Vec<u8>, Failure> {
    let ending = path.extension().unwrap_or(OsStr::new("csv"));
    if ending.eq_ignore_ascii_case("csv") {
        return clash_table::csv(found, set);
    }
    #[cfg(feature = "parquet")]
    if ending.eq_ignore_ascii_case("parquet") {
        let bytes = parquet_file::clashes(found, set);
        return bytes.map_err(|error| Failure::Failed(error.to_string()));
    }
    bcf::archive(found, set, options.bcf_version, &timestamp(now()))
}

/// Seconds since 1970: those of `SOURCE_DATE_EPOCH`, so that files can be repeated byte by byte, else of the clock.
fn now() -> u64 {
    let fixed = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse().ok());
    let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    fixed.unwrap_or_else(clock)
}
