//! Hulls of points in general position, by trying all triples.

use xcollide_convex::FanArc;
use xcollide_scenes::Random;

type Vector = [f64; 3];

pub(crate) fn on_sphere(random: &mut Random, count: usize) -> Vec<Vector> {
    (0..count).map(|_| random.direction()).collect()
}

/// The edges of the hull of points that are all on it, no four of them in one plane.
pub(crate) fn arcs(points: &[Vector]) -> Vec<FanArc> {
    let mut faces = Vec::new();
    for i in 0..points.len() {
        for j in 0..i {
            for k in 0..j {
                let normal = normal(points[i], points[j], points[k]);
                let above = points.iter().map(|&p| dot(normal, sub(p, points[i])));
                let beyond = |sign: f64| above.clone().all(|height| sign * height < 1e-12);
                if beyond(1.0) {
                    faces.push(([k, j, i], normal));
                } else if beyond(-1.0) {
                    faces.push(([k, j, i], normal.map(|x| -x)));
                }
            }
        }
    }
    let mut arcs = Vec::new();
    for (number, (of_face, m)) in faces.iter().enumerate() {
        for (of_other, n) in &faces[..number] {
            let shared: Vec<u32> =
                of_face.iter().filter(|i| of_other.contains(i)).map(|&i| i as u32).collect();
            if let &[p, q] = &shared[..] {
                arcs.push(FanArc { normals: [*m, *n], ends: [p, q] });
            }
        }
    }
    assert_eq!(arcs.len() + 6, 3 * points.len(), "Euler");
    arcs
}

fn normal(p: Vector, q: Vector, r: Vector) -> Vector {
    let (a, b) = (sub(q, p), sub(r, p));
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]
}

fn sub(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
