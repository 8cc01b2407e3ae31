//! `cargo xtask ci`: all checks of a change, step by step.
//!
//! Fast steps run first. Tests run twice: all in the development profile, with arithmetic checks
//! and debug assertions, then the long ones, marked `#[ignore]`, in the optimised profile `soak`.
//! Documentation examples run with the tests. Clippy compiles the benchmarks; they are not run, as
//! times on a shared machine say nothing.

use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::{fixtures, layering, long_tests, loom, picture};

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

const STEPS: [Step; 9] = [
    Step { name: "fmt", action: Action::Cargo("fmt --all -- --check", &[]) },
    Step { name: "layering", action: Action::Here("cargo xtask layering", layering::run) },
    Step {
        name: "fixtures",
        action: Action::Here("cargo xtask fixtures --check", |root| {
            fixtures::run(&root.join("fixtures"), true)
        }),
    },
    Step {
        name: "picture",
        action: Action::Here("cargo xtask picture --check", |root| picture::run(root, true)),
    },
    Step {
        name: "clippy",
        action: Action::Cargo("clippy --workspace --all-targets -- -D warnings", &[]),
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
    Step { name: "long-tests", action: Action::Here("cargo xtask long-tests", long_tests::run) },
];

/// The names of the steps, in order.
pub(crate) fn step_names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// Prints the steps and their commands.
pub(crate) fn list(chosen: &[String]) {
    for step in select(chosen) {
        println!("{:<11} {}", step.name, step.action.text());
    }
}

/// Runs the chosen steps (all by default) up to the first failure.
pub(crate) fn run(root: &Path, chosen: &[String]) -> Result<(), String> {
    run_all(root, &select(chosen).collect::<Vec<_>>())
}

fn run_all(root: &Path, steps: &[&Step]) -> Result<(), String> {
    for (number, step) in steps.iter().enumerate() {
        let text = step.action.text();
        eprintln!("ci: step {} of {}, {}: {text}", number + 1, steps.len(), step.name);
        let began = Instant::now();
        step.action
            .run(root)
            .map_err(|problem| format!("{problem}\nci: FAILED at step {} ({text})", step.name))?;
        eprintln!("ci: {} took {} s", step.name, began.elapsed().as_secs());
    }
    eprintln!("ci: all {} steps passed", steps.len());
    Ok(())
}

fn select(chosen: &[String]) -> impl Iterator<Item = &'static Step> {
    STEPS
        .iter()
        .filter(move |step| chosen.is_empty() || chosen.iter().any(|name| name == step.name))
}

impl Action {
    fn text(&self) -> String {
        match self {
            Self::Here(text, _) => (*text).to_owned(),
            Self::Cargo(arguments, environment) => {
                let set = environment.iter().map(|(name, value)| format!("{name}={value:?} "));
                format!("{}cargo {arguments}", set.collect::<String>())
            }
        }
    }

    fn run(&self, root: &Path) -> Result<(), String> {
        match self {
            Self::Here(_, chore) => chore(root),
            Self::Cargo(arguments, environment) => {
                let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
                let mut command = Command::new(cargo);
                command.args(arguments.split(' ')).envs(environment.iter().copied());
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
            "fixtures",
            "picture",
            "clippy",
            "tests",
            "docs",
            "loom",
            "long-tests",
        ];
        assert_eq!(names(&[]), all);
        assert_eq!(names(&["docs", "fmt"]), ["fmt", "docs"]);
    }

    #[test]
    fn a_failing_command_is_an_error_that_names_it() {
        assert_eq!(Action::Cargo("--version --quiet", &[]).run(&crate::root()), Ok(()));
        let nowhere = crate::root().join("no such folder");
        let problem = Action::Cargo("--version --quiet", &[]).run(&nowhere);
        assert!(problem.is_err_and(|text| text.starts_with("cargo --version --quiet: ")));
    }

    #[test]
    fn the_first_failure_ends_the_run_and_names_its_step() {
        let failing = Step { name: "b", action: Action::Here("here", |_| Err("no".to_owned())) };
        let never =
            Step { name: "c", action: Action::Here("here", |_| panic!("runs after a failure")) };
        let fine = Step { name: "a", action: Action::Here("here", |_| Ok(())) };
        let problem = run_all(&crate::root(), &[&fine, &failing, &never]);
        assert_eq!(problem, Err("no\nci: FAILED at step b (here)".to_owned()));
        assert_eq!(run_all(&crate::root(), &[&fine]), Ok(()));
    }

    #[test]
    fn warnings_of_the_documentation_are_denied_as_those_of_clippy() {
        let texts: Vec<String> = STEPS.iter().map(|step| step.action.text()).collect();
        assert!(
            texts.iter().any(|text| text.starts_with("RUSTDOCFLAGS=\"-D warnings\" cargo doc"))
        );
        assert!(texts.iter().any(|text| text.ends_with("--all-targets -- -D warnings")));
    }
}
