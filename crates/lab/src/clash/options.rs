//! Options of `xcollide clash`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::bcf::BcfVersion;
use crate::options::{HTML, tolerance};
use crate::output_file::ending_in;

/// Endings of `--out`.
#[cfg(feature = "parquet")]
const TABLES: &[&str] = &["csv", "parquet", "bcf", "bcfzip"];
#[cfg(not(feature = "parquet"))]
const TABLES: &[&str] = &["csv", "bcf", "bcfzip"];

#[derive(Args, Clone, Debug)]
pub(crate) struct ClashOptions {
    /// The instances: a table (CSV or Parquet, or - for standard input) or a scene (glTF, GLB).
    #[arg(value_name = "TABLE")]
    pub(crate) table: PathBuf,
    /// Count a clearance of at most X as a clash. [default: as the rules say, else 0]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,
    /// Which groups are tested against which, what is ignored, and their tolerances: a TOML file.
    #[arg(long, value_name = "RULES.toml")]
    pub(crate) rules: Option<PathBuf>,
    /// Make one issue of clashes that are at most X apart, share an instance and have the same groups. [default: as the
    /// rules say, else each clash is an issue]
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = tolerance)]
    pub(crate) merge: Option<f64>,
    /// Bound the penetration depth of each clash whose interiors meet: closely for convex bodies, by a limited search for
    /// others.
    #[arg(long)]
    pub(crate) depth: bool,
    /// Bound the volume that two closed bodies whose interiors meet have in common, to 1e-9 of it.
    #[arg(long)]
    pub(crate) volume: bool,
    /// Write the clashes to a file as well: a table (.csv, .parquet), or issues with viewpoints for CAD and BIM viewers (.bcf,
    /// .bcfzip).
    #[arg(long, value_name = "FILE", value_parser = ending_in(TABLES))]
    pub(crate) out: Option<PathBuf>,
    /// Which version of BCF to write.
    #[arg(long, value_name = "VERSION", default_value = "2.1", value_parser = bcf_version())]
    pub(crate) bcf_version: BcfVersion,
    /// Write a report to a file: self-contained HTML with who clashes, where and how deep, and each clash in 3-D.
    #[arg(long, value_name = "OUT.html", value_parser = ending_in(HTML))]
    pub(crate) report: Option<PathBuf>,
    /// Set the exit status by the result: 0 no clash, 10 a clash; 1 if a row cannot be used.
    #[arg(long)]
    pub(crate) exit_code: bool,
}

fn bcf_version() -> impl TypedValueParser<Value = BcfVersion> {
    PossibleValuesParser::new(["2.1", "3.0"]).map(|name| match name.as_str() {
        "3.0" => BcfVersion::V3_0,
        _ => BcfVersion::V2_1,
    })
}
