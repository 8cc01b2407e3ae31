//! `xcollide self`: where does a mesh meet itself?

use std::time::Instant;

use serde::Serialize;
use xcollide::narrow::self_intersection::{SelfIntersections, SelfSearch, SelfVerdict};
use xcollide::narrow::{PairCache, Query};

use crate::exit::{Failure, Status};
use crate::options::SelfOptions;
use crate::output::{Object, Session, count, nanoseconds, time};

/// The JSON object of a mesh. Keys that do not apply are left out.
#[derive(Serialize)]
struct SelfRecord<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    self_intersecting: Option<bool>,
    count: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<[u32; 2]>>,
    /// Only if the time did not suffice.
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
    ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    stats: Option<&'a Object<u64>>,
}

pub(crate) fn run(options: &SelfOptions, session: &mut Session) -> Result<Status, Failure> {
    let Session { common, output, progress } = session;
    let model = progress
        .during(&format!("reading {}", options.a), || options.a.mesh_model())
        .map_err(Failure::bad_input)?;
    let search = SelfSearch::new();
    let search = if options.every_pair { search.every_pair() } else { search };
    progress.during("building its hierarchy", || search.prepare(&model));
    let mut query = Query::new().stats(common.stats);
    query.budget = options.budget;
    let limit = if options.count { 0 } else { options.limit.unwrap_or(usize::MAX) };
    let mut cache = PairCache::new();
    let started = Instant::now();
    let found = search.pairs(&model, limit, &query, &mut cache);
    let ns = nanoseconds(started.elapsed());
    if options.verify {
        found.verdict.verify(&model).map_err(|error| {
            Failure::Failed(format!("{}: the proof does not hold: {error}", options.a))
        })?;
    }
    let stats = common.stats.then(|| {
        let stats = cache.stats();
        Object(vec![
            ("volume_tests", stats.volume_tests),
            ("primitive_tests", stats.primitive_tests),
            ("pairs_left_out", search.pairs_left_out(&model)),
        ])
    });
    let record = SelfRecord {
        self_intersecting: found.verdict.decided(),
        count: found.count,
        pairs: (!options.count).then(|| found.pairs.iter().map(|p| p.map(|f| f.0)).collect()),
        complete: (!found.complete).then_some(false),
        ns,
        stats: stats.as_ref(),
    };
    output.result(&record, || {
        let mut text = format!("{}: {}", options.a, in_words(&found));
        if let Some(Object(stats)) = &stats {
            let counts: Vec<_> = stats.iter().map(|(key, n)| format!("{n} {key}")).collect();
            text += &format!("\n  {}, {}", time(ns), counts.join(", ").replace('_', " "));
        }
        text
    })?;
    Ok(match found.verdict {
        _ if !options.exit_code => Status::Done,
        SelfVerdict::Intersects(_) => Status::Collides,
        SelfVerdict::Clear => Status::Done,
        SelfVerdict::Undecided(_) => Status::Undecided,
    })
}

/// The answer, with the first pairs.
fn in_words(found: &SelfIntersections) -> String {
    let at_least = if found.complete { "" } else { "at least " };
    match found.verdict {
        SelfVerdict::Clear => "does not intersect itself".to_owned(),
        SelfVerdict::Undecided(reason) => format!("undecided: {reason:?}"),
        SelfVerdict::Intersects(_) => {
            let pairs = count(found.count, "pair of faces", "pairs of faces");
            let meet = if found.count == 1 { "meets" } else { "meet" };
            let mut text = format!(
                "intersects itself: {at_least}{pairs} {meet} in more than the vertices and edges that both have"
            );
            let shown = pairs_in_words(&found.pairs, found.count);
            if !shown.is_empty() {
                text += &format!("\n  {shown}");
            }
            text
        }
    }
}

/// Pairs shown to people.
const SHOWN: usize = 8;

/// The first of some pairs of faces, and whether there are more.
pub(crate) fn pairs_in_words<F: std::fmt::Display>(pairs: &[[F; 2]], count: usize) -> String {
    let mut shown: Vec<String> =
        pairs.iter().take(SHOWN).map(|[a, b]| format!("{a}–{b}")).collect();
    if !shown.is_empty() && shown.len() < count {
        shown.push("…".to_owned());
    }
    shown.join(" ")
}
