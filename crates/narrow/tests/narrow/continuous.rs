//! When moving models first touch: against closed forms, dense static queries, and proofs that are verified.

#![allow(clippy::unwrap_used)]

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::time::Duration;

use xcollide_fixtures::long_run;
use xcollide_math::{Motion, Path, Speed};
use xcollide_narrow::continuous::{MotionVerdict, Moving, TimeInterval, time_of_contact};
use xcollide_narrow::{Model, Placed, Pose, Query, QueryError, Reason, Semantics, intersects};

use crate::support::{Random, cuboid, joined, model, random_pose, shape};

const WIDTH: f64 = 1e-9;

fn unit_box() -> Model {
    Model::from_mesh(cuboid([-0.5; 3], [0.5; 3])).unwrap()
}

/// The verdict, with its proofs verified, those of the other order of the models too.
fn checked(a: Moving<'_>, b: Moving<'_>) -> MotionVerdict {
    let verdict = time_of_contact(a, b, WIDTH, &Query::new().certify(true)).unwrap();
    verdict.verify(a, b, Semantics::Solid).unwrap();
    let exchanged = time_of_contact(b, a, WIDTH, &Query::new()).unwrap();
    exchanged.verify(b, a, Semantics::Solid).unwrap();
    match (verdict.interval(), exchanged.interval()) {
        (Some(one), Some(other)) => {
            let meet = one.lo <= other.hi && other.lo <= one.hi;
            assert!(meet, "{one:?} and {other:?} exchanged");
        }
        (one, other) => assert_eq!(one.is_some(), other.is_some(), "{one:?} and {other:?}"),
    }
    verdict
}

/// Asserts that the first contact is at this time.
#[track_caller]
fn assert_contact(a: Moving<'_>, b: Moving<'_>, time: f64) {
    let verdict = checked(a, b);
    assert!(matches!(verdict, MotionVerdict::Collides { .. }), "{verdict:?}");
    let TimeInterval { lo: at_least, hi: at_most } = verdict.interval().unwrap();
    assert!(at_most - at_least <= WIDTH, "{at_least} to {at_most}");
    // The closed form is rounded too.
    let slack = 1e-12;
    assert!(at_least <= time + slack && time <= at_most + slack, "{at_least} to {at_most}: {time}");
}

fn moves(from: [f64; 3], to: [f64; 3]) -> Motion {
    Motion::linear(Pose::from_translation(from), Pose::from_translation(to)).unwrap()
}

#[test]
fn boxes_that_fly_at_each_other_meet_when_their_faces_do() {
    let cube = unit_box();
    for (from, to, time) in [
        ([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.25),
        // Through both, in less than a thousandth of the time.
        ([-1e4, 0.25, 0.0], [1e4, 0.25, 0.0], 0.5 - 0.5e-4),
        // An edge meets an edge, and a corner a corner: only touching.
        ([-2.0, 1.0, 0.0], [2.0, 1.0, 0.0], 0.25),
        ([-2.0, 1.0, 1.0], [2.0, 1.0, 1.0], 0.25),
        // At the end, and at once.
        ([-2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 1.0),
        ([-1.0, 0.0, 0.0], [-2.0, 0.0, 0.0], 0.0),
        ([0.1, 0.0, 0.0], [-2.0, 0.0, 0.0], 0.0),
    ] {
        let motion = moves(from, to);
        assert_contact(Moving::new(&cube, &motion), Moving::new(&cube, &Pose::IDENTITY), time);
    }
    let both = [moves([-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]), moves([0.0, 3.0, 0.0], [0.0, -3.0, 0.0])];
    assert_contact(Moving::new(&cube, &both[0]), Moving::new(&cube, &both[1]), 1.0 / 3.0);
}

#[test]
fn what_passes_by_is_apart_however_narrowly() {
    let cube = unit_box();
    for gap in [1.0, 1e-3, 1e-9, 1e-11] {
        let motion = moves([-50.0, 1.0 + gap, 0.0], [50.0, 1.0 + gap, 0.0]);
        let verdict = checked(Moving::new(&cube, &motion), Moving::new(&cube, &Pose::IDENTITY));
        // Along the other face, so in few steps.
        assert!(
            matches!(&verdict, MotionVerdict::Apart(apart) if apart.steps() < 8),
            "{verdict:?}"
        );
    }
    let rests = Moving::new(&cube, &Pose::IDENTITY);
    let beside = Pose::from_translation([0.0, 1.1, 0.0]);
    assert!(matches!(checked(rests, Moving::new(&cube, &beside)), MotionVerdict::Apart(_)));
}

/// What other libraries are known to miss: flat plates that approach each other (reported as FCL 555), boxes in plain
/// translation (FCL 120), and a cuboid that turns into one at rest (parry 317).
#[test]
fn known_failures_of_others_are_answered() {
    let plate = model(
        vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
        &[vec![0, 1, 3, 2]],
    );
    let [down, up] = [-1.0, 1.0].map(|side| moves([0.0, 0.0, -3.0 * side], [0.0, 0.0, 3.0 * side]));
    assert_contact(Moving::new(&plate, &down), Moving::new(&plate, &up), 0.5);
    let cube = unit_box();
    let [right, left] =
        [-1.0, 1.0].map(|side| moves([4.0 * side, 0.0, 0.0], [-4.0 * side, 0.0, 0.0]));
    assert_contact(Moving::new(&cube, &right), Moving::new(&cube, &left), 3.5 / 8.0);
    // A long cuboid swings by 60 degrees; its edge at (3, 0.5) meets the face y = 1.5 of the other from below.
    let long = Model::from_mesh(cuboid([0.0, -0.5, -0.5], [3.0, 0.5, 0.5])).unwrap();
    let end = Pose::from_axis_angle([0.0, 0.0, 1.0], PI / 3.0, [0.0; 3]).unwrap();
    let swing = Motion::linear(Pose::IDENTITY, end).unwrap();
    let at_rest = Model::from_mesh(cuboid([0.0, 1.5, -4.0], [9.0, 4.0, 4.0])).unwrap();
    let radius = 3.0_f64.hypot(0.5);
    let time = ((1.5 / radius).asin() - 0.5_f64.atan2(3.0)) / (PI / 3.0);
    assert_contact(Moving::new(&long, &swing), Moving::new(&at_rest, &Pose::IDENTITY), time);
}

/// A bar from the origin to (2, 0, 0) turns about the z axis, into a wall at y = 1.
#[test]
fn a_bar_meets_the_wall_at_the_angle_of_its_arm() {
    let bar = Model::from_mesh(cuboid([0.0, -0.125, -0.5], [2.0, 0.125, 0.5])).unwrap();
    let wall = Model::from_mesh(cuboid([-9.0, 1.0, -9.0], [9.0, 2.0, 9.0])).unwrap();
    // The corner (2, 1/8): radius r, at first at the angle a.
    let (radius, angle) = (2.0_f64.hypot(0.125), 0.125_f64.atan2(2.0));
    let time_of = |turn: f64| ((1.0 / radius).asin() - angle) / turn;
    for turn in [FRAC_PI_2, 3.0, TAU, 20.0 * TAU] {
        let spin = [0.0, 0.0, turn];
        let motion = Motion::spinning([0.0; 3], Pose::IDENTITY, [0.0; 3], spin).unwrap();
        let (bar, wall) = (Moving::new(&bar, &motion), Moving::new(&wall, &Pose::IDENTITY));
        assert_contact(bar, wall, time_of(turn));
    }
    // Too far away for the bar, by little.
    for gap in [1e-1, 1e-4, 1e-7] {
        let farther = Pose::from_translation([0.0, radius - 1.0 + gap, 0.0]);
        let spin = [0.0, 0.0, 3.0 * TAU];
        let motion = Motion::spinning([0.0; 3], Pose::IDENTITY, [0.0; 3], spin).unwrap();
        let verdict = checked(Moving::new(&bar, &motion), Moving::new(&wall, &farther));
        assert!(matches!(verdict, MotionVerdict::Apart(_)), "{gap}: {verdict:?}");
    }
}

/// Two gears of one tooth each that turn against each other at the same rate never meet if one is half a turn ahead.
#[test]
fn teeth_pass_each_other_while_hulls_overlap() {
    let tooth = |from: f64, to: f64| cuboid([from, -0.1, -0.5], [to, 0.1, 0.5]);
    let gear = Model::from_mesh(joined(&[cuboid([-0.5; 3], [0.5; 3]), tooth(0.9, 1.4)])).unwrap();
    let [ahead, behind] = [0.0, PI].map(|angle| {
        let at = [if angle == 0.0 { -1.1 } else { 1.1 }, 0.0, 0.0];
        let start = Pose::from_axis_angle([0.0, 0.0, 1.0], angle + FRAC_PI_2, at).unwrap();
        let turn = if angle == 0.0 { TAU } else { -TAU };
        Motion::spinning([0.0; 3], start, [0.0; 3], [0.0, 0.0, turn]).unwrap()
    });
    let _ = checked(Moving::new(&gear, &ahead), Moving::new(&gear, &behind));
}

#[test]
fn a_body_inside_another_collides_from_the_start_and_with_surface_semantics_at_the_shell() {
    let (large, small) = (
        Model::from_mesh(cuboid([-2.0; 3], [2.0; 3])).unwrap(),
        Model::from_mesh(cuboid([-0.5; 3], [0.5; 3])).unwrap(),
    );
    let motion = moves([0.0; 3], [3.0, 0.0, 0.0]);
    let (inner, outer) = (Moving::new(&small, &motion), Moving::new(&large, &Pose::IDENTITY));
    assert_contact(inner, outer, 0.0);
    let query = Query::new().semantics(Semantics::Surface).certify(true);
    let verdict = time_of_contact(inner, outer, WIDTH, &query).unwrap();
    verdict.verify(inner, outer, Semantics::Surface).unwrap();
    assert!(verdict.verify(inner, outer, Semantics::Solid).is_err());
    let TimeInterval { lo: at_least, hi: at_most } = verdict.interval().unwrap();
    assert!(at_least <= 0.5 && 0.5 <= at_most, "{at_least} to {at_most}");
}

/// Motions of any kind between random poses.
fn random_motion(random: &mut Random, reach: f64) -> Motion {
    let [start, end] = [(); 2].map(|()| random_pose(random, reach));
    match random.below(4) {
        0 => Motion::linear(start, start.with_translation(end.translation())),
        1 => Motion::linear(start, end),
        2 => Motion::screw(start, end),
        _ => Motion::spinning(random.point(1.0), start, random.point(reach), random.point(12.0)),
    }
    .unwrap()
}

/// Small models of all kinds.
fn small_models() -> Vec<Model> {
    let models = [
        "shape:box",
        "shape:torus?faces=60",
        "shape:tetraflake?depth=1",
        "shape:polytope?vertices=12&kind=rod&seed=4",
        "shape:sphere?faces=80",
    ]
    .map(shape);
    // An open surface, and a triangle without area.
    let sheet = model(vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[vec![0, 1, 2]]);
    let needle = model(vec![[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], &[vec![0, 1]]);
    models.into_iter().chain([sheet, needle]).collect()
}

/// Returns how many collided after the start. The last model is not paired with itself. Of so many proofs one is verified.
fn agree_with_dense_static_queries(
    models: &[Model],
    reach: f64,
    [rounds, seed]: [u64; 2],
    moments: u32,
    proofs: u64,
) -> u64 {
    let mut random = Random::new(seed);
    let (mut collided, mut wide) = (0, 0);
    for round in 0..rounds {
        // Two segments that cross touch in one moment, at which no pose in f64 has them touch.
        let a = &models[random.below(models.len() - 1)];
        let b = &models[random.below(models.len())];
        let [motion_a, motion_b] = [(); 2].map(|()| random_motion(&mut random, reach));
        let (of_a, of_b) = (Moving::new(a, &motion_a), Moving::new(b, &motion_b));
        let verdict =
            time_of_contact(of_a, of_b, WIDTH, &Query::new().certify(round % proofs == 0)).unwrap();
        let TimeInterval { lo: at_least, hi: at_most } = match &verdict {
            MotionVerdict::Apart(_) => TimeInterval { lo: 1.0, hi: 1.0 },
            MotionVerdict::Collides { .. } => verdict.interval().unwrap(),
            MotionVerdict::Undecided { .. } => panic!("round {round}: {verdict:?}"),
        };
        wide += u64::from(at_most - at_least > WIDTH);
        let touch = |time: f64| {
            let poses = [motion_a.at(time), motion_b.at(time)];
            intersects((a, &poses[0]), (b, &poses[1])).unwrap()
        };
        for moment in 0..=moments {
            let time = at_least * f64::from(moment) / f64::from(moments);
            let is_before = time < at_least || matches!(verdict, MotionVerdict::Apart(_));
            assert!(!is_before || !touch(time), "round {round}: contact at {time}, not told");
        }
        if matches!(verdict, MotionVerdict::Collides { .. }) {
            assert!(touch(at_most), "round {round}: no contact at {at_most}");
            collided += u64::from(at_most > 0.0);
        }
        if round % proofs == 0 {
            let verified = verdict.verify(of_a, of_b, Semantics::Solid);
            assert!(verified.is_ok(), "round {round}: {verified:?}, {motion_a:?}, {motion_b:?}");
        }
    }
    // Where they graze each other at less than a ten thousandth of their speed.
    assert!(wide <= 1 + rounds / 1000, "{wide} intervals are wider than asked");
    collided
}

#[test]
fn random_motions_agree_with_dense_static_queries() {
    let collided = agree_with_dense_static_queries(&small_models(), 2.5, [150, 3], 40, 4);
    assert!((30..140).contains(&collided), "{collided}: a one-sided test");
}

#[test]
fn motions_agree_with_dense_static_queries_soak() {
    let run = long_run(20, 100_000);
    agree_with_dense_static_queries(&small_models(), 2.5, [run.cases, run.seed], 100, 4);
}

#[test]
fn motions_of_large_meshes_agree_with_dense_static_queries_soak() {
    let run = long_run(3, 100_000);
    let large =
        ["torus?faces=20000", "knot?faces=20000", "torus?faces=100000", "knot?faces=100000"];
    let models = large.map(|spec| shape(&format!("shape:{spec}")));
    // A proof about a hundred thousand triangles close to others takes a second.
    agree_with_dense_static_queries(&models, 6.0, [run.cases, run.seed], 100, 1000);
}

/// A step of the search that ends within rounding of what its proof allows, as the proof rounds in its own way.
#[test]
fn steps_are_a_little_shorter_than_what_can_be_proved() {
    let [start, end] = [
        (
            [
                [0.403012377330617, -0.011204278556992298, 0.9151259409831751],
                [0.7765889045367198, -0.5248878693269554, -0.34842846896295193],
                [0.48424239495193117, 0.8510976376276851, -0.20283518963875968],
            ],
            [-1.8804704355542268, 0.9677845386127876, 0.19786151846976574],
        ),
        (
            [
                [0.6064801003576116, 0.7563235505077374, -0.24526837304795612],
                [-0.06065355969468078, -0.26356783977154863, -0.9627321224175098],
                [-0.7927818322631928, 0.5987542741271492, -0.11397493429647376],
            ],
            [-2.060835952194355, -1.9387497782638259, -1.1191464832088576],
        ),
    ]
    .map(|(rows, translation)| Pose::from_matrix(rows, translation).unwrap());
    let screw = Motion::screw(start, end).unwrap();
    let rows = [
        [0.7348237989897378, -0.07213742127735168, 0.674410985149073],
        [-0.67509675359907, 0.018100676491795364, 0.7375071110101488],
        [-0.06540915622667798, -0.9972304437601136, -0.035398931053363336],
    ];
    let [from, to] = [
        [-0.1464115620020462, 1.3617962129182688, -0.3944766837207564],
        [1.1343947954097722, 0.4857138712835102, 1.6890732829736832],
    ]
    .map(|translation| Pose::from_matrix(rows, translation).unwrap());
    let way = Motion::linear(from, to).unwrap();
    for one in &small_models() {
        for other in &small_models() {
            let verdict = checked(Moving::new(one, &screw), Moving::new(other, &way));
            assert!(!matches!(verdict, MotionVerdict::Undecided { .. }));
        }
    }
}

/// A path whose bounds are no numbers proves nothing, for small bodies and large ones.
#[test]
fn bounds_that_are_no_numbers_prove_nothing() {
    struct Unbounded;

    impl Path for Unbounded {
        fn at(&self, _time: f64) -> Pose {
            Pose::IDENTITY
        }

        fn center(&self) -> [f64; 3] {
            [0.0; 3]
        }

        fn speed(&self, _from: f64, _to: f64) -> Speed {
            Speed { velocity: [f64::NAN; 3], ..Speed::REST }
        }

        fn rounding(&self, _reach: f64) -> f64 {
            0.0
        }
    }

    let away = Pose::from_translation([9.0, 0.0, 0.0]);
    for model in [shape("shape:box"), shape("shape:torus?faces=500")] {
        let (a, b) = (Moving::new(&model, &Unbounded), Moving::new(&model, &away));
        for (one, other) in [(a, b), (b, a)] {
            let verdict = time_of_contact(one, other, WIDTH, &Query::new()).unwrap();
            assert!(matches!(verdict, MotionVerdict::Undecided { .. }), "{verdict:?}");
        }
    }
}

/// A path along a cubic Bézier curve, turning about z by as much as the curve has been followed in time.
struct Curve([[f64; 3]; 4]);

impl Curve {
    /// The velocity at a time.
    fn velocity(&self, t: f64) -> [f64; 3] {
        let s = 1.0 - t;
        let [a, b, c, d] = self.0;
        [0, 1, 2].map(|k| {
            3.0 * (s * s * (b[k] - a[k]) + 2.0 * s * t * (c[k] - b[k]) + t * t * (d[k] - c[k]))
        })
    }

    /// No component of the acceleration is larger.
    fn largest_acceleration(&self) -> f64 {
        let [a, b, c, d] = self.0;
        let second = |p: [f64; 3], q: [f64; 3], r: [f64; 3]| {
            [0, 1, 2]
                .map(|k| 6.0 * (p[k] - 2.0 * q[k] + r[k]).abs())
                .into_iter()
                .fold(0.0, f64::max)
        };
        second(a, b, c).max(second(b, c, d))
    }
}

impl Path for Curve {
    fn at(&self, t: f64) -> Pose {
        let s = 1.0 - t;
        let [a, b, c, d] = self.0;
        let place = [0, 1, 2].map(|k| {
            s * s * s * a[k] + 3.0 * s * s * t * b[k] + 3.0 * s * t * t * c[k] + t * t * t * d[k]
        });
        Pose::from_axis_angle([0.0, 0.0, 1.0], 2.0 * t, place).unwrap()
    }

    fn center(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn speed(&self, from: f64, to: f64) -> Speed {
        let middle = 0.5 * (from + to);
        // √3 for the three components, and rounding.
        let velocity_error = 1.74 * self.largest_acceleration() * (middle - from) + 1e-12;
        let velocity = self.velocity(middle);
        Speed { velocity, velocity_error, spin: [0.0, 0.0, 2.0], spin_error: 1e-12 }
    }

    fn rounding(&self, reach: f64) -> f64 {
        let far = self.0.as_flattened().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        1e-14 * (reach + far)
    }
}

/// A body on a spline, in bounds that its control points give: it passes over a wall and meets one behind it.
#[test]
fn a_body_on_a_spline_meets_what_is_on_its_way() {
    let curve = Curve([[-4.0, 0.0, 0.0], [-2.0, 6.0, 0.0], [2.0, 6.0, 0.0], [4.0, 0.0, 0.0]]);
    let body = shape("shape:torus?faces=200");
    let post = Model::from_mesh(cuboid([-0.25, -9.0, -3.0], [0.25, 1.0, 3.0])).unwrap();
    let [under, behind] = [[0.0, 0.0, 0.0], [4.0, 0.5, 0.0]].map(Pose::from_translation);
    let apart = checked(Moving::new(&body, &curve), Moving::new(&post, &under));
    assert!(matches!(apart, MotionVerdict::Apart(_)), "{apart:?}");
    let verdict = checked(Moving::new(&body, &curve), Moving::new(&post, &behind));
    let time = verdict.interval().unwrap();
    assert!(time.hi - time.lo <= WIDTH && time.lo > 0.5, "{verdict:?}");
    for moment in 0..500 {
        let pose = curve.at(time.lo * f64::from(moment) / 500.0);
        assert!(!intersects((&body, &pose), (&post, &behind)).unwrap());
    }
}

/// A path with its own bounds: a door that is braked.
struct Braked;

impl Path for Braked {
    fn at(&self, time: f64) -> Pose {
        let angle = 3.0 * (2.0 * time - time * time);
        Pose::from_axis_angle([0.0, 0.0, 1.0], angle, [0.0; 3]).unwrap()
    }

    fn center(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn speed(&self, from: f64, to: f64) -> Speed {
        let [fastest, slowest] = [from, to].map(|time| 6.0 * (1.0 - time));
        let (mean, half) = (0.5 * (fastest + slowest), 0.5 * (fastest - slowest));
        Speed { spin: [0.0, 0.0, mean], spin_error: half + 1e-12, ..Speed::REST }
    }

    fn rounding(&self, reach: f64) -> f64 {
        1e-13 * reach
    }
}

#[test]
fn paths_with_bounds_of_their_own_are_answered() {
    let door = Model::from_mesh(cuboid([0.0, 0.0, -1.0], [1.0, 0.0625, 1.0])).unwrap();
    let post = Model::from_mesh(cuboid([-2.0, 0.5, -2.0], [2.0, 0.6, 2.0])).unwrap();
    let verdict = checked(Moving::new(&door, &Braked), Moving::new(&post, &Pose::IDENTITY));
    let (radius, angle) = (1.0_f64.hypot(0.0625), 0.0625_f64.atan2(1.0));
    let turned = (0.5 / radius).asin() - angle;
    let time = 1.0 - (1.0 - turned / 3.0).sqrt();
    let TimeInterval { lo: at_least, hi: at_most } = verdict.interval().unwrap();
    assert!(at_least <= time + 1e-12 && time <= at_most + 1e-12, "{at_least} {at_most} {time}");
}

/// The sphere inside a hollow shell of the same centre turns without meeting it: no plane parts them.
#[test]
fn surfaces_around_each_other_stay_apart() {
    let outer = shape("shape:sphere?faces=320");
    let inner = Model::from_mesh(cuboid([-0.2; 3], [0.2; 3])).unwrap();
    let spin = Motion::spinning([0.0; 3], Pose::IDENTITY, [0.0; 3], [3.0, 2.0, 1.0]).unwrap();
    let (a, b) = (Moving::new(&inner, &spin), Moving::new(&outer, &Pose::IDENTITY));
    let query = Query::new().semantics(Semantics::Surface).certify(true);
    let verdict = time_of_contact(a, b, WIDTH, &query).unwrap();
    assert!(matches!(verdict, MotionVerdict::Apart(_)), "{verdict:?}");
    verdict.verify(a, b, Semantics::Surface).unwrap();
}

#[test]
fn a_budget_ends_the_search_with_what_is_proved() {
    let knot = shape("shape:knot?faces=2000");
    let spin =
        Motion::spinning([0.0; 3], Pose::from_translation([9.0, 0.0, 0.0]), [0.0; 3], [9.0; 3]);
    let spin = spin.unwrap();
    let (a, b) = (Moving::new(&knot, &spin), Moving::new(&knot, &Pose::IDENTITY));
    let verdict = time_of_contact(a, b, WIDTH, &Query::new().budget(Duration::ZERO)).unwrap();
    let MotionVerdict::Undecided { reason: Reason::OutOfTime, .. } = &verdict else {
        panic!("{verdict:?}")
    };
    verdict.verify(a, b, Semantics::Solid).unwrap();
}

#[test]
fn models_without_faces_meet_nothing_and_bad_input_is_refused() {
    let (cube, nothing) = (unit_box(), model(Vec::new(), &[]));
    let motion = moves([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    let (a, b) = (Moving::new(&cube, &motion), Moving::new(&nothing, &Pose::IDENTITY));
    assert!(matches!(checked(a, b), MotionVerdict::Apart(_)));
    for width in [f64::NAN, -1.0] {
        let refused = time_of_contact(a, b, width, &Query::new());
        assert!(matches!(refused, Err(QueryError::Width { .. })));
    }
    let far = Pose::from_translation([f64::INFINITY, 0.0, 0.0]);
    let refused = time_of_contact(a, Moving::new(&cube, &far), WIDTH, &Query::new());
    assert!(matches!(refused, Err(QueryError::Pose(_))));
    assert!(Placed::new(&cube, &far).is_err());
}
