use xcollide_simd::{SimdLevel, dispatch_at};

use super::*;
use xcollide_fixtures::Random;

/// One point after the other.
fn slow(points: &[[f64; 3]], d: [f64; 3]) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (index, p) in points.iter().enumerate() {
        let height = (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2];
        if height > best.1 {
            best = (index, height);
        }
    }
    best.0
}

#[test]
fn the_first_of_the_farthest_is_found_by_every_kernel() {
    let mut random = Random::new(7);
    let mut ties = 0;
    for count in 1..70 {
        let coarse = count % 3 == 0;
        let points: Vec<[f64; 3]> = (0..count)
            .map(|_| {
                [(); 3].map(|()| {
                    let x = random.signed();
                    if coarse { (2.0 * x).round() } else { x }
                })
            })
            .collect();
        let set = PointSet::new(&points);
        for round in 0..50 {
            let d = random.point(1.0);
            let d = if round % 2 == 0 { d } else { d.map(|x| (3.0 * x).round()) };
            let expected = slow(&points, d);
            assert_eq!(set.farthest(d), expected, "{points:?} {d:?}");
            for level in SimdLevel::ALL {
                let kernel = Farthest { blocks: &set.blocks, direction: d };
                if let Some(found) = dispatch_at(level, kernel) {
                    assert_eq!(found, expected, "{level:?}: {points:?} {d:?}");
                }
            }
            let height = |p: &[f64; 3]| (d[0] * p[0] + d[1] * p[1]) + d[2] * p[2];
            let top = height(&points[expected]);
            ties += usize::from(points.iter().filter(|p| height(p) == top).count() > 1);
        }
    }
    assert!(ties > 200, "{ties} ties");
}

#[test]
fn empty_sets_and_nan_have_an_answer() {
    assert_eq!(PointSet::default().farthest([1.0, 0.0, 0.0]), 0);
    let points = PointSet::new(&[[0.0; 3], [f64::NAN, 0.0, 0.0], [2.0, 0.0, 0.0]]);
    assert_eq!(points.farthest([1.0, 0.0, 0.0]), 2);
    assert_eq!(points.farthest([f64::NAN, 0.0, 0.0]), 0);
    let kernel = Farthest { blocks: &points.blocks, direction: [f64::NAN, 0.0, 0.0] };
    assert_eq!(dispatch_at(SimdLevel::Portable, kernel), Some(0));
}
