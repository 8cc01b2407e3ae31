use xcollide_fixtures::Random;
use xcollide_math::Pose;
use xcollide_simd::{SimdKernel, SimdLevel, dispatch_at};

use super::*;
use crate::polytope::Polytope;
use crate::tests::hulls::point_cloud;

/// A quarter turn about z, which is exact.
fn quarter_turn() -> Pose {
    let rotation = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    Pose::from_matrix(rotation, [0.5, -0.25, 3.0]).unwrap()
}

/// The farthest point of each body along a direction, and whether the points were side by side.
#[derive(Clone, Copy)]
struct Farthest<'a>([&'a Body<'a>; EIGHT], [&'a [f64; 3]; EIGHT]);

impl SimdKernel for Farthest<'_> {
    type Output = (bool, [u32; EIGHT], [[f64; 3]; EIGHT]);

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let motions = Motions::<S::F64x8>::of(self.0.map(Body::pose));
        let sets = MovedSets::<S>::of(&self.0, &motions);
        let (numbers, points) = sets.farthest(S::F64x8::from_vectors(self.1), 0xFF);
        let mut lanes = [[0.0; EIGHT]; 3];
        store(points, &mut lanes);
        let point = |lane: usize| lanes.map(|axis| axis[lane]);
        (sets.few.is_some(), numbers, std::array::from_fn(point))
    }
}

fn check(sets: &[Polytope; EIGHT], directions: &[[f64; 3]; EIGHT], are_few: bool) {
    let pose = quarter_turn();
    let bodies = sets.each_ref().map(|set| Body::new(set, &pose));
    let kernel = Farthest(bodies.each_ref(), directions.each_ref());
    for found in SimdLevel::ALL.into_iter().filter_map(|level| dispatch_at(level, kernel)) {
        let (found_few, numbers, points) = found;
        assert_eq!(found_few, are_few);
        for (lane, set) in sets.iter().enumerate() {
            let [x, y, z] = directions[lane];
            let expected = set.points.farthest([y, -x, z]);
            assert_eq!(numbers[lane] as usize, expected, "{:?}", directions[lane]);
            assert_eq!(points[lane], set.positions[expected]);
        }
    }
}

/// Small integers, so that many points are equally far, beside sets of other sizes.
#[test]
fn points_side_by_side_are_searched_as_alone() {
    let mut random = Random::new(3);
    for round in 0..2000 {
        let most = if round % 4 == 0 { 12 } else { EIGHT };
        let large = if round % 7 == 0 { 1e200 } else { 1.0 };
        let sets: [Polytope; EIGHT] = std::array::from_fn(|_| {
            let count = 1 + random.below(most);
            let point = |_| [(); 3].map(|()| large * (random.below(5)) as f64 - 2.0);
            point_cloud(&(0..count).map(point).collect::<Vec<_>>(), &[])
        });
        let directions = std::array::from_fn(|_| [(); 3].map(|()| (random.below(5)) as f64 - 2.0));
        let are_tame =
            sets.iter().all(|set| set.positions.as_flattened().iter().all(|c| c.abs() < 1e150));
        let are_few = sets.iter().all(|set| set.positions.len() <= EIGHT);
        check(&sets, &directions, are_few && are_tame);
    }
}

/// Heights that are no numbers are compared as in a single search.
#[test]
fn infinite_directions_are_searched_as_alone() {
    let corner = |i: usize| [0, 1, 2].map(|axis| ((i >> axis) & 1) as f64);
    let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let sets = std::array::from_fn(|_| point_cloud(&corners, &[]));
    let mut directions = [[1.0, 2.0, 3.0]; EIGHT];
    directions[2] = [f64::NAN, 1.0, 1.0];
    directions[5] = [f64::INFINITY, f64::NEG_INFINITY, 1.0];
    directions[7] = [1e308, 1e308, 1e308];
    check(&sets, &directions, true);
}
