//! What is listed of contacts: every algorithm lists what brute force lists, whatever it is asked
//! for, and every contact can be checked.

#![allow(clippy::unwrap_used)]

use crate::support;

use std::ops::ControlFlow;
use std::time::Duration;

use support::{Random, cuboid, exact_algorithms, joined, model, random_pose, shape};
use xcollide_brep::{FaceId, Topology};
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::mesh::{BruteForce, Wide};
use xcollide_narrow::{
    Contact, Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, ProofError,
    Query, Semantics, Verdict,
};

/// An algorithm of a third party that knows no more than how to test.
struct TestOnly;

impl NarrowPhase for TestOnly {
    fn name(&self) -> &'static str {
        "test-only"
    }
    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }
    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }
    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }
    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        Arbitrary::default().test(a, b, query, cache)
    }
}

fn overlaps(algorithm: &dyn NarrowPhase, a: Placed<'_>, b: Placed<'_>) -> Vec<Contact> {
    let mut contacts = Vec::new();
    let cache = &mut PairCache::new();
    let listing = algorithm.contact_overlaps(a, b, &Query::new(), usize::MAX, cache, &mut contacts);
    assert!(listing.complete, "{}", algorithm.name());
    contacts
}

/// Asks every algorithm in every way; returns how many contacts are points, segments, polygons.
fn all_alike(algorithms: &[Box<dyn NarrowPhase>], a: Placed<'_>, b: Placed<'_>) -> [usize; 3] {
    let expected = overlaps(&BruteForce, a, b);
    let mut kinds = [0; 3];
    for contact in &expected {
        contact.verify(a, b).unwrap();
        let [start, end] = contact.segment();
        let count = contact.overlap.corners().len();
        assert!(count > 1 || start == end);
        kinds[count.min(3) - 1] += 1;
    }
    let mut pairs: Vec<_> =
        expected.iter().map(|contact| (contact.faces[0], contact.faces[1])).collect();
    assert!(pairs.is_sorted());
    pairs.dedup();
    let query = Query::new();
    for algorithm in algorithms {
        let name = algorithm.name();
        let mut cache = PairCache::new();
        let mut found = vec![(FaceId(7), FaceId(7))];
        let verdict = algorithm.contacts(a, b, &query, usize::MAX, &mut cache, &mut found);
        assert_eq!(found, pairs, "{name}");
        assert_eq!(overlaps(&**algorithm, a, b), expected, "{name}");
        let (count, listing) = algorithm.count_contacts(a, b, &query, &mut cache);
        assert_eq!((count, listing.complete), (pairs.len(), true), "{name}");
        assert_eq!(listing.verdict.decided(), verdict.decided(), "{name}");
        for limit in [0, 1, 3] {
            let mut some = Vec::new();
            let _ = algorithm.contacts(a, b, &query, limit, &mut cache, &mut some);
            assert_eq!(some.len(), limit.min(pairs.len()), "{name}");
            assert!(some.iter().all(|pair| pairs.contains(pair)), "{name}");
            let mut few = Vec::new();
            let listing = algorithm.contact_overlaps(a, b, &query, limit, &mut cache, &mut few);
            assert!(listing.complete || limit <= pairs.len(), "{name}");
            let of_some = |c: &&Contact| some.contains(&(c.faces[0], c.faces[1]));
            let all_of_some: Vec<_> = expected.iter().filter(of_some).copied().collect();
            assert_eq!(few, all_of_some, "{name}: what is listed of a pair is all of it");
        }
    }
    kinds
}

#[test]
fn contacts_are_those_of_brute_force_however_they_are_asked_for() {
    let mut algorithms = exact_algorithms();
    algorithms.push(Box::new(TestOnly));
    let shapes = [
        shape("shape:box"),
        shape("shape:sphere?faces=60"),
        shape("shape:cylinder?faces=20"),
        shape("shape:tetraflake?depth=2"),
        shape("shape:cubes?n=2"),
    ];
    let mut random = Random::new(11);
    let mut kinds = [0; 3];
    for (number, first) in shapes.iter().enumerate() {
        for second in &shapes[number..] {
            for round in 0..4 {
                // Upside down and along the axes, where faces lie on each other; and anyhow.
                let pose = match round {
                    0 => Pose::IDENTITY,
                    1 => Pose::from_translation([0.5, 0.5, 0.25]),
                    2 => Pose::from_translation([0.0, 0.0, 2.0]),
                    _ => random_pose(&mut random, 0.7),
                };
                let (a, b) = (
                    Placed::new(first, &Pose::IDENTITY).unwrap(),
                    Placed::new(second, &pose).unwrap(),
                );
                let found = all_alike(&algorithms, a, b);
                (0..3).for_each(|kind| kinds[kind] += found[kind]);
            }
        }
    }
    assert!(kinds.iter().all(|&count| count > 100), "{kinds:?}");
}

/// Two bars across each other: four cuts of two unit squares each, known to the last bit.
#[test]
fn crossing_bars_are_cut_where_they_should_be() {
    let bar = model(
        vec![[-4.0, -1.0, 0.0], [4.0, -1.0, 0.0], [4.0, 1.0, 0.0], [-4.0, 1.0, 0.0]],
        &[vec![0, 1, 2, 3]],
    );
    let wall = model(
        vec![[1.0, -2.0, -1.0], [1.0, 2.0, -1.0], [1.0, 2.0, 1.0], [1.0, -2.0, 1.0]],
        &[vec![0, 1, 2, 3]],
    );
    let [a, b] = [&bar, &wall].map(|m| Placed::new(m, &Pose::IDENTITY).unwrap());
    let cuts = overlaps(&Wide::new(), a, b);
    // Pieces between diagonals that together are the segment from y = -1 to y = 1.
    let mut pieces: Vec<[f64; 2]> = Vec::new();
    for cut in &cuts {
        let [start, end] = cut.segment();
        assert_eq!([start[0], start[2], end[0], end[2]], [1.0, 0.0, 1.0, 0.0]);
        pieces.push([start[1].min(end[1]), start[1].max(end[1])]);
    }
    pieces.sort_by(|s, t| s[0].total_cmp(&t[0]).then(s[1].total_cmp(&t[1])));
    pieces.retain(|piece| piece[0] < piece[1]);
    assert_eq!((pieces[0][0], pieces[pieces.len() - 1][1]), (-1.0, 1.0));
    assert!(pieces.windows(2).all(|pair| pair[0][1] == pair[1][0]), "no gap: {pieces:?}");
}

#[test]
fn forged_contacts_are_refused() {
    let cube = Model::from_mesh(cuboid([0.0; 3], [1.0; 3])).unwrap();
    let a = Placed::new(&cube, &Pose::IDENTITY).unwrap();
    let pose_b = Pose::from_translation([0.5, 0.25, 0.125]);
    let b = Placed::new(&cube, &pose_b).unwrap();
    let contacts = overlaps(&Wide::new(), a, b);
    let is_segment = |c: &&Contact| c.overlap.corners().len() == 2;
    let segment = *contacts.iter().find(is_segment).unwrap();
    segment.verify(a, b).unwrap();
    let pose_far = Pose::from_translation([0.6, 0.35, 0.225]);
    let far = Placed::new(&cube, &pose_far).unwrap();
    assert!(segment.verify(a, far).is_err(), "it is somewhere else at another pose");
    let other_face = Contact { faces: [FaceId(99), segment.faces[1]], ..segment };
    assert!(matches!(other_face.verify(a, b), Err(ProofError::UnknownElement { .. })));
    let other_triangle = Contact { triangles: [usize::MAX, segment.triangles[1]], ..segment };
    assert!(matches!(other_triangle.verify(a, b), Err(ProofError::UnknownElement { .. })));
    // A contact that is only a corner of the claim: points of others, which leave something out.
    let refused = contacts.iter().filter(|other| {
        let forged = Contact { overlap: other.overlap, ..segment };
        other.overlap != segment.overlap && forged.verify(a, b).is_err()
    });
    let different = contacts.iter().filter(|other| other.overlap != segment.overlap);
    assert_eq!(refused.count(), different.count());
}

/// With a zero budget nothing is complete; and whoever breaks off knows that it is not.
#[test]
fn what_is_incomplete_says_so() {
    let sphere = shape("shape:sphere?faces=200");
    let a = Placed::new(&sphere, &Pose::IDENTITY).unwrap();
    let pose_b = Pose::from_translation([0.5, 0.0, 0.0]);
    let b = Placed::new(&sphere, &pose_b).unwrap();
    let pose_far = Pose::from_translation([9.0, 0.0, 0.0]);
    let far = Placed::new(&sphere, &pose_far).unwrap();
    for algorithm in exact_algorithms() {
        let hasty = Query::new().budget(Duration::ZERO);
        let (count, listing) = algorithm.count_contacts(a, b, &hasty, &mut PairCache::new());
        assert_eq!((count, listing.complete), (0, false), "{}", algorithm.name());
        assert_eq!(listing.verdict.decided(), None, "{}", algorithm.name());
        let cache = &mut PairCache::new();
        let mut shown = 0;
        let listing = algorithm.each_contact(a, b, &Query::new(), cache, &mut |_, _| {
            shown += 1;
            ControlFlow::Break(())
        });
        assert!(shown == 1 && !listing.complete && listing.verdict.is_collision());
        let (count, listing) = algorithm.count_contacts(a, far, &Query::new(), cache);
        assert!(count == 0 && listing.complete && listing.verdict.is_apart());
    }
}

/// A body in a body: a collision without a contact.
#[test]
fn nested_bodies_have_no_contacts() {
    let (outer, inner) = (cuboid([-4.0; 3], [4.0; 3]), cuboid([-1.0; 3], [1.0; 3]));
    let far = cuboid([7.0; 3], [9.0; 3]);
    let [outer, inner] = [outer, joined(&[far, inner])].map(|mesh| Model::from_mesh(mesh).unwrap());
    let [a, b] = [&outer, &inner].map(|m| Placed::new(m, &Pose::IDENTITY).unwrap());
    for algorithm in exact_algorithms() {
        let (count, listing) = algorithm.count_contacts(a, b, &Query::new(), &mut PairCache::new());
        assert!(count == 0 && listing.complete && listing.verdict.is_collision());
        let surface = Query::new().semantics(Semantics::Surface);
        let (count, listing) = algorithm.count_contacts(a, b, &surface, &mut PairCache::new());
        assert!(count == 0 && listing.complete && listing.verdict.is_apart());
    }
}
