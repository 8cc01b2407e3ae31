use xcollide_fixtures::Random;

use super::*;
use crate::tests::hulls::{hull_of, hull_of_mesh};

/// Half the distance of the tangent planes across a direction, times the length of that.
fn half_width(ellipsoid: &Ellipsoid, direction: [f64; 3]) -> f64 {
    dot(direction, product(&ellipsoid.shape, direction)).sqrt()
}

/// A convex set holds another if and only if it reaches as far in every direction: so do the polytope and its two
/// ellipsoids, along the normals of faces, where they are closest, and along other directions.
#[test]
fn one_ellipsoid_holds_the_polytope_which_holds_the_other() {
    let mut random = Random::new(61);
    let (mut filled, mut bodies) = (0, 0);
    for spec in [
        "shape:box",
        "shape:icosahedron",
        "shape:cylinder?faces=40",
        "shape:cone",
        "shape:sphere?faces=500",
        "shape:polytope?seed=3&vertices=8",
        "shape:polytope?seed=3&vertices=90&kind=plate",
        "shape:polytope?seed=3&vertices=700&kind=rod",
        "shape:polytope?seed=3&vertices=5000",
    ] {
        let polytope = hull_of_mesh(&xcollide_scenes::shape(spec).unwrap());
        let ellipsoid = polytope.ellipsoid().unwrap();
        bodies += 1;
        filled += usize::from(ellipsoid.inner > 0.2);
        let normals = polytope.gauss_map().faces().iter().map(|face| face.normal);
        let others = (0..200).map(|_| [(); 3].map(|()| random.signed()));
        for direction in normals.take(2000).chain(others) {
            let heights =
                polytope.positions().iter().map(|&p| dot(direction, sub(p, ellipsoid.center)));
            let reach = heights.fold(f64::NEG_INFINITY, f64::max);
            let outer = half_width(ellipsoid, direction);
            let rounding = 1e-12 * polytope.reach() * length_squared(direction).sqrt();
            assert!(reach <= outer + rounding, "{spec}: {reach} beyond {outer}");
            assert!(ellipsoid.inner * outer <= reach + rounding, "{spec}: {outer}, {reach}");
        }
    }
    assert!(filled >= bodies, "{filled} of {bodies} bodies are filled");
}

/// The smallest ellipsoid of a box is known: its half axes are √3 times those of the box.
#[test]
fn the_ellipsoid_of_a_box_is_the_smallest() {
    for half in [[1.0, 1.0, 1.0], [1.0, 2.0, 0.5], [0.1, 3.0, 3.0]] {
        let corners: Vec<[f64; 3]> = (0..8_u8)
            .map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 1 { half[k] } else { -half[k] }))
            .collect();
        let polytope = hull_of(&corners);
        let ellipsoid = polytope.ellipsoid().unwrap();
        for (k, half) in half.into_iter().enumerate() {
            let mut axis = [0.0; 3];
            axis[k] = 1.0;
            let ratio = half_width(ellipsoid, axis) / half;
            assert!((ratio - 3.0_f64.sqrt()).abs() < 2e-3, "{ratio} along axis {k}");
        }
    }
}
