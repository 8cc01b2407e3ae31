//! The combined algorithm knows the nearest points of the last pose before contact.

use nalgebra::{Isometry3, Vector3};
use xcollide_convex::{Body, Pair};
use xcollide_narrow::classic::Combined;
use xcollide_narrow::convex::polytope_of;
use xcollide_narrow::{NarrowPhase, PairCache, Placed, Pose, Query, Semantics, proximity};

use super::gaps::convex_shapes;
use crate::support::{Random, random_pose};

/// The referees: the least distance of all triangles, and Gilbert's algorithm from nothing, both
/// at the last pose that was apart.
#[test]
fn the_nearest_points_are_those_of_the_last_pose_apart() {
    let models = convex_shapes();
    let mut random = Random::new(61);
    let (mut contacts, mut closest) = (0, f64::INFINITY);
    for round in 0..60 {
        let (a, b) = (&models[round % models.len()], &models[(round * 5 + 3) % models.len()]);
        let start = random_pose(&mut random, 0.3);
        let spin = Vector3::from(random_pose(&mut random, 0.2).translation());
        let from = Vector3::from([(); 3].map(|()| random.signed())).normalize() * 1.9;
        let mut cache = PairCache::new();
        let mut apart: Option<Pose> = None;
        let mut known = None;
        for step in 0..40 {
            // Through the first and out on the other side.
            let at = from * (1.0 - f64::from(step) / 20.0) + Vector3::from(start.translation());
            let turn = Pose::try_from(Isometry3::rotation(spin * f64::from(step))).unwrap();
            let pose = (turn * start).with_translation(at.into());
            let here = Placed::new(a, &Pose::IDENTITY).unwrap();
            let there = Placed::new(b, &pose).unwrap();
            let hit = Combined::default().test(here, there, &Query::new(), &mut cache);
            let found = Combined::last_apart(&cache).copied();
            if !hit.is_collision() {
                assert!(found.is_none(), "they are apart now");
                (apart, known) = (Some(pose), None);
                continue;
            }
            assert_eq!(found.is_some(), apart.is_some());
            let (Some(found), Some(before)) = (found, apart) else { continue };
            assert!(known.is_none_or(|known| known == found), "does not change during contact");
            if known.replace(found).is_some() {
                continue;
            }
            let there = Placed::new(b, &before).unwrap();
            assert_eq!(found.motions, [here, there].map(|placed| *placed.pose()));
            let truth = proximity::distance(here, there, Semantics::Solid).unwrap().value;
            let [of_a, of_b] = [polytope_of(a), polytope_of(b)];
            let mut pair = Pair::new(Body::new(&of_a, here.pose()), Body::new(&of_b, there.pose()));
            let alone = pair.nearest(&[]).distance;
            for other in [truth, alone] {
                assert!((found.nearest.distance - other).abs() < 1e-9, "{other}, {found:?}");
            }
            contacts += 1;
            closest = closest.min(truth);
        }
    }
    assert!(contacts > 40 && closest > 0.0, "{contacts} contacts, at least {closest}");
}

/// A pair that was never apart has no such points; nor has one whose memory is gone.
#[test]
fn bodies_that_were_never_apart_have_no_last_pose() {
    let models = convex_shapes();
    let here = Placed::new(&models[0], &Pose::IDENTITY).unwrap();
    let mut cache = PairCache::new();
    assert!(Combined::last_apart(&cache).is_none());
    assert!(Combined::default().test(here, here, &Query::new(), &mut cache).is_collision());
    assert!(Combined::last_apart(&cache).is_none());
    let far = Pose::from_translation([3.0, 0.0, 0.0]);
    let there = Placed::new(&models[0], &far).unwrap();
    assert!(!Combined::default().test(here, there, &Query::new(), &mut cache).is_collision());
    assert!(Combined::default().test(here, here, &Query::new(), &mut cache).is_collision());
    assert!(Combined::last_apart(&cache).is_some());
    cache.clear();
    assert!(Combined::last_apart(&cache).is_none());
}

/// What the exact test has decided counts too: bodies that touch were apart before, surfaces that
/// float in each other are apart although their hulls meet.
#[test]
fn answers_of_the_exact_test_are_remembered() {
    let models = convex_shapes();
    let cube = &models[0];
    let here = Placed::new(cube, &Pose::IDENTITY).unwrap();
    let side = here.world_box().max[0] - here.world_box().min[0];
    let mut cache = PairCache::new();
    let mut ask = |x: f64, semantics| {
        let pose = Pose::from_translation([x, 0.0, 0.0]);
        let there = Placed::new(cube, &pose).unwrap();
        let query = Query::new().semantics(semantics).stats(true);
        let hit = Combined::default().test(here, there, &query, &mut cache).is_collision();
        (hit, cache.stats().fallbacks, Combined::last_apart(&cache).copied())
    };
    let (hit, fallbacks, _) = ask(side.next_up(), Semantics::Solid);
    assert!(!hit && fallbacks == 1, "one unit in the last place is left to the exact test");
    let (hit, fallbacks, found) = ask(side, Semantics::Solid);
    assert!(hit && fallbacks == 1, "touching is left to the exact test");
    let found = found.unwrap();
    assert!(found.nearest.distance < 1e-12);
    assert_eq!(found.motions[1].translation()[0].to_bits(), side.next_up().to_bits());
}
