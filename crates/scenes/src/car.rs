//! A car, for the experiments of Daneu 2002, 3.5.1.

use xcollide_brep::{MeshError, PolygonMesh};

use crate::circle::turn;
use crate::grid::GridBuilder;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(900, 200);
const LENGTH: Parameter = Parameter::length("length", "from bumper to bumper", 4.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "car",
    about: "car body on four wheels: five closed bodies that do not touch",
    parameters: &[FACES, LENGTH],
    build,
};

/// The side view as a polygon, x forward and z up, counter-clockwise as seen from the car's right (negative y):
/// floor from the rear, front, bonnet, roof, boot.
const OUTLINE: [[f64; 2]; 17] = [
    [-1.90, -0.30],
    [-1.00, -0.34],
    [1.00, -0.34],
    [1.90, -0.30],
    [2.00, -0.10],
    [1.96, 0.10],
    [1.70, 0.22],
    [0.90, 0.32],
    [0.70, 0.38],
    [0.25, 0.78],
    [0.00, 0.86],
    [-0.70, 0.84],
    [-1.05, 0.74],
    [-1.45, 0.40],
    [-1.85, 0.34],
    [-1.98, 0.20],
    [-2.00, -0.10],
];

/// The middle of the outline, towards which it shrinks at the flanks.
const MIDDLE: [f64; 2] = [0.0, 0.1];

const HALF_WIDTH: f64 = 0.8;

const WHEEL_SIDES: usize = 14;
const WHEEL_RADIUS: f64 = 0.32;
const WHEEL_WIDTH: f64 = 0.24;
/// Below the floor, so that wheels and body do not touch.
const AXLE: f64 = -0.68;
const AXLES: [f64; 2] = [-1.25, 1.25];
const TRACK: f64 = 0.62;

/// A car about the origin that faces along x with z up: five closed bodies that do not touch, oriented outward,
/// with faces planar up to rounding. Copies of the side view, shrinking towards the flanks, are joined by
/// quadrilaterals and, as `faces` requires, triangles. The flanks are polygons.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (faces, scale) = (given.count(&FACES), given.number(&LENGTH) / 4.0);
    let shell = faces - 2 - 4 * (WHEEL_SIDES + 2);
    // Most cells are halved, because the source's cars consist of triangles.
    let half = shell.div_ceil(2);
    let across = ((0.3 * half as f64).sqrt() as usize).max(3);
    let along = half.div_ceil(across).max(OUTLINE.len());
    let mut builder = GridBuilder::new(shell - along * across, along * across);
    let side = side_view(along);
    let rows = builder.rows(0..=across, |station| {
        // A flattened half circle from flank to flank: wide in the middle, rounded at the edge.
        let [cosine, sine] = turn(station, 2 * across);
        let inset = 0.8 + 0.2 * sine.sqrt();
        let y = HALF_WIDTH * cosine;
        side.iter().map(move |[x, z]| {
            let drawn = |value: f64, middle: f64| scale * (middle + inset * (value - middle));
            [drawn(*x, MIDDLE[0]), scale * y, drawn(*z, MIDDLE[1])]
        })
    })?;
    builder.rings(&rows)?;
    builder.face(rows[0].iter().rev().copied())?;
    builder.face(rows[across].iter().copied())?;
    for x in AXLES {
        for y in [-TRACK, TRACK] {
            push_wheel(&mut builder, [x, y, AXLE], scale)?;
        }
    }
    Ok(builder.finish())
}

/// The corners of the outline, and points spread over its sides by length.
fn side_view(points: usize) -> Vec<[f64; 2]> {
    let sides: Vec<([f64; 2], [f64; 2])> =
        (0..OUTLINE.len()).map(|i| (OUTLINE[i], OUTLINE[(i + 1) % OUTLINE.len()])).collect();
    let lengths: Vec<f64> = sides
        .iter()
        .map(|([a, b], [c, d])| ((c - a) * (c - a) + (d - b) * (d - b)).sqrt())
        .collect();
    let mut parts = vec![1usize; sides.len()];
    for _ in sides.len()..points {
        // The side with the longest parts gets another point.
        let part = |i: &usize| lengths[*i] / parts[*i] as f64;
        let longest = (0..sides.len()).max_by(|i, j| part(i).total_cmp(&part(j)));
        parts[longest.unwrap_or(0)] += 1;
    }
    let mut view = Vec::with_capacity(points);
    for ((from, to), parts) in sides.iter().zip(parts) {
        for part in 0..parts {
            let t = part as f64 / parts as f64;
            view.push([0, 1].map(|k| from[k] + t * (to[k] - from[k])));
        }
    }
    view
}

fn push_wheel(builder: &mut GridBuilder, center: [f64; 3], scale: f64) -> Result<(), MeshError> {
    let rim = |side: f64| {
        (0..WHEEL_SIDES).map(move |step| {
            let [x, z] = turn(step, WHEEL_SIDES).map(|value| WHEEL_RADIUS * value);
            let [a, b, c] = center;
            [a + x, b + side * WHEEL_WIDTH, c + z].map(|value| scale * value)
        })
    };
    let [right, left] = [builder.row(rim(-0.5))?, builder.row(rim(0.5))?];
    for i in 0..WHEEL_SIDES {
        let j = (i + 1) % WHEEL_SIDES;
        builder.face([right[i], left[i], left[j], right[j]])?;
    }
    // As seen from the right, x to z is counter-clockwise.
    builder.face(right)?;
    builder.face(left.into_iter().rev())
}
