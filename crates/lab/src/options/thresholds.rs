//! The sizes by which `auto` chooses.

use std::path::PathBuf;

use clap::Args;
use xcollide::narrow::combine::{Thresholds, ThresholdsError};

use crate::exit::Failure;
use crate::files::{Input, text};

#[derive(Args, Clone, Debug)]
pub(crate) struct ThresholdOptions {
    /// The sizes by which `auto` chooses, as `cargo xtask calibrate` measures and stores them.
    /// [default: the file named by the variable `XCOLLIDE_THRESHOLDS`, else built-in sizes]
    #[arg(long, value_name = "FILE")]
    pub(crate) thresholds: Option<PathBuf>,
}

impl ThresholdOptions {
    /// The sizes of the option, else of the variable, else the built-in ones.
    pub(crate) fn thresholds(&self) -> Result<Thresholds, Failure> {
        let named = std::env::var_os("XCOLLIDE_THRESHOLDS")
            .filter(|name| !name.is_empty())
            .map(PathBuf::from);
        let Some(path) = self.thresholds.clone().or(named) else {
            return Ok(Thresholds::default());
        };
        let input = Input::open(&path)?;
        let name = input.name.clone();
        let wrong = |error: ThresholdsError| Failure::bad_input(format!("{name}: {error}"));
        text(input.read()?, &name)?.parse().map_err(wrong)
    }
}
