//! The closest features, against all pairs of features and against others' distances.

use nalgebra::{Translation3, UnitQuaternion, Vector3};
use parry3d_f64::query;
use xcollide_brep::ConvexHull;
use xcollide_convex::{Body, HullFeature, Pair, Polytope};
use xcollide_narrow::classic::ClosestFeatures;
use xcollide_narrow::convex::polytope_of;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, proximity};
use xcollide_predicates::closest_points;

use super::coherence::{parry_hull, parry_pose};
use super::gaps::convex_shapes;
use crate::support::{Random, random_pose};

/// The triangles of a feature in the world; an edge and a vertex are triangles with equal corners.
fn triangles(body: &Body<'_>, feature: HullFeature) -> Vec<[[f64; 3]; 3]> {
    let corners = body.polytope().regions().corners(feature).to_vec();
    let at = |i: usize| body.position(corners[i.min(corners.len() - 1)]);
    (1..corners.len().max(3) - 1).map(|i| [at(0), at(i), at(i + 1)]).collect()
}

fn apart(s: &[[[f64; 3]; 3]], t: &[[[f64; 3]; 3]]) -> f64 {
    let pairs = s.iter().flat_map(|s| t.iter().map(move |t| closest_points(s, t).distance));
    pairs.fold(f64::INFINITY, f64::min)
}

/// The least distance of all pairs of features: of the borders of the hulls.
fn by_all_features(pair: &Pair<'_>) -> f64 {
    let all = |body: &Body<'_>| -> Vec<_> {
        body.polytope().regions().features().flat_map(|f| triangles(body, f)).collect()
    };
    apart(&all(pair.a()), &all(pair.b()))
}

/// Checks what is promised of features and points, whatever the distance.
fn checked(pair: &mut Pair<'_>, from: Option<[HullFeature; 2]>, tolerance: f64) {
    let found = ClosestFeatures::between(pair, from);
    let (features, points) = (found.features, found.points);
    let (distance, at_least) = (found.distance, found.at_least);
    let [s, t] = [triangles(pair.a(), features[0]), triangles(pair.b(), features[1])];
    assert!(at_least <= distance + tolerance && at_least >= distance - tolerance, "{found:?}");
    if distance > tolerance {
        assert!((apart(&s, &t) - distance).abs() < tolerance, "{found:?}");
        for (point, of) in [(points[0], &s), (points[1], &t)] {
            assert!(apart(&[[point; 3]], of) < tolerance, "{found:?}");
        }
    }
}

#[test]
fn no_pair_of_features_is_nearer() {
    let mut random = Random::new(71);
    let mut seen = [[0; 3]; 3];
    let (mut meeting, mut flat) = (0, 0);
    for round in 0..1500 {
        // On a grid, so that faces and edges run parallel; of all dimensions.
        let reach = [1, 2, 12][round % 3];
        let hulls = [(); 2].map(|()| {
            let count = random.integer(1, 9);
            let points: Vec<[f64; 3]> = (0..count)
                .map(|_| [(); 3].map(|()| random.integer(-reach, reach) as f64))
                .collect();
            Model::from_mesh(ConvexHull::of(&points).unwrap().into_mesh()).unwrap()
        });
        let [of_a, of_b] = hulls.each_ref().map(polytope_of);
        let pose = if round % 2 == 0 {
            let [x, y, z] = [(); 3].map(|()| random.integer(-2 * reach, 2 * reach) as f64);
            Pose::from_translation([x, y, z])
        } else {
            random_pose(&mut random, 2.0 * reach as f64)
        };
        let a = Placed::new(&hulls[0], &Pose::IDENTITY).unwrap();
        let b = Placed::new(&hulls[1], &pose).unwrap();
        let mut pair = Pair::new(Body::new(&of_a, a.pose()), Body::new(&of_b, b.pose()));
        let distance = by_all_features(&pair);
        // From nowhere, and from any two features.
        let any = |of: &Polytope, random: &mut Random| {
            let all: Vec<HullFeature> = of.regions().features().collect();
            all[random.integer(0, all.len() as i64 - 1) as usize]
        };
        let from = [any(&of_a, &mut random), any(&of_b, &mut random)];
        for from in [None, Some(from)] {
            checked(&mut pair, from, 1e-11 * reach as f64);
            let found = ClosestFeatures::between(&mut pair, from);
            // One may be in the other, with its border away from the other's.
            let inside = found.distance < 1e-12;
            assert!(inside || (found.distance - distance).abs() < 1e-11, "{found:?} {distance}");
            meeting += usize::from(inside);
            flat += usize::from([&of_a, &of_b].iter().any(|p| p.dimension() < 3));
            let kind = |feature| match feature {
                HullFeature::Vertex(_) => 0,
                HullFeature::Edge(_) => 1,
                HullFeature::Face(_) => 2,
            };
            if !inside {
                seen[kind(found.features[0])][kind(found.features[1])] += 1;
            }
        }
        let hit = ClosestFeatures::default().test(a, b, &Query::new(), &mut PairCache::new());
        let apart = ClosestFeatures::between(&mut pair, None).at_least > 1e-9;
        assert!(!(apart && hit.is_collision()));
    }
    println!("{seen:?}, {meeting} meeting, {flat} with a flat one");
    for (kinds, least) in
        [([0, 0], 50), ([0, 1], 50), ([1, 0], 50), ([0, 2], 50), ([2, 0], 50), ([1, 1], 50)]
    {
        assert!(seen[kinds[0]][kinds[1]] > least, "{seen:?}");
    }
    assert!(meeting > 300 && flat > 300);
}

#[test]
fn tracked_distances_are_those_of_others_in_few_steps() {
    let models = convex_shapes();
    let hulls: Vec<_> = models.iter().map(|model| parry_hull(model).unwrap()).collect();
    let mut random = Random::new(72);
    let (mut frames, mut steps, mut moved) = (0, 0, 0);
    for i in 0..models.len() {
        let j = (i * 5 + 3) % models.len();
        let [of_a, of_b] = [&models[i], &models[j]].map(polytope_of);
        let mut pose = random_pose(&mut random, 1.0);
        pose = pose.with_translation((Vector3::from(pose.translation()).normalize() * 2.5).into());
        let spin = Vector3::from(random_pose(&mut random, 0.05).translation());
        let mut features = None;
        for frame in 0..60 {
            // Around the first, now nearer, now farther.
            let t = Vector3::from(pose.translation());
            let around = t.cross(&Vector3::new(0.3, 0.4, 1.0)).normalize() * 0.1;
            let length = 2.3 + 0.3 * f64::from(frame % 7);
            pose = pose.with_translation(((t + around).normalize() * length).into());
            let turn = Pose::try_from(nalgebra::Isometry3::from_parts(
                Translation3::identity(),
                UnitQuaternion::new(spin),
            ))
            .unwrap();
            pose = (turn * pose).with_translation(pose.translation());
            let a = Placed::new(&models[i], &Pose::IDENTITY).unwrap();
            let b = Placed::new(&models[j], &pose).unwrap();
            let [in_a, in_b] = [a.pose(), b.pose()];
            let mut pair = Pair::new(Body::new(&of_a, in_a), Body::new(&of_b, in_b));
            let found = ClosestFeatures::between(&mut pair, features);
            checked(&mut pair, features, 1e-10);
            moved += usize::from(features.is_some_and(|last| last != found.features));
            features = Some(found.features);
            let ours = pair.nearest(&[]).distance;
            let exact = proximity::distance(a, b, Semantics::Solid).unwrap().value;
            let poses = [Pose::IDENTITY, pose].map(|pose| parry_pose(&pose));
            let theirs =
                query::distance(&poses[0], &hulls[i], &poses[1], &hulls[j]).unwrap().distance;
            for (other, tolerance) in [(ours, 1e-9), (exact, 1e-11), (theirs, 1e-5)] {
                assert!((found.distance - other).abs() < tolerance, "{found:?} {other}");
            }
            if frame > 0 {
                (frames, steps) = (frames + 1, steps + found.steps);
            }
        }
    }
    println!("{steps} steps in {frames} frames, {moved} with other features than the last");
    assert!(steps < 4 * frames && moved > 100);
}

/// Features of other hulls may be handed in, and pairs that meet.
#[test]
fn strange_beginnings_do_no_harm() {
    let models = convex_shapes();
    let (box_like, round) = (polytope_of(&models[0]), polytope_of(&models[4]));
    let far = Pose::from_translation([4.0, 0.0, 0.0]);
    let a = Placed::new(&models[0], &Pose::IDENTITY).unwrap();
    let b = Placed::new(&models[0], &far).unwrap();
    let last = round.regions().features().last().unwrap();
    let here = Body::new(&box_like, a.pose());
    let mut pair = Pair::new(here, Body::new(&box_like, b.pose()));
    let found = ClosestFeatures::between(&mut pair, Some([last; 2]));
    assert_eq!(found.distance, 4.0 - (a.world_box().max[0] - a.world_box().min[0]));
    // In the same place.
    let mut pair = Pair::new(here, here);
    let same = ClosestFeatures::between(&mut pair, Some(found.features));
    assert_eq!((same.distance, same.at_least), (0.0, 0.0));
    // The algorithm shows its features.
    let mut cache = PairCache::new();
    assert!(ClosestFeatures::memory(&cache).is_none());
    assert!(!ClosestFeatures::default().test(a, b, &Query::new(), &mut cache).is_collision());
    let memory = ClosestFeatures::memory(&cache).unwrap();
    assert!(memory.features().is_some() && ClosestFeatures::steps(&cache) < 10);
}
