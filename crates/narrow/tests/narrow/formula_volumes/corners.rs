//! Volumes of overlaps that are a micrometre deep at corners, edges and rims of bodies as large as a metre.

use xcollide_math::vector::{add, length, scale, sub};
use xcollide_narrow::closest_points;

use super::*;

const DEPTH: f64 = 1e-6;

/// Where the second body is a micrometre deep in the first, on the way from a place that is far away.
fn in_touch(a: (&Model, &Pose), b: (&Model, &Pose)) -> Result<Pose, QueryError> {
    let from = a.1.translation();
    let away = sub(b.1.translation(), from);
    let mut place = b.1.with_translation(add(from, scale(away, 8.0 / length(away))));
    for _ in 0..64 {
        let near = closest_points(a, (b.0, &place))?;
        let [p, q] = near.points;
        let way = scale(sub(p, q), 1.0 / near.value);
        let is_near = near.value < 0.001;
        let step = if is_near { near.value + DEPTH } else { near.value - 0.0005 };
        place = place.with_translation(add(place.translation(), scale(way, step)));
        if is_near {
            break;
        }
    }
    Ok(place)
}

/// Bodies approach each other from random directions until they are a micrometre deep, so that corners, edges and rims meet. A box has the
/// volume in common that its mesh has, and an ellipsoid with equal axes that of a ball.
#[test]
fn bounds_are_narrow_at_corners_and_rims_soak() -> Outcome {
    let run = long_run(1, 100);
    let mut poses = Poses::new(run.seed.wrapping_add(53));
    let (by_formula, as_mesh) = (cuboid([0.75, 0.5, 0.25])?, shape("box?x=1.5&y=1&z=0.5"));
    let (round, egg) = (ball(0.5)?, ellipsoid([0.5; 3])?);
    let others = [cylinder(0.75, 0.5)?, cone(0.75, 0.5)?, capsule(0.75, 0.5)?, soft(0.25)?];
    for _ in 0..run.cases {
        for (number, other) in others.iter().chain([&round, &by_formula]).enumerate() {
            for (kind, (one, same)) in
                [(&by_formula, &as_mesh), (&egg, &round)].into_iter().enumerate()
            {
                if !run.picks(2 * number + kind, 6) {
                    continue;
                }
                let is_flat = std::ptr::eq(one, &by_formula);
                let [of_a, of_b] = [poses.within(0.25).pose(), poses.within(0.25).pose()];
                let of_b = in_touch((one, &of_a), (other, &of_b))?;
                let found = volume((one, &of_a), (other, &of_b), 1e-9)?;
                let exact = volume((same, &of_a), (other, &of_b), 1e-9)?;
                // The corners of the mesh are rounded; and the axes of the ellipsoid are of equal length but for rounding.
                let slack = if is_flat { 1e-8 } else { 1e-9 } * exact.at_least;
                assert!(0.0 < exact.at_least && exact.at_least < 1e-7, "{other:?} {exact:?}");
                assert!(found.at_least <= exact.at_most + slack, "{other:?} {found:?} {exact:?}");
                assert!(exact.at_least <= found.at_most + slack, "{other:?} {found:?} {exact:?}");
            }
        }
    }
    Ok(())
}

/// The volume of a cylinder below a plane through its base whose normal is at an angle to the axis, to a depth: an integral over the
/// base beyond a chord, which is smooth in the root s of the distance from the rim.
fn hoof(radius: f64, angle: f64, depth: f64) -> f64 {
    let (sine, cosine) = f64::sin_cos(angle);
    let far = depth / sine;
    let value = |s: f64| s * s * (2.0 * radius - far * s * s).sqrt() * (1.0 - s * s);
    const PARTS: u32 = 64;
    let step = 1.0 / f64::from(2 * PARTS);
    // Simpson's rule.
    let sum: f64 = (0..PARTS)
        .map(|part| {
            let [a, b, c] = [0, 1, 2].map(|k| value(step * f64::from(2 * part + k)));
            step / 3.0 * (a + 4.0 * b + c)
        })
        .sum();
    4.0 * far * far * far.sqrt() * sum * sine / cosine
}

#[test]
fn rims_of_cylinders_have_known_volumes_soak() -> Outcome {
    let body = cylinder(1.0, 0.5)?;
    let (ground, cube) = (Model::from_formula(Formula::HalfSpace), cuboid([2.0; 3])?);
    let mesh = shape("box?x=4&y=4&z=4");
    // A half circle: 2/3 r³ times the slope.
    assert!(
        (hoof(0.5, 0.5, 0.5 * 0.5_f64.sin()) / (2.0 / 3.0 * 0.125 * 0.5_f64.tan()) - 1.0).abs()
            < 1e-6
    );
    for place in coinciding::places(long_run(1, 3))? {
        for angle in [0.25, 0.5, 1.0] {
            let (sine, cosine) = f64::sin_cos(angle);
            // The axis leans along x, and the lowest point of the rim is a micrometre below the top of the cube.
            let rows =
                place.rotation().map(|[x, y, z]| [x * cosine - z * sine, y, z * cosine + x * sine]);
            let rim = place.apply([0.125, 0.25, 2.0 - DEPTH]);
            let center = [0, 1, 2].map(|k| rim[k] + rows[k][2] - 0.5 * rows[k][0]);
            let there = Pose::from_matrix(rows, center)?;
            let exact = hoof(0.5, angle, DEPTH);
            let top = place.with_translation(place.apply([0.0, 0.0, 2.0]));
            // The place is rounded to some 1e-16, far away to 1e-14.
            for (other, pose) in [(&ground, &top), (&cube, &place), (&mesh, &place)] {
                check((&body, &there), (other, pose), exact, 2e-7)?;
            }
        }
    }
    Ok(())
}
