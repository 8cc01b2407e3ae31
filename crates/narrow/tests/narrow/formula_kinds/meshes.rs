//! Flat polytopes beside the same polygons as meshes, and bodies on a mesh that intersects itself.

use xcollide_brep::PolygonMesh;
use xcollide_convex::shape::Rounded;
use xcollide_fixtures::Random;

use super::*;

/// A lattice polygon, segment or point, as a polytope without a radius and as a mesh.
fn sheet(random: &mut Random) -> Result<[Model; 2], Box<dyn std::error::Error>> {
    let is_level = random.below(2) == 0;
    let mut vector = |reach: i64| {
        let [x, y, z] = [(); 3].map(|()| random.integer(-reach, reach) as f64);
        [x, y, if is_level { 0.0 } else { z }]
    };
    let (at, u, v) = (vector(2), vector(2), vector(2));
    let shifted = |p: [f64; 3], by: [f64; 3]| [0, 1, 2].map(|k| p[k] + by[k]);
    let normal = [(1, 2), (2, 0), (0, 1)].map(|(i, j)| u[i] * v[j] - u[j] * v[i]);
    let corners = match random.below(6) {
        _ if u == [0.0; 3] => vec![at],
        0 => vec![at],
        1 => vec![at, shifted(at, u)],
        _ if normal == [0.0; 3] => vec![at, shifted(at, u)],
        2 | 3 => vec![at, shifted(at, u), shifted(at, v)],
        _ => vec![at, shifted(at, u), shifted(shifted(at, u), v), shifted(at, v)],
    };
    let front: Vec<u32> = (0..corners.len() as u32).collect();
    let back = front.iter().rev().copied().collect();
    let facets = if corners.len() < 3 { vec![front.clone()] } else { vec![front.clone(), back] };
    let polytope = Polytope::new(corners.clone(), facets)?;
    let formula = Formula::Rounded(Rounded::new(Arc::new(polytope), 0.0)?);
    let mesh = PolygonMesh::from_polygons(corners, [front])?;
    Ok([Model::from_formula(formula), Model::from_mesh(mesh)?])
}

/// Polygons, segments and points without a radius have the kinds of the same meshes, also where a turn moves both.
#[test]
fn kinds_of_flat_polytopes_are_those_of_their_meshes() -> Outcome {
    let mut random = Random::new(28);
    let turned = [[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]];
    let poses = [Pose::IDENTITY, Pose::from_matrix(turned, [0.5, -3.0, 1.0])?];
    let mut counts = std::collections::BTreeMap::new();
    for number in 0..3000 {
        let ([one, of_one], [other, of_other]) = (sheet(&mut random)?, sheet(&mut random)?);
        let pose = &poses[number % 2];
        let placed = |model| Placed::new(model, pose);
        let expected = kind(placed(&of_one)?, placed(&of_other)?, Semantics::Solid);
        let found = of(placed(&one)?, placed(&other)?);
        assert_eq!(found, expected, "{number} {one:?} {other:?}");
        *counts.entry(found.map(Kind::name)).or_insert(0) += 1;
    }
    assert!(counts.len() == 6 && counts.values().all(|&count| count > 1), "{counts:?}");
    Ok(())
}

/// Against closed and open meshes the same. A matrix that differs from the identity by little moves the corners of a polytope to where f64 has
/// no numbers, and by a little more to where it has them: then all features lie to each other in the same way.
#[test]
fn kinds_of_flat_polytopes_and_meshes_are_those_of_two_meshes() -> Outcome {
    let mut random = Random::new(29);
    let turned = [[0.0, -1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]];
    let exact = [Pose::IDENTITY, Pose::from_matrix(turned, [0.5, -3.0, 1.0])?];
    let bodies = [shape("box?x=4&y=2&z=2")?, shape("torus?faces=60")?];
    let mut counts = std::collections::BTreeMap::new();
    for number in 0..3000 {
        let [polytope, of_polytope] = sheet(&mut random)?;
        let [_, surface] = sheet(&mut random)?;
        let other = [&bodies[0], &bodies[1], &surface][number % 3];
        let pose = &exact[number / 3 % 2];
        let expected = of(Placed::new(&of_polytope, pose)?, Placed::new(other, pose)?);
        let found = of(Placed::new(&polytope, pose)?, Placed::new(other, pose)?);
        assert_eq!(found, expected, "{number} {polytope:?} {other:?}");
        *counts.entry((number % 3 == 2, found.map(Kind::name))).or_insert(0) += 1;
        let signs: Vec<f64> = (0..6).map(|_| random.integer(-1, 1) as f64).collect();
        let leaning = |by: f64| {
            let [a, b, c, d, e, f] = [0, 1, 2, 3, 4, 5].map(|k| by * signs[k]);
            Pose::from_matrix([[1.0, a, b], [c, 1.0, d], [e, f, 1.0]], [1.0, 0.0, -1.0])
        };
        let still = Placed::new(other, &Pose::IDENTITY)?;
        let expected = of(Placed::new(&of_polytope, &leaning(2.0_f64.powi(-22))?)?, still);
        let hidden = leaning(2.0_f64.powi(-60))?;
        let found = of(Placed::new(&polytope, &hidden)?, still);
        assert_eq!(found, expected, "{number} {polytope:?} {hidden:?} {other:?}");
        let placed = Placed::new(&polytope, &hidden)?;
        match narrow::check(placed, still)? {
            Verdict::Collides(witness) => {
                assert!(found != Some(Kind::Apart), "{number} {polytope:?} {hidden:?} {other:?}");
                witness.verify(placed, still, Semantics::Solid)?;
            }
            Verdict::Apart(proof) => {
                assert_eq!(found, Some(Kind::Apart), "{number} {polytope:?} {hidden:?} {other:?}");
                proof.verify(placed, still, Semantics::Solid)?;
            }
            Verdict::Undecided(reason) => return Err(format!("{reason:?}").into()),
        }
        *counts.entry((number % 3 == 2, found.map(Kind::name))).or_insert(0) += 1;
    }
    assert!(counts.len() >= 9 && !counts.contains_key(&(true, None)), "{counts:?}");
    Ok(())
}

/// Bodies that stand on a slab, and sink into its top by less than rounding. A post goes through the slab, and is one mesh with it, so that
/// this intersects itself: in the post, the top of the slab is inside.
#[test]
fn bodies_on_a_mesh_that_intersects_itself_always_have_a_kind() -> Outcome {
    let block = |low: [f64; 3], high: [f64; 3]| {
        (0..8).map(move |i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { low[k] } else { high[k] }))
    };
    let corners = block([-4.0, -4.0, -1.0], [4.0, 4.0, 0.0]);
    let corners = corners.chain(block([-1.0, -1.0, -2.0], [1.0, 1.0, 2.0])).collect();
    let faces = BOX_FACES.iter().chain(&BOX_FACES).enumerate();
    let faces = faces.map(|(number, face)| face.map(|corner| corner + 8 * (number as u32 / 6)));
    let mesh = Model::from_mesh(PolygonMesh::from_polygons(corners, faces.collect::<Vec<_>>())?)?;
    let cube = Arc::new(Polytope::new(block([-0.25; 3], [0.25; 3]).collect(), BOX_FACES)?);
    let upright = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let overturned = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]];
    // How far it is from the origin of a body to its bottom.
    let bodies = [
        (Formula::Ball(Ball::new(0.5)?), 0.5, upright),
        (Formula::Capsule(Capsule::new(0.25, 0.25)?), 0.5, upright),
        (Formula::Cylinder(Cylinder::new(0.5, 0.25)?), 0.5, upright),
        (Formula::Cone(Cone::new(0.5, 0.25)?), 0.5, upright),
        (Formula::Cone(Cone::new(0.5, 0.25)?), 0.5, overturned),
        (Formula::Ellipsoid(Ellipsoid::new([0.25, 0.375, 0.5])?), 0.5, upright),
        (Formula::rounded(cube.clone(), 0.125)?, 0.375, upright),
        (Formula::Rounded(Rounded::new(cube, 0.0)?), 0.25, upright),
    ];
    let mut random = Random::new(30);
    let mesh = Placed::new(&mesh, &Pose::IDENTITY)?;
    let mut counts = [0; 2];
    for number in 0..160 {
        let (formula, bottom, matrix) = &bodies[number % bodies.len()];
        let [x, y] = [(); 2].map(|()| random.integer(-96, 96) as f64 / 32.0);
        let reach = 0.51;
        let is_inside = x.abs().max(y.abs()) < 1.0 - reach;
        if !is_inside && x.abs().max(y.abs()) < 1.0 + reach {
            continue;
        }
        let body = Model::from_formula(formula.clone());
        let pose = Pose::from_matrix(*matrix, [x, y, f64::next_down(*bottom)])?;
        let body = Placed::new(&body, &pose)?;
        let expected = if is_inside { Kind::Enclosed } else { Kind::Overlapping };
        assert_eq!(of(body, mesh), Some(expected), "{body:?}");
        let Verdict::Collides(witness) = narrow::check(body, mesh)? else {
            return Err(format!("{body:?}").into());
        };
        witness.verify(body, mesh, Semantics::Solid)?;
        counts[usize::from(is_inside)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 2), "{counts:?}");
    Ok(())
}
