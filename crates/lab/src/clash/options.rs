//! Options of `xcollide clash`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::bcf::BcfVersion;
use crate::clash_engine::EngineName;
use crate::exit::Failure;
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
    /// Where clashes are found: in memory, or by Apache DataFusion, for tables larger than memory; the result is the same.
    /// DataFusion needs the program `xcollide-cluster`.
    #[arg(long, value_name = "ENGINE", default_value = "memory")]
    pub(crate) engine: EngineName,
    /// Find clashes on the Ballista cluster of this scheduler, such as `df://localhost:50050`.
    #[arg(long, value_name = "URL")]
    pub(crate) cluster: Option<String>,
    /// Divide tables in N parts. With DataFusion or a cluster. [default: the number of processors]
    #[arg(long, value_name = "N")]
    pub(crate) partitions: Option<NonZeroUsize>,
    /// Keep intermediate tables in a folder, which all machines of a cluster see, and go on from what is finished there. With
    /// DataFusion or a cluster. [default: a temporary folder]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) work: Option<PathBuf>,
    /// Set the exit status by the result: 0 no clash, 10 a clash; 1 if a row cannot be used.
    #[arg(long)]
    pub(crate) exit_code: bool,
}

impl ClashOptions {
    /// Whether another engine than that in memory is asked for.
    pub(crate) fn other_engine(&self) -> bool {
        self.engine != EngineName::Memory || self.cluster.is_some()
    }

    /// Refuses options without an engine that has them.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        let given = [("--partitions", self.partitions.is_some()), ("--work", self.work.is_some())];
        match given.iter().find(|(_, is_given)| *is_given && !self.other_engine()) {
            Some((option, _)) => Err(Failure::bad_input(format!(
                "found {option} with the engine memory, expected --engine datafusion or --cluster"
            ))),
            None => Ok(()),
        }
    }
}

fn bcf_version() -> impl TypedValueParser<Value = BcfVersion> {
    PossibleValuesParser::new(["2.1", "3.0"]).map(|name| match name.as_str() {
        "3.0" => BcfVersion::V3_0,
        _ => BcfVersion::V2_1,
    })
}
