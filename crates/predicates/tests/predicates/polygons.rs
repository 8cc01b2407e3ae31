//! Points and segments against polygons: the algorithms agree with each other and with a referee.

use crate::referee;

use proptest::prelude::*;
use referee::{Grid, Random, RandomGrid as _, area, locate, to_f64};
use xcollide_predicates::polygon::{
    ConvexPolygon, Indexed, Location, Projection, point_in_polygon, polygon_is_planar,
    segment_intersects_polygon,
};
use xcollide_predicates::{Point, segment_intersects_triangle};

type Flat = [i64; 2];

/// Planes in space by what becomes of (x, y): exact for small integers, on each side of each
/// coordinate plane.
const PLANES: [fn(Flat) -> Grid; 7] = [
    |[x, y]| [x, y, 0],
    |[x, y]| [y, x, 5],
    |[x, y]| [x, 3, y],
    |[x, y]| [-7, x, y],
    |[x, y]| [x, y, 2 * x - 3 * y + 1],
    |[x, y]| [3 * x + y, x - 5 * y, y],
    |[x, y]| [x - y, x, 4 * y - x],
];

fn lift(points: &[Flat], plane: fn(Flat) -> Grid) -> Vec<Point> {
    points.iter().map(|&p| plane(p).map(|x| x as f64)).collect()
}

fn as_number(location: Location) -> i32 {
    match location {
        Location::Inside => 1,
        Location::Border => 0,
        Location::Outside => -1,
    }
}

/// A polygon around the origin with vertices in angular order: simple, mostly not convex.
fn star(random: &mut Random, limit: i64, most: usize) -> Vec<Flat> {
    let mut vertices: Vec<Flat> = (0..3 + random.below(most))
        .map(|_| [random.within(limit), random.within(limit)])
        .filter(|&p| p != [0, 0])
        .collect();
    let half = |p: Flat| p[1] < 0 || (p[1] == 0 && p[0] < 0);
    let compare = |&a: &Flat, &b: &Flat| half(a).cmp(&half(b)).then(0.cmp(&area([0, 0], a, b)));
    vertices.sort_by(compare);
    vertices.dedup_by(|b, a| compare(a, b).is_eq());
    vertices
}

/// The convex hull, with all points on its border kept if asked (Andrew's monotone chain).
fn hull(random: &mut Random, limit: i64, count: usize, straight_angles: bool) -> Vec<Flat> {
    let mut points: Vec<Flat> =
        (0..count).map(|_| [random.within(limit), random.within(limit)]).collect();
    points.sort_unstable();
    points.dedup();
    let chain = |points: &mut dyn Iterator<Item = Flat>| {
        let mut chain: Vec<Flat> = Vec::new();
        for p in points {
            while let [.., a, b] = chain[..] {
                let turn = area(a, b, p);
                if turn < 0 || (turn == 0 && !straight_angles) {
                    chain.pop();
                } else {
                    break;
                }
            }
            chain.push(p);
        }
        chain.pop();
        chain
    };
    let mut hull = chain(&mut points.iter().copied());
    hull.extend(chain(&mut points.iter().rev().copied()));
    hull
}

/// Whether the points are not all on a line; those of a polygon that are have no plane to be in.
fn spans_a_plane(points: &[Flat]) -> bool {
    points.iter().any(|&p| points.iter().any(|&q| area(points[0], p, q) != 0))
}

fn random_points(random: &mut Random, limit: i64, contours: &[Vec<Flat>]) -> Vec<Flat> {
    let vertices: Vec<Flat> = contours.concat();
    let mut points: Vec<Flat> =
        (0..12).map(|_| [random.within(limit + 1), random.within(limit + 1)]).collect();
    if !vertices.is_empty() {
        let [p, q, r] = [0; 3].map(|_| vertices[random.below(vertices.len())]);
        points.push(p);
        points.push([p[0], q[1]]);
        points.push([(p[0] + q[0]) / 2, (p[1] + q[1]) / 2]);
        points.push([(p[0] + q[0] + r[0]) / 3, (p[1] + q[1] + r[1]) / 3]);
    }
    points
}

/// All points against the two general algorithms, in all planes.
fn check_general(random: &mut Random, limit: i64, contours: &[Vec<Flat>], found: &mut [usize; 3]) {
    let points = random_points(random, limit, contours);
    for plane in PLANES {
        let lifted: Vec<Vec<Point>> = contours.iter().map(|c| lift(c, plane)).collect();
        let projection = Projection::of(&lifted);
        for &q in &points {
            let p = plane(q).map(|x| x as f64);
            let expected = locate(q, contours);
            found[(expected + 1) as usize] += 1;
            assert_eq!(
                as_number(projection.locate_by_angles(p, &lifted)),
                expected,
                "{q:?} {contours:?}"
            );
            assert_eq!(
                as_number(projection.locate_by_ray(p, &lifted)),
                expected,
                "{q:?} {contours:?}"
            );
            assert_eq!(point_in_polygon(p, &lifted), expected >= 0);
        }
    }
}

#[test]
fn both_general_algorithms_agree_with_the_referee_on_simple_polygons() {
    let mut random = Random::new(31);
    let mut found = [0; 3];
    for i in 0..3000 {
        let limit = [2, 5, 30][i % 3];
        let polygon = star(&mut random, limit, 12);
        if spans_a_plane(&polygon) {
            check_general(&mut random, limit, &[polygon], &mut found);
        }
    }
    assert!(found.iter().all(|&count| count > 10_000), "{found:?}");
}

/// Self-overlapping contours, several of them, repeated vertices, contours of one or two.
#[test]
fn both_general_algorithms_follow_the_even_odd_rule_on_any_contours() {
    let mut random = Random::new(32);
    let mut found = [0; 3];
    for i in 0..2000 {
        let limit = [1, 3, 10][i % 3];
        let contours: Vec<Vec<Flat>> = (0..1 + random.below(3))
            .map(|_| {
                let count = 1 + random.below(8);
                (0..count).map(|_| [random.within(limit), random.within(limit)]).collect()
            })
            .collect();
        if spans_a_plane(&contours.concat()) {
            check_general(&mut random, limit, &contours, &mut found);
        }
    }
    assert!(found.iter().all(|&count| count > 5_000), "{found:?}");
}

/// An outer contour with a hole is the same polygon as the two joined by a bridge, but for the
/// bridge itself.
#[test]
fn bridged_holes_are_holes() {
    let outer = vec![[0, 0], [10, 0], [10, 10], [0, 10]];
    let hole = vec![[3, 3], [3, 7], [7, 7], [7, 3]];
    let mut bridged = outer.clone();
    bridged.push(outer[0]);
    bridged.extend(&hole);
    bridged.push(hole[0]);
    let nested = [lift(&outer, PLANES[4]), lift(&hole, PLANES[4])];
    let bridged = [lift(&bridged, PLANES[4])];
    let projection = Projection::of(&nested);
    for x in -1..12 {
        for y in -1..12 {
            let p = PLANES[4]([x, y]).map(|x| x as f64);
            let expected = projection.locate_by_ray(p, &nested);
            let on_bridge = x == y && (0..=3).contains(&x);
            for location in
                [projection.locate_by_ray(p, &bridged), projection.locate_by_angles(p, &bridged)]
            {
                assert_eq!(location, if on_bridge { Location::Border } else { expected });
            }
        }
    }
}

#[test]
fn all_four_algorithms_agree_on_convex_polygons() {
    let mut random = Random::new(33);
    let mut found = [0; 3];
    for i in 0..3000 {
        let limit = [2, 5, 50][i % 3];
        let count = 3 + random.below([6, 12, 200][i / 3 % 3]);
        let mut polygon = hull(&mut random, limit, count, i % 2 == 0);
        if !spans_a_plane(&polygon) {
            continue;
        }
        // Any first vertex, either way around.
        let turns = random.below(polygon.len());
        polygon.rotate_left(turns);
        if random.below(2) == 1 {
            polygon.reverse();
        }
        let contours = [polygon];
        let points = random_points(&mut random, limit, &contours);
        for plane in PLANES {
            let lifted = [lift(&contours[0], plane)];
            let projection = Projection::of(&lifted);
            let convex = ConvexPolygon::new(&lifted[0], projection).expect("hulls are convex");
            for &q in &points {
                let p = plane(q).map(|x| x as f64);
                let answers = [
                    projection.locate_by_angles(p, &lifted),
                    projection.locate_by_ray(p, &lifted),
                    convex.locate_by_wedges(p),
                    convex.locate_by_fibonacci(p),
                ];
                let expected = locate(q, &contours);
                assert_eq!(answers.map(as_number), [expected; 4], "{q:?} {contours:?}");
                found[(expected + 1) as usize] += 1;
            }
        }
    }
    assert!(found.iter().all(|&count| count > 10_000), "{found:?}");
}

/// What calls itself convex is what the slow definition says: every vertex on one side of every
/// edge, and no vertex twice.
#[test]
fn only_convex_polygons_are_taken_for_convex() {
    let mut random = Random::new(34);
    let mut counts = [0; 2];
    for _ in 0..40_000 {
        let polygon: Vec<Flat> =
            (0..3 + random.below(4)).map(|_| [random.within(2), random.within(2)]).collect();
        let n = polygon.len();
        let edges = || (0..n).map(|i| (polygon[i], polygon[(i + 1) % n]));
        let one_sided =
            |side: i64| edges().all(|(a, b)| polygon.iter().all(|&p| side * area(a, b, p) >= 0));
        let area_sum: i64 = edges().map(|(a, b)| area([0, 0], a, b)).sum();
        // Once around and straight on: the vertices are in order of a walk around the border,
        // which no two of its edges share more than an end of.
        let overlap = |i: usize, j: usize| {
            let ((a, b), (c, d)) =
                ((polygon[i], polygon[(i + 1) % n]), (polygon[j], polygon[(j + 1) % n]));
            area(a, b, c) == 0 && area(a, b, d) == 0 && {
                let along = |p: Flat| (p[0] - a[0]) * (b[0] - a[0]) + (p[1] - a[1]) * (b[1] - a[1]);
                let (low, high) = (along(c).min(along(d)), along(c).max(along(d)));
                low < along(b) && high > 0
            }
        };
        let distinct = (0..n).all(|i| (0..i).all(|j| polygon[i] != polygon[j]));
        let simple = (0..n).all(|i| (0..i).all(|j| !overlap(i, j)));
        let expected = distinct && simple && area_sum != 0 && one_sided(area_sum.signum());
        let lifted = lift(&polygon, PLANES[0]);
        let taken = ConvexPolygon::new(&lifted, Projection::of_normal([0.0, 0.0, 1.0])).is_some();
        assert_eq!(taken, expected, "{polygon:?}");
        counts[usize::from(taken)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

#[test]
fn answers_are_free_of_scale() {
    // About 1e-300 and 1e150. Only powers of two scale without rounding.
    let (tiny, huge) = (2f64.powi(-996), 2f64.powi(498));
    let mut random = Random::new(35);
    for _ in 0..300 {
        let polygon = hull(&mut random, 5, 10, true);
        if !spans_a_plane(&polygon) {
            continue;
        }
        for scale in [[tiny; 3], [huge; 3], [5e-324; 3], [huge * huge; 3], [tiny, huge, 1.0]] {
            for plane in [PLANES[0], PLANES[4], PLANES[6]] {
                let map = |p: Point| [0, 1, 2].map(|k| p[k] * scale[k]);
                let lifted: Vec<Point> = lift(&polygon, plane).into_iter().map(map).collect();
                let contours = [&lifted];
                let projection = Projection::of(&contours);
                let convex = ConvexPolygon::new(&lifted, projection).expect("hulls are convex");
                for q in [[0, 0], polygon[0], [polygon[1][0], polygon[2][1]], [3, -2], [9, 9]] {
                    let p = map(plane(q).map(|x| x as f64));
                    let answers = [
                        projection.locate_by_angles(p, &contours),
                        projection.locate_by_ray(p, &contours),
                        convex.locate_by_wedges(p),
                        convex.locate_by_fibonacci(p),
                    ];
                    let expected = locate(q, std::slice::from_ref(&polygon));
                    assert_eq!(
                        answers.map(as_number),
                        [expected; 4],
                        "{q:?} {polygon:?} {scale:?}"
                    );
                }
            }
        }
    }
}

/// A star-shaped polygon is the union of the triangles from its center.
#[test]
fn segments_meet_polygons_where_they_meet_a_triangle_of_them() {
    let mut random = Random::new(36);
    let mut counts = [0; 2];
    for i in 0..4000 {
        let limit = [2, 4][i % 2];
        let polygon = star(&mut random, limit, 8);
        // The center must see all edges: no gap of half a turn or more.
        let n = polygon.len();
        if n < 3 || (0..n).any(|k| area([0, 0], polygon[k], polygon[(k + 1) % n]) <= 0) {
            continue;
        }
        let plane = PLANES[i % PLANES.len()];
        let lifted = lift(&polygon, plane);
        let corner = |p: Flat| plane(p);
        for _ in 0..10 {
            let mut ends = [[0; 3]; 2].map(|_: Grid| random.grid_point(limit + 2));
            let mut in_plane = || corner([random.within(limit + 1), random.within(limit + 1)]);
            match i / 2 % 4 {
                0 => ends = [in_plane(), in_plane()],
                1 => ends[0] = in_plane(),
                2 => {
                    // Through a point of the plane.
                    let (p, d) = (in_plane(), ends[0]);
                    ends = [-1, 1].map(|s| [0, 1, 2].map(|k| p[k] + s * d[k]));
                }
                _ => {}
            }
            let expected = (0..n).any(|k| {
                let fan = [corner([0, 0]), corner(polygon[k]), corner(polygon[(k + 1) % n])];
                referee::triangles_meet(&[ends[0], ends[1], ends[1]], &fan)
            });
            let segment = to_f64(&ends);
            let answer = segment_intersects_polygon(&segment, &[&lifted]);
            assert_eq!(answer, expected, "{ends:?} {lifted:?}");
            assert_eq!(segment_intersects_polygon(&[segment[1], segment[0]], &[&lifted]), expected);
            counts[usize::from(answer)] += 1;
        }
    }
    assert!(counts.iter().all(|&count| count > 3000), "{counts:?}");
}

#[test]
fn segments_pass_through_holes() {
    let square = |r: f64, z: f64| [[-r, -r, z], [r, -r, z], [r, r, z], [-r, r, z]];
    let frame = [square(4.0, 1.0), square(2.0, 1.0)];
    let upright = |x: f64| [[x, 0.5, 0.0], [x, 0.5, 2.0]];
    assert!(segment_intersects_polygon(&upright(3.0), &frame));
    assert!(segment_intersects_polygon(&upright(2.0), &frame), "the rim of the hole");
    assert!(!segment_intersects_polygon(&upright(1.0), &frame));
    let lying = [[-1.5, 0.0, 1.0], [1.5, 0.0, 1.0]];
    assert!(!segment_intersects_polygon(&lying, &frame), "in the plane, inside the hole");
}

#[test]
fn polygons_without_area_are_their_edges() {
    let chain = [[[0.0; 3], [2.0, 2.0, 2.0], [1.0; 3]]];
    let across = |z: f64| [[2.0, 0.0, z], [0.0, 2.0, z]];
    assert!(segment_intersects_polygon(&across(1.0), &chain));
    assert!(!segment_intersects_polygon(&across(1.5), &chain));
    assert!(segment_intersects_polygon(&[[1.0; 3]; 2], &[[[1.0; 3]; 3]]));
    assert!(!segment_intersects_polygon::<[Point; 3]>(&[[1.0; 3]; 2], &[]));
    // A figure of eight with areas that cancel is still seen face-on.
    let eight = [[[0.0, 0.0, 0.0], [2.0, 0.0, 2.0], [0.0, 0.0, 2.0], [2.0, 0.0, 0.0]]];
    assert_eq!(Projection::of(&eight).axis(), 1);
    assert!(point_in_polygon([1.0, 0.0, 0.5], &eight));
    assert!(!point_in_polygon([0.5, 0.0, 1.0], &eight));
}

#[test]
fn indexed_polygons_are_read_in_place() {
    let positions = [[9.0; 3], [0.0; 3], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
    let square = Indexed { positions: &positions, corners: &[1u32, 2, 3, 4] };
    let projection = Projection::of(&[square]);
    let convex = ConvexPolygon::new(&square, projection).expect("a square");
    for p in [[1.0, 1.0, 0.0], [4.0, 2.0, 0.0], [5.0, 2.0, 0.0]] {
        let answer = projection.locate_by_ray(p, &[square]);
        assert_eq!(projection.locate_by_angles(p, &[square]), answer);
        assert_eq!(convex.locate_by_wedges(p), answer);
        assert_eq!(convex.locate_by_fibonacci(p), answer);
    }
    assert!(polygon_is_planar(&[square]));
}

/// The search for the crossed edges looks at O(log n) vertices.
#[test]
fn convex_searches_are_logarithmic() {
    use std::cell::Cell;
    struct Counted<'a>(&'a [Point], Cell<usize>);
    impl xcollide_predicates::polygon::Contour for Counted<'_> {
        fn vertex_count(&self) -> usize {
            self.0.len()
        }
        fn vertex(&self, i: usize) -> Point {
            self.1.set(self.1.get() + 1);
            self.0[i]
        }
    }
    // Points of a parabola and its lid are in convex position.
    let n: i64 = 1 << 15;
    let parabola: Vec<Point> = (-n..=n).map(|x| [x as f64, (x * x) as f64, 0.0]).collect();
    let counted = Counted(&parabola, Cell::new(0));
    let polygon = ConvexPolygon::new(&counted, Projection::of_normal([0.0, 0.0, 1.0]))
        .expect("a parabola is convex");
    let mut random = Random::new(37);
    for _ in 0..2000 {
        let p = [random.within(n) as f64, random.within(n * n / 2).abs() as f64, 0.0];
        counted.1.set(0);
        let first = polygon.locate_by_fibonacci(p);
        let looks = counted.1.replace(0);
        // log₂ 65537 ≈ 16; 1.44·16 for the search and twice 16 for the edges.
        assert!(looks < 80, "{looks}");
        assert_eq!(polygon.locate_by_wedges(p), first);
        assert!(counted.1.get() < 60, "{}", counted.1.get());
    }
}

/// The pre-checks decide nearly all edges, as the thesis's table says: (1) 50 %, (2) 22 %,
/// (3) 26 %, (4) 1 %, (5) and (6) hardly any, 1 % computed. Its points were those where edges
/// pierce the planes of polygons, mostly far from them; ours are spread over six times the
/// polygon's extent.
#[test]
fn pre_checks_decide_nearly_all_edges() {
    let mut random = Random::new(38);
    let mut counts = [0u32; 7];
    for _ in 0..20_000 {
        let polygon: Vec<Point> =
            star(&mut random, 50, 10).iter().map(|&[x, y]| [x as f64, y as f64, 0.0]).collect();
        if polygon.len() < 3 {
            continue;
        }
        let p = [300.0 * random.signed(), 300.0 * random.signed(), 0.0];
        for (i, a) in polygon.iter().enumerate() {
            counts[deciding_rule(p, [*a, polygon[(i + 1) % polygon.len()]]) - 1] += 1;
        }
    }
    let total: u32 = counts.iter().sum();
    let share = |rule: usize| f64::from(counts[rule - 1]) / f64::from(total);
    assert!(share(1) > 0.4, "{counts:?}");
    assert!(share(2) > 0.15 && share(3) > 0.15, "{counts:?}");
    assert!(share(7) < 0.02, "{counts:?}");
    assert!(counts.iter().all(|&count| count > 0), "each is of use: {counts:?}");
}

/// The number of the first rule of `locate_by_ray` that decides an edge; 7 if it is computed.
fn deciding_rule([x, y, _]: Point, edge: [Point; 2]) -> usize {
    let rules: [fn(f64, f64) -> bool; 6] = [
        |right, _| right < 0.0,
        |_, up| up > 0.0,
        |_, up| up <= 0.0,
        |right, _| right > 0.0,
        |right, up| up > right,
        |right, up| -up > right,
    ];
    let decides = |rule: &fn(f64, f64) -> bool| edge.iter().all(|end| rule(end[0] - x, end[1] - y));
    1 + rules.iter().position(decides).unwrap_or(6)
}

proptest! {
    /// A triangle is a polygon.
    #[test]
    fn triangles_as_polygons_meet_the_same_segments(
        t in prop::array::uniform3(prop::array::uniform3(-3i64..=3)),
        s in prop::array::uniform2(prop::array::uniform3(-3i64..=3)),
    ) {
        let (t, s) = (to_f64(&t), to_f64(&s));
        prop_assert_eq!(
            segment_intersects_polygon(&s, &[t]),
            segment_intersects_triangle(&s, &t)
        );
    }

    /// With any numbers: the same answer, and no panic.
    #[test]
    fn the_general_algorithms_agree_on_any_numbers(
        vertices in prop::collection::vec(prop::array::uniform3(any::<f64>()), 0..9),
        p in prop::array::uniform3(any::<f64>()),
    ) {
        let contours = [&vertices];
        let projection = Projection::of(&contours);
        let answers =
            [projection.locate_by_angles(p, &contours), projection.locate_by_ray(p, &contours)];
        let _ = segment_intersects_polygon(&[p, [0.0; 3]], &contours);
        if vertices.iter().flatten().chain(&p).all(|x| x.is_finite()) {
            prop_assert_eq!(answers[0], answers[1]);
            if let Some(convex) = ConvexPolygon::new(&vertices, projection) {
                prop_assert_eq!(convex.locate_by_wedges(p), answers[0]);
                prop_assert_eq!(convex.locate_by_fibonacci(p), answers[0]);
            }
        }
    }
}
