//! Sessions of the engine: in this process, or on a Ballista cluster. The plans are the same.

use std::sync::Arc;

#[cfg(feature = "program")]
use ballista::prelude::{SessionConfigExt, SessionContextExt};
#[cfg(feature = "program")]
use ballista_core::error::BallistaError;
use datafusion::common::Result;
#[cfg(feature = "program")]
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{FunctionRegistry, SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::functions;

/// Where plans are run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Host {
    /// By DataFusion in this process.
    #[default]
    Embedded,
    #[cfg(feature = "program")]
    /// By a Ballista scheduler and an executor that are started in this process.
    Standalone,
    #[cfg(feature = "program")]
    /// By the Ballista cluster of a scheduler, such as `df://localhost:50050`.
    Cluster(String),
}

/// Settings of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionOptions {
    /// Where plans are run.
    pub host: Host,
    /// In how many parts joins divide their input.
    pub partitions: usize,
    /// The memory in bytes that operators may use before they write to disk; of each executor its own settings count.
    pub memory: usize,
    /// In how many passes pairs are joined and examined at least. A pass that is finished stays so if work is cut off.
    pub least_passes: u64,
}

impl Default for SessionOptions {
    /// In this process, with a partition for each processor and 2 GB.
    fn default() -> Self {
        let partitions = std::thread::available_parallelism().map_or(2, usize::from);
        Self { host: Host::Embedded, partitions, memory: 2 << 30, least_passes: 1 }
    }
}

/// Opens a session that knows the functions.
///
/// # Errors
/// The scheduler cannot be reached.
pub async fn open(options: &SessionOptions) -> Result<SessionContext> {
    let config = match &options.host {
        Host::Embedded => SessionConfig::new(),
        #[cfg(feature = "program")]
        Host::Standalone => SessionConfig::new_with_ballista()
            .with_ballista_standalone_parallelism(options.partitions.min(4)),
        #[cfg(feature = "program")]
        Host::Cluster(_) => SessionConfig::new_with_ballista(),
    };
    let config = config.with_target_partitions(options.partitions);
    let state = state(settings(config), runtime(options.memory)?);
    match &options.host {
        Host::Embedded => Ok(SessionContext::new_with_state(state)),
        #[cfg(feature = "program")]
        Host::Standalone => SessionContext::standalone_with_state(state).await,
        #[cfg(feature = "program")]
        Host::Cluster(url) => SessionContext::remote_with_state(url, state).await,
    }
}

/// The state of a session, of a scheduler or of an executor.
pub(crate) fn state(config: SessionConfig, runtime: Arc<RuntimeEnv>) -> SessionState {
    let mut state = SessionStateBuilder::new()
        .with_config(config)
        .with_runtime_env(runtime)
        .with_default_features()
        .build();
    for function in functions::all() {
        // Their names are ours, so none is replaced.
        let _ = FunctionRegistry::register_udf(&mut state, function);
    }
    for function in functions::aggregates() {
        let _ = FunctionRegistry::register_udaf(&mut state, function);
    }
    state
}

/// The settings of all sessions.
pub(crate) fn settings(config: SessionConfig) -> SessionConfig {
    let mut config = config.with_collect_statistics(true);
    // The functions take text and bytes of one type.
    let options = &mut config.options_mut().execution;
    options.parquet.schema_force_view_types = false;
    // The boxes of a cell are spread over the table, so grouping before they are shuffled gains little.
    options.skip_partial_aggregation_probe_rows_threshold = 10_000;
    options.skip_partial_aggregation_probe_ratio_threshold = 0.02;
    config
}

fn runtime(memory: usize) -> Result<Arc<RuntimeEnv>> {
    let consumers = std::num::NonZeroUsize::MIN.saturating_add(4);
    let pool = TrackConsumersPool::new(FairSpillPool::new(memory), consumers);
    RuntimeEnvBuilder::new().with_memory_pool(Arc::new(pool)).build_arc()
}

/// Whether a job failed as an executor could not be reached that has its result.
///
/// Ballista tells it as a cause, or in the text of an error, in the form of `Debug`.
#[cfg(feature = "program")]
pub(crate) fn is_of_a_lost_executor(error: &DataFusionError) -> bool {
    const TOLD: [&str; 4] =
        ["FetchFailed(", "TonicError(", "GrpcConnectionError(", "GrpcActionError("];
    let mut causes =
        std::iter::successors(Some(error as &(dyn std::error::Error + 'static)), |error| {
            error.source()
        });
    causes.any(|cause| {
        let cause = match cause.downcast_ref::<DataFusionError>() {
            Some(DataFusionError::Execution(text)) => text.clone(),
            _ => cause
                .downcast_ref::<BallistaError>()
                .map(|error| format!("{error:?}"))
                .unwrap_or_default(),
        };
        TOLD.iter().any(|told| cause.contains(told))
    })
}

#[cfg(all(test, feature = "program"))]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_cannot_be_fetched_is_that_of_a_lost_executor() {
        let fetched = BallistaError::FetchFailed("one".to_owned(), 1, 2, "refused".to_owned());
        let nested = DataFusionError::External(Box::new(fetched)).context("reading");
        assert!(is_of_a_lost_executor(&nested));
        assert!(!is_of_a_lost_executor(&DataFusionError::Execution("a bug".to_owned())));
        let refused = BallistaError::GrpcConnectionError("refused".to_owned());
        assert!(is_of_a_lost_executor(&DataFusionError::Execution(format!("{refused:?}"))));
        let general = BallistaError::General("a bug".to_owned());
        assert!(!is_of_a_lost_executor(&DataFusionError::External(Box::new(general))));
    }
}
