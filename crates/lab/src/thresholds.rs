//! The sizes by which `auto` chooses an algorithm for two models, from a file.
//!
//! `cargo xtask calibrate` of the project measures them on a machine and writes the file.

use std::path::{Path, PathBuf};

use clap::Args;
use xcollide::narrow::combine::{Thresholds, ThresholdsError};

use crate::exit::Failure;

/// The variable that names the file where no option does.
pub const VARIABLE: &str = "XCOLLIDE_THRESHOLDS";

/// Where the sizes are.
#[derive(Args, Clone, Debug, Default)]
pub struct ThresholdOptions {
    /// The sizes by which `auto` chooses, as `cargo xtask calibrate` measures and stores them; else
    /// the file that the variable `XCOLLIDE_THRESHOLDS` names, else those built in.
    #[arg(long, value_name = "FILE")]
    pub thresholds: Option<PathBuf>,
}

/// Why sizes cannot be had from a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        error: std::io::Error,
    },
    /// It is no such file; the error names the line.
    #[error("{}: {error}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        #[source]
        error: ThresholdsError,
    },
}

/// The sizes that a file has.
///
/// # Errors
/// The file cannot be read, or a line of it is wrong.
pub fn load(path: &Path) -> Result<Thresholds, LoadError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| LoadError::Read { path: path.to_owned(), error })?;
    text.parse().map_err(|error| LoadError::Text { path: path.to_owned(), error })
}

impl ThresholdOptions {
    /// The sizes: those of the option, else of the variable, else those built in.
    ///
    /// # Errors
    /// The file is none.
    pub fn thresholds(&self) -> Result<Thresholds, Failure> {
        let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
        match self.thresholds.clone().or(named) {
            Some(path) => load(&path).map_err(Failure::bad_input),
            None => Ok(Thresholds::default()),
        }
    }
}
