//! Distances, tolerances and containment: `xcollide_narrow::proximity` and point in polyhedron
//! against parry3d on the same models, poses and points, in turns. Tables of `docs/benchmarks.md`.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench proximity [-- --quick]
//! ```
//!
//! - *points*: whether a point of a model's box is in its body, against `contains_point` of a mesh
//!   with pseudo-normals;
//! - *nested*: whether a body meets one that contains it, `mesh::Wide` against `leaf_pairs`
//!   followed by `contains_point` of a vertex;
//! - *distance*: `proximity::distance` against `query::distance`;
//! - *within*: whether two models are within 1 % of their size, `proximity::within` against
//!   `query::closest_points` with that limit;
//! - *bounded*: `proximity::bounded_distance` with a relative error of 5 %, beside the exact distance of parry, which has no
//!   other;
//! - *regions*: `proximity::near_regions`, all pairs of regions within 1 % of the size; no peer has it.
//!
//! Gaps are 0.1 to 1 % of the size (*near*) or 20 to 60 % (*far*); surfaces only.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::time::Duration;

use parry3d_f64::math::{Pose as ParryPose, Vector};
use parry3d_f64::query::{self, ClosestPoints, PointQuery};
use parry3d_f64::shape::TriMesh;
use xcollide_benches::contest::{Contestant, Rules, Timing, contest};
use xcollide_benches::pairs::{self, Pair, SIZE};
use xcollide_benches::parry::{leaf_pairs, oriented, parry_pose};
use xcollide_benches::table::Table;
use xcollide_bounds::Obb;
use xcollide_narrow::mesh::{BinaryTrees, Wide};
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::proximity::{bounded_distance, distance, near_regions, within};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};
use xcollide_scenes::{Poses, Random};

const OURS: &str = "xcollide";
const PEER: &str = "parry3d";

/// What is asked of pairs, in parts of their size.
const TOLERANCE: f64 = 0.01 * SIZE;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let patience = Duration::from_millis(if quick { 50 } else { 300 });
    let rules = Rules { passes: if quick { 5 } else { 15 }, patience, cold: false };
    let (mut bodies, mut gaps) = (Table::default(), Table::default());
    for size in if quick { &[1000, 20_000][..] } else { &[1000, 20_000, 100_000] } {
        let title = |what: &str| format!("{}k {what}", size / 1000);
        let models = pairs::models(*size);
        let peers: Vec<TriMesh> = models.iter().map(oriented).collect();
        for model in &models {
            let prepared =
                Wide::new().prepare(model).and_then(|()| BinaryTrees::<Obb>::new().prepare(model));
            assert_eq!(prepared, Ok(()));
        }
        eprintln!("{}", title("bodies"));
        bodies.push(title("points"), points(&models, &peers, rules));
        bodies.push(title("nested"), nested(*size, rules));
        for (family, pairs) in families(&models, if quick { 9 } else { 18 }) {
            eprintln!("{}", title(family));
            let asked = Gaps { models: &models, peers: &peers, pairs: &pairs };
            let distances = asked.distances(rules);
            let bounded = asked.bounded(rules).into_iter().chain(distances.get(1).cloned());
            gaps.push(title(&format!("bounded, {family}")), bounded.collect());
            gaps.push(title(&format!("distance, {family}")), distances);
            gaps.push(title(&format!("within, {family}")), asked.within(rules));
            gaps.push(title(&format!("regions, {family}")), asked.regions(rules));
        }
    }
    println!("Microseconds a query, bodies:\n\n{bodies}");
    println!("Microseconds a query, gaps:\n\n{gaps}");
}

/// Pairs that are near and far.
fn families(models: &[Model], queries: usize) -> [(&'static str, Vec<Pair>); 2] {
    let [(near, pairs), ..] = pairs::families(models, queries);
    let mut random = Random::new(46);
    let far = pairs.iter().map(|pair| {
        let mut pair = pair.clone();
        let way = nalgebra::Vector3::from(pair.pose.translation());
        let farther = 1.0 + random.between(0.2, 0.6) * SIZE / way.norm();
        pair.pose = pair.pose.with_translation((way * farther).into());
        pair
    });
    let far = far.collect();
    [(near, pairs), ("far", far)]
}

/// Points in the box of a turned model.
fn points(models: &[Model], peers: &[TriMesh], rules: Rules) -> Vec<Timing> {
    const POINTS: usize = 200;
    let (mut poses, mut random) = (Poses::new(47), Random::new(48));
    let turns: Vec<Pose> = models.iter().map(|_| pairs::pose(poses.rotation(), [0.0; 3])).collect();
    let there: Vec<ParryPose> = turns.iter().map(parry_pose).collect();
    let placed: Vec<Placed<'_>> =
        models.iter().zip(&turns).map(|(model, pose)| pairs::placed(model, pose)).collect();
    let points: Vec<(usize, [f64; 3])> = (0..POINTS)
        .map(|i| {
            let (number, bounds) = (i % models.len(), placed[i % models.len()].world_box());
            (number, [0, 1, 2].map(|k| random.between(bounds.min[k], bounds.max[k])))
        })
        .collect();
    let ours = Contestant::new(OURS, |i: usize| {
        let (number, point) = points[i];
        Some(locate(placed[number], point) != Location::Outside)
    });
    let peer = Contestant::new(PEER, |i: usize| {
        let (number, [x, y, z]) = points[i];
        Some(peers[number].contains_point(&there[number], Vector::new(x, y, z)))
    });
    contest(&mut [ours, peer], POINTS, rules)
}

/// A sphere in one of twice its radius.
fn nested(triangles: usize, rules: Rules) -> Vec<Timing> {
    const POSES: usize = 12;
    let faces = triangles / 2;
    let models = [1.0, 0.5].map(|r| pairs::model(&format!("sphere?faces={faces}&radius={r}")));
    let peers = models.each_ref().map(oriented);
    let mut poses = Poses::new(49);
    let poses: Vec<Pose> =
        (0..POSES).map(|_| poses.at_distance(0.3)).map(|place| place.pose()).collect();
    let identity = Pose::IDENTITY;
    let outer = pairs::placed(&models[0], &identity);
    let inner: Vec<Placed<'_>> = poses.iter().map(|pose| pairs::placed(&models[1], pose)).collect();
    let mut cache = PairCache::new();
    let ours = Contestant::new(OURS, |i: usize| {
        Wide::new().test(outer, inner[i], &Query::new(), &mut cache).decided()
    });
    let there: Vec<ParryPose> = poses.iter().map(parry_pose).collect();
    let peer = Contestant::new(PEER, |i: usize| {
        let vertex = there[i] * peers[1].vertices()[0];
        let meet = leaf_pairs(&peers[0], &peers[1], &there[i]);
        Some(meet || peers[0].contains_local_point(vertex))
    });
    contest(&mut [ours, peer], POSES, rules)
}

/// Questions about the gaps of pairs.
struct Gaps<'q> {
    models: &'q [Model],
    peers: &'q [TriMesh],
    pairs: &'q [Pair],
}

impl Gaps<'_> {
    fn placed(&self) -> Vec<[Placed<'_>; 2]> {
        let place = |pair: &'_ Pair| pair.models.map(|number| &self.models[number]);
        let pairs = self.pairs.iter().map(|pair| (place(pair), &pair.pose));
        pairs
            .map(|([a, b], pose)| [pairs::placed(a, &Pose::IDENTITY), pairs::placed(b, pose)])
            .collect()
    }

    /// The peer's meshes and the second one's pose, seen from the first.
    fn of_peer(&self) -> Vec<([&TriMesh; 2], ParryPose)> {
        let place =
            |pair: &Pair| (pair.models.map(|number| &self.peers[number]), parry_pose(&pair.pose));
        self.pairs.iter().map(place).collect()
    }

    /// A hit is what is within the tolerance, to compare the answers.
    fn distances(&self, rules: Rules) -> Vec<Timing> {
        let (placed, of_peer) = (self.placed(), self.of_peer());
        let ours = Contestant::new(OURS, |i: usize| {
            let [a, b] = placed[i];
            distance(a, b, Semantics::Surface).map(|found| found.value <= TOLERANCE)
        });
        let peer = Contestant::new(PEER, |i: usize| {
            let ([a, b], there) = of_peer[i];
            let found = query::distance(&ParryPose::IDENTITY, a, &there, b).ok()?;
            Some(found.distance <= TOLERANCE)
        });
        contest(&mut [ours, peer], self.pairs.len(), rules)
    }

    /// Alone, as no peer has it.
    fn bounded(&self, rules: Rules) -> Vec<Timing> {
        let placed = self.placed();
        let ours = Contestant::new(OURS, |i: usize| {
            let [a, b] = placed[i];
            let found = bounded_distance(a, b, 0.05, 0.0, Semantics::Surface)?;
            Some(found.at_least <= TOLERANCE)
        });
        contest(&mut [ours], self.pairs.len(), rules)
    }

    /// Alone, as no peer has it.
    fn regions(&self, rules: Rules) -> Vec<Timing> {
        let placed = self.placed();
        let ours = Contestant::new(OURS, |i: usize| {
            let [a, b] = placed[i];
            Some(!near_regions(a, b, TOLERANCE).is_empty())
        });
        contest(&mut [ours], self.pairs.len(), rules)
    }

    fn within(&self, rules: Rules) -> Vec<Timing> {
        let (placed, of_peer) = (self.placed(), self.of_peer());
        let ours = Contestant::new(OURS, |i: usize| {
            let [a, b] = placed[i];
            Some(within(a, b, TOLERANCE, Semantics::Surface).is_some())
        });
        let peer = Contestant::new(PEER, |i: usize| {
            let ([a, b], there) = of_peer[i];
            let found = query::closest_points(&ParryPose::IDENTITY, a, &there, b, TOLERANCE);
            Some(!matches!(found.ok()?, ClosestPoints::Disjoint))
        });
        contest(&mut [ours, peer], self.pairs.len(), rules)
    }
}
