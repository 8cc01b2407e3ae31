//! The scheduler and the executors of a cluster: those of Ballista, which know our functions.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use ballista::prelude::SessionConfigExt;
use ballista_core::error::{BallistaError, Result};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use clap::Args;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;

use crate::functions;
use crate::session::{settings, state};

/// Options of a scheduler.
#[derive(Args, Clone, Debug)]
pub struct SchedulerOptions {
    /// The address to listen on.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50050")]
    pub bind: SocketAddr,
    /// After how many seconds without a sign of life an executor is given up, and its work given to others.
    #[arg(long, value_name = "SECONDS", default_value_t = 20)]
    pub executor_timeout: u64,
}

/// Options of an executor.
#[derive(Args, Clone, Debug)]
pub struct ExecutorOptions {
    /// The scheduler, such as `localhost:50050`.
    #[arg(long, value_name = "HOST:PORT", default_value = "localhost:50050")]
    pub scheduler: String,
    /// The address to listen on; the next port is used, too.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:50051")]
    pub bind: SocketAddr,
    /// The name by which other machines reach this one. [default: that of the address]
    #[arg(long, value_name = "HOST")]
    pub external_host: Option<String>,
    /// How many tasks are run at once. [default: the number of processors]
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub tasks: usize,
    /// The memory in bytes that operators may use before they write to disk. [default: 70 % of what there is]
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<u64>,
    /// The folder for files between stages. [default: a temporary one]
    #[arg(long, value_name = "FOLDER")]
    pub work_dir: Option<PathBuf>,
}

/// Runs a scheduler until it is stopped.
///
/// # Errors
/// The address cannot be listened on.
pub async fn run_scheduler(options: &SchedulerOptions) -> Result<()> {
    let config = SchedulerConfig {
        bind_host: options.bind.ip().to_string(),
        external_host: options.bind.ip().to_string(),
        bind_port: options.bind.port(),
        executor_timeout_seconds: options.executor_timeout,
        expire_dead_executor_interval_seconds: (options.executor_timeout / 4).max(1),
        no_executors_grace_period_seconds: 2 * options.executor_timeout,
        override_session_builder: Some(Arc::new(|config| {
            Ok(state(settings(config), RuntimeEnvBuilder::new().build_arc()?))
        })),
        override_config_producer: Some(Arc::new(|| settings(SessionConfig::new_with_ballista()))),
        ..SchedulerConfig::default()
    };
    let cluster = BallistaCluster::new_from_config(&config).await?;
    start_server(cluster, options.bind, Arc::new(config)).await
}

/// Runs an executor until it is stopped.
///
/// # Errors
/// The scheduler cannot be reached, or the address cannot be listened on.
pub async fn run_executor(options: &ExecutorOptions) -> Result<()> {
    let wrong =
        || BallistaError::Configuration(format!("found {}, expected HOST:PORT", options.scheduler));
    let (host, port) = options.scheduler.rsplit_once(':').ok_or_else(wrong)?;
    let mut registry = BallistaFunctionRegistry::default();
    for function in functions::all() {
        registry.scalar_functions.insert(function.name().to_owned(), function);
    }
    for function in functions::aggregates() {
        registry.aggregate_functions.insert(function.name().to_owned(), function);
    }
    let config = ExecutorProcessConfig {
        bind_host: options.bind.ip().to_string(),
        external_host: options.external_host.clone(),
        port: options.bind.port(),
        grpc_port: options.bind.port() + 1,
        scheduler_host: host.to_owned(),
        scheduler_port: port.parse().map_err(|_| wrong())?,
        scheduler_connect_timeout_seconds: 30,
        vcores: options.tasks,
        work_dir: options.work_dir.as_ref().map(|path| path.to_string_lossy().into_owned()),
        executor_heartbeat_interval_seconds: 5,
        memory_pool_size: options.memory,
        override_function_registry: Some(Arc::new(registry)),
        override_config_producer: Some(Arc::new(|| settings(SessionConfig::new_with_ballista()))),
        ..ExecutorProcessConfig::default()
    };
    start_executor_process(Arc::new(config)).await
}
