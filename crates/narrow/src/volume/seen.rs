//! A body seen from the frame of another one, with twice the digits of f64.

use xcollide_convex::shape::Core;
use xcollide_predicates::Point;

use super::number::{Double, Matrix, Number, Vector, dot, doubles, inverse};
use crate::{Formula, Pose};

/// More than the rounding of some operations in f64.
const ROUNDING: f64 = 1e-14;

/// Points whose hull is the core; `None` if it is round.
pub(super) fn ends(formula: &Formula) -> Option<Vec<Point>> {
    match (formula, formula.shape()?.core()) {
        (Formula::Rounded(shape), _) => Some(shape.polytope().positions().to_vec()),
        (_, Core::Point) => Some(vec![[0.0; 3]]),
        (_, Core::Segment { half }) => Some(vec![[0.0, 0.0, -half], [0.0, 0.0, half]]),
        (_, Core::Cuboid { half }) => {
            let corner =
                |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -half[k] } else { half[k] });
            Some((0..8).map(corner).collect())
        }
        _ => None,
    }
}

/// No number of the interval has a greater magnitude.
pub(super) fn size(x: &Double) -> f64 {
    let [low, high] = x.bounds();
    high.max(-low)
}

/// Not less than the length of a vector.
pub(super) fn longest(vector: &[Double]) -> f64 {
    let squares: f64 = vector.iter().map(|x| size(x) * size(x)).sum();
    squares.sqrt() * (1.0 + ROUNDING)
}

fn scaled(vector: &Vector<Double>, by: f64) -> Vector<Double> {
    vector.each_ref().map(|x| x.mul(&Double::of(by)))
}

/// All points center + map · w for vectors w that are 1 long at most: an ellipsoid, a disc or a point.
pub(super) struct Part {
    pub(super) center: Vector<Double>,
    /// Rows.
    pub(super) map: Matrix,
}

/// A body seen from the frame of another one: the hull of its parts.
pub(super) struct Seen {
    pub(super) parts: Vec<Part>,
}

impl Seen {
    /// A formula at a pose, in the frame of another pose.
    pub(super) fn new(formula: &Formula, pose: &Pose, from: &Pose) -> Option<Self> {
        Self::along(formula, pose, from.translation(), &inverse(from.rotation()))
    }

    /// The same from a point, with coordinates by the rows of a matrix.
    pub(super) fn along(
        formula: &Formula,
        pose: &Pose,
        start: Point,
        inverse: &Matrix,
    ) -> Option<Self> {
        let shape = formula.shape()?;
        let to_local = |vector: &Vector<Double>| inverse.each_ref().map(|row| dot(row, vector));
        let axes = [0, 1, 2].map(|k| to_local(&doubles(pose.rotation().map(|row| row[k]))));
        let end = pose.translation();
        let origin = to_local(&[0, 1, 2].map(|k| Double::difference(start[k], end[k])));
        let row = |k: usize, [x, y, z]: [f64; 3]| {
            let [x, y, z] = [(0, x), (1, y), (2, z)].map(|(i, x)| axes[i][k].mul(&Double::of(x)));
            [x, y, z]
        };
        let at = |point: Point| -> Vector<Double> {
            [0, 1, 2].map(|k| {
                let [x, y, z] = row(k, point);
                origin[k].add(&x.add(&y).add(&z))
            })
        };
        // A radius is kept, whatever the matrix.
        let radius = shape.radius();
        let round = inverse.each_ref().map(|row| scaled(row, radius));
        let along = |half: [f64; 3]| [0, 1, 2].map(|k| row(k, half));
        let disc = |z: f64, r: f64| Part { center: at([0.0, 0.0, z]), map: along([r, r, 0.0]) };
        let parts = match shape.core() {
            Core::Ellipsoid { half } => vec![Part { center: origin, map: along(half) }],
            Core::Cylinder { half, radius } => vec![disc(-half, radius), disc(half, radius)],
            Core::Cone { half, radius } => vec![disc(-half, radius), disc(half, 0.0)],
            _ => ends(formula)?.into_iter().map(|p| Part { center: at(p), map: round }).collect(),
        };
        Some(Self { parts })
    }
}
