//! Volumes of overlap of bodies along parallel axes, and of boxes with a radius along the same axes.

use super::*;
use crate::formula_volumes::coinciding::places;
use crate::formula_volumes::thin::segment;

/// What two discs of radius 1/2 at a distance have in common.
fn lens(distance: f64) -> f64 {
    2.0 * segment(0.5, 0.5 - 0.5 * distance)
}

/// What two balls of radius 1/2 at a distance have in common.
fn common_ball(distance: f64) -> f64 {
    let depth = 0.5 - 0.5 * distance;
    2.0 / 3.0 * PI * depth * depth * (1.5 - depth)
}

#[test]
fn bodies_along_parallel_axes_have_known_volumes_soak() -> Outcome {
    let (can, rod) = (cylinder(1.0, 0.5)?, capsule(1.0, 0.5)?);
    for place in places(long_run(1, 3))? {
        let beside = |x: f64, y: f64, z: f64| place.with_translation(place.apply([x, y, z]));
        // At a distance from almost the same to a micrometre deep; places are rounded to some 1e-14.
        for (distance, moved) in
            [(1e-9, 1e-13), (1e-6, 1e-13), (1e-3, 1e-13), (0.5, 1e-13), (1.0 - 1e-6, 3e-8)]
        {
            let other = beside(0.6 * distance, 0.8 * distance, 0.5);
            check((&can, &place), (&can, &other), 1.5 * lens(distance), moved)?;
            let other = beside(0.6 * distance, 0.8 * distance, 0.0);
            let exact = 2.0 * lens(distance) + common_ball(distance);
            check((&rod, &place), (&rod, &other), exact, moved)?;
            // A can in the middle of a rod.
            let short = cylinder(0.25, 0.5)?;
            check((&rod, &place), (&short, &other), 0.5 * lens(distance), moved)?;
        }
        // A cone on its side of a can, in one and in two pieces.
        let (cone, half) = (cone(1.0, 0.5)?, cylinder(0.5, 0.5)?);
        let there = beside(0.375, 0.5, 0.25);
        let whole = volume((&cone, &there), (&can, &place), 1e-9)?;
        let parts =
            [-0.5, 0.5].map(|z| volume((&cone, &there), (&half, &beside(0.0, 0.0, z)), 1e-9));
        let [one, other] = parts;
        let (one, other) = (one?, other?);
        let slack = 1e-13;
        assert!(
            one.at_least + other.at_least <= whole.at_most + slack,
            "{one:?} {other:?} {whole:?}"
        );
        assert!(
            whole.at_least <= one.at_most + other.at_most + slack,
            "{one:?} {other:?} {whole:?}"
        );
    }
    Ok(())
}

/// Of a box with a radius.
fn steiner([a, b, c]: [f64; 3], r: f64) -> f64 {
    a * b * c + 2.0 * r * (a * b + b * c + c * a) + PI * r * r * (a + b + c + 4.0 / 3.0 * r)
}

#[test]
fn boxes_with_a_radius_have_known_volumes_in_common_soak() -> Outcome {
    let body = soft(0.25)?;
    for place in places(long_run(1, 3))? {
        let beside = |x: f64, y: f64, z: f64| place.with_translation(place.apply([x, y, z]));
        // Moved along one axis: what is in common is a box with a radius, as long as the cores meet.
        for by in [1e-9, 1e-6, 1e-3, 0.5, 1.0] {
            for there in [beside(by, 0.0, 0.0), beside(0.0, -by, 0.0), beside(0.0, 0.0, by)] {
                let exact = steiner([1.0 - by, 1.0, 1.0], 0.25);
                check((&body, &place), (&body, &there), exact, 1e-13)?;
            }
        }
        for by in [1e-9, 1e-6] {
            // Moved a little: each line along the way loses its length. It is seen as a hexagon with a radius.
            let seen = 0.6 + 0.8 + 0.25 * 2.0 * (0.8 + 0.6 + 1.0) + 0.0625 * PI;
            let exact = steiner([1.0; 3], 0.25) - by * seen;
            check((&body, &place), (&body, &beside(0.6 * by, 0.0, -0.8 * by)), exact, 1e-11)?;
            // Across the axis along which they differ: lines over the common length lose it, and some in strips beside that.
            let strips = 4.0 / 3.0 * (0.5 * by).sqrt();
            let exact = steiner([0.5, 1.0, 1.0], 0.25) - by * 1.5 * (0.5 + 0.5 * strips);
            let moved = 0.5 * by * strips;
            check((&body, &place), (&body, &beside(-0.5, by, 0.0)), exact, moved + 1e-13)?;
        }
        // A wider one that contains the side, and one whose sides nearly coincide.
        let wide = soft(0.25 + 1e-12)?;
        let exact = steiner([0.5, 1.0, 1.0], 0.25);
        let found = volume((&body, &place), (&wide, &beside(0.5, 1e-13, 0.0)), 1e-9)?;
        assert!((found.at_least / exact - 1.0).abs() < 1e-10, "{found:?} {exact}");
        // A micrometre deep, moved along the face too: more than the common face, and less than with a strip around it.
        let found = volume((&body, &place), (&body, &beside(1.5 - 1e-6, 0.25, 0.125)), 1e-9)?;
        let face = 1e-6 * 0.75 * 0.875;
        assert!(face < found.at_least && found.at_most < 1.01 * face, "{found:?}");
    }
    Ok(())
}

#[test]
fn ellipsoids_of_one_form_have_known_volumes_soak() -> Outcome {
    let half = [0.5, 0.75, 1.0];
    let body = ellipsoid(half)?;
    let volume_of = |lens: f64| half.iter().product::<f64>() * lens;
    for place in places(long_run(1, 3))? {
        // Unit balls at a distance, in the frame in which the ellipsoids are such.
        for (distance, moved) in [(1e-9, 1e-13), (1e-6, 1e-13), (0.5, 1e-13), (2.0 - 2e-6, 1e-7)] {
            let [x, y, z] = [0.48, 0.64, 0.6].map(|part| part * distance);
            let there =
                place.with_translation(place.apply([half[0] * x, half[1] * y, half[2] * z]));
            let depth = 1.0 - 0.5 * distance;
            let exact = volume_of(2.0 / 3.0 * PI * depth * depth * (3.0 - depth));
            check((&body, &place), (&body, &there), exact, moved)?;
        }
        // One that touches the other from inside.
        let small = ellipsoid(half.map(|x| 0.5 * x))?;
        let there = place.with_translation(place.apply([0.25, 0.0, 0.0]));
        check((&body, &place), (&small, &there), volume_of(PI / 6.0), 1e-13)?;
    }
    Ok(())
}
