//! The `xcollide` program; all of it is in the library, for tests to reach.

use std::process::ExitCode;

fn main() -> ExitCode {
    xcollide_lab::run(std::env::args_os())
}
