//! Tests of the crates on aarch64, emulated by qemu: the lanes of NEON, and that answers have the same bits there.
//!
//! Needs the target of the compiler (`rustup target add aarch64-unknown-linux-gnu`), a linker and the emulator.

use std::env;
use std::path::Path;
use std::process::Command;

const TARGET: &str = "aarch64-unknown-linux-gnu";
const LINKER: &str = "aarch64-linux-gnu-gcc";
const RUNNER: &str = "qemu-aarch64 -L /usr/aarch64-linux-gnu";
/// Of Debian.
const PACKAGES: &str = "gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user";

/// The crates that compute; the others read, write and print.
const CRATES: [&str; 10] = [
    "xcollide-simd",
    "xcollide-math",
    "xcollide-predicates",
    "xcollide-bounds",
    "xcollide-brep",
    "xcollide-bvh",
    "xcollide-convex",
    "xcollide-broad",
    "xcollide-narrow",
    "xcollide",
];

/// Builds and runs the tests.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    for tool in [LINKER, "qemu-aarch64"] {
        let found = Command::new(tool).arg("--version").output();
        found.map_err(|error| {
            format!("{tool} cannot be started: {error}; Debian's packages are {PACKAGES}")
        })?;
    }
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--release", "--no-fail-fast", "--tests", "--target", TARGET]);
    command.args(CRATES.map(|name| format!("--package={name}"))).current_dir(root);
    // Samples of long tests take too long there.
    command.args(["--", "--skip", "_soak"]);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    command.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", RUNNER);
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("aarch64: cargo test: {status}")),
        Err(error) => Err(format!("aarch64: cargo cannot be started: {error}")),
    }
}
