//! Round bodies that touch: brought into contact at points and planes with whole numbers, against their sections along one axis, and against
//! common points and planes that are found by a search.

use xcollide_fixtures::Random;
use xcollide_predicates::{ConvexBody, MovedSolid, Point, Sign, Solid};

use crate::convex_bodies::FACES;

type Whole = [i64; 3];
type Matrix = [Whole; 3];

const IDENTITY: Matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

fn dot(a: Whole, b: Whole) -> i64 {
    (0..3).map(|k| a[k] * b[k]).sum()
}

fn apply(matrix: &Matrix, v: Whole) -> Whole {
    matrix.map(|row| dot(row, v))
}

fn times(a: &Matrix, b: &Matrix) -> Matrix {
    let column = |j: usize| [0, 1, 2].map(|i| b[i][j]);
    a.map(|row| [0, 1, 2].map(|j| dot(row, column(j))))
}

fn float(v: Whole) -> Point {
    v.map(|x| {
        assert!(x.abs() < 1 << 53, "{v:?}");
        x as f64
    })
}

/// A turn by whole numbers, times the square of the quaternion's length.
fn turn([w, x, y, z]: [i64; 4]) -> Matrix {
    [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
}

/// A body in its frame, a point on its surface, and a direction of whole length in which nothing of the body is farther.
#[derive(Clone, Debug)]
struct Contact {
    body: Form,
    point: Whole,
    /// How far the point is moved along the normal by the radius, in units of the normal's length.
    radius: i64,
    normal: Whole,
    length: i64,
    /// A point inside.
    inner: Whole,
}

#[derive(Clone, Debug)]
enum Form {
    Solid(Solid),
    /// The corners and faces of a polytope.
    Rounded(Vec<Whole>, Vec<Vec<u32>>),
}

/// A direction across the axis of length 5.
fn across(random: &mut Random) -> [i64; 2] {
    let [x, y] = [[5, 0], [3, 4], [4, 3], [0, 5]][random.below(4)];
    [x * (1 - 2 * random.integer(0, 1)), y * (1 - 2 * random.integer(0, 1))]
}

fn contact(random: &mut Random) -> Contact {
    let ([a, b], half) = (across(random), 5 * random.integer(1, 4));
    let (thick, side) = (random.integer(1, 4), 1 - 2 * random.integer(0, 1));
    let contact = |body, point, normal: Whole, length| {
        assert_eq!(dot(normal, normal), length * length);
        Contact { body, point, radius: 0, normal, length, inner: [0; 3] }
    };
    let z = random.integer(-half, half);
    let (flat, steep) = ([3 * a, 3 * b, 20 * side], [4 * a, 4 * b, 15 * side]);
    match random.below(5) {
        0 => {
            let radius = 5 * thick;
            let body = Form::Solid(Solid::Cylinder { half: half as f64, radius: radius as f64 });
            let rim = [thick * a, thick * b, side * half];
            match random.below(5) {
                0 => contact(body, [thick * a, thick * b, z], [a, b, 0], 5),
                1 => contact(body, rim, flat, 25),
                2 => contact(body, rim, [0, 0, side], 1),
                3 => contact(body, rim, [a, b, 0], 5),
                _ => contact(body, [random.integer(-3, 3), 2, side * half], [0, 0, side], 1),
            }
        }
        1 => {
            // The side rises by 4 where it comes nearer to the axis by 3.
            let half = 2 * half;
            let (radius, wide) = (3 * half / 2, 3 * half / 10);
            let body = Form::Solid(Solid::Cone { half: half as f64, radius: radius as f64 });
            let (apex, rim) = ([0, 0, half], [wide * a, wide * b, -half]);
            let slanted = [4 * a, 4 * b, 15];
            match random.below(6) {
                // Halfway up.
                0 if half % 20 == 0 => contact(body, [wide / 2 * a, wide / 2 * b, 0], slanted, 25),
                0 | 1 => contact(body, apex, [3 * a, 3 * b, 20], 25),
                2 => contact(body, apex, slanted, 25),
                3 => contact(body, rim, [3 * a, 3 * b, -20], 25),
                4 => contact(body, rim, slanted, 25),
                _ => contact(body, [random.integer(-4, 4), 3, -half], [0, 0, -1], 1),
            }
        }
        2 => {
            let radius = 25 * thick;
            let body = Form::Solid(Solid::Ellipsoid { half: [radius as f64; 3] });
            let normal = if random.below(2) == 0 { flat } else { steep };
            contact(body, normal.map(|x| thick * x), normal, 25)
        }
        3 => {
            let half = if random.below(4) == 0 { 0 } else { half };
            let body = Form::Solid(Solid::Capsule { half: half as f64, radius: thick as f64 });
            let (point, normal) = match random.below(3) {
                0 if half > 0 => ([0, 0, z.clamp(-half, half)], [a, b, 0]),
                _ => ([0, 0, side * half], flat),
            };
            let length = if normal[2] == 0 { 5 } else { 25 };
            Contact { radius: thick, ..contact(body, point, normal, length) }
        }
        _ => {
            // A box, or one of its sides.
            let [x, y] = [(); 2].map(|()| random.integer(1, 4));
            let corner = |i: i64, z| [x * (2 * (i & 1) - 1), y * (i & 2) - y, z];
            let is_flat = random.below(3) == 0;
            let ground = [[0, 1, 3, 2].map(|i| corner(i, 0))].concat();
            let all = (0..8).map(|i| corner(i, if i < 4 { -half } else { half })).collect();
            let (corners, faces, top): (Vec<Whole>, _, _) = if is_flat {
                (ground, vec![vec![0, 1, 2, 3]], 0)
            } else {
                (all, FACES.map(|face| face.to_vec()).to_vec(), half)
            };
            let (right, back) = (x * a.signum(), y * b.signum());
            let (point, normal) = match random.below(3) {
                0 => ([random.integer(-x, x), random.integer(-y, y), side * top], [0, 0, side]),
                1 if a != 0 => {
                    ([right, random.integer(-y, y), side * top], [3 * a.signum(), 0, 4 * side])
                }
                _ => ([right, back, side * top], flat),
            };
            let length =
                [1, 5, 25].into_iter().find(|l| l * l == dot(normal, normal)).expect("whole");
            let body = Form::Rounded(corners, faces);
            Contact { radius: thick, ..contact(body, point, normal, length) }
        }
    }
}

impl Contact {
    /// Moved by a turn or reflection times a number, and a translation.
    fn moved(&self, matrix: &Matrix, scale: i64, translation: Point) -> ConvexBody {
        let float_matrix = matrix.map(float);
        // The matrix moves the core and leaves the radius.
        let radius = (self.radius * self.length * scale) as f64;
        match &self.body {
            Form::Solid(solid) => {
                let solid = match *solid {
                    Solid::Capsule { half, .. } => Solid::Capsule { half, radius },
                    solid => solid,
                };
                let moved = MovedSolid { solid, matrix: float_matrix, translation };
                ConvexBody::of(&moved).expect("it has an inverse")
            }
            Form::Rounded(corners, faces) => {
                let corners: Vec<Point> = corners.iter().map(|&p| float(p)).collect();
                ConvexBody::rounded(&corners, faces, radius, float_matrix, translation)
                    .expect("it has corners")
            }
        }
    }

    /// Where the point on the surface is, before the translation.
    fn place(&self, matrix: &Matrix) -> Whole {
        let (core, normal) = (apply(matrix, self.point), apply(matrix, self.normal));
        [0, 1, 2].map(|k| core[k] + self.radius * normal[k])
    }
}

/// Two bodies on both sides of a plane that has a point of both touch; moved away by a little they are apart, and towards each other
/// they overlap.
#[test]
fn bodies_in_contact_are_told_from_near_ones() {
    let mut random = Random::new(31);
    let mut counts = std::collections::BTreeMap::new();
    let kind = |contact: &Contact| match contact.body {
        Form::Solid(Solid::Cylinder { .. }) => "cylinder",
        Form::Solid(Solid::Cone { .. }) => "cone",
        Form::Solid(Solid::Ellipsoid { .. }) => "ball",
        Form::Solid(_) => "capsule",
        Form::Rounded(..) => "polytope",
    };
    for _ in 0..500 {
        let (one, other) = (contact(&mut random), contact(&mut random));
        let mut quaternion = || [(); 4].map(|()| random.integer(-1, 2));
        let (of_one, roll) = (quaternion(), random.integer(0, 2));
        let square = |q: [i64; 4]| q.iter().map(|x| x * x).sum::<i64>();
        if square(of_one) == 0 {
            continue;
        }
        let (turned, scale) = (turn(of_one), square(of_one));
        // A reflection takes the other one's normal to the opposite direction, and a turn about this leaves it there.
        let up = apply(&turned, one.normal);
        let v = [0, 1, 2].map(|k| other.normal[k] * one.length * scale + up[k] * other.length);
        let divisor = gcd(gcd(v[0], v[1]), v[2]).max(1);
        let v = v.map(|x| x / divisor);
        let (mut matrix, mut size) = (IDENTITY, 1);
        if dot(v, v) > 0 {
            size = dot(v, v);
            matrix =
                [0, 1, 2].map(|i| [0, 1, 2].map(|j| i64::from(i == j) * size - 2 * v[i] * v[j]));
        }
        let axis = up.map(|x| x / gcd(gcd(up[0], up[1]), up[2]));
        let about = [2 - roll, roll * axis[0], roll * axis[1], roll * axis[2]];
        (matrix, size) = (times(&turn(about), &matrix), size * square(about));
        let divisor = matrix.iter().flatten().fold(size, |divisor, &x| gcd(divisor, x));
        (matrix, size) = (matrix.map(|row| row.map(|x| x / divisor)), size / divisor);
        if size > 1 << 20 {
            continue;
        }
        let (place, target) = (other.place(&matrix), one.place(&turned));
        let translation = float([0, 1, 2].map(|k| target[k] - place[k]));
        let body = one.moved(&turned, scale, [0.0; 3]);
        let gap_at = |direction: Whole| {
            let step = 2.0_f64.powi(-12);
            let there = [0, 1, 2].map(|k| translation[k] + step * direction[k] as f64);
            let second = other.moved(&matrix, size, there);
            let gap = body.gap(&second);
            assert_eq!(second.gap(&body), gap);
            gap
        };
        // From the point of contact into the first one.
        let into = [0, 1, 2].map(|k| apply(&turned, one.inner)[k] - target[k]);
        let told = [gap_at([0; 3]), gap_at(up), gap_at(into)];
        assert_eq!(
            told,
            [Sign::Zero, Sign::Positive, Sign::Negative],
            "{one:?} {other:?} {turned:?} {matrix:?}"
        );
        *counts.entry([kind(&one), kind(&other)]).or_insert(0) += 1;
    }
    assert!(counts.len() == 25 && counts.values().all(|&count| count > 2), "{counts:?}");
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// Cylinders and cones along one direction, moved by one matrix of any whole numbers: at each height two circles. The sum of the radii is
/// linear between the ends, so that these decide.
#[test]
fn cones_and_cylinders_along_one_direction_lie_as_integers_say() {
    let mut random = Random::new(32);
    let mut counts = [[0; 3]; 3];
    for _ in 0..1500 {
        let matrix = loop {
            let matrix = [(); 3].map(|()| [(); 3].map(|()| random.integer(-2, 2)));
            let [[a, b, c], [d, e, f], [g, h, i]] = matrix;
            if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) != 0 {
                break matrix;
            }
        };
        let factor = random.integer(0, 2);
        let [x, y] = across(&mut random).map(|x| x * factor);
        let distance = 5 * factor;
        let z = random.integer(-8, 8);
        let mut any = || {
            let (half, radius) = (random.integer(1, 4), random.integer(1, 9));
            let is_cone = random.below(2) == 0;
            // A cone upside down has its own matrix.
            let is_reversed = is_cone && random.below(2) == 0;
            (half, radius, is_cone, is_reversed)
        };
        let all = [any(), any()];
        let centers = [[0; 3], [x, y, z]];
        let bodies = [0, 1].map(|k| {
            let (half, radius, is_cone, is_reversed) = all[k];
            let (half, radius) = (half as f64, radius as f64);
            let solid = if is_cone {
                Solid::Cone { half, radius }
            } else {
                Solid::Cylinder { half, radius }
            };
            let turned = if is_reversed { matrix.map(|[a, b, c]| [a, -b, -c]) } else { matrix };
            let translation = float(apply(&matrix, centers[k]));
            ConvexBody::of(&MovedSolid { solid, matrix: turned.map(float), translation }).unwrap()
        });
        // The radius at a height, times twice the half height of both.
        let both = 4 * all[0].0 * all[1].0;
        let radius_at = |k: usize, height: i64| {
            let (half, radius, is_cone, is_reversed) = all[k];
            let above = height - centers[k][2];
            let room = if is_reversed { half + above } else { half - above };
            if is_cone { radius * room * both / (2 * half) } else { radius * both }
        };
        let end = |side: i64| [0, 1].map(|k| centers[k][2] + side * all[k].0);
        let (low, high) = (end(-1).into_iter().max().unwrap(), end(1).into_iter().min().unwrap());
        let room =
            [low, high].map(|height| radius_at(0, height) + radius_at(1, height) - both * distance);
        let most = room[0].max(room[1]);
        let expected = if low > high || most < 0 {
            Sign::Positive
        } else if low == high || most == 0 {
            Sign::Zero
        } else {
            Sign::Negative
        };
        assert_eq!(bodies[0].gap(&bodies[1]), expected, "{all:?} {centers:?} {matrix:?}");
        assert_eq!(bodies[1].gap(&bodies[0]), expected);
        let kind = usize::from(all[0].2) + usize::from(all[1].2);
        counts[kind][(expected as i8 + 1) as usize] += 1;
    }
    assert!(counts.as_flattened().iter().all(|&count| count > 10), "{counts:?}");
}

/// The farthest point of a solid about its center, scaled by a part, along a direction.
fn farthest(solid: Solid, part: f64, [x, y, z]: Point) -> Point {
    let long = (x * x + y * y).sqrt().max(1e-300);
    let rim = |radius: f64, z: f64| [radius * x / long, radius * y / long, z].map(|x| part * x);
    match solid {
        Solid::Cylinder { half, radius } => rim(radius, half.copysign(z)),
        Solid::Cone { half, radius } => {
            let apex_is_farther = half * z > radius * long - half * z;
            if apex_is_farther { [0.0, 0.0, part * half] } else { rim(radius, -half) }
        }
        Solid::Capsule { half, radius } => {
            let length = (x * x + y * y + z * z).sqrt().max(1e-300);
            let ball = [x, y, z].map(|x| part * radius * x / length);
            [ball[0], ball[1], ball[2] + part * half.copysign(z)]
        }
        Solid::Ellipsoid { half } => {
            let scaled = [x * half[0], y * half[1], z * half[2]];
            let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-300);
            [0, 1, 2].map(|k| part * scaled[k] * half[k] / length)
        }
        _ => unreachable!("not drawn"),
    }
}

/// A point of the difference of two bodies near the origin, and whether a plane parts them by more than rounding: Gilbert's algorithm (1966).
fn nearest(a: &MovedSolid, b: &MovedSolid, part: f64) -> (f64, bool) {
    let product = |a: Point, b: Point| (0..3).map(|k| a[k] * b[k]).sum::<f64>();
    let support = |moved: &MovedSolid, direction: Point| {
        let local = [0, 1, 2].map(|k| (0..3).map(|i| moved.matrix[i][k] * direction[i]).sum());
        let point = farthest(moved.solid, part, local);
        [0, 1, 2].map(|k| moved.translation[k] + product(moved.matrix[k], point))
    };
    let mut best = [0, 1, 2].map(|k| a.translation[k] - b.translation[k]);
    for _ in 0..3000 {
        let (low, high) = (support(a, best.map(|x| -x)), support(b, best));
        let vertex = [0, 1, 2].map(|k| low[k] - high[k]);
        if product(best, vertex) > 1e-9 {
            return (product(best, best).sqrt(), true);
        }
        let step = [0, 1, 2].map(|k| vertex[k] - best[k]);
        let along = (-product(best, step) / product(step, step).max(1e-300)).clamp(0.0, 1.0);
        best = [0, 1, 2].map(|k| best[k] + along * step[k]);
    }
    (product(best, best).sqrt(), false)
}

/// Turned bodies that nothing has brought into contact: apart if a plane parts them, and overlapping if two points of both, scaled to 0.9
/// of their size, are nearer to each other than the surfaces are to those.
#[test]
fn turned_bodies_lie_as_a_search_says() {
    let mut random = Random::new(33);
    let (mut counts, mut unknown) = ([0; 3], 0);
    for _ in 0..1200 {
        let mut any = |reach: i64| {
            let [half, radius, wide] = [(); 3].map(|()| random.integer(2, 6) as f64 * 0.5);
            let solid = match random.below(4) {
                0 => Solid::Cylinder { half, radius },
                1 => Solid::Cone { half, radius },
                2 => Solid::Capsule { half, radius },
                _ => Solid::Ellipsoid { half: [half, radius, wide] },
            };
            // Not of whole length: rounded to f64.
            let quaternion = [(); 4].map(|()| random.integer(-3, 3));
            let square = quaternion.iter().map(|x| x * x).sum::<i64>().max(1) as f64;
            let matrix = turn(quaternion).map(|row| row.map(|x| x as f64 / square));
            let translation = [(); 3].map(|()| random.integer(-reach, reach) as f64 * 0.25);
            (quaternion != [0; 4]).then_some(MovedSolid { solid, matrix, translation })
        };
        let (Some(a), Some(b)) = (any(0), any(14)) else { continue };
        let bodies = [ConvexBody::of(&a).unwrap(), ConvexBody::of(&b).unwrap()];
        let gap = bodies[0].gap(&bodies[1]);
        assert_eq!(bodies[1].gap(&bodies[0]), gap);
        let (_, is_parted) = nearest(&a, &b, 1.0);
        // A ball of 0.3 is in each of them about its center or, in a cone, near it.
        let (distance, _) = nearest(&a, &b, 0.9);
        if is_parted {
            assert_eq!(gap, Sign::Positive, "{a:?} {b:?}");
        } else if distance < 0.02 {
            assert_eq!(gap, Sign::Negative, "{a:?} {b:?}");
        } else {
            unknown += 1;
            continue;
        }
        counts[(gap as i8 + 1) as usize] += 1;
    }
    assert!(counts[0] > 200 && counts[2] > 200 && unknown < 300, "{counts:?} {unknown}");
}

/// Cylinders and cones in capsules and boxes with a radius: their rims at the distance of a lattice point, and a unit in the last place
/// beyond.
#[test]
fn rims_just_fit_in_round_polytopes() {
    let at = |solid, translation: Point| {
        let matrix = IDENTITY.map(float);
        ConvexBody::of(&MovedSolid { solid, matrix, translation }).expect("it has an inverse")
    };
    let rod = at(Solid::Capsule { half: 7.0, radius: 5.0 }, [0.0; 3]);
    // The rim at 3 from the axis is 4 above an end of the capsule's.
    for (half, radius, fits) in [
        (11.0, 3.0, true),
        (11.0_f64.next_up(), 3.0, false),
        (11.0, 3.0_f64.next_up(), false),
        (7.0, 5.0, true),
        (7.0, 5.0_f64.next_up(), false),
        (7.0_f64.next_up(), 5.0, false),
        (12.0, 0.0_f64.next_up(), false),
    ] {
        let can = at(Solid::Cylinder { half, radius }, [0.0; 3]);
        assert_eq!(can.is_in(&rod), fits, "{half} {radius}");
    }
    // Its apex is farthest up, its base as in the cylinder of the same height below.
    let cone = |half, radius, z| at(Solid::Cone { half, radius }, [0.0, 0.0, z]);
    assert!(cone(11.5, 3.0, 0.5).is_in(&rod));
    assert!(!cone(11.5, 3.0, 0.5_f64.next_up()).is_in(&rod));
    assert!(!cone(11.5, 3.0_f64.next_up(), 0.5).is_in(&rod));
    // A box of half sides 2, 3 and 4 with a radius of 5: a circle about the center at the height 4 + 3 is farther up than the upper face, and
    // farthest from it along the shorter side.
    let side = |i: usize, k: usize, half: f64| if i >> k & 1 == 0 { -half } else { half };
    let corner = |i: usize| [side(i, 0, 2.0), side(i, 1, 3.0), side(i, 2, 4.0)];
    let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
    let rounded = ConvexBody::rounded(&corners, FACES, 5.0, IDENTITY.map(float), [0.0; 3]);
    let rounded = rounded.expect("it has corners");
    for (half, radius, fits) in [
        (7.0, 6.0, true),
        (7.0, 6.0_f64.next_up(), false),
        (7.0_f64.next_up(), 6.0, false),
        (4.0, 7.0, true),
        (4.0, 7.0_f64.next_up(), false),
        (4.0_f64.next_up(), 7.0, false),
        (8.0, 5.0, true),
        (8.0_f64.next_up(), 5.0, false),
        (9.0, 2.0, true),
        (9.0_f64.next_up(), 1.0, false),
    ] {
        let can = at(Solid::Cylinder { half, radius }, [0.0; 3]);
        assert_eq!(can.is_in(&rounded), fits, "{half} {radius}");
    }
}
