//! Boxes along rays: those of rational arithmetic.

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_bvh::{BoxRay, BuildError, RayBoxes};
use xcollide_fixtures::Random;

/// Where a ray of integers is in a box of integers: the first parameter as a fraction with a positive divisor.
fn entry(
    origin: [i64; 3],
    direction: [i64; 3],
    reach: i64,
    low: [i64; 3],
    high: [i64; 3],
) -> Option<[i64; 2]> {
    let is_less = |[a, b]: [i64; 2], [c, d]: [i64; 2]| a * d < c * b;
    let (mut from, mut to) = ([0, 1], [reach, 1]);
    for axis in 0..3 {
        let d = direction[axis];
        let (near, far) = (low[axis] - origin[axis], high[axis] - origin[axis]);
        if d == 0 {
            if near > 0 || far < 0 {
                return None;
            }
            continue;
        }
        let [near, far] = if d > 0 { [[near, d], [far, d]] } else { [[-far, -d], [-near, -d]] };
        if is_less(from, near) {
            from = near;
        }
        if is_less(far, to) {
            to = far;
        }
    }
    (!is_less(to, from)).then_some(from)
}

fn float(v: [i64; 3]) -> [f64; 3] {
    v.map(|x| x as f64)
}

/// Touching boxes and axis-parallel rays among them: all that a ray enters are shown, no others, and the bounds are below where it
/// does; up to a limit none that is entered before it is left out.
#[test]
fn boxes_along_rays_are_those_of_rational_arithmetic() -> Result<(), BuildError> {
    let mut random = Random::new(5);
    let mut integer = |low: i64, high: i64| random.integer(low, high);
    let (mut met, mut passed) = (0, 0);
    for count in [0, 1, 2, 7, 8, 9, 24, 65, 100, 700] {
        let sides: Vec<[[i64; 3]; 2]> = (0..count)
            .map(|_| {
                let low = [(); 3].map(|()| integer(-9, 9));
                [low, low.map(|x| x + integer(0, 4))]
            })
            .collect();
        let boxes: Vec<Aabb> =
            sides.iter().map(|&[low, high]| Aabb::new(float(low), float(high))).collect();
        let tree = RayBoxes::build(&boxes)?;
        assert_eq!(tree.len(), count);
        for _ in 0..300 {
            let origin = [(); 3].map(|()| integer(-12, 12));
            let direction = [(); 3].map(|()| integer(-3, 3));
            let reach = integer(0, 20);
            let entries: Vec<Option<[i64; 2]>> = sides
                .iter()
                .map(|&[low, high]| entry(origin, direction, reach, low, high))
                .collect();
            let (origin, direction) = (float(origin), float(direction));
            let ray = BoxRay { origin, direction, reach: reach as f64, radius: 0.0 };
            let mut shown = vec![false; count];
            let _ = tree.along(&ray, &mut |number, key| {
                let number = number as usize;
                assert!(!std::mem::replace(&mut shown[number], true), "shown twice");
                if let Some([over, under]) = entries[number] {
                    assert!(key <= over as f64 / under as f64);
                }
                ControlFlow::Continue(f64::INFINITY)
            });
            let expected: Vec<bool> = entries.iter().map(Option::is_some).collect();
            assert_eq!(shown, expected, "{ray:?}");
            met += expected.iter().filter(|&&met| met).count();
            // The first that is entered, whatever comes before it.
            let at =
                |number: usize| entries[number].map(|[over, under]| over as f64 / under as f64);
            let mut first = f64::INFINITY;
            let mut looked = 0;
            let _ = tree.along(&ray, &mut |number, _| {
                looked += 1;
                first = first.min(at(number as usize).unwrap_or(f64::INFINITY));
                ControlFlow::Continue(first)
            });
            let least = (0..count).filter_map(at).fold(f64::INFINITY, f64::min);
            assert_eq!(first, least);
            passed += expected.iter().filter(|&&met| met).count() - looked;
        }
    }
    assert!(met > 2000 && passed > 500, "{met} {passed}");
    Ok(())
}

/// Points of a ray, or beside it, in a box: it is shown, far from the origin, at any scale, and whatever the direction.
#[test]
fn no_box_with_a_point_of_the_ray_is_left_out() -> Result<(), BuildError> {
    let mut random = Random::new(6);
    for round in 0..200 {
        let scale = [1.0, 1e-30, 1e30, 1e150, 1e-150][round % 5];
        let far = [0.0, 1e7][round / 5 % 2];
        let mut vector = |size: f64| [(); 3].map(|()| size * random.signed());
        let origin = vector(1.0).map(|x| scale * (x + far));
        let mut direction = vector(1.0).map(|x| scale * x);
        if round % 3 == 0 {
            direction[round % 2] = if round % 4 == 0 { 0.0 } else { 1e-310 };
        }
        let radius = if round % 7 == 0 { 0.5 * scale } else { 0.0 };
        let boxes: Vec<Aabb> = (0..50)
            .map(|number| {
                let way = f64::from(number) * 0.25;
                let aside = vector(0.5 * radius);
                let p = [0, 1, 2].map(|k| origin[k] + way * direction[k] + aside[k]);
                let size = vector(0.1 * scale).map(f64::abs);
                // The rounding of the point is that of the test.
                let slack = [0, 1, 2].map(|k| 4.0 * f64::EPSILON * (p[k].abs() + origin[k].abs()));
                Aabb::new(
                    [0, 1, 2].map(|k| p[k] - slack[k]),
                    [0, 1, 2].map(|k| p[k] + slack[k] + size[k]),
                )
            })
            .collect();
        let tree = RayBoxes::build(&boxes)?;
        let mut shown = 0;
        let ray = BoxRay { origin, direction, reach: f64::INFINITY, radius };
        let _ = tree.along(&ray, &mut |_, _| {
            shown += 1;
            ControlFlow::Continue(f64::INFINITY)
        });
        assert_eq!(shown, boxes.len(), "{ray:?}");
    }
    let error = RayBoxes::build(&[Aabb::EMPTY]).err();
    assert_eq!(error, Some(BuildError::NonFinite { primitive: 0 }));
    Ok(())
}
