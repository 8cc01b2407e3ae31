//! Distances and nearest points by all descents, against exact distances of integer hulls: squared,
//! as fractions of integers.

use xcollide_convex::{Body, GjkDistance, HullFeature, Nearest, Pair, Subalgorithm};
use xcollide_narrow::convex::polytope_of;
use xcollide_narrow::{Placed, Pose};

use super::gaps::convex_shapes;
use super::integer_hulls::{Hull, Vector, cross, dot, meet, sub};
use crate::support::{Random, random_pose, shape};

fn descents() -> impl Iterator<Item = GjkDistance> {
    let subalgorithms = [Subalgorithm::Regions, Subalgorithm::Johnson, Subalgorithm::SignedVolumes];
    subalgorithms.into_iter().flat_map(|subalgorithm| {
        [false, true].map(|accelerated| GjkDistance { subalgorithm, accelerated })
    })
}

/// A fraction with a positive denominator.
#[derive(Clone, Copy)]
struct Fraction(i128, i128);

impl Fraction {
    fn new(over: i64, under: i64) -> Self {
        Self(i128::from(over), i128::from(under))
    }

    fn min(self, other: Self) -> Self {
        if other.0 * self.1 < self.0 * other.1 { other } else { self }
    }

    fn root(self) -> f64 {
        (self.0 as f64 / self.1 as f64).sqrt()
    }
}

type Triangle = [Vector; 3];

/// The triangles of a hull, shifted; a segment or a point is one with equal corners.
fn triangles(hull: &Hull, shift: Vector) -> Vec<Triangle> {
    let at = |v: usize| {
        let p = hull.model.mesh().positions()[v].map(|x| x as i64);
        [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]]
    };
    let corners = hull.model.triangulation().triangles().iter();
    corners.map(|corners| corners.map(|v| at(v.index()))).collect()
}

/// Of a point and a segment, if its foot is on it; of a point and one of its ends.
fn point_segment(p: Vector, [a, b]: [Vector; 2]) -> Fraction {
    let (line, to) = (sub(b, a), sub(p, a));
    let (along, length) = (dot(to, line), dot(line, line));
    let ends = Fraction::new(dot(to, to), 1).min(Fraction::new(dot(sub(p, b), sub(p, b)), 1));
    if along <= 0 || along >= length {
        return ends;
    }
    ends.min(Fraction::new(dot(to, to) * length - along * along, length))
}

/// Of a point and the inside of a triangle, if its foot is there.
fn point_triangle(p: Vector, [a, b, c]: Triangle) -> Option<Fraction> {
    let normal = cross(sub(b, a), sub(c, a));
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|&(a, b)| dot(cross(sub(b, a), sub(p, a)), normal) >= 0);
    let height = dot(sub(p, a), normal);
    (inside && normal != [0; 3]).then(|| Fraction::new(height * height, dot(normal, normal)))
}

/// Of two segments that are not parallel, if the feet of their common normal are on both.
fn segments([a, b]: [Vector; 2], [c, d]: [Vector; 2]) -> Option<Fraction> {
    let (e, f, between) = (sub(b, a), sub(d, c), sub(c, a));
    let normal = cross(e, f);
    let length = dot(normal, normal);
    let feet = [dot(cross(between, f), normal), dot(cross(between, e), normal)];
    let on_both = length > 0 && feet.iter().all(|&foot| (0..=length).contains(&foot));
    let height = dot(between, normal);
    on_both.then(|| Fraction::new(height * height, length))
}

/// The squared distance of hulls that are apart: of the nearest features whose feet are on them.
fn exact(s: &[Triangle], t: &[Triangle]) -> Fraction {
    let edges = |[a, b, c]: Triangle| [[a, b], [b, c], [c, a]];
    let mut best = Fraction::new(i64::from(i32::MAX), 1);
    for &x in s {
        for &y in t {
            for (x, y) in [(x, y), (y, x)] {
                for p in x {
                    best = edges(y).iter().fold(best, |best, &e| best.min(point_segment(p, e)));
                    best = point_triangle(p, y).map_or(best, |found| best.min(found));
                }
            }
            for e in edges(x) {
                for f in edges(y) {
                    best = segments(e, f).map_or(best, |found| best.min(found));
                }
            }
        }
    }
    best
}

/// Whether a point is on a feature: a sum of its vertices with weights.
fn on(body: &Body<'_>, carrier: HullFeature, point: [f64; 3], within: f64) -> bool {
    let corners = body.polytope().regions().corners(carrier);
    let at: Vec<[f64; 3]> = corners.iter().map(|&v| body.position(v)).collect();
    let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let times = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    match at[..] {
        [a] => length(minus(point, a)) <= within,
        [a, b] => {
            let detour = length(minus(point, a)) + length(minus(b, point)) - length(minus(b, a));
            detour <= within
        }
        _ => {
            // The triangles from the point to the edges have the area of the face.
            let area = |p: [f64; 3]| -> f64 {
                (0..at.len())
                    .map(|i| length(times(minus(at[i], p), minus(at[(i + 1) % at.len()], p))))
                    .sum()
            };
            area(point) <= area(at[0]) + within
        }
    }
}

fn check(found: &Nearest, pair: &Pair<'_>, value: f64, unit: f64) {
    // What the documentation of `Nearest` says of its bounds.
    assert!(found.distance >= value - unit && found.at_least <= value + unit, "{found:?} {value}");
    let [p, q] = found.points;
    let between = (0..3).map(|k| (q[k] - p[k]).powi(2)).sum::<f64>().sqrt();
    assert!((between - found.distance).abs() <= unit, "{found:?}");
    if found.at_least <= unit {
        // They meet, or nearly: what the points are on means nothing.
        return;
    }
    match found.carriers(pair) {
        None => assert_eq!(found.distance, 0.0),
        Some([a, b]) => {
            assert!(on(pair.a(), a, p, 1e3 * unit), "{found:?} {a:?}");
            assert!(on(pair.b(), b, q, 1e3 * unit), "{found:?} {b:?}");
        }
    }
}

#[test]
fn all_descents_give_the_exact_distance_of_integer_hulls() {
    let mut random = Random::new(51);
    let (mut apart, mut touching, mut worst) = (0, 0, [0.0_f64; 6]);
    let mut probes = [0; 6];
    for round in 0..3000 {
        let reach = [1, 2, 4, 12][round % 4];
        let (s, t) = (Hull::random(&mut random, reach), Hull::random(&mut random, reach));
        let shift = [(); 3].map(|()| random.integer(-2 * reach, 2 * reach));
        let hit = meet(&s, &t, shift);
        let value =
            if hit { 0.0 } else { exact(&triangles(&s, [0; 3]), &triangles(&t, shift)).root() };
        let [x, y, z] = shift.map(|x| x as f64);
        let there = Pose::from_translation([x, y, z]);
        let here = Placed::new(&s.model, &Pose::IDENTITY).unwrap();
        let there = Placed::new(&t.model, &there).unwrap();
        let (of_s, of_t) = (polytope_of(&s.model), polytope_of(&t.model));
        let unit = 1e-14 * reach as f64;
        for (index, descent) in descents().enumerate() {
            let mut pair = Pair::new(Body::new(&of_s, here.pose()), Body::new(&of_t, there.pose()));
            let found = descent.nearest(&mut pair, &[]);
            check(&found, &pair, value, unit);
            assert_eq!(value == 0.0, hit);
            worst[index] = worst[index].max((found.distance - value).abs() / reach as f64);
            probes[index] += pair.probes();
            assert!(pair.probes() < 40, "{descent:?} took {} steps", pair.probes());
        }
        apart += usize::from(!hit);
        touching += usize::from(hit);
    }
    for ((descent, worst), probes) in descents().zip(worst).zip(probes) {
        println!("{descent:?}: off by {worst:e} at most, {:.2} steps", probes as f64 / 3000.0);
        assert!(worst < 1e-13);
    }
    assert!(apart > 1500 && touching > 300, "{apart} apart, {touching} not");
}

#[test]
fn all_descents_agree_on_moved_shapes() {
    let models = convex_shapes();
    let mut random = Random::new(52);
    let (mut apart, mut probes) = (0, [0; 6]);
    for round in 0..600 {
        let (i, j) = (round % models.len(), (round / 5) % models.len());
        let poses = [random_pose(&mut random, 1.5), random_pose(&mut random, 1.5)];
        let a = Placed::new(&models[i], &poses[0]).unwrap();
        let b = Placed::new(&models[j], &poses[1]).unwrap();
        let (of_a, of_b) = (polytope_of(&models[i]), polytope_of(&models[j]));
        let mut first: Option<Nearest> = None;
        for (index, descent) in descents().enumerate() {
            let mut pair = Pair::new(Body::new(&of_a, a.pose()), Body::new(&of_b, b.pose()));
            let found = descent.nearest(&mut pair, &[]);
            let value = first.get_or_insert(found).distance;
            check(&found, &pair, value, 1e-12);
            assert!(found.distance - found.at_least < 1e-12, "{descent:?} {found:?}");
            probes[index] += pair.probes();
            assert!(pair.probes() < 60, "{descent:?} took {} steps", pair.probes());
        }
        apart += usize::from(first.is_some_and(|found| found.distance > 0.0));
    }
    println!("steps in all: {:?}", descents().zip(probes).collect::<Vec<_>>());
    assert!((100..560).contains(&apart), "{apart}");
}
/// Round bodies of many vertices, close to each other: what momentum is for.
#[test]
fn momentum_saves_steps_where_bodies_are_close() {
    let model = shape("shape:sphere?faces=2000");
    let polytope = polytope_of(&model);
    let mut random = Random::new(53);
    let (mut steps, gap) = ([0, 0], 1e-3);
    for _ in 0..100 {
        let poses = [random_pose(&mut random, 0.0), random_pose(&mut random, 3.0)];
        let a = Placed::new(&model, &poses[0]).unwrap();
        let b = Placed::new(&model, &poses[1]).unwrap();
        let here = Body::new(&polytope, a.pose());
        let pair = |there| Pair::new(here, Body::new(&polytope, there));
        let found = GjkDistance::default().nearest(&mut pair(b.pose()), &[]);
        if found.at_least == 0.0 {
            continue;
        }
        let way = nalgebra::Vector3::from(found.direction) * (gap - found.distance);
        let nearer = (nalgebra::Vector3::from(poses[1].translation()) + way).into();
        let near = poses[1].with_translation(nearer);
        let b = Placed::new(&model, &near).unwrap();
        for accelerated in [false, true] {
            let mut pair = pair(b.pose());
            let descent = GjkDistance { accelerated, ..GjkDistance::default() };
            let found = descent.nearest(&mut pair, &[]);
            assert!((found.distance - gap).abs() < 1e-14, "{found:?}");
            steps[usize::from(accelerated)] += pair.probes();
        }
    }
    println!("{steps:?} steps");
    assert!(steps[0] > 500 && steps[1] < steps[0]);
}
