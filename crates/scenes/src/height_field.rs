//! Height fields: the ground under samples on a grid, as a closed body.

use xcollide_brep::PolygonMesh;

use crate::random::Random;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const CELLS: Parameter =
    Parameter::count("cells", "along a side, of two triangles each", [16, 1, 2000]);
const SIDE: Parameter = Parameter::length("side", "of the square", 2.0);
const HEIGHT: Parameter = Parameter::length("height", "of the relief, above as much ground", 0.5);

pub(crate) const SHAPE: Shape = Shape {
    name: "height-field",
    about: "square of ground: a relief of triangles, vertical walls, a level floor",
    parameters: &[CELLS, SIDE, HEIGHT, Parameter::SEED],
    build,
};

/// A relief of random hills between z = 0 and `height`, on ground down to z = −`height`.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (cells, [side, height]) = (given.count(&CELLS), given.numbers([&SIDE, &HEIGHT]));
    let heights: Vec<f64> =
        relief(cells, given.seed()).into_iter().map(|part| part * height).collect();
    height_field(&heights, cells + 1, [side / cells as f64; 2], -height)
}

/// Hills on hills, from 0 to 1, on a grid of `cells` + 1 samples a side: four octaves of value noise.
fn relief(cells: usize, seed: u64) -> Vec<f64> {
    /// Samples of the largest hills along a side, less one; each octave has twice as many.
    const HILLS: usize = 3;
    let mut random = Random::new(seed);
    let mut sum = vec![0.0; (cells + 1) * (cells + 1)];
    for octave in 0..4 {
        let spots = HILLS << octave;
        let values: Vec<f64> = (0..(spots + 1) * (spots + 1)).map(|_| random.unit()).collect();
        // The spot before a sample, and how far it is to the next one, without a corner at the spots.
        let place = |sample: usize| {
            let at = (sample * spots) as f64 / cells as f64;
            let spot = (at as usize).min(spots - 1);
            let way = at - spot as f64;
            (spot, way * way * (3.0 - 2.0 * way))
        };
        // The octaves have 8, 4, 2 and 1 parts of 15.
        let weight = f64::from(8_u8 >> octave) / 15.0;
        for row in 0..=cells {
            let (below, up) = place(row);
            for column in 0..=cells {
                let (left, right) = place(column);
                let value = |i: usize, j: usize| values[i * (spots + 1) + j];
                let between =
                    |i: usize| value(i, left) * (1.0 - right) + value(i, left + 1) * right;
                let here = between(below) * (1.0 - up) + between(below + 1) * up;
                sum[row * (cells + 1) + column] += weight * here;
            }
        }
    }
    sum
}

/// The ground under samples on a grid, as a closed body: two triangles for each cell, vertical walls along the four sides, and
/// a floor at a height below all samples. It is a mesh like others, whose every query is exact.
///
/// `heights` are rows of `columns` samples along x, the rows along y; `cell` is the distance of samples along x and y. The
/// middle of the grid is at x = y = 0. Linear time.
///
/// ```
/// let ground = xcollide_scenes::height_field(&[0.0, 0.0, 1.0, 0.5, 0.0, 0.0], 3, [2.0, 1.0], -1.0)?;
/// assert_eq!((ground.face_count(), ground.vertex_count()), (4 + 4 + 1, 6 + 4));
/// assert_eq!(ground.positions()[2], [2.0, -0.5, 1.0]);
/// # Ok::<(), xcollide_scenes::ShapeError>(())
/// ```
///
/// # Errors
/// Fewer than two rows or columns, or rows of different lengths; a cell without size; a sample that is not finite, or not above
/// the floor.
pub fn height_field(
    heights: &[f64],
    columns: usize,
    cell: [f64; 2],
    floor: f64,
) -> Result<PolygonMesh, ShapeError> {
    let refuse = |parameter, found: String, expected: &str| {
        Err(ShapeError::BadValue { parameter, found, expected: expected.to_owned() })
    };
    if columns < 2 || heights.len() < 2 * columns || !heights.len().is_multiple_of(columns) {
        let found = format!("{} heights in rows of {columns}", heights.len());
        return refuse("heights", found, "two or more whole rows of two or more");
    }
    if !cell.iter().all(|side| side.is_finite() && *side > 0.0) {
        return refuse("cell", format!("{cell:?}"), "two finite lengths above 0");
    }
    if let Some(low) = heights.iter().find(|height| !(height.is_finite() && **height > floor)) {
        return refuse(
            "heights",
            format!("{low:?}"),
            &format!("finite, above the floor {floor:?}"),
        );
    }
    let rows = heights.len() / columns;
    let [x, y] = [(columns, cell[0]), (rows, cell[1])]
        .map(|(count, side)| move |i: usize| (i as f64 - 0.5 * (count - 1) as f64) * side);
    let mut mesh = PolygonMesh::new();
    for (number, &height) in heights.iter().enumerate() {
        mesh.push_vertex([x(number % columns), y(number / columns), height])?;
    }
    let number = |column: usize, row: usize| (row * columns + column) as u32;
    for row in 1..rows {
        for column in 1..columns {
            let [a, b] = [number(column - 1, row - 1), number(column, row - 1)];
            let [d, c] = [number(column - 1, row), number(column, row)];
            mesh.push_face(&[a, b, c])?;
            mesh.push_face(&[a, c, d])?;
        }
    }
    let (last_x, last_y) = (columns - 1, rows - 1);
    let mut corner = |column: usize, row: usize| -> Result<u32, ShapeError> {
        Ok(mesh.push_vertex([x(column), y(row), floor])?.0)
    };
    let corners = [corner(0, 0)?, corner(last_x, 0)?, corner(last_x, last_y)?, corner(0, last_y)?];
    // The border of the relief, clockwise as seen from above, one wall after the other.
    let front: Vec<u32> = (0..columns).rev().map(|column| number(column, 0)).collect();
    let right: Vec<u32> = (0..rows).rev().map(|row| number(last_x, row)).collect();
    let back: Vec<u32> = (0..columns).map(|column| number(column, last_y)).collect();
    let left: Vec<u32> = (0..rows).map(|row| number(0, row)).collect();
    for (side, border) in [front, right, back, left].iter().enumerate() {
        let mut wall = vec![corners[side], corners[(side + 1) % 4]];
        wall.extend(border);
        mesh.push_face(&wall)?;
    }
    let [a, b, c, d] = corners;
    mesh.push_face(&[a, d, c, b])?;
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_heights_are_refused() {
        let refused = |heights: &[f64], columns, cell, floor| {
            height_field(heights, columns, cell, floor)
                .is_err_and(|error| matches!(error, ShapeError::BadValue { .. }))
        };
        assert!(height_field(&[0.0; 4], 2, [1.0; 2], -1.0).is_ok());
        assert!(refused(&[0.0; 4], 1, [1.0; 2], -1.0), "one column");
        assert!(refused(&[0.0; 4], 0, [1.0; 2], -1.0), "no column");
        assert!(refused(&[0.0; 5], 2, [1.0; 2], -1.0), "half a row");
        assert!(refused(&[0.0; 4], 2, [0.0, 1.0], -1.0), "no size");
        assert!(refused(&[0.0, 0.0, f64::NAN, 0.0], 2, [1.0; 2], -1.0), "not a number");
        assert!(refused(&[0.0, 0.0, -1.0, 0.0], 2, [1.0; 2], -1.0), "on the floor");
        assert!(refused(&[0.0; 4], 2, [1.0; 2], f64::NAN), "no floor");
    }

    /// The relief is between 0 and 1, another seed has other hills, and neighbors are near each other.
    #[test]
    fn reliefs_are_of_hills() {
        let hills = relief(64, 1);
        assert!(hills.iter().all(|height| (0.0..=1.0).contains(height)));
        let (low, high) = hills.iter().fold((1.0_f64, 0.0_f64), |(l, h), &x| (l.min(x), h.max(x)));
        assert!(high - low > 0.25, "{low} to {high}");
        assert!(
            hills
                .windows(2)
                .enumerate()
                .all(|(i, pair)| { i % 65 == 64 || (pair[0] - pair[1]).abs() < 0.25 })
        );
        assert_ne!(hills, relief(64, 2));
    }
}
