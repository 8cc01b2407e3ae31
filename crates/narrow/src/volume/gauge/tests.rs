use std::f64::consts::PI;
use std::sync::Arc;

use xcollide_brep::PolygonMesh;
use xcollide_convex::Polytope;
use xcollide_convex::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
use xcollide_fixtures::long_run;

use super::body::{Body, center, extents};
use super::{integral, volume};
use crate::volume::inscribed::{Frame, View};
use crate::volume::of_formulas::refined;
use crate::{Formula, Model, Placed, Pose};

type Made<T> = Result<T, Box<dyn std::error::Error>>;

/// A body of each kind, and its volume.
fn bodies() -> Made<Vec<(Formula, f64)>> {
    let (corners, faces) = xcollide_fixtures::cube();
    let cube = Polytope::new(corners.to_vec(), faces)?;
    let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let sides = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]];
    let corner = Polytope::new(corner.to_vec(), sides)?;
    // Steiner: the volume, the surface, the angles at edges, the ball.
    let steiner = |volume: f64, surface: f64, edges: f64, r: f64| {
        volume + surface * r + 0.5 * edges * r * r + 4.0 / 3.0 * PI * r * r * r
    };
    let slanted = 2.0_f64.sqrt() * (PI - (1.0 / 3.0_f64.sqrt()).acos());
    let edges = 3.0 * (0.5 * PI + slanted);
    Ok(vec![
        (Formula::Ball(Ball::new(0.75)?), 0.5625 * PI),
        (Formula::Capsule(Capsule::new(0.75, 0.25)?), PI * (0.09375 + 1.0 / 48.0)),
        (Formula::Cuboid(Cuboid::new([0.5, 0.75, 0.25])?), 0.75),
        (Formula::Cylinder(Cylinder::new(0.75, 0.5)?), 0.375 * PI),
        (Formula::Cone(Cone::new(0.75, 0.5)?), 0.125 * PI),
        (Formula::Ellipsoid(Ellipsoid::new([0.5, 0.75, 0.25])?), 0.125 * PI),
        (Formula::rounded(Arc::new(cube), 0.25)?, steiner(1.0, 6.0, 6.0 * PI, 0.25)),
        (
            Formula::rounded(Arc::new(corner), 0.5)?,
            steiner(1.0 / 6.0, 1.5 + 0.75_f64.sqrt(), edges, 0.5),
        ),
    ])
}

/// Numbers between −1 and 1.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

fn pose(next: &mut impl FnMut() -> f64, far: f64) -> Made<Pose> {
    let axis = [next(), next(), next()];
    let angle = 3.0 * next();
    Ok(Pose::from_axis_angle(axis, angle, [far * next(), far * next(), far * next()])?)
}

#[test]
fn bodies_have_their_own_volume_seen_from_any_origin() -> Made<()> {
    let mut next = numbers(3);
    for (formula, exact) in bodies()? {
        for place in 0..3 {
            let pose = pose(&mut next, 1.0)?;
            let start = center(&formula).ok_or("no center")?;
            let moved = start.map(|x| x + 0.0625 * f64::from(place) * next());
            let frame = Frame::of(&pose, &View::from(pose.apply(moved)));
            let mut sizes = extents(&formula, &frame).ok_or("no size")?;
            if formula.shape().is_some_and(|shape| shape.radius() > 0.0) {
                sizes = [sizes.into_iter().fold(0.0, f64::max); 3];
            }
            let body = Body::new(&formula, &frame, sizes).ok_or("not inside")?;
            let (found, error) = integral::volume(&body.atoms, 4e-10);
            assert!(error < 5e-10 * found, "{formula:?} {error}");
            let found = found * sizes.iter().product::<f64>();
            assert!((found / exact - 1.0).abs() < 4e-10, "{formula:?} {found} {exact}");
        }
    }
    Ok(())
}

/// Bodies deep in each other, by their gauges and by polyhedra in them.
#[test]
fn both_ways_to_a_volume_agree_soak() -> Made<()> {
    let run = long_run(1, 3);
    let bodies: Vec<Model> =
        bodies()?.into_iter().map(|(formula, _)| Model::from_formula(formula)).collect();
    let mut next = numbers(5);
    let (mut asked, mut compared) = (0, 0);
    let mut compare = |models: [&Model; 2], poses: [Pose; 2], width: f64| -> Made<()> {
        asked += 1;
        if !run.picks(asked, 3) {
            return Ok(());
        }
        let placed = [Placed::new(models[0], &poses[0])?, Placed::new(models[1], &poses[1])?];
        let Some(found) = volume(placed) else { return Ok(()) };
        let referee = refined(placed[0], placed[1])?;
        let meet = found.at_least <= referee.at_most && referee.at_least <= found.at_most;
        assert!(meet, "{models:?} {poses:?} {found:?} {referee:?}");
        assert!(found.is_narrow(width), "{models:?} {poses:?} {found:?}");
        compared += 1;
        Ok(())
    };
    for (i, one) in bodies.iter().enumerate() {
        for other in &bodies[i..] {
            let poses = [pose(&mut next, 0.25)?, pose(&mut next, 0.25)?];
            compare([one, other], poses, 1e-6)?;
        }
    }
    let (corners, faces) = xcollide_fixtures::cube();
    let faces = faces.iter().map(|face| face.to_vec());
    let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
    for one in &bodies {
        for _ in 0..2 {
            compare([one, &cube], [pose(&mut next, 0.5)?, pose(&mut next, 0.25)?], 1e-9)?;
        }
    }
    assert!(compared > if run.is_whole { 34 } else { 10 }, "{compared}");
    Ok(())
}
