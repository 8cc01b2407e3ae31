//! Soups of triangles and poses for trees of cut-planes, and brute force over them.

#![allow(clippy::unwrap_used, dead_code)]

use xcollide_bvh::classic::box_tree::EdgeFace;
pub(crate) use xcollide_fixtures::Random;
use xcollide_math::Pose;
use xcollide_math::vector::{add, sub};
use xcollide_predicates::{segment_intersects_triangle, triangles_intersect};

pub(crate) type Triangle = [[f64; 3]; 3];
pub(crate) type Edge = [[f64; 3]; 2];

/// A random rotation, a rotation by right angles, or none.
pub(crate) fn rotation(random: &mut Random) -> [[f64; 3]; 3] {
    let q = match random.below(4) {
        0 => [0.0, 0.0, 0.0, 1.0],
        1 => {
            // Exact: the quaternions of the cube's rotations, as matrices.
            let mut axes = [0, 1, 2];
            axes.rotate_left(random.below(3));
            if random.below(2) == 0 {
                axes.swap(0, 1);
            }
            let mut rotation = [[0.0; 3]; 3];
            for row in 0..3 {
                rotation[row][axes[row]] = if random.below(2) == 0 { 1.0 } else { -1.0 };
            }
            if determinant(&rotation) < 0.0 {
                rotation[2] = rotation[2].map(|x| -x);
            }
            return rotation;
        }
        2 => {
            // Nearly parallel axes.
            [random.signed() * 1e-13, random.signed() * 1e-15, 0.0, 1.0]
        }
        _ => [0; 4].map(|_| random.signed()),
    };
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let [x, y, z, w] = q.map(|value| value / norm);
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

fn determinant(m: &[[f64; 3]; 3]) -> f64 {
    (0..3)
        .map(|i| {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            m[0][i] * (m[1][j] * m[2][k] - m[1][k] * m[2][j])
        })
        .sum()
}

/// Triangles of many kinds: random ones large and small, slivers, segments, points, copies, sheets
/// in one plane, a closed regular box of integer corners.
pub(crate) fn soup(random: &mut Random, count: usize) -> Vec<Triangle> {
    if random.below(4) == 0 {
        return cube(1 + random.below(3) as i32);
    }
    let mut triangles: Vec<Triangle> = Vec::new();
    while triangles.len() < count {
        let center = random.point(1.0);
        let size = [0.05, 0.3, 0.3, 1.0][random.below(4)];
        let mut near = || {
            let offset = random.point(size);
            [0, 1, 2].map(|k| center[k] + offset[k])
        };
        let [a, b, c] = [near(), near(), near()];
        triangles.push(match random.below(8) {
            0 => [a, a, a],
            1 => [a, b, b],
            2 => [a, b, [0, 1, 2].map(|k| 0.5 * a[k] + 0.5 * b[k])],
            // In the plane z = 0.
            3 => [a, b, c].map(|[x, y, _]| [x, y, 0.0]),
            // On a grid, so that corners, edges and planes coincide.
            4 => [a, b, c].map(|p| p.map(|x| (x * 4.0).round() / 4.0)),
            5 if !triangles.is_empty() => triangles[random.below(triangles.len())],
            _ => [a, b, c],
        });
    }
    triangles
}

/// The surface of a cube of side 2 around the origin, `count` × `count` squares a side.
pub(crate) fn cube(count: i32) -> Vec<Triangle> {
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for i in 0..count {
                for j in 0..count {
                    let corner = |u: i32, v: i32| {
                        let mut p = [side; 3];
                        p[(axis + 1) % 3] = f64::from(2 * u - count) / f64::from(count);
                        p[(axis + 2) % 3] = f64::from(2 * v - count) / f64::from(count);
                        p
                    };
                    let [a, b] = [corner(i, j), corner(i + 1, j)];
                    let [c, d] = [corner(i, j + 1), corner(i + 1, j + 1)];
                    triangles.extend([[a, b, c], [b, d, c]]);
                }
            }
        }
    }
    triangles
}

pub(crate) fn map(triangles: &[Triangle], f: impl Fn(f64) -> f64) -> Vec<Triangle> {
    triangles.iter().map(|t| t.map(|p| p.map(&f))).collect()
}

pub(crate) fn edges_of(triangles: &[Triangle]) -> Vec<Edge> {
    triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]).collect()
}

/// Two soups at two poses.
pub(crate) struct Scene {
    pub(crate) a: Vec<Triangle>,
    pub(crate) b: Vec<Triangle>,
    pub(crate) motion_a: Pose,
    pub(crate) motion_b: Pose,
}

impl Scene {
    /// Scales from 1e-9 to 1e9, local coordinates and poses near and far from the origin, models
    /// near each other, the same model at the same pose, cubes that touch exactly.
    pub(crate) fn random(random: &mut Random, count: usize) -> Self {
        let scale = [1.0, 1.0, 1e-9, 1e9][random.below(4)];
        let a = soup(random, count);
        let b = if random.below(3) == 0 { a.clone() } else { soup(random, count) };
        let away = [0.0, 0.0, 3e3, 1e7][random.below(4)] * scale;
        let local_a = [0.0, 0.0, 1e6][random.below(3)] * scale;
        let (a, b) = (map(&a, |x| x * scale + local_a), map(&b, |x| x * scale));
        let mut motion_a = Pose::from_matrix(rotation(random), random.point(away)).unwrap();
        let mut motion_b = Pose::from_matrix(rotation(random), motion_a.translation()).unwrap();
        match random.below(5) {
            // The same pose.
            0 => motion_b = motion_a,
            // Cubes that share a corner, an edge, a face.
            1 => {
                let by = [0; 3].map(|_| [0.0, 2.0, -2.0][random.below(3)] * scale);
                motion_b = motion_a.with_translation(add(motion_b.translation(), by));
            }
            _ => {
                let offset = random.point(1.5 * scale);
                motion_b = motion_b.with_translation(add(motion_b.translation(), offset));
            }
        }
        // Back to where b is, in spite of a's place in its own frame.
        let shift = motion_a.rotate([local_a; 3]);
        motion_a = motion_a.with_translation(sub(motion_a.translation(), shift));
        Self { a, b, motion_a, motion_b }
    }

    /// Two cubes side by side with a small gap between them, so far from the origin that the
    /// rounding of world positions closes the gap, or does not.
    pub(crate) fn far(random: &mut Random) -> Self {
        let gap = random.signed().abs() * 1e-4;
        let a = cube(1 + random.below(4) as i32);
        let b = map(&cube(1 + random.below(4) as i32), |x| x * (1.0 - gap));
        let mut motion_a = Pose::from_matrix(rotation(random), random.point(1e12)).unwrap();
        motion_a = motion_a.with_translation(motion_a.translation().map(f64::round));
        let between = motion_a.rotate([2.0, 0.0, 0.0]);
        let motion_b = motion_a.with_translation(add(motion_a.translation(), between));
        Self { a, b, motion_a, motion_b }
    }

    pub(crate) fn world_a(&self, i: u32) -> Triangle {
        self.a[i as usize].map(|corner| self.motion_a.apply(corner))
    }

    pub(crate) fn world_b(&self, i: u32) -> Triangle {
        self.b[i as usize].map(|corner| self.motion_b.apply(corner))
    }

    pub(crate) fn collide(&self, i: u32, j: u32) -> bool {
        triangles_intersect(&self.world_a(i), &self.world_b(j))
    }

    pub(crate) fn edge_face_collide(&self, pair: EdgeFace) -> bool {
        // Edge number 3t + k of `edges_of` is edge k of triangle t.
        let edge = |t: Triangle, k: u32| [t[k as usize % 3], t[(k as usize + 1) % 3]];
        match pair {
            EdgeFace::EdgeOfFirst { edge: e, triangle } => segment_intersects_triangle(
                &edge(self.world_a(e / 3), e % 3),
                &self.world_b(triangle),
            ),
            EdgeFace::EdgeOfSecond { triangle, edge: e } => segment_intersects_triangle(
                &edge(self.world_b(e / 3), e % 3),
                &self.world_a(triangle),
            ),
        }
    }

    /// All pairs, each tested: the slow and obviously right twin of every tree.
    pub(crate) fn brute_force(&self) -> Vec<(u32, u32)> {
        let (count_a, count_b) = (self.a.len() as u32, self.b.len() as u32);
        (0..count_a)
            .flat_map(|i| (0..count_b).map(move |j| (i, j)))
            .filter(|&(i, j)| self.collide(i, j))
            .collect()
    }

    pub(crate) fn brute_force_edge_face(&self) -> Vec<EdgeFace> {
        let (count_a, count_b) = (self.a.len() as u32, self.b.len() as u32);
        let first = (0..3 * count_a).flat_map(|edge| {
            (0..count_b).map(move |triangle| EdgeFace::EdgeOfFirst { edge, triangle })
        });
        let second = (0..count_a).flat_map(|triangle| {
            (0..3 * count_b).map(move |edge| EdgeFace::EdgeOfSecond { triangle, edge })
        });
        first.chain(second).filter(|&pair| self.edge_face_collide(pair)).collect()
    }
}
