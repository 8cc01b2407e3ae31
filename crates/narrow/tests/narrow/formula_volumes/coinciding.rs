//! Volumes of overlap of bodies whose surfaces coincide over a large part.

use super::*;

/// A pose that is turned about its own axis, and moved along it.
fn along(pose: &Pose, angle: f64, z: f64) -> Made<Pose> {
    let (sine, cosine) = angle.sin_cos();
    let turned = |[x, y, z]: [f64; 3]| [x * cosine + y * sine, y * cosine - x * sine, z];
    Ok(Pose::from_matrix(pose.rotation().map(turned), pose.apply([0.0, 0.0, z]))?)
}

/// Upside down about its own x-axis, and moved along its z-axis.
fn turned_over(pose: &Pose, z: f64) -> Made<Pose> {
    let rows = pose.rotation().map(|[x, y, z]| [x, -y, -z]);
    Ok(Pose::from_matrix(rows, pose.apply([0.0, 0.0, z]))?)
}

/// Poses near the origin and far from it, as they are and turned. A sample is one of them.
pub(super) fn places(run: LongRun) -> Made<Vec<Pose>> {
    let places = [
        Pose::IDENTITY,
        Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?,
        Pose::from_axis_angle([3.0, -2.0, 1.0], 2.5, [100.0, 200.0, -50.0])?,
    ];
    let picked = places.into_iter().enumerate().filter(|&(number, _)| run.picks(number, 3));
    Ok(picked.map(|(_, place)| place).collect())
}

#[test]
fn bodies_along_one_axis_have_known_volumes_soak() -> Outcome {
    let (can, rod) = (cylinder(1.0, 0.5)?, capsule(1.0, 0.5)?);
    let (cone, tip) = (cone(1.0, 0.5)?, cone(0.5, 0.25)?);
    for place in places(long_run(1, 3))? {
        // Places are rounded to some 1e-14.
        for (z, moved) in [(0.5, 1e-13), (1.25, 1e-13), (2.0 - 1e-3, 1e-10)] {
            let wider = [cylinder(1.0, 0.5 + 1e-15)?, cylinder(1.0, 0.5 + 1e-6)?];
            // Wider by less than what rounding hides, and by more.
            for (other, wider) in
                [along(&place, 1.0, z)?, turned_over(&place, z)?].into_iter().zip(wider)
            {
                let exact = PI * 0.25 * (2.0 - z);
                check((&can, &place), (&can, &other), exact, moved)?;
                check((&can, &place), (&wider, &other), exact, moved)?;
                let exact = exact + PI / 6.0;
                check((&rod, &place), (&rod, &other), exact, moved)?;
                // A can in one end of the rod cuts its ball: of the other half of this a slice remains.
                let slice = |h: f64| PI * h * (0.25 - h * h / 3.0);
                let exact = PI * 0.25 * (2.0 - z) + slice(z.min(0.5));
                check((&rod, &place), (&can, &other), exact, moved)?;
            }
        }
        // The tip of a cone in the end of a can as wide as its base.
        let other = along(&place, 2.0, 1.25)?;
        let exact = PI / 3.0 * 0.25 * 0.375 * 0.375 * 0.75;
        check((&cone, &place), (&can, &other), exact, 1e-12)?;
        // With one apex, and with the other way up.
        let other = along(&place, 1.0, 0.5)?;
        check((&cone, &place), (&tip, &other), PI * 0.0625 / 3.0, 1e-13)?;
        check((&cone, &place), (&cone, &turned_over(&place, 0.0)?), PI * 0.125 / 3.0, 1e-13)?;
        // A thinner can that touches the side of the other one from inside.
        let thin = cylinder(1.0, 0.25)?;
        let beside = other.with_translation(place.apply([0.25, 0.0, 0.5]));
        check((&can, &place), (&thin, &beside), PI * 0.0625 * 1.5, 1e-13)?;
    }
    Ok(())
}

#[test]
fn balls_that_just_fit_have_known_volumes_soak() -> Outcome {
    let (small, unit) = (ball(0.5)?, 4.0 / 3.0 * PI);
    let rod = capsule(1.0, 0.5)?;
    let corners = (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1) - 0.5));
    let body = soft(0.5)?;
    let (egg, turned_egg) = (ellipsoid([0.5, 0.75, 1.0])?, ellipsoid([0.75, 0.5, 1.0])?);
    for place in places(long_run(1, 3))? {
        for z in [0.0, 0.3, 1.0] {
            check((&rod, &place), (&small, &along(&place, 1.0, z)?), unit / 8.0, 1e-13)?;
        }
        for corner in corners.clone() {
            let there = place.with_translation(place.apply(corner));
            check((&body, &place), (&small, &there), unit / 8.0, 1e-13)?;
        }
        // Ellipsoids with the same axes in another order, and one with equal axes.
        let quarter = along(&place, PI / 2.0, 0.0)?;
        check((&egg, &place), (&turned_egg, &quarter), 0.375 * unit, 1e-13)?;
        let round = ellipsoid([0.5; 3])?;
        check((&small, &place), (&round, &quarter), unit / 8.0, 1e-13)?;
        // In a can, which a ball fills across its axis, and at its end.
        let exact = PI * (0.25 * 0.75 - (0.125 + 0.015_625) / 3.0);
        let can = cylinder(0.5, 0.5)?;
        check((&small, &place), (&can, &along(&place, 1.0, 0.25)?), exact, 1e-13)?;
        let exact = PI * 0.25 * (1.0 - 1.0 / 12.0);
        check((&ellipsoid([0.5, 0.5, 1.0])?, &place), (&can, &quarter), exact, 1e-13)?;
    }
    Ok(())
}

/// What is only nearly the same is known up to its difference at least.
#[test]
fn surfaces_that_nearly_coincide_have_bounds_as_near() -> Outcome {
    let place = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    let (can, egg) = (cylinder(1.0, 0.5)?, ellipsoid([0.5, 0.75, 1.0])?);
    for off in [1e-12, 1e-9] {
        let other = place.with_translation(place.apply([off, 0.0, 0.5]));
        let found = volume((&can, &place), (&can, &other), 1e-9)?;
        // What is left of two circles at a small distance.
        let exact = 1.5 * (PI * 0.25 - off);
        assert!(found.at_least <= exact * (1.0 + 1e-14) && exact <= found.at_most * (1.0 + 1e-14));
    }
    for off in [1e-12, 1e-11] {
        let other = place.with_translation(place.apply([0.0, 0.0, off]));
        let found = volume((&egg, &place), (&egg, &other), 1e-9 + 16.0 * off)?;
        let exact = 0.375 * (4.0 / 3.0 * PI - PI * off);
        assert!(found.at_least <= exact * (1.0 + 1e-14) && exact <= found.at_most * (1.0 + 1e-14));
    }
    Ok(())
}
