//! The program `xcollide-cluster`. The library has all of it.

use std::process::ExitCode;

fn main() -> ExitCode {
    xcollide_cluster::run(std::env::args_os().collect())
}
