//! Sessions of the engine: in this process, or on a Ballista cluster. The plans are the same.

use std::sync::Arc;

#[cfg(feature = "program")]
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::common::Result;
#[cfg(feature = "program")]
use datafusion::error::DataFusionError;
use datafusion::execution::memory_pool::{FairSpillPool, TrackConsumersPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use datafusion::execution::{FunctionRegistry, SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
#[cfg(feature = "program")]
use tokio::net::TcpStream;

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
        Host::Cluster(url) => {
            reach(url).await?;
            SessionContext::remote_with_state(url, state).await
        }
    }
}

/// Connects to the address of a scheduler and closes the connection, as Ballista connects with the first query only. Tries for
/// three seconds, in which a scheduler starts anew.
#[cfg(feature = "program")]
async fn reach(url: &str) -> Result<()> {
    const ATTEMPTS: usize = 12;
    const PAUSE: std::time::Duration = std::time::Duration::from_millis(250);
    let wrong = |error: &dyn std::fmt::Display| DataFusionError::Execution(error.to_string());
    let parsed = url::Url::parse(url).map_err(|error| wrong(&error))?;
    let host = parsed.host_str().ok_or_else(|| wrong(&"found no host"))?;
    let port = parsed.port().unwrap_or(50050);
    let mut reached = TcpStream::connect((host, port)).await;
    for _ in 1..ATTEMPTS {
        if reached.is_ok() {
            break;
        }
        tokio::time::sleep(PAUSE).await;
        reached = TcpStream::connect((host, port)).await;
    }
    reached.map(drop).map_err(|error| wrong(&error))
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

/// Whether a job on a cluster failed for a reason that it will meet again. Others may be those of a lost executor, which are told
/// in many ways: as what could not be fetched, or as a connection that was refused or broke.
#[cfg(feature = "program")]
pub(crate) fn is_final(error: &DataFusionError) -> bool {
    // Ballista sends the text of an error.
    error.to_string().contains("Resources exhausted")
}

#[cfg(all(test, feature = "program"))]
mod tests {
    use super::*;

    #[test]
    fn a_job_that_needs_too_much_memory_is_not_tried_again() {
        let exhausted = DataFusionError::ResourcesExhausted("1 GB".to_owned());
        let sent = DataFusionError::Execution(format!("Job a failed: {exhausted}"));
        assert!(is_final(&sent));
        assert!(is_final(&exhausted.context("sorting")));
        let broken = DataFusionError::Execution("h2 protocol error".to_owned());
        assert!(!is_final(&broken));
    }
}
