//! Robots on straight edges between configurations: by hand, against dense samples, and their proofs.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use xcollide::convex::shape::Ball;
use xcollide::narrow::{Formula, QueryError};
use xcollide::robot::{Edge, EdgeOutcome, EdgeVerdict, Packages, Robot, RobotError, RobotState};
use xcollide::{Model, Pose};
use xcollide_scenes::{Random, shape};

const WIDTH: f64 = 1e-6;

const PI: f64 = std::f64::consts::PI;

fn arm() -> Robot {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let [urdf, srdf] = ["arm.urdf", "arm.srdf"].map(|name| folder.join(name));
    Robot::load(urdf, Some(srdf), &Packages::new()).unwrap()
}

/// A cube of side 1 that slides along x, from a base far away.
fn sled() -> Robot {
    let text = "<robot name='sled'>\
         <link name='base'><collision><origin xyz='0 0 -9'/><geometry><box size='1 1 1'/></geometry></collision></link>\
         <link name='sled'><collision><geometry><box size='1 1 1'/></geometry></collision></link>\
         <joint name='rail' type='prismatic'><parent link='base'/><child link='sled'/>\
         <axis xyz='1 0 0'/><limit lower='-9' upper='9'/></joint></robot>";
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("sled.urdf");
    std::fs::write(&path, text).unwrap();
    Robot::load(path, None, &Packages::new()).unwrap()
}

fn wall(thickness: f64) -> Model {
    Model::from_mesh(shape(&format!("box?x={thickness}&y=4&z=4")).unwrap()).unwrap()
}

fn checked(edge: &Edge<'_>) -> EdgeVerdict {
    let verdict = edge.check(WIDTH).unwrap();
    verdict.verify(edge).unwrap();
    verdict
}

/// A thin wall is between all samples that a planner would take; the sled meets it at a known time.
#[test]
fn a_thin_wall_is_not_passed_through() {
    let mut robot = sled();
    robot.add_obstacle("wall", &wall(1e-6), &Pose::from_translation([2.0, 0.0, 0.0])).unwrap();
    let edge = robot.edge(&[-2.0], &[6.0]).unwrap();
    let mut state = robot.state().unwrap();
    for end in [0.0, 1.0] {
        state.set_joints(&edge.configuration(end)).unwrap();
        assert!(!state.collides().unwrap());
    }
    let EdgeOutcome::Collides { bodies, time, .. } = checked(&edge).outcome() else {
        panic!("it passes through")
    };
    assert_eq!(bodies.map(|body| robot.name(body)), ["sled", "wall"]);
    let expected = (3.5 - 5e-7) / 8.0;
    assert!(time.lo <= expected && expected <= time.hi && time.hi - time.lo <= WIDTH, "{time:?}");
    // Backwards, to the other side of the wall.
    let back = robot.edge(&[6.0], &[2.6]).unwrap();
    assert!(checked(&back).is_free());
    state.set_joints(&edge.configuration(time.hi)).unwrap();
    assert!(state.collides().unwrap());
}

#[test]
fn a_margin_is_kept_at_every_moment() {
    let mut robot = sled();
    robot.add_obstacle("wall", &wall(1.0), &Pose::from_translation([0.0, 3.0, 0.0])).unwrap();
    let plain = checked(&robot.edge(&[-4.0], &[4.0]).unwrap());
    assert!(plain.is_free());
    // The wall begins at y = 1; the sled ends at 0.5.
    robot.set_margin(0.5_f64.next_down()).unwrap();
    let just_farther = checked(&robot.edge(&[-4.0], &[4.0]).unwrap());
    assert!(!matches!(just_farther.outcome(), EdgeOutcome::Collides { .. }));
    robot.set_margin(0.625).unwrap();
    let edge = robot.edge(&[-4.0], &[4.0]).unwrap();
    let EdgeOutcome::Collides { time, .. } = checked(&edge).outcome() else { panic!("farther") };
    // Corner to corner, with the edges 0.5 apart across: 0.375 along the way before.
    let expected = (4.0 - 1.0 - 0.375) / 8.0;
    assert!(time.lo <= expected && expected <= time.hi + 1e-12, "{time:?}");
    assert!(plain.verify(&edge).is_err(), "a verdict without the margin");
}

/// No configuration on the way to the interval collides; at its end one does. The arm has cylinders, spheres, capsules and
/// boxes, and stands beside obstacles, one of them the ground.
#[test]
fn dense_samples_agree() {
    const SAMPLES: usize = 200;
    let mut robot = arm();
    let post = Pose::from_translation([0.9, 0.5, 0.0]);
    robot.add_obstacle("post", &wall(0.1), &post).unwrap();
    let ground = Model::from_formula(Formula::HalfSpace);
    let below = Pose::from_translation([0.0, 0.0, -0.05]);
    robot.add_obstacle("ground", &ground, &below).unwrap();
    let mut random = Random::new(23);
    let mut state = robot.state().unwrap();
    let (mut free, mut hits, mut from_start) = (0, 0, 0);
    for _ in 0..60 {
        let mut value = |most: f64| random.between(-most, most);
        let from = [value(3.1), value(1.5), value(3.1), 0.02];
        let to = [value(3.1), value(1.5), value(3.1), 0.02];
        let edge = robot.edge(&from, &to).unwrap();
        let verdict = checked(&edge);
        let (until, end) = match verdict.outcome() {
            EdgeOutcome::Free => (1.0, None),
            EdgeOutcome::Collides { time, .. } => (time.lo, Some(time.hi)),
            outcome => panic!("{outcome:?}"),
        };
        for sample in 0..=SAMPLES {
            let time = until * sample as f64 / SAMPLES as f64;
            state.set_joints(&edge.configuration(time)).unwrap();
            let collides = state.collides().unwrap();
            assert!(!collides || end == Some(0.0), "{from:?} {to:?} at {time}: {verdict:?}");
        }
        match end {
            None => free += 1,
            Some(0.0) => from_start += 1,
            Some(end) => {
                hits += 1;
                assert!(end - until <= WIDTH, "{verdict:?}");
                state.set_joints(&edge.configuration(end)).unwrap();
                assert!(state.collides().unwrap());
            }
        }
    }
    assert!(free > 3 && hits > 10 && from_start > 3, "{free} {hits} {from_start}");
}

/// Two balls touch in one moment, at fifths, so that f64 has no common point: neither a contact nor a free way can be proved.
#[test]
fn what_rounding_hides_is_undecided_and_not_free() {
    let ball = |radius: f64| Model::from_formula(Formula::Ball(Ball::new(radius).unwrap()));
    let mut robot = sled();
    robot.attach("sled", "load", &ball(2.0), &Pose::IDENTITY).unwrap();
    robot.add_obstacle("rock", &ball(3.0), &Pose::from_translation([2.0, 3.0, 4.0])).unwrap();
    robot.allow("sled", "rock").unwrap();
    let verdict = checked(&robot.edge(&[-2.0], &[6.0]).unwrap());
    let EdgeOutcome::Undecided { bodies, time, .. } = verdict.outcome() else {
        panic!("{verdict:?}")
    };
    assert_eq!(bodies.map(|body| robot.name(body)), ["load", "rock"]);
    assert!(time.lo <= 0.5 && !verdict.is_free(), "{time:?}");
}

/// A proof of one edge does not hold of another.
#[test]
fn proofs_of_other_edges_are_refused() {
    let mut robot = sled();
    robot.add_obstacle("wall", &wall(1.0), &Pose::from_translation([2.0, 0.0, 0.0])).unwrap();
    let free = robot.edge(&[-2.0], &[0.5]).unwrap();
    let hits = robot.edge(&[-2.0], &[3.0]).unwrap();
    let (of_free, of_hits) = (checked(&free), checked(&hits));
    assert!(of_free.is_free() && !of_hits.is_free());
    assert!(of_free.verify(&hits).is_err());
    assert!(of_hits.verify(&free).is_err());
}

#[test]
fn what_is_no_edge_is_told() {
    let robot = sled();
    assert!(matches!(robot.edge(&[0.0, 1.0], &[0.0]), Err(RobotError::Configuration(_))));
    assert!(matches!(robot.edge(&[0.0], &[f64::INFINITY]), Err(RobotError::Configuration(_))));
    let mut robot = sled();
    robot.add_obstacle("wall", &wall(1.0), &Pose::from_translation([2.0, 0.0, 0.0])).unwrap();
    let edge = robot.edge(&[0.0], &[2.0]).unwrap();
    let error = edge.check(-1.0).unwrap_err();
    let RobotError::Query { a, b, error } = error else { panic!("{error}") };
    assert_eq!((a.as_str(), b.as_str()), ("sled", "wall"));
    assert_eq!(error, QueryError::Width { width: -1.0 });
}

/// An edge of no length is a configuration.
#[test]
fn an_edge_of_no_length_is_a_configuration() {
    let robot = arm();
    let mut random = Random::new(5);
    let mut collisions = 0;
    for _ in 0..40 {
        let mut value = |most: f64| random.between(-most, most);
        let at = [value(3.1), value(3.1), value(3.1), 0.02];
        let edge = robot.edge(&at, &at).unwrap();
        let verdict = checked(&edge);
        let collides = robot.query_many(&[at], RobotState::collides).unwrap()[0];
        assert_eq!(verdict.is_free(), !collides, "{at:?} {verdict:?}");
        collisions += u32::from(collides);
    }
    assert!((3..37).contains(&collisions), "{collisions}");
}

/// A half space that a link carries: where it slides, it meets at a known time; where it turns, it sweeps what is far away, and
/// nothing is free by its box.
#[test]
fn a_half_space_on_a_link_is_not_bounded_by_a_box() {
    let ground = Model::from_formula(Formula::HalfSpace);
    let far = Pose::from_translation([1e3, 0.0, 20.0]);
    let mut sled = sled();
    let forward = Pose::from_axis_angle([0.0, 1.0, 0.0], PI / 2.0, [0.0; 3]).unwrap();
    sled.attach("sled", "blade", &ground, &forward).unwrap();
    sled.add_obstacle("wall", &wall(1.0), &Pose::from_translation([4.0, 0.0, 0.0])).unwrap();
    sled.allow("sled", "wall").unwrap();
    sled.allow("base", "blade").unwrap();
    let edge = sled.edge(&[-1.0], &[9.0]).unwrap();
    let EdgeOutcome::Collides { time, .. } = checked(&edge).outcome() else { panic!("free") };
    assert!(time.lo <= 0.45 + 1e-9 && 0.45 - 1e-9 <= time.hi, "{time:?}");

    let mut arm = arm();
    arm.attach("lower", "floor", &ground, &Pose::IDENTITY).unwrap();
    arm.add_obstacle("far", &wall(1.0), &far).unwrap();
    // Half a turn and back: in the middle the floor may be below all.
    let edge = arm.edge(&[0.0, -1.5, 0.0, 0.0], &[0.0, 1.5, 0.0, 0.0]).unwrap();
    assert!(!edge.check(WIDTH).unwrap().is_free());
}
