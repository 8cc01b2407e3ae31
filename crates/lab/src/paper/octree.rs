//! References of an octree by level, its memory and time (Zachmann 1994, 5.4.4): 100 objects of
//! size 1³ fly in a cube of 10³.

use xcollide::broad::classic::Octree;

use super::experiment::{Stage, Tables};
use super::finding::listed;
use super::flying_boxes::FlyingBoxes;
use super::{Cell, Effort, FigureTable};

/// The thesis's percentages of references at levels 1 to 5, for depths from 2 on.
const REFERENCES: [&[f64]; 4] =
    [&[0.0, 100.0], &[0.0, 0.0, 100.0], &[0.0, 0.0, 0.6, 99.4], &[0.0, 0.0, 0.03, 3.5, 96.4]];

/// The thesis's kilobytes, for depths from 2 on.
const KILOBYTES: [f64; 4] = [8.0, 16.0, 264.0, 2264.0];

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let frames = effort.frames_or(300);
    let caption = "Percent of an octree's references by level (in brackets: the thesis)";
    let levels = (1..=5).map(|level| format!("level {level}"));
    let mut references = FigureTable::new(caption, "depth", levels);
    let columns = ["kB", "changes a frame", "candidates", "µs a frame"];
    let mut costs = FigureTable::new("What it takes, by depth", "depth", columns);
    for ((number, published), depth) in REFERENCES.iter().enumerate().zip(2..) {
        stage(&format!("depth {depth}"));
        let boxes = FlyingBoxes::new(100, 10.0, [0.5; 3], 0.0);
        let mut octree = Octree::over_universe(&boxes.universe(), depth);
        let costs_of_depth = boxes.play(&mut octree, frames)?;
        let counts = octree.finder().references_by_level();
        let all = counts.iter().sum::<usize>().max(1) as f64;
        let cells = published.iter().enumerate().map(|(number, figure)| {
            let here = counts.get(number + 1).copied().unwrap_or(0);
            Cell::ours(100.0 * here as f64 / all).published(*figure)
        });
        references = references.row(depth.to_string(), cells);
        costs = costs.row(
            depth.to_string(),
            [
                Cell::ours(costs_of_depth.kilobytes).published(KILOBYTES[number]),
                Cell::ours(costs_of_depth.moves),
                Cell::ours(costs_of_depth.candidates),
                Cell::ours(costs_of_depth.microseconds),
            ],
        );
    }
    let deepest: Vec<f64> = references
        .rows
        .iter()
        .filter_map(|(name, cells)| cells.get(name.parse::<usize>().ok()?.checked_sub(1)?)?.ours)
        .collect();
    let references = references.finding(
        "at every depth nearly all references are at the deepest level (the thesis: 96 to 100 %; at least 90 %)",
        deepest.len() == REFERENCES.len() && deepest.iter().all(|&share| share >= 90.0),
        format!("{} %", listed(deepest)),
    );
    let growth: Vec<f64> =
        costs.column("kB").windows(2).skip(1).map(|memory| memory[1] / memory[0]).collect();
    let costs = costs.finding(
        "from depth 3 on a level more takes many times the memory (the thesis: 16.5 and 8.6 times; at least 4 times)",
        growth.iter().all(|&times| times >= 4.0),
        format!("{} times", listed(growth)),
    );
    let remark = "How fast the objects were is not told; here they move by 0.05 a frame.";
    Ok(vec![references.remark(remark), costs])
}
