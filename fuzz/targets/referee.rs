//! The exact separating axis test of triangles in 64-bit integers. It shares no code with what is tested.

use crate::integer::{Placing, Vector};

/// A point at a place.
pub fn placed(placing: Placing, p: Vector) -> Vector {
    let (rows, shift) = (placing.rows(), placing.shift());
    [0, 1, 2].map(|row| (0..3).map(|k| rows[row][k] * p[k]).sum::<i64>() + shift[row])
}

fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> i64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn separates(axis: Vector, s: &[Vector; 3], t: &[Vector; 3]) -> bool {
    let range = |points: &[Vector; 3]| {
        let [a, b, c] = points.map(|p| dot(axis, p));
        (a.min(b).min(c), a.max(b).max(c))
    };
    let ((low_s, high_s), (low_t, high_t)) = (range(s), range(t));
    high_s < low_t || high_t < low_s
}

/// Whether two triangles, which may be segments or points, have a point in common: some axis of a finite set
/// separates them strictly, or none does.
pub fn triangles_meet(s: &[Vector; 3], t: &[Vector; 3]) -> bool {
    let edges = |t: &[Vector; 3]| [sub(t[1], t[0]), sub(t[2], t[1]), sub(t[0], t[2])];
    let (of_s, of_t) = (edges(s), edges(t));
    let normals = [cross(of_s[0], of_s[1]), cross(of_t[0], of_t[1])];
    let between: Vec<Vector> = s.iter().flat_map(|&p| t.map(|q| sub(q, p))).collect();
    let all: Vec<Vector> = of_s.into_iter().chain(of_t).chain(normals).chain(between).collect();
    // All directions, normals of pairs of them, and what is square to an edge in such a plane: more than the theorem
    // needs, so that flat and parallel cases are covered too.
    let mut axes = all.clone();
    for (number, &u) in all.iter().enumerate() {
        for &v in &all[..number] {
            axes.push(cross(u, v));
        }
    }
    let edges: Vec<Vector> = of_s.into_iter().chain(of_t).collect();
    for &edge in &edges {
        for &v in &all {
            axes.push(cross(edge, cross(edge, v)));
        }
    }
    !axes.into_iter().any(|axis| separates(axis, s, t))
}
