//! parry3d-f64 as a second opinion, on thousands of random poses.
//!
//! parry tests triangles by GJK with absolute tolerances, so it is asked only about meshes with
//! edges well above 1e-3, and its answer counts only where the surfaces are not within 1e-6 of
//! touching. Its mesh test is of surfaces.

#![allow(clippy::unwrap_used, clippy::print_stdout)]

use crate::support;

use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::TriMesh;
use support::{Random, checked, random_pose, shape};
use xcollide_fixtures::long_run;
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{
    Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Verdict, proximity,
};

fn trimesh(model: &Model) -> TriMesh {
    let vertices = model.mesh().positions().iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
    let triangles = model.triangulation().triangles();
    TriMesh::new(vertices, triangles.iter().map(|t| t.map(|v| v.0)).collect()).unwrap()
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let isometry = nalgebra::Isometry3::from(*pose);
    let (t, q) = (isometry.translation.vector, isometry.rotation.coords);
    ParryPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

/// Runs `count` poses over all pairs of shapes and returns how many collided and how many parry
/// could not be asked about.
fn compare(count: usize, seed: u64) -> (usize, usize) {
    let models = [
        "shape:sphere?faces=80",
        "shape:torus?faces=120",
        "shape:cone?faces=24",
        "shape:cylinder?faces=30",
        "shape:tetraflake?depth=2",
        "shape:polytope?vertices=30&kind=rod&seed=4",
    ]
    .map(shape);
    let meshes = models.each_ref().map(trimesh);
    let mut random = Random::new(seed);
    let (mut collisions, mut too_close) = (0, 0);
    let algorithm = Arbitrary::default();
    let query = Query::new().semantics(Semantics::Surface);
    for round in 0..count {
        let (i, j) = (round % models.len(), round / models.len() % models.len());
        let reach = 0.7 * models[i].local_box().size()[0].max(models[j].local_box().size()[0]);
        let poses = [random_pose(&mut random, reach), random_pose(&mut random, reach)];
        let a = Placed::new(&models[i], &poses[0]).unwrap();
        let b = Placed::new(&models[j], &poses[1]).unwrap();
        let verdict = algorithm.test(a, b, &query, &mut PairCache::new());
        checked(&verdict, a, b, Semantics::Surface);
        let [pa, pb] = poses.each_ref().map(parry_pose);
        let theirs =
            query::intersection_test(&pa, &meshes[i], &pb, &meshes[j]).unwrap().intersecting;
        let ours = verdict.is_collision();
        let fast = Wide::new().test(a, b, &query, &mut PairCache::new());
        checked(&fast, a, b, Semantics::Surface);
        assert_eq!(fast.is_collision(), ours);
        collisions += usize::from(ours);
        if ours == theirs {
            continue;
        }
        // The only difference that is explained: within parry's tolerance of touching.
        let gap = proximity::distance(a, b, Semantics::Surface).unwrap().value;
        let touching = match verdict {
            Verdict::Collides(_) => {
                query::distance(&pa, &meshes[i], &pb, &meshes[j]).unwrap().distance < 1e-6
            }
            _ => gap < 1e-6,
        };
        assert!(touching, "round {round}: ours {ours}, parry {theirs}, gap {gap:e}");
        too_close += 1;
    }
    (collisions, too_close)
}

#[test]
fn parry_agrees_on_surfaces() {
    let (collisions, too_close) = compare(1500, 11);
    assert!((300..1200).contains(&collisions), "{collisions} collisions: a one-sided test");
    assert!(too_close <= 2, "{too_close} poses within 1e-6 of touching");
}

#[test]
fn parry_agrees_on_surfaces_soak() {
    let run = long_run(500, 10_000);
    let poses = run.cases as usize;
    let (collisions, too_close) = compare(poses, 12 + run.seed);
    println!("{collisions} collisions, {too_close} poses too close for parry");
    assert!((poses / 5..poses * 4 / 5).contains(&collisions));
    assert!(too_close <= 2 + poses / 1000);
}

#[test]
fn distances_agree_with_parry() {
    let models = ["shape:sphere?faces=60", "shape:cone?faces=24"].map(shape);
    let meshes = models.each_ref().map(trimesh);
    let mut random = Random::new(5);
    let mut apart = 0;
    for _ in 0..200 {
        let poses = [random_pose(&mut random, 1.5), random_pose(&mut random, 1.5)];
        let a = Placed::new(&models[0], &poses[0]).unwrap();
        let b = Placed::new(&models[1], &poses[1]).unwrap();
        let ours = proximity::distance(a, b, Semantics::Surface).unwrap();
        let [pa, pb] = poses.each_ref().map(parry_pose);
        let theirs = query::distance(&pa, &meshes[0], &pb, &meshes[1]).unwrap().distance;
        if theirs == 0.0 {
            // parry also says 0 where its GJK does not converge.
            continue;
        }
        apart += 1;
        assert!((ours.value - theirs).abs() < 1e-6, "ours {} parry {theirs}", ours.value);
        let [p, q] = ours.points;
        let between = (0..3).map(|k| (p[k] - q[k]).powi(2)).sum::<f64>().sqrt();
        assert!((between - ours.value).abs() < 1e-12);
    }
    assert!(apart > 50);
}
