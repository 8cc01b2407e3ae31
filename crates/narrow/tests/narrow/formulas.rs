//! Models given by formulas: against meshes that are the same body, that are in it or around it, and against exact
//! arithmetic; their proofs; and who refuses them.

use crate::support::formulas;

use xcollide_brep::PolygonMesh;
use xcollide_convex::Plane;
use xcollide_convex::shape::{Ball, Cone, Cuboid, Cylinder};
use xcollide_fixtures::Random;
use xcollide_math::vector::{dot, sub};
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::formula::{self, Formulas};
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::{
    Certificate, Formula, Manifold, Model, NarrowPhase, PairCache, Placed, Pose, Query, QueryError,
    Reason, Semantics, Separation, Verdict, Witness, contacts, contains_point, distance,
    intersects, proximity,
};
use xcollide_predicates::{Sign, dot_sign, triangles_within};
use xcollide_scenes::Poses;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn shape(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

fn test(a: Placed<'_>, b: Placed<'_>) -> Verdict {
    let query = Query::new().certificate(Certificate::Full);
    Formulas.test(a, b, &query, &mut PairCache::new())
}

/// Verifies the proof of a verdict; whether it is a collision.
fn verified(verdict: &Verdict, a: Placed<'_>, b: Placed<'_>) -> Result<Option<bool>, String> {
    let tell = |error: xcollide_narrow::ProofError| format!("{error}: {verdict:?}");
    match verdict {
        Verdict::Collides(witness) => witness.verify(a, b, Semantics::Solid).map_err(tell)?,
        Verdict::Apart(separation) => separation.verify(a, b, Semantics::Solid).map_err(tell)?,
        Verdict::Undecided(reason) => return Err(format!("{reason:?}")),
    }
    Ok(verdict.decided())
}

/// All pairs of formulas and of a formula and a mesh, near to each other at any turn: the same answer in either order, with
/// proofs, and distances that fit.
#[test]
fn verdicts_have_proofs_in_either_order() -> Outcome {
    let mut models: Vec<Model> = formulas(1.0).into_iter().map(Model::from_formula).collect();
    let count = models.len();
    models.extend([shape("torus?faces=200")?, shape("box")?, shape("mobius?faces=40")?]);
    let mut poses = Poses::new(3);
    let (mut hits, mut misses) = (0, 0);
    for (number, a) in models.iter().enumerate().take(count) {
        for (other, b) in models.iter().enumerate() {
            if number == count - 1 && other == number {
                continue;
            }
            for _ in 0..12 {
                let [of_a, of_b] = [poses.within(0.9).pose(), poses.within(0.9).pose()];
                let (a, b) = (Placed::new(a, &of_a)?, Placed::new(b, &of_b)?);
                let found = verified(&test(a, b), a, b)?;
                let back = verified(&test(b, a), b, a)?;
                assert_eq!(found, back, "{a:?} {b:?}");
                let collides = found.ok_or("random poses touch")?;
                let [far, near] = [0.0, 1e-6].map(|by| formula::within(a, b, by, Semantics::Solid));
                assert_eq!(far.map(|(near, _)| near), Some(collides));
                assert!(!collides || near.is_some_and(|(near, _)| near));
                let apart = formula::distance(a, b, Semantics::Solid)?;
                assert!(apart.at_least <= apart.at_most);
                assert_eq!(apart.at_least > 0.0, !collides, "{a:?} {b:?} {apart:?}");
                if other < count {
                    assert!(apart.at_most - apart.at_least < 1e-9, "{a:?} {b:?} {apart:?}");
                }
                if collides { hits += 1 } else { misses += 1 }
            }
        }
    }
    assert!(hits > 200 && misses > 200, "{hits} {misses}");
    Ok(())
}

/// A box by its formula and as a mesh: wherever the one is decided, the exact answer is the same, and intervals contain the
/// distance.
#[test]
fn boxes_agree_with_the_same_boxes_as_meshes() -> Outcome {
    let by_formula = Model::from_formula(Formula::Cuboid(Cuboid::new([1.0, 0.5, 2.0])?));
    let as_mesh = shape("box?x=2&y=1&z=4")?;
    let others = [shape("torus?faces=200")?, shape("tetraflake?depth=2")?, shape("plane")?];
    let mut poses = Poses::new(9);
    let mut counts = [0; 2];
    for other in &others {
        for _ in 0..150 {
            let [of_a, of_b] = [poses.within(1.6).pose(), poses.within(1.6).pose()];
            let b = Placed::new(other, &of_b)?;
            let [a, mesh] = [Placed::new(&by_formula, &of_a)?, Placed::new(&as_mesh, &of_a)?];
            for semantics in [Semantics::Solid, Semantics::Surface] {
                let query = Query::new().semantics(semantics);
                let found = Formulas.test(a, b, &query, &mut PairCache::new()).decided();
                // The formula is a body under either semantics; no mesh here is within it.
                let expected = BruteForce.test(mesh, b, &query, &mut PairCache::new()).decided();
                if semantics == Semantics::Solid {
                    assert_eq!(found, expected, "{of_a:?} {of_b:?}");
                    counts[usize::from(found == Some(true))] += 1;
                }
            }
            let expected = proximity::distance(mesh, b, Semantics::Solid).ok_or("no faces")?;
            let found = formula::distance(a, b, Semantics::Solid)?;
            let slack = 1e-12;
            assert!(found.at_least <= expected.value + slack, "{found:?} {expected:?}");
            assert!(expected.value <= found.at_most + slack, "{found:?} {expected:?}");
            assert!(found.at_most - found.at_least < 1e-11);
        }
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
    Ok(())
}

/// Cylinders and cones between the polyhedra in them and around them: nobody contradicts.
#[test]
fn round_bodies_lie_between_inscribed_and_circumscribed_polyhedra() -> Outcome {
    let sides = 24;
    let around = 1.0 / (std::f64::consts::PI / f64::from(sides)).cos() + 1e-9;
    let triples = [
        (
            Formula::Cylinder(Cylinder::new(1.0, 0.5)?),
            format!("cylinder?faces={}&height=2", sides + 2),
        ),
        (Formula::Cone(Cone::new(1.0, 0.5)?), format!("cone?faces={}&height=2", sides + 1)),
    ];
    let other = shape("knot?faces=400")?;
    let mut poses = Poses::new(21);
    let mut decided = [0; 2];
    for (formula, spec) in triples {
        let inner = shape(&format!("{spec}&radius=0.5"))?;
        let outer = shape(&format!("{spec}&radius={}", 0.5 * around))?;
        let body = Model::from_formula(formula);
        for _ in 0..150 {
            let [of_a, of_b] = [poses.within(1.8).pose(), poses.within(1.8).pose()];
            let b = Placed::new(&other, &of_b)?;
            let exact = |model| -> Result<_, Box<dyn std::error::Error>> {
                let placed = Placed::new(model, &of_a)?;
                let verdict = BruteForce.test(placed, b, &Query::new(), &mut PairCache::new());
                Ok(verdict.is_collision())
            };
            let (inside, outside) = (exact(&inner)?, exact(&outer)?);
            let found = intersects((&body, &of_a), b)?;
            assert!(!inside || found, "{of_a:?} {of_b:?}");
            assert!(outside || !found, "{of_a:?} {of_b:?}");
            decided[usize::from(found)] += 1;
        }
    }
    assert!(decided.iter().all(|&count| count > 50), "{decided:?}");
    Ok(())
}

/// On integers, where most pairs that meet touch: balls and half spaces against meshes are always decided, and right.
#[test]
fn balls_and_half_spaces_are_exact_against_meshes() -> Outcome {
    let random = &mut Random::new(5);
    let mut small = |most: u64| (random.bits() % (2 * most + 1)) as f64 - most as f64;
    let mut counts = [[0; 2]; 2];
    for round in 0..400 {
        let corners: Vec<_> = (0..4).map(|_| [small(3), small(3), small(3)]).collect();
        let mesh = Model::from_mesh(PolygonMesh::from_polygons(
            corners.clone(),
            [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]],
        )?)?;
        let mesh = Placed::new(&mesh, &Pose::IDENTITY)?;
        let center = [small(4), small(4), small(4)];
        let at = Pose::from_translation(center);
        let (body, expected) = if round % 2 == 0 {
            let radius = 1.0 + small(1).abs() + 0.5;
            let radius = if round % 4 == 0 { radius.floor() } else { radius };
            let of_triangle =
                |number| triangles_within(&[center; 3], &mesh.triangle(number), radius);
            let meets = (0..4).any(of_triangle) || locate(mesh, center) != Location::Outside;
            (Model::from_formula(Formula::Ball(Ball::new(radius)?)), meets)
        } else {
            let below =
                |p: &[f64; 3]| dot_sign([0.0; 3], [0.0, 0.0, 1.0], center, *p) != Sign::Positive;
            assert_eq!(corners.iter().any(below), corners.iter().any(|p| p[2] <= center[2]));
            (Model::from_formula(Formula::HalfSpace), corners.iter().any(below))
        };
        let a = Placed::new(&body, &at)?;
        let verdict = test(a, mesh);
        assert_eq!(verified(&verdict, a, mesh)?, Some(expected), "{corners:?} {center:?}");
        counts[round % 2][usize::from(expected)] += 1;
    }
    assert!(counts.as_flattened().iter().all(|&count| count > 20), "{counts:?}");
    Ok(())
}

/// A body within another has no contact of surfaces.
#[test]
fn bodies_in_bodies_collide_as_solids() -> Outcome {
    let shell = shape("sphere?faces=400&radius=4")?;
    let tiny = shape("icosphere?frequency=2&radius=0.125")?;
    for formula in formulas(1.0) {
        if formula.shape().is_none() {
            continue;
        }
        let body = Model::from_formula(formula);
        let at = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.5, [0.25, 0.5, 0.125])?;
        let a = Placed::new(&body, &at)?;
        let outer = Placed::new(&shell, &Pose::IDENTITY)?;
        let inner = Placed::new(&tiny, &at)?;
        for other in [outer, inner] {
            assert_eq!(verified(&test(a, other), a, other)?, Some(true), "{a:?}");
        }
        let surface = Query::new().semantics(Semantics::Surface);
        let found = Formulas.test(a, outer, &surface, &mut PairCache::new());
        assert!(found.is_apart(), "a body floats in a surface");
        let found = Formulas.test(a, inner, &surface, &mut PairCache::new());
        assert!(found.is_collision(), "a surface is in a body, which formulas always are");
    }
    Ok(())
}

/// Touching is undecided where f64 has no common point and there is no exact comparison.
#[test]
fn touching_is_decided() -> Outcome {
    let can = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 0.5)?));
    let ground = Model::from_formula(Formula::HalfSpace);
    let table = shape("box?x=4&y=4&z=2")?;
    let lowered = Pose::from_translation([0.0, 0.0, -1.0]);
    for (other, pose) in [(&ground, Pose::IDENTITY), (&table, lowered)] {
        let verdict = |height: f64| -> Result<_, Box<dyn std::error::Error>> {
            let at = Pose::from_translation([0.25, 0.0, 1.0 + height]);
            let (a, b) = (Placed::new(&can, &at)?, Placed::new(other, &pose)?);
            let found = verified(&test(a, b), a, b)?;
            assert_eq!(verified(&test(b, a), b, a)?, found);
            Ok(found)
        };
        assert_eq!(verdict(0.0)?, Some(true));
        assert_eq!(verdict(f64::EPSILON)?, Some(false));
        assert_eq!(verdict(1e-8)?, Some(false));
        assert_eq!(verdict(-1e-8)?, Some(true));
    }
    // A body that touches a mesh from within has points in it.
    let round = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 1.0)?));
    let cube = shape("box")?;
    let (a, b) = (Placed::new(&round, &Pose::IDENTITY)?, Placed::new(&cube, &Pose::IDENTITY)?);
    assert_eq!(verified(&test(a, b), a, b)?, Some(true));
    // The common point is at thirds.
    let [small, large] = [1.0, 2.0].map(Ball::new);
    let [small, large] = [small?, large?].map(|ball| Model::from_formula(Formula::Ball(ball)));
    let there = Pose::from_translation([1.0, 2.0, 2.0]);
    let (a, b) = (Placed::new(&small, &Pose::IDENTITY)?, Placed::new(&large, &there)?);
    let found = test(a, b);
    assert_eq!(verified(&found, a, b)?, Some(true));
    // No other point than the rounded one is a proof, nor is that one of balls a unit in the last place apart.
    let Verdict::Collides(witness) = found else { return Err("they touch".into()) };
    let moved = Witness { point: [witness.point[0] + 1e-6, witness.point[1], 0.7], ..witness };
    assert!(moved.verify(a, b, Semantics::Solid).is_err());
    let nan = Witness { point: [f64::NAN; 3], ..witness };
    assert!(nan.verify(a, b, Semantics::Solid).is_err());
    assert!(Separation::Pairwise.verify(a, b, Semantics::Solid).is_err());
    let beyond = Pose::from_translation([1.0, 2.0, 2.0_f64.next_up()]);
    let b = Placed::new(&large, &beyond)?;
    assert!(witness.verify(a, b, Semantics::Solid).is_err());
    assert_eq!(verified(&test(a, b), a, b)?, Some(false));
    assert!(Separation::Pairwise.verify(a, b, Semantics::Solid).is_ok());
    // Cones touch at the rims of their bases, at fifths.
    let [one, other] = [2.0, 3.0].map(|radius| Cone::new(1.0, radius).map(Formula::Cone));
    let [one, other] = [Model::from_formula(one?), Model::from_formula(other?)];
    let beside = Pose::from_translation([3.0, 4.0, 0.0]);
    let found = intersects((&one, &Pose::IDENTITY), (&other, &beside));
    assert_eq!(found, Ok(true));
    let beyond = Pose::from_translation([3.0, 4.0_f64.next_up(), 0.0]);
    let found = intersects((&one, &Pose::IDENTITY), (&other, &beyond));
    assert_eq!(found, Ok(false));
    Ok(())
}

/// Proofs that are no longer true are refused.
#[test]
fn wrong_proofs_are_refused() -> Outcome {
    let ball = Model::from_formula(Formula::Ball(Ball::new(1.0)?));
    let cube = shape("box")?;
    let [near, far] = [1.5, 5.0].map(|x| Pose::from_translation([x, 0.0, 0.0]));
    let cube = Placed::new(&cube, &Pose::IDENTITY)?;
    let [near, far] = [Placed::new(&ball, &near)?, Placed::new(&ball, &far)?];
    let Verdict::Collides(witness) = test(near, cube) else { return Err("they collide".into()) };
    let Verdict::Apart(plane @ Separation::Plane(_)) = test(far, cube) else {
        return Err("they are apart".into());
    };
    let solid = Semantics::Solid;
    assert!(witness.verify(near, cube, solid).is_ok() && plane.verify(far, cube, solid).is_ok());
    assert!(witness.verify(far, cube, solid).is_err() && plane.verify(near, cube, solid).is_err());
    let moved = Witness { point: [9.0; 3], ..witness };
    assert!(moved.verify(near, cube, solid).is_err());
    assert!(Separation::Pairwise.verify(near, cube, solid).is_err());
    assert!(Separation::Pairwise.verify(far, cube, solid).is_ok());
    let body =
        Witness { a: xcollide_narrow::Feature::Body, b: xcollide_narrow::Feature::Body, ..witness };
    assert!(body.verify(far, cube, solid).is_err());
    // What is no plane parts neither a mesh from a formula nor two formulas.
    let same = Placed::new(&ball, &Pose::IDENTITY)?;
    let up = [1.0, 0.0, 0.0];
    let [nan, infinite] = [f64::NAN, f64::INFINITY];
    let flawed = [([0.0; 3], 0.0), ([1.0, nan, 0.0], 2.0), (up, nan), ([1.0, infinite, 0.0], 2.0)];
    for a in [cube, same] {
        let plane = Separation::Plane(Plane { normal: up, offset: 2.0 });
        assert!(plane.verify(a, far, solid).is_ok());
        for (normal, offset) in flawed {
            let plane = Separation::Plane(Plane { normal, offset });
            assert!(plane.verify(a, far, solid).is_err(), "{plane:?}");
        }
    }
    Ok(())
}

/// Boxes contain what support mappings reach and are tight, at any turn.
#[test]
fn boxes_are_tight() -> Outcome {
    let mut poses = Poses::new(2);
    for formula in formulas(1.0) {
        let model = Model::from_formula(formula);
        for _ in 0..40 {
            let pose = poses.within(10.0).pose();
            let bounds = Placed::new(&model, &pose)?.world_box();
            let Some(shape) = model.formula().and_then(Formula::shape) else {
                assert!(bounds.max[0].is_infinite());
                continue;
            };
            let placed = xcollide_convex::shape::PlacedShape::new(shape, &pose)?;
            for axis in 0..3 {
                let direction = [0, 1, 2].map(|k| if k == axis { 1.0 } else { 0.0 });
                let (height, error) = placed.height(direction);
                assert!(bounds.max[axis] >= height + error);
                assert!(bounds.max[axis] <= height + 3.0 * error + 1e-12);
            }
        }
    }
    let ground = Model::from_formula(Formula::HalfSpace);
    let at = Pose::from_translation([0.0, 0.0, 5.0]);
    assert_eq!(Placed::new(&ground, &at)?.world_box().max[2], 5.0);
    Ok(())
}

#[test]
fn points_are_located_exactly() -> Outcome {
    let can = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 5.0)?));
    let at = Pose::from_translation([1.0, 0.0, 0.0]);
    let placed = Placed::new(&can, &at)?;
    assert_eq!(locate(placed, [4.0, 4.0, 0.5]), Location::OnSurface);
    assert_eq!(locate(placed, [4.0, 4.0_f64.next_up(), 0.5]), Location::Outside);
    assert_eq!(locate(placed, [4.0, 4.0_f64.next_down(), 0.5]), Location::Inside);
    assert!(contains_point((&can, &at), [4.0, 4.0, 1.0])?);
    Ok(())
}

#[test]
fn queries_about_meshes_refuse_formulas() -> Outcome {
    let ball = Model::from_formula(Formula::Ball(Ball::new(1.0)?));
    let cube = shape("box")?;
    let here = &Pose::IDENTITY;
    let no_mesh = QueryError::NoMesh { side: "second", formula: "ball" };
    assert_eq!(contacts((&cube, here), (&ball, here)).err(), Some(no_mesh));
    // The error names the queries that answer where the two meet.
    let message = no_mesh.to_string();
    assert!(message.contains("manifold") && message.contains("near_regions"), "{message}");
    let high = Pose::from_translation([0.0, 0.0, 1.875]);
    let (a, b) = (Placed::new(&cube, here)?, Placed::new(&ball, &high)?);
    let manifold = Manifold::of(a, b, None)?.ok_or("apart")?;
    assert_eq!((manifold.normal, manifold.points.len()), ([0.0, 0.0, -1.0], 1));
    assert_eq!(proximity::near_regions(a, b, 0.0).len(), 1);
    let (a, b) = (Placed::new(&cube, here)?, Placed::new(&ball, here)?);
    assert_eq!(Hybrid::penetration(a, b, &mut PairCache::new()).err(), Some(no_mesh));
    assert_eq!(distance((&cube, here), (&ball, here))?, 0.0);
    let (a, b) = (Placed::new(&cube, here)?, Placed::new(&ball, here)?);
    let refused = BruteForce.test(a, b, &Query::new(), &mut PairCache::new());
    assert_eq!(refused, Verdict::Undecided(Reason::NotAccepted));
    let listed = BruteForce.count_contacts(a, b, &Query::new(), &mut PairCache::new()).1;
    assert!(!listed.complete);
    let meshes = Formulas.test(a, a, &Query::new(), &mut PairCache::new());
    assert_eq!(meshes, Verdict::Undecided(Reason::NotAccepted));
    // The nearest points of a ball and a mesh are on both.
    let away = Pose::from_translation([5.0, 0.25, 0.0]);
    let found = formula::distance(a, Placed::new(&ball, &away)?, Semantics::Solid)?;
    let line = sub(found.points[1], found.points[0]);
    assert!((dot(line, line).sqrt() - found.at_most).abs() < 1e-12);
    Ok(())
}
