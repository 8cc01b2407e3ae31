//! `cargo xtask soak`: runs the long tests in full, optimised, with new seeds each round, and records
//! what ran in `docs/verification.md`.
//!
//! Long tests are those whose names end in `_soak`. `cargo test` runs a sample of each
//! (`xcollide_fixtures::long_run`). Each runs here in a process of its own, so that all processors
//! have work.

use std::collections::VecDeque;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use cargo_metadata::Message;
use clap::Args;

use crate::commit::Commit;

/// The record, below the root of the workspace.
const RECORD: &str = "docs/verification.md";

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

#[derive(Args)]
pub(crate) struct SoakOptions {
    /// Begin no new test after this many hours; the default is one round of all
    #[arg(long, value_name = "H")]
    hours: Option<f64>,
    /// Seed of the first round; later rounds take the following ones
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Run only tests whose names contain this
    #[arg(value_name = "NAME")]
    only: Option<String>,
}

/// A test program and the working folder of its tests.
struct Program {
    executable: PathBuf,
    folder: PathBuf,
}

/// One long test.
#[derive(Clone)]
struct LongTest {
    executable: PathBuf,
    folder: PathBuf,
    name: String,
}

/// What one test did.
struct Outcome {
    test: String,
    seed: u64,
    cases: Option<u64>,
    seconds: u64,
    /// Its output if it failed.
    failure: Option<String>,
}

/// Builds the tests, runs the long ones, and appends to the record.
///
/// # Errors
/// A test fails, or something cannot be built, started or written.
pub(crate) fn run(root: &Path, options: &SoakOptions) -> Result<(), String> {
    let mut tests = Vec::new();
    for program in programs(root)? {
        tests.extend(long_tests_of(&program)?);
    }
    tests.retain(|test| options.only.as_ref().is_none_or(|only| test.label().contains(only)));
    if tests.is_empty() {
        return Err("soak: found no long test, expected names that end in _soak".to_owned());
    }
    let commit = Commit::read(root);
    let first = options.seed.unwrap_or_else(|| commit.seed());
    let limit = options.hours.map(|hours| Duration::from_secs_f64(hours * 3600.0));
    let outcomes = run_all(&tests, first, limit);
    append(&root.join(RECORD), &commit, &outcomes)?;
    let failures: Vec<&str> =
        outcomes.iter().filter_map(|outcome| outcome.failure.as_deref()).collect();
    if failures.is_empty() {
        eprintln!("soak: all {} runs passed", outcomes.len());
        return Ok(());
    }
    Err(failures.join("\n"))
}

/// Runs all tests round after round on all processors.
fn run_all(tests: &[LongTest], first: u64, limit: Option<Duration>) -> Vec<Outcome> {
    let began = Instant::now();
    let queue = Mutex::new((VecDeque::new(), first));
    let outcomes = Mutex::new(Vec::new());
    let next = || -> Option<(LongTest, u64)> {
        let mut queue = queue.lock().ok()?;
        let (waiting, seed) = &mut *queue;
        if limit.is_some_and(|limit| began.elapsed() >= limit) {
            return None;
        }
        if waiting.is_empty() {
            if limit.is_none() && *seed > first {
                return None;
            }
            waiting.extend(tests.iter().cloned().map(|test| (test, *seed)));
            *seed += 1;
        }
        waiting.pop_front()
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((test, seed)) = next() {
                    let outcome = test.run(seed);
                    let word = if outcome.failure.is_some() { "FAILED" } else { "ok" };
                    eprintln!("{}, seed {seed} ... {word}, {} s", outcome.test, outcome.seconds);
                    if let Ok(mut outcomes) = outcomes.lock() {
                        outcomes.push(outcome);
                    }
                }
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    outcomes.sort_by(|a, b| (&a.test, a.seed).cmp(&(&b.test, b.seed)));
    outcomes
}

/// Appends a row for each test to the record.
fn append(path: &Path, commit: &Commit, outcomes: &[Outcome]) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", path.display());
    let mut text = fs::read_to_string(path).map_err(told)?;
    for of_test in outcomes.chunk_by(|a, b| a.test == b.test) {
        let cases: u64 = of_test.iter().filter_map(|outcome| outcome.cases).sum();
        let seconds: u64 = of_test.iter().map(|outcome| outcome.seconds).sum();
        let failed: Vec<String> = of_test
            .iter()
            .filter(|outcome| outcome.failure.is_some())
            .map(|outcome| format!("seed {} failed", outcome.seed))
            .collect();
        let findings = if failed.is_empty() { "none".to_owned() } else { failed.join(", ") };
        let seeds = match of_test {
            [one] => one.seed.to_string(),
            [one, .., last] => format!("{} to {}", one.seed, last.seed),
            [] => continue,
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "| {} | {} | `{}` | {cases} | {seeds} | {seconds} s | {findings} |",
            commit.date, commit.hash, of_test[0].test
        );
    }
    fs::write(path, text).map_err(told)
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
        .args(["--list", "--format=terse"])
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
    Ok(names.filter(|name| name.ends_with("_soak")).map(long_test).collect())
}

impl LongTest {
    /// The program's name without cargo's hash, and the test's.
    fn label(&self) -> String {
        let stem = self.executable.file_stem().unwrap_or_default().to_string_lossy();
        let program = stem.rsplit_once('-').map_or(&*stem, |(name, _)| name);
        format!("{program}::{}", self.name)
    }

    fn run(&self, seed: u64) -> Outcome {
        let began = Instant::now();
        let output = Command::new(&self.executable)
            .args(["--include-ignored", "--nocapture", "--exact", &self.name])
            .current_dir(&self.folder)
            .env("XCOLLIDE_SOAK", "1")
            .env("XCOLLIDE_SEED", seed.to_string())
            .output();
        let (text, passed) = match output {
            Ok(output) => {
                let [out, err] =
                    [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
                (format!("{out}{err}"), output.status.success())
            }
            Err(error) => (format!("cannot be started: {error}"), false),
        };
        let failure = (!passed).then(|| format!("{}, seed {seed}:\n{text}", self.label()));
        let seconds = began.elapsed().as_secs();
        Outcome { test: self.label(), seed, cases: cases(&text), seconds, failure }
    }
}

/// The cases that a test has counted, as `xcollide_fixtures::long_run` prints them.
fn cases(output: &str) -> Option<u64> {
    let counts = output.lines().filter_map(|line| {
        let (_, count) = line.split_once("long run: ")?;
        count.split_once(" cases")?.0.parse::<u64>().ok()
    });
    counts.reduce(|a, b| a + b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_of_all_lines_are_summed() {
        let run = xcollide_fixtures::long_run(7, 20);
        let text = format!("running 1 test\n{run}\ntest a ... {run}\nok\n");
        assert_eq!(cases(&text), Some(2 * run.cases));
        assert_eq!(cases("running 1 test\n"), None);
    }

    #[test]
    fn the_record_gets_a_row_for_each_test() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("record.md");
        fs::write(&path, "| head |\n")?;
        let outcome = |test: &str, seed, failure: Option<&str>| Outcome {
            test: test.to_owned(),
            seed,
            cases: Some(5),
            seconds: 2,
            failure: failure.map(str::to_owned),
        };
        let commit = Commit { hash: "abc".to_owned(), date: "2026-11-23".to_owned() };
        let all = [outcome("a", 1, None), outcome("a", 2, Some("output")), outcome("b", 1, None)];
        append(&path, &commit, &all)?;
        assert_eq!(
            fs::read_to_string(&path)?,
            "| head |\n| 2026-11-23 | abc | `a` | 10 | 1 to 2 | 4 s | seed 2 failed |\n\
             | 2026-11-23 | abc | `b` | 5 | 1 | 2 s | none |\n"
        );
        Ok(())
    }

    /// So that none is left out of the long run, and `cargo test` says where it runs.
    #[test]
    fn ignored_tests_are_long_ones() -> Result<(), Box<dyn std::error::Error>> {
        let mut folders = vec![crate::root().join("crates")];
        let mut found = 0;
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let text = fs::read_to_string(&path)?;
                    for (_, after) in
                        text.match_indices("#[ignore").map(|(at, _)| text.split_at(at))
                    {
                        let name =
                            after.split("fn ").nth(1).and_then(|rest| rest.split('(').next());
                        let reason = after.lines().next().unwrap_or_default();
                        let is_long = name.is_some_and(|name| name.ends_with("_soak"));
                        assert!(
                            is_long && reason.contains("cargo xtask soak"),
                            "{path:?}: {reason}"
                        );
                        found += 1;
                    }
                }
            }
        }
        assert!(found > 0, "some tests cannot be sampled");
        Ok(())
    }
}
