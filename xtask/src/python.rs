//! `cargo xtask python`: builds the wheel of the Python package and runs its tests, in an environment of its own.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::bench;

/// The package, relative to the root.
const PACKAGE: &str = "crates/python";

/// The environment and the wheels, relative to the root.
const PLACE: &str = "target/python";

/// The packages of the tests; and those of half a gigabyte for one example, where all tools are asked for.
const LISTS: [&str; 2] = ["requirements-test.txt", "requirements-examples.txt"];

/// The oldest Python that the package is for.
const OLDEST: (u32, u32) = (3, 10);

/// What to do.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct PythonOptions {
    /// Build the wheel optimised, without debug assertions
    #[arg(long)]
    release: bool,
    /// Only build the wheel and install it
    #[arg(long)]
    no_tests: bool,
    /// Instead of the tests, compare the optimised wheel with other libraries and write the table into
    /// docs/benchmarks.md
    #[arg(long, conflicts_with = "no_tests")]
    bench: bool,
    /// The Python [default: the variable `XCOLLIDE_PYTHON`, or python3]
    #[arg(long, value_name = "PROGRAM")]
    python: Option<PathBuf>,
}

/// The step of continuous integration: everything, or nothing where there is no Python or no registry.
///
/// # Errors
/// A test fails, or with `XCOLLIDE_REQUIRE_TOOLS=1` a tool is missing.
pub(crate) fn step(root: &Path) -> Result<(), String> {
    match check(root, &PythonOptions::default()) {
        Ok(()) => Ok(()),
        Err(Problem::Missing(what)) if !required() => {
            println!("python: SKIPPED, {what}");
            Ok(())
        }
        Err(Problem::Missing(what)) => {
            Err(format!("python: {what}, and XCOLLIDE_REQUIRE_TOOLS asks for it"))
        }
        Err(Problem::Failed(what)) => Err(format!("python: {what}")),
    }
}

/// Builds the wheel, installs it and runs the tests.
///
/// # Errors
/// A tool is missing, or a test fails.
pub(crate) fn run(root: &Path, options: &PythonOptions) -> Result<(), String> {
    check(root, options).map_err(|problem| match problem {
        Problem::Missing(what) | Problem::Failed(what) => format!("python: {what}"),
    })
}

/// Why the chore did not end well.
#[derive(Debug, PartialEq)]
enum Problem {
    /// Python, or a package of the registry.
    Missing(String),
    Failed(String),
}

fn required() -> bool {
    env::var_os("XCOLLIDE_REQUIRE_TOOLS").is_some_and(|value| value == "1")
}

fn check(root: &Path, options: &PythonOptions) -> Result<(), Problem> {
    let python = environment(root, options)?;
    install(root, &python, options.release || options.bench)?;
    if options.bench {
        return compare(root, &python).map_err(Problem::Failed);
    }
    if options.no_tests {
        return Ok(());
    }
    let package = root.join(PACKAGE);
    let sources = sources(root, &python)?;
    let here = |arguments: &[&str]| {
        let mut command = Command::new(&python);
        command.args(arguments).current_dir(&package).env("XCOLLIDE_SOURCES", &sources);
        command
    };
    finish(here(&["-X", "dev", "-m", "pytest"]))?;
    finish(here(&["-m", "mypy", "-p", "xcollide"]))?;
    finish(here(&["-m", "mypy", "tests"]))?;
    finish(here(&["-m", "mypy.stubtest", "xcollide"]))
}

/// Compares with other libraries.
fn compare(root: &Path, python: &Path) -> Result<(), String> {
    const PART: &str = "python";
    bench::has_part(root, PART)?;
    let package = root.join(PACKAGE);
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"]);
    finish(command.arg("requirements-bench.txt").current_dir(&package)).map_err(|problem| {
        let (Problem::Missing(what) | Problem::Failed(what)) = problem;
        what
    })?;
    let mut command = Command::new(python);
    command.arg("benches/peers.py").current_dir(&package).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("benches/peers.py: {error}"))?;
    if !output.status.success() {
        return Err(format!("benches/peers.py: {}", output.status));
    }
    let versions = fs::read_to_string(package.join("requirements-bench.txt")).unwrap_or_default();
    let versions: Vec<&str> = versions.lines().filter(|line| !line.starts_with('#')).collect();
    let tables = String::from_utf8_lossy(&output.stdout);
    let command = format!("cargo xtask python --bench` with `{}", versions.join("`, `"));
    bench::write(root, PART, &command, &tables)
}

/// The Python of an environment with the pinned packages.
fn environment(root: &Path, options: &PythonOptions) -> Result<PathBuf, Problem> {
    let named = options.python.clone().or_else(|| env::var_os("XCOLLIDE_PYTHON").map(Into::into));
    let base = named.unwrap_or_else(|| "python3".into());
    let (major, minor) = version(&base)?;
    if (major, minor) < OLDEST {
        let (oldest, least) = OLDEST;
        let found = format!("{} is Python {major}.{minor}", base.display());
        return Err(Problem::Missing(format!("{found}, expected {oldest}.{least} or later")));
    }
    let place = root.join(PLACE).join(format!("venv-{major}.{minor}"));
    let python = place.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let lists = if required() { &LISTS[..] } else { &LISTS[..1] };
    let mut wanted = String::new();
    for list in lists {
        wanted += &fs::read_to_string(root.join(PACKAGE).join(list))
            .map_err(|error| Problem::Failed(format!("{list}: {error}")))?;
    }
    let installed = place.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(python);
    }
    let mut command = Command::new(&base);
    command.args(["-m", "venv", "--clear"]).arg(&place);
    finish(command).map_err(missing("no environment can be made"))?;
    let mut command = Command::new(&python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command.args(lists.iter().flat_map(|list| ["-r", list])).current_dir(root.join(PACKAGE));
    finish(command).map_err(missing("its packages cannot be installed"))?;
    fs::write(&installed, wanted)
        .map_err(|error| Problem::Failed(format!("{}: {error}", installed.display())))?;
    Ok(python)
}

/// The source distributions whose tests are run; they are fetched once.
///
/// Newer ones of python-fcl are wheels only, without tests.
const SOURCES: [(&str, &str, &str); 2] = [
    ("trimesh", "5.2.0", "trimesh-5.2.0.tar.gz"),
    ("python-fcl", "0.0.12", "python-fcl-0.0.12.tar.gz"),
];

/// The folder of the source distributions.
fn sources(root: &Path, python: &Path) -> Result<PathBuf, Problem> {
    let folder = root.join(PLACE).join("sources");
    for (name, version, file) in SOURCES {
        if folder.join(file).exists() {
            continue;
        }
        let mut command = Command::new(python);
        command.args(["-m", "pip", "download", "--quiet", "--disable-pip-version-check"]);
        command.args(["--no-deps", "--no-binary", name, "--dest"]).arg(&folder);
        command.arg(format!("{name}=={version}"));
        finish(command).map_err(missing("source distributions cannot be fetched"))?;
    }
    Ok(folder)
}

fn missing(what: &'static str) -> impl Fn(Problem) -> Problem {
    move |problem| match problem {
        Problem::Failed(why) | Problem::Missing(why) => Problem::Missing(format!("{what}: {why}")),
    }
}

/// The version of a Python.
fn version(python: &Path) -> Result<(u32, u32), Problem> {
    let program = "import sys; print(*sys.version_info[:2])";
    let none = |why: String| Problem::Missing(format!("{} does not run: {why}", python.display()));
    let output = Command::new(python).args(["-c", program]).output();
    let output = output.map_err(|error| none(error.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map(str::parse);
    match (numbers.next(), numbers.next()) {
        (Some(Ok(major)), Some(Ok(minor))) => Ok((major, minor)),
        _ => Err(none(output.status.to_string())),
    }
}

/// Builds the wheel and installs it into the environment.
fn install(root: &Path, python: &Path, release: bool) -> Result<(), Problem> {
    let wheels = root.join(PLACE).join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    let mut command = Command::new(python);
    // The development profile has debug assertions. The tests take 90 s longer without optimisation, and the build 200 s
    // less.
    let profile = if release { "release" } else { "dev" };
    command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0");
    command.args(["-m", "maturin", "build", "--quiet", "--profile", profile, "--out"]);
    command.arg(&wheels).arg("--interpreter").arg(python).env("CARGO_INCREMENTAL", "0");
    finish(command.current_dir(root.join(PACKAGE)))?;
    let wheel = fs::read_dir(&wheels).ok().and_then(|mut files| files.next()?.ok());
    let wheel = wheel.ok_or_else(|| Problem::Failed("maturin built no wheel".to_owned()))?.path();
    println!("python: {}", wheel.display());
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    finish(command.args(["--force-reinstall", "--no-deps"]).arg(wheel))
}

/// Runs a command to its end.
fn finish(mut command: impl std::borrow::BorrowMut<Command>) -> Result<(), Problem> {
    let command = command.borrow_mut();
    let text = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Problem::Failed(format!("{text}: {status}"))),
        Err(error) => Err(Problem::Failed(format!("{text}: cannot be started: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_python_that_is_none_is_missing() {
        let found = version(Path::new("/no/such/python"));
        let text = "/no/such/python does not run: ";
        assert!(
            matches!(&found, Err(Problem::Missing(what)) if what.starts_with(text)),
            "{found:?}"
        );
        // A program that prints no version.
        assert!(matches!(version(Path::new("cargo")), Err(Problem::Missing(_))));
    }

    #[test]
    fn a_command_that_fails_is_named() {
        let mut command = Command::new("cargo");
        command.arg("no-such-chore").stderr(Stdio::null());
        let found = finish(command);
        let named = matches!(&found, Err(Problem::Failed(text)) if text.contains("no-such-chore"));
        assert!(named, "{found:?}");
    }

    #[test]
    fn the_packages_are_pinned() {
        for list in LISTS.into_iter().chain(["requirements-bench.txt"]) {
            let text = fs::read_to_string(crate::root().join(PACKAGE).join(list));
            let text = text.unwrap_or_default();
            let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
            let pinned = !lines.is_empty() && lines.iter().all(|line| line.contains("=="));
            assert!(pinned, "{list}: {lines:?}");
        }
    }
}
