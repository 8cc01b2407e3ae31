//! Chapter 6 of Chung 1996 repeated: searching steps to a verdict (figures 6.3 to 6.5), and time
//! against velocity, spin and density for polytopes of 20 and 500 vertices (figures 6.6 to 6.11).
//! Prints Markdown tables.
//!
//! `cargo bench -p xcollide-benches --bench chung [-- steps | family | times | choices]`; all by
//! default. Steps are the same on every machine.
//!
//! The world is `xcollide_benches::environment`. Chung's contestants: SV, the separating vector of
//! the thesis (hill climbing, 8 × 16 table, hemisphere); SV + Gilbert, the combined algorithm;
//! Gilbert and CF (closest features), with nearest points in every query. Ours: SV with our
//! support, and hybrid. A pair's cache begins when its boxes begin to overlap.
#![allow(clippy::print_stdout)]

use xcollide_benches::contest::Contestant;
use xcollide_benches::environment::{Encounter, Environment, Recording, mixture, of_kind, placed};
use xcollide_benches::turns::in_turns;
use xcollide_convex::VertexSearch;
use xcollide_convex::{Body, HullFeature, Pair, Polytope};
use xcollide_narrow::classic::{ClosestFeatures, Combined, SeparatingVector};
use xcollide_narrow::convex::{Gjk, Hybrid, polytope_of};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Query};
use xcollide_scenes::PolytopeKind;

const KINDS: [(&str, PolytopeKind); 3] = [
    ("ellipsoid", PolytopeKind::Ellipsoid),
    ("rod", PolytopeKind::Rod),
    ("plate", PolytopeKind::Plate),
];

/// The separating vector as the thesis measured it.
const THESIS: SeparatingVector = SeparatingVector::thesis();

/// Answers all queries with memories as pairs have them, and shows each with its cache.
fn replay(
    models: &[Model],
    recording: &Recording,
    algorithm: &dyn NarrowPhase,
    mut each: impl FnMut(&Encounter, &PairCache),
) {
    let mut caches: Vec<PairCache> = (0..recording.pairs).map(|_| PairCache::new()).collect();
    let query = Query::new().stats(true);
    for encounter in &recording.encounters {
        let cache = &mut caches[encounter.pair];
        if encounter.first {
            cache.clear();
        }
        let [i, j] = encounter.models;
        let a = placed(&models[i], &encounter.poses[0]);
        let b = placed(&models[j], &encounter.poses[1]);
        let verdict = algorithm.test(a, b, &query, cache);
        assert_eq!(verdict.decided(), Some(encounter.hit), "{}", algorithm.name());
        each(encounter, cache);
    }
}

/// The steps of one algorithm on one recording: of tests that are apart, and of all.
#[derive(Default)]
struct Steps {
    apart: Vec<u64>,
    all: Vec<u64>,
    fallbacks: u64,
}

impl Steps {
    fn of(models: &[Model], recording: &Recording, algorithm: &dyn NarrowPhase) -> Self {
        let mut steps = Self::default();
        replay(models, recording, algorithm, |encounter, cache| {
            let stats = cache.stats();
            steps.all.push(stats.probes);
            steps.fallbacks += stats.fallbacks;
            if !encounter.hit {
                steps.apart.push(stats.probes);
            }
        });
        steps
    }

    /// The share of tests with at most so many steps, in percent.
    fn within(steps: &[u64], most: u64) -> f64 {
        let few = steps.iter().filter(|&&steps| steps <= most).count();
        100.0 * few as f64 / steps.len() as f64
    }

    fn mean(steps: &[u64]) -> f64 {
        steps.iter().sum::<u64>() as f64 / steps.len() as f64
    }

    fn most(&self) -> u64 {
        self.all.iter().copied().max().unwrap_or(0)
    }
}

/// A world of 500 polytopes of one shape.
fn of_one_kind(vertices: usize, kind: PolytopeKind, queries: usize) -> (Vec<Model>, Recording) {
    let models = vec![of_kind(vertices, kind, 1)];
    let world = Environment { count: 500, ..Environment::default() };
    let recording = world.record(&models, queries);
    (models, recording)
}

/// Figures 6.3 and 6.4, and 6.5.
fn steps() {
    println!("Steps of the separating vector, n = 500 (Chung: apart 95 % in 3, ellipsoids 99 % in");
    println!(
        "4; all 80 % in 3; vertices met again in less than 0.1 % of the tests that are apart)\n"
    );
    println!("| | tests | apart | 1 | ≤ 2 | ≤ 3 | ≤ 4 | ≤ 10 | all ≤ 3 | met again | most |");
    println!("|---|{}", "---:|".repeat(10));
    for (name, kind) in KINDS {
        let (models, recording) = of_one_kind(500, kind, 40_000);
        let steps = Steps::of(&models, &recording, &THESIS);
        let mut again = 0;
        replay(&models, &recording, &THESIS, |encounter, cache| {
            let met = SeparatingVector::recurrences(cache);
            again += usize::from(!encounter.hit && met > 0);
        });
        let cells = [1, 2, 3, 4, 10].map(|most| Steps::within(&steps.apart, most));
        let [a, b, c, d, e] = cells.map(|share| format!("{share:.1} %"));
        println!(
            "| {name} | {} | {} | {a} | {b} | {c} | {d} | {e} | {:.1} % | {:.2} % | {} |",
            steps.all.len(),
            steps.apart.len(),
            Steps::within(&steps.all, 3),
            100.0 * again as f64 / steps.apart.len() as f64,
            steps.most()
        );
    }
    println!("\nMost steps (Chung: ellipsoids about 22, plates 20 to 40, rods 25 to 55)\n");
    let sizes = [10, 20, 50, 100, 200, 500, 1000];
    println!("| n | {} |", sizes.map(|n| n.to_string()).join(" | "));
    println!("|---|{}", "---:|".repeat(sizes.len()));
    for (name, kind) in KINDS {
        let most = sizes.map(|vertices| {
            let (models, recording) = of_one_kind(vertices, kind, 20_000);
            Steps::of(&models, &recording, &THESIS).most().to_string()
        });
        println!("| {name} | {} |", most.join(" | "));
    }
}

/// The family 3.9 and the two conditions, and the steps of the others.
fn family() {
    println!(
        "\nMean steps, apart / all, of the family 3.9 (Chung: α = 1 is slightly the fastest);"
    );
    println!("in brackets: how many of 10,000 tests are left to the exact test of triangles\n");
    let worlds: Vec<(String, Vec<Model>, Recording)> = [20, 500]
        .into_iter()
        .flat_map(|n| KINDS.map(|(name, kind)| (n, name, kind)))
        .map(|(n, name, kind)| {
            let (models, recording) = of_one_kind(n, kind, 10_000);
            (format!("{name}, {n}"), models, recording)
        })
        .collect();
    let titles: Vec<&str> = worlds.iter().map(|(title, ..)| title.as_str()).collect();
    println!("| | {} |", titles.join(" | "));
    println!("|---|{}", "---:|".repeat(titles.len()));
    let row = |name: &str, algorithm: &dyn NarrowPhase| {
        let cells = worlds.iter().map(|(_, models, recording)| {
            let steps = Steps::of(models, recording, algorithm);
            let unproved = 1e4 * steps.fallbacks as f64 / steps.all.len() as f64;
            let [apart, all] = [&steps.apart, &steps.all].map(|steps| Steps::mean(steps));
            format!("{apart:.2} / {all:.2} ({unproved:.0})")
        });
        println!("| {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    };
    for (condition, search) in [("Hemisphere", THESIS), ("HalfPlanes", THESIS.half_planes())] {
        for greed in [1.0, 0.75, 0.5, 0.25, 0.0] {
            row(&format!("α = {greed}, {condition}"), &search.greed(greed));
        }
    }
    row("gilbert", &Gjk::default());
    row("hybrid", &Hybrid::default());
    row("closest-features", &ClosestFeatures::default());
    let walks = worlds.iter().map(|(_, models, recording)| {
        let (mut walked, mut count) = (0, 0);
        replay(models, recording, &ClosestFeatures::default(), |encounter, cache| {
            let steps = ClosestFeatures::steps(cache);
            walked += if encounter.hit { 0 } else { steps };
            count += u32::from(!encounter.hit);
        });
        format!("{:.2}", f64::from(walked) / f64::from(count))
    });
    println!("| its walk, apart | {} |", walks.collect::<Vec<_>>().join(" | "));
}

/// Everything prepared for timing.
struct Stage<'a> {
    recording: &'a Recording,
    placed: Vec<[Placed<'a>; 2]>,
    polytopes: Vec<std::sync::Arc<Polytope>>,
}

impl<'a> Stage<'a> {
    fn new(models: &'a [Model], recording: &'a Recording) -> Self {
        let polytopes: Vec<_> = models.iter().map(polytope_of).collect();
        for polytope in &polytopes {
            let _ =
                (polytope.regions(), VertexSearch::Tabled.farthest(polytope, [1.0, 0.0, 0.0], 0));
        }
        Self {
            recording,
            placed: recording
                .encounters
                .iter()
                .map(|encounter| {
                    [0, 1].map(|k| placed(&models[encounter.models[k]], &encounter.poses[k]))
                })
                .collect(),
            polytopes,
        }
    }

    fn algorithm(&'a self, name: &str, algorithm: impl NarrowPhase + 'a) -> Contestant<'a> {
        let mut caches: Vec<PairCache> =
            (0..self.recording.pairs).map(|_| PairCache::new()).collect();
        let query = Query::new();
        Contestant::new(name, move |at| {
            let encounter = &self.recording.encounters[at];
            let cache = &mut caches[encounter.pair];
            if encounter.first {
                cache.clear();
            }
            let [a, b] = self.placed[at];
            Some(algorithm.test(a, b, &query, cache).is_collision())
        })
    }

    /// One that measures the distance in every query, from what it remembers of the pair.
    fn distance<M: Clone + Default + 'a>(
        &'a self,
        name: &str,
        mut measure: impl FnMut(&mut Pair<'_>, &mut M) -> f64 + 'a,
    ) -> Contestant<'a> {
        let mut memories = vec![M::default(); self.recording.pairs];
        Contestant::new(name, move |at| {
            let encounter = &self.recording.encounters[at];
            let memory = &mut memories[encounter.pair];
            if encounter.first {
                *memory = M::default();
            }
            let [i, j] = encounter.models;
            let [a, b] = &self.placed[at];
            let bodies =
                (Body::new(&self.polytopes[i], a.pose()), Body::new(&self.polytopes[j], b.pose()));
            Some(measure(&mut Pair::new(bodies.0, bodies.1), memory) == 0.0)
        })
    }

    fn contestants(&'a self) -> Vec<Contestant<'a>> {
        vec![
            self.algorithm("SV", THESIS),
            self.algorithm("SV + Gilbert", Combined::with(THESIS)),
            self.distance("Gilbert", |pair, memory: &mut Vec<[u32; 2]>| {
                let found = pair.nearest(memory);
                memory.clear();
                memory.extend_from_slice(found.simplex.ends());
                found.distance
            }),
            self.distance("CF", |pair, memory: &mut Option<[HullFeature; 2]>| {
                let found = ClosestFeatures::between(pair, *memory);
                *memory = Some(found.features);
                found.distance
            }),
            self.algorithm("CF, yes or no", ClosestFeatures::default()),
            self.algorithm("SV, our support", SeparatingVector::default()),
            self.algorithm("combined, our support", Combined::default()),
            self.algorithm("hybrid", Hybrid::default()),
        ]
    }
}

/// Figures 6.6 to 6.11.
fn times() {
    let standard = Environment::default();
    let settings: Vec<(String, Environment)> = [0.02, 0.05, 0.1, 0.2]
        .map(|velocity| {
            (format!("velocity {:.0} %", 100.0 * velocity), Environment { velocity, ..standard })
        })
        .into_iter()
        .chain(
            [5.0, 20.0, 40.0]
                .map(|spin| (format!("spin {spin}°"), Environment { spin, ..standard })),
        )
        .chain([0.02, 0.1, 0.2].map(|density| {
            (format!("density {:.0} %", 100.0 * density), Environment { density, ..standard })
        }))
        .collect();
    for vertices in [20, 500] {
        let models = mixture(vertices);
        println!("\nNanoseconds a query, n = {vertices}; else 5 %, 10°, density 5 %\n");
        for (index, (title, world)) in settings.iter().enumerate() {
            let recording = world.record(&models, 4000);
            let stage = Stage::new(&models, &recording);
            let mut contestants = stage.contestants();
            if index == 0 {
                let names: Vec<&str> = contestants.iter().map(|c| c.name.as_str()).collect();
                println!("| | hits | {} | CF / SV | CF / hybrid |", names.join(" | "));
                println!("|---|{}", "---:|".repeat(names.len() + 3));
            }
            let figures = in_turns(&mut contestants, recording.encounters.len(), 7);
            let times: Vec<f64> = figures.iter().map(|figure| figure.0).collect();
            let cells: Vec<String> = times.iter().map(|time| format!("{time:.0}")).collect();
            println!(
                "| {title} | {:.0} % | {} | {:.1}× | {:.1}× |",
                100.0 * figures[0].1 as f64 / recording.encounters.len() as f64,
                cells.join(" | "),
                times[3] / times[0],
                times[3] / times[7]
            );
        }
    }
}

/// Time by the choices that the separating vector leaves.
fn choices() {
    let base = SeparatingVector::default();
    let choices = [
        ("default", base),
        ("α = 0.75", base.greed(0.75)),
        ("α = 0.5", base.greed(0.5)),
        ("α = 0", base.greed(0.0)),
        ("half planes", base.half_planes()),
        ("climbing", base.vertices_by(VertexSearch::Climbing)),
        ("tabled", base.vertices_by(VertexSearch::Tabled)),
        ("centroids", base.from_surface_centroids()),
    ];
    println!("\nNanoseconds a query of the separating vector by its choices, 5 %, 10°\n");
    println!("| n | {} |", choices.map(|(name, _)| name).join(" | "));
    println!("|---|{}", "---:|".repeat(choices.len()));
    for vertices in [20, 100, 500] {
        let models = mixture(vertices);
        let recording = Environment::default().record(&models, 4000);
        let stage = Stage::new(&models, &recording);
        let mut contestants: Vec<Contestant<'_>> =
            choices.iter().map(|&(name, search)| stage.algorithm(name, search)).collect();
        let figures = in_turns(&mut contestants, recording.encounters.len(), 15);
        let cells: Vec<String> = figures.iter().map(|figure| format!("{:.0}", figure.0)).collect();
        println!("| {vertices} | {} |", cells.join(" | "));
    }
}

fn main() {
    let chosen: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let parts: [(&str, fn()); 4] =
        [("steps", steps), ("family", family), ("times", times), ("choices", choices)];
    for (name, part) in parts {
        if chosen.is_empty() || chosen.iter().any(|word| word == name) {
            part();
        }
    }
}
