//! Binary trees by volume, by separating axes, and by the rule for opening nodes: microseconds a
//! query, volume tests and triangle tests. Prints a Markdown table.
//! ```text
//! cargo bench -p xcollide-benches --bench volumes [-- FACES]
//! ```
//!
//! Shapes and queries are those of `mesh` with warm caches; 1000 triangles by default. Counts are
//! means over the queries that miss by 0.1 to 1 % of the size.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use xcollide_benches::contest::{Rules, contest};
use xcollide_benches::pairs::{self, Pair};
use xcollide_benches::table::microseconds;
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_brep::Topology;
use xcollide_bvh::binary::{AabbTest, AabbTraversal, Builder, Bvh, PairTraversal};
use xcollide_bvh::{Candidates, Counts, DescentRule};
use xcollide_narrow::{
    Feature, Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, PreparedData,
    Query, Semantics, Separation, Verdict, Witness,
};
use xcollide_predicates::triangle_pair_point;

/// Two binary trees, descended in a way of one's own; surfaces only.
struct Choice<V> {
    name: &'static str,
    descent: Descent<V>,
}

/// Shows the candidates of two placed trees until it is told to stop, and counts.
type Descent<V> = fn(
    (&Bvh<V>, &Pose),
    (&Bvh<V>, &Pose),
    &mut Counts,
    &mut dyn FnMut(u32, u32) -> ControlFlow<()>,
);

struct Tree<V>(Bvh<V>);

impl<V: BoundingVolume> PreparedData for Tree<V> {}

impl<V: BoundingVolume> Choice<V> {
    fn boxed(name: &'static str, descent: Descent<V>) -> Box<dyn NarrowPhase> {
        Box::new(Self { name, descent })
    }

    fn tree(model: &Model) -> Arc<Tree<V>> {
        model.prepared(|model| {
            let at = |t: &[_; 3]| t.map(|vertex| model.mesh().position(vertex));
            let triangles: Vec<_> = model.triangulation().triangles().iter().map(at).collect();
            match Builder::default().build(&triangles) {
                Ok(tree) => Tree(tree),
                Err(error) => panic!("{error}"),
            }
        })
    }
}

impl<V: BoundingVolume> NarrowPhase for Choice<V> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        let _ = Self::tree(model);
        Ok(())
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(model.already_prepared::<Tree<V>>()?.0.bytes())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let trees = [a, b].map(|placed| Self::tree(placed.model()));
        let (mut counts, mut witness) = (Counts::default(), None);
        let motions = [&a, &b].map(Placed::pose);
        let (first, second) = ((&trees[0].0, motions[0]), (&trees[1].0, motions[1]));
        (self.descent)(first, second, &mut counts, &mut |s, t| {
            let (s, t) = (s as usize, t as usize);
            let Some(point) = triangle_pair_point(&a.triangle(s), &b.triangle(t)) else {
                return ControlFlow::Continue(());
            };
            let face = |placed: Placed<'_>, triangle| {
                Feature::Face(placed.model().triangulation().face_of(triangle))
            };
            witness = Some(Witness { a: face(a, s), b: face(b, t), point });
            ControlFlow::Break(())
        });
        if query.stats {
            let mut stats = cache.stats();
            (stats.volume_tests, stats.primitive_tests) = (counts.volumes, counts.primitives);
            cache.set_stats(stats);
        }
        witness.map_or(Verdict::Apart(Separation::Pairwise), Verdict::Collides)
    }
}

macro_rules! choices {
    ($($name:literal $volume:ty, $pairing:ident $(.$option:ident($value:expr))*;)*) => {
        vec![$(Choice::<$volume>::boxed($name, |a, b, counts, visit| {
            let mut pairing = $pairing::new(a, b)$(.$option($value))*.counting(counts);
            let _ = pairing.candidates(visit);
        })),*]
    };
}

/// What there is to compare.
fn volume_choices() -> Vec<Box<dyn NarrowPhase>> {
    choices! {
        "aabb-tree" Aabb, PairTraversal;
        "aabb-tree-6" Aabb, AabbTraversal.test(AabbTest::Six);
        "aabb-tree-15" Aabb, AabbTraversal.test(AabbTest::Fifteen);
        "aabb-tree-alternate" Aabb, PairTraversal.rule(DescentRule::Alternate);
        "aabb-tree-both" Aabb, PairTraversal.rule(DescentRule::Both);
        "kdop-tree-6" KDop<6>, PairTraversal;
        "kdop-tree-14" KDop<14>, PairTraversal;
        "kdop-tree" KDop<18>, PairTraversal;
        "kdop-tree-26" KDop<26>, PairTraversal;
        "kdop-tree-alternate" KDop<18>, PairTraversal.rule(DescentRule::Alternate);
        "kdop-tree-both" KDop<18>, PairTraversal.rule(DescentRule::Both);
        "obb-tree" Obb, PairTraversal;
        "obb-tree-alternate" Obb, PairTraversal.rule(DescentRule::Alternate);
        "obb-tree-both" Obb, PairTraversal.rule(DescentRule::Both);
        "sphere-tree" Sphere, PairTraversal;
    }
}

/// The mean numbers of tests of volumes and of triangles.
fn counted(algorithm: &dyn NarrowPhase, models: &[Model], pairs: &[Pair]) -> [f64; 2] {
    let query = Query::new().semantics(Semantics::Surface).stats(true);
    let mut sums = [0; 2];
    for pair in pairs {
        let poses = [Pose::IDENTITY, pair.pose];
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
