//! Models given by formulas on paths: against times that formulas tell, against dense static tests, and their proofs.

use crate::support::formulas;

use proptest::prelude::*;
use xcollide_convex::shape::{Ball, Capsule, Cylinder};
use xcollide_math::vector::{dot, length, sub};
use xcollide_math::{Motion, Path};
use xcollide_narrow::continuous::{
    MotionVerdict, Moving, WithinVerdict, time_of_contact, time_within,
};
use xcollide_narrow::formula::{self, Formulas};
use xcollide_narrow::{
    Formula, Model, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Semantics, Verdict,
};
use xcollide_scenes::Poses;

type Outcome = Result<(), Box<dyn std::error::Error>>;

const WIDTH: f64 = 1e-9;

fn ball(radius: f64) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_formula(Formula::Ball(Ball::new(radius)?)))
}

fn mesh(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

fn go(from: [f64; 3], to: [f64; 3]) -> Result<Motion, Box<dyn std::error::Error>> {
    Ok(Motion::linear(Pose::from_translation(from), Pose::from_translation(to))?)
}

#[test]
fn a_ball_that_falls_meets_the_ground_when_it_is_a_radius_above() -> Outcome {
    let (ball, ground) = (ball(0.25)?, Model::from_formula(Formula::HalfSpace));
    let fall = go([7.0, -3.0, 1.0], [8.0, 5.0, -1.0])?;
    let (falling, at_rest) = (Moving::new(&ball, &fall), Moving::new(&ground, &Pose::IDENTITY));
    for (a, b) in [(falling, at_rest), (at_rest, falling)] {
        let verdict = time_of_contact(a, b, WIDTH, &Query::new())?;
        let time = verdict.interval().ok_or("apart")?;
        assert!(time.lo <= 0.375 && 0.375 <= time.hi && time.hi - time.lo <= WIDTH, "{time:?}");
        verdict.verify(a, b, Semantics::Solid)?;
    }
    // The ground may rise as well, by as much as the ball.
    let rise = go([0.0; 3], [0.0, 0.0, 2.0])?;
    let rising = Moving::new(&ground, &rise);
    let verdict = time_of_contact(falling, rising, WIDTH, &Query::new())?;
    let time = verdict.interval().ok_or("apart")?;
    assert!(time.lo <= 0.1875 && 0.1875 <= time.hi && time.hi - time.lo <= WIDTH, "{time:?}");
    verdict.verify(falling, rising, Semantics::Solid)?;
    Ok(())
}

/// A half space that turns sweeps all of space, far away at any speed.
#[test]
fn what_is_not_bounded_is_refused() -> Outcome {
    let (ball, ground) = (ball(0.25)?, Model::from_formula(Formula::HalfSpace));
    let tilted = Pose::from_axis_angle([1.0, 0.0, 0.0], 0.5, [0.0; 3])?;
    let tilting = Motion::linear(Pose::IDENTITY, tilted)?;
    let above = Pose::from_translation([0.0, 0.0, 9.0]);
    let (a, b) = (Moving::new(&ball, &above), Moving::new(&ground, &tilting));
    for (a, b) in [(a, b), (b, a)] {
        let verdict = time_of_contact(a, b, WIDTH, &Query::new())?;
        let not_accepted = MotionVerdict::Undecided { reason: Reason::NotAccepted, apart: None };
        assert_eq!(verdict, not_accepted);
        let near = time_within(a, b, 1.0, WIDTH, &Query::new())?;
        assert!(matches!(near, WithinVerdict::Undecided { reason: Reason::NotAccepted, .. }));
    }
    Ok(())
}

/// When the squared distance of two centers is first at most a square: the lesser root of a quadratic.
fn first_time(from: [f64; 3], way: [f64; 3], radius: f64) -> Option<f64> {
    let (a, half_b, c) = (dot(way, way), dot(from, way), dot(from, from) - radius * radius);
    let discriminant = half_b * half_b - a * c;
    let root = (-half_b - discriminant.max(0.0).sqrt()) / a;
    (discriminant >= 0.0 && (0.0..=1.0).contains(&root)).then_some(root)
}

fn coordinates() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-4_i32..=4).prop_map(|at| at.map(f64::from))
}

proptest! {
    /// Two balls on lines, with or without a tolerance: the root of a quadratic is in the interval.
    #[test]
    fn balls_meet_at_the_root(
        starts in [coordinates(), coordinates()],
        ends in [coordinates(), coordinates()],
        tolerance in prop::sample::select(vec![0.0, 0.5]),
    ) {
        let fail = |error: Box<dyn std::error::Error>| TestCaseError::fail(error.to_string());
        let (small, large) = (ball(0.375).map_err(fail)?, ball(0.75).map_err(fail)?);
        let paths = [0, 1].map(|k| go(starts[k], ends[k]));
        let [Ok(of_a), Ok(of_b)] = paths else { return Err(TestCaseError::fail("no path")) };
        let (a, b) = (Moving::new(&small, &of_a), Moving::new(&large, &of_b));
        let apart = sub(starts[1], starts[0]);
        let way = sub(sub(ends[1], ends[0]), apart);
        let radius = 1.125 + tolerance;
        let (interval, holds) = if tolerance > 0.0 {
            let verdict = time_within(a, b, tolerance, WIDTH, &Query::new());
            let verdict = verdict.map_err(|error| TestCaseError::fail(error.to_string()))?;
            (verdict.interval(), verdict.verify(a, b, tolerance, Semantics::Solid))
        } else {
            let verdict = time_of_contact(a, b, WIDTH, &Query::new());
            let verdict = verdict.map_err(|error| TestCaseError::fail(error.to_string()))?;
            (verdict.interval(), verdict.verify(a, b, Semantics::Solid))
        };
        prop_assert!(holds.is_ok(), "{holds:?} {interval:?}");
        if length(apart) <= radius {
            prop_assert!(interval.is_some_and(|time| time.lo == 0.0));
        } else if let Some(root) = first_time(apart, way, radius) {
            let time = interval.ok_or(TestCaseError::fail("apart"))?;
            prop_assert!(time.lo <= root + 1e-12 && root - 1e-12 <= time.hi, "{time:?} {root}");
        } else {
            prop_assert!(interval.is_none(), "{interval:?}");
        }
    }
}

/// Capsule, box, cylinder, cone and ellipsoid.
fn models() -> Vec<Model> {
    formulas(1.0).into_iter().skip(1).take(5).map(Model::from_formula).collect()
}

/// Bodies that turn and go, against each other and against meshes: no static test meets before the interval, proofs hold, and
/// intervals are as narrow as asked.
#[test]
fn no_contact_is_before_the_interval() -> Outcome {
    const TESTS: usize = 400;
    let mut models = models();
    let count = models.len();
    models.extend([mesh("torus?faces=200")?, mesh("box")?, mesh("mobius?faces=40")?]);
    let mut poses = Poses::new(5);
    let (mut hits, mut misses, mut undecided) = (0, 0, 0);
    for (number, a) in models.iter().enumerate().take(count) {
        for b in &models[number..] {
            let [from_a, to_a, from_b, to_b] = std::array::from_fn(|_| poses.within(1.5).pose());
            let (of_a, of_b) = (Motion::linear(from_a, to_a)?, Motion::linear(from_b, to_b)?);
            let (a, b) = (Moving::new(a, &of_a), Moving::new(b, &of_b));
            let verdict = time_of_contact(a, b, WIDTH, &Query::new())?;
            verdict.verify(a, b, Semantics::Solid).map_err(|e| format!("{e}: {verdict:?}"))?;
            let until = verdict.interval().map_or(1.0, |time| time.lo);
            for step in 0..=TESTS {
                let time = until * step as f64 / TESTS as f64;
                let (of_a, of_b) = (a.path().at(time), b.path().at(time));
                let placed = (Placed::new(a.model(), &of_a)?, Placed::new(b.model(), &of_b)?);
                let now = Formulas.test(placed.0, placed.1, &Query::new(), &mut PairCache::new());
                let meets = matches!(now, Verdict::Collides(_));
                assert!(!meets || until == 0.0, "{verdict:?} at {time}");
            }
            match verdict {
                MotionVerdict::Collides { at_most, .. } => {
                    assert!(at_most - until <= WIDTH, "{verdict:?}");
                    hits += 1;
                }
                MotionVerdict::Apart(_) => misses += 1,
                MotionVerdict::Undecided { .. } => undecided += 1,
            }
        }
    }
    assert!(hits > 5 && misses > 5 && undecided < 2, "{hits} {misses} {undecided}");
    Ok(())
}

/// A proof holds of the motion that it was found for, and of no other.
#[test]
fn proofs_of_other_motions_are_refused() -> Outcome {
    let (ball, cylinder) =
        (ball(0.5)?, Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 1.0)?)));
    let [past, into] =
        [go([-9.0, 3.0, 0.0], [9.0, 3.0, 0.0])?, go([-9.0, 1.0, 0.0], [9.0, 1.0, 0.0])?];
    let at_rest = Moving::new(&cylinder, &Pose::IDENTITY);
    let (passing, hitting) = (Moving::new(&ball, &past), Moving::new(&ball, &into));
    let verdict = time_of_contact(passing, at_rest, WIDTH, &Query::new())?;
    assert!(matches!(&verdict, MotionVerdict::Apart(apart) if apart.steps() > 1), "{verdict:?}");
    verdict.verify(passing, at_rest, Semantics::Solid)?;
    assert!(verdict.verify(hitting, at_rest, Semantics::Solid).is_err());
    Ok(())
}

/// A cylinder that turns beside a ball: the time at which its rim is as near as asked for, by the angle.
#[test]
fn a_turning_cylinder_comes_near_when_its_rim_does() -> Outcome {
    // Of half length 2; its axis turns from z to x, where the ball is 3 away and has a radius of 1/2.
    let cylinder = Model::from_formula(Formula::Capsule(Capsule::new(2.0, 0.125)?));
    let ball = ball(0.5)?;
    let turned = Pose::from_axis_angle([0.0, 1.0, 0.0], std::f64::consts::FRAC_PI_2, [0.0; 3])?;
    let turn = Motion::linear(Pose::IDENTITY, turned)?;
    let aside = Pose::from_translation([3.0, 0.0, 0.0]);
    let (a, b) = (Moving::new(&cylinder, &turn), Moving::new(&ball, &aside));
    let verdict = time_within(a, b, 0.5, WIDTH, &Query::new())?;
    let time = verdict.interval().ok_or("farther")?;
    verdict.verify(a, b, 0.5, Semantics::Solid)?;
    // The end of the core, (2 sin φ, 0, 2 cos φ), is 1.125 from the center of the ball at first: 13 − 12 sin φ = 1.125².
    let angle = ((13.0 - 1.125 * 1.125) / 12.0_f64).asin();
    let expected = angle / std::f64::consts::FRAC_PI_2;
    assert!(time.lo <= expected + 1e-12 && expected - 1e-12 <= time.hi, "{time:?} {expected}");
    assert!(time.hi - time.lo <= WIDTH);
    let (of_a, of_b) = (turn.at(time.hi), aside);
    let (a, b) = (Placed::new(&cylinder, &of_a)?, Placed::new(&ball, &of_b)?);
    let found = formula::distance(a, b, Semantics::Solid)?;
    assert!((found.at_least - 0.5).abs() < 1e-8, "{found:?}");
    Ok(())
}
