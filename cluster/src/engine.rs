//! The engine of `xcollide clash --engine datafusion` and `--cluster`.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use datafusion::common::{DataFusionError, exec_datafusion_err};
use tokio::runtime::Builder;
use tokio::time::sleep;
use xcollide_clash::{
    Clashes, Instance, InstanceId, InstanceSet, PairError, PairFailure, Rules, examine,
};
use xcollide_lab::clash_engine::{ClashEngine, ClashRequest, EngineError, FoundClashes, read_rows};

use crate::clash_job::{ClashJob, JobResult};
use crate::model_cache::ModelCache;
use crate::session::{Host, SessionOptions, is_final, open};
use crate::work_folder::WorkFolder;

/// Finds clashes by Apache DataFusion: in this process, or on a Ballista cluster.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataFusionEngine {
    options: SessionOptions,
}

impl DataFusionEngine {
    /// An engine with these options. A request may name another host and number of partitions.
    #[must_use]
    pub fn new(options: SessionOptions) -> Self {
        Self { options }
    }

    /// Finds the clashes of a table.
    ///
    /// # Errors
    /// The table cannot be read, the folder of intermediate tables cannot be used, or the engine fails.
    pub async fn detect(&self, request: &ClashRequest) -> Result<FoundClashes, EngineError> {
        let mut options = self.options.clone();
        if let Some(url) = &request.cluster {
            options.host = Host::Cluster(url.clone());
        }
        if let Some(partitions) = request.partitions {
            options.partitions = partitions.get();
        }
        let failed = |error: &dyn ToString| {
            let error = error.to_string();
            EngineError::Failed(match &request.cluster {
                Some(url) => format!("{url}: {error}"),
                None => error,
            })
        };
        let identity = identity(request).map_err(|error| failed(&error))?;
        let work = WorkFolder::open(request.work.as_deref(), &identity)
            .map_err(|error| EngineError::BadInput(error.to_string()))?;
        let given = request.table.parent().unwrap_or(Path::new(""));
        let beside =
            std::path::absolute(if given == Path::new("") { Path::new(".") } else { given });
        let beside = beside.map_err(|error| failed(&error))?;
        let unread = RefCell::new(None);
        let read = || {
            read_rows(&request.table).map_err(|error| {
                *unread.borrow_mut() = Some(error.clone());
                exec_datafusion_err!("{error}")
            })
        };
        let context = open(&options).await.map_err(|error| failed(&error))?;
        let (mut failures, mut finished) = (0, work.finished());
        let result = loop {
            let job = ClashJob {
                context: &context,
                options: &options,
                rules: &request.rules,
                depth: request.depth,
                work: &work,
            };
            let error = match job.run(read, &beside).await {
                Ok(result) => break Ok(result),
                Err(error) => error,
            };
            // What is finished is in the work folder, so another attempt goes on from there.
            if work.finished() > finished {
                (failures, finished) = (0, work.finished());
            }
            let is_last = options.host == Host::Embedded
                || failures == WAITS.len()
                || is_final(&error)
                || unread.borrow().is_some();
            if is_last {
                break Err(error);
            }
            sleep(Duration::from_secs(WAITS[failures])).await;
            failures += 1;
        };
        let result = match (result, unread.into_inner()) {
            (_, Some(error)) => return Err(error),
            (Err(error), None) => return Err(failed(&root(error))),
            (Ok(result), None) => result,
        };
        let mut found =
            assemble(result, &request.rules, request.depth).map_err(|error| failed(&error))?;
        for failure in &mut found.failures {
            failure.message = as_given(&failure.message, &beside, given);
        }
        found.failures.sort();
        Ok(found)
    }
}

/// Pauses in seconds between attempts at the jobs that are not finished.
///
/// A cluster that loses an executor ends all jobs and starts anew (`fail_fast`); it notices a loss after its time-out at the
/// latest, 20 s by default. Failures are counted from the last part that was finished.
const WAITS: [u64; 6] = [1, 2, 4, 8, 16, 30];

impl ClashEngine for DataFusionEngine {
    fn detect(&self, request: &ClashRequest) -> Result<FoundClashes, EngineError> {
        let runtime = Builder::new_multi_thread().enable_all().build();
        let runtime = runtime.map_err(|error| EngineError::Failed(error.to_string()))?;
        runtime.block_on(Self::detect(self, request))
    }
}

/// What intermediate tables depend on.
fn identity(request: &ClashRequest) -> Result<String, Box<dyn std::error::Error>> {
    let about = std::fs::metadata(&request.table).ok();
    let size = about.as_ref().map(std::fs::Metadata::len);
    let changed = about.and_then(|about| about.modified().ok());
    let changed = changed.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    let table = std::path::absolute(&request.table)?;
    let identity = (
        table.to_string_lossy().into_owned(),
        size,
        changed.map(|since| since.as_nanos()),
        &request.rules,
        request.depth,
        env!("CARGO_PKG_VERSION"),
    );
    Ok(serde_json::to_string(&identity)?)
}

/// The result in terms of a set that has the instances of clashes only, with issues numbered as in memory.
fn assemble(result: JobResult, rules: &Rules, depth: bool) -> Result<FoundClashes, String> {
    let JobResult { rows, failures, candidates, clashes, unknown, instances } = result;
    let mut names: BTreeMap<u64, String> = BTreeMap::new();
    // Models of one reference have one source.
    let mut sources: BTreeMap<String, String> = BTreeMap::new();
    let mut all: Vec<Instance> = Vec::with_capacity(instances.len());
    for (row, instance, source) in instances {
        names.insert(row, instance.id.clone());
        sources.insert(instance.model.clone(), source);
        all.push(instance);
    }
    let set = InstanceSet::load(all, |reference| match sources.get(reference) {
        Some(source) => ModelCache::shared().get(source),
        None => Err("found no source".to_owned()),
    });
    if let Some(failure) = set.failures().first() {
        return Err(format!("{}: {}", failure.id, failure.error));
    }
    let pair = |rows: [u64; 2]| -> Result<[InstanceId; 2], String> {
        let mut ids = Vec::with_capacity(2);
        for row in rows {
            let id = names.get(&row).and_then(|name| set.find(name));
            ids.push(id.ok_or_else(|| format!("found no instance of row {row}"))?);
        }
        ids.sort_unstable();
        Ok([ids[0], ids[1]])
    };
    let mut found = Vec::with_capacity(clashes.len());
    for (rows, interference) in clashes {
        found.push((pair(rows)?, interference));
    }
    let mut failed = Vec::with_capacity(unknown.len());
    for rows in unknown {
        let pair = pair(rows)?;
        if let Some(error) = reason(&set, pair, rules, depth) {
            failed.push(PairFailure { pair, error });
        }
    }
    let clashes = Clashes::from_parts(&set, rules.merge, candidates, found, failed);
    Ok(FoundClashes { set, clashes, failures, rows })
}

/// Why a pair has no answer: it is examined again, which gives the same.
fn reason(
    set: &InstanceSet,
    pair: [InstanceId; 2],
    rules: &Rules,
    depth: bool,
) -> Option<PairError> {
    let rule = rules.pair_rule(set.instance(pair[0]), set.instance(pair[1]))?;
    let [a, b] = pair.map(|id| set.placed(id).map_err(|error| PairError::Query(error.into())));
    match (a, b) {
        (Ok(a), Ok(b)) => examine(a, b, rule, depth).err(),
        (Err(error), _) | (_, Err(error)) => Some(error),
    }
}

/// A message with the folder of models as the user wrote it.
fn as_given(message: &str, absolute: &Path, given: &Path) -> String {
    let with_end = |path: &Path| path.join("").to_string_lossy().into_owned();
    let given = if given == Path::new("") { String::new() } else { with_end(given) };
    message.replace(&with_end(absolute), &given)
}

/// The error at the bottom.
fn root(error: DataFusionError) -> String {
    error.find_root().to_string()
}
