//! When models whose vertices move linearly first touch: against all pairs of triangles, exact static tests of rational
//! times, the engine for rigid motion, and proofs that are verified.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use proptest::prelude::*;
use xcollide_brep::{MeshError, PolygonMesh};
use xcollide_fixtures::{assert_comes_back, long_run};
use xcollide_math::Motion;
use xcollide_narrow::continuous::{
    MeshesVerdict, MotionVerdict, Moving, MovingMesh, MovingMeshError, meshes_contact,
    time_of_contact,
};
use xcollide_narrow::{Model, Placed, Pose, Query, QueryError, Reason, Semantics, intersects};
use xcollide_predicates::moving::{
    ContactKind, TimeInterval, TrianglePrimitives, triangles_contact,
};
use xcollide_predicates::triangles_intersect;

use crate::support::{Random, cuboid, joined, model, random_pose, shape};

fn unit_box() -> Model {
    Model::from_mesh(cuboid([-0.5; 3], [0.5; 3])).unwrap()
}

fn at(translation: [f64; 3]) -> Pose {
    Pose::from_translation(translation)
}

fn moves(model: &Model, from: [f64; 3], to: [f64; 3]) -> MovingMesh {
    MovingMesh::between(model, &at(from), &at(to)).unwrap()
}

fn rests(model: &Model) -> MovingMesh {
    MovingMesh::resting(model, &Pose::IDENTITY).unwrap()
}

/// The verdict with the proofs verified, kept or not, and that for the exchanged models.
#[track_caller]
fn checked(a: &MovingMesh, b: &MovingMesh, width: f64, semantics: Semantics) -> MeshesVerdict {
    let query = Query::new().semantics(semantics);
    let verdict = meshes_contact(a, b, width, &query.certify(true)).unwrap();
    verdict.verify(a, b, semantics).unwrap();
    let free = meshes_contact(a, b, width, &query).unwrap();
    free.verify(a, b, semantics).unwrap();
    assert_eq!(free.interval(), verdict.interval());
    let exchanged = meshes_contact(b, a, width, &query).unwrap();
    exchanged.verify(b, a, semantics).unwrap();
    match (verdict.interval(), exchanged.interval()) {
        (Some(one), Some(other)) => {
            assert!(one.lo <= other.hi && other.lo <= one.hi, "{one:?} and {other:?} exchanged");
        }
        (one, other) => assert_eq!(one.is_some(), other.is_some()),
    }
    if let Some(TimeInterval { lo, hi }) = verdict.interval() {
        assert!(hi - lo <= width || lo.next_up() == hi, "{lo} to {hi}");
    }
    verdict
}

/// The earliest contact of all pairs of triangles.
fn of_all_pairs(a: &MovingMesh, b: &MovingMesh) -> Option<TimeInterval> {
    let numbers = |mesh: &MovingMesh| 0..mesh.model().triangulation().len() as u32;
    let contacts = numbers(a).flat_map(|s| {
        numbers(b).filter_map(move |t| triangles_contact(&a.triangle(s), &b.triangle(t), 0.0))
    });
    contacts
        .map(|contact| contact.time)
        .reduce(|a, b| TimeInterval { lo: a.lo.min(b.lo), hi: a.hi.min(b.hi) })
}

/// Whether the surfaces meet at a time: exact if coordinates at both ends are integers and the time is `moment` / 64.
fn meet_at(a: &MovingMesh, b: &MovingMesh, moment: u32) -> bool {
    let weight = f64::from(moment);
    let triangles = |mesh: &MovingMesh| -> Vec<[[f64; 3]; 3]> {
        let of = |number| {
            mesh.triangle(number).map(|corner| {
                [0, 1, 2].map(|k| (64.0 - weight) * corner.start[k] + weight * corner.end[k])
            })
        };
        (0..mesh.model().triangulation().len() as u32).map(of).collect()
    };
    let of_b = triangles(b);
    triangles(a).iter().any(|s| of_b.iter().any(|t| triangles_intersect(s, t)))
}

/// Asserts that an interval of neighbouring numbers is that of all pairs. If one pair meets at such a number, and another
/// just after, it need not be a single one.
#[track_caller]
fn assert_same(found: Option<TimeInterval>, expected: Option<TimeInterval>) {
    let (Some(found), Some(expected)) = (found, expected) else {
        return assert_eq!(found, expected);
    };
    let is_same = found.lo == expected.lo
        && (found.hi == expected.hi
            || expected.hi == expected.lo && found.hi == found.lo.next_up());
    assert!(is_same, "{found:?}, expected {expected:?}");
}

fn assert_agrees_with_all_pairs(a: &MovingMesh, b: &MovingMesh) {
    let verdict = checked(a, b, 0.0, Semantics::Surface);
    assert_same(verdict.interval(), of_all_pairs(a, b));
    // Wider, so that fewer pairs are tested.
    let wide = checked(a, b, 1e-3, Semantics::Surface).interval();
    if let (Some(wide), Some(exact)) = (wide, verdict.interval()) {
        assert!(wide.lo <= exact.lo && exact.hi <= wide.hi.next_up(), "{wide:?} {exact:?}");
    }
    assert_eq!(wide.is_some(), verdict.interval().is_some());
    let first = verdict.interval().map_or(2.0, |time| time.lo);
    for moment in 0..=64 {
        let time = f64::from(moment) / 64.0;
        assert!(first <= time || !meet_at(a, b, moment), "contact at {time}, not told");
    }
}

/// The corners of some triangles at time 0 and 1, on a grid so coarse that most cases are special.
fn triangles(count: usize) -> impl Strategy<Value = Vec<[[i8; 3]; 2]>> {
    let coordinate = || -3..=3_i8;
    let point = move || [coordinate(), coordinate(), coordinate()];
    proptest::collection::vec([point(), point()], 3 * count)
}

fn soup(corners: &[[[i8; 3]; 2]], shift: f64) -> MovingMesh {
    let [start, end] = [0, 1].map(|which| -> Vec<[f64; 3]> {
        let of = |point: [i8; 3]| {
            let [x, y, z] = point.map(f64::from);
            [x + shift, y, z]
        };
        corners.iter().map(|ends| of(ends[which])).collect()
    });
    let faces: Vec<Vec<u32>> =
        (0..corners.len() as u32 / 3).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect();
    MovingMesh::deforming(&model(start, &faces), &Pose::IDENTITY, &end).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn deforming_soups_agree_with_all_pairs(a in triangles(3), b in triangles(2), shift in 0..6_i8) {
        assert_agrees_with_all_pairs(&soup(&a, 0.0), &soup(&b, f64::from(shift)));
    }

    #[test]
    fn translated_soups_agree_with_all_pairs(
        a in triangles(3),
        b in triangles(2),
        from in prop::array::uniform3(-5..=5_i8),
        to in prop::array::uniform3(-5..=5_i8),
    ) {
        let [from, to] = [from, to].map(|point| point.map(f64::from));
        let (a, b) = (soup(&a, 0.0), soup(&b, 0.0));
        assert_agrees_with_all_pairs(&moves(a.model(), from, to), &rests(b.model()));
    }
}

#[test]
fn boxes_meet_at_the_exact_time() {
    let cube = unit_box();
    let third = 1.0_f64 / 3.0;
    for (from, to, lo, hi) in [
        ([-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], 0.25, 0.25),
        // An edge meets an edge, and a corner a corner: only touching.
        ([-2.0, 1.0, 0.0], [2.0, 1.0, 0.0], 0.25, 0.25),
        ([-2.0, 1.0, 1.0], [2.0, 1.0, 1.0], 0.25, 0.25),
        // In one moment, along the other face, edge or corner.
        ([-2.0, 0.0, 1.0], [1.0, 3.0, 1.0], third, third.next_up()),
        // At the end, and at once.
        ([-2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], 1.0, 1.0),
        ([-1.0, 0.0, 0.0], [-2.0, 0.0, 0.0], 0.0, 0.0),
        ([0.1, 0.0, 0.0], [-2.0, 0.0, 0.0], 0.0, 0.0),
    ] {
        for width in [0.0, 1e-9] {
            let verdict = checked(&moves(&cube, from, to), &rests(&cube), width, Semantics::Solid);
            let time = verdict.interval().unwrap();
            assert!(time.lo <= lo && hi <= time.hi, "{from:?}: {time:?}");
            assert!(width > 0.0 || time == TimeInterval { lo, hi }, "{from:?}: {time:?}");
        }
    }
    // Off by one in the last place: nothing is invented.
    let beside = 1.0_f64.next_up();
    let passes = moves(&cube, [-50.0, beside, 0.0], [50.0, beside, 0.0]);
    let verdict = checked(&passes, &rests(&cube), 0.0, Semantics::Solid);
    assert!(matches!(verdict, MeshesVerdict::Apart(_)), "{verdict:?}");
}

/// What the engine for rigid motion leaves undecided, or answers only with luck.
#[test]
fn contacts_of_one_moment_are_decided() {
    // Segments that cross at a third of the time.
    let [along, across] =
        [[4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(|end| model(vec![[0.0; 3], end], &[vec![0, 1]]));
    let (from, to) = ([1.0, -1.0, 1.0], [1.0, -1.0, -2.0]);
    let falls = moves(&across, from, to);
    let verdict = checked(&falls, &rests(&along), 0.0, Semantics::Solid);
    let MeshesVerdict::Collides { contact, .. } = &verdict else { panic!("{verdict:?}") };
    assert_eq!(contact.time.hi, contact.time.lo.next_up());
    let in_contact = contact.triangles.unwrap();
    assert!(matches!(in_contact.primitives, TrianglePrimitives::EdgeEdge(..)));
    assert_ne!(in_contact.kind, ContactKind::Sliding);
    // Slanted ones, of which no pose in f64 has a common point.
    let slanted = model(vec![[0.0; 3], [0.3, 4.0, 0.7]], &[vec![0, 1]]);
    let (from, to) = ([1.1, -1.3, 0.9], [1.7, -1.4, -2.3]);
    let motion = Motion::linear(at(from), at(to)).unwrap();
    let (a, b) = (Moving::new(&slanted, &motion), Moving::new(&along, &Pose::IDENTITY));
    let rigid = time_of_contact(a, b, 1e-9, &Query::new()).unwrap();
    assert!(matches!(rigid, MotionVerdict::Undecided { .. }), "{rigid:?}");
    let verdict = checked(&moves(&slanted, from, to), &rests(&along), 0.0, Semantics::Solid);
    assert!(matches!(verdict, MeshesVerdict::Collides { .. }), "{verdict:?}");

    // A corner grazes a face: it comes and goes, as the face turns.
    let spike = model(vec![[0.0; 3], [1.0, 0.0, 3.0], [0.0, 1.0, 3.0]], &[vec![0, 1, 2]]);
    let floor = model(vec![[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], &[vec![0, 1, 2]]);
    let slides = moves(&spike, [-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let lower = moves(&floor, [0.0, 0.0, -1e-300], [0.0, 0.0, -1e-300]);
    assert!(checked(&slides, &lower, 0.0, Semantics::Solid).interval().is_none());
    assert!(checked(&slides, &rests(&floor), 0.0, Semantics::Solid).interval().is_some());

    // Plates that pass through each other.
    let plate = model(
        vec![[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [1.0, 1.0, 0.0]],
        &[vec![0, 1, 3, 2]],
    );
    let [down, up] = [-1.0, 1.0]
        .map(|side| moves(&plate, [0.0, 0.0, -0.7 * side], [0.25 * side, 0.0, 1.4 * side]));
    let time = checked(&down, &up, 0.0, Semantics::Solid).interval().unwrap();
    assert!((time.lo - 1.0 / 3.0).abs() < 1e-15, "{time:?}");
}

#[test]
fn a_body_inside_another_collides_from_the_start_and_with_surface_semantics_at_the_shell() {
    let (large, small) = (Model::from_mesh(cuboid([-2.0; 3], [2.0; 3])).unwrap(), unit_box());
    let (inner, outer) = (moves(&small, [0.0; 3], [3.0, 0.0, 0.0]), rests(&large));
    let solid = checked(&inner, &outer, 0.0, Semantics::Solid);
    assert_eq!(solid.interval(), Some(TimeInterval { lo: 0.0, hi: 0.0 }));
    assert!(solid.verify(&inner, &outer, Semantics::Surface).is_err());
    let surface = checked(&inner, &outer, 0.0, Semantics::Surface);
    assert_eq!(surface.interval(), Some(TimeInterval { lo: 0.5, hi: 0.5 }));
    assert!(surface.verify(&inner, &outer, Semantics::Solid).is_err());
}

/// A sphere that swells inside a hollow one, and a sheet that is blown up.
#[test]
fn deforming_bodies_meet_when_their_shapes_do() {
    let (ball, shell) = (shape("shape:sphere?faces=320"), shape("shape:sphere?faces=500&radius=2"));
    let swelling = |most: f64| {
        let end: Vec<_> = ball.mesh().positions().iter().map(|p| p.map(|x| most * x)).collect();
        MovingMesh::deforming(&ball, &Pose::IDENTITY, &end).unwrap()
    };
    let apart = checked(&swelling(1.9), &rests(&shell), 1e-9, Semantics::Surface);
    assert!(matches!(apart, MeshesVerdict::Apart(_)));
    for most in [2.5, 4.0] {
        let mesh = swelling(most);
        let time = checked(&mesh, &rests(&shell), 0.0, Semantics::Surface).interval();
        assert_same(time, of_all_pairs(&mesh, &rests(&shell)));
        // A vertex of the ball meets a face of the shell, which is a little nearer than its vertices.
        let time = time.unwrap().hi;
        let radius = 1.0 + time * (most - 1.0);
        assert!((1.9..=2.0).contains(&radius), "{radius}");
    }
}

/// Returns how many collided after the start and how many the engine for rigid motion left undecided.
fn translations_agree_with_rigid_motion(rounds: u64, seed: u64) -> [u64; 2] {
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
    let models: Vec<&Model> = models.iter().chain([&sheet, &needle]).collect();
    let mut random = Random::new(seed);
    let (mut collided, mut undecided) = (0, 0);
    for round in 0..rounds {
        let [a, b] = [(); 2].map(|()| models[random.below(models.len())]);
        let poses = [(); 2].map(|()| {
            let start = random_pose(&mut random, 2.5);
            [start, start.with_translation(random.point(2.5))]
        });
        let [linear_a, linear_b] = [(a, poses[0]), (b, poses[1])]
            .map(|(model, [start, end])| MovingMesh::between(model, &start, &end).unwrap());
        let width = [0.0, 1e-9][random.below(2)];
        let verdict = checked(&linear_a, &linear_b, width, Semantics::Solid);
        let motions = poses.map(|[start, end]| Motion::linear(start, end).unwrap());
        let (of_a, of_b) = (Moving::new(a, &motions[0]), Moving::new(b, &motions[1]));
        let rigid = time_of_contact(of_a, of_b, 1e-9, &Query::new()).unwrap();
        match &rigid {
            MotionVerdict::Undecided { .. } => undecided += 1,
            MotionVerdict::Apart(_) => {
                assert!(matches!(verdict, MeshesVerdict::Apart(_)), "round {round}: {verdict:?}");
            }
            MotionVerdict::Collides { .. } => {
                let (bodies, time) = (rigid.interval().unwrap(), verdict.interval().unwrap());
                let slack = 1e-11;
                let meet = time.lo <= bodies.hi + slack && bodies.lo <= time.hi + slack;
                assert!(meet, "round {round}: {time:?}, for rigid motion {bodies:?}");
                collided += u64::from(bodies.hi > 0.0);
            }
        }
        let before = verdict.interval().map_or(1.0, |time| time.lo - 1e-12);
        for moment in 0..20 {
            let time = before * f64::from(moment) / 20.0;
            let between = |[start, end]: [Pose; 2]| {
                let (from, to) = (start.translation(), end.translation());
                start.with_translation([0, 1, 2].map(|k| from[k] + time * (to[k] - from[k])))
            };
            let (of_a, of_b) = (between(poses[0]), between(poses[1]));
            let is_start = verdict.interval().is_some_and(|time| time.hi == 0.0);
            let touch = || intersects((a, &of_a), (b, &of_b)).unwrap();
            assert!(is_start || !touch(), "round {round}: contact at {time}, not told");
        }
    }
    [collided, undecided]
}

#[test]
fn translations_agree_with_the_engine_for_rigid_motion() {
    let [collided, undecided] = translations_agree_with_rigid_motion(150, 5);
    assert!((20..140).contains(&collided), "{collided}: a one-sided test");
    assert!(undecided < 20, "{undecided}");
}

/// Soups of triangles on a grid, some of them flat, most of them in motion.
fn random_soups_agree_with_all_pairs(rounds: u64, seed: u64) {
    let mut random = Random::new(seed);
    for _ in 0..rounds {
        let reach = 2 + random.below(6) as i64;
        let mut soup_of = |count: usize, shift: f64| {
            let mut coordinate = || (random.below(2 * reach as usize + 1) as i64 - reach) as i8;
            let corners: Vec<[[i8; 3]; 2]> =
                (0..3 * count).map(|_| [(); 2].map(|()| [(); 3].map(|()| coordinate()))).collect();
            soup(&corners, shift)
        };
        let (a, b) = (soup_of(6, 0.0), soup_of(4, 3.0));
        assert_agrees_with_all_pairs(&a, &b);
    }
}

#[test]
fn linear_motions_agree_with_all_pairs_soak() {
    let run = long_run(40, 100_000);
    random_soups_agree_with_all_pairs(run.cases, run.seed);
    translations_agree_with_rigid_motion(run.cases / 4, run.seed);
}

#[test]
fn proofs_of_other_motions_are_refused() {
    let cube = unit_box();
    let (slow, fast) = (
        moves(&cube, [-3.0, 0.0, 0.0], [-2.0, 0.0, 0.0]),
        moves(&cube, [-3.0, 0.0, 0.0], [3.0, 0.0, 0.0]),
    );
    let at_rest = rests(&cube);
    for certify in [false, true] {
        let query = Query::new().certify(certify);
        let apart = meshes_contact(&slow, &at_rest, 0.0, &query).unwrap();
        apart.verify(&slow, &at_rest, Semantics::Solid).unwrap();
        assert!(apart.verify(&fast, &at_rest, Semantics::Solid).is_err());
        let collides = meshes_contact(&fast, &at_rest, 0.0, &query).unwrap();
        assert!(collides.verify(&slow, &at_rest, Semantics::Solid).is_err());
        let _ = (assert_comes_back(&apart), assert_comes_back(&collides));
        // Each part of a contact that is changed.
        let MeshesVerdict::Collides { contact, apart } = collides else { panic!("{collides:?}") };
        type Change = fn(&mut xcollide_narrow::continuous::MeshesContact);
        let changes: [Change; 5] = [
            |contact| contact.time.hi = contact.time.lo,
            |contact| contact.time.lo = contact.time.lo.next_up().next_up(),
            |contact| contact.witness.point[1] += 2.0,
            |contact| contact.witness.a = xcollide_narrow::Feature::Body,
            |contact| {
                if let Some(triangles) = &mut contact.triangles {
                    triangles.numbers[1] = 99;
                }
            },
        ];
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = contact;
            change(&mut changed);
            let apart = apart.clone();
            let changed = MeshesVerdict::Collides { contact: changed, apart };
            let refused = changed.verify(&fast, &at_rest, Semantics::Solid);
            // The first changes nothing if the time is a number.
            assert!(refused.is_err() || number == 0, "{number} {certify}");
        }
        let without = MeshesVerdict::Collides { contact, apart: None };
        assert!(without.verify(&fast, &at_rest, Semantics::Solid).is_err());
    }
}

/// A kept proof is one of cuts; each that is left out or exchanged is noticed.
#[test]
fn tampered_fronts_are_refused() {
    let knot = shape("shape:knot?faces=400");
    let (a, b) = (moves(&knot, [0.5, 0.25, 9.0], [0.5, 0.25, 0.5]), rests(&knot));
    let verdict = meshes_contact(&a, &b, 1e-6, &Query::new().certify(true)).unwrap();
    verdict.verify(&a, &b, Semantics::Solid).unwrap();
    let stored = serde_json::to_value(&verdict).unwrap();
    let cuts = |stored: &mut serde_json::Value| -> Option<serde_json::Value> {
        let cuts = stored.pointer_mut("/Collides/apart/front/cuts")?;
        Some(std::mem::take(cuts))
    };
    let all = cuts(&mut stored.clone()).unwrap();
    let all = all.as_array().unwrap();
    let changes: [Vec<serde_json::Value>; 4] = [
        all[1..].to_vec(),
        all[..all.len() - 1].to_vec(),
        all.iter().chain(&all[..1]).cloned().collect(),
        all.iter().rev().cloned().collect(),
    ];
    for changed in changes {
        let mut stored = stored.clone();
        *stored.pointer_mut("/Collides/apart/front/cuts").unwrap() = changed.into();
        let tampered: MeshesVerdict = serde_json::from_value(stored).unwrap();
        assert!(tampered.verify(&a, &b, Semantics::Solid).is_err());
    }
    let mut later = stored.clone();
    *later.pointer_mut("/Collides/apart/before").unwrap() = 1.0.into();
    let tampered: MeshesVerdict = serde_json::from_value(later).unwrap();
    assert!(tampered.verify(&a, &b, Semantics::Solid).is_err());
}

#[test]
fn a_budget_ends_the_search_with_what_is_proved() {
    let knot = shape("shape:knot?faces=2000");
    let (a, b) = (moves(&knot, [9.0, 0.0, 0.0], [0.0; 3]), rests(&knot));
    let query = Query::new().budget(Duration::ZERO);
    let verdict = meshes_contact(&a, &b, 0.0, &query).unwrap();
    let MeshesVerdict::Undecided { reason: Reason::OutOfTime, .. } = &verdict else {
        panic!("{verdict:?}")
    };
    verdict.verify(&a, &b, Semantics::Solid).unwrap();
    for micros in [5, 20, 80, 320] {
        let query = Query::new().budget(Duration::from_micros(micros));
        let verdict = meshes_contact(&a, &b, 0.0, &query).unwrap();
        verdict.verify(&a, &b, Semantics::Solid).unwrap();
    }
}

/// Boxes that are fitted to another end in place are those of a new motion; what is refused changes nothing.
#[test]
fn another_end_is_another_motion() {
    let (ball, obstacle) = (shape("shape:sphere?faces=320"), rests(&unit_box()));
    let start = at([-3.0, 0.2, 0.1]);
    let end = |step: f64| -> Vec<[f64; 3]> {
        let positions = ball.mesh().positions().iter();
        positions.map(|&p| [p[0] - 3.0 + step, 0.2 + p[1] * (1.0 + 0.1 * step), p[2]]).collect()
    };
    let mut moving = MovingMesh::deforming(&ball, &start, &end(1.0)).unwrap();
    let mut collide = 0;
    for step in [0.0, 6.0, 0.5, 1.0, 4.0] {
        moving.set_end(&end(step)).unwrap();
        let new = MovingMesh::deforming(&ball, &start, &end(step)).unwrap();
        let verdict = checked(&moving, &obstacle, 0.0, Semantics::Solid);
        assert_eq!(verdict, checked(&new, &obstacle, 0.0, Semantics::Solid));
        assert!(moving.set_end(&[[0.0; 3]]).is_err());
        assert_eq!(verdict, checked(&moving, &obstacle, 0.0, Semantics::Solid));
        collide += usize::from(verdict.interval().is_some());
    }
    assert_eq!(collide, 2);
}

#[test]
fn models_without_faces_meet_nothing_and_bad_input_is_refused() {
    let (cube, nothing) = (unit_box(), model(Vec::new(), &[]));
    let (a, b) = (moves(&cube, [-2.0, 0.0, 0.0], [2.0, 0.0, 0.0]), rests(&nothing));
    assert!(matches!(checked(&a, &b, 0.0, Semantics::Solid), MeshesVerdict::Apart(_)));
    for width in [f64::NAN, -1.0] {
        let refused = meshes_contact(&a, &b, width, &Query::new());
        assert!(matches!(refused, Err(QueryError::Width { .. })));
    }
    let far = at([f64::INFINITY, 0.0, 0.0]);
    assert!(MovingMesh::between(&cube, &far, &Pose::IDENTITY).is_err());
    assert!(MovingMesh::between(&cube, &Pose::IDENTITY, &far).is_err());
    let refused = MovingMesh::deforming(&cube, &Pose::IDENTITY, &[[0.0; 3]; 7]);
    let count = MeshError::PositionCount { found: 7, expected: 8 };
    assert_eq!(refused.unwrap_err(), MovingMeshError::Vertices(count));
    let mut end = cube.mesh().positions().to_vec();
    end[3][1] = f64::NAN;
    let refused = MovingMesh::deforming(&cube, &Pose::IDENTITY, &end);
    assert!(matches!(
        refused.unwrap_err(),
        MovingMeshError::Vertices(MeshError::NonFinite { vertex: 3, axis: 1, .. })
    ));
    assert!(Placed::new(&cube, &far).is_err());
}

/// Boxes say nothing there, so the exact tests decide.
#[test]
fn coordinates_of_any_size_are_answered() {
    for unit in [1e-300, 1e-160, 1e-20, 1e20, 1e40, 1e160, 1e300] {
        let body = |least: f64| {
            Model::from_mesh(cuboid([least * unit; 3], [(least + 1.0) * unit; 3])).unwrap()
        };
        let (a, b) = (body(0.0), body(3.0));
        let slant = moves(&a, [0.0; 3], [8.0 * unit, 8.0 * unit, 7.0 * unit]);
        let verdict = checked(&slant, &rests(&b), 0.0, Semantics::Solid);
        assert_same(verdict.interval(), of_all_pairs(&slant, &rests(&b)));
        let end: Vec<_> = a.mesh().positions().iter().map(|p| p.map(|x| 8.0 * x)).collect();
        let swelling = MovingMesh::deforming(&a, &Pose::IDENTITY, &end).unwrap();
        let time = checked(&swelling, &rests(&b), 0.0, Semantics::Solid).interval();
        assert_same(time, of_all_pairs(&swelling, &rests(&b)));
    }
}

/// Many parts, so that the hierarchies have some depth.
#[test]
fn crowds_agree_with_all_pairs() {
    let mut random = Random::new(11);
    for _ in 0..6 {
        let parts: Vec<PolygonMesh> = (0..12)
            .map(|_| {
                let corner = random.point(4.0);
                cuboid(corner, corner.map(|x| x + 0.5))
            })
            .collect();
        let crowd = Model::from_mesh(joined(&parts)).unwrap();
        let start = at([6.0, 0.25, 0.5]);
        let end: Vec<_> = crowd
            .mesh()
            .positions()
            .iter()
            .map(|&p| {
                let shake = random.point(0.5);
                [0, 1, 2].map(|k| p[k] + shake[k] - f64::from(u8::from(k == 0)) * 4.0)
            })
            .collect();
        let (a, b) = (MovingMesh::deforming(&crowd, &start, &end).unwrap(), rests(&crowd));
        let verdict = checked(&a, &b, 0.0, Semantics::Surface);
        assert_same(verdict.interval(), of_all_pairs(&a, &b));
    }
}
