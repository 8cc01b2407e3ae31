//! Volumes of what formulas have in common: where they are known, against other ways to cut them, and against meshes.

mod alike;
mod coinciding;
mod corners;
mod parallel;
mod thin;

use std::f64::consts::PI;
use std::sync::Arc;

use xcollide_convex::Polytope;
use xcollide_convex::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
use xcollide_fixtures::{LongRun, long_run};
use xcollide_narrow::{Formula, Model, OverlapVolume, Pose, QueryError, overlap_volume};
use xcollide_scenes::Poses;

use crate::support::{formulas, shape};

type Outcome = Result<(), Box<dyn std::error::Error>>;

type Made<T = Model> = Result<T, Box<dyn std::error::Error>>;

fn ball(radius: f64) -> Made {
    Ok(Model::from_formula(Formula::Ball(Ball::new(radius)?)))
}

fn cylinder(half: f64, radius: f64) -> Made {
    Ok(Model::from_formula(Formula::Cylinder(Cylinder::new(half, radius)?)))
}

fn capsule(half: f64, radius: f64) -> Made {
    Ok(Model::from_formula(Formula::Capsule(Capsule::new(half, radius)?)))
}

fn cone(half: f64, radius: f64) -> Made {
    Ok(Model::from_formula(Formula::Cone(Cone::new(half, radius)?)))
}

fn cuboid(half: [f64; 3]) -> Made {
    Ok(Model::from_formula(Formula::Cuboid(Cuboid::new(half)?)))
}

fn ellipsoid(half: [f64; 3]) -> Made {
    Ok(Model::from_formula(Formula::Ellipsoid(Ellipsoid::new(half)?)))
}

fn rounded(points: &[[f64; 3]], facets: &[&[u32]], radius: f64) -> Made {
    let polytope = Polytope::new(points.to_vec(), facets)?;
    Ok(Model::from_formula(Formula::rounded(Arc::new(polytope), radius)?))
}

/// A cube of the width 1 with a radius.
fn soft(radius: f64) -> Made {
    let cube: Vec<[f64; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1) - 0.5)).collect();
    let sides: [&[u32]; 6] =
        [&[0, 2, 3, 1], &[4, 5, 7, 6], &[0, 1, 5, 4], &[2, 6, 7, 3], &[0, 4, 6, 2], &[1, 3, 7, 5]];
    rounded(&cube, &sides, radius)
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_translation([x, y, z])
}

/// The interval is at most a part `width` wide, and meets that of the other order.
fn volume(a: (&Model, &Pose), b: (&Model, &Pose), width: f64) -> Result<OverlapVolume, QueryError> {
    let found = overlap_volume(a, b)?;
    let back = overlap_volume(b, a)?;
    assert!(found.at_least <= back.at_most && back.at_least <= found.at_most);
    for OverlapVolume { at_least, at_most } in [found, back] {
        assert!(0.0 <= at_least && at_least <= at_most, "{found:?}");
        assert!(at_most - at_least <= width * at_least, "{a:?} {b:?} {found:?} {back:?}");
    }
    Ok(found)
}

/// The interval contains a number that is known up to some units in the last place.
fn contains(found: OverlapVolume, exact: f64) -> bool {
    let slack = 4e-15 * exact;
    found.at_least <= exact + slack && exact - slack <= found.at_most
}

/// The volume is known to 1e-9, and is that but for what the rounding of poses moves, in parts of the volume.
fn check(a: (&Model, &Pose), b: (&Model, &Pose), exact: f64, moved: f64) -> Outcome {
    let found = volume(a, b, 1e-9)?;
    let slack = (moved + 1e-14) * exact;
    assert!(
        found.at_least <= exact + slack && exact - slack <= found.at_most,
        "{a:?} {b:?} {found:?} {exact}"
    );
    Ok(())
}

/// A body of each kind is all in a room, and half above and half below a plane through its center.
#[test]
fn volumes_contain_what_is_known() -> Outcome {
    let ground = Model::from_formula(Formula::HalfSpace);
    let room = shape("box?x=9&y=9&z=9");
    let edge = 0.75 * (8.0_f64 / 3.0).sqrt();
    let tetrahedron = edge.powi(3) / (6.0 * 2.0_f64.sqrt())
        + 3.0_f64.sqrt() * edge * edge * 0.25
        + 3.0 * edge * (PI - (1.0_f64 / 3.0).acos()) * 0.0625
        + 4.0 / 3.0 * PI * 0.015_625;
    // In the order of `formulas`.
    let volumes = [
        4.0 / 3.0 * PI * 0.421_875,
        PI * 0.0625 * 1.5 + 4.0 / 3.0 * PI * 0.015_625,
        8.0 * 0.093_75,
        PI * 0.25 * 1.5,
        PI * 0.25 * 1.5 / 3.0,
        4.0 / 3.0 * PI * 0.093_75,
        tetrahedron,
    ];
    let turned = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.7, [0.125, 0.25, 0.0])?;
    for (formula, exact) in formulas(1.0).into_iter().zip(volumes) {
        let is_symmetric = !matches!(formula, Formula::Cone(_) | Formula::Rounded(_));
        let body = Model::from_formula(formula);
        // The corners of a tetrahedron are rounded.
        let known = |found: OverlapVolume, exact: f64| {
            contains(found, exact)
                || (0.5 * (found.at_least + found.at_most) / exact - 1.0).abs() < 1e-9
        };
        for (other, pose) in [(&room, Pose::IDENTITY), (&ground, at(0.0, 0.0, 5.0))] {
            let found = volume((&body, &turned), (other, &pose), 1e-9)?;
            assert!(known(found, exact), "{body:?} {found:?} {exact}");
        }
        if is_symmetric {
            let plane = Pose::from_axis_angle([0.3, 0.5, 0.9], 1.0, turned.translation())?;
            let found = volume((&body, &turned), (&ground, &plane), 1e-9)?;
            assert!(contains(found, 0.5 * exact), "{body:?} {found:?} {exact}");
        }
    }
    let both = overlap_volume((&ground, &Pose::IDENTITY), (&ground, &turned));
    assert_eq!(both, Err(QueryError::Unbounded));
    let open = shape("plane");
    let refused = overlap_volume((&ball(1.0)?, &Pose::IDENTITY), (&open, &Pose::IDENTITY));
    assert!(matches!(refused, Err(QueryError::NoBody { .. })), "{refused:?}");
    Ok(())
}

/// Where round surfaces cut each other in curves: Steinmetz's solid, a ball with a hole, a cone and a cylinder, and thin lenses.
#[test]
fn round_bodies_have_known_volumes_in_common() -> Outcome {
    let here = Pose::IDENTITY;
    let across = Pose::from_matrix([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]], [0.0; 3])?;
    let rod = cylinder(2.0, 0.5)?;
    let found = volume((&rod, &here), (&rod, &across), 1e-9)?;
    assert!(contains(found, 16.0 / 3.0 * 0.125), "Steinmetz {found:?}");

    // A ball of radius 5/4 without the part outside of a cylinder of radius 1 through it: 3/4 is half of the height there.
    let found = volume((&ball(1.25)?, &here), (&cylinder(2.0, 1.0)?, &across), 1e-9)?;
    let exact = 4.0 / 3.0 * PI * (1.25_f64.powi(3) - 0.75_f64.powi(3));
    assert!(contains(found, exact), "{found:?} {exact}");

    // A cone of radius 1 and height 2, and a cylinder of radius 1/2 about its axis: a cylinder with half a cone.
    let cone = cone(1.0, 1.0)?;
    let found = volume((&cone, &here), (&cylinder(3.0, 0.5)?, &here), 1e-9)?;
    let exact = PI * 0.25 + PI * 0.25 / 3.0;
    assert!(contains(found, exact), "{found:?} {exact}");

    // An ellipsoid with equal axes is a ball.
    for (radius, distance, width) in
        [(0.5, 0.75, 1e-9), (0.5, 1.0 - 1e-3, 1e-9), (1.0, 1.5 - 1e-6, 1e-9)]
    {
        let away = at(0.6 * distance, 0.0, 0.8 * distance);
        let exact = volume((&ball(0.5)?, &here), (&ball(radius)?, &away), 1e-9)?;
        let found = volume((&ball(0.5)?, &here), (&ellipsoid([radius; 3])?, &away), width)?;
        assert!(
            found.at_least <= exact.at_most && exact.at_least <= found.at_most,
            "{found:?} {exact:?}"
        );
    }
    // A can and a cone on its apex, a micrometre deep in the ground.
    let ground = Model::from_formula(Formula::HalfSpace);
    let depth = 1e-6;
    let standing = at(0.25, 0.5, 2.0 - depth);
    let found = volume((&rod, &standing), (&ground, &here), 1e-9)?;
    let exact = PI * 0.25 * (2.0 - standing.translation()[2]);
    assert!(contains(found, exact), "{found:?} {exact}");
    let turned = Pose::from_matrix(
        [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
        [0.0, 0.0, 1.0 - depth],
    )?;
    let found = volume((&cone, &turned), (&ground, &here), 2e-9)?;
    let exact = PI / 3.0 * 0.25 * (1.0 - turned.translation()[2]).powi(3);
    assert!(contains(found, exact), "{found:?} {exact}");

    // A squeezed pair of balls is a pair of ellipsoids, with a fourth of the volume.
    let away = at(0.0, 0.75, 0.0);
    let exact = volume((&ball(0.5)?, &here), (&ball(0.75)?, &away), 1e-9)?;
    let [one, other] = [ellipsoid([0.25, 0.5, 0.25])?, ellipsoid([0.375, 0.75, 0.375])?];
    let found = volume((&one, &here), (&other, &away), 1e-9)?;
    assert!(
        4.0 * found.at_least <= exact.at_most && exact.at_least <= 4.0 * found.at_most,
        "{found:?} {exact:?}"
    );
    Ok(())
}

/// Points, segments, polygons and polytopes with a radius: by Steiner's formula, and as the shapes that they are.
#[test]
fn rounded_polytopes_have_the_volumes_of_steiner() -> Outcome {
    let room = shape("box?x=9&y=9&z=9");
    let turned = Pose::from_axis_angle([3.0, 2.0, 1.0], 0.9, [0.25, 0.0, 0.5])?;
    let (r, ball_of_r) = (0.25, 4.0 / 3.0 * PI * 0.015_625);
    let square = [[-0.5, -0.5, 0.0], [0.5, -0.5, 0.0], [0.5, 0.5, 0.0], [-0.5, 0.5, 0.0]];
    let cube: Vec<[f64; 3]> =
        (0..8).map(|i| [0, 1, 2].map(|k| f64::from(i >> k & 1) - 0.5)).collect();
    let sides: [&[u32]; 6] =
        [&[0, 2, 3, 1], &[4, 5, 7, 6], &[0, 1, 5, 4], &[2, 6, 7, 3], &[0, 4, 6, 2], &[1, 3, 7, 5]];
    let known = [
        (rounded(&square[..1], &[&[0]], r)?, ball_of_r),
        (rounded(&square[..2], &[&[0, 1]], r)?, PI * r * r + ball_of_r),
        (
            rounded(&square, &[&[0, 1, 2, 3], &[3, 2, 1, 0]], r)?,
            2.0 * r + 2.0 * PI * r * r + ball_of_r,
        ),
        (rounded(&cube, &sides, r)?, 1.0 + 6.0 * r + 3.0 * PI * r * r + ball_of_r),
    ];
    for (body, exact) in &known {
        let found = volume((body, &turned), (&room, &Pose::IDENTITY), 1e-9)?;
        assert!(contains(found, *exact), "{body:?} {found:?} {exact}");
    }
    // A segment with a radius is a capsule.
    let capsule = capsule(0.5, r)?;
    let along = rounded(&[[0.0, 0.0, -0.5], [0.0, 0.0, 0.5]], &[&[0, 1]], r)?;
    let (other, away) = (cylinder(0.5, 0.375)?, at(0.125, 0.25, 0.375));
    let exact = volume((&capsule, &turned), (&other, &away), 1e-9)?;
    let found = volume((&along, &turned), (&other, &away), 1e-9)?;
    assert!(found.at_least <= exact.at_most && exact.at_least <= found.at_most);
    Ok(())
}

/// The corners of a fine mesh of a ball are on it, and the ball has all of the mesh inside.
#[test]
fn meshes_in_balls_have_their_own_volume() -> Outcome {
    let room = shape("box?x=9&y=9&z=9");
    for faces in [20, 200, 2000] {
        let mesh = shape(&format!("sphere?faces={faces}&radius=0.5"));
        let found = volume((&ball(0.5)?, &Pose::IDENTITY), (&mesh, &Pose::IDENTITY), 1e-9)?;
        let exact = volume((&mesh, &Pose::IDENTITY), (&room, &Pose::IDENTITY), 1e-9)?;
        // The corners are rounded.
        assert!(found.at_least <= exact.at_most, "{found:?} {exact:?}");
        assert!(exact.at_least <= found.at_most * (1.0 + 1e-14), "{found:?} {exact:?}");
    }
    Ok(())
}

/// What a body has in common with two parts of another one is what it has in common with the whole.
fn check_parts(
    body: (&Model, &Pose),
    whole: (&Model, &Pose),
    parts: [(&Model, &Pose); 2],
    width: f64,
) -> Result<bool, QueryError> {
    let exact = volume(body, whole, width)?;
    let [one, other] = [volume(body, parts[0], width)?, volume(body, parts[1], width)?];
    assert!(
        one.at_least + other.at_least <= exact.at_most * (1.0 + 1e-15)
            && exact.at_least <= (one.at_most + other.at_most) * (1.0 + 1e-15),
        "{body:?} {whole:?}: {exact:?}, {one:?} and {other:?}"
    );
    Ok(one.at_least > 0.0 && other.at_least > 0.0)
}

/// Each kind of body against boxes, cylinders and space that are cut in two by a plane.
#[test]
fn parts_of_formulas_add_up_soak() -> Outcome {
    let run = long_run(1, 100);
    let mut poses = Poses::new(run.seed.wrapping_add(52));
    let ground = Model::from_formula(Formula::HalfSpace);
    let (whole_box, half_box) = (cuboid([0.75, 0.5, 0.25])?, cuboid([0.75, 0.5, 0.125])?);
    let (whole_can, half_can) = (cylinder(0.75, 0.5)?, cylinder(0.375, 0.5)?);
    let room = shape("box?x=9&y=9&z=9");
    let mut met = [0; 3];
    for _ in 0..run.cases {
        for formula in formulas(1.0) {
            let body = Model::from_formula(formula);
            let [of_body, of_other] = [poses.within(0.25).pose(), poses.within(0.25).pose()];
            let body = (&body, &of_body);
            // In the frame of the whole.
            let shifted = |z: f64| of_other.with_translation(of_other.apply([0.0, 0.0, z]));
            for (number, whole, half, z) in
                [(0, &whole_box, &half_box, 0.125), (1, &whole_can, &half_can, 0.375)]
            {
                let (above, below) = (shifted(z), shifted(-z));
                let parts = [(half, &above), (half, &below)];
                // The centers of the halves are rounded.
                met[number] += usize::from(check_parts(body, (whole, &of_other), parts, 1.1e-9)?);
            }
            if !matches!(body.0.formula(), Some(Formula::HalfSpace)) {
                let rows = of_other.rotation().map(|[x, y, z]| [x, -y, -z]);
                let turned = Pose::from_matrix(rows, of_other.translation())?;
                let parts = [(&ground, &of_other), (&ground, &turned)];
                met[2] += usize::from(check_parts(body, (&room, &Pose::IDENTITY), parts, 1.1e-9)?);
            }
        }
    }
    assert!(met.iter().all(|&met| met > 2 * run.cases as usize), "{met:?}");
    Ok(())
}

/// A box is a mesh, against each kind of body; and a mesh that is not convex has as much in common with a ball as with an
/// ellipsoid that is one.
#[test]
fn volumes_of_the_same_bodies_agree() -> Outcome {
    let mut poses = Poses::new(51);
    let by_formula = cuboid([1.0, 0.5, 0.75])?;
    let as_mesh = shape("box?x=2&y=1&z=1.5");
    let torus = shape("torus?faces=120");
    let mut met = 0;
    let meshes = [torus.clone(), as_mesh.clone()].map(|mesh| (mesh, 12));
    let others = formulas(1.0).into_iter().map(|formula| (Model::from_formula(formula), 1));
    for (other, times) in meshes.into_iter().chain(others) {
        for _ in 0..times {
            let [of_a, of_b] = [poses.within(0.6).pose(), poses.within(0.6).pose()];
            let exact = volume((&as_mesh, &of_a), (&other, &of_b), 1.1e-9)?;
            let found = volume((&by_formula, &of_a), (&other, &of_b), 1.1e-9)?;
            // The corners of the mesh are rounded.
            let slack = 1e-14;
            assert!(found.at_least <= exact.at_most + slack, "{other:?} {found:?} {exact:?}");
            assert!(exact.at_least <= found.at_most + slack, "{other:?} {found:?} {exact:?}");
            met += usize::from(exact.at_least > 0.0);
        }
    }
    assert!(met > 20, "{met}");
    let (round, of_round) = (ellipsoid([0.5; 3])?, at(0.75, 0.25, 0.125));
    let exact = volume((&torus, &Pose::IDENTITY), (&ball(0.5)?, &of_round), 1e-9)?;
    let found = volume((&torus, &Pose::IDENTITY), (&round, &of_round), 1e-9)?;
    assert!(exact.at_least > 0.0, "{exact:?}");
    assert!(found.at_least <= exact.at_most && exact.at_least <= found.at_most);
    Ok(())
}
