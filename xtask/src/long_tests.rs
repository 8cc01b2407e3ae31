//! Runs the long tests, marked `#[ignore]`, optimised and on all processors.
//!
//! Cargo runs test programs one after the other, and most have one long test, so all but one
//! processor would idle. Here each long test is a process of its own.

use std::collections::VecDeque;
use std::env;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use cargo_metadata::Message;

/// Everything with tests. Benchmarks have none and take long to build.
const BUILD: [&str; 10] = [
    "test",
    "--workspace",
    "--exclude=xcollide-benches",
    "--profile=soak",
    "--lib",
    "--bins",
    "--tests",
    "--no-run",
    "--message-format=json-render-diagnostics",
    "--quiet",
];

/// A test program and the working folder of its tests.
struct Program {
    executable: PathBuf,
    folder: PathBuf,
}

/// One long test.
struct LongTest {
    executable: PathBuf,
    folder: PathBuf,
    name: String,
}

/// Builds the tests and runs the long ones.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let mut tests = VecDeque::new();
    for program in programs(root)? {
        tests.extend(long_tests_of(&program)?);
    }
    if tests.is_empty() {
        return Err("long tests: found none, expected those marked #[ignore]".to_owned());
    }
    let count = tests.len();
    let queue = Mutex::new(tests);
    let failures = Mutex::new(Vec::new());
    let next = || queue.lock().ok()?.pop_front();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(test) = next() {
                    let began = Instant::now();
                    let outcome = test.run();
                    let word = if outcome.is_ok() { "ok" } else { "FAILED" };
                    let seconds = began.elapsed().as_secs();
                    eprintln!(
                        "long test {}::{} ... {word}, {seconds} s",
                        test.program(),
                        test.name
                    );
                    if let (Err(output), Ok(mut failures)) = (outcome, failures.lock()) {
                        failures.push(output);
                    }
                }
            });
        }
    });
    match failures.into_inner() {
        Ok(failures) if failures.is_empty() => {
            eprintln!("long tests: all {count} passed");
            Ok(())
        }
        Ok(failures) => Err(failures.join("\n")),
        Err(_) => Err("long tests: a thread that ran them panicked".to_owned()),
    }
}

/// Builds all test programs.
fn programs(root: &Path) -> Result<Vec<Program>, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let failed = |problem: &dyn std::fmt::Display| format!("cargo {}: {problem}", BUILD.join(" "));
    let mut building = Command::new(cargo)
        .args(BUILD)
        .current_dir(root)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error))?;
    let mut programs = Vec::new();
    if let Some(output) = building.stdout.take() {
        for message in Message::parse_stream(BufReader::new(output)) {
            let Message::CompilerArtifact(artifact) = message.map_err(|error| failed(&error))?
            else {
                continue;
            };
            if let (true, Some(executable)) = (artifact.profile.test, artifact.executable) {
                let manifest = artifact.manifest_path;
                let folder = manifest.parent().unwrap_or(&manifest).into();
                programs.push(Program { executable: executable.into(), folder });
            }
        }
    }
    let status = building.wait().map_err(|error| failed(&error))?;
    if status.success() { Ok(programs) } else { Err(failed(&status)) }
}

/// The long tests of a program.
fn long_tests_of(program: &Program) -> Result<Vec<LongTest>, String> {
    let Program { executable, folder } = program;
    let output = Command::new(executable)
        .args(["--list", "--ignored", "--format=terse"])
        .current_dir(folder)
        .output()
        .map_err(|error| format!("{}: cannot be started: {error}", executable.display()))?;
    let list = String::from_utf8_lossy(&output.stdout);
    let names = list.lines().filter_map(|line| line.strip_suffix(": test"));
    let long_test = |name: &str| LongTest {
        executable: executable.clone(),
        folder: folder.clone(),
        name: name.to_owned(),
    };
    Ok(names.map(long_test).collect())
}

impl LongTest {
    /// The program's name without cargo's hash.
    fn program(&self) -> String {
        let stem = self.executable.file_stem().unwrap_or_default().to_string_lossy();
        stem.rsplit_once('-').map_or(stem.to_string(), |(name, _)| name.to_owned())
    }

    /// Runs the test; the error is its output.
    fn run(&self) -> Result<(), String> {
        let output = Command::new(&self.executable)
            .args(["--ignored", "--exact", &self.name])
            .current_dir(&self.folder)
            .output()
            .map_err(|error| format!("{}: cannot be started: {error}", self.name))?;
        if output.status.success() {
            return Ok(());
        }
        let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
        Err(format!("{}::{}: {}\n{out}{err}", self.program(), self.name, output.status))
    }
}
