//! Queries of pairs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use xcollide::convex::shape::Capsule;
use xcollide::interest::Ask;
use xcollide::narrow::mesh::BruteForce;
use xcollide::narrow::{
    Formula, Model, NarrowPhase, PairCache, Pose, Query, Semantics, formula, proximity,
};
use xcollide::{Frame, ObjectPair, Proof, World};
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{cage, fill, models};

/// All contacts of all colliding pairs, as brute force lists them, also if nothing moved and
/// nothing was tested.
#[test]
fn contacts_are_those_of_brute_force() -> Outcome {
    let (models, mut cage) = (models(12)?, cage(12)?);
    let mut world = World::new();
    world.interest_mut().set_default_ask(Ask::Contacts { limit: usize::MAX });
    let objects = fill(&mut world, &models, &cage)?;
    let (mut frame, mut listed) = (Frame::new(), 0);
    for number in 0..24 {
        for (&object, pose) in objects.iter().zip(cage.poses()) {
            world.set_pose(object, pose)?;
        }
        world.check_into(&mut frame);
        for collision in frame.colliding() {
            let [a, b] = [world.placed(collision.pair.a)?, world.placed(collision.pair.b)?];
            let mut expected = Vec::new();
            let (query, cache) = (Query::new(), &mut PairCache::new());
            let _ = BruteForce.contact_overlaps(a, b, &query, usize::MAX, cache, &mut expected);
            assert_eq!(frame.contacts(collision), expected);
            listed += expected.len();
        }
        if number % 3 > 0 {
            cage.advance();
        }
    }
    assert!(listed > 1000, "{listed}");
    Ok(())
}

/// Tolerances and distances are those of `proximity` between all pairs: boxes hide none.
#[test]
fn no_pair_within_reach_is_overlooked() -> Outcome {
    let (models, mut cage) = (models(12)?, cage(12)?);
    let (tolerance, up_to) = (0.2, 0.35);
    let mut worlds = [World::new(), World::new()];
    worlds[0].interest_mut().set_default_ask(Ask::Within { tolerance });
    worlds[1].interest_mut().set_default_ask(Ask::Distance { up_to });
    let mut objects = Vec::new();
    for world in &mut worlds {
        objects = fill(world, &models, &cage)?;
    }
    let (mut near, mut apart) = (0, 0);
    for _ in 0..15 {
        let mut frames = Vec::new();
        for world in &mut worlds {
            for (&object, pose) in objects.iter().zip(cage.poses()) {
                world.set_pose(object, pose)?;
            }
            frames.push(world.check());
        }
        let mut distances = frames[1].distances.iter();
        for (i, &one) in objects.iter().enumerate() {
            for &other in &objects[i + 1..] {
                let [a, b] = [worlds[0].placed(one)?, worlds[0].placed(other)?];
                let expected = proximity::within(a, b, tolerance, Semantics::Solid);
                assert_eq!(frames[0].collides(one, other), expected.is_some());
                let distance = proximity::distance(a, b, Semantics::Solid).ok_or("no faces")?;
                if frames[1].collides(one, other) {
                    let (pair, found) = distances.next().ok_or("a distance is missing")?;
                    assert_eq!((pair.a, pair.b, found.value), (one, other, 0.0));
                } else if distance.value <= up_to {
                    let (pair, found) = distances.next().ok_or("a distance is missing")?;
                    assert_eq!((pair.a, pair.b, *found), (one, other, distance));
                    near += 1;
                } else {
                    apart += 1;
                }
            }
        }
        assert_eq!(distances.next(), None);
        for collision in frames[0].colliding() {
            let [a, b] = [worlds[0].placed(collision.pair.a)?, worlds[0].placed(collision.pair.b)?];
            let Proof::Near(nearness) = collision.proof else { return Err("no nearness".into()) };
            nearness.verify(a, b, tolerance, Semantics::Solid)?;
        }
        cage.advance();
    }
    assert!(near > 50 && apart > 50, "{near} {apart}");
    Ok(())
}

/// Tolerances of some pairs are decided as by brute force, while all other boxes stay as they are.
#[test]
fn only_boxes_of_objects_concerned_are_wider() -> Outcome {
    let (models, mut cage) = (models(12)?, cage(12)?);
    let (mut asked, mut plain) = (World::new(), World::new());
    let objects = fill(&mut asked, &models, &cage)?;
    fill(&mut plain, &models, &cage)?;
    let mut random = Random::new(5);
    let mut tolerances: BTreeMap<[usize; 2], f64> = BTreeMap::new();
    let (mut met, mut unmet, mut narrow, mut wide) = (0, 0, 0, 0);
    for round in 0..24 {
        // Three pairs have a query for some time, each time one of them is new.
        let [i, j] = [0, 1].map(|_| random.between(0.0, 11.99) as usize);
        if i != j {
            let (pair, tolerance) = ([i.min(j), i.max(j)], random.between(0.01, 1.5));
            let within = Ask::Within { tolerance };
            asked.interest_mut().set_pair_ask(objects[i], objects[j], within);
            tolerances.insert(pair, tolerance);
        }
        if tolerances.len() > 3
            && let Some(([i, j], _)) = tolerances.pop_first()
        {
            asked.interest_mut().clear_pair(objects[i], objects[j]);
        }
        for world in [&mut asked, &mut plain] {
            for (&object, pose) in objects.iter().zip(cage.poses()) {
                world.set_pose(object, pose)?;
            }
        }
        let (frame, _) = (asked.check(), plain.check());
        for (i, &one) in objects.iter().enumerate() {
            for (j, &other) in objects.iter().enumerate().skip(i + 1) {
                let [a, b] = [asked.placed(one)?, asked.placed(other)?];
                let tolerance = tolerances.get(&[i, j]).copied();
                let expected =
                    proximity::within(a, b, tolerance.unwrap_or(0.0), Semantics::Solid).is_some();
                assert_eq!(frame.collides(one, other), expected, "{i} {j} in round {round}");
                if tolerance.is_some() {
                    (met, unmet) = (met + usize::from(expected), unmet + usize::from(!expected));
                }
            }
            let of = tolerances.iter().filter(|(pair, _)| pair.contains(&i));
            let reach = of.fold(0.0, |most: f64, (_, &tolerance)| most.max(tolerance));
            let [found, bare] = [asked.bounds(one)?.aabb, plain.bounds(one)?.aabb];
            if reach == 0.0 {
                assert_eq!(found, bare, "{i} in round {round}");
                narrow += 1;
            } else {
                assert!(found.min[0] < bare.min[0] && found.min[0] > bare.min[0] - 0.51 * reach);
                wide += 1;
            }
        }
        cage.advance();
    }
    assert!(met > 10 && unmet > 10 && narrow > 50 && wide > 50, "{met} {unmet} {narrow} {wide}");
    Ok(())
}

/// A changed query is answered, though nothing moved, and affects no other pair.
#[test]
fn a_new_question_is_answered_at_once() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let mut world = World::new();
    let gap = 2.5;
    let at = |n: f64| Pose::from_translation([n * (2.0 + gap), 0.0, 0.0]);
    let size = model.local_box().size()[0];
    let [a, b, c] = [0.0, 1.0, 2.0].map(|n| world.add(&model, &at(n)));
    let (a, b, c) = (a?, b?, c?);
    assert_eq!(world.check().stats.colliding, 0);
    let tolerance = 2.0 + gap - size;
    world.interest_mut().set_pair_ask(a, b, Ask::Within { tolerance });
    let frame = world.check();
    assert_eq!((frame.began.len(), frame.collides(a, b), frame.collides(b, c)), (1, true, false));
    world.interest_mut().set_pair_ask(b, a, Ask::Within { tolerance: tolerance.next_down() });
    assert_eq!(world.check().ended.len(), 1);
    world.interest_mut().clear_pair(a, b);
    world.interest_mut().set_default_ask(Ask::Distance { up_to: 9.0 });
    let frame = world.check();
    assert_eq!((frame.distances.len(), frame.distances[0].1.value), (3, tolerance));
    assert_eq!(frame.stats.colliding, 0);
    Ok(())
}

/// The world's query affects all pairs: semantics, and an impossible time limit.
#[test]
fn the_query_holds_for_all_pairs() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("torus?faces=200")?)?;
    let ball = Model::from_mesh(xcollide_scenes::shape("sphere?faces=200")?)?;
    let mut world = World::new();
    let outer = world.add(&ball, &Pose::IDENTITY)?;
    let inner = world.add(&Model::from_mesh(small()?)?, &Pose::IDENTITY)?;
    assert!(world.check().collides(outer, inner));
    world.set_query(Query::new().semantics(Semantics::Surface));
    let frame = world.check();
    assert_eq!((frame.ended.len(), frame.stats.colliding), (1, 0));
    world.set_query(Query::new());
    assert_eq!(world.check().began.len(), 1);
    // Undecided pairs keep their state and are tested again.
    world.set_model(inner, &model)?;
    world.set_query(Query::new().budget(Duration::ZERO));
    for _ in 0..2 {
        let frame = world.check();
        assert_eq!((frame.undecided.len(), frame.stats.tested), (1, 1));
        assert_eq!((frame.ended.len(), frame.stats.colliding), (0, 0));
    }
    world.set_query(Query::new());
    let frame = world.check();
    assert_eq!((frame.persisting.len(), frame.undecided.len()), (1, 0));
    Ok(())
}

/// A distance that the budget ends is told with both bounds, apart from those that are measured, and measured again in the next
/// check, also of a world that was stored.
#[test]
fn a_budget_ends_distances_with_bounds() -> Outcome {
    let knot = Model::from_mesh(xcollide_scenes::shape("knot?faces=3000")?)?;
    let mut world = World::new();
    let still = world.add(&knot, &Pose::IDENTITY)?;
    let moving = world.add(&knot, &Pose::from_translation([4.0, 1.0, 0.5]))?;
    world.interest_mut().set_default_ask(Ask::Distance { up_to: 9.0 });
    let [a, b] = [world.placed(still)?, world.placed(moving)?];
    let exact = proximity::distance(a, b, Semantics::Solid).ok_or("no faces")?;
    let (mut ended, mut measured) = (0, 0);
    for step in 0..60 {
        let budget = Duration::from_secs_f64(1e-6 * 1.3_f64.powi(step));
        world.set_query(Query::new().budget(budget));
        let frame = world.check();
        assert_eq!(frame.stats.tested, 1);
        match (&frame.bounded_distances[..], &frame.distances[..]) {
            ([(_, found)], []) => {
                assert!(found.parts_left > 0 && found.at_least <= exact.value, "{found:?}");
                assert!(exact.value <= found.nearest.value, "{found:?}");
                ended += 1;
                // Nothing has moved, and it is tested again.
                let mut again = World::restore(&world.snapshot(), World::builder())?;
                for world in [&mut world, &mut again] {
                    let frame = world.check();
                    let count = frame.bounded_distances.len() + frame.distances.len();
                    assert_eq!((frame.stats.tested, count + frame.undecided.len()), (1, 1));
                }
            }
            ([], [(_, found)]) => {
                assert_eq!(*found, exact);
                measured += 1;
                if ended > 0 {
                    assert_eq!(world.check().stats.tested, 0);
                    break;
                }
            }
            _ => assert_eq!(frame.undecided.len(), 1),
        }
    }
    assert!(ended > 0 && measured > 0, "{ended} {measured}");
    // What is proved to be beyond the limit is left out.
    let near = Ask::Distance { up_to: 1e-3 * exact.value };
    world.interest_mut().set_default_ask(near);
    let frame = world.check();
    assert!(frame.distances.is_empty() && frame.bounded_distances.is_empty());
    Ok(())
}

/// So it is for a formula and a mesh, by a budget that is over at once.
#[test]
fn a_budget_ends_distances_of_formulas_with_bounds() -> Outcome {
    let knot = Model::from_mesh(xcollide_scenes::shape("knot?faces=3000")?)?;
    let capsule = Model::from_formula(Formula::Capsule(Capsule::new(1.0, 0.2)?));
    let mut world = World::new();
    let still = world.add(&knot, &Pose::IDENTITY)?;
    let moving = world.add(&capsule, &Pose::from_translation([4.0, 1.0, 0.5]))?;
    world.interest_mut().set_default_ask(Ask::Distance { up_to: 9.0 });
    let [a, b] = [world.placed(still)?, world.placed(moving)?];
    let exact = formula::distance(a, b, Semantics::Solid)?;
    world.set_query(Query::new().budget(Duration::ZERO));
    for _ in 0..2 {
        let frame = world.check();
        let [(_, found)] = frame.bounded_distances[..] else { return Err("no bounds".into()) };
        assert!(found.parts_left > 0 && found.at_least <= exact.at_most, "{found:?}");
        assert!(exact.at_least <= found.nearest.value && frame.distances.is_empty(), "{found:?}");
        assert_eq!(frame.stats.tested, 1);
    }
    world.set_query(Query::new().budget(Duration::from_secs(3600)));
    let frame = world.check();
    let [(_, found)] = frame.distances[..] else { return Err("no distance".into()) };
    assert_eq!(found, exact.into());
    assert!(frame.bounded_distances.is_empty());
    Ok(())
}

/// Counts are those of a check's tests, not of earlier ones with another query.
#[test]
fn what_was_counted_before_is_not_counted_again() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("torus?faces=200")?)?;
    let mut world = World::builder().query(Query::new().stats(true)).build();
    let one = world.add(&model, &Pose::IDENTITY)?;
    let _other = world.add(&model, &Pose::from_translation([0.1, 0.0, 0.0]))?;
    assert!(world.check().stats.narrow.primitive_tests > 0);
    // Tolerances are not counted.
    world.interest_mut().set_default_ask(Ask::Within { tolerance: 0.1 });
    let stats = world.check().stats;
    assert_eq!((stats.tested, stats.narrow), (1, Default::default()));
    world.interest_mut().set_default_ask(Ask::Touch);
    assert!(world.check().stats.narrow.primitive_tests > 0);
    world.set_query(Query::new());
    world.set_pose(one, &Pose::from_translation([0.2, 0.0, 0.0]))?;
    let stats = world.check().stats;
    assert_eq!((stats.tested, stats.narrow), (1, Default::default()));
    Ok(())
}

/// A cube well inside the unit ball.
fn small() -> Result<xcollide::brep::PolygonMesh, Box<dyn std::error::Error>> {
    let cube = xcollide_scenes::shape("box")?;
    let positions = cube.positions().iter().map(|p| p.map(|x| 0.05 * x)).collect();
    let faces: Vec<Vec<u32>> =
        cube.faces().map(|face| face.corners().iter().map(|v| v.0).collect()).collect();
    Ok(xcollide::brep::PolygonMesh::from_polygons(positions, faces)?)
}

/// Depths and manifolds of pairs that ask for them, while they collide; points keep their ids.
#[test]
fn depths_and_manifolds_are_in_the_frame() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let mut world = World::new();
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
    let [a, b, c] = [0.0, 1.75, 3.25].map(|x| world.add(&model, &at(x)));
    let (a, b, c) = (a?, b?, c?);
    world.interest_mut().set_pair_ask(a, b, Ask::Depth);
    world.interest_mut().set_pair_ask(b, c, Ask::Manifold);
    let frame = world.check();
    assert_eq!((frame.began.len(), frame.depths.len(), frame.manifolds.len()), (2, 1, 1));
    let (pair, depth) = frame.depths[0];
    assert_eq!(pair, ObjectPair::new(a, b));
    assert!(depth.at_least <= 0.25 && 0.25 <= depth.at_most, "{depth:?}");
    let ids = |frame: &Frame| {
        let points = frame.manifolds[0].1.points.iter();
        points.map(|point| point.id).collect::<BTreeSet<u32>>()
    };
    let first = ids(&frame);
    assert_eq!(first.len(), 4);
    assert_eq!(world.check().manifolds, frame.manifolds, "nothing moved");
    world.set_pose(c, &at(3.26))?;
    let frame = world.check();
    assert_eq!(ids(&frame), first);
    let points = &frame.manifolds[0].1.points;
    assert!(points.iter().all(|point| (point.depth - 0.49).abs() < 1e-9), "{points:?}");
    world.set_pose(c, &at(9.0))?;
    let frame = world.check();
    assert_eq!((frame.depths.len(), frame.manifolds.len()), (1, 0));
    Ok(())
}
