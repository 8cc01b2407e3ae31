//! The search for the origin: against exact integers where sets are small, against all differences
//! where they are not, and its kernels against each other, bit for bit.
#![allow(clippy::unwrap_used)]

use xcollide_bounds::Motion;
use xcollide_scenes::Random;
use xcollide_tree::{Found, Met, NormalFan, Origin, OriginSearch, PointSet, Start};

#[path = "support/brute_hull.rs"]
mod brute_hull;

use brute_hull::{arcs, on_sphere};

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn determinant(a: Vector, b: Vector, c: Vector) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

fn below(random: &mut Random, limit: usize) -> usize {
    (random.bits() % limit as u64) as usize
}

struct Sets {
    points: [Vec<Vector>; 2],
    motions: [Motion; 2],
    shift: Vector,
}

impl Sets {
    /// Of up to 70 points, of integers up to 2 in every third case, else anywhere and turned.
    fn random(random: &mut Random, case: usize) -> Self {
        let coarse = case.is_multiple_of(3);
        let mut points = [(); 2].map(|()| {
            let count = 1 + below(random, if case.is_multiple_of(5) { 70 } else { 12 });
            let point = |random: &mut Random| {
                [(); 3].map(|()| {
                    let x = random.between(-1.0, 1.0);
                    if coarse { (2.4 * x).round() } else { x }
                })
            };
            (0..count).map(|_| point(random)).collect::<Vec<Vector>>()
        });
        if case.is_multiple_of(7) {
            points[1] = points[0].clone();
        }
        let motions = [(); 2].map(|()| {
            if coarse {
                let shift = [(); 3].map(|()| random.between(-3.0, 3.0).round());
                return Motion::new(Motion::IDENTITY.rotation, shift);
            }
            Motion::new(rotation(random.rotation()), [(); 3].map(|()| random.between(-0.9, 0.9)))
        });
        let shift = if case.is_multiple_of(4) { [1e-14, -2e-14, 3e-15] } else { [0.0; 3] };
        Self { points, motions, shift }
    }

    fn differences(&self) -> Vec<Vector> {
        let [a, b] = [0, 1].map(|i| {
            self.points[i].iter().map(|&p| self.motions[i].apply(p)).collect::<Vec<Vector>>()
        });
        a.iter().flat_map(|&p| b.iter().map(move |&q| sub(q, p))).collect()
    }

    /// The point of A and that of B.
    fn difference(&self, [p, q]: [u32; 2]) -> Vector {
        let [p, q] =
            [(0, p), (1, q)].map(|(i, at)| self.motions[i].apply(self.points[i][at as usize]));
        sub(q, p)
    }
}

fn rotation([x, y, z, w]: [f64; 4]) -> [Vector; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)],
        [2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)],
        [2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// What is found from a direction on, by all kernels.
fn found(sets: &Sets, direction: Vector) -> Found {
    let points = sets.points.each_ref().map(|points| PointSet::new(points));
    let search = search(sets, [&points[0], &points[1]], [None; 2]);
    let start = Start::Direction(direction);
    let found = search.run(start);
    assert_eq!(bits(&found), bits(&search.run_portable(start)), "{:?}", sets.points);
    found
}

fn search<'a>(
    sets: &'a Sets,
    points: [&'a PointSet; 2],
    fans: [Option<&'a NormalFan>; 2],
) -> OriginSearch<'a> {
    let motions = [&sets.motions[0], &sets.motions[1]];
    OriginSearch { sets: points, fans, motions, shift: sets.shift }
}

/// NaN and the two zeros are told apart.
fn bits(found: &Found) -> String {
    format!("{found:?}")
}

/// What each answer promises, of all differences; with an error far above that of the rounding.
fn check(sets: &Sets, found: &Found) {
    const ERROR: f64 = 1e-12;
    let Found { origin, last, probes } = *found;
    let Met { direction, ends, difference, gap, heights } = last;
    assert!(probes <= 64);
    if probes > 0 {
        assert_eq!(difference, sets.difference(ends));
        assert_eq!(gap, dot(direction, difference));
        assert!((heights[1] - heights[0] - gap).abs() <= ERROR * dot(direction, direction).sqrt());
    }
    match origin {
        Origin::Beyond => {
            let least = sets.differences().into_iter().map(|d| dot(direction, d));
            let least = least.fold(f64::INFINITY, f64::min);
            assert!(gap > 0.0 && least >= gap - ERROR * dot(direction, direction).sqrt());
        }
        Origin::Held(ends) => {
            let [a, b, c, d] = ends.map(|ends| sub(sets.difference(ends), sets.shift));
            let parts = [
                determinant(b, c, d),
                -determinant(a, c, d),
                determinant(a, b, d),
                -determinant(a, b, c),
            ];
            let all: f64 = parts.iter().sum();
            assert!(parts.iter().all(|part| part / all >= -1e-7), "{parts:?}");
        }
        Origin::Near => {}
    }
}

#[test]
fn answers_are_what_they_promise_and_all_kernels_agree() {
    let mut random = Random::new(11);
    let (mut beyond, mut held, mut near) = (0, 0, 0);
    for case in 0..4000 {
        let sets = Sets::random(&mut random, case);
        let direction = if case % 2 == 0 { random.direction() } else { [0.0, 0.0, 2.0] };
        let found = found(&sets, direction);
        check(&sets, &found);
        match found.origin {
            Origin::Beyond => beyond += 1,
            Origin::Held(_) => held += 1,
            Origin::Near => near += 1,
        }
    }
    assert!(beyond > 500 && held > 500 && near > 5, "{beyond} {held} {near}");
}

/// Integers: every determinant is exact, so it is known where the origin is. Strictly inside and strictly
/// outside it is found, whatever the first direction.
#[test]
fn of_integers_nothing_is_mistaken() {
    let mut random = Random::new(5);
    let (mut inside, mut outside, mut given_up) = (0, 0, 0);
    for case in 0..1500 {
        let mut point = || [(); 3].map(|()| random.between(-4.0, 4.0).round());
        let points = [(); 2].map(|()| (0..4).map(|_| point()).collect::<Vec<Vector>>());
        let mut motions = [Motion::IDENTITY; 2];
        motions[1].translation = point();
        let sets = Sets { points, motions, shift: [0.0; 3] };
        let found = found(&sets, [[1.0, 0.0, 0.0], [0.3, -0.5, 0.7]][case % 2]);
        check(&sets, &found);
        let differences = sets.differences();
        let flat =
            |&a: &Vector, &b: &Vector| differences.iter().all(|&c| determinant(a, b, c) == 0.0);
        if differences.iter().all(|a| differences.iter().all(|b| flat(a, b))) {
            continue;
        }
        match place(&differences) {
            Place::Inside => {
                inside += 1;
                given_up += u32::from(found.origin == Origin::Near);
                assert!(found.origin != Origin::Beyond);
            }
            Place::Outside => {
                outside += 1;
                assert_eq!(found.origin, Origin::Beyond, "{:?}", sets.points);
            }
            Place::Border => assert!(found.origin != Origin::Beyond),
        }
    }
    assert!(inside > 200 && outside > 200, "{inside} {outside}");
    // Where the origin is on a face between corners, it is in two tetrahedra and strictly in none.
    assert!(given_up * 10 < inside, "{given_up} of {inside}");
}

enum Place {
    Inside,
    Border,
    Outside,
}

/// By all planes through three differences, or two and the origin: exact for small integers.
fn place(differences: &[Vector]) -> Place {
    let cross = |a: Vector, b: Vector| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    // All on one side of a plane through the origin and two of them, or strictly in front of one: then
    // the origin is no inner point. The rays of a pointed cone are among the normals of such planes.
    let mut normals: Vec<Vector> = Vec::new();
    for (i, &a) in differences.iter().enumerate() {
        for &b in &differences[..i] {
            normals.push(cross(a, b));
        }
    }
    let mut closed = Vec::new();
    for normal in normals {
        for sign in [1.0, -1.0] {
            let normal = normal.map(|x| sign * x);
            let front = differences.iter().all(|&d| dot(normal, d) >= 0.0);
            if front && normal != [0.0; 3] {
                closed.push(normal);
            }
        }
    }
    if closed.is_empty() {
        // They span the space, so a cone of vectors that are in front of all has such rays.
        return Place::Inside;
    }
    // The sum of all supporting normals is in front of everything, if anything is.
    let sum = closed.iter().fold([0.0; 3], |s, n| [s[0] + n[0], s[1] + n[1], s[2] + n[2]]);
    if differences.iter().all(|&d| dot(sum, d) > 0.0) { Place::Outside } else { Place::Border }
}

/// A simplex that does not hold the origin is as good a start as any.
#[test]
fn a_search_goes_on_from_a_feature() {
    let mut random = Random::new(3);
    let (mut same, mut total) = (0, 0);
    for case in 1..2000 {
        let sets = Sets::random(&mut random, 3 * case + 1);
        let points = sets.points.each_ref().map(|points| PointSet::new(points));
        let search = search(&sets, [&points[0], &points[1]], [None; 2]);
        let direct = search.run(Start::Direction([1.0, 0.2, 0.1]));
        let mut some = || {
            let ends = sets.points.each_ref().map(|points| below(&mut random, points.len()) as u32);
            (sub(sets.difference(ends), sets.shift), ends)
        };
        let corner = some();
        if dot(corner.0, corner.0) == 0.0 {
            continue;
        }
        let start = Start::Feature { corners: &[corner], direction: corner.0 };
        let found = search.run(start);
        check(&sets, &found);
        assert_eq!(bits(&found), bits(&search.run_portable(start)));
        total += 1;
        same += u32::from(
            std::mem::discriminant(&found.origin) == std::mem::discriminant(&direct.origin),
        );
    }
    assert!(same * 100 >= total * 99, "{same} of {total}");
    let set = PointSet::new(&[[0.0; 3]]);
    let search = OriginSearch {
        sets: [&set, &set],
        fans: [None; 2],
        motions: [&Motion::IDENTITY, &Motion::IDENTITY],
        shift: [0.0; 3],
    };
    let nothing = search.run(Start::Feature { corners: &[], direction: [1.0, 0.0, 0.0] });
    assert_eq!((nothing.origin, nothing.probes), (Origin::Near, 0));
    let coincide = search.run(Start::Direction([1.0, 0.0, 0.0]));
    assert_eq!(coincide.origin, Origin::Near, "two points that coincide");
}

/// Looked up or looked at, the origin is in the same place, on all kernels.
#[test]
fn what_is_looked_up_is_as_good_as_what_is_looked_at() {
    let mut random = Random::new(8);
    let (mut held, mut beyond) = (0, 0);
    for case in 0..24 {
        let counts = [33 + case % 9, if case % 4 == 0 { 12 } else { 36 }];
        let points = counts.map(|count| on_sphere(&mut random, count));
        let fans = points.each_ref().map(|points| NormalFan::new(points, &arcs(points)));
        let of_points = points.each_ref().map(|points| PointSet::new(points));
        for pose in 0..200 {
            // Most of them nearly in touch.
            let apart = if pose % 3 == 0 { random.between(0.2, 2.2) } else { 1.9 };
            let shift = random.direction().map(|x| apart * x);
            let turn = rotation(random.rotation());
            let motions = [Motion::new(turn, [0.3; 3]), Motion::new(turn, shift.map(|x| x + 0.3))];
            let sets = Sets { points: points.clone(), motions, shift: [0.0; 3] };
            let of_points = [&of_points[0], &of_points[1]];
            let looked_at = search(&sets, of_points, [None; 2]);
            // The second has none where there are few.
            let second = (counts[1] > 32).then_some(&fans[1]);
            let looked_up = search(&sets, of_points, [Some(&fans[0]), second]);
            let start = Start::Direction(shift);
            let [at, up] = [looked_at.run(start), looked_up.run(start)];
            check(&sets, &up);
            assert_eq!(bits(&up), bits(&looked_up.run_portable(start)));
            let kinds = [at.origin, up.origin].map(|origin| std::mem::discriminant(&origin));
            assert_eq!(kinds[0], kinds[1]);
            held += u32::from(matches!(up.origin, Origin::Held(_)));
            beyond += u32::from(up.origin == Origin::Beyond);
        }
    }
    assert!(held > 500 && beyond > 500, "{held} {beyond}");
}
