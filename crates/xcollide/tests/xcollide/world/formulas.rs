//! Objects that are given by formulas, in a world.

use xcollide::bounding::{Bounding, DynamicBox, FixedCubes, KDops, Oriented};
use xcollide::convex::shape::{Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid};
use xcollide::interest::Ask;
use xcollide::math::Motion;
use xcollide::narrow::Semantics;
use xcollide::narrow::mesh::Wide;
use xcollide::narrow::rays::{MovingSphere, Ray};
use xcollide::{Formula, Kind, Model, ObjectId, ObjectPair, Pose, Proof, Verdict, World, check};
use xcollide_scenes::Poses;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn models() -> Result<Vec<Model>, Box<dyn std::error::Error>> {
    let formulas = [
        Formula::Ball(Ball::new(0.4)?),
        Formula::Capsule(Capsule::new(0.5, 0.2)?),
        Formula::Cuboid(Cuboid::new([0.4, 0.3, 0.2])?),
        Formula::Cylinder(Cylinder::new(0.5, 0.3)?),
        Formula::Cone(Cone::new(0.5, 0.3)?),
        Formula::Ellipsoid(Ellipsoid::new([0.5, 0.3, 0.2])?),
    ];
    let mut models: Vec<Model> = formulas.into_iter().map(Model::from_formula).collect();
    models.push(Model::from_mesh(xcollide_scenes::shape("torus?faces=60&radius=0.5&tube=0.2")?)?);
    models.push(Model::from_mesh(xcollide_scenes::shape("box?x=0.5&y=0.5&z=0.5")?)?);
    Ok(models)
}

fn strategy(round: usize) -> Option<Box<dyn Bounding>> {
    match round {
        1 => Some(Box::new(DynamicBox)),
        2 => Some(Box::new(FixedCubes)),
        3 => Some(Box::new(KDops)),
        4 => Some(Box::new(Oriented)),
        _ => None,
    }
}

/// Every pair that collides is found, with a proof, and no other, frame by frame, whatever the narrow phase and the bounds.
#[test]
fn frames_match_every_pair() -> Outcome {
    let models = models()?;
    for round in 0..5 {
        let mut world = World::builder().build();
        if round > 0 {
            world.set_narrow_phase(Box::new(Wide::new()));
        }
        if let Some(strategy) = strategy(round) {
            world.set_bounding(strategy);
        }
        let mut poses = Poses::new(round as u64);
        let mut objects: Vec<(ObjectId, &Model)> = Vec::new();
        for _ in 0..3 {
            for model in &models {
                objects.push((world.add(model, &poses.within(1.2).pose())?, model));
            }
        }
        let ground = Model::from_formula(Formula::HalfSpace);
        let floor = world.add(&ground, &Pose::from_translation([0.0, 0.0, -0.8]))?;
        world.set_static(floor, true)?;
        objects.push((floor, &ground));
        let (mut found, mut of_floor) = (0, 0);
        for _ in 0..4 {
            let frame = world.check();
            assert!(frame.undecided.is_empty() && frame.failures.is_empty());
            for (number, (a, model_a)) in objects.iter().enumerate() {
                for (b, model_b) in &objects[..number] {
                    let placed = (world.placed(*a)?, world.placed(*b)?);
                    let verdict = check((*model_a, placed.0.pose()), (*model_b, placed.1.pose()))?;
                    assert_eq!(frame.collides(*a, *b), verdict.is_collision(), "{round}");
                    if let Verdict::Collides(witness) = verdict {
                        witness.verify(placed.0, placed.1, Semantics::Solid)?;
                        found += 1;
                        of_floor += usize::from(*a == floor);
                    }
                }
            }
            for (object, _) in &objects[..objects.len() - 1] {
                world.set_pose(*object, &poses.within(1.2).pose())?;
            }
        }
        assert!(found > 100 && of_floor > 10, "{found} {of_floor}");
    }
    Ok(())
}

/// Rays and spheres meet formulas as they meet meshes, whatever is first.
#[test]
fn rays_and_spheres_meet_formulas() -> Outcome {
    let cube = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let ball = Model::from_formula(Formula::Ball(Ball::new(0.5)?));
    let ground = Model::from_formula(Formula::HalfSpace);
    // With many objects and rays, a hierarchy is built over those that do not change.
    for (checked, others) in [(false, 0), (true, 0), (true, 40)] {
        let mut world = World::new();
        for number in 0..others {
            world.add(&cube, &Pose::from_translation([4.0 * f64::from(number), 50.0, 0.0]))?;
        }
        let near = world.add(&cube, &Pose::from_translation([5.0, 0.0, 0.0]))?;
        let far = world.add(&ball, &Pose::from_translation([9.0, 0.0, 0.0]))?;
        let floor = world.add(&ground, &Pose::from_translation([0.0, 0.0, -4.0]))?;
        if checked {
            let _ = world.check();
        }
        let ray = |from: [f64; 3], to: [f64; 3]| Ray::segment(from, to);
        for _ in 0..20 {
            assert_eq!(world.first_hit(&ray([0.0, 0.0, 9.0], [1.0, 0.0, 9.0])?), Ok(None));
        }
        let through = ray([0.0, 0.0, 0.25], [20.0, 0.0, 0.25])?;
        let first = world.first_hit(&through)?.ok_or("missed")?;
        assert_eq!((first.0, first.1.point[0]), (near, 4.0), "the cube is in front of the ball");
        assert!(world.any_hit(&through)?.is_some());
        let all: Vec<_> = world.all_hits(&through)?.iter().map(|(object, _)| *object).collect();
        assert_eq!((all[0], &all[all.len() - 2..]), (near, &[far, far][..]));
        let back = world.first_hit(&ray([20.0, 0.0, 0.0], [0.0, 0.0, 0.0])?)?.ok_or("missed")?;
        assert_eq!((back.0, back.1.point, back.1.face), (far, [9.5, 0.0, 0.0], None));
        let down = world.first_hit(&ray([1.0, 1.0, 0.0], [1.0, 1.0, -8.0])?)?.ok_or("missed")?;
        assert_eq!((down.0, down.1.parameter), (floor, 0.5));
        let above = ray([0.0, 3.0, 0.0], [20.0, 3.0, -1.0])?;
        assert_eq!(world.first_hit(&above), Ok(None));
        let falls =
            |from: [f64; 3], to: [f64; 3]| MovingSphere { segment: [from, to], radius: 1.0 };
        let (object, hit) =
            world.sphere_cast(&falls([9.0, 0.0, 4.5], [9.0, 0.0, -3.5]))?.ok_or("no hit")?;
        assert!(object == far && (hit.parameter - 0.375).abs() < 1e-9 && hit.face.is_none());
        let (object, hit) =
            world.sphere_cast(&falls([1.0, 9.0, 1.0], [1.0, 9.0, -7.0]))?.ok_or("no hit")?;
        assert_eq!((object, hit.parameter), (floor, 0.5));
        assert_eq!(world.sphere_cast(&falls([1.0, 9.0, 1.0], [1.0, 9.0, -2.0])), Ok(None));
    }
    Ok(())
}

/// Touching, also where f64 has no common point, a gap below rounding, distances, tolerances and motion are answered.
#[test]
fn questions_about_formulas_have_answers() -> Outcome {
    let can = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 0.5)?));
    let ball = Model::from_formula(Formula::Ball(Ball::new(0.5)?));
    let mut world = World::new();
    let a = world.add(&can, &Pose::IDENTITY)?;
    let b = world.add(&ball, &Pose::from_translation([0.0, 0.0, 1.5_f64.next_up()]))?;
    let frame = world.check();
    assert!(frame.undecided.is_empty() && frame.began.is_empty(), "{frame:?}");
    // The common point is at thirds.
    let [small, large] = [1.0, 2.0].map(Ball::new);
    let mut balls = World::new();
    let small = balls.add(&Model::from_formula(Formula::Ball(small?)), &Pose::IDENTITY)?;
    let at = Pose::from_translation([1.0, 2.0, 2.0]);
    let large = balls.add(&Model::from_formula(Formula::Ball(large?)), &at)?;
    let frame = balls.check();
    assert!(frame.undecided.is_empty() && frame.collides(small, large), "{frame:?}");
    // Cones touch at the rims of their bases, at fifths.
    let [small, large] = [2.0, 3.0].map(|radius| Cone::new(1.0, radius));
    let mut cones = World::new();
    let small = cones.add(&Model::from_formula(Formula::Cone(small?)), &Pose::IDENTITY)?;
    let beside = Pose::from_translation([3.0, 4.0, 0.0]);
    let large = cones.add(&Model::from_formula(Formula::Cone(large?)), &beside)?;
    let frame = cones.check();
    assert!(frame.undecided.is_empty() && frame.collides(small, large), "{frame:?}");
    world.interest_mut().set_pair_ask(a, b, Ask::Kind);
    world.set_pose(b, &Pose::from_translation([0.0, 0.0, 1.5]))?;
    assert_eq!(world.check().began[0].kind, Some(Kind::Touching));
    world.set_pose(b, &Pose::from_translation([0.0, 0.0, 1.75]))?;
    for (ask, near) in [(0.25 + 1e-9, true), (0.25 - 1e-9, false)] {
        world.interest_mut().set_pair_ask(a, b, Ask::Within { tolerance: ask });
        assert_eq!(world.check().collides(a, b), near);
    }
    world.interest_mut().set_pair_ask(a, b, Ask::Distance { up_to: 1.0 });
    let frame = world.check();
    let [(_, distance)] = &frame.distances[..] else { return Err("no distance".into()) };
    assert!((distance.value - 0.25).abs() < 1e-12);
    world.interest_mut().set_pair_ask(a, b, Ask::Kind);
    world.set_pose(b, &Pose::from_translation([0.0, 0.0, 1.25]))?;
    let frame = world.check();
    assert!(frame.collides(a, b) && frame.began[0].kind == Some(Kind::Overlapping));
    world.interest_mut().set_pair_ask(a, b, Ask::Depth);
    let frame = world.check();
    let [(_, depth)] = &frame.depths[..] else { return Err("no depth".into()) };
    assert!(depth.at_least <= 0.25 && 0.25 <= depth.at_most && depth.at_most < 0.25 + 1e-9);
    world.interest_mut().set_pair_ask(a, b, Ask::Manifold);
    let frame = world.check();
    let [(_, manifold)] = &frame.manifolds[..] else { return Err("no manifold".into()) };
    assert!(manifold.points.len() == 1 && (manifold.points[0].depth - 0.25).abs() < 1e-9);
    world.interest_mut().set_pair_ask(a, b, Ask::Touch);
    // Through the can between two poses at which they are apart: they meet after a quarter of the way less an eighth.
    let through = Motion::linear(
        Pose::from_translation([0.0, 0.0, 3.5]),
        Pose::from_translation([0.0, 0.0, -4.5]),
    )?;
    world.set_pose(b, through.start())?;
    assert!(!world.check().collides(a, b));
    for tolerance in [0.0, 0.5] {
        let ask = if tolerance > 0.0 { Ask::Within { tolerance } } else { Ask::Touch };
        world.interest_mut().set_pair_ask(a, b, ask);
        world.set_pose(b, through.start())?;
        world.set_motion(b, through)?;
        let frame = world.check();
        let met = frame.colliding().find(|met| met.pair == ObjectPair::new(a, b)).ok_or("none")?;
        let (Proof::InMotion { time, .. } | Proof::NearInMotion { time, .. }) = met.proof else {
            return Err(format!("{met:?}").into());
        };
        let expected = (2.0 - tolerance) / 8.0;
        assert!(time.lo <= expected && expected <= time.hi && time.hi - time.lo < 1e-6, "{met:?}");
    }
    Ok(())
}

/// A half space is the ground for what falls during a check, fast or slow.
#[test]
fn what_falls_in_one_check_meets_the_ground() -> Outcome {
    let mut world = World::new();
    let ground = world.add(&Model::from_formula(Formula::HalfSpace), &Pose::IDENTITY)?;
    let mut falling = Vec::new();
    for (number, model) in models()?.iter().enumerate() {
        let x = 9.0 * number as f64;
        let turned =
            |z: f64, angle: f64| Pose::from_axis_angle([0.6, 0.8, 0.0], angle, [x, 0.0, z]);
        let object = world.add(model, &turned(3.0, 0.0)?)?;
        // Every other one ends above the ground.
        let end = if number % 2 == 0 { -500.0 } else { 1.0 };
        world.set_motion(object, Motion::linear(turned(3.0, 0.0)?, turned(end, 1.0)?)?)?;
        falling.push((object, number % 2 == 0));
    }
    let frame = world.check();
    assert_eq!(frame.undecided, []);
    for (object, falls) in falling {
        assert_eq!(frame.collides(ground, object), falls);
    }
    Ok(())
}
