//! The sizes by which `auto` chooses an algorithm, read from a file that `cargo xtask calibrate`
//! measured and wrote.

use std::fmt::Display;
use std::path::PathBuf;

use clap::Args;
use xcollide::narrow::combine::{Thresholds, ThresholdsError};

use crate::exit::Failure;

/// The environment variable that names the file if no option does.
const VARIABLE: &str = "XCOLLIDE_THRESHOLDS";

#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ThresholdOptions {
    /// The sizes by which `auto` chooses, as `cargo xtask calibrate` measures and stores them.
    /// [default: the file named by the variable `XCOLLIDE_THRESHOLDS`, else built-in sizes]
    #[arg(long, value_name = "FILE")]
    pub(crate) thresholds: Option<PathBuf>,
}

impl ThresholdOptions {
    /// The sizes of the option, else of the variable, else the built-in ones.
    pub(crate) fn thresholds(&self) -> Result<Thresholds, Failure> {
        let named = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
        let Some(path) = self.thresholds.clone().or(named) else {
            return Ok(Thresholds::default());
        };
        let wrong =
            |error: &dyn Display| Failure::bad_input(format!("{}: {error}", path.display()));
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(&error))?;
        text.parse().map_err(|error: ThresholdsError| wrong(&error))
    }
}
