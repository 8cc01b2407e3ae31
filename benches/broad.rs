//! Broad phases on the same moving boxes, in turns by frame, beside parry's `Bvh` and rapier's
//! `BroadPhaseBvh`; prints the tables of `docs/benchmarks.md`.
//!
//! `cargo bench -p xcollide-benches --bench broad [-- SIZES [NAMES [CROWDS]]]`, such as `1000,10000
//! hash-grid,parry-refit Moving` or `1000 all Moving`; `-- winners` prints the fastest of ours for each kind of crowd;
//! `-- alone [SIZES [NAMES [CROWDS]]]` the growth of the time with the caches to itself. A figure
//! is the time of a frame in milliseconds: updating the moved boxes and finding the pairs; for
//! ours, also sorting them and comparing them with those of the last frame. In every frame ours
//! must find the same pairs, and parry as many.
//!
//! Frames that rebuild something take longer, so a figure is the median over blocks of frames of
//! the mean in a block. The first half of the frames, in which adaptive algorithms settle, does not
//! count. A broad phase that takes more than [`SHARE`] times as long as the fastest runs fewer frames.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::iter;
use std::time::Instant;

use xcollide_benches::crowd::{Crowd, World};
use xcollide_benches::rank::ranked;
use xcollide_benches::subject::{Ours, Parry, Rapier, Subject};
use xcollide_broad::{HashGrid, catalogue};

/// The referee that all of ours are compared with.
const REFEREE: &str = "hash-grid";

/// Those whose time grows faster than that of others, and above how many boxes they are left out where
/// they are not asked for by name.
const SLOW: [(&str, usize); 14] = [
    ("all-pairs", 3_000),
    ("axis-sort", 10_000),
    ("rectangle-sweep", 30_000),
    ("slab-octree", 30_000),
    ("octree", 30_000),
    ("grid", 30_000),
    ("grid-indexed", 30_000),
    ("grid-stabbed", 30_000),
    ("centre-grid", 30_000),
    ("sweep-and-prune", 30_000),
    ("space-time", 30_000),
    ("parry-rebuild", 30_000),
    ("sweep", 100_000),
    ("rapier", 100_000),
];

/// The time limit of a broad phase after [`FEWEST`] frames, in multiples of what the fastest takes for all frames.
const SHARE: f64 = 4.0;
const FEWEST: usize = 24;

/// Others are compared with it, so it takes all frames: its hierarchy settles in some hundred.
const PEER: &str = "parry-refit";

fn subjects(world: &World, only: &[String]) -> Vec<(String, Box<dyn Subject>)> {
    let count = world.boxes.len();
    let asked = |name: &str| {
        let is_slow = SLOW.iter().any(|&(slow, limit)| slow == name && count > limit);
        if only.is_empty() { !is_slow } else { only.iter().any(|asked| asked == name) }
    };
    let mut subjects: Vec<(String, Box<dyn Subject>)> = Vec::new();
    for entry in catalogue() {
        if asked(entry.name) {
            subjects.push((entry.name.to_owned(), Box::new(Ours::new(entry.make(), world))));
        }
        let on_threads = format!("{}+", entry.name);
        let is_left_out = only.is_empty() && !asked(entry.name);
        if entry.is_parallel() && asked(&on_threads) && !is_left_out {
            subjects.push((on_threads, Box::new(Ours::new(entry.make_parallel(), world))));
        }
    }
    for (name, rebuild) in [("parry-refit", false), ("parry-rebuild", true)] {
        if asked(name) {
            subjects.push((name.to_owned(), Box::new(Parry::new(world, rebuild))));
        }
    }
    if asked("rapier") {
        subjects.push(("rapier".to_owned(), Box::new(Rapier::new(world))));
    }
    subjects
}

/// What was seen of one subject.
struct Seen {
    name: String,
    /// Milliseconds of each frame.
    times: Vec<f64>,
    bytes: f64,
    exchanges: u64,
    choice: String,
    /// Whether it takes part in no further frame.
    is_over: bool,
}

impl Seen {
    /// Nothing yet.
    fn of(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            times: Vec::new(),
            bytes: 0.0,
            exchanges: 0,
            choice: String::new(),
            is_over: false,
        }
    }

    /// Milliseconds in all.
    fn spent(&self) -> f64 {
        self.times.iter().sum()
    }

    /// Milliseconds a frame.
    fn mean(&self) -> f64 {
        self.spent() / self.times.len().max(1) as f64
    }

    /// The median over blocks of the mean time in a block, in the second half of the frames.
    fn time(&self) -> f64 {
        let late = &self.times[self.times.len() / 2..];
        let blocks = (late.len() / 16).clamp(1, 9);
        let mean = |block: &[f64]| block.iter().sum::<f64>() / block.len() as f64;
        let mut means: Vec<f64> = late.chunks_exact(late.len() / blocks).map(mean).collect();
        means.sort_by(f64::total_cmp);
        means[means.len() / 2]
    }

    /// The median frame of the second half, the one that one of a hundred exceeds, and the longest.
    fn spread(&self) -> String {
        let late = &self.times[self.times.len() / 2..];
        let at = |part: f64| ranked(late, part).unwrap_or_default();
        format!("{:.3} / {:.3} / {:.3}", at(0.5), at(0.99), at(1.0))
    }

    fn is_peer(&self) -> bool {
        self.name.starts_with("parry") || self.name == "rapier"
    }
}

/// Runs all subjects frame by frame, in turns, each until it has reached its time limit.
fn measure(count: usize, crowd: &Crowd, only: &[String], frames: usize) -> Vec<Seen> {
    let mut world = World::new(count, crowd);
    let mut subjects = subjects(&world, only);
    let mut referee = Ours::new(Box::new(HashGrid::new()), &world);
    let mut seen: Vec<Seen> = subjects.iter().map(|(name, _)| Seen::of(name)).collect();
    for _ in 0..frames {
        world.step();
        let expected = referee.frame(&world);
        let means = seen.iter().map(Seen::mean);
        let most = SHARE * frames as f64 * means.fold(f64::INFINITY, f64::min);
        for ((name, subject), seen) in subjects.iter_mut().zip(&mut seen) {
            if name != PEER && seen.times.len() >= FEWEST && seen.spent() > most {
                seen.is_over = true;
            }
            if seen.is_over {
                continue;
            }
            let start = Instant::now();
            let pairs = subject.frame(&world);
            seen.times.push(start.elapsed().as_secs_f64() * 1e3);
            seen.bytes = subject.bytes() as f64 / count as f64;
            seen.exchanges = subject.stats().exchanges;
            seen.choice = subject.choice();
            match subject.pairs() {
                // In the first frame all pairs have appeared for some, and not for others.
                Some(pairs) if seen.times.len() > 1 => {
                    let same = Some(pairs) == referee.pairs();
                    assert!(same, "{name} and {REFEREE} differ");
                }
                None if name != "rapier" => assert_eq!(pairs, expected, "{name}"),
                _ => {}
            }
        }
    }
    seen
}

/// A table with a row a name and a column a crowd and size.
#[derive(Default)]
struct Table {
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Table {
    fn add_column(&mut self, title: String, cells: impl Iterator<Item = (String, String)>) {
        for (name, cell) in cells {
            let row = match self.rows.iter().position(|(row, _)| *row == name) {
                Some(row) => row,
                None => {
                    self.rows.push((name, Vec::new()));
                    self.rows.len() - 1
                }
            };
            self.rows[row].1.resize(self.columns.len(), "–".to_owned());
            self.rows[row].1.push(cell);
        }
        self.columns.push(title);
        for (_, cells) in &mut self.rows {
            cells.resize(self.columns.len(), "–".to_owned());
        }
    }

    fn print(&self, corner: &str) {
        println!("| {corner} | {} |", self.columns.join(" | "));
        println!("|{}", "---|".repeat(self.columns.len() + 1));
        for (name, cells) in &self.rows {
            println!("| {name} | {} |", cells.join(" | "));
        }
        println!();
    }
}

/// Where each of ours wins: the two fastest for each kind of crowd, and how the default compares.
fn winners(sizes: &[usize]) {
    let mut table = Table::default();
    for &count in sizes {
        let cells = Crowd::KINDS.iter().map(|crowd| {
            let frames = (2_000_000 / count).clamp(100, 400);
            let mut column = measure(count, crowd, &[], frames);
            let auto = column.iter().find(|seen| seen.name == "auto").map_or(0.0, Seen::time);
            column
                .retain(|seen| !seen.is_peer() && seen.name != "auto" && !seen.name.ends_with('+'));
            column.sort_by(|a, b| a.time().total_cmp(&b.time()));
            let [best, next] = [0, 1].map(|place: usize| &column[place]);
            let cell = format!(
                "{} {:.3}; {} {:.1}×; auto {:.2}×",
                best.name,
                best.time(),
                next.name,
                next.time() / best.time(),
                auto / best.time()
            );
            (crowd.name.to_owned(), cell)
        });
        table.add_column(format!("{count} boxes"), cells);
    }
    table.print("fastest, ms a frame; second; the default");
}

/// How the time grows where nobody else plays: each subject goes through its frames without others
/// between them, so no figure holds what it costs to fetch a small world again that others have
/// driven out of the nearest cache. Forms for several threads take no part.
fn alone(sizes: &[usize], only: &[String], crowds: &[&Crowd]) {
    /// Seconds for each subject, crowd and size; and the fewest frames: parry's hierarchy settles in some hundred, the length of
    /// our lists in some fifty.
    const PATIENCE: f64 = 0.3;
    const FEWEST: usize = 400;
    let (mut times, mut exponents) = (Table::default(), Table::default());
    for crowd in crowds {
        let mut before: Vec<(String, f64)> = Vec::new();
        for (at, &count) in sizes.iter().enumerate() {
            let mut names: Vec<String> = {
                let world = World::new(count, crowd);
                subjects(&world, only).into_iter().map(|(name, _)| name).collect()
            };
            names.retain(|name| !name.ends_with('+'));
            let seen: Vec<(String, f64)> = names
                .into_iter()
                .filter_map(|name| {
                    let time = frame_alone(count, crowd, &name, PATIENCE, FEWEST)?;
                    Some((name, time))
                })
                .collect();
            let cells = seen.iter().map(|(name, time)| (name.clone(), format!("{time:.3}")));
            times.add_column(format!("{} {count}", crowd.name), cells);
            if at > 0 {
                let larger = (count as f64 / sizes[at - 1] as f64).ln();
                let cells = seen.iter().filter_map(|(name, time)| {
                    let (_, smaller) = before.iter().find(|(of, _)| of == name)?;
                    Some((name.clone(), format!("{:.2}", (time / smaller).ln() / larger)))
                });
                let title = format!("{} {}–{count}", crowd.name, sizes[at - 1]);
                exponents.add_column(title, cells);
            }
            before = seen;
        }
    }
    times.print("ms a frame, each alone");
    exponents.print("growth, each alone: exponent of n");
}

/// The time of a frame of one subject that plays alone, in milliseconds; the world moves between
/// frames, which is not timed. That its pairs are right is seen where all play in turns.
fn frame_alone(
    count: usize,
    crowd: &Crowd,
    name: &str,
    patience: f64,
    fewest: usize,
) -> Option<f64> {
    let mut world = World::new(count, crowd);
    let only = [name.to_owned()];
    let (_, mut subject) = subjects(&world, &only).into_iter().next()?;
    let mut seen = Seen::of(name);
    let began = Instant::now();
    while seen.times.len() < fewest || began.elapsed().as_secs_f64() < patience {
        world.step();
        let start = Instant::now();
        subject.frame(&world);
        seen.times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    Some(seen.time())
}

/// Ends the program unless all words are known.
fn only_known(words: &[String], known: &[String]) {
    if let Some(word) = words.iter().find(|word| !known.contains(word)) {
        refuse(word, &format!("one of {}", known.join(", ")));
    }
}

fn refuse(word: &str, expected: &str) -> ! {
    eprintln!("`{word}` is not {expected}");
    std::process::exit(2)
}

fn main() {
    rayon::scope(|_| play());
}

/// On a thread of rayon's pool: from outside, the forms for several threads would have one thread more than processors.
fn play() {
    // Cargo adds `--bench`.
    let mut arguments: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    if arguments.first().is_some_and(|word| word == "winners") {
        return winners(&[100, 1_000, 10_000]);
    }
    let each_alone = arguments.first().is_some_and(|word| word == "alone");
    if each_alone {
        arguments.remove(0);
    }
    let list = |index: usize| -> Vec<String> {
        let words = arguments.get(index).map(String::as_str).unwrap_or_default();
        words.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let size = |word: &String| word.parse().unwrap_or_else(|_| refuse(word, "a number of boxes"));
    let mut sizes: Vec<usize> = list(0).iter().map(size).collect();
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000, 100_000];
    }
    let (mut only, asked) = (list(1), list(2));
    only.retain(|name| name != "all");
    let names = catalogue().iter().flat_map(|entry| {
        let on_threads = entry.is_parallel().then(|| format!("{}+", entry.name));
        iter::once(entry.name.to_owned()).chain(on_threads)
    });
    let names = names.chain(["parry-refit", "parry-rebuild", "rapier"].map(str::to_owned));
    only_known(&only, &names.collect::<Vec<_>>());
    only_known(&asked, &Crowd::ALL.map(|crowd| crowd.name.to_owned()));
    let crowds = Crowd::ALL.iter();
    let crowds = crowds.filter(|c| asked.is_empty() || asked.iter().any(|name| name == c.name));
    if each_alone {
        return alone(&sizes, &only, &crowds.collect::<Vec<_>>());
    }
    let (mut exponents, mut bytes, mut spread) =
        (Table::default(), Table::default(), Table::default());
    for crowd in crowds {
        let mut times = Table::default();
        let mut before: Vec<(String, f64)> = Vec::new();
        for (at, &count) in sizes.iter().enumerate() {
            let frames = (20_000_000 / count).clamp(24, 500);
            let column = measure(count, crowd, &only, frames);
            let peer = column.iter().filter(|seen| seen.is_peer()).map(Seen::time);
            let peer = peer.fold(f64::INFINITY, f64::min);
            let cell = |seen: &Seen| {
                let time = seen.time();
                let ratio = format!(" ({:.1}×)", peer / time);
                let ratio = if peer.is_finite() { &ratio } else { "" };
                (seen.name.clone(), format!("{time:.3}{ratio}"))
            };
            let title = format!("{} {count}", crowd.name);
            times.add_column(title.clone(), column.iter().map(cell));
            let cell = |seen: &Seen| {
                let exchanges = match seen.exchanges {
                    0 => String::new(),
                    some => format!(", {:.1} exchanges", some as f64 / count as f64),
                };
                (seen.name.clone(), format!("{:.0}{exchanges}", seen.bytes))
            };
            bytes.add_column(title.clone(), column.iter().filter(|s| s.bytes > 0.0).map(cell));
            let cell = |seen: &Seen| (seen.name.clone(), seen.spread());
            spread.add_column(title, column.iter().map(cell));
            if at > 0 {
                let larger = (count as f64 / sizes[at - 1] as f64).ln();
                let cells = column.iter().filter_map(|seen| {
                    let (_, time) = before.iter().find(|(name, _)| *name == seen.name)?;
                    let exponent = (seen.time() / time).ln() / larger;
                    Some((seen.name.clone(), format!("{exponent:.2}")))
                });
                let title = format!("{} {}–{count}", crowd.name, sizes[at - 1]);
                exponents.add_column(title, cells);
            }
            if let Some(auto) = column.iter().find(|seen| seen.name == "auto") {
                println!("{} {count}: auto has chosen {}.", crowd.name, auto.choice);
            }
            before = column.iter().map(|seen| (seen.name.clone(), seen.time())).collect();
        }
        println!();
        times.print("ms a frame");
    }
    println!(
        "In brackets: how many times as fast as the fastest peer (parry or rapier) of the column. A plus marks the \
         form on the threads of rayon's pool. After {FEWEST} frames an algorithm stops when it has taken {SHARE} times as \
         long as the fastest took for all frames; {PEER} plays all frames.\n"
    );
    if sizes.len() > 1 {
        exponents.print("growth: exponent of n");
    }
    bytes.print("bytes a box");
    spread.print("ms: median, 99th percentile and longest frame");
}
