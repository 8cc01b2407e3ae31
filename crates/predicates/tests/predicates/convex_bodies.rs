//! Convex bodies that touch, against integers. A matrix that moves both bodies of a pair changes nothing about how they lie to each
//! other, so that bodies along the axes tell of skewed ones.

use xcollide_fixtures::Random;
use xcollide_predicates::{ConvexBody, MovedSolid, Point, Sign, Solid};

type Matrix = [[f64; 3]; 3];

fn sign(number: i64) -> Sign {
    Sign::of(number as f64)
}

fn float(v: [i64; 3]) -> Point {
    v.map(|x| x as f64)
}

fn determinant([[a, b, c], [d, e, f], [g, h, i]]: Matrix) -> f64 {
    a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

/// A matrix of small integers with an inverse; every other one only permutes axes and turns them round.
fn skewed(random: &mut Random) -> Matrix {
    loop {
        let plain = random.below(2) == 0;
        let mut matrix = [(); 3].map(|()| [(); 3].map(|()| random.integer(-2, 2) as f64));
        if plain {
            matrix = [[0.0; 3]; 3];
            let shift = random.below(3);
            for k in 0..3 {
                matrix[(k + shift) % 3][k] = (1 - 2 * random.integer(0, 1)) as f64;
            }
        }
        if determinant(matrix) != 0.0 {
            return matrix;
        }
    }
}

fn apply(matrix: Matrix, point: Point) -> Point {
    matrix.map(|[x, y, z]| x * point[0] + y * point[1] + z * point[2])
}

/// A solid about a center, everything moved by the matrix.
fn body(solid: Solid, matrix: Matrix, center: [i64; 3]) -> ConvexBody {
    let translation = apply(matrix, float(center));
    ConvexBody::of(&MovedSolid { solid, matrix, translation }).expect("it has an inverse")
}

/// The corners and faces of a box between two corners.
fn corners([low, high]: [[i64; 3]; 2]) -> Vec<Point> {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { low[k] } else { high[k] });
    (0..8).map(|i| float(corner(i))).collect()
}

pub(crate) const FACES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// The squared distance from the axis along z of a box, and of its farthest corner.
fn from_axis([low, high]: [[i64; 3]; 2]) -> [i64; 2] {
    let nearest = (0..2).map(|k| low[k].max(-high[k]).max(0).pow(2)).sum();
    let farthest = (0..2).map(|k| low[k].abs().max(high[k].abs()).pow(2)).sum();
    [nearest, farthest]
}

/// The greater of two signs: a point is inside if both are negative.
fn greater(one: i64, other: i64) -> Sign {
    sign(one).max(sign(other))
}

/// How a solid about the origin lies to a box, and whether the box is in it, and it in the box.
fn expected(solid: Solid, [low, high]: [[i64; 3]; 2]) -> (Sign, bool, bool) {
    let [nearest, farthest] = from_axis([low, high]);
    let int = |x: f64| x as i64;
    let fits = |k: usize, below: i64, above: i64| low[k] <= -below && above <= high[k];
    match solid {
        Solid::Cylinder { half, radius } => {
            let (h, r) = (int(half), int(radius));
            let ends = (low[2] - h).max(-h - high[2]);
            let inside = low[2] >= -h && high[2] <= h && farthest <= r * r;
            let holds = fits(0, r, r) && fits(1, r, r) && fits(2, h, h);
            (greater(ends, nearest - r * r), inside, holds)
        }
        Solid::Cone { half, radius } => {
            let (h, r) = (int(half), int(radius));
            let ends = (low[2] - h).max(-h - high[2]);
            // The cone is widest at the lowest place of the box, and narrowest at its highest.
            let wide = r * (h - low[2].max(-h));
            let narrow = r * (h - high[2]);
            let side = if ends > 0 { 1 } else { 4 * h * h * nearest - wide * wide };
            let inside = low[2] >= -h && high[2] <= h && 4 * h * h * farthest <= narrow * narrow;
            let holds = fits(0, r, r) && fits(1, r, r) && fits(2, h, h);
            // At the apex the width is 0.
            let sign = if ends == 0 && side <= 0 { Sign::Zero } else { greater(ends, side) };
            (sign, inside, holds)
        }
        Solid::Ellipsoid { half } => {
            let half = half.map(int);
            let part = |k: usize, x: i64| (x * half[(k + 1) % 3] * half[(k + 2) % 3]).pow(2);
            let all = (half[0] * half[1] * half[2]).pow(2);
            let near: i64 = (0..3).map(|k| part(k, low[k].max(-high[k]).max(0))).sum();
            let far: i64 = (0..3).map(|k| part(k, low[k].abs().max(high[k].abs()))).sum();
            (sign(near - all), far <= all, (0..3).all(|k| fits(k, half[k], half[k])))
        }
        _ => unreachable!("no round solid"),
    }
}

fn round(random: &mut Random) -> Solid {
    let mut size = || random.integer(1, 5) as f64;
    let (half, radius, other) = (size(), size(), size());
    match random.below(3) {
        0 => Solid::Cylinder { half, radius },
        1 => Solid::Cone { half, radius },
        _ => Solid::Ellipsoid { half: [half, radius, other] },
    }
}

/// Cylinders, cones and ellipsoids against boxes: by their triangles, as solids and as polytopes without a radius.
#[test]
fn round_solids_lie_to_boxes_as_integers_say() {
    let mut random = Random::new(21);
    let (mut counts, mut nested) = ([[0; 3]; 3], [0; 2]);
    for number in 0..900 {
        let solid = round(&mut random);
        // One in three may be around the solid, one in three in it.
        let (reach, most) = [(3, 6), (1, 1), (6, 2)][number % 3];
        let half = [(); 3].map(|()| random.integer(1, most));
        let center = [(); 3].map(|()| random.integer(-reach, reach));
        let ends = [-1, 1].map(|side| [0, 1, 2].map(|k| center[k] + side * half[k]));
        let (matrix, shift) = (skewed(&mut random), [(); 3].map(|()| random.integer(-5, 5)));
        let one = body(solid, matrix, shift);
        let there = [0, 1, 2].map(|k| center[k] + shift[k]);
        let (gap, inside, holds) = expected(solid, ends);
        let translation = apply(matrix, float(shift));
        let polytope = ConvexBody::rounded(&corners(ends), FACES, 0.0, matrix, translation);
        for other in [body(Solid::Cuboid { half: float(half) }, matrix, there), polytope.unwrap()] {
            assert_eq!(one.gap(&other), gap, "{solid:?} {ends:?} {matrix:?}");
            assert_eq!(other.gap(&one), gap);
            assert_eq!(other.is_in(&one), inside, "{solid:?} {ends:?}");
            assert_eq!(one.is_in(&other), holds, "{solid:?} {ends:?}");
        }
        // The surface alone, as long as nothing is inside.
        let moved: Vec<Point> = corners(ends)
            .into_iter()
            .map(|p| apply(matrix, [0, 1, 2].map(|k| p[k] + shift[k] as f64)))
            .collect();
        let triangles = FACES.iter().flat_map(|&[p, q, r, s]| [[p, q, r], [p, r, s]]);
        let least = triangles.map(|t| one.triangle_gap(&t.map(|i| moved[i as usize]))).min();
        let is_around = (0..3).all(|k| ends[0][k] < 0 && 0 < ends[1][k]);
        assert!(least == Some(gap) || is_around && gap.is_negative(), "{solid:?} {ends:?}");
        let kind = match solid {
            Solid::Cylinder { .. } => 0,
            Solid::Cone { .. } => 1,
            _ => 2,
        };
        counts[kind][(gap as i8 + 1) as usize] += 1;
        nested[0] += usize::from(inside);
        nested[1] += usize::from(holds);
    }
    assert!(counts.as_flattened().iter().all(|&count| count > 9), "{counts:?}");
    assert!(nested.iter().all(|&count| count > 9), "{nested:?}");
}

/// Polytopes with and without a radius: boxes, whose distances are those along the axes.
#[test]
fn rounded_boxes_lie_as_integers_say() {
    let mut random = Random::new(22);
    let (mut counts, mut nested) = ([0; 3], [0; 3]);
    for number in 0..1500 {
        // In every other pair the second is large.
        let mut any = |reach: i64, [least, most]: [i64; 2]| {
            let center = [(); 3].map(|()| random.integer(-reach, reach));
            let half = [(); 3].map(|()| random.integer(least, most));
            let ends = [-1, 1].map(|side| [0, 1, 2].map(|k| center[k] + side * half[k]));
            (ends, random.integer(0, 3))
        };
        let ((a, r), (b, s)) = if number % 2 == 0 {
            (any(1, [1, 2]), any(1, [2, 4]))
        } else {
            (any(5, [1, 4]), any(5, [1, 4]))
        };
        let mut matrix = [[0.0; 3]; 3];
        let shift = random.below(3);
        for k in 0..3 {
            matrix[(k + shift) % 3][k] = 1.0;
        }
        let new = |ends, radius: i64| {
            ConvexBody::rounded(&corners(ends), FACES, radius as f64, matrix, [2.0, -1.0, 0.5])
        };
        let (one, other) = (new(a, r).unwrap(), new(b, s).unwrap());
        let gaps = [0, 1, 2].map(|k| (b[0][k] - a[1][k]).max(a[0][k] - b[1][k]));
        let gap = if r + s == 0 {
            sign(*gaps.iter().max().unwrap())
        } else {
            sign(gaps.iter().map(|gap| gap.max(&0).pow(2)).sum::<i64>() - (r + s).pow(2))
        };
        assert_eq!(one.gap(&other), gap, "{a:?} {r} {b:?} {s}");
        let out =
            |k: usize, more: i64| (b[0][k] - a[0][k] + more).max(a[1][k] - b[1][k] + more).max(0);
        let inside = if s >= r {
            (0..3).map(|k| out(k, 0).pow(2)).sum::<i64>() <= (s - r).pow(2)
        } else {
            (0..3).all(|k| out(k, r - s) == 0)
        };
        assert_eq!(one.is_in(&other), inside, "{a:?} {r} {b:?} {s}");
        counts[(gap as i8 + 1) as usize] += 1;
        if inside {
            nested[((s - r).signum() + 1) as usize] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 4), "{counts:?}");
    assert!(nested.iter().all(|&count| count > 2), "{nested:?}");
}

/// Whole numbers that are the sides of right triangles.
fn pythagorean(random: &mut Random) -> ([i64; 2], i64) {
    let triples = [([3, 4], 5), ([0, 4], 4), ([6, 8], 10), ([0, 0], 0), ([5, 12], 13), ([0, 7], 7)];
    let ([mut a, mut b], length) = triples[random.below(triples.len())];
    a *= 1 - 2 * random.integer(0, 1);
    b *= 1 - 2 * random.integer(0, 1);
    (if random.below(2) == 0 { [a, b] } else { [b, a] }, length)
}

/// Ellipsoids that a matrix made of balls: against each other, and against cylinders that the same matrix moved.
#[test]
fn skewed_balls_lie_as_integers_say() {
    let mut random = Random::new(23);
    let (mut counts, mut nested) = ([[0; 3]; 2], [0; 2]);
    for number in 0..600 {
        let (matrix, [r, s]) = (skewed(&mut random), [(); 2].map(|()| random.integer(1, 9)));
        let ([x, y], across) = pythagorean(&mut random);
        let sphere = |radius: i64| Solid::Ellipsoid { half: [radius as f64; 3] };
        let one = body(sphere(r), matrix, [1, 2, 3]);
        if number % 2 == 0 {
            let z = random.integer(-2, 2) * random.integer(0, 3);
            let other = body(sphere(s), matrix, [1 + x, 2 + y, 3 + z]);
            let square = across.pow(2) + z.pow(2);
            let gap = sign(square - (r + s).pow(2));
            assert_eq!(one.gap(&other), gap, "{r} {s} {square} {matrix:?}");
            let inside = s >= r && square <= (s - r).pow(2);
            assert_eq!(one.is_in(&other), inside, "{r} {s} {square} {matrix:?}");
            counts[0][(gap as i8 + 1) as usize] += 1;
            nested[0] += usize::from(inside);
            continue;
        }
        let (half, z) = (random.integer(1, 5), random.integer(-9, 9));
        let solid = Solid::Cylinder { half: half as f64, radius: s as f64 };
        let other = body(solid, matrix, [1 + x, 2 + y, 3 + z]);
        let (over, beside) = (z.abs() - half, across - s);
        let gap = sign(over.max(0).pow(2) + beside.max(0).pow(2) - r.pow(2));
        assert_eq!(one.gap(&other), gap, "{r} {s} {half} {x} {y} {z} {matrix:?}");
        assert_eq!(other.gap(&one), gap);
        let inside = z.abs() + r <= half && across + r <= s;
        assert_eq!(one.is_in(&other), inside, "{r} {s} {half} {x} {y} {z}");
        let holds = (z.abs() + half).pow(2) + (across + s).pow(2) <= r.pow(2);
        assert_eq!(other.is_in(&one), holds, "{r} {s} {half} {x} {y} {z}");
        counts[1][(gap as i8 + 1) as usize] += 1;
        nested[1] += usize::from(inside || holds);
    }
    assert!(counts.as_flattened().iter().all(|&count| count > 2), "{counts:?}");
    assert!(nested.iter().all(|&count| count > 2), "{nested:?}");
}

/// Cylinders and capsules along the same direction, and capsules and balls that are ellipsoids by name.
#[test]
fn bodies_along_one_axis_lie_as_integers_say() {
    let mut random = Random::new(27);
    let mut counts = [[0; 3]; 3];
    for number in 0..600 {
        let kind = number % 3;
        let mut matrix = skewed(&mut random);
        // A capsule keeps its radius.
        while kind > 0 && matrix.as_flattened().iter().filter(|&&x| x != 0.0).count() != 3 {
            matrix = skewed(&mut random);
        }
        if kind > 0 && determinant(matrix).abs() != 1.0 {
            continue;
        }
        let ([x, y], across) = pythagorean(&mut random);
        let [half, radius, other, wide] = [(); 4].map(|()| random.integer(1, 5));
        let z = random.integer(-9, 9);
        let size = |x: i64| x as f64;
        let can = Solid::Cylinder { half: size(half), radius: size(radius) };
        let rod = Solid::Capsule { half: size(other), radius: size(wide) };
        let sphere = Solid::Ellipsoid { half: [size(radius); 3] };
        let here = |solid| body(solid, matrix, [1, 2, 3]);
        let there = |solid| body(solid, matrix, [1 + x, 2 + y, 3 + z]);
        let (over, beside) = (z.abs() - half - other, across - radius);
        let (one, second, expected) = match kind {
            0 => {
                let thick = Solid::Cylinder { half: size(other), radius: size(wide) };
                (here(can), there(thick), greater(over, beside - wide))
            }
            1 => {
                let square = over.max(0).pow(2) + beside.max(0).pow(2);
                (here(can), there(rod), sign(square - wide.pow(2)))
            }
            _ => {
                let square = (z.abs() - other).max(0).pow(2) + across.pow(2);
                (here(sphere), there(rod), sign(square - (radius + wide).pow(2)))
            }
        };
        assert_eq!(one.gap(&second), expected, "{kind} {x} {y} {z} {half} {radius} {other} {wide}");
        assert_eq!(second.gap(&one), expected);
        counts[kind][(expected as i8 + 1) as usize] += 1;
    }
    assert!(counts.as_flattened().iter().all(|&count| count > 2), "{counts:?}");
}

/// Cylinders along different axes: at a level between both axes each is a rectangle, whose sides are legs of right triangles.
#[test]
fn crossed_cylinders_lie_as_integers_say() {
    let mut random = Random::new(28);
    let mut counts = [0; 3];
    for _ in 0..3000 {
        let size = |random: &mut Random| [random.integer(1, 4), random.integer(1, 5)];
        let ([half, radius], [other, wide]) = (size(&mut random), size(&mut random));
        let shift = random.below(3);
        let center = [(); 3].map(|()| random.integer(-6, 6));
        // Along z, and along x; then all axes are exchanged.
        let mut upright = [[0.0; 3]; 3];
        let mut lying = [[0.0; 3]; 3];
        for k in 0..3 {
            upright[(k + shift) % 3][k] = 1.0;
            lying[(k + 1 + shift) % 3][k] = 1.0;
        }
        let place = |v: [i64; 3]| apply(upright, float(v));
        let of = |matrix, [half, radius]: [i64; 2], translation| {
            let solid = Solid::Cylinder { half: half as f64, radius: radius as f64 };
            ConvexBody::of(&MovedSolid { solid, matrix, translation }).unwrap()
        };
        let one = of(upright, [half, radius], place([0; 3]));
        let second = of(lying, [other, wide], place(center));
        // What is left of both squared radii at the nearest places along the axes.
        let over = (center[2].abs() - half).max(0);
        let beside = (center[0].abs() - other).max(0);
        let (p, q) = (radius * radius - beside * beside, wide * wide - over * over);
        // |y| ≤ √p + √q, squared twice.
        let rest = center[1] * center[1] - p - q;
        let expected = if p < 0 || q < 0 || rest > 0 && rest * rest > 4 * p * q {
            Sign::Positive
        } else if p == 0 || q == 0 || rest > 0 && rest * rest == 4 * p * q {
            Sign::Zero
        } else {
            Sign::Negative
        };
        assert_eq!(one.gap(&second), expected, "{half} {radius} {other} {wide} {center:?}");
        assert_eq!(second.gap(&one), expected);
        counts[(expected as i8 + 1) as usize] += 1;
        // Points of both, on a lattice of quarters, are no contradiction.
        let inner = (-40..=40).any(|i| {
            let y = i as f64 * 0.25;
            let near = |from: f64, r: i64, d: i64| from * from + (d * d) as f64 - ((r * r) as f64);
            near(y, radius, beside) < 0.0 && near(y - center[1] as f64, wide, over) < 0.0
        });
        assert!(!inner || expected.is_negative());
    }
    assert!(counts.iter().all(|&count| count > 50), "{counts:?}");
}

/// Balls about cones with sides 3, 4 and 5, and round bodies within each other.
#[test]
fn balls_and_cones_lie_as_integers_say() {
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // At the height z the radius is 3 (4 − z) / 4 · 1/1: from 6 at −4 to 0 at 4.
    let cone = Solid::Cone { half: 4.0, radius: 6.0 };
    let at = |solid, center| body(solid, identity, center);
    let apex_up = at(cone, [0; 3]);
    let ball = |radius: i64| Solid::Capsule { half: 0.0, radius: radius as f64 };
    let mut random = Random::new(24);
    let (mut counts, mut inside) = ([0; 3], 0);
    for _ in 0..600 {
        let ([x, y], across) = pythagorean(&mut random);
        let (z, radius) = (random.integer(-12, 12), random.integer(1, 6));
        let other = at(ball(radius), [x, y, z]);
        // In the plane of axis and center: the side goes from (6, −4) to (0, 4), and is 10 long.
        let (along, away) = (-6 * (across - 6) + 8 * (z + 4), 8 * (across - 6) + 6 * (z + 4));
        let square = 100 * radius.pow(2);
        let from = |u: i64, v: i64| 100 * ((across - u).pow(2) + (z - v).pow(2));
        let is_inside = away <= 0 && z >= -4;
        let distance = if is_inside {
            0
        } else if z <= -4 && across <= 6 {
            from(across, -4)
        } else if along <= 0 {
            from(6, -4)
        } else if along >= 100 {
            from(0, 4)
        } else {
            away.pow(2)
        };
        let expected = sign(distance - square);
        assert_eq!(apex_up.gap(&other), expected, "{x} {y} {z} {radius}");
        counts[(expected as i8 + 1) as usize] += 1;
        let is_in = is_inside && z - radius >= -4 && away.pow(2) >= square;
        assert_eq!(other.is_in(&apex_up), is_in, "{x} {y} {z} {radius}");
        inside += usize::from(is_in);
        let holds = (across + 6).pow(2) + (z + 4).pow(2) <= radius.pow(2)
            && across.pow(2) + (z - 4).pow(2) <= radius.pow(2);
        assert_eq!(apex_up.is_in(&other), holds);
    }
    assert!(counts.iter().all(|&count| count > 6) && inside > 1, "{counts:?} {inside}");
    // A cone fits in its cylinder; a cylinder of half its radius under its apex.
    let can = |half, radius| Solid::Cylinder { half, radius };
    assert!(apex_up.is_in(&at(can(4.0, 6.0), [0; 3])));
    assert!(!apex_up.is_in(&at(can(4.0, 6.0_f64.next_down()), [0; 3])));
    assert!(at(can(2.0, 3.0), [0, 0, -2]).is_in(&apex_up));
    assert!(!at(can(2.0, 3.0_f64.next_up()), [0, 0, -2]).is_in(&apex_up));
    assert!(at(can(2.0, 1.0), [2, 0, -2]).is_in(&apex_up));
    assert!(at(Solid::Cone { half: 2.0, radius: 3.0 }, [3, 0, -2]).is_in(&apex_up));
    assert!(!at(Solid::Cone { half: 2.0, radius: 3.0 }, [0, 4, -2]).is_in(&apex_up));
}

/// The same body as another solid or polytope: a point with a radius is a ball, a segment a capsule, an ellipsoid with equal axes a ball.
/// All tell the same of any other body, at turned poses, too.
#[test]
fn names_do_not_matter() {
    let mut random = Random::new(25);
    let turned = [[0.6, -0.8, 0.0], [0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let mut counts = [0; 3];
    for number in 0..60 {
        let place = |random: &mut Random| [(); 3].map(|()| random.integer(-6, 6) as f64 * 0.5);
        let (translation, there) = (place(&mut random), place(&mut random));
        let [radius, half] = [(); 2].map(|()| random.integer(1, 4) as f64 * 0.5);
        let matrix = if number % 2 == 0 { turned } else { identity };
        let of = |solid| ConvexBody::of(&MovedSolid { solid, matrix, translation }).unwrap();
        let polytope = |points: &[Point], face: &[u32]| {
            ConvexBody::rounded(points, [face], radius, matrix, translation).unwrap()
        };
        let ends = [[0.0, 0.0, -half], [0.0, 0.0, half]];
        let pairs = [
            [of(Solid::Capsule { half: 0.0, radius }), polytope(&[[0.0; 3]], &[0])],
            [of(Solid::Capsule { half, radius }), polytope(&ends, &[0, 1])],
            [
                ConvexBody::of(&MovedSolid {
                    solid: Solid::Capsule { half: 0.0, radius },
                    matrix: identity,
                    translation,
                })
                .unwrap(),
                ConvexBody::of(&MovedSolid {
                    solid: Solid::Ellipsoid { half: [radius; 3] },
                    matrix: identity,
                    translation,
                })
                .unwrap(),
            ],
        ];
        let other = |solid| MovedSolid { solid, matrix, translation: there };
        let others = [
            Solid::Cuboid { half: [1.0, 0.5, 1.5] },
            Solid::Capsule { half: 1.0, radius: 1.0 },
            Solid::Ellipsoid { half: [1.0, 0.5, 1.5] },
            Solid::Cylinder { half: 1.0, radius: 1.0 },
        ]
        .map(|solid| ConvexBody::of(&other(solid)).unwrap());
        let triangle = [there, place(&mut random), place(&mut random)];
        for [one, same] in pairs {
            assert_eq!(one.triangle_gap(&triangle), same.triangle_gap(&triangle));
            assert_eq!(one.side(there), same.side(there));
            let up = place(&mut random);
            assert_eq!(one.heights(up, there), same.heights(up, there));
            for other in &others {
                let gap = one.gap(other);
                assert_eq!(same.gap(other), gap, "{one:?} {other:?}");
                assert_eq!(other.gap(&one), gap);
                counts[(gap as i8 + 1) as usize] += 1;
                assert_eq!(one.is_in(other), same.is_in(other), "{one:?} {other:?}");
                assert_eq!(other.is_in(&one), other.is_in(&same), "{one:?} {other:?}");
            }
            assert!(one.is_in(&same), "{one:?}");
            assert!(same.is_in(&one), "{one:?}");
            assert!(one.gap(&same).is_negative());
        }
    }
    assert!(counts.iter().all(|&count| count > 4), "{counts:?}");
}

/// A triangle that reaches into a round body has a point there, and one that does not has none: by many points of the triangle.
#[test]
fn triangles_lie_as_their_points_do() {
    let mut random = Random::new(26);
    let mut counts = [0; 3];
    for _ in 0..500 {
        let solid = round(&mut random);
        let matrix = skewed(&mut random);
        let one = body(solid, matrix, [0; 3]);
        let triangle = [(); 3].map(|()| float([(); 3].map(|()| random.integer(-9, 9))));
        let gap = one.triangle_gap(&triangle);
        counts[(gap as i8 + 1) as usize] += 1;
        let mut least = Sign::Positive;
        for weights in (0..=12).flat_map(|i| (0..=12 - i).map(move |j| [i, j, 12 - i - j])) {
            let point = [0, 1, 2].map(|k| {
                (0..3).map(|i| f64::from(weights[i]) * triangle[i][k]).sum::<f64>() / 12.0
            });
            // Exact at multiples of a third or not, the point is near the triangle.
            least = least.min(one.side(point));
        }
        assert!(gap <= least || least.is_zero(), "{solid:?} {triangle:?} {matrix:?}");
    }
    assert!(counts[0] > 100 && counts[2] > 30, "{counts:?}");
}
