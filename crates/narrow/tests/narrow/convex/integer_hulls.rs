//! Against separating axes in integers: hulls of points on small grids, of all dimensions.
//!
//! Two convex sets are disjoint iff some axis parts them strictly, and the direction between
//! nearest features is one: finitely many candidates, tried in 64-bit integers.

use xcollide_brep::ConvexHull;
use xcollide_narrow::{Model, Placed, Pose};

use super::panel::Panel;
use crate::support::Random;
use xcollide_fixtures::long_run;

pub(crate) type Vector = [i64; 3];

pub(crate) fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn dot(a: Vector, b: Vector) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A hull with integer corners.
pub(crate) struct Hull {
    pub(crate) model: Model,
    pub(crate) corners: Vec<Vector>,
    pub(crate) normals: Vec<Vector>,
    pub(crate) edges: Vec<Vector>,
    pub(crate) dimension: usize,
}

impl Hull {
    pub(crate) fn random(random: &mut Random, reach: i64) -> Self {
        let count = random.integer(1, 9) as usize;
        let flat = random.integer(0, 9);
        let point = |random: &mut Random| {
            let mut p = [(); 3].map(|()| random.integer(-reach, reach));
            if flat < 2 {
                p[flat as usize] = 0;
            }
            p
        };
        let points: Vec<Vector> = (0..count).map(|_| point(random)).collect();
        let floats: Vec<[f64; 3]> = points.iter().map(|p| p.map(|x| x as f64)).collect();
        let hull = ConvexHull::of(&floats).unwrap();
        let dimension = hull.dimension();
        let mesh = hull.into_mesh();
        let corners: Vec<Vector> = mesh.positions().iter().map(|p| p.map(|x| x as i64)).collect();
        let (mut normals, mut edges) = (Vec::new(), Vec::new());
        for face in mesh.faces() {
            let at = |i: usize| corners[face.outer()[i % face.outer().len()].index()];
            for i in 0..face.outer().len() {
                edges.push(sub(at(i + 1), at(i)));
            }
            if face.outer().len() > 2 {
                normals.push(cross(sub(at(1), at(0)), sub(at(2), at(0))));
            }
        }
        // Of opposite edges one is enough.
        for edge in &mut edges {
            *edge = (*edge).max(edge.map(|x| -x));
        }
        edges.sort_unstable();
        edges.dedup();
        Self { model: Model::from_mesh(mesh).unwrap(), corners, normals, edges, dimension }
    }
}

pub(crate) fn meet(s: &Hull, t: &Hull, shift: Vector) -> bool {
    let moved: Vec<Vector> =
        t.corners.iter().map(|p| [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]]).collect();
    let parts = |axis: Vector| {
        let range = |points: &[Vector]| {
            let heights = points.iter().map(|&p| dot(axis, p));
            (heights.clone().min().unwrap(), heights.max().unwrap())
        };
        let ((low_s, high_s), (low_t, high_t)) = (range(&s.corners), range(&moved));
        high_s < low_t || high_t < low_s
    };
    let mut axes = [&s.normals[..], &t.normals].concat();
    for &e in &s.edges {
        axes.extend(t.edges.iter().map(|&f| cross(e, f)));
    }
    if axes.iter().any(|&axis| parts(axis)) {
        return false;
    }
    if s.dimension == 3 && t.dimension == 3 {
        return true;
    }
    // Between vertices, and between a vertex and an edge or two parallel edges.
    for &p in &s.corners {
        for &q in &moved {
            let line = sub(q, p);
            let edges = s.edges.iter().chain(&t.edges);
            if parts(line) || edges.clone().any(|&e| parts(cross(e, cross(e, line)))) {
                return false;
            }
        }
    }
    true
}

fn agree_with_integers(mut panel: Panel, rounds: usize, seed: u64) {
    let mut random = Random::new(seed);
    let (mut hits, mut flat_hits) = (0, 0);
    for round in 0..rounds {
        let reach = [1, 2, 4, 12][round % 4];
        let (s, t) = (Hull::random(&mut random, reach), Hull::random(&mut random, reach));
        // The same pair in a few places, so that memories matter.
        for _ in 0..4 {
            let far = (reach + 1) / 2;
            let shift = [(); 3].map(|()| random.integer(-far, far));
            let expected = meet(&s, &t, shift);
            let [x, y, z] = shift.map(|x| x as f64);
            let (here, there) = (Pose::IDENTITY, Pose::from_translation([x, y, z]));
            let a = Placed::new(&s.model, &here).unwrap();
            let b = Placed::new(&t.model, &there).unwrap();
            assert_eq!(panel.ask(a, b), expected, "{:?} {:?} {shift:?}", s.corners, t.corners);
            hits += usize::from(expected);
            flat_hits += usize::from(expected && s.dimension + t.dimension < 6);
        }
    }
    panel.report("integer hulls");
    println!("{hits} of {} collide, {flat_hits} of them with a flat one", 4 * rounds);
    assert!(hits > rounds / 2 && hits < 3 * rounds && flat_hits > rounds / 10);
}

#[test]
fn all_agree_with_integer_separating_axes() {
    agree_with_integers(Panel::with_compound(true), 400, 3);
}

#[test]
fn all_agree_with_integer_separating_axes_soak() {
    let run = long_run(2000, 1_000_000);
    // Each round asks about four pairs.
    agree_with_integers(Panel::new(true), run.cases as usize / 4, 4 + run.seed);
}
