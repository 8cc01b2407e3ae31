//! Runs the peers' programs and ours on the same cases, in turns.
//!
//! Meshes are timed query by query, ours by `xcollide check`. Queries of hulls are hardly longer
//! than reading the clock, so whole passes over all poses of a category are timed, ours by the
//! bench `cases`.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

use super::mixed;
use super::table::table;

/// The kind of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Two triangle meshes, surfaces only.
    Mesh,
    /// Two hulls at unrelated poses.
    Convex,
    /// Two hulls in motion.
    Coherent,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Mesh, Self::Convex, Self::Coherent];

    /// Its folder, and its name for peers.
    fn name(self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::Convex => "convex",
            Self::Coherent => "coherent",
        }
    }

    /// The part of docs/benchmarks.md for its table.
    pub(super) fn part(self) -> &'static str {
        match self {
            Self::Mesh => "peers",
            Self::Convex => "peers-convex",
            Self::Coherent => "peers-coherent",
        }
    }

    /// The columns: the categories of poses, alternating; of hulls also all of them in their order, as one category.
    pub(super) fn categories(self) -> &'static [&'static str] {
        match self {
            Self::Mesh => &["apart", "near", "shallow", "deep"],
            Self::Convex => &["apart", "touching", "overlapping", "mixed"],
            Self::Coherent => &["in motion"],
        }
    }

    /// Whether all queries of a category are timed together, as single queries of hulls are hardly
    /// longer than reading the clock.
    fn by_passes(self) -> bool {
        self != Self::Mesh
    }

    /// The unit of the table, in nanoseconds.
    pub(super) fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Mesh => ("Microseconds", 1000.0),
            Self::Convex | Self::Coherent => ("Nanoseconds", 1.0),
        }
    }
}

/// The name of ours.
pub(super) const OURS: &str = "xcollide auto";

/// Its batch variant, if any.
pub(super) const AT_ONCE: &str = "xcollide auto, 256 pairs at once";

/// Times and answers of a program on a case.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Round {
    /// Mean nanoseconds a query by category.
    pub(super) times: Vec<f64>,
    pub(super) hits: usize,
    pub(super) queries: usize,
    /// The single answers, if reported.
    pub(super) answers: Vec<bool>,
}

/// The result of one query.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Answer {
    hit: bool,
    nanoseconds: f64,
}

impl Round {
    /// Query number i belongs to category i mod their number.
    fn of(kind: Kind, answers: &[Answer]) -> Self {
        let categories = kind.categories().len();
        let mean = |category: usize| {
            let times = answers.iter().skip(category).step_by(categories).map(|a| a.nanoseconds);
            times.clone().sum::<f64>() / times.count().max(1) as f64
        };
        let answers_only: Vec<bool> = answers.iter().map(|answer| answer.hit).collect();
        Self {
            times: (0..categories).map(mean).collect(),
            hits: answers_only.iter().filter(|&&hit| hit).count(),
            queries: answers.len(),
            answers: answers_only,
        }
    }
}

/// All rounds by case and program.
pub(super) type Rounds = BTreeMap<(String, String), Vec<Round>>;

/// Runs all programs and makes a table of each kind of cases.
///
/// # Errors
/// A program is missing, fails, or its output is malformed.
pub(super) fn run(
    root: &Path,
    programs: &Path,
    data: &Path,
    only: &[String],
    rounds: usize,
) -> Result<Vec<(Kind, String)>, String> {
    let xcollide = built(root)?;
    let peers = executables(programs)?;
    let mut tables = Vec::new();
    // Relative to the caller's folder, not that of the benches.
    let data = &fs::canonicalize(data).map_err(|e| format!("peers: {}: {e}", data.display()))?;
    for kind in Kind::ALL {
        let folder = data.join(kind.name());
        let mut cases = if folder.is_dir() { folders(&folder)? } else { Vec::new() };
        cases.retain(|case| only.is_empty() || only.contains(&name(case)));
        if cases.is_empty() {
            continue;
        }
        let mut answers = Rounds::new();
        let mixed = if kind == Kind::Convex { Some(mixed::copy_of(&cases)?) } else { None };
        for round in 1..=rounds {
            for case in &cases {
                eprintln!("peers: round {round} of {rounds}, {} {}", kind.name(), name(case));
                let ask = |data: &Path| {
                    let mut found = Vec::new();
                    for peer in &peers {
                        found.extend(ask_peer(peer, data, kind, &name(case))?);
                    }
                    let ours = if kind.by_passes() {
                        passes_of_ours(root, data, kind, &name(case))?
                    } else {
                        vec![ask_ours(&xcollide, case)?]
                    };
                    let names = [OURS, AT_ONCE].map(str::to_owned);
                    found.extend(names.into_iter().zip(ours));
                    Ok::<_, String>(found)
                };
                let mut found = ask(data)?;
                if let Some(mixed) = &mixed {
                    add_column(&mut found, ask(mixed)?);
                }
                for (program, round) in found {
                    answers.entry((name(case), program)).or_default().push(round);
                }
            }
        }
        if let Some(mixed) = mixed {
            fs::remove_dir_all(&mixed).map_err(|e| format!("peers: {}: {e}", mixed.display()))?;
        }
        tables.push((kind, table(kind, &answers)));
    }
    if tables.is_empty() {
        let folders = Kind::ALL.map(Kind::name).join(", ");
        return Err(format!("peers: no case under {}/{{{folders}}}", data.display()));
    }
    Ok(tables)
}

/// Adds the times of the same programs on the same poses as one category.
fn add_column(found: &mut [(String, Round)], mixed: Vec<(String, Round)>) {
    for (program, round) in mixed {
        if let Some((_, known)) = found.iter_mut().find(|(known, _)| *known == program) {
            known.times.extend(round.times);
        }
    }
}

/// Our program, built as users build it.
fn built(root: &Path) -> Result<PathBuf, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["build", "--release", "-p", "xcollide-lab"])
        .current_dir(root)
        .status()
        .map_err(|error| format!("peers: cargo cannot be started: {error}"))?;
    if !status.success() {
        return Err(format!("peers: cargo build --release: {status}"));
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    Ok(target.join("release/xcollide"))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let problem = |error| format!("peers: {}: {error}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(problem)? {
        paths.push(entry.map_err(problem)?.path());
    }
    paths.sort();
    Ok(paths)
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(entries(folder)?.into_iter().filter(|path| path.is_dir()).collect())
}

/// The programs of a folder.
fn executables(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let programs: Vec<_> = entries(folder)?.into_iter().filter(|path| path.is_file()).collect();
    if programs.is_empty() {
        return Err(format!("peers: no program in {}", folder.display()));
    }
    Ok(programs)
}

/// Output of a peer by variant; empty if it does not support the case.
fn ask_peer(
    peer: &Path,
    data: &Path,
    kind: Kind,
    case: &str,
) -> Result<Vec<(String, Round)>, String> {
    let folder = env::temp_dir().join(format!("xcollide-peers-{}", std::process::id()));
    let problem = |error: std::io::Error| format!("peers: {}: {error}", folder.display());
    let mut command = Command::new(peer);
    command.arg(data).arg(kind.name()).env("CASE", case);
    if kind.by_passes() {
        return passes_of(command, &name(peer));
    }
    fs::create_dir_all(&folder).map_err(problem)?;
    let status = command
        .env("PER_QUERY", &folder)
        .env("PASSES", "1")
        .env("REPEAT", "3")
        .stdout(Stdio::null())
        .status()
        .map_err(|error| format!("peers: {}: {error}", peer.display()))?;
    if !status.success() {
        eprintln!("peers: {} has nothing to say of {case}: {status}", name(peer));
    }
    let mut found = Vec::new();
    for file in entries(&folder)? {
        let text = fs::read_to_string(&file).map_err(problem)?;
        // PEER--KIND--CASE--VARIANT.txt
        let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let parts: Vec<&str> = stem.split("--").collect();
        let [peer, _, _, variant] = parts[..] else {
            return Err(format!("peers: {stem}: expected PEER--KIND--CASE--VARIANT"));
        };
        let answers = lines(&text).map_err(|e| format!("peers: {stem}: {e}"))?;
        found.push((format!("{peer} {variant}"), Round::of(kind, &answers)));
    }
    fs::remove_dir_all(&folder).map_err(problem)?;
    Ok(found)
}

/// A program's output about whole passes, by variant.
fn passes_of(mut command: Command, program: &str) -> Result<Vec<(String, Round)>, String> {
    let problem = |error| format!("peers: {program}: {error}");
    let output = command.stderr(Stdio::inherit()).output().map_err(problem)?;
    if !output.status.success() {
        eprintln!("peers: {program} has nothing to say: {}", output.status);
    }
    passes(&String::from_utf8_lossy(&output.stdout)).map_err(|e| format!("peers: {program}: {e}"))
}

/// Output of our bench: single queries and batches.
fn passes_of_ours(root: &Path, data: &Path, kind: Kind, case: &str) -> Result<Vec<Round>, String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["bench", "--quiet", "-p", "xcollide-benches", "--bench", "cases", "--"]);
    command.arg(data).arg(kind.name()).env("CASE", case).current_dir(root);
    let found = passes_of(command, "cargo bench --bench cases")?;
    if found.is_empty() {
        return Err(format!("peers: the bench `cases` has nothing to say of {case}"));
    }
    Ok(found.into_iter().map(|(_, round)| round).collect())
}

/// Lines of "peer,kind,case,variant,category,median ns,smallest ns,hits,queries", by variant.
fn passes(text: &str) -> Result<Vec<(String, Round)>, String> {
    let mut found: Vec<(String, Round)> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let wrong = || {
            let expected = "peer,kind,case,variant,category,median,smallest,hits,queries";
            format!("line {}: found {line:?}, expected {expected}", number + 1)
        };
        let fields: Vec<&str> = line.split(',').collect();
        let [peer, _, _, variant, category, median, _, hits, queries] = fields[..] else {
            return Err(wrong());
        };
        let count = |field: &str| field.parse::<usize>().map_err(|_| wrong());
        let program = format!("{peer} {variant}");
        if found.last().is_none_or(|(last, _)| *last != program) {
            found.push((program, Round::default()));
        }
        let Some((_, round)) = found.last_mut() else { return Err(wrong()) };
        if count(category)? != round.times.len() {
            return Err(wrong());
        }
        round.times.push(median.parse().map_err(|_| wrong())?);
        round.hits += count(hits)?;
        round.queries += count(queries)?;
    }
    Ok(found)
}

/// Lines of "hit nanoseconds".
fn lines(text: &str) -> Result<Vec<Answer>, String> {
    let line = |(number, line): (usize, &str)| {
        let mut words = line.split_whitespace();
        let hit = match words.next() {
            Some("0") => Some(false),
            Some("1") => Some(true),
            _ => None,
        };
        let nanoseconds = words.next().and_then(|word| word.parse().ok());
        hit.zip(nanoseconds).map(|(hit, nanoseconds)| Answer { hit, nanoseconds }).ok_or_else(
            || format!("line {}: found {line:?}, expected 0 or 1 and nanoseconds", number + 1),
        )
    };
    text.lines().enumerate().map(line).collect()
}

#[derive(Deserialize)]
struct Record {
    verdict: Option<String>,
    ns: Option<f64>,
}

fn ask_ours(xcollide: &Path, case: &Path) -> Result<Round, String> {
    let output = Command::new(xcollide)
        .arg("check")
        .args(["a.off", "b.off"].map(|file| case.join(file)))
        .arg("--poses")
        .arg(case.join("poses.txt"))
        .args(["--json", "--quiet", "--semantics", "surface", "--repeat", "3"])
        .output()
        .map_err(|error| format!("peers: {}: {error}", xcollide.display()))?;
    if !output.status.success() {
        return Err(format!("peers: xcollide check: {}", output.status));
    }
    Ok(Round::of(Kind::Mesh, &records(&String::from_utf8_lossy(&output.stdout))?))
}

/// The answers from JSON Lines.
fn records(text: &str) -> Result<Vec<Answer>, String> {
    let mut answers = Vec::new();
    for line in text.lines() {
        let record: Record =
            serde_json::from_str(line).map_err(|error| format!("peers: {line}: {error}"))?;
        if let (Some(verdict), Some(nanoseconds)) = (record.verdict, record.ns) {
            answers.push(Answer { hit: verdict == "collides", nanoseconds });
        }
    }
    Ok(answers)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_write_is_read_or_refused_by_line() {
        let answers = lines("1 1500\n0 20.5\n").unwrap();
        assert_eq!(answers[0], Answer { hit: true, nanoseconds: 1500.0 });
        assert_eq!(answers[1], Answer { hit: false, nanoseconds: 20.5 });
        assert!(lines("1 5\n2 5\n").unwrap_err().starts_with("line 2: found \"2 5\""));
        let ours = "{\"query\":0,\"verdict\":\"collides\",\"ns\":7}\n{\"summary\":{}}\n";
        assert_eq!(records(ours).unwrap(), [Answer { hit: true, nanoseconds: 7.0 }]);
        assert!(records("nothing").unwrap_err().contains("nothing"));
    }

    #[test]
    fn times_are_medians_over_rounds_of_means_over_queries_and_differences_are_counted() {
        let round = |times: [f64; 8], hit: bool| {
            let answers = times.map(|t| Answer { hit, nanoseconds: t * 1000.0 });
            Round::of(Kind::Mesh, &answers)
        };
        let mut answers = Rounds::new();
        let key = |program: &str| ("case".to_owned(), program.to_owned());
        answers.insert(
            key(OURS),
            vec![round([1.0; 8], true), round([2.0; 8], true), round([90.0; 8], true)],
        );
        answers.insert(
            key("peer gjk"),
            vec![round([4.0, 8.0, 20.0, 40.0, 8.0, 8.0, 20.0, 40.0], false)],
        );
        let expected = "| case | xcollide auto | 2.00 | 2.00 | 2.00 | 2.00 | 8 of 8 |\n\
            | case | peer gjk | 6.00 (3.00) | 8.00 (4.00) | 20.0 (10.0) | 40.0 (20.0) | 0 of 8, 8 differ |\n";
        let of_meshes = table(Kind::Mesh, &answers);
        assert!(of_meshes.ends_with(expected), "{of_meshes}");
    }

    #[test]
    fn whole_passes_are_read_by_variant_or_refused_by_line() {
        let text = "ccd,convex,n8,GJK,0,100.5,99,0,10\nccd,convex,n8,GJK,1,300,299,6,10\n\
            ccd,convex,n8,MPR,0,50,49,0,10\n";
        let found = passes(text).unwrap();
        assert_eq!(found[0].0, "ccd GJK");
        let expected = Round { times: vec![100.5, 300.0], hits: 6, queries: 20, answers: vec![] };
        assert_eq!(found[0].1, expected);
        assert_eq!((found[1].0.as_str(), found[1].1.times.len(), found.len()), ("ccd MPR", 1, 2));
        for wrong in ["ccd,convex", "ccd,convex,n8,GJK,1,5,5,0,1", "ccd,convex,n8,GJK,0,five,5,0,1"]
        {
            assert!(passes(wrong).unwrap_err().starts_with("line 1: found"), "{wrong}");
        }
        let mut answers = Rounds::new();
        answers.insert(("n8".to_owned(), OURS.to_owned()), vec![expected.clone()]);
        let hulls = table(Kind::Convex, &answers);
        assert!(
            hulls.contains("| n8 | xcollide auto | 100 | 300 | NaN | NaN | 6 of 20 |"),
            "{hulls}"
        );
        let faster = Round { times: vec![50.0, 100.0], ..expected.clone() };
        answers.insert(("n8".to_owned(), AT_ONCE.to_owned()), vec![faster]);
        answers.insert(("n8".to_owned(), "ccd GJK".to_owned()), vec![expected]);
        let hulls = table(Kind::Convex, &answers);
        let row = "| n8 | ccd GJK | 100 (1.00, 2.01) | 300 (1.00, 3.00) | NaN (NaN, NaN) | \
            NaN (NaN, NaN) | 6 of 20 |";
        assert!(hulls.contains(row), "{hulls}");
        assert!(
            hulls.contains("| n8 | xcollide auto, 256 pairs at once | 50.0 | 100 |"),
            "{hulls}"
        );
    }
    #[test]
    fn poses_as_one_category_are_one_more_column_of_the_same_program() {
        let round = |times: &[f64]| Round { times: times.to_vec(), hits: 3, ..Round::default() };
        let named = |name: &str, times: &[f64]| (name.to_owned(), round(times));
        let mut found = vec![named("ccd GJK", &[1.0, 2.0]), named("ccd MPR", &[3.0, 4.0])];
        add_column(&mut found, vec![named("ccd MPR", &[5.0]), named("fcl", &[6.0])]);
        let expected = [named("ccd GJK", &[1.0, 2.0]), named("ccd MPR", &[3.0, 4.0, 5.0])];
        assert_eq!(found, expected);
    }
}
