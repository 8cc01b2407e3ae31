//! What ellipsoids decide without a search.

use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{NarrowPhase, PairCache, Placed, Pose, Query, Semantics};

use super::gaps::hull;
use crate::support::{Random, checked, random_pose, shape};

/// What is decided without a search is right and proved, and that is half of all random pairs.
#[test]
fn most_pairs_need_no_search() {
    let mut random = Random::new(62);
    let models = ["vertices=8", "vertices=30&kind=plate", "vertices=60&kind=rod", "vertices=400"]
        .map(|spec| shape(&format!("shape:polytope?seed=5&{spec}")));
    let mut decided = [0; 2];
    for round in 0..4000 {
        let (a, b) = (&models[round % 4], &models[round / 4 % 4]);
        let poses = [random_pose(&mut random, 1.2), random_pose(&mut random, 1.2)];
        let (a, b) = (Placed::new(a, &poses[0]).unwrap(), Placed::new(b, &poses[1]).unwrap());
        let (query, mut cache) = (Query::new().stats(true), PairCache::new());
        let verdict = Hybrid::default().test(a, b, &query, &mut cache);
        if cache.stats().probes == 0 {
            let expected = Wide::new().test(a, b, &query, &mut PairCache::new()).is_collision();
            assert_eq!(verdict.is_collision(), expected);
            checked(&verdict, a, b, Semantics::Solid);
            decided[usize::from(expected)] += 1;
        }
    }
    assert!(decided[0] > 1000 && decided[1] > 400, "{decided:?}");
}

/// Sizes and places at which numbers are hardly what they say.
#[test]
fn far_and_thin_bodies_have_careful_ones() {
    let corners = |scale: [f64; 3], at: f64| {
        let signs = [-1.0, 1.0];
        let all = signs.map(|x| signs.map(|y| signs.map(|z| [x, y, z]))).concat().concat();
        all.into_iter().map(|p| [0, 1, 2].map(|k| at + scale[k] * p[k])).collect::<Vec<[f64; 3]>>()
    };
    let mut random = Random::new(63);
    let scales = [[1.0, 1.0, 1e-7], [1.0, 1e-5, 1e-9], [1e-9; 3], [1e9, 1.0, 1.0], [1e-14; 3]];
    for scale in scales {
        for at in [0.0, 1.0, 1e7] {
            let model = hull(&corners(scale, at));
            let size = scale[0];
            for _ in 0..100 {
                let poses = [(); 2].map(|()| {
                    let mut pose = random_pose(&mut random, 1.0);
                    // About where the first is.
                    let turned = nalgebra::Vector3::from(pose.rotate([at; 3]));
                    pose = pose.with_translation(
                        (nalgebra::Vector3::from(pose.translation()) * (1.2 * size) - turned)
                            .into(),
                    );
                    pose
                });
                let [a, b] = [0, 1].map(|k| Placed::new(&model, &poses[k]).unwrap());
                let (query, mut cache) = (Query::new(), PairCache::new());
                let verdict = Hybrid::default().test(a, b, &query, &mut cache);
                let expected = Wide::new().test(a, b, &query, &mut PairCache::new());
                assert_eq!(verdict.is_collision(), expected.is_collision());
                checked(&verdict, a, b, Semantics::Solid);
            }
        }
    }
}

/// So far apart that squares and products of coordinates are no numbers any more.
#[test]
fn what_is_beyond_all_measure_is_apart_by_a_plane_that_holds() {
    for size in [1e-11, 1.0, 1e11] {
        let model = hull(&[[0.0; 3], [size, 0.0, 0.0], [0.0, size, 0.0], [0.0, 0.0, size]]);
        for exponent in [20, 100, 150, 170, 180, 200, 300] {
            let far = format!("1e{exponent}").parse::<f64>().unwrap();
            for way in [[1.0, 0.0, 0.0], [0.5, -0.25, 0.125]] {
                let [x, y, z] = way.map(|k| k * far);
                let poses = [Pose::IDENTITY, Pose::from_translation([x, y, z])];
                for [i, j] in [[0, 1], [1, 0]] {
                    let [a, b] = [i, j].map(|k: usize| Placed::new(&model, &poses[k]).unwrap());
                    let verdict =
                        Hybrid::default().test(a, b, &Query::new(), &mut PairCache::new());
                    assert!(verdict.is_apart(), "{size} at {far}: {verdict:?}");
                    checked(&verdict, a, b, Semantics::Solid);
                }
            }
        }
    }
}
