//! Self-intersections against a slow twin in integers, and what the shapes promise.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use crate::support::{Random, joined, model, shape};
use xcollide_brep::{FaceId, PolygonMesh};
use xcollide_fixtures::long_run;
use xcollide_narrow::self_intersection::{
    SelfIntersections, SelfSearch, SelfVerdict, self_intersections,
};
use xcollide_narrow::{Grain, Model, PairCache, Placed, Pose, ProofError, Query, Reason, Stop};
use xcollide_predicates::triangles_intersect;

type Grid = [i64; 3];

/// A mesh of triangles with integer corners.
struct IntegerMesh {
    corners: Vec<Grid>,
    faces: Vec<[u32; 3]>,
}

impl IntegerMesh {
    fn model(&self) -> Model {
        let positions = self.corners.iter().map(|p| p.map(|x| x as f64)).collect();
        let faces: Vec<Vec<u32>> = self.faces.iter().map(|face| face.to_vec()).collect();
        model(positions, &faces)
    }

    /// All pairs of faces that meet in more than what they share, by [`meet_in_more`].
    fn pairs(&self) -> Vec<[FaceId; 2]> {
        let mut pairs = Vec::new();
        for (j, t) in self.faces.iter().enumerate() {
            for (i, s) in self.faces[..j].iter().enumerate() {
                if self.meet_in_more(*s, *t) {
                    pairs.push([i, j].map(FaceId::from_index));
                }
            }
        }
        pairs.sort_unstable();
        pairs
    }

    /// The twin. What two triangles share is convex, but for three sides, and so is their common set: the one contains the
    /// other iff it contains its extreme points, which are computed as fractions.
    fn meet_in_more(&self, s: [u32; 3], t: [u32; 3]) -> bool {
        let shared = shared(&s, &t);
        if shared.len() < 3 {
            return self.meet_outside(&shared, s, t);
        }
        // The sides cover the triangle iff it has no area.
        let [a, b, c] = s.map(|v| self.corners[v as usize]);
        cross(sub(b, a), sub(c, a)) != [0; 3]
    }

    /// Whether two triangles have a common point that is not on the hull of at most two vertices.
    fn meet_outside(&self, shared: &[u32], s: [u32; 3], t: [u32; 3]) -> bool {
        let at = |v: u32| self.corners[v as usize];
        common_vertices(&s.map(at), &t.map(at)).iter().any(|point| match *shared {
            [] => true,
            [v] => !is_on(point, at(v), at(v)),
            [u, .., v] => !is_on(point, at(u), at(v)),
        })
    }
}

/// The numbers that two faces have.
fn shared(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut shared: Vec<u32> = a.iter().copied().filter(|v| b.contains(v)).collect();
    shared.sort_unstable();
    shared.dedup();
    shared
}

fn sub(p: Grid, q: Grid) -> Grid {
    [0, 1, 2].map(|k| p[k] - q[k])
}

fn cross(u: Grid, v: Grid) -> Grid {
    [(1, 2), (2, 0), (0, 1)].map(|(i, j)| u[i] * v[j] - u[j] * v[i])
}

fn dot(u: Grid, v: Grid) -> i64 {
    u[0] * v[0] + u[1] * v[1] + u[2] * v[2]
}

/// A point p/w with w > 0.
type Fraction = ([i128; 3], i128);

fn is_on((p, w): &Fraction, a: Grid, b: Grid) -> bool {
    let (a, b) = (a.map(i128::from), b.map(i128::from));
    let (u, v) = ([0, 1, 2].map(|k| p[k] - w * a[k]), [0, 1, 2].map(|k| p[k] - w * b[k]));
    let parallel = [(1, 2), (2, 0), (0, 1)].iter().all(|&(i, j)| u[i] * v[j] == u[j] * v[i]);
    parallel && (0..3).all(|k| u[k] * v[k] <= 0)
}

/// Points of which the common set of two triangles is the hull. Each is a corner of one on the other, or a point of an edge
/// of one where it pierces the other or crosses an edge of it: nothing more, and nothing left out.
fn common_vertices(s: &[Grid; 3], t: &[Grid; 3]) -> Vec<Fraction> {
    let mut points = Vec::new();
    let whole = |p: Grid| (p.map(i128::from), 1);
    for (own, other) in [(s, t), (t, s)] {
        for &corner in own {
            if is_in(&whole(corner), other) {
                points.push(whole(corner));
            }
        }
        for i in 0..3 {
            let (p, q) = (own[i], own[(i + 1) % 3]);
            // Through the plane of the other.
            let normal = cross(sub(other[1], other[0]), sub(other[2], other[0]));
            let (g, h) = (dot(normal, sub(p, other[0])), dot(normal, sub(q, other[0])));
            if g != h {
                points.extend(at_parameter(p, q, g, g - h).filter(|point| is_in(point, other)));
            }
            // Across an edge of it in one plane.
            for j in 0..3 {
                let (a, b) = (other[j], other[(j + 1) % 3]);
                let (along, across) = (sub(b, a), cross(sub(q, p), sub(b, a)));
                let apart = cross(sub(a, p), along);
                for k in 0..3 {
                    if across[k] != 0 {
                        let point = at_parameter(p, q, apart[k], across[k]);
                        points.extend(point.filter(|point| is_on(point, a, b)));
                    }
                }
            }
        }
    }
    points
}

/// p + (q − p) n/d, if n/d is from 0 to 1.
fn at_parameter(p: Grid, q: Grid, n: i64, d: i64) -> Option<Fraction> {
    let (n, d) = if d < 0 { (-i128::from(n), -i128::from(d)) } else { (n.into(), d.into()) };
    let (p, q) = (p.map(i128::from), q.map(i128::from));
    (0 <= n && n <= d).then(|| ([0, 1, 2].map(|k| p[k] * d + (q[k] - p[k]) * n), d))
}

/// Whether a point is in a triangle, by the signs of areas in all three projections.
fn is_in(point: &Fraction, t: &[Grid; 3]) -> bool {
    let (p, w) = point;
    let normal = cross(sub(t[1], t[0]), sub(t[2], t[0])).map(i128::from);
    if normal == [0; 3] {
        return (0..3).any(|i| is_on(point, t[i], t[(i + 1) % 3]));
    }
    let from = |corner: Grid| [0, 1, 2].map(|k| p[k] - w * i128::from(corner[k]));
    let off = from(t[0]);
    let dot = |u: [i128; 3], v: [i128; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let is_inside = |i: usize| {
        let (e, u) = (sub(t[(i + 1) % 3], t[i]).map(i128::from), from(t[i]));
        let turn = [(1, 2), (2, 0), (0, 1)].map(|(j, k)| e[j] * u[k] - e[k] * u[j]);
        dot(turn, normal) >= 0
    };
    dot(off, normal) == 0 && (0..3).all(is_inside)
}

/// Closed, folded, flat and loose meshes on a small grid, by number.
fn integer_mesh(random: &mut Random, kind: usize) -> IntegerMesh {
    let reach = [1, 2, 4][random.below(3)];
    let mut point = |flat: bool| {
        let [x, y, z] = [(); 3].map(|()| random.integer(-reach, reach));
        [x, y, if flat { 0 } else { z }]
    };
    match kind % 8 {
        // A soup: no numbers are shared, corners may coincide.
        0 => {
            let corners: Vec<Grid> = (0..12).map(|_| point(false)).collect();
            IntegerMesh { corners, faces: (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect() }
        }
        // Few vertices that many faces share, duplicates and faces of one or two corners among them.
        1 => {
            let corners: Vec<Grid> = (0..5).map(|_| point(false)).collect();
            let faces = (0..6).map(|_| [(); 3].map(|()| random.below(5) as u32)).collect();
            IntegerMesh { corners, faces }
        }
        // A fan around a vertex, in space or in a plane.
        2 | 3 => {
            let corners: Vec<Grid> = (0..7).map(|_| point(kind % 2 == 1)).collect();
            IntegerMesh { corners, faces: (1..7).map(|i| [0, i, i % 6 + 1]).collect() }
        }
        // A strip, in space or in a plane.
        4 | 5 => {
            let corners: Vec<Grid> = (0..8).map(|_| point(kind % 2 == 1)).collect();
            IntegerMesh { corners, faces: (0..6).map(|i| [i, i + 1, i + 2]).collect() }
        }
        // An octahedron, whose vertices are moved.
        6 => {
            let unit = [[3, 0, 0], [-3, 0, 0], [0, 3, 0], [0, -3, 0], [0, 0, 3], [0, 0, -3]];
            let mut corners: Vec<Grid> = unit.to_vec();
            for _ in 0..random.below(4) {
                corners[random.below(6)] = [(); 3].map(|()| random.integer(-3, 3));
            }
            let faces = [
                [0, 2, 4],
                [2, 1, 4],
                [1, 3, 4],
                [3, 0, 4],
                [2, 0, 5],
                [1, 2, 5],
                [3, 1, 5],
                [0, 3, 5],
            ];
            IntegerMesh { corners, faces: faces.to_vec() }
        }
        // A sheet of 3 × 3 squares, a corner of which is moved, in its plane or out of it.
        _ => {
            let number = |i: i64, j: i64| (4 * i + j) as u32;
            let mut corners: Vec<Grid> =
                (0..4).flat_map(|i| (0..4).map(move |j| [2 * i, 2 * j, 0])).collect();
            for _ in 0..random.below(3) {
                let z = random.integer(-1, 1);
                corners[random.below(16)] = [random.integer(0, 6), random.integer(0, 6), z];
            }
            let mut faces = Vec::new();
            for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (i, j))) {
                let [a, b, c, d] =
                    [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
                faces.extend([[a, b, c], [a, c, d]]);
            }
            IntegerMesh { corners, faces }
        }
    }
}

/// Compares `meshes` meshes with the twin. Of some the proofs are verified too, and whatever else gives an answer.
fn compare(meshes: u64, seed: u64) {
    let mut random = Random::new(seed);
    let mut met = [0; 8];
    let mut cache = PairCache::new();
    for round in 0..meshes as usize {
        let mesh = integer_mesh(&mut random, round);
        let expected = mesh.pairs();
        let model = mesh.model();
        let found = SelfSearch::new().pairs(&model, usize::MAX, &Query::new(), &mut cache);
        assert_eq!(found.pairs, expected, "{:?} {:?}", mesh.corners, mesh.faces);
        assert_eq!(found.verdict.decided(), Some(!expected.is_empty()));
        met[round % 8] += usize::from(!expected.is_empty());
        if round / 8 % 16 == 0 {
            found.verdict.verify(&model).unwrap();
            check_ways(&model, &expected);
        }
    }
    let each = meshes as usize / 8;
    assert!(met.iter().all(|&met| met > each / 20), "too few that meet: {met:?} of {each}");
    assert!(met[6] < each * 19 / 20 && met[7] < each * 19 / 20, "too few are clear: {met:?}");
}

/// Every way to ask gives the same answer.
fn check_ways(model: &Model, expected: &[[FaceId; 2]]) {
    let mut cache = PairCache::new();
    let search = SelfSearch::new();
    let verdict = search.test(model, &Query::new(), &mut cache);
    assert_eq!(verdict.decided(), Some(!expected.is_empty()));
    verdict.verify(model).unwrap();
    for limit in [0, 1, 2, expected.len()] {
        for grain in [Grain::Coarse, Grain::Fine] {
            let query = Query::new().grain(grain).stats(true);
            let found = search.pairs(model, limit, &query, &mut cache);
            assert!(found.complete);
            assert_eq!(found.count, expected.len());
            assert_eq!(found.pairs, expected[..limit.min(expected.len())]);
            found.verdict.verify(model).unwrap();
        }
    }
    let fine = search.test(model, &Query::new().grain(Grain::Fine), &mut cache);
    assert_eq!(fine, verdict, "threads change nothing");
}

#[test]
fn pairs_are_those_of_the_integer_twin() {
    compare(8000, 1);
}

#[test]
fn self_intersections_of_integer_meshes_soak() {
    let run = long_run(2000, 1_000_000);
    compare(run.cases, 2 + run.seed);
}

fn faces(pairs: &[[u32; 2]]) -> Vec<[FaceId; 2]> {
    pairs.iter().map(|pair| pair.map(FaceId)).collect()
}

fn found(positions: &[[f64; 3]], polygons: &[&[u32]]) -> Vec<[FaceId; 2]> {
    let polygons: Vec<Vec<u32>> = polygons.iter().map(|face| face.to_vec()).collect();
    let model = model(positions.to_vec(), &polygons);
    let found = self_intersections(&model, &Query::new());
    found.verdict.verify(&model).unwrap();
    check_ways(&model, &found.pairs);
    found.pairs
}

const SQUARE: [[f64; 3]; 4] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];

/// What it shows, the faces, and the pairs.
type Case = (&'static str, &'static [&'static [u32]], &'static [[u32; 2]]);

#[test]
fn named_triangles() {
    let mut corners = SQUARE.to_vec();
    corners.extend([[2.0, 2.0, 0.0], [2.0, 2.0, 3.0], [1.0, 1.0, 0.0], SQUARE[0]]);
    let cases: [Case; 14] = [
        ("neighbours in a plane", &[&[0, 1, 2], &[0, 2, 3]], &[]),
        ("neighbours of opposite windings", &[&[0, 1, 2], &[0, 3, 2]], &[]),
        ("a fold-over", &[&[0, 1, 2], &[0, 1, 3]], &[[0, 1]]),
        ("a duplicate", &[&[0, 1, 2], &[2, 1, 0]], &[[0, 1]]),
        ("a duplicate without area", &[&[0, 4, 2], &[2, 4, 0]], &[]),
        ("a vertex in a neighbour's edge", &[&[0, 1, 2], &[2, 3, 4]], &[[0, 1]]),
        ("a vertex in an edge, nothing shared", &[&[0, 1, 2], &[4, 3, 5]], &[[0, 1]]),
        ("vertices that coincide", &[&[0, 1, 2], &[7, 3, 5]], &[[0, 1]]),
        ("an edge that coincides but for a number", &[&[0, 1, 2], &[7, 2, 3]], &[[0, 1]]),
        ("a face of one corner on another", &[&[0, 1, 2], &[4]], &[[0, 1]]),
        ("faces of one and two corners", &[&[0, 1], &[0], &[1, 0], &[1, 2]], &[]),
        ("a face of two corners across a diagonal", &[&[0, 1, 3], &[0, 6]], &[[0, 1]]),
        ("a spike in the edge of another", &[&[0, 1, 2], &[2, 0, 4]], &[]),
        ("a spike beyond the edge, between two", &[&[0, 4, 5], &[0, 4, 2], &[4, 2, 3]], &[]),
    ];
    for (name, polygons, expected) in cases {
        assert_eq!(found(&corners, polygons), faces(expected), "{name}");
    }
}

/// Faces of several triangles: a shared edge may be a diagonal of one, or covered by several edges.
#[test]
fn named_polygons() {
    let mut corners = SQUARE.to_vec();
    corners.extend([[2.0, 0.0, 0.0], [2.0, -3.0, 0.0], [2.0, 2.0, 0.0], [0.0, 0.0, 5.0]]);
    let cases: [Case; 9] = [
        ("a wall on an edge of a square", &[&[0, 1, 2, 3], &[0, 1, 7]], &[]),
        ("a wall on the diagonal of a square", &[&[0, 1, 2, 3], &[0, 2, 7]], &[[0, 1]]),
        ("both diagonals", &[&[0, 1, 2, 3], &[1, 3, 7], &[0, 2, 7]], &[[0, 1], [0, 2], [1, 2]]),
        ("a vertex in an edge of both", &[&[0, 4, 1, 2, 3], &[4, 0, 5], &[1, 4, 5]], &[]),
        (
            "a vertex in the edge of one",
            &[&[0, 1, 2, 3], &[4, 0, 5], &[1, 4, 5]],
            &[[0, 1], [0, 2]],
        ),
        ("the same square twice", &[&[0, 1, 2, 3], &[3, 2, 1, 0]], &[[0, 1]]),
        ("a face of two corners on an edge", &[&[0, 1, 2, 3], &[0, 1]], &[]),
        ("a face of two corners on the diagonal", &[&[0, 1, 2, 3], &[0, 2]], &[[0, 1]]),
        ("a face of one corner within", &[&[0, 1, 2, 3], &[6]], &[[0, 1]]),
    ];
    for (name, polygons, expected) in cases {
        assert_eq!(found(&corners, polygons), faces(expected), "{name}");
    }
}

/// Two squares of a sheet share an edge or a vertex, which covers what their triangles may have in common.
#[test]
fn pairs_of_squares_are_those_of_the_integer_twin() {
    let mut random = Random::new(7);
    let mut met = 0;
    for _ in 0..400 {
        let mut corners: Vec<Grid> =
            (0..5).flat_map(|i| (0..5).map(move |j| [2 * i, 2 * j, 0])).collect();
        for _ in 0..3 {
            corners[random.below(25)] = [(); 3].map(|()| random.integer(-1, 9));
        }
        let squares: Vec<Vec<u32>> = (0..16_u32)
            .map(|n| (n / 4 * 5) + n % 4)
            .map(|at| vec![at, at + 5, at + 6, at + 1])
            .collect();
        let positions = corners.iter().map(|p| p.map(|x| x as f64)).collect();
        let model = model(positions, &squares);
        let triangulation = model.triangulation();
        let triangles: Vec<[u32; 3]> =
            triangulation.triangles().iter().map(|t| t.map(|v| v.0)).collect();
        let mesh = IntegerMesh { corners, faces: triangles };
        let mut expected = Vec::new();
        for (a, b) in (0..16).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let shared = shared(&squares[a], &squares[b]);
            let pair = [a, b].map(FaceId::from_index);
            let [of_a, of_b] = pair.map(|face| &mesh.faces[triangulation.triangles_of(face)]);
            if of_a.iter().any(|&s| of_b.iter().any(|&t| mesh.meet_outside(&shared, s, t))) {
                expected.push(pair);
            }
        }
        expected.sort_unstable();
        let found = self_intersections(&model, &Query::new());
        assert_eq!(found.pairs, expected, "{:?}", mesh.corners);
        met += usize::from(!expected.is_empty());
        found.verdict.verify(&model).unwrap();
    }
    assert!(met > 100 && met < 400, "{met}");
}

/// Of the generated shapes, the Klein bottle passes through itself and a soup does as it likes; the others must not.
#[test]
fn generated_shapes_are_embedded_but_for_two() {
    for name in xcollide_scenes::list().iter().map(|shape| shape.name) {
        let model = shape(&format!("shape:{name}"));
        let found = self_intersections(&model, &Query::new());
        assert!(found.complete);
        if !["klein", "soup"].contains(&name) {
            assert_eq!(found.verdict, SelfVerdict::Clear, "{name}");
            continue;
        }
        found.verdict.verify(&model).unwrap();
        assert!(found.count > 10, "{name}: {}", found.count);
        // No more and no fewer, pair by pair.
        let faces = || (0..model.mesh().face_count()).map(FaceId::from_index);
        let placed = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let share = |[a, b]: [FaceId; 2]| {
            let corners = model.mesh().face(b).corners();
            model.mesh().face(a).corners().iter().any(|corner| corners.contains(corner))
        };
        let meet = |[a, b]: [FaceId; 2]| {
            let of_b = model.triangulation().triangles_of(b);
            model.triangulation().triangles_of(a).any(|s| {
                of_b.clone().any(|t| triangles_intersect(&placed.triangle(s), &placed.triangle(t)))
            })
        };
        let far: Vec<[FaceId; 2]> = faces()
            .flat_map(|a| faces().skip(a.index() + 1).map(move |b| [a, b]))
            .filter(|&pair| !share(pair) && meet(pair))
            .collect();
        let of_far: Vec<_> = found.pairs.iter().copied().filter(|&pair| !share(pair)).collect();
        assert_eq!(of_far, far, "{name}: faces that share no vertex");
    }
}

/// The bits at the ends of the range of f64: an exact scale changes nothing.
#[test]
fn scale_changes_nothing() {
    let mut random = Random::new(5);
    for round in 0..300 {
        let mesh = integer_mesh(&mut random, round);
        let expected = mesh.pairs();
        for exponent in [-1070, -600, 600, 1019] {
            let scale = |x: i64| {
                x as f64 * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2)
            };
            let positions = mesh.corners.iter().map(|p| p.map(scale)).collect();
            let faces: Vec<Vec<u32>> = mesh.faces.iter().map(|face| face.to_vec()).collect();
            let model = model(positions, &faces);
            assert_eq!(self_intersections(&model, &Query::new()).pairs, expected, "2^{exponent}");
        }
    }
}

#[test]
fn a_query_ends_when_its_time_is_over_or_it_is_stopped() {
    let model = shape("shape:sphere?faces=5000");
    let late = Query::new().budget(Duration::ZERO);
    let undecided = SelfVerdict::Undecided(Reason::OutOfTime);
    let mut cache = PairCache::new();
    assert_eq!(SelfSearch::new().test(&model, &late, &mut cache), undecided);
    let found = SelfSearch::new().pairs(&model, 9, &late, &mut cache);
    let nothing =
        SelfIntersections { verdict: undecided, count: 0, pairs: vec![], complete: false };
    assert_eq!(found, nothing);
    let stop = Stop::new();
    cache.set_stop(Some(stop.clone()));
    assert_eq!(SelfSearch::new().test(&model, &Query::new(), &mut cache), SelfVerdict::Clear);
    stop.stop();
    assert_eq!(SelfSearch::new().test(&model, &Query::new(), &mut cache), nothing.verdict);
}

#[test]
fn work_is_counted() {
    // Every other face is turned over, so that no region is smooth.
    let (model, mut cache) = (turned_over(&sphere()), PairCache::new());
    let query = Query::new().stats(true);
    assert_eq!(SelfSearch::new().test(&model, &query, &mut cache), SelfVerdict::Clear);
    let serial = cache.stats();
    // Each triangle has three neighbours across an edge and some at its corners.
    assert!(serial.primitive_tests >= 6 * 500 && serial.volume_tests > 500, "{serial:?}");
    let fine = query.grain(Grain::Fine);
    assert_eq!(SelfSearch::new().test(&model, &fine, &mut cache), SelfVerdict::Clear);
    assert_eq!(cache.stats(), serial);
}

#[test]
fn false_proofs_are_refuted() {
    let ball = xcollide_scenes::shape("shape:sphere?faces=60").unwrap();
    let moved: Vec<_> = ball.positions().iter().map(|[x, y, z]| [x + 0.5, *y, *z]).collect();
    let two = joined(&[ball.clone(), ball.moved(moved).unwrap()]);
    let both = Model::from_mesh(two).unwrap();
    let one = Model::from_mesh(ball).unwrap();
    assert!(matches!(SelfVerdict::Clear.verify(&both), Err(ProofError::MoreThanShared { .. })));
    let verdict = self_intersections(&both, &Query::new()).verdict;
    verdict.verify(&both).unwrap();
    assert!(verdict.verify(&one).is_err(), "one ball has no such faces, or they are apart");
    // Neighbours meet, but only in what they share.
    let placed = Placed::new(&one, &Pose::IDENTITY).unwrap();
    let next = (1..one.triangulation().len())
        .find_map(|t| xcollide_narrow::Contact::of_triangles(placed, 0, placed, t))
        .unwrap();
    let only_shared = SelfVerdict::Intersects(next).verify(&one);
    assert!(matches!(only_shared, Err(ProofError::OnlyShared { .. })), "{only_shared:?}");
}

#[test]
fn a_model_without_faces_is_clear() {
    let model = Model::from_mesh(PolygonMesh::new()).unwrap();
    check_ways(&model, &[]);
}

fn sphere() -> PolygonMesh {
    xcollide_scenes::shape("shape:sphere?faces=500").unwrap()
}

/// The same faces, every other one turned over, so that hardly any neighbors face one direction.
fn turned_over(mesh: &PolygonMesh) -> Model {
    let faces: Vec<Vec<u32>> = mesh
        .faces()
        .enumerate()
        .map(|(number, face)| {
            let corners = face.outer().iter().map(|v| v.0);
            if number % 2 == 0 { corners.collect() } else { corners.rev().collect() }
        })
        .collect();
    model(mesh.positions().to_vec(), &faces)
}

/// All pairs as they are found where no region is smooth.
fn meeting_faces(mesh: &PolygonMesh) -> Vec<[FaceId; 2]> {
    let (found, tests) = counted(&turned_over(mesh));
    assert!(tests as usize >= 2 * mesh.face_count(), "{tests}");
    found.pairs
}

/// All pairs, and the tests of triangles that they took; by one thread and by several.
fn counted(model: &Model) -> (SelfIntersections, u64) {
    let search = SelfSearch::new();
    let (query, mut cache) = (Query::new().stats(true), PairCache::new());
    let found = search.pairs(model, usize::MAX, &query, &mut cache);
    let tests = cache.stats().primitive_tests;
    let fine = search.pairs(model, usize::MAX, &query.grain(Grain::Fine), &mut cache);
    assert_eq!(fine, found);
    assert_eq!(cache.stats().primitive_tests, tests);
    let verdict = search.test(model, &Query::new(), &mut cache);
    assert_eq!(verdict.is_intersection(), found.count > 0);
    (found, tests)
}

#[test]
fn smooth_regions_need_no_tests_and_nothing_is_lost_that_meets_others() {
    let mut random = Random::new(8);
    for spec in ["sphere?faces=2000", "torus?faces=2000", "knot?faces=3000"] {
        let mesh = xcollide_scenes::shape(&format!("shape:{spec}")).unwrap();
        // Faces with more corners are cut otherwise if they are turned over.
        let triangles = mesh.triangulate();
        let corners = triangles.triangles().iter().map(|corners| corners.map(|v| v.0));
        let mesh = PolygonMesh::from_polygons(mesh.positions().to_vec(), corners).unwrap();
        let shifted: Vec<_> =
            mesh.positions().iter().map(|[x, y, z]| [x + 0.3, *y, z + 0.2]).collect();
        let two = joined(&[mesh.clone(), mesh.moved(shifted).unwrap()]);
        // A body that is squeezed flat, so that its sides pass through each other.
        let through: Vec<_> =
            mesh.positions().iter().map(|[x, y, z]| [*x, *y, z * x.signum()]).collect();
        let rough: Vec<_> =
            mesh.positions().iter().map(|at| at.map(|x| x + 0.02 * random.signed())).collect();
        for mesh in [mesh.clone(), two, mesh.moved(through).unwrap(), mesh.moved(rough).unwrap()] {
            let expected = meeting_faces(&mesh);
            let (found, _) = counted(&Model::from_mesh(mesh).unwrap());
            assert_eq!(found.pairs, expected, "{spec}");
        }
    }
    // Most of a smooth surface is skipped: it has 12 pairs of neighbors for each two triangles.
    let model = shape("shape:sphere?faces=20000");
    let (found, tests) = counted(&model);
    assert!(found.count == 0 && tests < 2 * 20_000, "{tests}");
}

/// A ramp that winds twice about an axis and sinks through its first turn faces upward everywhere, and its outline crosses itself.
#[test]
fn a_region_that_faces_one_direction_may_meet_itself() {
    for steps in [6_u32, 15, 60] {
        let ramp = |step: u32, radius: f64| {
            let angle = f64::from(step) * 4.0 * std::f64::consts::PI / f64::from(steps);
            // It rises for one turn and sinks for another.
            let height = 0.1 * (1.0 - (f64::from(step) / f64::from(steps) - 0.45).abs());
            [radius * angle.cos(), radius * angle.sin(), height]
        };
        let corners = (0..=steps).flat_map(|step| [ramp(step, 1.0), ramp(step, 2.0)]).collect();
        let faces: Vec<Vec<u32>> = (0..steps)
            .map(|step| 2 * step)
            .flat_map(|i| [vec![i, i + 1, i + 2], vec![i + 2, i + 1, i + 3]])
            .collect();
        let model = model(corners, &faces);
        let (found, _) = counted(&model);
        assert!(found.count > 0);
        assert_eq!(found.pairs, meeting_faces(model.mesh()));
    }
}

#[test]
fn surfaces_that_face_nowhere_are_searched_whole() {
    assert_eq!(counted(&turned_over(&sphere())).0.count, 0);
    let empty = Model::from_mesh(PolygonMesh::new()).unwrap();
    assert_eq!(counted(&empty).0.count, 0);
}

/// Sheets over a small grid of integers, whose regions nearly all face upward: their outlines fold, touch and cross.
#[test]
fn sheets_that_face_upward_are_judged_as_by_the_integer_twin() {
    let mut random = Random::new(24);
    let (mut clear, mut skipped) = (0, 0);
    for round in 0..600 {
        let cells = 2 + round % 3;
        let at = |i: usize, j: usize| (i * (cells + 1) + j) as u32;
        let places = (0..cells * cells).map(|cell| (cell / cells, cell % cells));
        let faces = places.flat_map(|(i, j)| {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            [[a, b, c], [a, c, d]]
        });
        // Some corners are moved to others, or past them.
        let often = 6 + 6 * random.below(5);
        let mut corner = |place: usize| {
            let [x, y] = [place / (cells + 1), place % (cells + 1)].map(|k| {
                let step = if random.below(often) == 0 { random.integer(-3, 3) } else { 0 };
                2 * k as i64 + step
            });
            [x, y, random.integer(0, 1)]
        };
        let corners = (0..(cells + 1) * (cells + 1)).map(&mut corner).collect();
        let mesh = IntegerMesh { corners, faces: faces.collect() };
        let (found, tests) = counted(&mesh.model());
        assert_eq!(found.pairs, mesh.pairs(), "{round}");
        clear += usize::from(found.count == 0);
        skipped += usize::from(tests == 0);
    }
    assert!(clear > 100 && clear < 500 && skipped > 50, "{clear} {skipped}");
}
