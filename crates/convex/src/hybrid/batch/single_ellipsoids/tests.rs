use xcollide_math::Pose;
use xcollide_math::vector::{dot, length_squared, sub};
use xcollide_scenes::Random;
use xcollide_simd::{SimdLevel, dispatch_at};

use super::DEPTH;
use crate::batch::EIGHT;
use crate::body::Body;
use crate::ellipsoid::product;
use crate::ellipsoid_pair::EllipsoidPair;
use crate::hybrid::batch::early_results::EarlyResults;
use crate::hybrid::batch::lanes::Lanes;
use crate::hybrid::batch::single::SingleTests;
use crate::pair::Pair;
use crate::polytope::Polytope;
use crate::solidity::Solidity;
use crate::tests::hulls::hull_of;

/// A box of given half sides, or a hull of four to eight points in it, away from the origin of its frame.
fn polytope(random: &mut Random, half: [f64; 3]) -> Polytope {
    let shift = [(); 3].map(|()| random.between(-3.0, 3.0));
    let corner =
        |bits: usize| [0, 1, 2].map(|k| if bits >> k & 1 == 1 { half[k] } else { -half[k] });
    let count = 3 + (6.0 * random.unit()) as usize;
    let points: Vec<[f64; 3]> = if count == 3 {
        (0..8).map(corner).collect()
    } else {
        (0..count).map(|_| half.map(|side| random.between(-side, side))).collect()
    };
    let moved: Vec<_> = points.iter().map(|p| [0, 1, 2].map(|k| p[k] + shift[k])).collect();
    let mut hull = hull_of(&moved);
    let inner = depth(&Body::new(&hull, &Pose::IDENTITY), hull.center());
    hull.set_solidity((inner > 0.0).then_some(Solidity { inner: 0.99 * inner, dent: 1e-15 }));
    hull
}

/// A pose that brings the middle of the vertices to a place.
fn pose(random: &mut Random, polytope: &Polytope, place: [f64; 3]) -> Pose {
    let turn = random.rotation();
    let turned = Pose::from_quaternion(turn, [0.0; 3]).unwrap();
    let translation = sub(place, turned.apply(polytope.center()));
    Pose::from_quaternion(turn, translation).unwrap()
}

/// A lower bound of the depth of a point in a body, but for rounding in double precision.
fn depth(body: &Body<'_>, point: [f64; 3]) -> f64 {
    let mut least = f64::INFINITY;
    for face in body.polytope().gauss_map().faces() {
        let normal = body.turned(face.normal);
        let heights = (0..body.polytope().len() as u32).map(|v| dot(normal, body.position(v)));
        let top = heights.fold(f64::NEG_INFINITY, f64::max);
        least = least.min((top - dot(normal, point)) / length_squared(normal).sqrt());
    }
    least
}

/// How far a body's ellipsoid reaches along a direction, from the origin of the world and to both sides.
fn extent(body: &Body<'_>, direction: [f64; 3]) -> [f64; 2] {
    let ellipsoid = body.polytope().ellipsoid().unwrap();
    let local = body.local(direction);
    let half = dot(local, product(&ellipsoid.shape, local)).sqrt();
    let middle = dot(direction, body.pose().apply(ellipsoid.center));
    [middle - half, middle + half]
}

/// Where the ellipsoid of the second body just leaves that of the first one on a way from it, but for parts of the size
/// like the errors of single precision.
fn leaving(random: &mut Random, [a, b]: [&Body<'_>; 2], size: f64) -> Pose {
    let way = random.direction();
    let at = |far: f64| {
        let translation = [0, 1, 2].map(|k| b.pose().translation()[k] + far * way[k]);
        Pose::from_matrix(*b.pose().rotation(), translation).unwrap()
    };
    let (mut near, mut far) = (0.0, 10.0 * size);
    while far - near > 1e-9 * size {
        let middle = 0.5 * (near + far);
        let pose = at(middle);
        let pair = Pair::new(*a, Body::new(b.polytope(), &pose));
        let is_apart = EllipsoidPair::of(&pair).is_some_and(|both| both.apart().is_some());
        (near, far) = if is_apart { (near, middle) } else { (middle, far) };
    }
    at(far + size * 10.0_f64.powf(random.between(-8.0, -4.0)))
}

/// Of bodies of all sizes and up to a thousand times as long as thick, in single precision: planes have one ellipsoid with
/// its polytope below them and the other one above, and points, of ellipsoids and of portals, are so deep in both bodies
/// that they prove contact.
#[test]
fn planes_and_points_in_single_precision_are_proofs() {
    let mut random = Random::new(17);
    let (mut apart, mut inside, mut common) = (0, 0, 0);
    for round in 0..150 {
        let size = 10.0_f64.powi(round % 9 - 4);
        let thin = 10.0_f64.powi(-(round % 4));
        let mut half = || [size, size * random.between(0.3, 1.0), size * thin];
        let halves: Vec<_> = (0..2 * EIGHT).map(|_| half()).collect();
        let polytopes: Vec<_> = halves.iter().map(|&half| polytope(&mut random, half)).collect();
        // Some near each other, some far, some hardly apart; all far from the origin.
        let mut poses: Vec<_> = (0..2 * EIGHT)
            .map(|i| {
                let near = [1.0, 0.1, 2.0][i % EIGHT % 3] * size;
                let place = random.direction().map(|x| near * x + 50.0 * size);
                pose(&mut random, &polytopes[i], place)
            })
            .collect();
        for i in (0..EIGHT).filter(|i| i % 3 == 0) {
            let [a, b] = [i, EIGHT + i].map(|i| Body::new(&polytopes[i], &poses[i]));
            poses[EIGHT + i] = leaving(&mut random, [&a, &b], size);
        }
        let body = |i: usize| Body::new(&polytopes[i], &poses[i]);
        let all: [Body<'_>; 2 * EIGHT] = std::array::from_fn(body);
        let bodies = [0, EIGHT].map(|first| std::array::from_fn(|lane| &all[first + lane]));
        let data = bodies.map(|bodies: [&Body<'_>; EIGHT]| {
            bodies.map(|body| body.polytope().batch_data.as_ref().expect("an ellipsoid"))
        });
        let mut previous = None;
        for level in SimdLevel::ALL {
            let mut found = EarlyResults::default();
            let vertices =
                data.map(|data| data.map(|data| data.few.as_ref().expect("few vertices")));
            let of = Lanes { bodies, data, all: 0xFF };
            let tests = SingleTests { of, vertices, least: 0, found: &mut found };
            if dispatch_at(level, tests).is_none() {
                continue;
            }
            let EarlyResults { by_ellipsoids, offset, starts, inner_points, .. } = &found;
            let direction = &starts.direction;
            let bits = [*by_ellipsoids, found.inside, found.common];
            let points = found.common_points.map(|axis| {
                let lane =
                    |lane: usize| if found.common >> lane & 1 == 1 { axis[lane] } else { 0.0 };
                std::array::from_fn::<f64, EIGHT, _>(lane)
            });
            let numbers = (bits, *offset, *direction, *inner_points, points);
            if let Some(previous) = &previous {
                assert_eq!(&numbers, previous, "{level}");
                continue;
            }
            for lane in 0..EIGHT {
                let [a, b] = bodies.map(|bodies| bodies[lane]);
                if by_ellipsoids >> lane & 1 == 1 {
                    apart += 1;
                    let normal = direction.map(|axis| axis[lane]);
                    let [[_, below], [above, _]] = [extent(a, normal), extent(b, normal)];
                    assert!(below < offset[lane], "{level}, {round}, {lane}");
                    assert!(above > offset[lane], "{level}, {round}, {lane}");
                }
                if found.inside >> lane & 1 == 1 {
                    inside += 1;
                    for (body, point) in [a, b].into_iter().zip(inner_points) {
                        let point = point.map(|axis| axis[lane]);
                        let claimed = DEPTH * body.polytope().ellipsoid().unwrap().ball;
                        assert!(depth(body, point) >= claimed, "{level}, {round}, {lane}");
                    }
                }
                if found.common >> lane & 1 == 1 {
                    common += 1;
                    let point = points.map(|axis| axis[lane]);
                    for body in [a, b] {
                        assert!(depth(body, point) > 0.0, "{level}, {round}, {lane}");
                    }
                }
            }
            previous = Some(numbers);
        }
    }
    assert!(apart > 300 && inside > 100, "{apart} apart, {inside} inside");
    assert!(common > 100, "{common} portals");
}
