//! Binary trees by volume, by the lines on which boxes are tested, and by the rule for which node
//! is opened: microseconds a query, tests of volumes and of triangles. Prints a Markdown table.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench volumes [-- FACES]
//! ```
//!
//! Shapes and queries are those of `mesh`, caches warm; 1000 triangles unless said otherwise. What is
//! counted is the mean over the queries that miss by 0.1 to 1 % of the size.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::time::Duration;

use xcollide_benches::contest::{Rules, contest};
use xcollide_benches::pairs::{self, Pair};
use xcollide_benches::table::microseconds;
use xcollide_narrow::classic::volume_choices;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Pose, Query, Semantics};

/// The mean numbers of tests of volumes and of triangles.
fn counted(algorithm: &dyn NarrowPhase, models: &[Model], pairs: &[Pair]) -> [f64; 2] {
    let query = Query::new().semantics(Semantics::Surface).stats(true);
    let mut sums = [0; 2];
    for pair in pairs {
        let poses = [Pose::identity(), pair.pose];
        let [a, b] = [0, 1].map(|k| pairs::placed(&models[pair.models[k]], &poses[k]));
        let mut cache = PairCache::new();
        let _ = algorithm.test(a, b, &query, &mut cache);
        let stats = cache.stats();
        sums[0] += stats.volume_tests;
        sums[1] += stats.primitive_tests;
    }
    sums.map(|sum| sum as f64 / pairs.len() as f64)
}

fn main() {
    const QUERIES: usize = 24;
    let size = std::env::args().find_map(|word| word.parse().ok()).unwrap_or(1000);
    let mut models = pairs::models(size);
    let shapes = models.len();
    models.push(pairs::model("sphere?faces=64"));
    let rules = Rules { passes: 15, patience: Duration::from_millis(400), cold: false };
    let (mut titles, mut columns, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for (family, mut pairs) in pairs::families(&models[..shapes], QUERIES) {
        eprintln!("{family}");
        if family == "near" {
            let all = volume_choices();
            counts = all.iter().map(|one| counted(&**one, &models, &pairs)).collect();
        }
        pairs.extend(pairs::small_queries(shapes));
        let contestant = |one| pairs::contestant(one, &models, &pairs, PairCache::new);
        let mut all: Vec<_> = volume_choices().into_iter().map(contestant).collect();
        titles.push(family);
        columns.push(contest(&mut all, QUERIES, rules));
    }
    println!("Microseconds a query, {size} triangles; the numbers of tests are those of *near*:\n");
    println!("| | {} | volumes | triangles | B a triangle |", titles.join(" | "));
    println!("|{}", "---|".repeat(titles.len() + 4));
    for (row, algorithm) in volume_choices().iter().enumerate() {
        let times: Vec<String> =
            columns.iter().map(|column| microseconds(column[row].nanoseconds)).collect();
        let [volumes, triangles] = counts[row];
        let bytes = algorithm
            .prepared_bytes(&models[0])
            .map_or(0.0, |bytes| bytes as f64 / models[0].triangulation().len() as f64);
        println!(
            "| {} | {} | {volumes:.0} | {triangles:.0} | {bytes:.0} |",
            algorithm.name(),
            times.join(" | ")
        );
    }
}
