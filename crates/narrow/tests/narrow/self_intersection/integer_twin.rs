//! A slow twin in integers: which faces of a mesh meet in more than what they share.

use crate::support::{Random, model};
use xcollide_brep::FaceId;
use xcollide_narrow::Model;

pub(super) type Grid = [i64; 3];

/// A mesh of triangles with integer corners.
pub(super) struct IntegerMesh {
    pub(super) corners: Vec<Grid>,
    pub(super) faces: Vec<[u32; 3]>,
}

impl IntegerMesh {
    pub(super) fn model(&self) -> Model {
        let positions = self.corners.iter().map(|p| p.map(|x| x as f64)).collect();
        let faces: Vec<Vec<u32>> = self.faces.iter().map(|face| face.to_vec()).collect();
        model(positions, &faces)
    }

    /// All pairs of faces that meet in more than what they share, by [`meet_in_more`].
    pub(super) fn pairs(&self) -> Vec<[FaceId; 2]> {
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
    pub(super) fn meet_outside(&self, shared: &[u32], s: [u32; 3], t: [u32; 3]) -> bool {
        let at = |v: u32| self.corners[v as usize];
        common_vertices(&s.map(at), &t.map(at)).iter().any(|point| match *shared {
            [] => true,
            [v] => !is_on(point, at(v), at(v)),
            [u, .., v] => !is_on(point, at(u), at(v)),
        })
    }
}

/// The numbers that two faces have.
pub(super) fn shared(a: &[u32], b: &[u32]) -> Vec<u32> {
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

/// The points whose convex hull is the intersection of two triangles. Each is a corner of one on the other, or a point of an edge
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
pub(super) fn integer_mesh(random: &mut Random, kind: usize) -> IntegerMesh {
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
