//! Rays against meshes: `xcollide_narrow::rays` and parry3d on the same models and rays, in turns. Tables of
//! `docs/benchmarks.md`.
//!
//! ```text
//! cargo bench -p xcollide-benches --bench rays [-- --quick]
//! ```
//!
//! - *first*: the first hit of a ray from outside that is aimed at a point of the model's box, `first_hit` against
//!   `cast_local_ray` of a `TriMesh`;
//! - *inside*: the same from points in the body;
//! - *any*: whether there is a hit, `any_hit` against `intersects_local_ray`;
//! - *nearest*: the nearest point of the surface, `nearest_point` against `project_local_point`;
//! - *worlds*: the first hit of a ray through a world of 100, 1000 and 10,000 turned bodies of 1000 triangles each that do not
//!   move, `World::first_hit` against `QueryPipeline::cast_ray` of rapier3d-f64, in turns.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::sync::Arc;
use std::time::Duration;

use parry3d_f64::math::Vector;
use parry3d_f64::query::{DefaultQueryDispatcher, PointQuery, Ray as ParryRay, RayCast};
use parry3d_f64::shape::TriMesh;
use rapier3d_f64::prelude::{
    BroadPhaseBvh, ColliderBuilder, ColliderSet, IntegrationParameters, QueryFilter, RigidBodySet,
    SharedShape,
};
use xcollide::World;
use xcollide_benches::contest::{Contestant, Rules, Timing, contest};
use xcollide_benches::pairs;
use xcollide_benches::parry::{parry_pose, trimesh};
use xcollide_benches::table::Table;
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::rays::{Ray, any_hit, first_hit};
use xcollide_narrow::{Model, Placed, Pose, nearest_point};
use xcollide_scenes::{Poses, Random};

const OURS: &str = "xcollide";
const PEER: &str = "parry3d";

/// Queries of a table cell.
const RAYS: usize = 300;

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let patience = Duration::from_millis(if quick { 50 } else { 300 });
    let rules = Rules { passes: if quick { 5 } else { 15 }, patience, cold: false };
    let mut table = Table::default();
    for size in if quick { &[1000, 100_000][..] } else { &[1000, 20_000, 100_000] } {
        let models = pairs::models(*size);
        let peers: Vec<TriMesh> = models.iter().map(trimesh).collect();
        let identity = Pose::IDENTITY;
        let placed: Vec<Placed<'_>> =
            models.iter().map(|model| pairs::placed(model, &identity)).collect();
        let asked = Asked { models: &models, placed: &placed, peers: &peers };
        eprintln!("{}k", size / 1000);
        let title = |what: &str| format!("{}k {what}", size / 1000);
        table.push(title("first"), asked.first(false, rules));
        table.push(title("inside"), asked.first(true, rules));
        table.push(title("any"), asked.any(rules));
        table.push(title("nearest"), asked.nearest(rules));
    }
    println!("Microseconds a query:\n\n{table}");
    let mut worlds = Table::default();
    for count in if quick { &[1000][..] } else { &[100, 1000, 10_000] } {
        eprintln!("{count} objects");
        worlds.push(format!("{count} objects"), through_world(*count, rules));
    }
    println!("Microseconds a query, worlds:\n\n{worlds}");
}

/// Rays through a cube of bodies, whose boxes fill a sixth of it.
fn through_world(count: usize, rules: Rules) -> Vec<Timing> {
    let models = pairs::models(1000);
    let peers: Vec<SharedShape> =
        models.iter().map(|model| SharedShape(Arc::new(trimesh(model)))).collect();
    let half = 0.5 * (count as f64 * 6.0).cbrt() * pairs::SIZE;
    let (mut poses, mut random) = (Poses::new(53), Random::new(54));
    let mut world = World::new();
    let (bodies, mut colliders) = (RigidBodySet::new(), ColliderSet::new());
    let mut handles = Vec::new();
    for number in 0..count {
        let place = [(); 3].map(|()| random.between(-half, half));
        let pose = pairs::pose(poses.rotation(), place);
        let which = number % models.len();
        if let Err(error) = world.add(&models[which], &pose) {
            panic!("{error}");
        }
        let collider = ColliderBuilder::new(peers[which].clone()).position(parry_pose(&pose));
        handles.push(colliders.insert(collider));
    }
    let _ = world.check();
    let mut broad = BroadPhaseBvh::new();
    let parameters = IntegrationParameters::default();
    broad.update(&parameters, &colliders, &bodies, &handles, &[], &mut Vec::new());
    let pipeline = broad.as_query_pipeline(
        &DefaultQueryDispatcher,
        &bodies,
        &colliders,
        QueryFilter::default(),
    );
    let shots: Vec<Shot> = (0..RAYS)
        .map(|_| {
            let point = |random: &mut Random| [(); 3].map(|()| random.between(-half, half));
            let from = point(&mut random);
            let to = point(&mut random);
            (0, from, [0, 1, 2].map(|k| to[k] - from[k]))
        })
        .collect();
    let (rays, of_peer) = rays(&shots);
    let ours = Contestant::new(OURS, |i: usize| Some(world.first_hit(&rays[i]).ok()?.is_some()));
    let peer = Contestant::new("rapier3d", |i: usize| {
        Some(pipeline.cast_ray(&of_peer[i], f64::MAX, false).is_some())
    });
    contest(&mut [ours, peer], RAYS, rules)
}

struct Asked<'q> {
    models: &'q [Model],
    placed: &'q [Placed<'q>],
    peers: &'q [TriMesh],
}

/// Which model, where from, and the direction.
type Shot = (usize, [f64; 3], [f64; 3]);

impl Asked<'_> {
    fn point(&self, number: usize, random: &mut Random) -> [f64; 3] {
        let bounds = self.models[number].local_box();
        [0, 1, 2].map(|k| random.between(bounds.min[k], bounds.max[k]))
    }

    fn shots(&self, inside: bool) -> Vec<Shot> {
        let mut random = Random::new(51);
        let mut shots = Vec::new();
        while shots.len() < RAYS {
            let number = shots.len() % self.models.len();
            let aim = self.point(number, &mut random);
            let way = [(); 3].map(|()| random.between(-1.0, 1.0));
            if !inside {
                let from = [0, 1, 2].map(|k| aim[k] - 10.0 * way[k]);
                shots.push((number, from, way));
            } else if locate(self.placed[number], aim) == Location::Inside {
                shots.push((number, aim, way));
            }
        }
        shots
    }

    fn first(&self, inside: bool, rules: Rules) -> Vec<Timing> {
        let shots = self.shots(inside);
        let (rays, peers) = rays(&shots);
        let ours = Contestant::new(OURS, |i: usize| {
            Some(first_hit(self.placed[shots[i].0], &rays[i]).is_some())
        });
        let peer = Contestant::new(PEER, |i: usize| {
            let mesh = &self.peers[shots[i].0];
            Some(mesh.cast_local_ray(&peers[i], f64::MAX, false).is_some())
        });
        contest(&mut [ours, peer], RAYS, rules)
    }

    fn any(&self, rules: Rules) -> Vec<Timing> {
        let shots = self.shots(false);
        let (rays, peers) = rays(&shots);
        let ours = Contestant::new(OURS, |i: usize| {
            Some(any_hit(self.placed[shots[i].0], &rays[i]).is_some())
        });
        let peer = Contestant::new(PEER, |i: usize| {
            Some(self.peers[shots[i].0].intersects_local_ray(&peers[i], f64::MAX))
        });
        contest(&mut [ours, peer], RAYS, rules)
    }

    fn nearest(&self, rules: Rules) -> Vec<Timing> {
        let mut random = Random::new(52);
        let points: Vec<(usize, [f64; 3])> = (0..RAYS)
            .map(|i| (i % self.models.len(), self.point(i % self.models.len(), &mut random)))
            .collect();
        let ours = Contestant::new(OURS, |i: usize| {
            let (number, point) = points[i];
            Some(nearest_point(self.placed[number], point).is_ok())
        });
        let peer = Contestant::new(PEER, |i: usize| {
            let (number, [x, y, z]) = points[i];
            let found = self.peers[number].project_local_point(Vector::new(x, y, z), false);
            Some(found.point.x.is_finite())
        });
        contest(&mut [ours, peer], RAYS, rules)
    }
}

/// The rays of both.
fn rays(shots: &[Shot]) -> (Vec<Ray>, Vec<ParryRay>) {
    let vector = |[x, y, z]: [f64; 3]| Vector::new(x, y, z);
    let ours = shots.iter().filter_map(|&(_, from, way)| Ray::new(from, way).ok()).collect();
    let peer = shots.iter().map(|&(_, from, way)| ParryRay::new(vector(from), vector(way)));
    (ours, peer.collect())
}
