//! `cargo xtask ci`: all checks of a change, step by step, fast ones first. The step of Python runs beside the tests, which
//! leave a processor idle at times.
//!
//! Tests run once, in the development profile, with arithmetic checks and debug assertions, and with a
//! sample of the long ones, whose seed is the date of the commit; `cargo xtask soak` runs these in full.
//! Clippy compiles the benchmarks; they are not run, as times on a shared machine say nothing.

mod quick;

use std::env;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::commit::Commit;
use crate::{cluster, layering, loom, python, structure};

struct Step {
    name: &'static str,
    action: Action,
}

enum Action {
    /// A chore of this program and its name.
    Here(&'static str, fn(&Path) -> Result<(), String>),
    /// Cargo with arguments, separated by blanks, and an environment.
    Cargo(&'static str, &'static [(&'static str, &'static str)]),
}

const STEPS: [Step; 10] = [
    Step { name: "fmt", action: Action::Cargo("fmt --all -- --check", &[]) },
    Step { name: "layering", action: Action::Here("cargo xtask layering", layering::run) },
    Step {
        name: "structure",
        action: Action::Here("cargo xtask structure --check", |root| {
            structure::run(root, true, None)
        }),
    },
    Step {
        name: "clippy",
        action: Action::Cargo("clippy --workspace --all-targets -- -D warnings", &[]),
    },
    Step {
        name: "build",
        action: Action::Cargo("test --workspace --exclude xcollide-benches --no-run", &[]),
    },
    Step {
        name: "tests",
        action: Action::Cargo("test --workspace --exclude xcollide-benches", &[]),
    },
    Step {
        name: "docs",
        action: Action::Cargo("doc --workspace --no-deps", &[("RUSTDOCFLAGS", "-D warnings")]),
    },
    Step { name: "loom", action: Action::Here("cargo xtask loom", loom::run) },
    Step {
        name: "cluster",
        action: Action::Here("cargo xtask cluster, if its sources have changed", cluster::step),
    },
    Step { name: "python", action: Action::Here("cargo xtask python", python::step) },
];

/// The step that runs beside the tests.
const BESIDE_TESTS: &str = "python";

/// The names of the steps, in order.
pub(crate) fn step_names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// Prints the steps and their commands.
pub(crate) fn list(chosen: &[String]) {
    for step in select(chosen) {
        println!("{:<9} {}", step.name, step.action.text(&[]));
    }
}

/// Runs the chosen steps (all by default) up to the first failure; with `quick` on changed crates only.
///
/// # Errors
/// A step fails, or the changed crates cannot be found.
pub(crate) fn run(root: &Path, chosen: &[String], quick: bool) -> Result<(), String> {
    let crates = if quick { quick::changed(root)? } else { Vec::new() };
    if quick {
        let names = if crates.is_empty() { "no crate".to_owned() } else { crates.join(", ") };
        eprintln!("ci: changed: {names}");
    }
    let steps: Vec<&Step> = select(chosen)
        .filter(|step| {
            let whole = ["docs", "loom", "cluster"].contains(&step.name)
                || step.name == "python" && !crates.iter().any(|name| name == "xcollide-python");
            let of_crates = matches!(step.action, Action::Cargo(..)) && step.name != "fmt";
            !quick || !(whole || of_crates && crates.is_empty())
        })
        .collect();
    run_all(root, &steps, &crates)
}

fn run_all(root: &Path, steps: &[&Step], crates: &[String]) -> Result<(), String> {
    let seed = Commit::read(root).seed();
    eprintln!("ci: XCOLLIDE_SEED={seed} chooses the samples of long tests");
    let is_tests = |step: &&Step| step.name == "tests";
    let has_tests = steps.iter().any(is_tests);
    let (beside, in_turn): (Vec<&Step>, Vec<&Step>) =
        steps.iter().partition(|step| has_tests && step.name == BESIDE_TESTS);
    for (number, step) in in_turn.iter().enumerate() {
        let text = step.action.text(crates);
        eprintln!("ci: step {} of {}, {}: {text}", number + 1, in_turn.len(), step.name);
        let began = Instant::now();
        let other = beside.first().filter(|_| is_tests(step));
        thread::scope(|scope| {
            let other = other.map(|other| scope.spawn(|| apart(other)));
            let done = step
                .action
                .run(root, seed, crates)
                .map_err(|problem| format!("{problem}\nci: FAILED at step {} ({text})", step.name));
            eprintln!("ci: {} took {} s", step.name, began.elapsed().as_secs());
            let other = other.map(|other| other.join().unwrap_or(Err("ci: a panic".to_owned())));
            done.and(other.unwrap_or(Ok(())))
        })?;
    }
    eprintln!("ci: all {} steps passed", steps.len());
    Ok(())
}

/// Runs a step in a process of its own, and prints at its end what it printed, with the time that it took.
fn apart(step: &Step) -> Result<(), String> {
    let program = env::current_exe().map_err(|error| format!("ci: {error}"))?;
    let ran = Command::new(program).args(["ci", step.name]).output();
    let ran = ran.map_err(|error| format!("ci: {} cannot be started: {error}", step.name))?;
    eprint!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    if ran.status.success() { Ok(()) } else { Err(format!("{}: {}", step.name, ran.status)) }
}

fn select(chosen: &[String]) -> impl Iterator<Item = &'static Step> {
    STEPS
        .iter()
        .filter(move |step| chosen.is_empty() || chosen.iter().any(|name| name == step.name))
}

impl Action {
    /// Cargo's arguments, for these crates instead of the workspace unless there are none.
    fn arguments(arguments: &str, crates: &[String]) -> String {
        if crates.is_empty() {
            return arguments.to_owned();
        }
        let chosen: String = crates.iter().map(|name| format!("-p {name} ")).collect();
        let whole = ["--workspace --exclude xcollide-benches", "--workspace"];
        whole.iter().fold(arguments.to_owned(), |text, all| text.replace(all, chosen.trim()))
    }

    fn text(&self, crates: &[String]) -> String {
        match self {
            Self::Here(text, _) => (*text).to_owned(),
            Self::Cargo(arguments, environment) => {
                let set = environment.iter().map(|(name, value)| format!("{name}={value:?} "));
                format!("{}cargo {}", set.collect::<String>(), Self::arguments(arguments, crates))
            }
        }
    }

    fn run(&self, root: &Path, seed: u64, crates: &[String]) -> Result<(), String> {
        match self {
            Self::Here(_, chore) => chore(root),
            Self::Cargo(arguments, environment) => {
                let arguments = Self::arguments(arguments, crates);
                let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
                let mut command = Command::new(cargo);
                command.args(arguments.split(' ')).envs(environment.iter().copied());
                // What is built here is not built again: incremental files would only take time.
                command.env("CARGO_INCREMENTAL", "0").env("XCOLLIDE_SEED", seed.to_string());
                match command.current_dir(root).status() {
                    Ok(status) if status.success() => Ok(()),
                    Ok(status) => Err(format!("cargo {arguments}: {status}")),
                    Err(error) => Err(format!("cargo {arguments}: cannot be started: {error}")),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_run_when_nothing_is_chosen_and_order_does_not_depend_on_the_choice() {
        let names = |chosen: &[&str]| -> Vec<&str> {
            let chosen: Vec<String> = chosen.iter().map(|&name| name.to_owned()).collect();
            select(&chosen).map(|step| step.name).collect()
        };
        let all = [
            "fmt",
            "layering",
            "structure",
            "clippy",
            "build",
            "tests",
            "docs",
            "loom",
            "cluster",
            "python",
        ];
        assert_eq!(names(&[]), all);
        assert_eq!(names(&["docs", "fmt"]), ["fmt", "docs"]);
    }

    #[test]
    fn crates_take_the_place_of_the_workspace() {
        let crates = ["a".to_owned(), "b".to_owned()];
        let tests = "test --workspace --exclude xcollide-benches";
        assert_eq!(Action::arguments(tests, &crates), "test -p a -p b");
        assert_eq!(Action::arguments(tests, &[]), tests);
        assert_eq!(
            Action::arguments("clippy --workspace -- -D w", &crates),
            "clippy -p a -p b -- -D w"
        );
    }

    #[test]
    fn a_failing_command_is_an_error_that_names_it() {
        let run = |action: Action, root: &Path| action.run(root, 0, &[]);
        assert_eq!(run(Action::Cargo("--version --quiet", &[]), &crate::root()), Ok(()));
        let nowhere = crate::root().join("no such folder");
        let problem = run(Action::Cargo("--version --quiet", &[]), &nowhere);
        assert!(problem.is_err_and(|text| text.contains("cannot be started")));
    }
}
