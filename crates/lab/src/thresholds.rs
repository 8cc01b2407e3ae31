//! The sizes by which `auto` chooses an algorithm, read from a file that `cargo xtask calibrate`
//! measured and wrote.

use std::path::{Path, PathBuf};

use clap::Args;
use xcollide::narrow::combine::{Thresholds, ThresholdsError};

use crate::exit::Failure;

/// The environment variable that names the file if no option does.
pub const VARIABLE: &str = "XCOLLIDE_THRESHOLDS";

/// The option that names the file.
#[derive(Args, Clone, Debug, Default)]
pub struct ThresholdOptions {
    /// The sizes by which `auto` chooses, as `cargo xtask calibrate` measures and stores them.
    /// [default: the file named by the variable `XCOLLIDE_THRESHOLDS`, else built-in sizes]
    #[arg(long, value_name = "FILE")]
    pub thresholds: Option<PathBuf>,
}

/// Why a file of sizes cannot be loaded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        error: std::io::Error,
    },
    /// Its content is wrong; the error names the line.
    #[error("{}: {error}", path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// The error.
        #[source]
        error: ThresholdsError,
    },
}

/// Loads the sizes from a file.
///
/// # Errors
/// The file cannot be read, or a line of it is wrong.
pub fn load(path: &Path) -> Result<Thresholds, LoadError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| LoadError::Read { path: path.to_owned(), error })?;
    text.parse().map_err(|error| LoadError::Text { path: path.to_owned(), error })
}

impl ThresholdOptions {
    /// The sizes of the option, else of the variable, else the built-in ones.
    ///
    /// # Errors
    /// The file cannot be loaded.
    pub fn thresholds(&self) -> Result<Thresholds, Failure> {
        let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
        match self.thresholds.clone().or(named) {
            Some(path) => load(&path).map_err(Failure::bad_input),
            None => Ok(Thresholds::default()),
        }
    }
}
