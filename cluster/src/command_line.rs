//! The program `xcollide-cluster`: that of `xcollide` with this engine, and the processes of a cluster.

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tokio::runtime::Builder;

use crate::cluster_process::{ExecutorOptions, SchedulerOptions, run_executor, run_scheduler};
use crate::engine::DataFusionEngine;

/// Clash detection on Apache DataFusion, in this process or on a Ballista cluster.
#[derive(Parser)]
#[command(name = "xcollide-cluster", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scheduler until it is stopped.
    Scheduler(SchedulerOptions),
    /// Run an executor until it is stopped.
    Executor(ExecutorOptions),
    /// Find the clashes of a table: the options are those of `xcollide clash`, with --engine datafusion or --cluster URL.
    #[command(disable_help_flag = true)]
    Clash {
        /// The options of `xcollide clash`.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<OsString>,
    },
}

/// Runs the program with these arguments; the first is its name. All but `scheduler` and `executor` is that of `xcollide`.
#[must_use]
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let is_own = |name: &OsString| ["scheduler", "executor"].iter().any(|own| name == own);
    let asks = |name: &OsString| ["-h", "--help", "-V", "--version"].iter().any(|own| name == own);
    let first = arguments.get(1);
    if !first.is_none_or(|name| is_own(name) || asks(name)) {
        return xcollide_lab::run_with(arguments, &DataFusionEngine::default());
    }
    let command = match Arguments::try_parse_from(arguments) {
        Ok(Arguments { command }) => command,
        Err(error) => {
            // Nothing is left to do if the output is closed.
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    env_logger::init();
    let runtime = match Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return complain(&error.to_string()),
    };
    let ended = match command {
        Command::Scheduler(options) => runtime.block_on(run_scheduler(&options)),
        Command::Executor(options) => runtime.block_on(run_executor(&options)),
        Command::Clash { .. } => Ok(()),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => complain(&error.to_string()),
    }
}

fn complain(what: &str) -> ExitCode {
    // Nothing is left to do if standard error is closed.
    let _ = writeln!(std::io::stderr(), "xcollide-cluster: {what}");
    ExitCode::from(1)
}
