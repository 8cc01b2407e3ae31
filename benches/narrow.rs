//! The gain of each of the thesis's pre-checks (Zachmann 1994, table in 3.2.1), with parry3d on the
//! same poses in the same run.
//!
//! Each figure is the time for a set of poses of two equal shapes, half of them in contact.
#![allow(clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::TriMesh;
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};

/// The steps of the thesis's table, each with all those above it, and ours.
fn steps() -> Vec<(&'static str, Box<dyn NarrowPhase>)> {
    let plain = Arbitrary {
        edge_object_box: false,
        edge_face_box: false,
        collect: false,
        relaxed: false,
        ordered: false,
    };
    let edge_object = Arbitrary { edge_object_box: true, ..plain };
    let edge_face = Arbitrary { edge_face_box: true, ..edge_object };
    let collect = Arbitrary { collect: true, ..edge_face };
    let relaxed = Arbitrary { relaxed: true, ..edge_face };
    vec![
        ("brute force (all triangle pairs)", Box::new(BruteForce)),
        ("1 no pre-check", Box::new(plain)),
        ("2 edge against object box", Box::new(edge_object)),
        ("3 edge against face box", Box::new(edge_face)),
        ("4 face collect phase", Box::new(collect)),
        ("4' relaxed collect phase", Box::new(relaxed)),
        ("5 collected faces ordered", Box::new(Arbitrary::default())),
    ]
}

/// Poses of the second shape, from deep contact to just apart: positions on a spiral, fixed turns.
fn poses(model: &Model) -> Vec<Pose> {
    let size = model.local_box().size();
    let diameter = size[0].max(size[1]).max(size[2]);
    (0..8)
        .map(|i| {
            let step = f64::from(i);
            let axis = [1.0, 0.4 * step - 1.0, 0.7 - 0.2 * step];
            let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
            let reach = diameter * (0.7 + 0.06 * step);
            let offset = axis.map(|x| x / length * reach);
            let turn = nalgebra::Quaternion::new(3.0, 1.0, step - 2.0, 0.5 * step);
            Pose::try_from(nalgebra::Isometry3::from_parts(
                nalgebra::Translation3::from(offset),
                nalgebra::UnitQuaternion::new_normalize(turn),
            ))
            .unwrap()
        })
        .collect()
}

fn pre_checks(criterion: &mut Criterion) {
    for spec in ["shape:sphere?faces=500", "shape:torus?faces=500", "shape:tetraflake?depth=3"] {
        let model = match xcollide_scenes::shape(spec).map(Model::from_mesh) {
            Ok(Ok(model)) => model,
            other => panic!("{spec}: {:?}", other.err()),
        };
        let poses = poses(&model);
        let Ok(fixed) = Placed::new(&model, &Pose::IDENTITY) else { return };
        let placed: Vec<Placed<'_>> =
            poses.iter().filter_map(|pose| Placed::new(&model, pose).ok()).collect();
        let query = Query::new().semantics(Semantics::Surface);
        let mut group = criterion.benchmark_group(format!("arbitrary/{spec}"));
        group.sample_size(10);
        for (name, algorithm) in steps() {
            let mut cache = PairCache::new();
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    placed
                        .iter()
                        .filter(|&&other| {
                            let verdict =
                                algorithm.test(fixed, black_box(other), &query, &mut cache);
                            verdict.is_collision()
                        })
                        .count()
                });
            });
        }
        let vector = |p: [f64; 3]| Vector::new(p[0], p[1], p[2]);
        let triangles = model.triangulation().triangles().iter().map(|t| t.map(|v| v.0)).collect();
        let vertices = model.mesh().positions().iter().map(|&p| vector(p)).collect();
        let Ok(mesh) = TriMesh::new(vertices, triangles) else { return };
        let their_poses: Vec<ParryPose> = poses
            .iter()
            .map(|pose| {
                let isometry = nalgebra::Isometry3::from(*pose);
                let (t, q) = (isometry.translation.vector, isometry.rotation.coords);
                let rotation = Rotation::from_xyzw(q.x, q.y, q.z, q.w);
                ParryPose::from_parts(vector([t.x, t.y, t.z]), rotation)
            })
            .collect();
        group.bench_function("parry3d-f64 intersection_test", |bencher| {
            bencher.iter(|| {
                let hits = their_poses.iter().filter(|pose| {
                    query::intersection_test(&ParryPose::IDENTITY, &mesh, black_box(pose), &mesh)
                        .is_ok_and(|answer| answer.intersecting)
                });
                hits.count()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, pre_checks);
criterion_main!(benches);
