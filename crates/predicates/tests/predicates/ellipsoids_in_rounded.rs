//! Ellipsoids in capsules and in polytopes with a radius: touching them from inside at points with whole numbers, and against a search for
//! the direction in which they stick out farthest.

use xcollide_fixtures::Random;
use xcollide_predicates::{ConvexBody, MovedSolid, Point, Solid};

use crate::convex_bodies::FACES;

type Matrix = [[f64; 3]; 3];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn at(solid: Solid, matrix: Matrix, translation: Point) -> ConvexBody {
    ConvexBody::of(&MovedSolid { solid, matrix, translation }).expect("it has an inverse")
}

/// A box along the axes, which may be flat, a segment or a point, with a radius.
#[derive(Clone, Copy, Debug)]
struct Rounded {
    low: Point,
    high: Point,
}

impl Rounded {
    fn body(&self, radius: f64, matrix: Matrix) -> ConvexBody {
        let wide: Vec<usize> = (0..3).filter(|&k| self.low[k] < self.high[k]).collect();
        let corner = |number: usize| {
            let mut point = self.low;
            for (bit, &k) in wide.iter().enumerate() {
                if number >> bit & 1 == 1 {
                    point[k] = self.high[k];
                }
            }
            point
        };
        let corners: Vec<Point> = (0..1 << wide.len()).map(corner).collect();
        let faces: Vec<Vec<u32>> = match wide.len() {
            0 => vec![vec![0]],
            1 => vec![vec![0, 1]],
            2 => vec![vec![0, 1, 3, 2]],
            _ => FACES.iter().map(|face| face.to_vec()).collect(),
        };
        ConvexBody::rounded(&corners, faces, radius, matrix, [0.0; 3]).expect("it has corners")
    }

    fn nearest(&self, point: Point) -> Point {
        [0, 1, 2].map(|k| point[k].clamp(self.low[k], self.high[k]))
    }
}

/// A turn by whole numbers, times the square of the quaternion's length.
fn turn([w, x, y, z]: [i64; 4]) -> Matrix {
    [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    .map(|row| row.map(|x| x as f64))
}

fn dot(a: Point, b: Point) -> f64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn apply(matrix: Matrix, point: Point) -> Point {
    matrix.map(|row| dot(row, point))
}

fn root(square: i64) -> Option<i64> {
    let root = (square as f64).sqrt().round() as i64;
    (root * root == square && root > 0).then_some(root)
}

/// Round about a lattice point of the surface, where they touch, so little curved that nothing else of the ellipsoid can be outside: the
/// square of its greatest radius is less than its least one times that of the polytope.
#[test]
fn ellipsoids_that_touch_from_inside_are_told_from_near_ones() {
    let mut random = Random::new(41);
    let mut counts = [[0; 4]; 4];
    for number in 0.. {
        if counts.as_flattened().iter().sum::<i32>() == 180 {
            break;
        }
        let half = [(); 3].map(|()| random.integer(2, 4));
        let normal = [(); 3].map(|()| random.integer(-8, 8) * random.integer(0, 2).min(1));
        // The point of the unit ball.
        let along = [0, 1, 2].map(|k| half[k] * normal[k]);
        let square = |v: [i64; 3]| v.iter().map(|x| x * x).sum();
        let (Some(length), Some(part)) = (root(square(normal)), root(square(along))) else {
            continue;
        };
        // Everything times the denominators, and half a radius too much.
        let scale = length * part;
        let radius = 9 * scale;
        let quaternion = [(); 4].map(|()| random.integer(-2, 2));
        if quaternion == [0; 4] {
            continue;
        }
        let matrix = turn(quaternion);
        let times = quaternion.iter().map(|x| x * x).sum::<i64>();
        let reach = [0, 1, 2].map(|k| half[k] * along[k] * length);
        let low = [(); 3].map(|()| random.integer(-99, 99));
        let high = low.map(|x| x + random.integer(0, 99) * random.integer(0, 1));
        let wide = (0..3).filter(|&k| low[k] < high[k]).count();
        let free = (0..3).filter(|&k| normal[k] == 0 && low[k] < high[k]).count();
        if counts[wide][free] == 20 {
            continue;
        }
        counts[wide][free] += 1;
        let foot = [0, 1, 2].map(|k| match normal[k].signum() {
            0 => random.integer(low[k], high[k]),
            1 => high[k],
            _ => low[k],
        });
        let center = [0, 1, 2].map(|k| foot[k] + normal[k] * (radius / length) - reach[k]);
        let float = |v: [i64; 3]| v.map(|x| x as f64);
        let rounded = Rounded { low: float(low), high: float(high) };
        let around = |radius| rounded.body(radius, matrix);
        let (radius, place) = ((radius * times) as f64, apply(matrix, float(center)));
        let solid = Solid::Ellipsoid { half: half.map(|x| (x * scale) as f64) };
        let egg = at(solid, matrix, place);
        assert!(egg.is_in(&around(radius)), "{number} {half:?} {normal:?} {rounded:?}");
        assert!(egg.is_in(&around(radius.next_up())), "{number} {half:?} {normal:?}");
        assert!(!egg.is_in(&around(radius.next_down())), "{number} {half:?} {normal:?}");
        let out = apply(matrix, float(normal));
        for k in (0..3).filter(|&k| out[k].abs() > 1e-3 * dot(out, out).sqrt()) {
            for is_up in [false, true] {
                let mut aside = place;
                aside[k] = if is_up { place[k].next_up() } else { place[k].next_down() };
                let fits = is_up == (out[k] < 0.0);
                let moved = at(solid, matrix, aside);
                assert_eq!(moved.is_in(&around(radius)), fits, "{number} {k} {is_up}");
            }
        }
    }
    // Points, segments, rectangles and boxes, by corners, edges and faces.
    for (wide, row) in counts.iter().enumerate() {
        assert!(row.iter().take(wide.min(2) + 1).all(|&count| count == 20), "{counts:?}");
    }
}

/// As long as fits in a capsule, and as wide; about corners, edges and faces.
#[test]
fn ellipsoids_just_fit_in_round_polytopes() {
    let capsule = |matrix| at(Solid::Capsule { half: 1.0, radius: 1.0 }, matrix, [0.0; 3]);
    let egg = |half, place| at(Solid::Ellipsoid { half }, IDENTITY, place);
    let more = 1.0_f64.next_up();
    for (half, z, fits) in [
        ([1.0, 1.0, 1.5], 0.0, true),
        ([1.0, 1.0, 1.5], 0.25, true),
        ([more, 1.0, 1.5], 0.0, false),
        ([1.0, more, 1.5], 0.25, false),
        ([0.75, 1.0, 1.5], 0.5, true),
        ([0.75, more, 1.5], 0.5, false),
        ([1.0, 1.0, 2.0], 0.0, true),
        ([1.0, 1.0, 2.0_f64.next_up()], 0.0, false),
        ([1.0, 1.0, 2.0], f64::MIN_POSITIVE, false),
        ([1.0, 1.0, 1.0], 1.0, true),
        ([1.0, 1.0, 1.0], 1.0_f64.next_up(), false),
        ([1.0, 1.0, more], 1.0, false),
        ([0.5, 0.5, 1.0], -1.0, true),
        ([0.5, more, 0.5], -1.0, false),
        ([0.5, 1.0, 0.5], -1.0, true),
    ] {
        let (one, mirrored) = (egg(half, [0.0, 0.0, z]), egg(half, [0.0, 0.0, -z]));
        assert_eq!(one.is_in(&capsule(IDENTITY)), fits, "{half:?} {z}");
        assert_eq!(mirrored.is_in(&capsule(IDENTITY)), fits, "{half:?} {z}");
    }
    // Across.
    assert!(
        !egg([1.0, 1.0, 1.5], [0.0; 3])
            .is_in(&capsule(turn([1, 1, 1, 1]).map(|row| row.map(|x| x / 4.0))))
    );
    let rounded = Rounded { low: [0.0; 3], high: [8.0, 6.0, 4.0] };
    let body = rounded.body(2.0, IDENTITY);
    for (half, place, fits) in [
        // About a corner.
        ([2.0, 1.0, 0.5], [0.0; 3], true),
        ([1.0, 0.5, 2.0], [8.0, 0.0, 4.0], true),
        ([1.0, 0.5, 2.0_f64.next_up()], [8.0, 0.0, 4.0], false),
        ([2.0, 2.0, 1.0], [8.0, 6.0, 4.0], true),
        ([2.0; 3], [8.0, 6.0, 4.0], true),
        ([2.0, 2.0_f64.next_up(), 2.0], [8.0, 6.0, 4.0], false),
        // About an edge, and about a face.
        ([4.0, 2.0, 1.0], [4.0, 0.0, 0.0], true),
        ([5.0, 2.0, 2.0], [4.0, 0.0, 0.0], true),
        ([5.0, 2.0_f64.next_up(), 1.0], [4.0, 0.0, 4.0], false),
        ([4.0, 3.0, 2.0], [4.0, 3.0, 0.0], true),
        ([4.0, 3.0, 2.0_f64.next_up()], [4.0, 3.0, 0.0], false),
        // As wide as the whole.
        ([6.0, 5.0, 4.0], [4.0, 3.0, 2.0], true),
        ([6.0_f64.next_up(), 5.0, 4.0], [4.0, 3.0, 2.0], false),
        ([6.0, 5.0_f64.next_up(), 4.0], [4.0, 3.0, 2.0], false),
        ([6.0, 5.0, 4.0_f64.next_up()], [4.0, 3.0, 2.0], false),
        ([7.0, 5.0, 4.0], [4.0, 3.0, 2.0], false),
    ] {
        assert_eq!(egg(half, place).is_in(&body), fits, "{half:?} {place:?}");
    }
}

/// How far an ellipsoid sticks out of a box along the axes: from many points of it, to the one that is farthest along the direction from the
/// nearest point of the box, as long as that gets farther.
fn farthest(radii: Matrix, center: Point, rounded: &Rounded, random: &mut Random) -> f64 {
    let mut most = 0.0_f64;
    for _ in 0..60 {
        let mut direction = [(); 3].map(|()| random.unit() - 0.5);
        let mut distance = 0.0;
        for _ in 0..2000 {
            let along = [0, 1, 2].map(|k| dot(direction, radii.map(|row| row[k])));
            let length = dot(along, along).sqrt().max(1e-300);
            let reach = apply(radii, along.map(|x| x / length));
            let point = [0, 1, 2].map(|k| center[k] + reach[k]);
            let foot = rounded.nearest(point);
            direction = [0, 1, 2].map(|k| point[k] - foot[k]);
            let farther = dot(direction, direction).sqrt();
            if farther <= distance * (1.0 + 1e-13) {
                break;
            }
            distance = farther;
        }
        most = most.max(distance);
    }
    most
}

/// With a radius of a little more than it sticks out it is inside, and with a little less it is not. Many lie along the axes, and have their
/// centers on planes of symmetry.
#[test]
fn ellipsoids_stick_out_as_a_search_says() {
    const MARGIN: f64 = 1e-7;
    let mut random = Random::new(42);
    let mut counts = [0; 4];
    for number in 0..300 {
        let mut whole = |low: i64, high: i64| random.integer(low, high) as f64;
        let half = [whole(1, 6), whole(1, 6), whole(1, 6)];
        let low = [(); 3].map(|()| whole(-6, 0));
        let high = low.map(|x| x + whole(0, 6) * whole(0, 1));
        let middle = [0, 1, 2].map(|k| 0.5 * (low[k] + high[k]));
        let place = [0, 1, 2].map(|k| match number % 3 {
            0 => whole(-6, 6),
            1 => middle[k],
            _ => [low[k], middle[k], high[k]][whole(0, 2) as usize],
        });
        let quaternion = [whole(-2, 2), whole(-2, 2), whole(-2, 2), whole(-2, 2)];
        let square = dot(
            [quaternion[1], quaternion[2], quaternion[3]],
            [quaternion[1], quaternion[2], quaternion[3]],
        ) + quaternion[0] * quaternion[0];
        if square == 0.0 {
            continue;
        }
        let turned = turn(quaternion.map(|x| x as i64));
        let matrix = match number % 4 {
            0 => IDENTITY,
            // Not of whole length: rounded to f64.
            1 => turned.map(|row| row.map(|x| x / square)),
            // A skew one.
            _ => [(); 3].map(|()| [(); 3].map(|()| whole(-2, 2))),
        };
        let [a, b, c] = matrix;
        let cross =
            |a: Point, b: Point| [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i]);
        if dot(cross(a, b), c).abs() < 0.5 {
            continue;
        }
        let radii = matrix.map(|row| [0, 1, 2].map(|k| row[k] * half[k]));
        let rounded = Rounded { low, high };
        let distance = farthest(radii, place, &rounded, &mut random);
        if distance < 1e-3 {
            continue;
        }
        let egg = at(Solid::Ellipsoid { half }, matrix, place);
        let is_in = |radius| egg.is_in(&rounded.body(radius, IDENTITY));
        assert!(is_in(distance * (1.0 + MARGIN)), "{half:?} {matrix:?} {place:?} {rounded:?}");
        assert!(!is_in(distance * (1.0 - MARGIN)), "{half:?} {matrix:?} {place:?} {rounded:?}");
        let around = rounded.body(distance * (1.0 + MARGIN), IDENTITY);
        let smaller = at(Solid::Ellipsoid { half: half.map(|x| 0.75 * x) }, matrix, place);
        assert!(smaller.is_in(&around) && smaller.gap(&around).is_negative());
        counts[(0..3).filter(|&k| low[k] < high[k]).count()] += 1;
    }
    assert!(counts.iter().all(|&count| count > 15), "{counts:?}");
}
