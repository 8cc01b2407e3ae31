//! The signed volumes subalgorithm: the point of a simplex nearest to the origin, by barycentric
//! coordinates of the origin's projection (Montanari, Petrinic and Barbieri, *Improving the GJK
//! algorithm for faster and more reliable distance queries between convex objects*, 2017).
//!
//! The coordinates are ratios of volumes, of areas in the coordinate plane where the triangle is largest, and of lengths
//! along the axis where the segment is longest. They need no products of products, with which Johnson's Δ lose digits, and
//! divisors are zero only for degenerate segments and triangles. Each corner with a negative coordinate is dropped in
//! turn, and the nearest point of the smaller simplices is the result.

use xcollide_math::vector::{add, cross, dot, length_squared, scale, sub};

/// As [`johnson::weights`](super::johnson::weights).
pub(crate) fn weights(points: &[[f64; 3]]) -> [f64; 4] {
    let corners = [0, 1, 2, 3];
    nearest(points, &corners[..points.len().min(4)]).0
}

type Weighted = ([f64; 4], f64);

fn nearest(points: &[[f64; 3]], corners: &[usize]) -> Weighted {
    let coordinates = match *corners {
        [a] => {
            let mut weights = [0.0; 4];
            weights[a] = 1.0;
            return (weights, length_squared(points[a]));
        }
        [a, b] => on_segment(points[a], points[b]),
        [a, b, c] => on_triangle(points[a], points[b], points[c]),
        [a, b, c, d] => in_tetrahedron([a, b, c, d].map(|corner| points[corner])),
        _ => return ([0.0; 4], 0.0),
    };
    let coordinates = &coordinates[..corners.len()];
    let sum: f64 = coordinates.iter().sum();
    let inside = |&coordinate: &f64| coordinate * sum > 0.0;
    if sum != 0.0 && coordinates.iter().all(inside) {
        let mut weights = [0.0; 4];
        for (&corner, &coordinate) in corners.iter().zip(coordinates) {
            weights[corner] = coordinate / sum;
        }
        let along = |point, &corner| add(point, scale(points[corner], weights[corner]));
        return (weights, length_squared(corners.iter().fold([0.0; 3], along)));
    }
    let mut best = ([0.0; 4], f64::INFINITY);
    for (dropped, coordinate) in coordinates.iter().enumerate() {
        if sum != 0.0 && inside(coordinate) {
            continue;
        }
        let mut rest = [0; 3];
        let kept = corners.iter().enumerate().filter(|&(index, _)| index != dropped);
        for (slot, (_, &corner)) in rest.iter_mut().zip(kept) {
            *slot = corner;
        }
        let candidate = nearest(points, &rest[..corners.len() - 1]);
        if candidate.1 < best.1 {
            best = candidate;
        }
    }
    best
}

/// The axis along which a vector is longest.
fn longest(v: [f64; 3]) -> usize {
    let [x, y, z] = v.map(f64::abs);
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}

/// The coordinates of the origin's projection to a line, up to a factor.
fn on_segment(a: [f64; 3], b: [f64; 3]) -> [f64; 4] {
    let line = sub(b, a);
    let length = length_squared(line);
    if length == 0.0 {
        return [0.0; 4];
    }
    let axis = longest(line);
    let foot = a[axis] - dot(a, line) / length * line[axis];
    let side = if line[axis] < 0.0 { -1.0 } else { 1.0 };
    [side * (b[axis] - foot), side * (foot - a[axis]), 0.0, 0.0]
}

/// The same for a plane.
fn on_triangle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 4] {
    let normal = cross(sub(b, a), sub(c, a));
    let length = length_squared(normal);
    if length == 0.0 {
        return [0.0; 4];
    }
    let foot = scale(normal, dot(a, normal) / length);
    let axis = longest(normal);
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    let area = |p: [f64; 3], q: [f64; 3]| {
        let (p, q) = (sub(p, foot), sub(q, foot));
        p[u] * q[v] - p[v] * q[u]
    };
    [area(b, c), area(c, a), area(a, b), 0.0]
}

/// The coordinates of the origin in space, up to a factor; zeros if the tetrahedron is so flat that their signs are noise.
fn in_tetrahedron([a, b, c, d]: [[f64; 3]; 4]) -> [f64; 4] {
    let (ab, ac, ad) = (sub(b, a), sub(c, a), sub(d, a));
    let reach = length_squared(ab).max(length_squared(ac)).max(length_squared(ad));
    if dot(cross(ab, ac), ad).abs() < 1e-14 * reach * reach.sqrt() {
        return [0.0; 4];
    }
    let (ab, cd) = (cross(a, b), cross(c, d));
    [dot(b, cd), -dot(a, cd), dot(d, ab), -dot(c, ab)]
}
