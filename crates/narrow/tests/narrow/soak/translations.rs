//! Pairs with integer corners at every integer translation that can make them touch, against
//! separating axes in integers.
//!
//! The axes of a pair do not depend on the translation d, and the intervals of the two sets along an axis
//! move past each other by axis · d. So a pair is prepared once, and each translation costs one product an
//! axis: cheap enough for hundreds of millions of cases. One in some hundred also has its proof verified.

// The tallies are for the record.
#![allow(clippy::print_stdout)]

use xcollide_fixtures::long_run;
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{
    Model, NarrowPhase, PairCache, PairQuery, Placed, Pose, Query, Semantics, Verdict,
};
use xcollide_predicates::triangles_intersect;

use crate::convex::integer_hulls::{Hull, Vector, cross, dot, sub};
use crate::integer_referee::triangle_axes;
use crate::support::{Random, checked, model};

/// Candidate axes of two convex sets: if the sets are disjoint, one of the axes separates them. Each comes with the
/// range of heights by which the second set may move before that axis separates.
struct Axes(Vec<(Vector, [i64; 2])>);

impl Axes {
    fn of(axes: impl IntoIterator<Item = Vector>, s: &[Vector], t: &[Vector]) -> Self {
        let mut axes: Vec<Vector> =
            axes.into_iter().filter(|&axis| axis != [0; 3]).map(primitive).collect();
        axes.sort_unstable();
        axes.dedup();
        let with_limits = |axis| {
            let range = |points: &[Vector]| {
                let heights = points.iter().map(|&p| dot(axis, p));
                (heights.clone().min().unwrap(), heights.max().unwrap())
            };
            let ((low_s, high_s), (low_t, high_t)) = (range(s), range(t));
            (axis, [low_s - high_t, high_s - low_t])
        };
        Self(axes.into_iter().map(with_limits).collect())
    }

    /// Whether the sets meet after the second one moved.
    fn meet(&self, translation: Vector) -> bool {
        self.0
            .iter()
            .all(|&(axis, [least, greatest])| (least..=greatest).contains(&dot(axis, translation)))
    }
}

/// The shortest integer vector on the line of an axis, with the first coordinate that is not 0 positive.
fn primitive(axis: Vector) -> Vector {
    fn gcd(a: i64, b: i64) -> i64 {
        if b == 0 { a.abs() } else { gcd(b, a % b) }
    }
    let divisor = axis.into_iter().fold(0, gcd);
    let sign = axis.into_iter().find(|&x| x != 0).map_or(1, i64::signum);
    axis.map(|x| x / (sign * divisor))
}

/// For triangles with area, coplanar ones included.
fn axes_of_triangles(s: &[Vector; 3], t: &[Vector; 3]) -> Axes {
    Axes::of(triangle_axes(*s, *t), s, t)
}

/// All translations by at most `far` along each axis.
fn translations(far: i64) -> impl Iterator<Item = Vector> {
    (-far..=far)
        .flat_map(move |x| (-far..=far).flat_map(move |y| (-far..=far).map(move |z| [x, y, z])))
}

fn float(p: Vector) -> [f64; 3] {
    p.map(|x| x as f64)
}

fn moved(p: Vector, by: Vector) -> Vector {
    [p[0] + by[0], p[1] + by[1], p[2] + by[2]]
}

/// The rotations that permute the axes: matrices with one 1 or −1 in each row and column, exact as poses.
fn right_angles() -> Vec<[Vector; 3]> {
    let signs = [-1, 1];
    let units = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
    let mut found = Vec::new();
    for x in units {
        for y in units {
            for (i, j) in signs.into_iter().flat_map(|i| signs.map(|j| (i, j))) {
                let (x, y) = (x.map(|k| i * k), y.map(|k| j * k));
                let z = cross(x, y);
                if z != [0; 3] {
                    found.push([x, y, z]);
                }
            }
        }
    }
    found
}

fn turned(rotation: &[Vector; 3], p: Vector) -> Vector {
    rotation.map(|row| dot(row, p))
}

/// How many cases collide, so that no test is one-sided.
#[derive(Default)]
struct Tally {
    cases: u64,
    hits: u64,
}

impl Tally {
    fn count(&mut self, collides: bool) {
        self.cases += 1;
        self.hits += u64::from(collides);
    }

    fn assert_both_kinds(&self) {
        println!("{} of {} collide", self.hits, self.cases);
        assert!(self.hits * 20 > self.cases && self.hits * 20 < 19 * self.cases);
    }
}

#[test]
fn there_are_24_right_angles() {
    let mut found = right_angles();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 24);
}

#[test]
fn hulls_at_all_translations_agree_with_integer_separating_axes_soak() {
    let run = long_run(200_000, 400_000_000);
    let (mut random, mut tally) = (Random::new(11 + run.seed), Tally::default());
    let rotations = right_angles();
    let mut caches: Vec<PairCache> = Vec::new();
    let mut verdicts = Vec::new();
    while tally.cases < run.cases {
        let reach = random.integer(1, 4);
        let (s, t) = (Hull::random(&mut random, reach), Hull::random(&mut random, reach));
        if s.dimension + t.dimension < 6 {
            continue;
        }
        let rotation = rotations[random.integer(0, 23) as usize];
        let corners: Vec<Vector> = t.corners.iter().map(|&p| turned(&rotation, p)).collect();
        let mut axes = s.normals.clone();
        axes.extend(t.normals.iter().map(|&n| turned(&rotation, n)));
        for &e in &t.edges {
            axes.extend(s.edges.iter().map(|&f| cross(turned(&rotation, e), f)));
        }
        let axes = Axes::of(axes, &s.corners, &corners);
        let all: Vec<(Vector, Pose)> = translations(2 * reach)
            .map(|by| (by, Pose::from_matrix(rotation.map(float), float(by)).unwrap()))
            .collect();
        caches.resize_with(all.len().max(caches.len()), PairCache::new);
        let a = Placed::new(&s.model, &Pose::IDENTITY).unwrap();
        let mut queries: Vec<PairQuery<'_>> = all
            .iter()
            .zip(&mut caches)
            .map(|((_, pose), cache)| {
                PairQuery::new(a, Placed::new(&t.model, pose).unwrap(), cache)
            })
            .collect();
        Hybrid::default().test_many(&mut queries, &Query::new(), &mut verdicts);
        for (number, ((by, pose), verdict)) in all.iter().zip(&verdicts).enumerate() {
            let expected = axes.meet(*by);
            assert_eq!(
                verdict.decided(),
                Some(expected),
                "{:?} {:?} {rotation:?} {by:?}",
                s.corners,
                t.corners
            );
            tally.count(expected);
            if number % 251 == 0 {
                let b = Placed::new(&t.model, pose).unwrap();
                checked(verdict, a, b, Semantics::Solid);
            }
        }
    }
    tally.assert_both_kinds();
}

fn random_triangle(random: &mut Random, reach: i64) -> [Vector; 3] {
    loop {
        let t = [(); 3].map(|()| [(); 3].map(|()| random.integer(-reach, reach)));
        if cross(sub(t[1], t[0]), sub(t[2], t[0])) != [0; 3] {
            return t;
        }
    }
}

#[test]
fn triangles_at_all_translations_agree_with_integer_separating_axes_soak() {
    let run = long_run(500_000, 500_000_000);
    let (mut random, mut tally) = (Random::new(12 + run.seed), Tally::default());
    while tally.cases < run.cases {
        let reach = random.integer(1, 4);
        let (s, t) = (random_triangle(&mut random, reach), random_triangle(&mut random, reach));
        let axes = axes_of_triangles(&s, &t);
        let fixed = s.map(float);
        for by in translations(reach) {
            let expected = axes.meet(by);
            let there = t.map(|p| float(moved(p, by)));
            assert_eq!(triangles_intersect(&fixed, &there), expected, "{s:?} {t:?} {by:?}");
            tally.count(expected);
        }
    }
    tally.assert_both_kinds();
}

fn soup(triangles: &[[Vector; 3]]) -> Model {
    let positions = triangles.iter().flatten().map(|&p| float(p)).collect();
    let faces: Vec<Vec<u32>> =
        (0..triangles.len() as u32).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect();
    model(positions, &faces)
}

#[test]
fn soups_at_all_translations_agree_with_integer_separating_axes_soak() {
    let run = long_run(50_000, 100_000_000);
    let (mut random, mut tally) = (Random::new(13 + run.seed), Tally::default());
    let (wide, mut cache, mut query) = (Wide::new(), PairCache::new(), Query::new());
    query.semantics = Semantics::Surface;
    while tally.cases < run.cases {
        let reach = random.integer(2, 5);
        let mut some = || -> Vec<[Vector; 3]> {
            let count = random.integer(1, 12);
            (0..count).map(|_| random_triangle(&mut random, reach)).collect()
        };
        let (s, t) = (some(), some());
        let axes: Vec<Axes> =
            s.iter().flat_map(|u| t.iter().map(|v| axes_of_triangles(u, v))).collect();
        let models = [soup(&s), soup(&t)];
        let a = Placed::new(&models[0], &Pose::IDENTITY).unwrap();
        for (number, by) in translations(2 * reach - 1).enumerate() {
            let expected = axes.iter().any(|axes| axes.meet(by));
            let pose = Pose::from_translation(float(by));
            let b = Placed::new(&models[1], &pose).unwrap();
            let verdict: Verdict = wide.test(a, b, &query, &mut cache);
            assert_eq!(verdict.decided(), Some(expected), "{s:?} {t:?} {by:?}");
            tally.count(expected);
            if number % 251 == 0 {
                checked(&verdict, a, b, Semantics::Surface);
            }
        }
    }
    tally.assert_both_kinds();
}
