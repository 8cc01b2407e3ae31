//! `cargo xtask peers`: how other libraries were compared, and the comparison itself if their
//! programs are present.
//!
//! parry and rapier are linked into the benches. For each C++ library a small program times it on
//! files that `xcollide check` reads too; all run in turns. The statement below defines the
//! programs' interface.

mod contest;
mod mixed;
mod motion;
mod statement;
mod table;

use std::path::{Path, PathBuf};

use crate::bench;

/// Cases and peers to compare.
#[derive(clap::Args, Debug)]
pub(crate) struct PeersOptions {
    /// The folder of the peers' programs, each of which runs on all cases
    #[arg(long, value_name = "FOLDER", requires = "data")]
    programs: Option<PathBuf>,
    /// The folder with the cases: KIND/NAME/{a.off, b.off, poses.txt} for us, the same numbers for
    /// them; KIND is mesh, convex or coherent
    #[arg(long, value_name = "FOLDER", requires = "programs")]
    data: Option<PathBuf>,
    /// Only the cases with these names
    #[arg(long, value_name = "CASE")]
    case: Vec<String>,
    /// Instead, a folder of queries of moving vertices, faces and edges (SCENE/vertex-face/*.csv and
    /// SCENE/edge-edge/*.csv), for our bench `motion` and the Python module ipctk
    #[arg(long, value_name = "FOLDER", conflicts_with = "programs")]
    motion: Option<PathBuf>,
    /// A Python with ipctk
    #[arg(long, value_name = "PROGRAM", default_value = "python3", requires = "motion")]
    python: PathBuf,
    /// How often each program answers all queries, in turns
    #[arg(long, value_name = "N", default_value = "3")]
    rounds: std::num::NonZeroUsize,
    /// Write the table into docs/benchmarks.md
    #[arg(long, requires = "programs")]
    write: bool,
}

/// Prints the statement, or with programs and cases the table.
pub(crate) fn run(root: &Path, options: &PeersOptions) -> Result<(), String> {
    if let Some(folder) = &options.motion {
        println!("{}", motion::run(root, folder, &options.python)?);
        return Ok(());
    }
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
