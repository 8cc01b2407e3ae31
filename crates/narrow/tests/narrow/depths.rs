//! The depth of unions of integer boxes, against the cells that their differences leave free, and of convex integer solids,
//! against all planes that may bound their difference.

#![allow(clippy::unwrap_used)]

use crate::support;

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::Zero;
use support::{Random, cuboid, joined};
use xcollide_convex::Penetration;
use xcollide_fixtures::long_run;
use xcollide_narrow::{
    Model, Placed, Pose, QueryError, intersects, penetration, penetration_limited,
};

type Box3 = [[i64; 3]; 2];

fn random_boxes(random: &mut Random) -> Vec<Box3> {
    let count = 1 + random.below(3);
    let mut boxes = Vec::new();
    for _ in 0..count {
        let low = [(); 3].map(|()| random.integer(0, 4));
        boxes.push([low, low.map(|x| x + random.integer(1, 3))]);
    }
    boxes
}

fn model(boxes: &[Box3]) -> Model {
    let mesh = |[low, high]: &Box3| cuboid(low.map(|x| x as f64), high.map(|x| x as f64));
    Model::from_mesh(joined(&boxes.iter().map(mesh).collect::<Vec<_>>())).unwrap()
}

/// The square of the depth: A moved by t meets B iff t is in one of the boxes b − a. So it is the least distance of the
/// origin from a unit cell that none of them contains.
fn depth_squared(a: &[Box3], b: &[Box3]) -> Option<i64> {
    let difference = |s: &Box3, t: &Box3| {
        [[0, 1, 2].map(|k| t[0][k] - s[1][k]), [0, 1, 2].map(|k| t[1][k] - s[0][k])]
    };
    let boxes: Vec<Box3> = a.iter().flat_map(|s| b.iter().map(move |t| difference(s, t))).collect();
    if !boxes.iter().any(|[low, high]| (0..3).all(|k| low[k] <= 0 && 0 <= high[k])) {
        return None;
    }
    let reach = 9;
    let range = -reach..reach;
    let mut least = i64::MAX;
    for x in range.clone() {
        for y in range.clone() {
            for z in range.clone() {
                let cell = [x, y, z];
                let is_in =
                    |[low, high]: &Box3| (0..3).all(|k| low[k] <= cell[k] && cell[k] < high[k]);
                if !boxes.iter().any(is_in) {
                    // From the origin to the nearest corner or side.
                    let apart = cell.map(|c| if c >= 0 { c } else { (-c - 1).max(0) });
                    least = least.min(apart.iter().map(|d| d * d).sum());
                }
            }
        }
    }
    Some(least)
}

/// The interval contains the exact depth, and its upper end is the way out that it says.
#[test]
fn depths_of_integer_solids_are_in_their_intervals_soak() {
    let run = long_run(120, 100_000);
    let mut random = Random::new(run.seed.wrapping_add(7));
    let (mut met, mut close, mut deep) = (0, 0, 0);
    for case in 0..run.cases {
        support::progress(&run, case + 1);
        let (a, b) = (random_boxes(&mut random), random_boxes(&mut random));
        let (model_a, model_b) = (model(&a), model(&b));
        let pose = Pose::IDENTITY;
        let placed_a = Placed::new(&model_a, &pose).unwrap();
        let placed_b = Placed::new(&model_b, &pose).unwrap();
        let found = penetration(placed_a, placed_b).unwrap();
        let expected = depth_squared(&a, &b);
        assert_eq!(found.is_some(), expected.is_some(), "{a:?} {b:?}");
        let (Some(found), Some(square)) = (found, expected) else { continue };
        let exact = (square as f64).sqrt();
        let context = format!("case {case}: {a:?} {b:?}: {found:?}, exactly {exact}");
        assert!(found.at_least <= exact && exact <= found.at_most, "{context}");
        for probes in [0, 50, 2000] {
            let limited = penetration_limited(placed_a, placed_b, probes).unwrap().unwrap();
            assert!(
                limited.at_least <= exact && exact <= limited.at_most,
                "{context}: {limited:?}"
            );
            let way = [0, 1, 2].map(|k| limited.direction[k] * limited.at_most);
            let out = Pose::from_translation(way);
            assert!(!intersects((&model_a, &out), placed_b).unwrap(), "{context}: {limited:?}");
        }
        let whole = penetration_limited(placed_a, placed_b, u64::MAX).unwrap();
        assert_eq!(whole, Some(found), "{context}");
        let way = [0, 1, 2].map(|k| found.direction[k] * found.at_most);
        let out = Pose::from_translation(way);
        assert!(!intersects((&model_a, &out), placed_b).unwrap(), "{context}");
        met += 1;
        close += usize::from(found.at_most <= exact * 1.01 + 1e-9);
        deep += usize::from(found.at_least > 0.25 * exact);
    }
    assert!(met * 3 > run.cases as usize, "{met}");
    assert!(close * 10 > met * 6 && deep * 10 > met * 3, "{close} {deep} of {met}");
}

/// An open surface has no depth; a polygon, which fills its hull, has one.
#[test]
fn open_models_have_no_depth() {
    let cube = model(&[[[0; 3], [2; 3]]]);
    let corners = vec![[1.0; 3], [3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]];
    let fan = support::model(corners.clone(), &[vec![0, 1, 2], vec![0, 2, 3]]);
    let sheet = support::model(corners, &[vec![0, 1, 2]]);
    let depth = |other: &Model| penetration((&cube, &Pose::IDENTITY), (other, &Pose::IDENTITY));
    assert_eq!(depth(&fan), Err(QueryError::NoBody { side: "second" }));
    assert!(depth(&sheet).unwrap().is_some());
}

type Map = [[i64; 3]; 3];

fn apply(rows: &Map, p: Point) -> Point {
    rows.map(|row| dot(row, p))
}

type Point = [i64; 3];

fn dot(p: Point, q: Point) -> i64 {
    p[0] * q[0] + p[1] * q[1] + p[2] * q[2]
}

fn sub(p: Point, q: Point) -> Point {
    [0, 1, 2].map(|k| p[k] - q[k])
}

fn cross(p: Point, q: Point) -> Point {
    [0, 1, 2].map(|k| p[(k + 1) % 3] * q[(k + 2) % 3] - p[(k + 2) % 3] * q[(k + 1) % 3])
}

fn random_point(random: &mut Random, reach: i64) -> Point {
    [(); 3].map(|()| random.integer(-reach, reach))
}

/// A convex body by its vertices, and its faces in any direction.
fn random_convex(random: &mut Random) -> (Vec<Point>, Vec<Vec<u32>>) {
    loop {
        let [u, v, w] = [(); 3].map(|()| random_point(random, 4));
        if dot(cross(u, v), w) == 0 {
            continue;
        }
        let start = random_point(random, 3);
        let at =
            |x: i64, y: i64, z: i64| [0, 1, 2].map(|k| start[k] + x * u[k] + y * v[k] + z * w[k]);
        let faces = |all: &[&[u32]]| all.iter().map(|face| face.to_vec()).collect();
        return match random.below(4) {
            0 => {
                let vertices = vec![at(0, 0, 0), at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)];
                (vertices, faces(&[&[0, 2, 1], &[0, 1, 3], &[1, 2, 3], &[2, 0, 3]]))
            }
            // An oblique prism with three sides.
            1 => {
                let section = [(0, 0), (1, 0), (0, 1)];
                let vertices = [0, 1].map(|z| section.map(|(x, y)| at(x, y, z))).concat();
                let sides: [&[u32]; 5] =
                    [&[0, 2, 1], &[3, 4, 5], &[0, 1, 4, 3], &[1, 2, 5, 4], &[2, 0, 3, 5]];
                (vertices, faces(&sides))
            }
            // A box that a map has made oblique.
            2 => {
                let vertices = (0..8).map(|i| at(i & 1, i >> 1 & 1, i >> 2)).collect();
                let cube = xcollide_fixtures::cube().1;
                (vertices, cube.iter().map(|face| face.to_vec()).collect())
            }
            // Two pyramids on one square.
            _ => {
                let around = [at(1, 0, 0), at(0, 1, 0), at(-1, 0, 0), at(0, -1, 0)];
                let vertices = [&around[..], &[at(0, 0, 1), at(0, 0, -1)]].concat();
                let sides = (0..4).flat_map(|i| {
                    let next = (i + 1) % 4;
                    [vec![i, next, 4], vec![next, i, 5]]
                });
                (vertices, sides.collect())
            }
        };
    }
}

fn convex_model((vertices, faces): &(Vec<Point>, Vec<Vec<u32>>)) -> Model {
    support::model(vertices.iter().map(|p| p.map(|x| x as f64)).collect(), faces)
}

/// The square of the depth of the hulls of two sets of points, as a fraction: the least distance between parallel planes that
/// are about both, of which the one is beyond A and the other one before B. It is least for a normal of a face of A or
/// of B or at right angles to an edge of each, and so among those of all lines between vertices. `None` if they are apart.
fn hulls_depth_squared(a: &[Point], b: &[Point]) -> Option<Ratio<BigInt>> {
    let lines = |points: &[Point]| -> Vec<Point> {
        let pairs = (0..points.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        pairs.map(|(i, j)| sub(points[i], points[j])).collect()
    };
    let (of_a, of_b) = (lines(a), lines(b));
    let mut least: Option<[i128; 2]> = None;
    for (first, second) in [(&of_a, &of_a), (&of_b, &of_b), (&of_a, &of_b)] {
        for &u in first {
            for &v in second {
                let n = cross(u, v);
                let square = i128::from(dot(n, n));
                if square == 0 {
                    continue;
                }
                for n in [n, n.map(|x| -x)] {
                    let beyond = a.iter().map(|&p| dot(n, p)).max()?;
                    let before = b.iter().map(|&p| dot(n, p)).min()?;
                    if beyond < before {
                        return None;
                    }
                    let depth = i128::from(beyond - before);
                    let [best, of] = least.unwrap_or([i128::from(i64::MAX), 1]);
                    if depth * depth * of < best * square {
                        least = Some([depth * depth, square]);
                    }
                }
            }
        }
    }
    least.map(|[square, of]| Ratio::new(square.into(), of.into()))
}

/// Whether the interval contains the root of a fraction, without rounding.
fn contains(found: &Penetration, square: &Ratio<BigInt>) -> bool {
    let squared = |x: f64| {
        let (fraction, exponent) = (x.to_bits() & ((1 << 52) - 1), x.to_bits() >> 52);
        let whole = BigInt::from(fraction | u64::from(exponent > 0) << 52);
        // In units of 2⁻¹⁰⁷⁴.
        let whole = whole << exponent.saturating_sub(1);
        Ratio::new(&whole * &whole, BigInt::from(1) << 2148)
    };
    found.at_least >= 0.0 && squared(found.at_least) <= *square && *square <= squared(found.at_most)
}

/// A turn by a quaternion of small integers, times the square of its length, which is returned too.
fn random_turn(random: &mut Random) -> (Map, i64) {
    loop {
        let [w, x, y, z] = [(); 4].map(|()| random.integer(-2, 2));
        let square = w * w + x * x + y * y + z * z;
        if square > 0 {
            let rows = [
                [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
            ];
            return (rows, square);
        }
    }
}

/// Unions of boxes, turned.
fn turned_model(boxes: &[Box3], rows: &Map) -> Model {
    let (corners, cube) = xcollide_fixtures::cube();
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for [low, high] in boxes {
        let first = vertices.len() as u32;
        vertices.extend(corners.iter().map(|corner| {
            let corner = [0, 1, 2].map(|k| if corner[k] > 0.5 { high[k] } else { low[k] });
            apply(rows, corner).map(|x| x as f64)
        }));
        faces.extend(cube.iter().map(|face| face.iter().map(|v| v + first).collect::<Vec<u32>>()));
    }
    support::model(vertices, &faces)
}

/// Tetrahedra, prisms, oblique boxes and octahedra with integer vertices, and unions of boxes that are turned by rational
/// matrices: the interval contains the exact depth, which is the root of a fraction.
#[test]
fn depths_of_oblique_integer_solids_are_in_their_intervals_soak() {
    let run = long_run(150, 100_000);
    let mut random = Random::new(run.seed.wrapping_add(8));
    let (mut convex, mut unions, mut apart, mut touching) = (0, 0, 0, 0);
    for case in 0..run.cases {
        let pose = Pose::IDENTITY;
        let is_union = case % 4 == 3;
        let (model_a, model_b, expected, context) = if is_union {
            let (a, b) = (random_boxes(&mut random), random_boxes(&mut random));
            let (rows, scale) = random_turn(&mut random);
            let square = depth_squared(&a, &b)
                .map(|square| Ratio::from_integer(BigInt::from(square * scale * scale)));
            let context = format!("case {case}: {a:?} {b:?} {rows:?}");
            (turned_model(&a, &rows), turned_model(&b, &rows), square, context)
        } else {
            let (a, b) = (random_convex(&mut random), random_convex(&mut random));
            let context = format!("case {case}: {a:?} {b:?}");
            (convex_model(&a), convex_model(&b), hulls_depth_squared(&a.0, &b.0), context)
        };
        let found = penetration((&model_a, &pose), (&model_b, &pose)).unwrap();
        assert_eq!(found.is_some(), expected.is_some(), "{context}");
        support::progress(&run, case + 1);
        let (Some(found), Some(square)) = (found, expected) else {
            apart += 1;
            continue;
        };
        assert!(contains(&found, &square), "{context}: {found:?}, exactly the root of {square}");
        touching += usize::from(square.is_zero());
        if is_union {
            unions += 1;
            continue;
        }
        convex += 1;
        assert!(
            found.at_most - found.at_least <= 1e-9 * found.at_most.max(1.0),
            "{context}: {found:?}"
        );
    }
    let least = run.cases as usize / 10;
    assert!(
        convex > 2 * least && unions > least && apart > least,
        "{convex} {unions} {apart} {touching}"
    );
}
