//! Volumes of overlaps that are a micrometre deep, of bodies as large as a metre.

use super::*;

const DEPTH: f64 = 1e-6;

/// The volume of a ball below a depth.
fn slice(radius: f64, depth: f64) -> f64 {
    PI * depth * depth * (radius - depth / 3.0)
}

/// The area of a circle beyond a chord with a depth, by the series θ³ (1/6 − θ²/120 + …) of θ − sin θ.
pub(super) fn segment(radius: f64, depth: f64) -> f64 {
    // 1 − cos(θ/2) = 2 sin²(θ/4).
    let angle = 4.0 * (0.5 * depth / radius).sqrt().asin();
    if angle > 0.1 {
        return 0.5 * radius * radius * (angle - angle.sin());
    }
    let square = angle * angle;
    0.5 * radius * radius * angle * square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
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
        // The place is rounded.
        let slack = if place == Pose::IDENTITY { 1e-9 } else { 1e-7 };
        let (round, egg) = (ball(0.5)?, ellipsoid([0.5; 3])?);
        let there = over(0.5 - DEPTH);
        let exact = slice(0.5, DEPTH);
        check((&egg, &there), (&ground, &below), exact, slack)?;
        for body in [&round, &egg] {
            check((body, &there), (&cube, &place), exact, slack)?;
            check((body, &there), (&mesh, &place), exact, slack)?;
        }
        let lying = Pose::from_matrix(
            [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]],
            over(0.25 - DEPTH).translation(),
        )?;
        let can = cylinder(0.5, 0.25)?;
        let exact = segment(0.25, DEPTH);
        check((&can, &lying), (&ground, &below), exact, slack)?;
        check((&can, &lying), (&cube, &place), exact, slack)?;
    }
    Ok(())
}

#[test]
fn crossed_bodies_a_micrometre_deep_agree_with_balls() -> Outcome {
    // An ellipsoid that is a ball, in a turned box, in place of which the ground is as good.
    let turned = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    let there = turned.with_translation(turned.apply([1.5 - DEPTH, 0.25, 0.125]));
    let cube = cuboid([1.0, 0.5, 0.75])?;
    let exact = volume((&ball(0.5)?, &there), (&cube, &turned), 1e-9)?;
    let found = volume((&ellipsoid([0.5; 3])?, &there), (&cube, &turned), 1e-9)?;
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

/// The tip of a cone with its axis at an angle to a plane's normal: an oblique cone over an ellipse.
#[test]
fn tips_of_cones_have_known_volumes_soak() -> Outcome {
    let body = cone(1.0, 0.5)?;
    let (ground, cube) = (Model::from_formula(Formula::HalfSpace), cuboid([1.0; 3])?);
    let mesh = shape("box?x=2&y=2&z=2");
    for place in coinciding::places(long_run(1, 3))? {
        for angle in [0.0, 0.5, 1.0] {
            let (sine, cosine) = f64::sin_cos(angle);
            // The cone's axis points down, and its tip is a micrometre below the top of the cube.
            let rows = place
                .rotation()
                .map(|[x, y, z]| [x * cosine - z * sine, -y, -z * cosine - x * sine]);
            let tip = place.apply([0.125, 0.25, 1.0 - DEPTH]);
            let center = [0, 1, 2].map(|k| tip[k] - rows[k][2]);
            let there = Pose::from_matrix(rows, center)?;
            let part = cosine * cosine - sine * sine / 16.0;
            let exact = PI / 48.0 * DEPTH * DEPTH * DEPTH / (part * part.sqrt());
            // The place is rounded to some 1e-16, far away to 1e-14.
            let top = place.with_translation(place.apply([0.0, 0.0, 1.0]));
            check((&body, &there), (&ground, &top), exact, 2e-7)?;
            check((&body, &there), (&cube, &place), exact, 2e-7)?;
            check((&body, &there), (&mesh, &place), exact, 2e-7)?;
        }
    }
    Ok(())
}

/// On a box with a radius, which is flat there.
#[test]
fn bodies_on_rounded_boxes_a_micrometre_deep_have_known_volumes_soak() -> Outcome {
    let body = soft(0.25)?;
    for place in coinciding::places(long_run(1, 3))? {
        let above = |z: f64| place.with_translation(place.apply([0.125, 0.0625, 0.75 + z - DEPTH]));
        let round = ball(0.5)?;
        check((&round, &above(0.5)), (&body, &place), slice(0.5, DEPTH), 1e-7)?;
        let egg = ellipsoid([0.5, 1.0, 0.25])?;
        // A ball of radius 1/4 that is stretched along the plane.
        let exact = 8.0 * slice(0.25, DEPTH);
        check((&egg, &above(0.25)), (&body, &place), exact, 1e-7)?;
    }
    Ok(())
}

/// The matrix of a pose may be a rotation up to 1e-6 only: a face that leans so has a ball on it as deep as a face that does not.
#[test]
fn faces_that_lean_by_rounding_are_where_the_matrix_moves_them() -> Outcome {
    let lean = 2.0_f64.powi(-21);
    let along_x = [[1.0, lean, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let along_z = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, lean, 1.0]];
    let round = ball(0.5)?;
    for (body, rows) in [(cuboid([1.0; 3])?, along_x), (cylinder(1.0, 3.0)?, along_z)] {
        let pose = Pose::from_matrix(rows, [0.0; 3])?;
        for y in [-0.875, 0.875] {
            // The plane x − lean · y = 1, or that of z.
            let place = 1.0 + lean * y + (0.5 - DEPTH) * (1.0 + 0.5 * lean * lean);
            let center = if rows == along_x { [place, y, 0.125] } else { [0.125, y, place] };
            let there = Pose::from_translation(center);
            let found = volume((&round, &there), (&body, &pose), 1e-2)?;
            let exact = slice(0.5, DEPTH);
            assert!(
                found.at_least <= exact * (1.0 + 1e-9) && exact * (1.0 - 1e-9) <= found.at_most,
                "{body:?} {y} {found:?} {exact}"
            );
        }
    }
    Ok(())
}

/// Bodies that are some micrometres deep in a face that a matrix moves which is a rotation up to 1e-6 only: the face is not across the image of
/// its normal, and the volumes are known as well.
#[test]
fn what_sinks_into_a_leaning_face_has_known_volumes_soak() -> Outcome {
    const OFF: f64 = 4e-7;
    let place = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    let off = [[0.5, -1.0, 0.25], [1.0, 0.5, -0.75], [-0.5, 1.0, -0.25]];
    let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|k| place.rotation()[i][k] + OFF * off[i][k]));
    let leaning = Pose::from_matrix(rows, place.translation())?;
    // Its normal is across the images of both other axes.
    let [x, y] = [0, 1].map(|k| rows.map(|row| row[k]));
    let across = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| x[i] * y[j] - x[j] * y[i]);
    let length = across.iter().map(|x| x * x).sum::<f64>().sqrt();
    let above = |height: f64, over: f64| {
        let foot = leaning.apply([0.05, -0.1, height]);
        [0, 1, 2].map(|k| foot[k] + over * across[k] / length)
    };
    let corners: Vec<[f64; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -0.5 } else { 0.5 })).collect();
    let sides: [&[u32]; 6] =
        [&[0, 2, 3, 1], &[4, 5, 7, 6], &[0, 1, 5, 4], &[2, 6, 7, 3], &[0, 4, 6, 2], &[1, 3, 7, 5]];
    let bodies = [
        (cuboid([0.5, 0.75, 0.25])?, 0.25, 0.0),
        (cylinder(0.75, 0.5)?, 0.75, 0.0),
        (rounded(&corners, &sides, 0.25)?, 0.5, 0.25),
    ];
    let round = ball(0.5)?;
    let run = long_run(1, 3);
    let picked = bodies.iter().enumerate().filter(|&(number, _)| run.picks(number, 3));
    for (_, (body, height, radius)) in picked {
        // A radius is kept, along the normal.
        let there = Pose::from_translation(above(*height, radius + 0.5 - DEPTH));
        check((body, &leaning), (&round, &there), slice(0.5, DEPTH), 1e-8)?;
        for (other, half, more) in &bodies {
            let sum = height + radius + half + more;
            let there = leaning.with_translation(leaning.apply([0.1, 0.05, sum - 4e-6]));
            let found = volume((body, &leaning), (other, &there), 1e-9)?;
            assert!(found.at_least > 0.0, "{body:?} {other:?}");
        }
    }
    Ok(())
}
