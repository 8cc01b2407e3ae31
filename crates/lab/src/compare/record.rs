//! The output of a comparison: JSON objects or a table.

use serde::Serialize;

use super::combination::LAYERS;
use super::{Build, CostModel, Figures, LeftOut, Outcome};
use crate::output::{count, time};
use crate::run::StageNs;

/// The output for a combination on a scene.
#[derive(Debug, Serialize)]
pub struct ComparisonRecord<'a> {
    scene: &'a str,
    broad: &'a str,
    narrow: &'a str,
    bounds: &'a str,
    execution: &'a str,
    /// Of the frames.
    median_ns: u64,
    min_ns: u64,
    max_ns: u64,
    /// Whether it decided every pair as all others did.
    equal: bool,
    /// Sums over all frames.
    volume_tests: u64,
    primitive_tests: u64,
    /// Bytes of the broad phase and of prepared data.
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes: Option<usize>,
    build_ns: u64,
    build: &'a str,
    mean_ns: u64,
    spread: f64,
    /// Means over the frames.
    ns: StageNs,
    frames: usize,
    rounds: usize,
    pairs: u64,
    tested: u64,
    undecided: u64,
    box_tests: u64,
    broad_bytes: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    choice: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cost: Option<CostModel>,
    /// Sums over all frames.
    probes: u64,
    fallbacks: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    parameter: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
}

/// The output for a combination that does not accept the scene.
#[derive(Debug, Serialize)]
pub struct LeftOutRecord<'a> {
    scene: &'a str,
    broad: &'a str,
    narrow: &'a str,
    bounds: &'a str,
    execution: &'a str,
    build: &'a str,
    /// The reason.
    left_out: &'a str,
}

impl<'a> LeftOutRecord<'a> {
    /// The record of this combination on a scene.
    #[must_use]
    pub fn new(scene: &'a str, one: &'a LeftOut) -> Self {
        let [broad, narrow, bounds, execution, build] = one.names.each_ref().map(String::as_str);
        Self { scene, broad, narrow, bounds, execution, build, left_out: &one.why }
    }
}

impl<'a> ComparisonRecord<'a> {
    /// The record of these figures; `scaled`: name and value of the varied parameter.
    #[must_use]
    pub fn new(scene: &'a str, figures: &'a Figures, scaled: Option<(&'a str, f64)>) -> Self {
        let [broad, narrow, bounds, execution, build] =
            figures.names.each_ref().map(String::as_str);
        let whole = |ns: f64| ns.round() as u64;
        let [pose, bounds_ns, broad_ns, narrow_ns] = figures.stages_ns.map(whole);
        Self {
            scene,
            broad,
            narrow,
            bounds,
            execution,
            median_ns: whole(figures.median_ns),
            min_ns: whole(figures.min_ns),
            max_ns: whole(figures.max_ns),
            equal: figures.is_decided(),
            volume_tests: figures.volume_tests,
            primitive_tests: figures.primitive_tests,
            bytes: figures.prepared_bytes.map(|bytes| bytes + figures.broad_bytes),
            build_ns: figures.build_ns,
            build,
            mean_ns: whole(figures.mean_ns),
            spread: figures.spread,
            ns: StageNs { pose, bounds: bounds_ns, broad: broad_ns, narrow: narrow_ns },
            frames: figures.frames_ns.len(),
            rounds: figures.rounds,
            pairs: figures.pairs,
            tested: figures.tested,
            undecided: figures.undecided,
            box_tests: figures.box_tests,
            broad_bytes: figures.broad_bytes,
            choice: &figures.choice,
            cost: figures.cost,
            probes: figures.probes,
            fallbacks: figures.fallbacks,
            parameter: scaled.map(|(name, _)| name),
            value: scaled.map(|(_, value)| value),
        }
    }
}

/// Which of the five layers differ between the combinations.
#[must_use]
pub fn varying(figures: &[Figures]) -> [bool; 5] {
    [0, 1, 2, 3, 4]
        .map(|layer| figures.iter().any(|one| one.names[layer] != figures[0].names[layer]))
}

/// A combination's label: the names of the varying layers, or of the narrow phase if none varies.
#[must_use]
pub fn label(figures: &Figures, varying: [bool; 5]) -> String {
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
    let mut rows = vec![
        [
            "", "median", "±", "least", "most", "times", "N_V", "N_P", "C_V", "C_P", "memory",
            "build",
        ]
        .map(str::to_owned)
        .to_vec(),
    ];
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
            nanoseconds(one.max_ns),
            format!("{:.2}", one.median_ns / fastest.max(1.0)),
            number(one.volume_tests as f64 / played),
            number(one.primitive_tests as f64 / played),
            cost(|cost| cost.volume_ns),
            cost(|cost| cost.primitive_ns),
            one.prepared_bytes.map_or_else(
                || format!("> {}", bytes(one.broad_bytes)),
                |prepared| bytes(prepared + one.broad_bytes),
            ),
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
pub(crate) fn number(value: f64) -> String {
    match value {
        _ if value == 0.0 => "0".to_owned(),
        _ if value.abs() < 10.0 => format!("{value:.2}"),
        _ if value.abs() < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

pub(crate) fn bytes(bytes: usize) -> String {
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
