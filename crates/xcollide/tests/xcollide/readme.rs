//! What the README of the project says of proofs and of the functions for single queries.

use xcollide::narrow::convex::Hybrid;
use xcollide::narrow::mesh::Wide;
use xcollide::narrow::{Semantics, Separation};
use xcollide::prelude::*;
use xcollide::{
    Kind, check, closest_points, contacts, contains_point, distance, intersects, intersects_many,
    kind, overlap_volume, penetration, ray_cast, signed_distance,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn model(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

/// Two cubes of side 2 that have a slab of a quarter in common, and the same apart.
#[test]
fn the_functions_answer_their_questions() -> Outcome {
    let cube = model("shape:box?x=2&y=2&z=2")?;
    let [here, there] = [0.0, 1.75].map(|x| Pose::from_translation([x, 0.0, 0.0]));
    let far = Pose::from_translation([5.0, 0.0, 0.0]);
    let (a, b, c) = ((&cube, &here), (&cube, &there), (&cube, &far));
    assert!(intersects(a, b)? && !intersects(a, c)?);
    assert_eq!(intersects_many(&cube, &[there, far], a)?, [true, false]);
    assert!(check(a, b)?.is_collision() && check(a, c)?.is_apart());
    assert!(!contacts(a, b)?.is_empty() && contacts(a, c)?.is_empty());
    assert_eq!((distance(a, b)?, distance(a, c)?), (0.0, 3.0));
    assert_eq!(closest_points(a, c)?.value, 3.0);
    let depth = penetration(a, b)?.ok_or("they collide")?;
    assert!(depth.at_least <= 0.25 && 0.25 <= depth.at_most && depth.at_most < 0.2501);
    assert!(penetration(a, c)?.is_none());
    let volume = overlap_volume(a, b)?;
    assert!(volume.at_least <= 1.0 && 1.0 <= volume.at_most);
    assert_eq!(
        [kind(a, b)?, kind(a, c)?, kind(a, a)?],
        [Kind::Overlapping, Kind::Apart, Kind::Equal]
    );
    assert!(contains_point(a, [1.0, 0.5, 0.5])? && !contains_point(a, [1.5, 0.0, 0.0])?);
    assert_eq!(signed_distance(a, [0.75, 0.0, 0.0])?.distance, -0.25);
    let hit = ray_cast(c, [0.0; 3], [1.0, 0.0, 0.0], f64::INFINITY)?.ok_or("missed")?;
    assert_eq!((hit.point, hit.parameter), ([4.0, 0.0, 0.0], 4.0));
    Ok(())
}

/// A link of two rings: hulls and boxes overlap, so no plane parts them. A query that asks for no proof keeps none that is
/// short; one that asks, and `check`, has a front. All can be verified, as can a hit.
#[test]
fn proofs_are_there_where_they_are_asked_for() -> Outcome {
    let ring = model("shape:torus?faces=2000&radius=0.7&tube=0.25")?;
    let across = [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]];
    let linked = Pose::from_matrix(across, [0.7, 0.0, 0.0])?;
    let a = Placed::new(&ring, &Pose::IDENTITY)?;
    let b = Placed::new(&ring, &linked)?;
    let ask = |query: &Query| Wide::new().test(a, b, query, &mut PairCache::new());
    let Verdict::Apart(free) = ask(&Query::new()) else { return Err("they are apart".into()) };
    assert_eq!(free, Separation::Pairwise);
    let asked =
        [ask(&Query::new().certify(true)), check((&ring, &Pose::IDENTITY), (&ring, &linked))?];
    for verdict in asked {
        let Verdict::Apart(proof) = verdict else { return Err("they are apart".into()) };
        assert!(matches!(proof, Separation::Front(_)), "{proof:?}");
        proof.verify(a, b, Semantics::Solid)?;
    }
    free.verify(a, b, Semantics::Solid)?;
    let crossed = Pose::from_matrix(across, [0.3, 0.0, 0.0])?;
    let c = Placed::new(&ring, &crossed)?;
    match Wide::new().test(a, c, &Query::new(), &mut PairCache::new()) {
        Verdict::Collides(witness) => witness.verify(a, c, Semantics::Solid)?,
        other => return Err(format!("they cross, found {other:?}").into()),
    }
    Ok(())
}

/// Algorithms that work with planes keep the plane without being asked, also where the boxes overlap.
#[test]
fn convex_algorithms_keep_their_plane() -> Outcome {
    let ball = model("shape:sphere?faces=500")?;
    let there = Pose::from_translation([1.3, 1.3, 1.3]);
    let (a, b) = (Placed::new(&ball, &Pose::IDENTITY)?, Placed::new(&ball, &there)?);
    assert!(a.world_box().overlaps(&b.world_box()));
    match Hybrid::default().test(a, b, &Query::new(), &mut PairCache::new()) {
        Verdict::Apart(proof @ Separation::Plane(_)) => proof.verify(a, b, Semantics::Solid)?,
        other => return Err(format!("a plane parts them, found {other:?}").into()),
    }
    Ok(())
}

/// Where the boxes are apart there is a plane without being asked, also by an algorithm that works without planes.
#[test]
fn boxes_that_are_apart_leave_a_plane() -> Outcome {
    let ring = model("shape:torus?faces=500")?;
    let there = Pose::from_translation([3.5, 0.0, 0.0]);
    let (a, b) = (Placed::new(&ring, &Pose::IDENTITY)?, Placed::new(&ring, &there)?);
    assert!(!a.world_box().overlaps(&b.world_box()));
    match Wide::new().test(a, b, &Query::new(), &mut PairCache::new()) {
        Verdict::Apart(proof @ Separation::Plane(_)) => proof.verify(a, b, Semantics::Solid)?,
        other => return Err(format!("a plane parts them, found {other:?}").into()),
    }
    Ok(())
}
