//! Engines that find clashes beyond the memory of one process, and what they share with `xcollide clash`.
//!
//! This program finds clashes in memory. The engine on Apache DataFusion is a program of its own, `xcollide-cluster` in the
//! folder `cluster/`, so that nobody compiles it who does not use it. It links this library, hands its engine to
//! [`run_with`](crate::run_with), and so has the same options, formats and reports. `xcollide clash --engine datafusion` starts
//! it with the same arguments.

use std::ffi::{OsStr, OsString};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::ValueEnum;
use xcollide_clash::{Clashes, InstanceSet, Rules};

pub use crate::clash::{Meshes, RowFailure, Rows, model_beside};
use crate::exit::Failure;

/// Finds the clashes of a table elsewhere than in the memory of this process.
pub trait ClashEngine {
    /// Finds all clashes; the same as in memory.
    ///
    /// # Errors
    /// The table cannot be read, or the engine fails. Rows and pairs that cannot be used are no errors but part of the result.
    fn detect(&self, request: &ClashRequest) -> Result<FoundClashes, EngineError>;
}

/// What an engine is asked for.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClashRequest {
    /// The table or scene.
    pub table: PathBuf,
    /// The rules, with what options say instead.
    pub rules: Rules,
    /// Whether to bound the depth of each clash.
    pub depth: bool,
    /// The scheduler of a cluster; `None`: the engine works in this process.
    pub cluster: Option<String>,
    /// In how many parts tables are divided; `None`: one for each processor.
    pub partitions: Option<NonZeroUsize>,
    /// The folder of intermediate tables, which is kept; `None`: a temporary one.
    pub work: Option<PathBuf>,
}

/// What an engine found.
#[derive(Debug, Default)]
pub struct FoundClashes {
    /// At least the instances of the clashes and of pairs without an answer, with their models.
    pub set: InstanceSet,
    /// The clashes among them.
    pub clashes: Clashes,
    /// The rows that cannot be used, in the order of their ids.
    pub failures: Vec<RowFailure>,
    /// The number of rows, also those that cannot be used.
    pub rows: usize,
}

/// Why an engine has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The input cannot be used as a whole.
    #[error("{0}")]
    BadInput(String),
    /// The engine failed.
    #[error("{0}")]
    Failed(String),
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::BadInput(text) => Self::BadInput(text),
            EngineError::Failed(text) => Self::Failed(text),
        }
    }
}

impl ClashRequest {
    /// Asks for the clashes of a table by rules, from an engine in this process.
    #[must_use]
    pub fn new(table: impl Into<PathBuf>, rules: Rules) -> Self {
        let (cluster, partitions, work) = (None, None, None);
        Self { table: table.into(), rules, depth: false, cluster, partitions, work }
    }
}

/// Reads the rows of a table or scene; `-` is standard input. Models in files are not read.
///
/// # Errors
/// The file cannot be read or lacks a column. Rows that cannot be used are [`Rows::failures`].
pub fn read_rows(table: &Path) -> Result<Rows, EngineError> {
    Rows::read(table).map_err(|failure| match failure {
        Failure::BadInput(text) => EngineError::BadInput(text),
        other => EngineError::Failed(other.to_string()),
    })
}

/// Finds the clashes of a table in memory, as `xcollide clash` does.
///
/// # Errors
/// As for [`read_rows`].
pub fn detect_in_memory(request: &ClashRequest) -> Result<FoundClashes, EngineError> {
    let rows = read_rows(&request.table)?;
    let folder = request.table.parent().unwrap_or(Path::new(""));
    let (set, failures, rows) = rows.load(folder);
    let detector = xcollide_clash::ClashDetector::new(request.rules.clone()).depth(request.depth);
    let clashes = detector.detect(&set);
    Ok(FoundClashes { set, clashes, failures, rows })
}

/// Which engine finds clashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum EngineName {
    // No comments of documentation: they would make the help three times as long.
    #[default]
    Memory,
    Datafusion,
}

/// The program with the engine on Apache DataFusion.
const PROGRAM: &str = "xcollide-cluster";

/// Runs the program of the other engine with these arguments: the one beside this program, else that on the path.
pub(crate) fn run_program(arguments: &[OsString]) -> Result<ExitCode, Failure> {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(&name));
    let program = beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(&name));
    start(program.as_os_str(), arguments)
}

fn start(program: &OsStr, arguments: &[OsString]) -> Result<ExitCode, Failure> {
    let status = Command::new(program).args(arguments).status().map_err(|error| {
        Failure::bad_input(format!(
            "the engine datafusion is the program {PROGRAM}, which cannot be started ({error}); build it with \
             `cargo build --release --manifest-path cluster/Cargo.toml`, and put it beside this program or on the path"
        ))
    })?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    code.map(ExitCode::from).ok_or_else(|| Failure::Failed(format!("{PROGRAM}: {status}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_is_missing_is_bad_input_that_says_how_to_build_it() {
        let Err(failure) = start(OsStr::new("no-such-program-1"), &[]) else {
            panic!("it was started")
        };
        let text = failure.to_string();
        assert!(
            text.contains("cargo build --release --manifest-path cluster/Cargo.toml"),
            "{text}"
        );
        assert!(matches!(failure, Failure::BadInput(_)));
    }
}
