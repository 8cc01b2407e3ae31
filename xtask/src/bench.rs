//! `cargo xtask bench`: runs benchmarks and writes their tables into `docs/benchmarks.md`.
//!
//! Each measurement stands between two comments that name the run, and is replaced as a whole; the
//! prose around it stays:
//!
//! ```text
//! <!-- measured: mesh -->
//! (the command, the date, the machine; then the tables)
//! <!-- end of measured: mesh -->
//! ```

pub(crate) mod block;
mod criterion;
#[cfg(test)]
mod document;
mod machine;
#[cfg(test)]
mod readme;
mod runs;

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use self::machine::Machine;
use self::runs::{RUNS, Run, Tables};

pub(crate) use self::machine::peers;

/// The document, relative to the root.
const PATH: &str = "docs/benchmarks.md";

/// The names of the runs, in order.
pub(crate) fn names() -> Vec<&'static str> {
    RUNS.iter().map(|run| run.name).collect()
}

/// Prints the runs and their commands.
pub(crate) fn list() {
    for run in &RUNS {
        println!("{:<14} {}", run.name, run.command());
    }
}

/// Makes the chosen runs (all by default) and writes each into the document when it is done.
pub(crate) fn run(root: &Path, chosen: &[String]) -> Result<(), String> {
    let selected: Vec<&Run> = RUNS
        .iter()
        .filter(|run| chosen.is_empty() || chosen.iter().any(|name| name == run.name))
        .collect();
    // Fail before a long measurement, not after it.
    let text = read(root)?;
    for run in &selected {
        block::replaced(&text, run.name, "")
            .map_err(|problem| format!("bench: {PATH}: {problem}"))?;
    }
    // Build beforehand, as a build during a measurement would disturb it.
    for run in &selected {
        let _ = cargo(root, run, &["--no-run"], Stdio::inherit())?;
    }
    for (number, run) in selected.iter().enumerate() {
        eprintln!("bench: {} of {}, {}: {}", number + 1, selected.len(), run.name, run.command());
        let machine = Machine::now(root);
        machine.warn();
        let began = std::time::SystemTime::now();
        let printed = cargo(root, run, &[], Stdio::piped())?;
        let tables = match run.tables {
            Tables::Printed => printed,
            Tables::Paper => format!("```text\n{}\n```", printed.trim()),
            Tables::Criterion => criterion::tables(&root.join("target/criterion"), began)?,
        };
        if tables.trim().is_empty() {
            return Err(format!("bench: {} printed no figures", run.command()));
        }
        put(root, run.name, &machine, &run.command(), &tables)?;
    }
    Ok(())
}

/// Checks that the document has a part of this name.
///
/// # Errors
/// It has none, or cannot be read.
pub(crate) fn has_part(root: &Path, name: &str) -> Result<(), String> {
    let found = block::replaced(&read(root)?, name, "");
    found.map(|_| ()).map_err(|problem| format!("bench: {PATH}: {problem}"))
}

/// Writes the output of a command into the part of this name.
pub(crate) fn write(root: &Path, name: &str, command: &str, tables: &str) -> Result<(), String> {
    put(root, name, &Machine::now(root), command, tables)
}

fn put(
    root: &Path,
    name: &str,
    machine: &Machine,
    command: &str,
    tables: &str,
) -> Result<(), String> {
    let content = format!("{}\n\n{}", machine.stamp(command), tables.trim());
    // Read again, as the prose may have changed in the meantime.
    let text = block::replaced(&read(root)?, name, &content)
        .map_err(|problem| format!("bench: {PATH}: {problem}"))?;
    fs::write(root.join(PATH), text).map_err(|error| format!("bench: {PATH}: {error}"))
}

fn read(root: &Path) -> Result<String, String> {
    fs::read_to_string(root.join(PATH)).map_err(|error| format!("bench: {PATH}: {error}"))
}

/// Runs cargo with more arguments before the program's own; returns the program's output.
fn cargo(root: &Path, run: &Run, more: &[&'static str], output: Stdio) -> Result<String, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(run.cargo(more));
    command.envs(run.environment.iter().copied()).current_dir(root).stdout(output);
    let child = command.spawn().and_then(std::process::Child::wait_with_output);
    match child {
        Ok(output) if output.status.success() => {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Ok(output) => Err(format!("bench: {}: {}", run.command(), output.status)),
        Err(error) => Err(format!("bench: cargo cannot be started: {error}")),
    }
}
