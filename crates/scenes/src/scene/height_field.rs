//! Height fields with heights of the user's own.

use xcollide_brep::PolygonMesh;

use super::SceneError;
use super::error::counted;
use crate::error::excerpt;
use crate::height_field;
use crate::text_table::rows;

/// Ground under heights on a grid, as the closed mesh that [`height_field`](fn@crate::height_field) makes.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct HeightField {
    /// The heights.
    pub heights: Heights,
    /// The distance of heights along x and y.
    pub cell: [f64; 2],
    /// The height of the floor, below all heights.
    pub floor: f64,
}

/// Rows of heights along x, the first of them at the least y.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Heights {
    /// Rows of equal length.
    Listed(Vec<Vec<f64>>),
    /// The path of a text with a row a line, its numbers separated by commas, semicolons or blanks; relative to the folder of
    /// the scene's file.
    File(String),
}

impl HeightField {
    /// The mesh of the height field at `key`; `read` reads its file.
    pub(crate) fn mesh(
        &self,
        key: &str,
        read: impl FnOnce(&str) -> Result<String, String>,
    ) -> Result<PolygonMesh, SceneError> {
        let (heights, columns) = match &self.heights {
            Heights::Listed(rows) => (rows.concat(), rows.first().map_or(0, Vec::len)),
            Heights::File(path) => {
                let numbers = read(path).and_then(|text| numbers(&text));
                numbers.map_err(|problem| SceneError::File {
                    key: format!("{key}.file"),
                    path: path.clone(),
                    problem,
                })?
            }
        };
        height_field(&heights, columns, self.cell, self.floor)
            .map_err(|error| SceneError::Shape { key: key.to_owned(), error })
    }
}

/// The numbers of all rows, and how many there are in a row.
fn numbers(text: &str) -> Result<(Vec<f64>, usize), String> {
    let (mut numbers, mut columns) = (Vec::new(), None);
    for (line, cells) in rows(text) {
        let wrong = |found: String, expected: String| {
            Err(format!("is wrong in line {line}: found {found}, expected {expected}"))
        };
        let first = *columns.get_or_insert(cells.len());
        if cells.len() != first {
            let found = counted(cells.len(), "number");
            return wrong(found, format!("{first}, as in the first row"));
        }
        for cell in cells {
            match cell.parse::<f64>() {
                Ok(number) if number.is_finite() => numbers.push(number),
                _ => return wrong(format!("`{}`", excerpt(cell)), "a finite number".to_owned()),
            }
        }
    }
    match columns {
        Some(columns) => Ok((numbers, columns)),
        None => Err("has no row of numbers, expected at least two".to_owned()),
    }
}
