//! Reads joint values by frame from a table with the names of joints in its first row and numbers below.

use super::RobotError;
use super::error::FileErrors;
use super::joints::{Tree, is_value};
use crate::error::excerpt;
use crate::text_table;

/// Columns that number or time the frames; they are ignored.
const PASSED_OVER: [&str; 4] = ["frame", "time", "t", "timestamp"];

/// Reads the values of all joints by frame. Joints without a column keep their value of `others`; the values of
/// mimic joints are still to be computed.
pub(super) fn read(
    text: &str,
    tree: &Tree,
    file: &str,
    others: &[f64],
) -> Result<Vec<Vec<f64>>, RobotError> {
    let errors = FileErrors::of(file);
    let mut lines = text_table::rows(text);
    let expected = "names of joints, then rows of numbers";
    let Some((line, header)) = lines.next() else {
        return Err(errors.element(None, "table", "nothing", expected));
    };
    let columns = columns(&header, line, tree, errors)?;
    let mut rows = Vec::new();
    for (line, cells) in lines {
        if cells.len() != columns.len() {
            let found = format!("{} numbers", cells.len());
            let expected = format!("{}, as there are names", columns.len());
            return Err(errors.element(Some(line), "row", found, expected));
        }
        let mut row = others.to_vec();
        for (cell, column) in cells.iter().zip(&columns) {
            let Some(joint) = *column else { continue };
            let value = cell.parse().ok().filter(|value| is_value(*value));
            let Some(value) = value else {
                let element = format!("joint `{}`", excerpt(&tree.joints[joint].name));
                let found = format!("`{}`", excerpt(cell));
                return Err(errors.element(
                    Some(line),
                    element,
                    found,
                    "a number from -1e9 to 1e9",
                ));
            };
            row[joint] = value;
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(errors.element(Some(line), "table", "no row of numbers", "at least one"));
    }
    Ok(rows)
}

fn columns(
    header: &[&str],
    line: usize,
    tree: &Tree,
    errors: FileErrors<'_>,
) -> Result<Vec<Option<usize>>, RobotError> {
    let mut columns = Vec::new();
    for &name in header {
        let element = format!("column `{}`", excerpt(name));
        let wrong = |found: &str, expected: String| {
            Err(errors.element(Some(line), element.clone(), found, expected))
        };
        let free = || {
            let free = tree.joints.iter().filter(|joint| joint.is_free());
            let names: Vec<&str> = free.map(|joint| joint.name.as_str()).collect();
            format!("one of {}", names.join(", "))
        };
        match tree.joint(name) {
            Some(joint) if columns.contains(&Some(joint)) => {
                return wrong("it a second time", "each joint once".to_owned());
            }
            Some(joint) if !tree.joints[joint].moves() => {
                return wrong("a joint that does not move", free());
            }
            Some(joint) if tree.joints[joint].mimic.is_some() => {
                return wrong("a joint that follows another", free());
            }
            Some(joint) => columns.push(Some(joint)),
            None if PASSED_OVER.contains(&name) => columns.push(None),
            None => return wrong("no joint of this name", free()),
        }
    }
    Ok(columns)
}
