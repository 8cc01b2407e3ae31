//! Writes generated files: fixtures, pictures of the docs, thresholds of this machine. `cargo xtask`
//! runs it; tests check that the files are as it writes them.

// A program says what it does.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod calibrate;
mod census;
mod fixtures;
mod picture;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "generate", about = "Writes generated files", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Write all files under fixtures/
    Fixtures,
    /// Draw the pictures of README and docs
    Pictures,
    /// Read all mesh files under some folders and write which are read, as Markdown
    Census {
        /// The folders
        #[arg(value_name = "DIR", required = true)]
        folders: Vec<PathBuf>,
        /// The file of the tables
        #[arg(long, value_name = "FILE")]
        tables: PathBuf,
        /// Also write the numbers of vertices and faces of each file, separated by tabs
        #[arg(long, value_name = "FILE")]
        counts: Option<PathBuf>,
    },
    /// Measure the sizes by which `combine::Auto` chooses an algorithm on this machine
    Calibrate {
        /// The file of the sizes
        #[arg(long, value_name = "FILE")]
        output: PathBuf,
        /// Fewer and smaller models, to try it out
        #[arg(long)]
        quick: bool,
        /// Also write the measurements as Markdown into this file
        #[arg(long, value_name = "FILE")]
        tables: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().what {
        What::Fixtures => fixtures::write(&root().join("fixtures")),
        What::Pictures => picture::write(&root()),
        What::Census { folders, tables, counts } => {
            census::run(&folders, &tables, counts.as_deref())
        }
        What::Calibrate { output, quick, tables } => {
            calibrate::run(&output, quick, tables.as_deref())
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

/// The root of the workspace.
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
