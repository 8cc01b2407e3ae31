//! Volumes of overlaps that are a micrometre deep, of bodies as large as a metre.

use super::*;

const DEPTH: f64 = 1e-6;

/// The volume of a ball below a depth.
fn slice(radius: f64, depth: f64) -> f64 {
    PI * depth * depth * (radius - depth / 3.0)
}

/// The area of a circle beyond a chord with a depth, by the series θ³ (1/6 − θ²/120 + …) of θ − sin θ.
fn segment(radius: f64, depth: f64) -> f64 {
    // 1 − cos(θ/2) = 2 sin²(θ/4).
    let angle = 4.0 * (0.5 * depth / radius).sqrt().asin();
    let square = angle * angle;
    0.5 * radius * radius * angle * square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
}

/// The depth is rounded as the place is.
fn check(a: (&Model, &Pose), b: (&Model, &Pose), exact: f64, width: f64, rounded: f64) -> Outcome {
    let found = volume(a, b, width)?;
    let slack = rounded * exact;
    assert!(
        found.at_least <= exact + slack && exact - slack <= found.at_most,
        "{a:?} {b:?} {found:?} {exact}"
    );
    Ok(())
}

#[test]
fn what_sinks_a_micrometre_has_known_volumes() -> Outcome {
    let (cube, mesh) = (cuboid([1.0, 0.5, 0.75])?, shape("box?x=2&y=1&z=1.5"));
    let ground = Model::from_formula(Formula::HalfSpace);
    let top = at(0.0, 0.0, 0.75);
    for place in [Pose::IDENTITY, at(100.0, -30.0, 10.0)] {
        let below = place.with_translation(place.apply(top.translation()));
        // On the ground, the box, and the mesh: balls, a ball that is an ellipsoid, and a cylinder along x.
        let over = |height: f64| place.with_translation(place.apply([0.25, 0.125, 0.75 + height]));
        let near = place == Pose::IDENTITY;
        // The corners of the box and the place are rounded.
        let (width, slack) = if near { (1e-9, 1e-9) } else { (1e-7, 1e-7) };
        let (round, egg) = (ball(0.5)?, ellipsoid([0.5; 3])?);
        let there = over(0.5 - DEPTH);
        let exact = slice(0.5, DEPTH);
        check((&egg, &there), (&ground, &below), exact, width, slack)?;
        for body in [&round, &egg] {
            check((body, &there), (&cube, &place), exact, width, slack)?;
            check((body, &there), (&mesh, &place), exact, 5.0 * width, slack)?;
        }
        let lying = Pose::from_matrix(
            [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
            over(0.25 - DEPTH).translation(),
        )?;
        let can = cylinder(0.5, 0.25)?;
        let exact = segment(0.25, DEPTH);
        check((&can, &lying), (&ground, &below), exact, width, slack)?;
        check((&can, &lying), (&cube, &place), exact, 5.0 * width, slack)?;
    }
    Ok(())
}

#[test]
fn crossed_bodies_a_micrometre_deep_agree_with_balls() -> Outcome {
    // An ellipsoid that is a ball, in a turned box, in place of which the ground is as good.
    let turned = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    let there = turned.with_translation(turned.apply([1.5 - DEPTH, 0.25, 0.125]));
    let cube = cuboid([1.0, 0.5, 0.75])?;
    let exact = volume((&ball(0.5)?, &there), (&cube, &turned), 3e-9)?;
    let found = volume((&ellipsoid([0.5; 3])?, &there), (&cube, &turned), 3e-9)?;
    assert!(found.at_least <= exact.at_most && exact.at_least <= found.at_most);
    assert!((exact.at_least / slice(0.5, DEPTH) - 1.0).abs() < 1e-8, "{exact:?}");
    // Two capsules that cross at a right angle are there as two cylinders.
    let across = Pose::from_matrix(
        [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]],
        [1.0 - DEPTH, 0.125, 0.25],
    )?;
    let [rods, cans] = [capsule(2.0, 0.5)?, cylinder(2.0, 0.5)?]
        .map(|body| volume((&body, &Pose::IDENTITY), (&body, &across), 1e-9));
    let (rods, cans) = (rods?, cans?);
    assert!(rods.at_least <= cans.at_most && cans.at_least <= rods.at_most, "{rods:?} {cans:?}");
    Ok(())
}
