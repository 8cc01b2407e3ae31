//! Peers' programs and `xcollide check` on the same cases, in turns.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;

/// What a case is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Two triangle meshes, surfaces only.
    Mesh,
    /// Two hulls at poses that have nothing to do with each other.
    Convex,
    /// Two hulls in motion.
    Coherent,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Mesh, Self::Convex, Self::Coherent];

    /// Its folder, and how peers call it.
    fn name(self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::Convex => "convex",
            Self::Coherent => "coherent",
        }
    }

    /// The part of docs/benchmarks.md with its table.
    pub(super) fn part(self) -> &'static str {
        match self {
            Self::Mesh => "peers",
            Self::Convex => "peers-convex",
            Self::Coherent => "peers-coherent",
        }
    }

    /// The categories of poses, in turn.
    fn categories(self) -> &'static [&'static str] {
        match self {
            Self::Mesh => &["apart", "near", "shallow", "deep"],
            Self::Convex => &["apart", "touching", "overlapping"],
            Self::Coherent => &["in motion"],
        }
    }

    /// How we are asked.
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Mesh => &["--semantics", "surface", "--repeat", "3"],
            Self::Convex => &[],
            Self::Coherent => &["--coherent"],
        }
    }

    /// How often all poses of a case are gone through, and how often each is asked about in a row.
    /// Hulls take less time than it takes to learn a pose by heart, so no pose follows itself.
    fn passes_and_repeats(self) -> [usize; 2] {
        match self {
            Self::Mesh => [1, 3],
            Self::Convex | Self::Coherent => [10, 1],
        }
    }

    /// The unit of the table, in nanoseconds.
    fn unit(self) -> (&'static str, f64) {
        match self {
            Self::Mesh => ("Microseconds", 1000.0),
            Self::Convex | Self::Coherent => ("Nanoseconds", 1.0),
        }
    }
}

/// What ours is called.
const OURS: &str = "xcollide auto";

/// What one query brought.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Answer {
    hit: bool,
    nanoseconds: f64,
}

/// The answers of all rounds by case and program.
type Answers = BTreeMap<(String, String), Vec<Vec<Answer>>>;

/// Runs everybody, and makes a table of each kind of cases that there are.
///
/// # Errors
/// A program is missing, fails, or answers what cannot be understood.
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
    for kind in Kind::ALL {
        let folder = data.join(kind.name());
        let mut cases = if folder.is_dir() { folders(&folder)? } else { Vec::new() };
        cases.retain(|case| only.is_empty() || only.contains(&name(case)));
        if cases.is_empty() {
            continue;
        }
        let mut answers = Answers::new();
        for round in 1..=rounds {
            for case in &cases {
                eprintln!("peers: round {round} of {rounds}, {} {}", kind.name(), name(case));
                for peer in &peers {
                    for (program, found) in ask_peer(peer, data, kind, &name(case))? {
                        answers.entry((name(case), program)).or_default().push(found);
                    }
                }
                let ours = ask_ours(&xcollide, kind, case)?;
                answers.entry((name(case), OURS.to_owned())).or_default().push(ours);
            }
        }
        tables.push((kind, table(kind, &answers)));
    }
    if tables.is_empty() {
        let folders = Kind::ALL.map(Kind::name).join(", ");
        return Err(format!("peers: no case under {}/{{{folders}}}", data.display()));
    }
    Ok(tables)
}

/// The program, built as users build it.
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

/// What a peer answers by each of its variants; nothing where it does not know such cases.
fn ask_peer(
    peer: &Path,
    data: &Path,
    kind: Kind,
    case: &str,
) -> Result<Vec<(String, Vec<Answer>)>, String> {
    let [passes, repeats] = kind.passes_and_repeats();
    let folder = env::temp_dir().join(format!("xcollide-peers-{}", std::process::id()));
    let problem = |error: std::io::Error| format!("peers: {}: {error}", folder.display());
    fs::create_dir_all(&folder).map_err(problem)?;
    let status = Command::new(peer)
        .arg(data)
        .arg(kind.name())
        .env("CASE", case)
        .env("PER_QUERY", &folder)
        .env("PASSES", passes.to_string())
        .env("REPEAT", repeats.to_string())
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
        found.push((
            format!("{peer} {variant}"),
            lines(&text).map_err(|e| format!("peers: {stem}: {e}"))?,
        ));
    }
    fs::remove_dir_all(&folder).map_err(problem)?;
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

fn ask_ours(xcollide: &Path, kind: Kind, case: &Path) -> Result<Vec<Answer>, String> {
    let problem = |error: std::io::Error| format!("peers: {}: {error}", xcollide.display());
    let poses = fs::read_to_string(case.join("poses.txt")).map_err(problem)?;
    let [passes, _] = kind.passes_and_repeats();
    let mut program = Command::new(xcollide)
        .arg("check")
        .args(["a.off", "b.off"].map(|file| case.join(file)))
        .args(["--poses", "-", "--json", "--quiet"])
        .args(kind.arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(problem)?;
    let stdin = program.stdin.take();
    // Beside the program, which begins to write before it has read everything.
    let feeding = std::thread::spawn(move || {
        let mut stdin = stdin.into_iter();
        stdin.try_for_each(|mut pipe| (0..passes).try_for_each(|_| writeln!(pipe, "{poses}")))
    });
    let output = program.wait_with_output().map_err(problem)?;
    let fed = feeding.join().map_err(|_| "peers: a thread panicked".to_owned())?;
    if !output.status.success() {
        return Err(format!("peers: xcollide check: {}", output.status));
    }
    fed.map_err(problem)?;
    let all = records(&String::from_utf8_lossy(&output.stdout))?;
    Ok(shortest(&all, passes))
}

/// Of all passes over some queries the shortest times.
fn shortest(passes: &[Answer], count: usize) -> Vec<Answer> {
    let queries = passes.len() / count;
    let mut best: Vec<Answer> = passes.iter().copied().take(queries).collect();
    for (number, answer) in passes.iter().enumerate() {
        let best = &mut best[number % queries];
        best.nanoseconds = best.nanoseconds.min(answer.nanoseconds);
    }
    best
}

/// The answers among JSON Lines.
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

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Time a query by category: the mean over the queries of the median over the rounds.
fn means(kind: Kind, rounds: &[Vec<Answer>]) -> Vec<f64> {
    let queries = rounds.iter().map(Vec::len).min().unwrap_or(0);
    let categories = kind.categories().len();
    let (mut sums, mut counts) = (vec![0.0; categories], vec![0.0_f64; categories]);
    for query in 0..queries {
        let times = rounds.iter().map(|round| round[query].nanoseconds).collect();
        sums[query % categories] += median(times) / kind.unit().1;
        counts[query % categories] += 1.0;
    }
    sums.iter().zip(counts).map(|(sum, count)| sum / count.max(1.0)).collect()
}

/// A row for each program and case, ours first, the others with their multiple of ours.
fn table(kind: Kind, answers: &Answers) -> String {
    let mut text = format!(
        "{} a query, and in brackets how many times as long as ours.\n\n| case | program | ",
        kind.unit().0
    );
    text += &format!("{} | hits |\n", kind.categories().join(" | "));
    text += &format!("|---|---|{}---|\n", "---|".repeat(kind.categories().len()));
    let mut cases: Vec<&String> = answers.keys().map(|(case, _)| case).collect();
    cases.dedup();
    for case in cases {
        let Some(our_rounds) = answers.get(&(case.clone(), OURS.to_owned())) else { continue };
        let ours = means(kind, our_rounds);
        let others = answers.keys().filter(|(c, program)| c == case && program != OURS);
        let programs = std::iter::once(OURS).chain(others.map(|(_, program)| program.as_str()));
        for program in programs {
            let rounds = &answers[&(case.clone(), program.to_owned())];
            let cells: Vec<String> = means(kind, rounds)
                .iter()
                .zip(&ours)
                .map(|(time, our)| match program {
                    OURS => three(*time),
                    _ => format!("{} ({})", three(*time), three(time / our)),
                })
                .collect();
            let hits = rounds[0].iter().filter(|answer| answer.hit).count();
            let same = rounds[0].iter().zip(&our_rounds[0]).filter(|(a, b)| a.hit != b.hit).count();
            let differ = if same > 0 { format!(", {same} differ") } else { String::new() };
            text += &format!(
                "| {case} | {program} | {} | {hits} of {}{differ} |\n",
                cells.join(" | "),
                rounds[0].len()
            );
        }
    }
    text
}

/// Three digits.
fn three(value: f64) -> String {
    match value {
        v if v < 10.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
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
    fn times_are_medians_over_rounds_and_means_over_queries_and_differences_are_counted() {
        let round = |times: [f64; 8], hit: bool| -> Vec<Answer> {
            times.iter().map(|&t| Answer { hit, nanoseconds: t * 1000.0 }).collect()
        };
        let mut answers = Answers::new();
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
        let in_motion = table(Kind::Coherent, &answers);
        assert!(in_motion.contains("| case | xcollide auto | 2000 | 8 of 8 |"), "{in_motion}");
    }

    #[test]
    fn the_shortest_of_all_passes_counts() {
        let answer = |hit, nanoseconds| Answer { hit, nanoseconds };
        let passes = [answer(true, 5.0), answer(false, 9.0), answer(true, 7.0), answer(false, 8.0)];
        assert_eq!(shortest(&passes, 2), [answer(true, 5.0), answer(false, 8.0)]);
        assert!(shortest(&[], 2).is_empty());
    }
}
