//! The scheduler and the executors of a cluster: those of Ballista, which know our functions.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use ballista::prelude::SessionConfigExt;
use ballista_core::error::{BallistaError, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_executor::executor_server::TERMINATING;
use ballista_executor::terminate::sig_term;
use ballista_scheduler::cluster::{BallistaCluster, ClusterState};
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Args;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

use crate::fail_fast::{FailFastState, start_anew, stop_executors};
use crate::functions;
use crate::session::{settings, state};

/// A scheduler has started anew so long after it asked executors to stop.
const SCHEDULER_STARTS: Duration = Duration::from_secs(2);

/// Options of a scheduler.
#[derive(Args, Clone, Debug)]
pub(crate) struct SchedulerOptions {
    /// The address to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50050")]
    pub(crate) bind: SocketAddr,
    /// After how many seconds without a sign of life an executor is given up. Then all jobs end, and clients give them again.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub(crate) executor_timeout: u64,
}

/// Options of an executor.
#[derive(Args, Clone, Debug)]
pub(crate) struct ExecutorOptions {
    /// The scheduler, such as `localhost:50050`.
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050")]
    pub(crate) scheduler: String,
    /// The address to listen on; the next port is used, too.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    pub(crate) bind: SocketAddr,
    /// The name by which other machines reach this one. [default: that of the address]
    #[arg(long, value_name = "HOST")]
    pub(crate) external_host: Option<String>,
    /// How many tasks are run at once. [default: the number of processors]
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) tasks: usize,
    /// The memory in bytes that operators may use before they write to disk. [default: 70 % of what there is]
    #[arg(long, value_name = "BYTES")]
    pub(crate) memory: Option<u64>,
    /// The folder for files between stages. [default: a temporary one]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) work_dir: Option<PathBuf>,
}

/// Runs a scheduler until it is stopped. When an executor is lost, it starts anew, with the executors that are left.
///
/// # Errors
/// The address cannot be listened on.
pub(crate) async fn run_scheduler(options: &SchedulerOptions) -> Result<()> {
    let config = SchedulerConfig {
        bind_host: options.bind.ip().to_string(),
        external_host: options.bind.ip().to_string(),
        bind_port: options.bind.port(),
        executor_timeout_seconds: options.executor_timeout,
        expire_dead_executor_interval_seconds: (options.executor_timeout / 4).max(1),
        // A shuffle that cannot be read ends the job.
        stage_max_failures: 1,
        override_session_builder: Some(Arc::new(|config| {
            Ok(state(settings(config), RuntimeEnvBuilder::new().build_arc()?))
        })),
        override_config_producer: Some(Arc::new(|| settings(SessionConfig::new_with_ballista()))),
        ..SchedulerConfig::default()
    };
    let (executors, mut lost) = FailFastState::new();
    let executors: Arc<dyn ClusterState> = Arc::new(executors);
    let jobs = BallistaCluster::new_from_config(&config).await?.job_state();
    let cluster = BallistaCluster::new(Arc::clone(&executors), jobs);
    let lost = tokio::select! {
        ended = start_server(cluster, options.bind, Arc::new(config)) => return ended,
        Ok(lost) = lost.wait_for(Option::is_some) => lost.clone().unwrap_or_default(),
    };
    log::warn!("executor {lost} is lost: all jobs end");
    stop_executors(executors.as_ref(), &lost).await;
    start_anew()
}

/// Runs an executor until it is stopped. When the scheduler has lost another one, it starts anew.
///
/// # Errors
/// The scheduler cannot be reached, or the address cannot be listened on.
pub(crate) async fn run_executor(options: &ExecutorOptions) -> Result<()> {
    let wrong =
        || BallistaError::Configuration(format!("found {}, expected HOST:PORT", options.scheduler));
    let (ip, port_of_tables) = (options.bind.ip(), options.bind.port());
    let port_of_tasks = port_of_tables.checked_add(1).ok_or_else(|| {
        let problem = format!("found port {port_of_tables}, expected one that has a next one");
        BallistaError::Configuration(problem)
    })?;
    for port in [port_of_tables, port_of_tasks] {
        // Ballista would join the cluster first, and leave it again, which ends all jobs.
        let address = SocketAddr::new(ip, port);
        let bound = TcpListener::bind(address).await.map(drop);
        bound.map_err(|error| BallistaError::Configuration(format!("{address}: {error}")))?;
    }
    let (host, port) = options.scheduler.rsplit_once(':').ok_or_else(wrong)?;
    let mut registry = BallistaFunctionRegistry::default();
    for function in functions::all() {
        registry.scalar_functions.insert(function.name().to_owned(), function);
    }
    for function in functions::aggregates() {
        registry.aggregate_functions.insert(function.name().to_owned(), function);
    }
    let config = ExecutorProcessConfig {
        bind_host: ip.to_string(),
        external_host: options.external_host.clone(),
        port: port_of_tables,
        grpc_port: port_of_tasks,
        scheduler_host: host.to_owned(),
        scheduler_port: port.parse().map_err(|_| wrong())?,
        scheduler_connect_timeout_seconds: 30,
        vcores: options.tasks,
        work_dir: options.work_dir.as_ref().map(|path| path.to_string_lossy().into_owned()),
        executor_heartbeat_interval_seconds: 2,
        memory_pool_size: options.memory,
        override_function_registry: Some(Arc::new(registry)),
        override_config_producer: Some(Arc::new(|| settings(SessionConfig::new_with_ballista()))),
        ..ExecutorProcessConfig::default()
    };
    let process = start_executor_process(Arc::new(config));
    tokio::pin!(process);
    tokio::select! {
        ended = &mut process => ended?,
        () = stop_signal() => {
            // It has its own answer to the signal: it says that it leaves, and ends its tasks. Before it listens, it has none.
            return match timeout(Duration::from_secs(1), &mut process).await {
                Ok(ended) => ended,
                Err(_) if TERMINATING.load(Ordering::Acquire) => process.await,
                Err(_) => Ok(()),
            };
        }
    }
    log::warn!("the scheduler starts anew");
    sleep(SCHEDULER_STARTS).await;
    start_anew()
}

/// Waits for Ctrl-C, or the signal that asks a process to terminate.
async fn stop_signal() {
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = sig_term() => {}
    }
}
