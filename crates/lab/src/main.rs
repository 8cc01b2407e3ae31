//! The `xcollide` program. The library has all of it, so that tests can call it.

use std::process::ExitCode;

fn main() -> ExitCode {
    xcollide_lab::run(std::env::args_os())
}
