//! The project's chores: `cargo xtask ci` and what it is made of.
//!
//! Nothing is done by shell scripts, so that chores run the same everywhere and are checked by
//! the compiler.

// A program says what it does.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod calibrate;
mod ci;
mod fixtures;
mod golden;
mod layering;
mod long_tests;
mod loom;
mod peers;
mod picture;
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
    /// Run all that continuous integration runs, in order, up to the first failure
    ///
    /// Formatting, clippy with warnings denied, the layering, the fixtures, the tests, the models of
    /// threads, the long tests optimised, and the documentation with warnings denied. Tests of real meshes run
    /// where the variable `XCOLLIDE_MESHES` names their folder; those with a browser or the Khronos
    /// validator where these are, and with `XCOLLIDE_REQUIRE_TOOLS=1` they fail where not.
    Ci {
        /// Run only these steps, in the usual order
        #[arg(value_name = "STEP", value_parser = ci::step_names())]
        steps: Vec<String>,
        /// Only say what would be run
        #[arg(long)]
        list: bool,
    },
    /// Write every file under fixtures/ anew, and the golden logs of the scenes
    Fixtures {
        /// Write nothing; fail if a file is missing, differs, or is not one that is generated
        #[arg(long)]
        check: bool,
    },
    /// Draw the pictures of README and docs anew
    Picture {
        /// Write nothing; fail if a picture there is not the one that would be drawn
        #[arg(long)]
        check: bool,
    },
    /// Run benchmarks and write their figures into docs/benchmarks.md, with date and machine
    ///
    /// All of them take about half an hour; best on a machine that has nothing else to do.
    Bench {
        /// Run only these
        #[arg(value_name = "RUN", value_parser = bench::names())]
        runs: Vec<String>,
        /// Only say what would be run
        #[arg(long)]
        list: bool,
    },
    /// Say how other libraries were compared, or compare with their programs where they are
    Peers(peers::PeersOptions),
    /// Run the tests marked as long, optimised, as many at a time as there are processors
    LongTests,
    /// Run what threads meet in, in every order that the threads can take
    Loom,
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
    /// Measure on this machine by which sizes `combine::Auto` should choose an algorithm
    ///
    /// Prints what was measured, and writes a file that `combine::Thresholds` reads. Run it
    /// optimised, on a machine at rest: `cargo run --release -p xtask -- calibrate`.
    Calibrate {
        /// The file [default: xcollide-thresholds.toml in the root of the workspace]
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
        /// Fewer and smaller models; to try it out
        #[arg(long)]
        quick: bool,
        /// Write the figures into docs/benchmarks.md, too
        #[arg(long, conflicts_with = "quick")]
        write: bool,
    },
}

fn main() -> ExitCode {
    let root = root();
    let done = match Arguments::parse().chore {
        Chore::Ci { list: true, steps } => {
            ci::list(&steps);
            Ok(())
        }
        Chore::Ci { steps, .. } => ci::run(&root, &steps),
        Chore::Fixtures { check } => {
            let written = fixtures::run(&root.join("fixtures"), check);
            // The tests compare the logs.
            if check { written } else { written.and_then(|()| golden::run(&root)) }
        }
        Chore::Picture { check } => picture::run(&root, check),
        Chore::Bench { list: true, .. } => {
            bench::list();
            Ok(())
        }
        Chore::Bench { runs, .. } => bench::run(&root, &runs),
        Chore::Peers(options) => peers::run(&root, &options),
        Chore::LongTests => long_tests::run(&root),
        Chore::Loom => loom::run(&root),
        Chore::Layering => layering::run(&root),
        Chore::Structure { check, names } => structure::run(&root, check, names.as_deref()),
        Chore::Calibrate { output, quick, write } => {
            let path = output.unwrap_or_else(|| root.join(calibrate::FILE));
            calibrate::run(&path, quick, write.then_some(root.as_path()))
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

/// The root of the workspace this program was built in.
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
