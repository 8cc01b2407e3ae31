//! One expensive pair on one thread, on two, and on all: the gain of fine and medium grain
//! (Zachmann 1994, 6.3; his table of 6.6 for two processors is printed beside ours).
//!
//! ```text
//! cargo bench -p xcollide-benches --bench grain [-- --quick]
//! ```
//!
//! Contestants answer the same queries in turns. *Contacts*: all pairs of faces in contact, for
//! crossing bodies. *Near misses*: a surface in a slightly larger copy, where hierarchies prune
//! late. *Cheap*: separated bodies, to measure the overhead of sharing. *The machine*: the speed-up
//! of two independent threads, over arithmetic and over memory, just before. Where others share the
//! processors, it may differ a moment later.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use xcollide_benches::contest::{Contestant, Rules, Timing, contest};
use xcollide_benches::pairs::{self, model, placed};
use xcollide_bounds::Obb;
use xcollide_narrow::classic::{Arbitrary, PerceptronOf1994};
use xcollide_narrow::mesh::{BinaryTrees, Wide};
use xcollide_narrow::{Grain, Model, NarrowPhase, PairCache, Pose, Query, Semantics};
use xcollide_scenes::Poses;

/// Two models, and where the second one is.
type PairQuery = (Model, Model, Pose);

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let rules = Rules {
        passes: if quick { 5 } else { 15 },
        patience: Duration::from_millis(if quick { 300 } else { 1500 }),
        cold: false,
    };
    println!("Threads: {}. Microseconds a query.\n", rayon::current_num_threads());
    let [arithmetic, memory] = [ceiling(arithmetic), ceiling(memory)];
    println!(
        "The machine: two threads gain {arithmetic:.2} in arithmetic, {memory:.2} in memory.\n"
    );
    println!("| | one thread | medium | fine | gain, medium | gain, fine |");
    println!("|---|---|---|---|---|---|");
    let (wide, obb, arbitrary) = (Wide::new(), BinaryTrees::<Obb>::new(), Arbitrary::default());
    let sizes: &[usize] = if quick { &[20_000] } else { &[20_000, 200_000] };
    for &faces in sizes {
        let (crossing, near) = (crossing(faces), near_misses(faces));
        row(&format!("`wide-obb`, contacts, {faces} faces"), &wide, &crossing, true, rules);
        row(&format!("`wide-obb`, near misses, {faces} faces"), &wide, &near, false, rules);
        if faces <= 20_000 {
            row(&format!("`obb-tree`, contacts, {faces} faces"), &obb, &crossing, true, rules);
            row(&format!("`obb-tree`, near misses, {faces} faces"), &obb, &near, false, rules);
        }
    }
    row("`wide-obb`, cheap, 20000 faces", &wide, &apart(20_000), false, rules);
    println!(
        "\n`arbitrary`, near misses (the thesis's gains by two phases: 1.15, 1.73 and 1.76):\n"
    );
    println!("| | one thread | medium | fine | gain, medium | gain, fine |");
    println!("|---|---|---|---|---|---|");
    for faces in [42, 132, 442, 2000] {
        row(&format!("2 × {faces} polygons"), &arbitrary, &near_misses(faces), false, rules);
    }
    println!(
        "\n`separating-plane-1994`, hulls just apart (6.3.1: all wait for each other after each plane):\n"
    );
    println!("| | one thread | medium | fine | gain, medium | gain, fine |");
    println!("|---|---|---|---|---|---|");
    let planes = PerceptronOf1994::default().without_boxes();
    for faces in [20_000, 200_000] {
        let name = format!("2 × {} vertices", faces / 2);
        row(&name, &planes, &apart_hulls(faces), false, rules);
    }
}

/// Two spheres just apart, by their number of vertices: planes are checked until one separates them.
fn apart_hulls(faces: usize) -> Vec<PairQuery> {
    let sphere = model(&format!("sphere?faces={faces}"));
    let mut poses = Poses::new(7);
    let question = |_| {
        let there = pairs::pose(poses.rotation(), poses.direction().map(|x| 2.02 * x));
        (sphere.clone(), sphere.clone(), there)
    };
    (0..4).map(question).collect()
}

/// One line of the table.
fn row(name: &str, algorithm: &dyn NarrowPhase, questions: &[PairQuery], list: bool, rules: Rules) {
    eprintln!("{name}");
    for model in questions.iter().flat_map(|(a, b, _)| [a, b]) {
        if let Err(error) = algorithm.prepare(model) {
            panic!("{error}");
        }
    }
    let mut contestants: Vec<_> = [Grain::Coarse, Grain::Medium, Grain::Fine]
        .into_iter()
        .map(|grain| {
            let query = Query::new().semantics(Semantics::Surface).grain(grain);
            let (mut cache, mut contacts) = (PairCache::new(), Vec::new());
            Contestant::new(format!("{grain:?}"), move |question| {
                let (a, b, pose) = &questions[question];
                let (a, b) = (placed(a, &Pose::IDENTITY), placed(b, pose));
                let verdict = if list {
                    algorithm.contacts(a, b, &query, usize::MAX, &mut cache, &mut contacts)
                } else {
                    algorithm.test(a, b, &query, &mut cache)
                };
                verdict.decided()
            })
        })
        .collect();
    let times = contest(&mut contestants, questions.len(), rules);
    assert!(times.iter().all(|time| time.hits == times[0].hits), "{times:?}");
    let [one, medium, fine] = [0, 1, 2].map(|k: usize| &times[k]);
    let micros = |time: &Timing| time.nanoseconds / 1000.0;
    println!(
        "| {name} | {:.1} | {:.1} | {:.1} | {:.2} | {:.2} |",
        micros(one),
        micros(medium),
        micros(fine),
        one.nanoseconds / medium.nanoseconds,
        one.nanoseconds / fine.nanoseconds
    );
}

/// How much more two threads do in a time than one: the median of some trials.
fn ceiling(work: fn(&mut [u64])) -> f64 {
    let mut tables = [vec![1; 1 << 22], vec![1; 1 << 22]];
    let mut ratios: Vec<f64> = (0..15)
        .map(|_| {
            let [first, second] = &mut tables;
            let began = Instant::now();
            work(first);
            work(second);
            let one = began.elapsed();
            let began = Instant::now();
            rayon::join(|| work(first), || work(second));
            one.as_secs_f64() / began.elapsed().as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

/// A chain of products, all in registers.
fn arithmetic(table: &mut [u64]) {
    let mut product = table[0];
    for step in 0..4_000_000 {
        product = black_box(product.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ step);
    }
    table[0] = product;
}

/// A pass over 32 MB.
fn memory(table: &mut [u64]) {
    for entry in table {
        *entry = black_box(entry.wrapping_add(1));
    }
}

/// Bodies that cross each other.
fn crossing(faces: usize) -> Vec<PairQuery> {
    let models = ["knot", "torus"].map(|shape| model(&format!("{shape}?faces={faces}")));
    let mut poses = Poses::new(5);
    let question = |number: usize| {
        let there = pairs::pose(poses.rotation(), poses.direction().map(|x| 0.4 * x));
        (models[number % 2].clone(), models[number / 2 % 2].clone(), there)
    };
    (0..4).map(question).collect()
}

/// A surface in a copy of itself that is larger by less than its faces are.
fn near_misses(faces: usize) -> Vec<PairQuery> {
    let inner = model(&format!("torus?faces={faces}"));
    // The tube grows and the hole shrinks: the copy is all around.
    let outer = model(&format!("torus?faces={faces}&tube=0.404"));
    vec![(inner, outer, Pose::IDENTITY)]
}

/// Bodies that are near each other and apart.
fn apart(faces: usize) -> Vec<PairQuery> {
    let models = pairs::models(2 * faces);
    let families = pairs::families(&models, 8);
    let (_, near) = &families[0];
    let clone = |m: usize| models[m].clone();
    near.iter().map(|pair| (clone(pair.models[0]), clone(pair.models[1]), pair.pose)).collect()
}
