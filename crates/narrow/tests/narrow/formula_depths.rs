//! Depths and manifolds of formulas: proved bounds are tried by moving, and compared with the same bodies as meshes.

use crate::support::formulas;

use xcollide_convex::Penetration;
use xcollide_convex::shape::Cuboid;
use xcollide_fixtures::Random;
use xcollide_math::vector::{add, dot, length, scale, sub, unit};
use xcollide_narrow::formula::Formulas;
use xcollide_narrow::{
    Formula, Manifold, Model, NarrowPhase, PairCache, Placed, Pose, Query, QueryError, penetration,
};
use xcollide_scenes::Poses;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn shape(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

/// The models by formulas, the last one a half space.
fn models() -> Vec<Model> {
    formulas(1.0).into_iter().map(Model::from_formula).collect()
}

fn collides(a: Placed<'_>, b: Placed<'_>) -> Option<bool> {
    Formulas.test(a, b, &Query::new(), &mut PairCache::new()).decided()
}

fn moved(pose: &Pose, by: [f64; 3]) -> Pose {
    pose.with_translation(add(pose.translation(), by))
}

/// Moved by the upper bound they are apart, by less than the lower one they collide.
fn check(a: (&Model, &Pose), b: Placed<'_>, found: &Penetration, random: &mut Random) -> Outcome {
    let (model, pose) = a;
    assert!((length(found.direction) - 1.0).abs() < 1e-12 && found.at_least <= found.at_most);
    let out = moved(pose, scale(found.direction, found.at_most * (1.0 + 1e-6) + 1e-7));
    assert_eq!(collides(Placed::new(model, &out)?, b), Some(false), "{a:?} {b:?} {found:?}");
    for _ in 0..6 {
        let Some(way) = unit(random.point(1.0)) else { continue };
        let less = moved(pose, scale(way, found.at_least * (1.0 - 1e-6) - 1e-7));
        if found.at_least > 1e-6 {
            assert_eq!(collides(Placed::new(model, &less)?, b), Some(true), "{a:?} {found:?}");
        }
    }
    Ok(())
}

#[test]
fn depths_of_formulas_are_proved() -> Outcome {
    let models = models();
    let ground = models.len() - 1;
    let random = &mut Random::new(8);
    let mut poses = Poses::new(17);
    let (mut widest, mut wide, mut count) = (0.0_f64, 0, 0);
    for (number, a) in models.iter().enumerate() {
        for (other, b) in models.iter().enumerate() {
            for _ in 0..8 {
                let [of_a, of_b] = [poses.within(0.8).pose(), poses.within(0.8).pose()];
                let b = Placed::new(b, &of_b)?;
                let found = penetration((a, &of_a), b);
                if number == ground && other == ground {
                    // Turned at random their borders cross.
                    assert_eq!(found, Err(QueryError::Unbounded));
                    continue;
                }
                let found = found?;
                assert_eq!(found.is_some(), collides(Placed::new(a, &of_a)?, b) == Some(true));
                let Some(found) = found else { continue };
                check((a, &of_a), b, &found, random)?;
                let back = penetration(b, (a, &of_a))?.ok_or("only one way")?;
                assert!(back.at_least <= found.at_most && found.at_least <= back.at_most);
                let width = found.at_most - found.at_least;
                widest = widest.max(width);
                wide += usize::from(width > 1e-7);
                count += 1;
            }
        }
    }
    assert!(count > 150 && wide * 20 < count && widest < 0.05, "{count} {wide} {widest}");
    Ok(())
}

/// Against meshes that are convex, that are not, and against the ground, in either order.
#[test]
fn depths_in_meshes_are_proved() -> Outcome {
    let models = models();
    let meshes = [shape("box?x=1.5&y=1&z=1")?, shape("torus?faces=120&tube=0.4")?];
    let random = &mut Random::new(9);
    let mut poses = Poses::new(18);
    let mut count = [0; 2];
    for a in &models {
        for (number, mesh) in meshes.iter().enumerate() {
            for round in 0..if number == 0 { 6 } else { 2 } {
                let [of_a, of_b] = [poses.within(0.9).pose(), poses.within(0.9).pose()];
                let b = Placed::new(mesh, &of_b)?;
                let Some(found) = penetration((a, &of_a), b)? else { continue };
                check((a, &of_a), b, &found, random)?;
                let is_ground = matches!(a.formula(), Some(Formula::HalfSpace));
                if number == 0 || is_ground {
                    let width = found.at_most - found.at_least;
                    assert!(width < 1e-4, "{a:?} {width:e} {found:?}");
                }
                if round == 0 {
                    let back = penetration(b, (a, &of_a))?.ok_or("only one way")?;
                    assert!(back.at_least <= found.at_most + 1e-9);
                }
                count[number] += 1;
            }
        }
    }
    assert!(count[0] > 25 && count[1] > 4, "{count:?}");
    let open = shape("plane")?;
    let ball = (&models[0], &Pose::IDENTITY);
    let refused = penetration(ball, (&open, &Pose::IDENTITY));
    assert_eq!(refused.err(), Some(QueryError::NoBody { side: "second" }));
    Ok(())
}

/// A box by its formula and as a mesh have the same depth.
#[test]
fn depths_of_boxes_are_those_of_their_meshes() -> Outcome {
    let by_formula = Model::from_formula(Formula::Cuboid(Cuboid::new([1.0, 0.5, 0.75])?));
    let as_mesh = shape("box?x=2&y=1&z=1.5")?;
    let mut poses = Poses::new(19);
    let mut met = 0;
    for _ in 0..60 {
        let [of_a, of_b] = [poses.within(0.8).pose(), poses.within(0.8).pose()];
        let exact = penetration((&as_mesh, &of_a), (&as_mesh, &of_b))?;
        for models in [[&by_formula; 2], [&by_formula, &as_mesh], [&as_mesh, &by_formula]] {
            let found = penetration((models[0], &of_a), (models[1], &of_b))?;
            assert_eq!(found.is_some(), exact.is_some());
            let (Some(found), Some(exact)) = (&found, &exact) else { continue };
            assert!(found.at_least <= exact.at_most && exact.at_least <= found.at_most);
            assert!(found.at_most - found.at_least < 1e-10, "{found:?}");
            met += 1;
        }
    }
    assert!(met > 60, "{met}");
    Ok(())
}

/// What lies on something has as many points as its face has corners, up to four; their depths are that of the overlap.
#[test]
fn faces_on_the_ground_have_their_corners() -> Outcome {
    let models = models();
    let ground = &models[7];
    let table = shape("box?x=8&y=8&z=2")?;
    let board = Model::from_formula(Formula::Cuboid(Cuboid::new([4.0, 4.0, 1.0])?));
    let lowered = Pose::from_translation([0.0, 0.0, -1.0]);
    // By model: how far its center is above what it lies on, how often it is turned by a quarter, and its points.
    let expected = [
        (0, 0.75, 0, 1),
        (1, 0.25, 1, 2),
        (2, 0.25, 0, 4),
        (2, 0.75, 1, 4),
        (3, 0.75, 0, 4),
        (3, 0.5, 1, 2),
        (4, 0.75, 0, 4),
        (5, 0.25, 0, 1),
    ];
    for (number, height, quarters, points) in expected {
        let turn = f64::from(quarters) * std::f64::consts::FRAC_PI_2;
        let at = Pose::from_axis_angle([1.0, 0.0, 0.0], turn, [0.125, 0.25, height - 0.01])?;
        let a = Placed::new(&models[number], &at)?;
        for (other, pose) in [(ground, Pose::IDENTITY), (&table, lowered), (&board, lowered)] {
            let b = Placed::new(other, &pose)?;
            let found = Manifold::of(a, b, None)?.ok_or("apart")?;
            let what = format!("{number} on {other:?}: {found:?}");
            assert!(length(sub(found.normal, [0.0, 0.0, 1.0])) < 1e-6, "{what}");
            assert_eq!(found.points.len(), points, "{what}");
            for point in &found.points {
                assert!((point.depth - 0.01).abs() < 1e-6, "{what}");
                assert!((point.point[2] + 0.005).abs() < 0.006, "{what}");
            }
            let back = Manifold::of(b, a, None)?.ok_or("apart")?;
            assert!(dot(back.normal, found.normal) < -0.999_999);
            assert_eq!(back.points.len(), points, "{number} under {other:?}: {back:?}");
            // Ids stay while it slides.
            let slid = moved(&at, [1e-3, 1e-3, 0.0]);
            let later = Manifold::of(Placed::new(&models[number], &slid)?, b, Some(&found))?;
            let ids = |manifold: &Manifold| {
                let mut ids: Vec<_> = manifold.points.iter().map(|point| point.id).collect();
                ids.sort_unstable();
                ids
            };
            assert_eq!(ids(&later.ok_or("apart")?), ids(&found), "{what}");
        }
    }
    Ok(())
}

/// Where two faces cover each other in part, the points are corners of what both cover.
#[test]
fn crossing_boxes_touch_where_both_are() -> Outcome {
    let plank = Model::from_formula(Formula::Cuboid(Cuboid::new([3.0, 0.5, 0.5])?));
    let as_mesh = shape("box?x=6&y=1&z=1")?;
    let across =
        Pose::from_axis_angle([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2, [0.0, 0.0, 0.99])?;
    for other in [&plank, &as_mesh] {
        let a = Placed::new(&plank, &across)?;
        let found = Manifold::of(a, Placed::new(other, &Pose::IDENTITY)?, None)?.ok_or("apart")?;
        assert_eq!(found.points.len(), 4, "{found:?}");
        for point in &found.points {
            let [x, y, _] = point.point.map(f64::abs);
            assert!((x - 0.5).abs() < 1e-6 && (y - 0.5).abs() < 1e-6, "{found:?}");
            assert!((point.depth - 0.01).abs() < 1e-9);
        }
    }
    Ok(())
}
