//! Exact algorithms against separating axes in integer arithmetic, where nothing is rounded.
//!
//! Two convex sets are disjoint if and only if some axis separates them strictly, and for two
//! triangles, or two tetrahedra, finitely many axes are enough. In 64-bit integers on small grids
//! that test is exact and shares nothing with the code under test.

#![allow(clippy::unwrap_used)]

use crate::support;

use super::convex::integer_hulls::{Vector, cross, dot, sub};
use support::{Random, agreed, model};
use xcollide_narrow::{Model, Placed, Pose, Semantics};

fn separates(axis: Vector, a: &[Vector], b: &[Vector]) -> bool {
    let range = |points: &[Vector]| {
        let heights = points.iter().map(|&p| dot(axis, p));
        (heights.clone().min().unwrap(), heights.max().unwrap())
    };
    let ((low_a, high_a), (low_b, high_b)) = (range(a), range(b));
    high_a < low_b || high_b < low_a
}

/// For two triangles with area, one of these axes separates them if they are disjoint: the face normals, the cross
/// products of edges, and, for coplanar triangles, the normals of the edges in the plane.
pub(crate) fn triangle_axes(s: [Vector; 3], t: [Vector; 3]) -> Vec<Vector> {
    let edges = |t: [Vector; 3]| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
    let (es, et) = (edges(s), edges(t));
    let (ns, nt) = (cross(es[0], es[1]), cross(et[0], et[1]));
    let mut axes = vec![ns, nt];
    for e in es {
        axes.push(cross(ns, e));
        axes.extend(et.map(|f| cross(e, f)));
    }
    axes.extend(et.map(|f| cross(nt, f)));
    axes
}

fn triangles_meet(s: [Vector; 3], t: [Vector; 3]) -> bool {
    !triangle_axes(s, t).into_iter().any(|axis| separates(axis, &s, &t))
}

/// Two tetrahedra with volume, as bodies.
fn tetrahedra_meet(s: [Vector; 4], t: [Vector; 4]) -> bool {
    const EDGES: [[usize; 2]; 6] = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
    const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    let mut axes = Vec::new();
    for body in [s, t] {
        axes.extend(FACES.map(|[i, j, k]| cross(sub(body[j], body[i]), sub(body[k], body[i]))));
    }
    for [i, j] in EDGES {
        axes.extend(EDGES.map(|[k, l]| cross(sub(s[j], s[i]), sub(t[l], t[k]))));
    }
    !axes.into_iter().any(|axis| separates(axis, &s, &t))
}

fn random_point(random: &mut Random, reach: i64) -> Vector {
    [(); 3].map(|()| random.integer(-reach, reach))
}

fn float(p: Vector) -> [f64; 3] {
    p.map(|x| x as f64)
}

fn soup(triangles: &[[Vector; 3]]) -> Model {
    let positions = triangles.iter().flatten().map(|&p| float(p)).collect();
    let faces: Vec<Vec<u32>> =
        (0..triangles.len() as u32).map(|i| vec![3 * i, 3 * i + 1, 3 * i + 2]).collect();
    model(positions, &faces)
}

fn random_soup(random: &mut Random, reach: i64) -> Vec<[Vector; 3]> {
    let count = random.integer(1, 4) as usize;
    let mut triangles = Vec::new();
    while triangles.len() < count {
        let t = [(); 3].map(|()| random_point(random, reach));
        if cross(sub(t[1], t[0]), sub(t[2], t[0])) != [0; 3] {
            triangles.push(t);
        }
    }
    triangles
}

#[test]
fn soups_agree_with_integer_separating_axes() {
    let mut random = Random::new(1);
    let identity = Pose::IDENTITY;
    let (mut collisions, mut apart) = (0, 0);
    for round in 0..1500 {
        let reach = [2, 4, 10][round % 3];
        let (s, t) = (random_soup(&mut random, reach), random_soup(&mut random, reach));
        let shift = random_point(&mut random, reach);
        let moved =
            t.iter().map(|u| u.map(|p| [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]]));
        let moved: Vec<[Vector; 3]> = moved.collect();
        let mut expected = Vec::new();
        for (i, &u) in s.iter().enumerate() {
            for (j, &v) in moved.iter().enumerate() {
                if triangles_meet(u, v) {
                    expected.push(((i as u32).into(), (j as u32).into()));
                }
            }
        }
        let (model_s, model_t) = (soup(&s), soup(&t));
        let [x, y, z] = float(shift);
        let pose = Pose::from_translation([x, y, z]);
        let placed =
            (Placed::new(&model_s, &identity).unwrap(), Placed::new(&model_t, &pose).unwrap());
        let (collides, contacts) = agreed(placed.0, placed.1, Semantics::Solid);
        assert_eq!((collides, &contacts), (!expected.is_empty(), &expected), "{s:?} {moved:?}");
        if collides { collisions += 1 } else { apart += 1 }
    }
    assert!(collisions > 300 && apart > 150, "{collisions} collisions, {apart} apart");
}

fn tetrahedron(corners: [Vector; 4]) -> Model {
    model(
        corners.map(float).to_vec(),
        &[vec![0, 1, 2], vec![0, 3, 1], vec![1, 3, 2], vec![2, 3, 0]],
    )
}

fn random_tetrahedron(random: &mut Random, reach: i64) -> [Vector; 4] {
    loop {
        let c = [(); 4].map(|()| random_point(random, reach));
        if dot(cross(sub(c[1], c[0]), sub(c[2], c[0])), sub(c[3], c[0])) != 0 {
            return c;
        }
    }
}

#[test]
fn solid_tetrahedra_agree_with_integer_separating_axes_nested_ones_included() {
    let mut random = Random::new(2);
    let identity = Pose::IDENTITY;
    let (mut nested, mut apart) = (0, 0);
    for round in 0..2000 {
        let (large, small, reach) = if round % 2 == 0 { (12, 1, 1) } else { (3, 3, 3) };
        let (s, t) =
            (random_tetrahedron(&mut random, large), random_tetrahedron(&mut random, small));
        let shift = random_point(&mut random, reach);
        let moved = t.map(|p| [p[0] + shift[0], p[1] + shift[1], p[2] + shift[2]]);
        let expected = tetrahedra_meet(s, moved);
        let (model_s, model_t) = (tetrahedron(s), tetrahedron(moved));
        let placed =
            (Placed::new(&model_s, &identity).unwrap(), Placed::new(&model_t, &identity).unwrap());
        let (collides, contacts) = agreed(placed.0, placed.1, Semantics::Solid);
        assert_eq!(collides, expected, "{s:?} {moved:?}");
        let (surfaces_meet, surface_contacts) = agreed(placed.0, placed.1, Semantics::Surface);
        assert_eq!(surfaces_meet, !contacts.is_empty());
        assert_eq!(contacts, surface_contacts);
        nested += usize::from(collides && contacts.is_empty());
        apart += usize::from(!collides);
    }
    assert!(nested > 30 && apart > 300, "{nested} nested, {apart} apart");
}

/// A pose that turns by 120° about a diagonal permutes the axes without rounding.
#[test]
fn a_rotation_that_permutes_the_axes_is_exact() {
    let mut random = Random::new(3);
    let third =
        nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(0.5, 0.5, 0.5, 0.5));
    let pose = Pose::try_from(nalgebra::Isometry3::from_parts(
        nalgebra::Translation3::new(1.0, -2.0, 0.0),
        third,
    ))
    .unwrap();
    for _ in 0..300 {
        let (s, t) = (random_tetrahedron(&mut random, 4), random_tetrahedron(&mut random, 4));
        let moved = t.map(|[x, y, z]| [z + 1, x - 2, y]);
        let (model_s, model_t) = (tetrahedron(s), tetrahedron(t));
        let placed = (
            Placed::new(&model_s, &Pose::IDENTITY).unwrap(),
            Placed::new(&model_t, &pose).unwrap(),
        );
        assert_eq!(agreed(placed.0, placed.1, Semantics::Solid).0, tetrahedra_meet(s, moved));
    }
}
