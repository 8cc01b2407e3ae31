use proptest::prelude::*;

use super::*;
use crate::vector::neg;

fn vector(reach: f64) -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-reach..reach)
}

fn pose() -> impl Strategy<Value = Pose> {
    let angle = prop_oneof![Just(0.0), -4.0..4.0_f64, -1e-7..1e-7_f64, Just(std::f64::consts::PI)];
    (vector(1.0), angle, vector(9.0)).prop_map(|(axis, angle, translation)| {
        Pose::from_axis_angle(axis, angle, translation).unwrap_or_default()
    })
}

/// A pose whose matrix is a rotation only nearly.
fn rough(pose: Pose, off: f64) -> Pose {
    let rows = pose.rotation().map(|row| row.map(|entry| entry + off));
    Pose::from_matrix(rows, pose.translation()).unwrap_or(pose)
}

fn motion() -> impl Strategy<Value = Motion> {
    let kind = (0..4_usize, -2e-7..2e-7_f64);
    (kind, pose(), pose(), vector(5.0), vector(30.0)).prop_map(
        |((kind, off), start, end, center, spin)| {
            let (start, end) = (rough(start, off), rough(end, -off));
            let motion = match kind {
                0 => Motion::linear(start, end),
                1 => Motion::about(center, start, end),
                2 => Motion::screw(start, end),
                _ => Motion::spinning(center, start, end.translation(), spin),
            };
            motion.expect("finite")
        },
    )
}

proptest! {
    #[test]
    fn the_ends_are_the_given_poses_and_the_center_moves_along_a_line(
        start in pose(), end in pose(), center in vector(5.0), time in 0.0..1.0,
    ) {
        let motion = Motion::about(center, start, end)?;
        prop_assert_eq!((motion.at(0.0), motion.at(1.0)), (start, end));
        let [from, to] = [start, end].map(|pose| pose.apply(center));
        let expected = add(from, scale(sub(to, from), time));
        let off = length(sub(motion.at(time).apply(center), expected));
        prop_assert!(off <= motion.rounding(length(center)), "off by {off:e}");
        prop_assert!(motion.angle <= std::f64::consts::PI);
    }

    /// No step in the path that the bounds do not allow, however short the time; so neither at the ends.
    #[test]
    fn points_move_no_faster_than_the_speed_says(
        motion in motion(), point in vector(3.0), direction in vector(1.0),
        ends in prop_oneof![(0.0..1.0, 0.0..1.0), (0.999_999_999..1.0, Just(1.0)), (Just(0.0), 0.0..1e-9)],
    ) {
        let (from, to) = (f64::min(ends.0, ends.1), f64::max(ends.0, ends.1));
        let Some(direction) = unit(direction) else { return Ok(()) };
        let speed = motion.speed(from, to);
        let [before, after] = [from, to].map(|time| motion.at(time).apply(point));
        let arm = sub(before, motion.at(from).apply(motion.center()));
        let time = (to - from) * (1.0 + f64::EPSILON);
        let slack = 2.0 * motion.rounding(length(point));
        for direction in [direction, neg(direction)] {
            let most = dot(speed.lever(direction), arm);
            let [rate, half_change] = speed.along(direction).of(most, length(arm));
            let way = dot(direction, sub(after, before));
            prop_assert!(way <= time * (rate + half_change * time) + slack, "{way:e} in {time:e}");
        }
    }

    /// The bounds are not idle: along the way of a point, over a short time, they exceed it by little.
    #[test]
    fn bounds_are_tight_for_short_times(motion in motion(), point in vector(3.0), from in 0.0..0.99) {
        let time = 1e-4;
        let (before, after) = (motion.at(from).apply(point), motion.at(from + time).apply(point));
        let Some(direction) = unit(sub(after, before)) else { return Ok(()) };
        let speed = motion.speed(from, from + time);
        let arm = sub(before, motion.at(from).apply(motion.center()));
        let most = dot(speed.lever(direction), arm);
        let [rate, half_change] = speed.along(direction).of(most, length(arm));
        let (way, bound) = (length(sub(after, before)), time * (rate + half_change * time));
        let scale = length(speed.velocity) + (1.0 + length(speed.spin)).powi(2) * (1.0 + length(arm));
        prop_assert!(bound - way <= 1e-2 * time * scale, "{way:e} and {bound:e}");
    }

    #[test]
    fn a_screw_keeps_its_axis(start in pose(), end in pose(), time in 0.0..1.0) {
        let motion = Motion::screw(start, end)?;
        prop_assert_eq!((motion.at(0.0), motion.at(1.0)), (start, end));
        if motion.angle < 1e-3 {
            return Ok(());
        }
        // The axis goes through the center, which moves along it only.
        let along = cross(motion.velocity, motion.axis);
        prop_assert!(length(along) < 1e-9 * (1.0 + length(motion.velocity)), "{along:?}");
        let there = sub(motion.at(time).apply(motion.center), motion.from);
        prop_assert!(length(cross(there, motion.axis)) < 1e-9);
    }

    #[test]
    fn backwards_it_is_the_same_path(motion in motion(), point in vector(3.0), time in 0.0..1.0) {
        let back = motion.reversed()?;
        let off = sub(motion.at(time).apply(point), back.at(1.0 - time).apply(point));
        // 1 − t is rounded.
        let speed = length(motion.velocity) + 10.0 * (motion.angle + 1.0);
        let slack = 1e-15 * speed + 2.0 * motion.rounding(10.0);
        prop_assert!(length(off) <= slack, "{off:?}");
    }
}

#[test]
fn equal_rotations_give_a_translation_without_any_turn() -> Result<(), PoseError> {
    let start = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [1.0, 2.0, 3.0])?;
    let motion = Motion::linear(start, start.with_translation([5.0, 2.0, 3.0]))?;
    for time in [0.25, 0.5, 0.75] {
        let expected = start.with_translation([1.0 + 4.0 * time, 2.0, 3.0]);
        assert_eq!(motion.at(time), expected);
    }
    assert_eq!(motion.speed(0.0, 1.0).spin, [0.0; 3]);
    assert_eq!(motion.speed(0.0, 1.0).spin_error, 0.0);
    Ok(())
}

#[test]
fn many_turns_are_made() -> Result<(), PoseError> {
    let spin = [0.0, 0.0, 20.0 * std::f64::consts::PI];
    let motion = Motion::spinning([1.0, 0.0, 0.0], Pose::IDENTITY, [0.0; 3], spin)?;
    // Ten turns about (1, 0, 0): after each half turn the origin is at (2, 0, 0).
    for turn in 0..10 {
        let at = motion.at((f64::from(turn) + 0.5) / 10.0).apply([0.0; 3]);
        assert!(length(sub(at, [2.0, 0.0, 0.0])) < 1e-13, "{at:?}");
    }
    Ok(())
}

#[test]
fn what_is_not_finite_or_overflows_is_refused() {
    let far = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
    assert!(Motion::linear(Pose::IDENTITY, far(f64::NAN)).is_err());
    assert!(Motion::linear(far(-1e308), far(1e308)).is_err());
    assert!(Motion::screw(Pose::IDENTITY, far(f64::INFINITY)).is_err());
    let spin = |x: f64| Motion::spinning([0.0; 3], Pose::IDENTITY, [0.0; 3], [x, 0.0, 0.0]);
    assert!(spin(f64::NAN).is_err() && spin(1e200).is_err() && spin(1e3).is_ok());
    let centered = Motion::about([f64::INFINITY, 0.0, 0.0], Pose::IDENTITY, Pose::IDENTITY);
    assert!(centered.is_err());
}

#[test]
fn times_outside_are_the_ends() -> Result<(), PoseError> {
    let motion = Motion::linear(Pose::IDENTITY, Pose::from_translation([1.0; 3]))?;
    assert_eq!(motion.at(-1.0), Pose::IDENTITY);
    assert_eq!(motion.at(f64::NAN), Pose::IDENTITY);
    assert_eq!(motion.at(2.0), *motion.end());
    Ok(())
}
