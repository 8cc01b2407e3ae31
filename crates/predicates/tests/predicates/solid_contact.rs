//! Solids that touch, against integers: axis-parallel segments and rectangles are boxes, whose distances have no roots.

use xcollide_fixtures::Random;
use xcollide_predicates::{ConvexBody, MovedSolid, Point, Sign, Solid, triangles_intersect};

type Box3 = [[i64; 3]; 2];

/// The axis of the frame goes along an axis of the world.
fn turned(axis: usize) -> [[f64; 3]; 3] {
    let mut matrix = [[0.0; 3]; 3];
    for k in 0..3 {
        matrix[(k + axis + 1) % 3][k] = 1.0;
    }
    matrix
}

fn float(v: [i64; 3]) -> Point {
    v.map(|x| x as f64)
}

/// A capsule or, of length 0, a ball along an axis, and the box of its axis.
fn capsule(random: &mut Random, radius: i64) -> (MovedSolid, Box3) {
    let (axis, half) = (random.below(3), random.integer(0, 3) * random.integer(0, 1));
    let center = [(); 3].map(|()| random.integer(-9, 9));
    let mut sides = [center; 2];
    sides[0][axis] -= half;
    sides[1][axis] += half;
    let solid = Solid::Capsule { half: half as f64, radius: radius as f64 };
    (MovedSolid { solid, matrix: turned(axis), translation: float(center) }, sides)
}

fn body(moved: &MovedSolid) -> ConvexBody {
    ConvexBody::of(moved).expect("a bounded solid")
}

fn squared_gap([a, b]: Box3, [c, d]: Box3) -> i64 {
    (0..3).map(|k| (c[k] - b[k]).max(a[k] - d[k]).max(0).pow(2)).sum()
}

fn sign(number: i64) -> Sign {
    Sign::of(number as f64)
}

/// Radii of whole numbers, so that many pairs touch: along an axis, or as 3, 4 and 5 or 2, 3, 6 and 7.
#[test]
fn capsules_lie_as_integers_say() {
    let mut random = Random::new(3);
    let (mut counts, mut nested) = ([0; 3], [0; 2]);
    for _ in 0..20_000 {
        let [r, s] = [random.integer(1, 6), random.integer(1, 6)];
        let ((a, box_a), (b, box_b)) = (capsule(&mut random, r), capsule(&mut random, s));
        let expected = sign(squared_gap(box_a, box_b) - (r + s).pow(2));
        assert_eq!(body(&a).gap(&body(&b)), expected, "{a:?} {b:?}");
        counts[(expected as i8 + 1) as usize] += 1;
        // A capsule is in another one if both ends are.
        let end = |corner: [i64; 3]| squared_gap([corner; 2], box_b) <= (s - r).pow(2);
        let is_in = s >= r && box_a.into_iter().all(end);
        assert_eq!(body(&a).is_in(&body(&b)), is_in, "{a:?} {b:?}");
        nested[usize::from(is_in)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 40) && nested[1] > 50, "{counts:?} {nested:?}");
}

/// Both triangles of an axis-parallel rectangle, which is a flat box: the nearer one decides. Axes that pass through it are in it.
#[test]
fn capsules_lie_to_rectangles_as_integers_say() {
    let mut random = Random::new(4);
    let mut counts = [0; 3];
    for _ in 0..4000 {
        let radius = random.integer(1, 7);
        let (moved, of_axis) = capsule(&mut random, radius);
        let (axis, low) = (random.below(3), [(); 3].map(|()| random.integer(-9, 9)));
        let mut high = low;
        let [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
        high[i] += random.integer(1, 6);
        high[j] += random.integer(1, 6);
        let [mut p, mut q] = [low; 2];
        (p[i], q[j]) = (high[i], high[j]);
        let gap = |triangle: [[i64; 3]; 3]| body(&moved).triangle_gap(&triangle.map(float));
        let found = gap([low, p, high]).min(gap([low, high, q]));
        let expected = sign(squared_gap(of_axis, [low, high]) - radius.pow(2));
        assert_eq!(found, expected, "{moved:?} {low:?} {high:?}");
        counts[(expected as i8 + 1) as usize] += 1;
    }
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
}

/// Planes with normals of whole length, whose roots are whole: heights are integers.
#[test]
fn heights_are_those_of_integers() {
    let mut random = Random::new(5);
    let normals = [[2, 3, 6, 7], [1, 2, 2, 3], [0, 3, 4, 5], [0, 0, 1, 1], [4, 4, 7, 9]];
    let mut zeros = [0; 6];
    for round in 0..30_000 {
        let [a, b, c, length] = normals[random.below(normals.len())];
        let axis = random.below(3);
        let mut normal = [a, b, c];
        normal.rotate_left(random.below(3));
        for x in &mut normal {
            *x *= 1 - 2 * random.integer(0, 1);
        }
        let center = [(); 3].map(|()| random.integer(-6, 6));
        let point = [(); 3].map(|()| random.integer(-6, 6));
        let [half, radius] = [random.integer(1, 5), random.integer(1, 5)];
        let sizes = [(); 3].map(|()| random.integer(1, 4));
        let matrix = turned(axis);
        // The normal in the frame.
        let local = [0, 1, 2].map(|k| normal[(k + axis + 1) % 3]);
        let base: i64 = (0..3).map(|k| normal[k] * (center[k] - point[k])).sum();
        let across = local[0].pow(2) + local[1].pow(2);
        let root = (across as f64).sqrt() as i64;
        let is_whole = root * root == across;
        let along = half * local[2].abs();
        let sum: i64 = (0..3).map(|k| sizes[k] * local[k].abs()).sum();
        let kind = round % 6;
        let [half_size, float_radius] = [half as f64, radius as f64];
        let (solid, below, above) = match kind {
            0 => (
                Solid::Capsule { half: 0.0, radius: float_radius },
                radius * length,
                radius * length,
            ),
            1 => {
                let size = along + radius * length;
                (Solid::Capsule { half: half_size, radius: float_radius }, size, size)
            }
            2 => (Solid::Cuboid { half: float(sizes) }, sum, sum),
            3 if is_whole => {
                let size = along + radius * root;
                (Solid::Cylinder { half: half_size, radius: float_radius }, size, size)
            }
            4 if is_whole => {
                // The base is at −half, the apex at half.
                let end = half * local[2];
                let [low, high] = [(-end - radius * root).min(end), (radius * root - end).max(end)];
                (Solid::Cone { half: half_size, radius: float_radius }, -low, high)
            }
            // A ball by another name.
            5 => (Solid::Ellipsoid { half: [float_radius; 3] }, radius * length, radius * length),
            _ => continue,
        };
        let moved = MovedSolid { solid, matrix, translation: float(center) };
        let expected = [sign(base - below), sign(base + above)];
        assert_eq!(body(&moved).heights(float(normal), float(point)), expected, "{moved:?}");
        zeros[kind] += usize::from(expected.contains(&Sign::Zero));
    }
    assert!(zeros.iter().all(|&count| count > 20), "{zeros:?}");
    let ground = MovedSolid { solid: Solid::HalfSpace, matrix: turned(2), translation: [0.0; 3] };
    assert!(ConvexBody::of(&ground).is_none());
}

/// An ellipsoid touches a plane where its sum of squares says so: half axes 3, 4 and 12 along 1, 1 and 1 reach 13.
#[test]
fn an_ellipsoid_reaches_as_far_as_its_root() {
    let solid = Solid::Ellipsoid { half: [3.0, 4.0, 12.0] };
    let at = |x: f64| {
        let moved = MovedSolid { solid, matrix: turned(2), translation: [x, 0.0, 0.0] };
        body(&moved).heights([1.0; 3], [0.0; 3])
    };
    assert_eq!(at(13.0), [Sign::Zero, Sign::Positive]);
    assert_eq!(at(13.0_f64.next_up()), [Sign::Positive; 2]);
    assert_eq!(at(-13.0_f64), [Sign::Negative, Sign::Zero]);
}

/// A box under an integer matrix that need not be a rotation, so that all corners are integers.
fn skewed_box(random: &mut Random) -> MovedSolid {
    loop {
        let matrix = [(); 3].map(|()| [(); 3].map(|()| random.integer(-2, 2) as f64));
        let [[a, b, c], [d, e, f], [g, h, i]] = matrix;
        if a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) != 0.0 {
            let half = [(); 3].map(|()| random.integer(1, 3) as f64);
            let translation = [(); 3].map(|()| random.integer(-7, 7) as f64);
            return MovedSolid { solid: Solid::Cuboid { half }, matrix, translation };
        }
    }
}

fn corner(body: &MovedSolid, half: [f64; 3], number: usize) -> Point {
    let local = [0, 1, 2].map(|k| if number >> k & 1 == 0 { -half[k] } else { half[k] });
    body.exact_point(local).expect("integers")
}

/// Whether a point is in a box: by Cramer's rule, without rounding.
fn has(body: &MovedSolid, p: Point) -> bool {
    let Solid::Cuboid { half } = body.solid else { return false };
    let det = |[[a, b, c], [d, e, f], [g, h, i]]: [[f64; 3]; 3]| {
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    };
    (0..3).all(|k| {
        let mut replaced = body.matrix;
        (0..3).for_each(|row| replaced[row][k] = p[row] - body.translation[row]);
        det(replaced).abs() <= half[k] * det(body.matrix).abs()
    })
}

/// Whether the closed boxes meet: by their triangles, or by a center in the other one.
fn meet(a: &MovedSolid, b: &MovedSolid) -> bool {
    const FACES: [[usize; 4]; 6] =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles = |body: &MovedSolid| {
        let Solid::Cuboid { half } = body.solid else { return Vec::new() };
        let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|number| corner(body, half, number));
        let of_face = |[p, q, r, s]: [usize; 4]| [[p, q, r], [p, r, s]];
        FACES.into_iter().flat_map(of_face).map(|face| face.map(|k| corners[k])).collect()
    };
    let (of_a, of_b) = (triangles(a), triangles(b));
    has(a, b.translation)
        || has(b, a.translation)
        || of_a.iter().any(|s| of_b.iter().any(|t| triangles_intersect(s, t)))
}

/// The same with halves that are smaller by a millionth.
fn shrunk(body: &MovedSolid) -> MovedSolid {
    let Solid::Cuboid { half } = body.solid else { return *body };
    let half = half.map(|half| half * (1.0 - f64::powi(2.0, -20)));
    MovedSolid { solid: Solid::Cuboid { half }, ..*body }
}

/// Boxes meet if a triangle or a center does; and their interiors do if they still meet when they are a little smaller.
#[test]
fn boxes_lie_as_their_triangles_say() {
    let mut random = Random::new(8);
    let (mut counts, mut nested) = ([0; 3], [0; 2]);
    for round in 0..3000 {
        let (mut a, mut b) = (skewed_box(&mut random), skewed_box(&mut random));
        if round % 10 == 1 {
            let Solid::Cuboid { half } = b.solid else { continue };
            let half = half.map(|half| random.integer(1, half as i64) as f64);
            a = MovedSolid { solid: Solid::Cuboid { half }, ..b };
        }
        if round % 3 == 0 {
            // Stacked on a face of the first one, or on its edge.
            let Solid::Cuboid { half } = a.solid else { continue };
            let [one, other] = [0, random.below(8)].map(|number| corner(&a, half, number));
            let Solid::Cuboid { half } = b.solid else { continue };
            let own = corner(&b, half, random.below(8));
            b.translation =
                [0, 1, 2].map(|k| b.translation[k] - own[k] + 0.5 * (one[k] + other[k]));
        }
        let expected = match (meet(&a, &b), meet(&shrunk(&a), &shrunk(&b))) {
            (false, _) => Sign::Positive,
            (true, false) => Sign::Zero,
            (true, true) => Sign::Negative,
        };
        assert_eq!(body(&a).gap(&body(&b)), expected, "{a:?} {b:?}");
        assert_eq!(body(&b).gap(&body(&a)), expected);
        counts[(expected as i8 + 1) as usize] += 1;
        let Solid::Cuboid { half } = a.solid else { continue };
        let is_in = (0..8).all(|number| has(&b, corner(&a, half, number)));
        assert_eq!(body(&a).is_in(&body(&b)), is_in, "{a:?} {b:?}");
        nested[usize::from(is_in)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 100) && nested[1] > 5, "{counts:?} {nested:?}");
}
