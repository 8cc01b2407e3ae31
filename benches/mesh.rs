//! Mesh against mesh, for the tables of `docs/benchmarks.md`: every exact algorithm and parry3d's
//! `leaf_pairs` on the same queries in the same run, with warm and cold caches.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench mesh [-- [--quick] [--only NAME]...]
//! ```
//!
//! `--quick` omits the largest models and takes fewer passes; `--only` selects algorithms by
//! prefix, besides the peer.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::time::Duration;

use xcollide_benches::contest::{Contestant, Rules, contest};
use xcollide_benches::pairs::{self, Pair};
use xcollide_benches::parry::{leaf_pairs, parry_pose, trimesh};
use xcollide_benches::table::Table;
use xcollide_bvh::wide::{self, Traversal, WideOptions, WideTree};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Pose};
use xcollide_predicates::triangles_intersect;

/// Queries of a family with warm caches. When a first hit is found depends on details of a hierarchy: of
/// two that differ by 2 to 8 % in box tests over 1800 queries, one took up to 1.8 times as many as the other
/// over 12.
const WARM: usize = 192;

struct Options {
    quick: bool,
    only: Vec<String>,
}

impl Options {
    fn from_arguments() -> Self {
        let mut arguments = std::env::args().skip(1);
        let mut options = Self { quick: false, only: Vec::new() };
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--quick" => options.quick = true,
                "--only" => options.only.extend(arguments.next()),
                // What `cargo bench` passes on.
                _ => {}
            }
        }
        options
    }

    fn rules(&self, cold: bool) -> Rules {
        let (passes, patience) = match (self.quick, cold) {
            (true, _) => (5, 100),
            (false, false) => (25, 400),
            (false, true) => (7, 400),
        };
        Rules { passes, patience: Duration::from_millis(patience), cold }
    }

    /// Queries of a family with cold caches: emptying these takes longer than most queries.
    fn cold_queries(&self) -> usize {
        if self.quick { 12 } else { 24 }
    }

    /// The algorithms to ask about models of so many triangles: those whose query takes the tenth of
    /// a second there sit out.
    fn algorithms(&self, triangles: usize) -> Vec<Box<dyn NarrowPhase>> {
        let most = |name: &str| match name {
            "brute-force" => 0,
            "arbitrary" | "compound" => 2_000,
            _ => usize::MAX,
        };
        let asked = |name: &str| {
            self.only.is_empty() || self.only.iter().any(|only| name.starts_with(only))
        };
        let mut all = pairs::algorithms();
        all.retain(|algorithm| most(algorithm.name()) >= triangles && asked(algorithm.name()));
        all
    }

    /// Everybody who answers these queries.
    fn contestants<'a>(
        &self,
        triangles: usize,
        models: &'a [Model],
        peers: &'a [Peer],
        pairs: &'a [Pair],
    ) -> Vec<Contestant<'a>> {
        let algorithms = self.algorithms(triangles).into_iter();
        let mut all: Vec<_> =
            algorithms.map(|a| pairs::contestant(a, models, pairs, PairCache::new)).collect();
        all.push(without_simd(models, pairs));
        let poses: Vec<_> = pairs.iter().map(|pair| parry_pose(&pair.pose)).collect();
        all.push(Contestant::new("parry3d `leaf_pairs`", move |i| {
            let [a, b] = pairs[i].models.map(|m| &peers[m].0);
            Some(leaf_pairs(a, b, &poses[i]))
        }));
        all
    }
}

/// What parry prepares of a model.
struct Peer(parry3d_f64::shape::TriMesh);

fn peers(models: &[Model]) -> Vec<Peer> {
    models.iter().map(|model| Peer(trimesh(model))).collect()
}

/// The default's hierarchy, by instructions that every processor of the target has.
fn without_simd<'a>(models: &'a [Model], pairs: &'a [Pair]) -> Contestant<'a> {
    let corners: Vec<Vec<[u32; 3]>> = models
        .iter()
        .map(|model| model.triangulation().triangles().iter().map(|t| t.map(|v| v.0)).collect())
        .collect();
    let build = |(model, corners): (&Model, &Vec<_>)| {
        WideTree::build(model.mesh().positions(), corners, WideOptions::default())
    };
    let trees: Vec<WideTree> = models.iter().zip(&corners).map(build).collect();
    let mut traversal = Traversal::portable();
    Contestant::new("the default without SIMD", move |i| {
        let numbers = pairs[i].models;
        let poses = [Pose::IDENTITY, pairs[i].pose];
        let placed = [0, 1].map(|k| pairs::placed(&models[numbers[k]], &poses[k]));
        let [a, b] = [0, 1].map(|k| (&trees[numbers[k]], placed[k].pose()));
        let meet = |s: u32, t: u32| {
            let [s, t] = [s, t].map(|triangle| triangle as usize);
            triangles_intersect(&placed[0].triangle(s), &placed[1].triangle(t))
        };
        Some(wide::first_hit(a, b, &mut traversal, meet).is_some())
    })
}

fn main() {
    let options = Options::from_arguments();
    let sizes: &[usize] =
        if options.quick { &[1_000, 20_000] } else { &[1_000, 20_000, 100_000, 500_000] };
    let [mut warm, mut cold, mut moving, mut moving_cold] = [(); 4].map(|()| Table::default());
    for &size in sizes {
        let mut models = pairs::models(size);
        let shapes = models.len();
        models.push(pairs::model("sphere?faces=64"));
        let peers = peers(&models);
        let title = |family: &str| format!("{}k {family}", size / 1000);
        for (family, all_pairs) in pairs::families(&models[..shapes], WARM) {
            eprintln!("{}", title(family));
            for (is_cold, table) in [(false, &mut warm), (true, &mut cold)] {
                let queries = if is_cold { options.cold_queries() } else { WARM };
                let mut pairs = all_pairs[..queries].to_vec();
                pairs.extend(pairs::small_queries(shapes));
                let mut all = options.contestants(size, &models, &peers, &pairs);
                if !is_cold {
                    all.push(pairs::proving(&models, &pairs));
                }
                table.push(title(family), contest(&mut all, queries, options.rules(is_cold)));
            }
        }
        eprintln!("{}", title("moving"));
        let mut pairs = pairs::motion(&models[..shapes], if options.quick { 40 } else { 120 });
        let queries = pairs.len();
        pairs.extend(pairs::small_queries(shapes));
        let mut all = options.contestants(size, &models, &peers, &pairs);
        let default = Box::new(Wide::new());
        all.push(pairs::contestant(default, &models, &pairs, PairCache::coherent));
        moving.push(title("moving"), contest(&mut all, queries, options.rules(false)));
        moving_cold.push(title("moving"), contest(&mut all, queries, options.rules(true)));
        if (20_000..=100_000).contains(&size) {
            eprintln!("{}", title("conforming"));
            let (models, pairs) = pairs::conforming(size);
            let peers = self::peers(&models);
            let mut all = options.contestants(size, &models, &peers, &pairs);
            moving.push(title("conforming"), contest(&mut all, pairs.len(), options.rules(false)));
        }
    }
    println!("Microseconds a query, warm:\n\n{warm}");
    println!("Microseconds a query, cold:\n\n{cold}");
    println!("Microseconds a query, in motion and conforming, warm:\n\n{moving}");
    println!("Microseconds a query, in motion, cold:\n\n{moving_cold}");
}
