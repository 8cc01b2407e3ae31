//! Where the corners of facets are, with twice the digits of f64 until they are rounded at last.

use xcollide_math::vector::length;
use xcollide_predicates::Point;

use super::patch::Matrix;
use crate::Pose;
use crate::volume::number::{Double, Number, Vector, dot};

/// A linear map and where it moves the origin.
#[derive(Clone)]
pub(super) struct Frame {
    map: [Vector<Double>; 3],
    center: Vector<Double>,
}

fn doubles(vector: [f64; 3]) -> Vector<Double> {
    vector.map(Double::of)
}

pub(super) fn rounded(vector: &Vector<Double>) -> Point {
    vector.each_ref().map(Double::rounded)
}

impl Frame {
    /// A pose, seen from an origin.
    pub(super) fn of(pose: &Pose, origin: Point) -> Self {
        let [from, to] = [origin, pose.translation()];
        let center = [0, 1, 2].map(|k| Double::difference(from[k], to[k]));
        Self { map: pose.rotation().map(doubles), center }
    }

    /// After the axes were scaled.
    pub(super) fn scaled(&self, sizes: [f64; 3]) -> Self {
        let sizes = doubles(sizes);
        let row = |row: &Vector<Double>| [0, 1, 2].map(|k| row[k].mul(&sizes[k]));
        Self { map: self.map.each_ref().map(row), center: self.center }
    }

    /// The image of a point.
    pub(super) fn at(&self, local: [f64; 3]) -> Vector<Double> {
        self.moved(&doubles(local))
    }

    /// The image of the unit vector in the direction of a vector whose length is rounded to 1.
    pub(super) fn on(&self, way: [f64; 3]) -> Point {
        let way = doubles(way);
        // For a length of 1 + e/2 each part is too long by a part e/2 of itself.
        let excess = dot(&way, &way).sub(&Double::of(1.0)).rounded();
        let factor = Double::of(1.0).add(&Double::of(-0.5 * excess));
        rounded(&self.moved(&way.each_ref().map(|x| x.mul(&factor))))
    }

    /// The ball of a radius about a point.
    pub(super) fn ball(center: Vector<Double>, radius: f64) -> Self {
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

    pub(super) fn matrix(&self) -> Matrix {
        self.map.each_ref().map(rounded)
    }

    pub(super) fn center(&self) -> Point {
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
