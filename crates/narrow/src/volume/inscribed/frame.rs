//! Where the corners of facets are, with twice the digits of f64 until they are rounded at last.

use xcollide_bounds::Aabb;
use xcollide_math::vector::{self, length, perpendicular, scale, sub, unit};
use xcollide_predicates::Point;

use super::patch::Matrix;
use crate::Pose;
use crate::volume::number::{
    Double, Matrix as Doubles, Number, Vector, cross, dot, doubles, inverse, rounded,
};

/// How bodies are seen: from an origin, and turned.
pub(in crate::volume) struct View {
    origin: Point,
    /// Orthonormal up to the rounding of twice the digits of f64.
    rows: Doubles,
}

impl View {
    /// From an origin, with the axes of the world.
    pub(in crate::volume) fn from(origin: Point) -> Self {
        let rows = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        Self { origin, rows: rows.map(doubles) }
    }

    /// With an axis along a direction, and another one beside a second direction.
    pub(in crate::volume) fn along(origin: Point, direction: [f64; 3], beside: [f64; 3]) -> Self {
        let direction = unit(direction).unwrap_or([0.0, 0.0, 1.0]);
        let across = sub(beside, scale(direction, vector::dot(beside, direction)));
        let across = if length(across) > 1e-3 { across } else { perpendicular(direction) };
        let across = unit(across).unwrap_or(across);
        let up = normalized(&doubles(direction));
        let across = doubles(across);
        let part = dot(&up, &across);
        let across = normalized(&[0, 1, 2].map(|k| across[k].sub(&part.mul(&up[k]))));
        let last = cross(&up, &across);
        Self { origin, rows: [across, last, up] }
    }

    pub(in crate::volume) fn rows(&self) -> &Doubles {
        &self.rows
    }

    /// A pose seen so, rounded: it moves no point that is at most `reach` from its origin by more than the number beside it.
    pub(in crate::volume) fn pose(&self, pose: &Pose, reach: f64) -> Option<(Pose, f64)> {
        let frame = Frame::of(pose, self);
        let (rows, place) = (frame.matrix(), frame.center());
        let error = 4.0 * f64::EPSILON * (length(place) + reach);
        Pose::from_stored(rows, place).ok().map(|pose| (pose, error))
    }
}

/// A vector whose length is rounded to 1, with a length of 1.
fn normalized(vector: &Vector<Double>) -> Vector<Double> {
    let mut vector = *vector;
    // Each time twice as many digits.
    for _ in 0..2 {
        // For a length of 1 + e/2 each part is too long by a part e/2 of itself.
        let excess = dot(&vector, &vector).sub(&Double::of(1.0)).rounded();
        let factor = Double::of(1.0).add(&Double::of(-0.5 * excess));
        vector = vector.map(|x| x.mul(&factor));
    }
    vector
}

/// A linear map and where it moves the origin.
#[derive(Clone)]
pub(in crate::volume) struct Frame {
    map: Doubles,
    center: Vector<Double>,
}

impl Frame {
    /// A pose.
    pub(in crate::volume) fn of(pose: &Pose, view: &View) -> Self {
        let [from, to] = [view.origin, pose.translation()];
        let line = [0, 1, 2].map(|k| Double::difference(from[k], to[k]));
        let columns = [0, 1, 2].map(|i| doubles(pose.rotation().map(|row| row[i])));
        let row = |row: &Vector<Double>| [0, 1, 2].map(|i| dot(row, &columns[i]));
        Self {
            map: view.rows.each_ref().map(row),
            center: view.rows.each_ref().map(|row| dot(row, &line)),
        }
    }

    /// After the axes were scaled.
    pub(in crate::volume) fn scaled(&self, sizes: [f64; 3]) -> Self {
        let sizes = doubles(sizes);
        let row = |row: &Vector<Double>| [0, 1, 2].map(|k| row[k].mul(&sizes[k]));
        Self { map: self.map.each_ref().map(row), center: self.center }
    }

    /// All lengths multiplied.
    pub(super) fn times(&self, factor: &Double) -> Self {
        let row = |row: &Vector<Double>| row.each_ref().map(|x| x.mul(factor));
        Self { map: self.map.each_ref().map(row), center: self.center }
    }

    /// The values of a coordinate whose images are in a box, and some more on both sides.
    pub(super) fn range(&self, coordinate: usize, within: &Aabb) -> [f64; 2] {
        let row = rounded(&inverse(&self.matrix())[coordinate]);
        let place = vector::dot(row, sub(within.center(), self.center()));
        let reach = 0.5 * vector::dot(row.map(f64::abs), within.size());
        let rounding = 64.0 * f64::EPSILON * (length(self.center()) + length(within.center()));
        let reach = 1.25 * reach + rounding;
        [place - reach, place + reach]
    }

    /// The image of a point.
    pub(in crate::volume) fn at(&self, local: [f64; 3]) -> Vector<Double> {
        self.moved(&doubles(local))
    }

    /// The image of the unit vector in the direction of a vector whose length is rounded to 1.
    pub(super) fn on(&self, way: [f64; 3]) -> Point {
        rounded(&self.moved(&normalized(&doubles(way))))
    }

    /// The ball of a radius about a point.
    pub(in crate::volume) fn ball(center: Vector<Double>, radius: f64) -> Self {
        let row = |k: usize| {
            let mut row = [0.0; 3];
            row[k] = radius;
            doubles(row)
        };
        Self { map: [row(0), row(1), row(2)], center }
    }

    /// The same map about another point.
    pub(super) fn about(&self, center: Vector<Double>) -> Self {
        Self { map: self.map, center }
    }

    pub(in crate::volume) fn matrix(&self) -> Matrix {
        self.map.each_ref().map(rounded)
    }

    pub(in crate::volume) fn center(&self) -> Point {
        rounded(&self.center)
    }

    /// How far a point is from the image of the plane z = 0, along the image of the z-axis: rounded.
    pub(super) fn height(&self, point: Point) -> f64 {
        let axis = [0, 1, 2].map(|k| self.map[k][2]);
        let line = [0, 1, 2].map(|k| Double::of(point[k]).sub(&self.center[k]));
        dot(&axis, &line).rounded() / length(rounded(&axis))
    }

    fn moved(&self, local: &Vector<Double>) -> Vector<Double> {
        [0, 1, 2].map(|k| self.center[k].add(&dot(&self.map[k], local)))
    }
}
