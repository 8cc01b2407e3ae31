//! Binary trees of every volume, test and rule: all find what brute force finds, and their tests
//! tell as much more as they should.

#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use support::{Random, agreed_among, random_pose, shape};
use xcollide_narrow::classic::volume_choices;
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{PairCache, Placed, Pose, Query, Semantics};

#[test]
fn all_choices_agree_with_brute_force() {
    let mut algorithms = volume_choices();
    let names: BTreeSet<&str> = algorithms.iter().map(|algorithm| algorithm.name()).collect();
    assert_eq!(names.len(), algorithms.len(), "each has a name of its own");
    algorithms.push(Box::new(BruteForce));
    let models = ["torus?faces=60", "soup?faces=40", "mobius?faces=30", "cubes?n=2"].map(shape);
    let mut random = Random(31);
    let mut answers = [0; 2];
    for a in &models {
        for b in &models {
            for reach in [0.3, 1.0, 1.6] {
                let poses = [random_pose(&mut random, 0.3), random_pose(&mut random, reach)];
                let [a, b] = [Placed::new(a, &poses[0]), Placed::new(b, &poses[1])];
                let (hit, _) =
                    agreed_among(&algorithms, a.unwrap(), b.unwrap(), Semantics::Surface);
                answers[usize::from(hit)] += 1;
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 5), "{answers:?}: one-sided");
}

/// More lines, and more planes, let fewer pairs of triangles through.
#[test]
fn better_tests_leave_fewer_pairs_of_triangles() {
    let model = shape("sphere?faces=500");
    let radius = 0.5 * model.local_box().size()[0];
    let apart = Pose::translation(1.3 * radius, 1.2 * radius, 1.0 * radius);
    let turned = nalgebra::UnitQuaternion::from_euler_angles(0.4, -0.7, 1.1);
    let a = Placed::new(&model, &Pose::identity()).unwrap();
    let b = Placed::new(&model, &(apart * turned)).unwrap();
    let query = Query::new().semantics(Semantics::Surface).stats(true);
    let left = |name: &str| {
        let all = volume_choices();
        let algorithm = all.iter().find(|one| one.name() == name).unwrap();
        let mut cache = PairCache::new();
        assert!(algorithm.test(a, b, &query, &mut cache).is_apart());
        let stats = cache.stats();
        (stats.volume_tests, stats.primitive_tests)
    };
    for row in [
        &["aabb-tree", "aabb-tree-6", "aabb-tree-15"][..],
        &["kdop-tree-6", "kdop-tree-14", "kdop-tree-26"],
        &["kdop-tree-6", "kdop-tree", "kdop-tree-26"],
    ] {
        let counted: Vec<_> = row.iter().map(|name| left(name)).collect();
        assert!(counted.windows(2).all(|two| two[1].0 < two[0].0), "{row:?}: {counted:?}");
        assert!(counted.windows(2).all(|two| two[1].1 <= two[0].1), "{row:?}: {counted:?}");
    }
}
