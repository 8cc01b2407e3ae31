//! Up to four differences q − p of vertices, and their point nearest to the origin.
//!
//! The simplex in the Minkowski difference of Gilbert, Johnson and Keerthi (1988; Chung 1996, 5.1). Johnson's subalgorithm
//! tries all subsets, and needs a back-up procedure for contradictions by rounding. The default classifies by the Voronoi
//! regions of the features (Ericson, *Real-Time Collision Detection*, 2005, 5.1.5 and 5.1.6), which always finds one.

use crate::gjk::johnson;
use crate::gjk::signed_volumes;
use xcollide_math::vector::{
    add, cross, dot, length_squared, neg, perpendicular, scale, sub, unit,
};

/// Up to four points of the Minkowski difference, each with its vertices.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simplex {
    len: usize,
    points: [[f64; 3]; 4],
    ends: [[u32; 2]; 4],
    weights: [f64; 4],
}

/// How the point of a simplex nearest to the origin is found. The ways differ in rounding and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Subalgorithm {
    /// By the Voronoi regions of corners, edges and faces (Ericson 2005).
    #[default]
    Regions,
    /// Johnson's, with the back-up procedure (Gilbert, Johnson and Keerthi 1988).
    Johnson,
    /// By signed volumes (Montanari, Petrinic and Barbieri 2017).
    SignedVolumes,
}

impl Simplex {
    /// An empty simplex.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of points.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no points.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The points.
    #[inline]
    #[must_use]
    pub fn points(&self) -> &[[f64; 3]] {
        &self.points[..self.len]
    }

    /// The vertices of each point: of the first and of the second polytope.
    #[inline]
    #[must_use]
    pub fn ends(&self) -> &[[u32; 2]] {
        &self.ends[..self.len]
    }

    /// The weights of the points in the point nearest to the origin, after
    /// [`reduce`](Self::reduce).
    #[inline]
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights[..self.len]
    }

    /// Adds a point; `false` if there are four, or one with these ends.
    #[inline]
    pub fn push(&mut self, point: [f64; 3], ends: [u32; 2]) -> bool {
        if self.len == 4 || self.ends().contains(&ends) {
            return false;
        }
        self.points[self.len] = point;
        self.ends[self.len] = ends;
        self.len += 1;
        true
    }

    /// Keeps only the feature with the point nearest to the origin, and returns that point; `None` if four points hold the
    /// origin, and are all kept.
    #[inline]
    pub fn reduce(&mut self) -> Option<[f64; 3]> {
        match self.len {
            0 => Some([0.0; 3]),
            1 => {
                self.weights[0] = 1.0;
                Some(self.points[0])
            }
            2 => Some(self.reduce_segment()),
            3 => {
                let nearest = Nearest::on_triangle(&self.points, [0, 1, 2]);
                Some(self.keep_nearest(&nearest))
            }
            _ => self.reduce_tetrahedron(),
        }
    }

    /// The same by another subalgorithm.
    #[inline]
    pub(crate) fn reduce_by(&mut self, subalgorithm: Subalgorithm) -> Option<[f64; 3]> {
        let weights = match subalgorithm {
            _ if self.is_empty() => return Some([0.0; 3]),
            Subalgorithm::Regions => return self.reduce(),
            Subalgorithm::Johnson => johnson::weights(self.points()),
            Subalgorithm::SignedVolumes => signed_volumes::weights(self.points()),
        };
        if weights.iter().all(|&weight| weight > 0.0) {
            self.weights = weights;
            return None;
        }
        let kept = (0..self.len).zip(weights).filter(|&(_, weight)| weight > 0.0);
        let weighted =
            |sum, (index, weight): (usize, f64)| add(sum, scale(self.points[index], weight));
        let point = kept.clone().fold([0.0; 3], weighted);
        self.keep(kept);
        Some(point)
    }

    /// The direction from the origin to the nearest point of the reduced simplex, computed in a way that stays sharp if that
    /// point is almost the origin.
    #[inline]
    #[must_use]
    pub fn towards_origin(&self, nearest: [f64; 3]) -> [f64; 3] {
        match *self.points() {
            [a, b, c] => {
                let normal = cross(sub(b, a), sub(c, a));
                if length_squared(normal) == 0.0 {
                    nearest
                } else if dot(normal, a) >= 0.0 {
                    normal
                } else {
                    neg(normal)
                }
            }
            [a, b] => {
                let line = sub(b, a);
                match unit(nearest) {
                    Some(nearest) => {
                        let along = dot(nearest, line) / length_squared(line);
                        sub(nearest, scale(line, along))
                    }
                    None => perpendicular(line),
                }
            }
            _ if length_squared(nearest) > 0.0 => nearest,
            _ => UNLIKELY,
        }
    }

    fn reduce_segment(&mut self) -> [f64; 3] {
        let [a, b, ..] = self.points;
        let line = sub(b, a);
        let (along, length) = (-dot(a, line), length_squared(line));
        if along <= 0.0 {
            self.len = 1;
            self.weights[0] = 1.0;
            return a;
        }
        if along >= length {
            (self.points[0], self.ends[0]) = (self.points[1], self.ends[1]);
            self.len = 1;
            self.weights[0] = 1.0;
            return b;
        }
        let t = along / length;
        (self.weights[0], self.weights[1]) = (1.0 - t, t);
        add(a, scale(line, t))
    }

    fn reduce_tetrahedron(&mut self) -> Option<[f64; 3]> {
        let [a, b, c, d] = self.points;
        let (ab, ac, ad) = (sub(b, a), sub(c, a), sub(d, a));
        let normals = [cross(ab, ac), cross(ac, ad), cross(ad, ab), cross(sub(d, b), sub(c, b))];
        // Heights of the origin and of the opposite corner over each face.
        let volume = dot(normals[0], ad);
        let heights =
            [-dot(normals[0], a), -dot(normals[1], a), -dot(normals[2], a), -dot(normals[3], b)];
        let opposite = [volume, volume, volume, dot(normals[3], sub(a, b))];
        let reach = length_squared(ab).max(length_squared(ac)).max(length_squared(ad));
        // So flat that the signs are noise: take all faces. The result is a hint only; proofs do not rely on it.
        let flat = volume.abs() < 1e-14 * reach * reach.sqrt();
        let outside = [0, 1, 2, 3].map(|face| flat || heights[face] * opposite[face] < 0.0);
        if outside == [false; 4] {
            return None;
        }
        let mut best = Nearest::NONE;
        for (face, corners) in [[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]].into_iter().enumerate()
        {
            if outside[face] {
                let nearest = Nearest::on_triangle(&self.points, corners);
                if nearest.distance < best.distance {
                    best = nearest;
                }
            }
        }
        Some(self.keep_nearest(&best))
    }

    /// Drops the points of weight zero.
    #[inline]
    fn keep_nearest(&mut self, nearest: &Nearest) -> [f64; 3] {
        let weighted = nearest.corners.into_iter().zip(nearest.weights);
        self.keep(weighted.filter(|&(_, weight)| weight > 0.0));
        nearest.point
    }

    #[inline]
    fn keep(&mut self, kept: impl Iterator<Item = (usize, f64)>) {
        let old = *self;
        self.len = 0;
        for (corner, weight) in kept {
            self.points[self.len] = old.points[corner];
            self.ends[self.len] = old.ends[corner];
            self.weights[self.len] = weight;
            self.len += 1;
        }
    }
}

/// The direction if two vertices coincide.
const UNLIKELY: [f64; 3] = [0.36, 0.48, 0.8];

/// The point of a triangle nearest to the origin.
struct Nearest {
    corners: [usize; 3],
    weights: [f64; 3],
    point: [f64; 3],
    /// Squared.
    distance: f64,
}

impl Nearest {
    const NONE: Self = Self {
        corners: [0; 3],
        weights: [1.0, 0.0, 0.0],
        point: [0.0; 3],
        distance: f64::INFINITY,
    };

    #[inline]
    fn on_triangle(points: &[[f64; 3]; 4], corners: [usize; 3]) -> Self {
        let [a, b, c] = corners.map(|corner| points[corner]);
        let weights = weights_on_triangle(a, b, c);
        let [u, v, w] = weights;
        let point = add(add(scale(a, u), scale(b, v)), scale(c, w));
        Self { corners, weights, point, distance: length_squared(point) }
    }
}

/// The weights of the corners in the nearest point; exactly zero for corners of other features.
#[inline]
fn weights_on_triangle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> [f64; 3] {
    let (ab, ac) = (sub(b, a), sub(c, a));
    let (d1, d2) = (-dot(ab, a), -dot(ac, a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let (d3, d4) = (-dot(ab, b), -dot(ac, b));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let on_c = d1 * d4 - d3 * d2;
    if on_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let t = d1 / (d1 - d3);
        return [1.0 - t, t, 0.0];
    }
    let (d5, d6) = (-dot(ab, c), -dot(ac, c));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let on_b = d5 * d2 - d1 * d6;
    if on_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let t = d2 / (d2 - d6);
        return [1.0 - t, 0.0, t];
    }
    let on_a = d3 * d6 - d5 * d4;
    if on_a <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - t, t];
    }
    let scale = 1.0 / (on_a + on_b + on_c);
    let (v, w) = (on_b * scale, on_c * scale);
    [1.0 - v - w, v, w]
}
