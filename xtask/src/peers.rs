//! `cargo xtask peers`: how other libraries were compared, and the comparison itself where their
//! programs are.
//!
//! parry and rapier are linked into the benches. The C++ libraries are not: a small program each times
//! them on the files that `xcollide check` reads, too, and all are run in turns. The interface of such a
//! program is that of the statement below.

mod contest;
mod statement;

use std::path::{Path, PathBuf};

use crate::bench;

/// What to compare on, and with whom.
#[derive(clap::Args, Debug)]
pub(crate) struct PeersOptions {
    /// The folder of the peers' programs, each of which is asked about all cases
    #[arg(long, value_name = "FOLDER", requires = "data")]
    programs: Option<PathBuf>,
    /// The folder with the cases: KIND/NAME/{a.off, b.off, poses.txt} for us, the same numbers for
    /// them; KIND is mesh, convex or coherent
    #[arg(long, value_name = "FOLDER", requires = "programs")]
    data: Option<PathBuf>,
    /// Only the cases of these names
    #[arg(long, value_name = "CASE")]
    case: Vec<String>,
    /// How often everybody answers all queries, in turns
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: std::num::NonZeroUsize,
    /// Write the table into docs/benchmarks.md
    #[arg(long, requires = "programs")]
    write: bool,
}

/// Prints the statement, or with programs and cases the table.
pub(crate) fn run(root: &Path, options: &PeersOptions) -> Result<(), String> {
    let (Some(programs), Some(data)) = (&options.programs, &options.data) else {
        println!("{}", statement::text(&bench::peers(root)));
        return Ok(());
    };
    let tables = contest::run(root, programs, data, &options.case, options.rounds.get())?;
    for (kind, table) in tables {
        if options.write {
            let command = "cargo xtask peers --programs … --data …";
            bench::write(root, kind.part(), command, &table)?;
        }
        println!("{table}");
    }
    Ok(())
}
