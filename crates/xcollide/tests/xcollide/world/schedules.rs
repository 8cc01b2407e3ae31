//! Time limits for a check.

use std::time::Duration;

use xcollide::execution::Parallel;
use xcollide::narrow::{Pose, Reason};
use xcollide::{Frame, ObjectPair, Order, Schedule, World};

use super::Outcome;
use super::cage::{brute_force, cage, fill, log_of, models, truth};

/// With enough time a schedule changes nothing.
#[test]
fn time_enough_gives_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (14, 14);
    let truth = truth(count, frames)?;
    for parallel in [false, true] {
        let mut world = World::new();
        if parallel {
            world.set_execution(Box::new(Parallel::new()));
        }
        let schedule = Schedule::new(Duration::from_secs(60)).seen_from([0.0; 3]);
        world.set_schedule(Some(schedule));
        assert_eq!(log_of(world, count, frames, |_, _| ())?, truth);
    }
    Ok(())
}

/// Without any time a check tests one pair, the one that has waited longest; all others are
/// undecided until their turn, and in the end all are known, each having begun once.
#[test]
fn no_pair_waits_for_ever() -> Outcome {
    let (models, cage) = (models(14)?, cage(14)?);
    let mut world = World::new();
    let objects = fill(&mut world, &models, &cage)?;
    world.set_schedule(Some(Schedule::new(Duration::ZERO)));
    let (mut frame, mut began) = (Frame::new(), Vec::new());
    world.check_into(&mut frame);
    let pairs = frame.stats.pairs;
    assert!(pairs > 15, "{pairs}");
    for check in 1..=pairs {
        assert_eq!((frame.stats.tested, frame.undecided.len()), (1, pairs - check));
        assert!(frame.undecided.iter().all(|(_, reason)| *reason == Reason::OutOfTime));
        assert!(frame.began.iter().all(|collision| collision.is_new));
        began.extend(frame.began.iter().map(|c| [c.pair.a.index(), c.pair.b.index()]));
        world.check_into(&mut frame);
    }
    assert_eq!((frame.stats.tested, frame.undecided.len()), (0, 0));
    let placed = objects.iter().map(|&object| Ok((object.index(), world.placed(object)?)));
    let placed = placed.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
    began.sort_unstable();
    assert_eq!(began, brute_force(&placed).into_iter().collect::<Vec<_>>());
    // One object that moves all the time, with all its pairs, delays no other.
    world.set_pose(objects[5], &Pose::IDENTITY)?;
    let mut waiting = usize::MAX;
    for turn in 0..200 {
        world.set_pose(objects[0], &Pose::from_translation([1e-6 * f64::from(turn), 0.0, 0.0]))?;
        world.check_into(&mut frame);
        waiting = frame.undecided.iter().filter(|(pair, _)| !pair.contains(objects[0])).count();
    }
    assert_eq!(waiting, 0);
    Ok(())
}

/// With speed, the faster of equally late pairs come first.
#[test]
fn the_fastest_pairs_come_first() -> Outcome {
    let model = models(1)?.remove(0);
    let mut world = World::new();
    let mut pairs = Vec::new();
    for place in 0..6 {
        let at = |y: f64| Pose::from_translation([10.0 * f64::from(place), y, 0.0]);
        pairs.push(ObjectPair::new(world.add(&model, &at(0.0))?, world.add(&model, &at(0.1))?));
    }
    let schedule = Schedule::new(Duration::ZERO).seen_from([25.0, 0.0, 1e6]);
    world.set_schedule(Some(schedule.noticing_speed(3.0)));
    let speeds = [0.0, 0.02, 0.05, 0.01, 0.04, 0.03];
    let mut order = Vec::new();
    for step in 0..6 {
        // Pairs whose objects move alike are not fast.
        let alike = Pose::from_translation([0.0, 0.3 * f64::from(step), 0.0]);
        world.set_pose(pairs[3].a, &(alike * Pose::from_translation([30.0, 0.0, 0.0])))?;
        for (place, speed) in speeds.iter().enumerate() {
            let y = 0.1 + speed * f64::from(step);
            let own = Pose::from_translation([10.0 * place as f64, y, 0.0]);
            world.set_pose(pairs[place].b, &if place == 3 { alike * own } else { own })?;
        }
        order.extend(world.check().began.iter().map(|collision| collision.pair));
    }
    // No speed is known before the first check, so the nearest is first.
    assert_eq!(order, [2, 4, 5, 1, 3, 0].map(|place| pairs[place]));
    Ok(())
}

/// Of equally late pairs, the most important comes first.
#[test]
fn the_most_important_pairs_come_first() -> Outcome {
    let model = models(1)?.remove(0);
    let mut world = World::new();
    let mut pairs = Vec::new();
    for place in 0..6 {
        let x = 10.0 * f64::from(place);
        let (a, b) = (
            world.add(&model, &Pose::from_translation([x, 0.0, 0.0]))?,
            world.add(&model, &Pose::from_translation([x + 0.1, 0.0, 0.0]))?,
        );
        pairs.push(ObjectPair::new(a, b));
    }
    let eye = [23.0, 0.0, 4.0];
    world.set_schedule(Some(Schedule::new(Duration::ZERO).seen_from(eye)));
    let mut order = Vec::new();
    for _ in &pairs {
        order.extend(world.check().began.iter().map(|collision| collision.pair));
    }
    // From the nearest to the farthest: at 20, 30, 10, 40, 0, 50.
    assert_eq!(order, [2, 3, 1, 4, 0, 5].map(|place| pairs[place]));
    Ok(())
}

/// Six pairs that all move before every check, at distances from the eye: how often each is tested, and the sum over all
/// checks of importance times waiting.
fn tests_in(order: Order, checks: u32) -> Result<([u32; 6], f64), Box<dyn std::error::Error>> {
    let model = models(1)?.remove(0);
    let importance = |x: f64| 64.0 / (8.0 + x);
    let schedule = Schedule::new(Duration::MAX).at_most(1).order(order);
    let mut world = World::new();
    world.set_schedule(Some(schedule.by(move |a, _| importance(a.center()[0]))));
    let mut pairs = Vec::new();
    for place in 0..6 {
        let at = |y: f64| Pose::from_translation([10.0 * f64::from(5 - place), y, 0.0]);
        pairs.push(ObjectPair::new(world.add(&model, &at(0.0))?, world.add(&model, &at(0.1))?));
    }
    let (mut tested, mut waiting, mut waited) = ([0; 6], [0.0; 6], 0.0);
    for check in 0..checks {
        for (place, pair) in (0..6).zip(&pairs) {
            let y = 0.1 + 1e-6 * f64::from(check);
            let x = 10.0 * f64::from(5 - place);
            world.set_pose(pair.b, &Pose::from_translation([x, y, 0.0]))?;
        }
        let frame = world.check();
        assert_eq!((frame.stats.tested, frame.undecided.len()), (1, 5), "{order:?}");
        for place in 0..6 {
            let late = frame.undecided.iter().any(|(pair, _)| *pair == pairs[place]);
            waiting[place] = if late { waiting[place] + 1.0 } else { 0.0 };
            tested[place] += u32::from(!late);
            waited += waiting[place] * importance(10.0 * (5.0 - place as f64));
        }
    }
    Ok((tested, waited))
}

/// The four orders of Daneu's 4.1.4, where there is time for one test of six: what is important waits least in a
/// priority queue.
#[test]
fn every_order_tests_what_it_promises() -> Outcome {
    let checks = 120;
    let (sequential, waited_sequential) = tests_in(Order::Sequential, checks)?;
    assert_eq!(sequential, [120, 0, 0, 0, 0, 0]);
    let (sorted, waited_sorted) = tests_in(Order::Sorted, checks)?;
    assert_eq!(sorted, [0, 0, 0, 0, 0, 120]);
    let (turns, waited_in_turn) = tests_in(Order::RoundRobin, checks)?;
    assert_eq!(turns, [20; 6]);
    let (queue, waited_in_queue) = tests_in(Order::PriorityQueue, checks)?;
    assert!(queue.is_sorted() && queue[0] > 0 && queue[5] > 2 * queue[0], "{queue:?}");
    for other in [waited_sequential, waited_sorted, waited_in_turn] {
        assert!(waited_in_queue < other, "{waited_in_queue} {other}");
    }
    Ok(())
}

/// What is not tested counts as in contact where the boxes overlap, and stays undecided; with time enough nothing is
/// assumed.
#[test]
fn pairs_without_time_are_assumed_contacts() -> Outcome {
    let (models, cage) = (models(14)?, cage(14)?);
    let mut world = World::new();
    fill(&mut world, &models, &cage)?;
    world.set_schedule(Some(Schedule::new(Duration::MAX).at_most(3).assuming_contact()));
    let mut assumed = 0;
    loop {
        let frame = world.check();
        assert_eq!(frame.stats.tested, 3.min(frame.stats.tested + frame.undecided.len()));
        let pairs: Vec<ObjectPair> = frame.undecided.iter().map(|(pair, _)| *pair).collect();
        assert!(frame.assumed.iter().map(|contact| contact.pair).eq(pairs));
        for contact in &frame.assumed {
            let ObjectPair { a, b } = contact.pair;
            let common = world.bounds(a)?.aabb.intersection(&world.bounds(b)?.aabb);
            assert_eq!(contact.region, common);
            assert!(!common.is_empty() && !frame.collides(a, b));
        }
        assumed += frame.assumed.len();
        if frame.undecided.is_empty() {
            break;
        }
    }
    assert!(assumed > 15, "{assumed}");
    Ok(())
}
