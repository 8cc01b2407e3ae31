//! The project's chores: `cargo xtask ci` and others.
//!
//! Chores are Rust programs, not shell scripts, so they run the same everywhere and the compiler
//! checks them.

// A program says what it does.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod aarch64;
mod bench;
mod ci;
mod cluster;
mod commit;
mod features;
mod generate;
mod layering;
#[cfg(test)]
mod links;
mod loom;
mod peers;
#[cfg(test)]
mod promises;
mod publish;
mod python;
mod screenshots;
mod soak;
mod structure;
#[cfg(test)]
mod terms;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The project's chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Run all checks of continuous integration, in order, up to the first failure
    ///
    /// Formatting, layering, circles of imports, clippy with warnings denied, tests with a sample of the
    /// long ones, documentation with warnings denied, loom models, the workspace cluster/ where its sources
    /// are not those of `cluster/checked.txt`, and the Python package where there is Python 3.10 or later and
    /// its registry. Tests of real meshes need the variable `XCOLLIDE_MESHES` with their folder, others a
    /// browser or the Khronos validator; they are skipped without, and fail with `XCOLLIDE_REQUIRE_TOOLS=1`.
    Ci {
        /// Run only these steps, in the usual order
        #[arg(value_name = "STEP", value_parser = ci::step_names())]
        steps: Vec<String>,
        /// Only print the commands
        #[arg(long)]
        list: bool,
        /// Check only crates that differ from the last commit
        #[arg(long)]
        quick: bool,
    },
    /// Regenerate all files under fixtures/ and the golden logs of the scenes; tests compare them
    Fixtures,
    /// Redraw the pictures of README and docs; tests compare them
    Picture,
    /// Take the screenshots of README and docs anew; it needs Chromium
    Screenshots,
    /// Read all mesh files under some folders and print which are read, and why the others are not
    Census {
        /// The folders
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// Also write the tables into docs/formats.md
        #[arg(long)]
        write: bool,
        /// Also write the numbers of vertices and faces of each file, separated by tabs
        #[arg(long, value_name = "FILE")]
        counts: Option<PathBuf>,
    },
    /// Run benchmarks and write their figures into docs/benchmarks.md, with date and machine
    ///
    /// All of them take about half an hour, best on an idle machine.
    Bench {
        /// Run only these
        #[arg(value_name = "RUN", value_parser = bench::names())]
        runs: Vec<String>,
        /// Only print the commands
        #[arg(long)]
        list: bool,
    },
    /// Print how other libraries were compared, or compare with their programs
    Peers(peers::PeersOptions),
    /// Run the long tests in full, optimised, with new seeds, and record them in docs/verification.md
    Soak(soak::SoakOptions),
    /// Check the format, the lints and the tests of the workspace cluster/, and record its sources in
    /// `cluster/checked.txt`
    Cluster,
    /// Run the tests of the crates on aarch64, emulated; it needs qemu and Debian's compiler for that target
    Aarch64,
    /// Run the loom models under every thread schedule
    Loom,
    /// Check that each crate compiles alone with every choice of its features
    Features,
    /// Package all crates and compile each from its package, in the order of publishing; uploads nothing
    Publish,
    /// Build the wheel of the Python package, and run its tests with the Python at hand
    ///
    /// In an environment of its own below target/, with packages from the registry of Python.
    Python(python::PythonOptions),
    /// Check that the crates depend on each other in one direction only
    Layering,
    /// Measure the crates: product lines, names shown, circles of imports
    Structure {
        /// Fail if a circle of imports crosses a folder
        #[arg(long)]
        check: bool,
        /// Print the names that this crate shows, and nothing else
        #[arg(long, value_name = "CRATE")]
        names: Option<String>,
    },
    /// Measure the sizes by which `combine::Auto` chooses an algorithm on this machine
    ///
    /// Prints the measurements and writes a file that `combine::Thresholds` reads. Run it on an idle
    /// machine.
    Calibrate {
        /// The file [default: xcollide-thresholds.toml in the root of the workspace]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Fewer and smaller models, to try it out
        #[arg(long)]
        quick: bool,
        /// Also write the figures into docs/benchmarks.md
        #[arg(long, conflicts_with = "quick")]
        write: bool,
    },
}

fn main() -> ExitCode {
    let root = root();
    let done = match Arguments::parse().chore {
        Chore::Ci { list: true, steps, .. } => {
            ci::list(&steps);
            Ok(())
        }
        Chore::Ci { steps, quick, .. } => ci::run(&root, &steps, quick),
        Chore::Fixtures => generate::fixtures(&root),
        Chore::Picture => generate::pictures(&root),
        Chore::Screenshots => screenshots::write(&root),
        Chore::Census { folders, write, counts } => {
            generate::census(&root, &folders, write, counts.as_deref())
        }
        Chore::Bench { list: true, .. } => {
            bench::list();
            Ok(())
        }
        Chore::Bench { runs, .. } => bench::run(&root, &runs),
        Chore::Peers(options) => peers::run(&root, &options),
        Chore::Soak(options) => soak::run(&root, &options),
        Chore::Cluster => cluster::run(&root),
        Chore::Aarch64 => aarch64::run(&root),
        Chore::Loom => loom::run(&root),
        Chore::Features => features::run(&root),
        Chore::Publish => publish::run(&root),
        Chore::Python(options) => python::run(&root, &options),
        Chore::Layering => layering::run(&root),
        Chore::Structure { check, names } => structure::run(&root, check, names.as_deref()),
        Chore::Calibrate { output, quick, write } => {
            generate::calibrate(&root, output.as_deref(), quick, write)
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// The root of this program's workspace.
fn root() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own).to_owned()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_sound() {
        super::Arguments::command().debug_assert();
    }
}
