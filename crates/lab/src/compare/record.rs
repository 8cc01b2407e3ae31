//! The output of a comparison: JSON objects or a table.

use serde::Serialize;

use super::combination::LAYERS;
use super::{Build, CostModel, Figures, Outcome};
use crate::output::{count, time};

/// The output for a scene: [`Figures`] or [`LeftOut`](super::LeftOut).
#[derive(Serialize)]
pub(super) struct SceneRecord<'a, T> {
    pub(super) scene: &'a str,
    #[serde(flatten)]
    pub(super) result: &'a T,
    /// The varied parameter and its value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parameter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<f64>,
}

/// Which of the layers differ between the combinations.
pub(super) fn varying(figures: &[Figures]) -> [bool; 5] {
    [0, 1, 2, 3, 4]
        .map(|layer| figures.iter().any(|one| one.names[layer] != figures[0].names[layer]))
}

/// A combination's label: the names of the varying layers, or of the narrow phase if none varies.
pub(super) fn label(figures: &Figures, varying: [bool; 5]) -> String {
    let named: Vec<&str> =
        (0..5).filter(|&layer| varying[layer]).map(|layer| figures.names[layer].as_str()).collect();
    if named.is_empty() { figures.names[1].clone() } else { named.join(" + ") }
}

/// The table of a scene.
#[must_use]
pub fn table(outcome: &Outcome) -> String {
    let all = &outcome.figures;
    let Some(first) = all.first() else { return String::new() };
    let varying = varying(all);
    let fastest = all.iter().map(|one| one.median_ns).fold(f64::INFINITY, f64::min);
    let frames = first.frames_ns.len();
    let mut lines = Vec::new();
    // The default builder is not mentioned.
    let shown = |layer: &usize| LAYERS[*layer] != "build" || first.names[*layer] != Build::DEFAULT;
    let same = (0..5).filter(|&layer| !varying[layer]).filter(shown);
    let same: Vec<String> =
        same.map(|layer| format!("{} {}", LAYERS[layer], first.names[layer])).collect();
    lines.push(format!(
        "{}, {}{}{}",
        count(frames, "frame", "frames"),
        count(first.rounds, "round", "rounds"),
        if same.is_empty() { "" } else { "; all with " },
        same.join(", "),
    ));
    let headings = [
        "", "median", "±", "least", "99 %", "most", "times", "N_V", "N_P", "C_V", "C_P", "memory",
        "build",
    ];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    for one in all {
        let nanoseconds = |value: f64| time(value.round() as u64);
        let played = (frames + usize::from(frames > 1)) as f64;
        let cost = |of: fn(&CostModel) -> f64| {
            let cost = one.cost.map(|cost| of(&cost)).filter(|cost| *cost > 0.0);
            cost.map_or_else(|| "-".to_owned(), |cost| format!("{cost:.1} ns"))
        };
        let undecided = if one.is_decided() { "" } else { " (undecided pairs)" };
        rows.push(vec![
            format!("{}{undecided}", label(one, varying)),
            nanoseconds(one.median_ns),
            format!("{:.0} %", 100.0 * one.spread),
            nanoseconds(one.min_ns),
            nanoseconds(one.p99_ns),
            nanoseconds(one.max_ns),
            format!("{:.2}", one.median_ns / fastest.max(1.0)),
            number(one.volume_tests as f64 / played),
            number(one.primitive_tests as f64 / played),
            cost(|cost| cost.volume_ns),
            cost(|cost| cost.primitive_ns),
            memory(one, ">"),
            time(one.build_ns),
        ]);
    }
    lines.extend(aligned(&rows));
    lines.extend(outcome.left_out.iter().map(ToString::to_string));
    lines.join("\n")
}

/// Pads rows to columns of equal width: the first left-aligned, the others right-aligned.
pub(crate) fn aligned(rows: &[Vec<String>]) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// A count or a mean as text.
fn number(value: f64) -> String {
    match value {
        _ if value == 0.0 => "0".to_owned(),
        _ if value.abs() < 10.0 => format!("{value:.2}"),
        _ if value.abs() < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The bytes of the broad phase and of prepared data. `more` precedes a sum without the latter.
pub(super) fn memory(one: &Figures, more: &str) -> String {
    match one.prepared_bytes {
        Some(prepared) => bytes(prepared + one.broad_bytes),
        None => format!("{more} {}", bytes(one.broad_bytes)),
    }
}

fn bytes(bytes: usize) -> String {
    match bytes {
        0..10_240 => format!("{bytes} B"),
        10_240..10_485_760 => format!("{} kB", bytes / 1024),
        _ => format!("{} MB", bytes / 1_048_576),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let rows = [["", "a", "bb"], ["µs", "10", "3"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows), ["     a  bb", "µs  10   3"]);
    }

    #[test]
    fn numbers_and_bytes_for_people() {
        assert_eq!([0.0, 1.234, 12.34, 1234.5].map(number), ["0", "1.23", "12.3", "1234"]);
        assert_eq!(
            [0, 10_000, 20_480, 20_971_520].map(bytes),
            ["0 B", "10000 B", "20 kB", "20 MB"]
        );
    }
}
