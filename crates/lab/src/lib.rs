#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ccd;
mod check;
mod clash;
pub mod clash_engine;
mod classify;
mod cli;
pub mod compare;
mod drawing;
mod execution_mode;
mod exit;
mod files;
mod foreign_format;
mod list;
mod meetings;
pub mod mesh_source;
mod model_motion;
mod motion_files;
mod moving_scene;
mod normalize_arguments;
mod options;
mod output;
mod output_file;
pub mod pairs;
pub mod paper;
mod picture;
pub mod pose_line;
mod primitives;
mod progress;
mod quantile;
mod ray;
mod read_warnings;
mod report;
mod robot;
mod run;
mod self_intersection;
mod sweep;
mod tally;
mod view;
mod visual_aids;
mod witness;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use xcollide_simd::SimdLevel;

use clash_engine::ClashEngine;
use cli::{Cli, Command};
use exit::Failure;
use output::Session;

/// Compiles the example of `docs/laboratory.md`.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/laboratory.md")]
struct Laboratory;

/// Runs the program with these arguments; the first is the program's name. Writes to standard output
/// and standard error and returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    run_program(arguments, None)
}

/// As [`run`], with an engine that `xcollide clash` uses where it is asked for another one than that in memory.
pub fn run_with(
    arguments: impl IntoIterator<Item = OsString>,
    engine: &dyn ClashEngine,
) -> ExitCode {
    run_program(arguments, Some(engine))
}

fn run_program(
    arguments: impl IntoIterator<Item = OsString>,
    engine: Option<&dyn ClashEngine>,
) -> ExitCode {
    let arguments = normalize_arguments::normalized(arguments);
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => return exit::usage(&error),
    };
    if let Err(error) = SimdLevel::requested() {
        let message = format!("{}: {error}", SimdLevel::VARIABLE);
        return exit::code(Err(Failure::bad_input(message)));
    }
    if let Err(failure) = files::check_standard_input(&arguments) {
        return exit::code(Err(failure));
    }
    if let Command::Clash(options) = &cli.command {
        let ended = match options.check() {
            Ok(()) if options.other_engine() && engine.is_none() => {
                Some(clash_engine::run_program(&arguments[1..]))
            }
            Ok(()) => None,
            Err(failure) => Some(Err(failure)),
        };
        match ended {
            Some(Ok(code)) => return code,
            Some(Err(failure)) => return exit::code(Err(failure)),
            None => {}
        }
    }
    read_warnings::set_options(&cli.common);
    let mut session = Session::new(cli.common);
    let ended = match &cli.command {
        Command::Check(options) => check::run(options, &mut session),
        Command::Classify(options) => classify::run(options, &mut session),
        Command::Pairs(options) => pairs::run(options, &mut session),
        Command::Run(options) => run::run(options, &mut session),
        Command::Compare(options) => compare::run(options, &mut session),
        Command::Sweep(options) => sweep::run(options, &mut session),
        Command::Ccd(options) => ccd::run(options, &mut session),
        Command::SelfIntersection(options) => self_intersection::run(options, &mut session),
        Command::Ray(options) => ray::run(options, &mut session),
        Command::Robot(options) => robot::run(options, &mut session),
        Command::Clash(options) => clash::run(options, engine, &mut session),
        Command::View(options) => view::run(options, &mut session),
        Command::Picture(options) => picture::run(options, &mut session),
        Command::List(options) => list::run(options, &mut session.output),
    };
    exit::code(ended.and_then(|status| session.output.flush().map(|()| status)))
}
