//! What happens when an executor is lost: all jobs end, and scheduler and executors start anew.
//!
//! Ballista 55 runs the tasks of a lost executor again, within the job. Trials showed that such a job may never end, as places of
//! executors are forgotten, or count a row twice (`README.md`, "Failures"). So no task of a job is run again here after a loss:
//!
//! 1. The scheduler first removes the executor from [`FailFastState`]. That call reports the loss and never returns, so the
//!    scheduler takes no step to recover.
//! 2. It has the other executors start anew ([`stop_executors`]), as they may still run tasks of jobs that have ended.
//! 3. It starts anew itself ([`start_anew`]). Connections to it break, so clients learn that their jobs have ended.
//! 4. Clients give the jobs that are not finished again (`engine`).

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::error::{BallistaError, Result};
use ballista_core::serde::protobuf::executor_grpc_client::ExecutorGrpcClient;
use ballista_core::serde::protobuf::{ExecutorHeartbeat, StopExecutorParams};
use ballista_core::serde::scheduler::{ExecutorData, ExecutorMetadata};
use ballista_scheduler::cluster::memory::InMemoryClusterState;
use ballista_scheduler::cluster::{BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot};
use ballista_scheduler::config::TaskDistributionPolicy;
use ballista_scheduler::state::task_manager::JobInfoCache;
use futures::future::join_all;
use tokio::sync::watch;
use tokio::time::timeout;

/// How long an executor may take to say that it will stop.
const PATIENCE: Duration = Duration::from_secs(1);

/// The executors that a scheduler knows, as in Ballista's [`InMemoryClusterState`], but that removing one reports it as lost
/// and never returns.
pub(crate) struct FailFastState {
    executors: InMemoryClusterState,
    lost: watch::Sender<Option<String>>,
}

impl FailFastState {
    /// No executors, and a channel that gets the id of an executor that is lost.
    pub(crate) fn new() -> (Self, watch::Receiver<Option<String>>) {
        let (lost, told) = watch::channel(None);
        (Self { executors: InMemoryClusterState::default(), lost }, told)
    }
}

#[async_trait]
impl ClusterState for FailFastState {
    async fn remove_executor(&self, executor_id: &str) -> Result<()> {
        self.lost.send_replace(Some(executor_id.to_owned()));
        // The scheduler must not go on, as it would roll stages back.
        std::future::pending().await
    }

    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        active_jobs: Arc<HashMap<JobId, JobInfoCache>>,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        self.executors.bind_schedulable_tasks(distribution, active_jobs, executors).await
    }

    async fn unbind_tasks(&self, executor_slots: Vec<ExecutorSlot>) -> Result<()> {
        self.executors.unbind_tasks(executor_slots).await
    }

    async fn register_executor(
        &self,
        metadata: ExecutorMetadata,
        spec: ExecutorData,
    ) -> Result<()> {
        self.executors.register_executor(metadata, spec).await
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.executors.save_executor_metadata(metadata).await
    }

    async fn get_executor_metadata(&self, executor_id: &str) -> Result<ExecutorMetadata> {
        self.executors.get_executor_metadata(executor_id).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.executors.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        self.executors.save_executor_heartbeat(heartbeat).await
    }

    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        self.executors.executor_heartbeats()
    }

    fn get_executor_heartbeat(&self, executor_id: &str) -> Option<ExecutorHeartbeat> {
        self.executors.get_executor_heartbeat(executor_id)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.executors.cluster_state_events().await
    }
}

/// Asks all executors but the lost one to stop; they start anew then. One that cannot be reached goes on with its tasks; the
/// results are not read, as the jobs have ended.
pub(crate) async fn stop_executors(cluster: &dyn ClusterState, lost: &str) {
    let stops = cluster.registered_executor_metadata().await.into_iter().map(async |executor| {
        let ExecutorMetadata { id, host, grpc_port, .. } = executor;
        if id == lost {
            return;
        }
        let asked = timeout(PATIENCE, async {
            let mut client =
                ExecutorGrpcClient::connect(format!("http://{host}:{grpc_port}")).await?;
            let reason = format!("executor {lost} is lost");
            let stop = StopExecutorParams { executor_id: id.clone(), reason, force: true };
            client.stop_executor(stop).await.map_err(BallistaError::from)
        });
        match asked.await {
            Ok(Ok(_)) => {}
            Ok(Err(error)) => log::warn!("executor {id} cannot be stopped: {error}"),
            Err(_) => log::warn!("executor {id} does not answer"),
        }
    });
    join_all(stops).await;
}

/// Runs this program anew, with its arguments, in this process.
///
/// # Errors
/// The program cannot be started, or the system knows no such call.
pub(crate) fn start_anew() -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        let mut program = std::process::Command::new(std::env::current_exe()?);
        Err(program.args(std::env::args_os().skip(1)).exec().into())
    }
    #[cfg(not(unix))]
    Err(BallistaError::General("an executor is lost: start this process again".to_owned()))
}
