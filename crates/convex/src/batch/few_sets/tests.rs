use xcollide_fixtures::Random;
use xcollide_simd::{Simd, SimdFloat, SimdKernel, SimdLevel, dispatch_at};

use super::*;

/// The points of one set, each with a number that is left out.
type Set = [[f32; 4]; EIGHT];

/// The farthest points of sets after a quarter turn about z and a shift, which are exact.
#[derive(Clone, Copy)]
struct Farthest<'a>(&'a [Set; EIGHT], &'a [[f32; EIGHT]; 3]);

const SHIFT: [f32; 3] = [0.5, -0.25, 3.0];

impl SimdKernel for Farthest<'_> {
    type Output = ([u32; EIGHT], [[f64; EIGHT]; 3]);

    #[inline(always)]
    fn run<S: Simd>(self) -> Self::Output {
        let splat = S::F32x8::splat;
        let [zero, one] = [splat(0.0), splat(1.0)];
        let turn = [[zero, splat(-1.0), zero], [one, zero, zero], [zero, zero, one]];
        let sets = FewSets::of(self.0.each_ref(), turn, SHIFT.map(splat));
        let along = [0, 1, 2].map(|axis| S::F32x8::load(&self.1[axis]));
        let (numbers, points) = sets.farthest(along, 0xFF);
        (numbers, points.map(FloatX8::to_f64))
    }
}

/// Small integers, so that many points are equally far.
#[test]
fn each_lane_finds_the_first_of_its_farthest_points() {
    let mut random = Random::new(3);
    for _ in 0..500 {
        let mut number = || (random.below(5) as f32) - 2.0;
        let sets: [Set; EIGHT] =
            [(); EIGHT].map(|()| [(); EIGHT].map(|()| [(); 4].map(|()| number())));
        let directions = [(); 3].map(|()| [(); EIGHT].map(|()| number()));
        for level in SimdLevel::ALL {
            let Some((numbers, points)) = dispatch_at(level, Farthest(&sets, &directions)) else {
                continue;
            };
            for (lane, set) in sets.iter().enumerate() {
                let moved = |i: usize| {
                    let [x, y, z, _] = set[i];
                    [SHIFT[0] - y, SHIFT[1] + x, SHIFT[2] + z]
                };
                let height = |i: usize| {
                    let [x, y, z] = moved(i);
                    directions[0][lane] * x + directions[1][lane] * y + directions[2][lane] * z
                };
                let best = (0..EIGHT).map(height).fold(f32::NEG_INFINITY, f32::max);
                let first = (0..EIGHT).position(|i| height(i) == best).unwrap();
                assert_eq!(numbers[lane] as usize, first, "{level:?}");
                assert_eq!(points.map(|axis| axis[lane]), moved(first).map(f64::from));
            }
        }
    }
}
