//! The benchmark runs.

/// A benchmark with its arguments and its name in the document.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) name: &'static str,
    /// The bench program; for [`Tables::Paper`] the experiment.
    pub(super) bench: &'static str,
    pub(super) arguments: &'static [&'static str],
    pub(super) environment: &'static [(&'static str, &'static str)],
    pub(super) tables: Tables,
}

/// The origin of a benchmark's tables.
#[derive(Debug)]
pub(super) enum Tables {
    /// It prints Markdown.
    Printed,
    /// Criterion's result files.
    Criterion,
    /// `xcollide compare --paper`, which prints tables for a terminal.
    Paper,
}

impl Run {
    /// The command to run it by hand.
    pub(super) fn command(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.environment {
            text += &format!("{name}={value} ");
        }
        text += "cargo ";
        let word = |word: &str| if word.is_empty() { "''".to_owned() } else { word.to_owned() };
        text += &self.cargo(&[]).into_iter().map(word).collect::<Vec<_>>().join(" ");
        text
    }

    /// Cargo's arguments to run it, or with `--no-run` to build it.
    pub(super) fn cargo(&self, more: &[&'static str]) -> Vec<&'static str> {
        let only_build = more.contains(&"--no-run");
        let mut arguments = match (&self.tables, only_build) {
            (Tables::Paper, true) => return vec!["build", "--release", "-p", "xcollide-lab"],
            (Tables::Paper, false) => {
                return vec![
                    "run",
                    "--release",
                    "-p",
                    "xcollide-lab",
                    "--",
                    "compare",
                    "--paper",
                    self.bench,
                ];
            }
            _ => vec!["bench", "-p", "xcollide-benches", "--bench", self.bench],
        };
        arguments.extend(more);
        if !only_build && !self.arguments.is_empty() {
            arguments.push("--");
            arguments.extend(self.arguments);
        }
        arguments
    }
}

const fn printed(
    name: &'static str,
    bench: &'static str,
    arguments: &'static [&'static str],
) -> Run {
    Run { name, bench, arguments, environment: &[], tables: Tables::Printed }
}

const fn criterion(name: &'static str, arguments: &'static [&'static str]) -> Run {
    Run { name, bench: name, arguments, environment: &[], tables: Tables::Criterion }
}

const fn paper(name: &'static str) -> Run {
    Run { name, bench: name, arguments: &[], environment: &[], tables: Tables::Paper }
}

/// All runs, in the order of the document.
pub(super) const RUNS: [Run; 42] = [
    printed("mesh", "mesh", &[]),
    printed("coherent", "coherent", &[]),
    printed("proximity", "proximity", &[]),
    printed("rays", "rays", &[]),
    printed("overlap_volume", "overlap_volume", &[]),
    printed("inner_spheres", "inner_spheres", &[]),
    Run {
        name: "build",
        bench: "build",
        arguments: &[],
        environment: &[("XCOLLIDE_BENCH_LARGE", "1")],
        tables: Tables::Printed,
    },
    printed("volumes", "volumes", &[]),
    paper("zachmann-3.35"),
    criterion("narrow", &["--quick"]),
    criterion("predicates", &["--quick"]),
    printed("motion", "motion", &[]),
    printed("models", "motion", &["models"]),
    printed("sweep", "sweep", &[]),
    printed("flexible", "flexible", &["24"]),
    printed("self-intersection", "self_intersection", &["--quick"]),
    printed("refit", "refit", &[]),
    printed("clash", "clash", &[]),
    criterion("bounds", &["--quick"]),
    criterion("brep", &["--quick"]),
    criterion("hull", &["--quick"]),
    printed("convex", "convex", &[]),
    printed(
        "convex-algorithms",
        "convex",
        &[
            "20",
            "100",
            "500",
            "separating-vector",
            "gilbert",
            "gilbert-johnson",
            "gilbert-signed-volumes",
            "closest-features",
            "sat",
            "cyrus-beck",
            "separating-plane",
        ],
    ),
    printed("supports", "support", &[]),
    printed("perceptron", "perceptron", &[]),
    printed("chung", "chung", &[]),
    printed("shapes", "shapes", &[]),
    printed(
        "broad",
        "broad",
        &["1000,10000", "", "Moving,MostlyStatic,Sizes,Tumbling,ThinTumbling"],
    ),
    printed(
        "broad-large",
        "broad",
        &[
            "100000",
            "auto,auto+,neighbour-list,neighbour-list+,hash-grid,hash-grid+,wide-tree,wide-tree+,sweep,dynamic-tree,parry-refit,rapier",
            "Moving,MostlyStatic,Sizes,Tumbling,ThinTumbling",
        ],
    ),
    printed(
        "broad-alone",
        "broad",
        &[
            "alone",
            "1000,10000,100000",
            "auto,neighbour-list,hash-grid,wide-tree,parry-refit",
            "Moving,MostlyStatic,Sizes,Tumbling,ThinTumbling",
        ],
    ),
    printed(
        "broad-million",
        "broad",
        &["1000000", "auto,hash-grid,wide-tree,parry-refit,rapier", "Moving,MostlyStatic,Sizes"],
    ),
    Run {
        name: "broad-threads",
        bench: "broad",
        arguments: &[
            "10000,100000",
            "auto,auto+,hash-grid,hash-grid+,wide-tree,wide-tree+,sweep,sweep+",
            "Moving",
        ],
        environment: &[("RAYON_NUM_THREADS", "2")],
        tables: Tables::Printed,
    },
    printed("broad-winners", "broad", &["winners"]),
    paper("zachmann-5.4.4"),
    paper("zachmann-5.14"),
    paper("zachmann-5.5.2"),
    paper("zachmann-5.22"),
    printed("multibody", "multibody", &[]),
    printed("world", "world", &[]),
    printed("grain", "grain", &[]),
    printed("stages", "stages", &[]),
    printed("concurrency", "concurrency", &[]),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn every_run_is_of_a_benchmark_that_there_is() {
        let manifest = fs::read_to_string(crate::root().join("benches/Cargo.toml"));
        let Ok(manifest) = manifest else { panic!("no benches") };
        let there: BTreeSet<&str> = manifest
            .split("[[bench]]")
            .skip(1)
            .filter_map(|text| text.split("name = \"").nth(1)?.split('"').next())
            // `cargo xtask peers` runs the one, and the other needs a graphics card.
            .filter(|name| !["cases", "view"].contains(name))
            .collect();
        let benches = RUNS.iter().filter(|run| !matches!(run.tables, Tables::Paper));
        let run: BTreeSet<&str> = benches.map(|run| run.bench).collect();
        assert_eq!(run, there, "a run without a program, or a program that is never run");
        let names: BTreeSet<&str> = RUNS.iter().map(|run| run.name).collect();
        assert_eq!(names.len(), RUNS.len(), "two runs of one name");
    }

    #[test]
    fn every_run_has_its_part_of_the_document() {
        let text = fs::read_to_string(crate::root().join("docs/benchmarks.md")).unwrap_or_default();
        for run in &RUNS {
            let found = super::super::block::replaced(&text, run.name, "");
            assert!(found.is_ok(), "{found:?}");
        }
    }

    #[test]
    fn commands_can_be_typed() {
        let run = &RUNS[RUNS.len() - 1];
        assert_eq!(run.command(), "cargo bench -p xcollide-benches --bench concurrency");
        let broad =
            RUNS.iter().find(|run| run.name == "broad").map(Run::command).unwrap_or_default();
        assert!(
            broad.ends_with(
                "--bench broad -- 1000,10000 '' Moving,MostlyStatic,Sizes,Tumbling,ThinTumbling"
            ),
            "{broad}"
        );
        let threads = RUNS.iter().find(|run| run.name == "broad-threads");
        let command = threads.map(Run::command).unwrap_or_default();
        assert!(command.starts_with("RAYON_NUM_THREADS=2 cargo bench "), "{command}");
        assert!(command.contains(" -- 10000,100000 auto,auto+,"), "{command}");
    }
}
