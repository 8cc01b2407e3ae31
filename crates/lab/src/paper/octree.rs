//! References of an octree by level, its memory and time, and four ways to keep it (Zachmann 1994, 5.4.4): 100 objects of
//! size 1³ fly in a cube of 10³.

use xcollide::broad::classic::{Octree, OctreeMethod, OctreeSettings};

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
    let mut all_references = Vec::new();
    for ((number, published), depth) in REFERENCES.iter().enumerate().zip(2..) {
        stage(&format!("depth {depth}"));
        let boxes = FlyingBoxes::new(100, 10.0, [0.5; 3], 0.0);
        let mut octree = Octree::over_universe(&boxes.universe(), depth);
        let costs_of_depth = boxes.play(&mut octree, frames)?;
        let counts = octree.finder().references_by_level();
        let all = counts.iter().sum::<usize>().max(1) as f64;
        all_references.push(all);
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
    let all_references = listed(all_references);
    let references =
        references.because(format!("there are {all_references} references in all, by depth"));
    let growth: Vec<f64> =
        costs.column("kB").windows(2).skip(1).map(|memory| memory[1] / memory[0]).collect();
    let costs = costs.finding(
        "from depth 3 on a level more takes many times the memory (the thesis: 16.5 and 8.6 times; at least 4 times)",
        growth.iter().all(|&times| times >= 4.0),
        format!("{} times", listed(growth)),
    )
    .because(format!(
        "ours has only the octants that boxes are in, with {all_references} references by depth, where a whole octree has 73, 585, 4681 \
         and 37,449 octants; at some 60 bytes each those are the thesis's 264 and 2264 kB"
    ));
    let remark = "How fast the objects were is not told; here they move by 0.05 a frame.";
    Ok(vec![references.remark(remark), costs])
}

/// The ways to keep an octree, by what they add to the one before but for the last.
const METHODS: [(OctreeMethod, &str); 4] = [
    (OctreeMethod::Traversal, "naive"),
    (OctreeMethod::OctantArrays, "octant arrays"),
    (OctreeMethod::BoxDifference, "box difference"),
    (OctreeMethod::Paths, "paths"),
];

pub(super) fn methods(effort: &Effort, stage: Stage<'_>) -> Tables {
    let frames = effort.frames_or(300);
    let names = METHODS.map(|(_, name)| name);
    let mut times =
        FigureTable::new("Time to update and to find neighbours, µs a frame", "depth", names);
    let mut changes = FigureTable::new("Octants entered and left a frame", "depth", names);
    let mut memory = FigureTable::new("Memory, kB", "depth", names);
    for depth in 0..=5 {
        stage(&format!("depth {depth}"));
        let boxes = FlyingBoxes::new(100, 10.0, [0.5; 3], 0.0);
        let mut costs = Vec::new();
        for (method, _) in METHODS {
            let settings = OctreeSettings::new().depth(depth).universe(&boxes.universe());
            // The least of some runs, as the whole takes milliseconds.
            let mut best = boxes.play(&mut Octree::with(settings.method(method)), frames)?;
            for _ in 1..effort.rounds {
                let again = boxes.play(&mut Octree::with(settings.method(method)), frames)?;
                best.microseconds = best.microseconds.min(again.microseconds);
            }
            costs.push(best);
        }
        let row = depth.to_string();
        times = times.row(row.as_str(), costs.iter().map(|cost| cost.microseconds));
        changes = changes.row(row.as_str(), costs.iter().map(|cost| cost.moves));
        memory = memory.row(row.as_str(), costs.iter().map(|cost| cost.kilobytes));
    }
    // Above, an octree is a handful of octants.
    let ratios = |table: &FigureTable, one: &str, other: &str| -> Vec<f64> {
        let both = table.column(one).into_iter().zip(table.column(other));
        both.skip(3).map(|(one, other)| one / other).collect()
    };
    let arrays = ratios(&times, "naive", "octant arrays");
    let difference = ratios(&times, "octant arrays", "box difference");
    let paths = ratios(&times, "paths", "box difference");
    let all = |ratios: &[f64]| !ratios.is_empty() && ratios.iter().all(|&times| times > 1.0);
    let times = times
        .finding(
            "octant arrays save time over the naive algorithm (5.13 and 5.14; at depths 3 to 5)",
            all(&arrays),
            format!("{} times as fast", listed(arrays)),
        )
        .finding(
            "visiting only the octants of the box difference is the fastest (5.14; at depths 3 to 5)",
            all(&difference),
            format!("{} times as fast as octant arrays", listed(difference)),
        )
        .finding(
            "following paths does not pay, as arrays are searched (5.4.5, a doubt; at depths 3 to 5)",
            all(&paths),
            format!("{} times the time of the box difference", listed(paths)),
        )
        .because(format!(
            "octants that are entered and left a frame at depth 5: {}, in the order of the table",
            listed(names.map(|name| changes.column(name).last().copied().unwrap_or(f64::NAN)))
        ))
        .remark(
            "The thesis has curves, of programs compiled with and without optimisation. Depth 0 is the root alone.",
        );
    let last =
        |table: &FigureTable, name: &str| table.column(name).last().copied().unwrap_or(f64::NAN);
    // Each box leaves all its octants and enters all.
    let references = last(&changes, "naive") / 2.0;
    let [naive, arrays] = ["naive", "octant arrays"].map(|name| 1024.0 * last(&memory, name));
    let because = format!(
        "at depth 5 the boxes are in {references:.0} octants; each place in an array takes {:.1} bytes beside {:.0} of the octants and \
         their lists, which have the extents of cells in all ways here, where the thesis adds them with the arrays",
        (arrays - naive) / references,
        naive / references
    );
    let arrays = ratios(&memory, "octant arrays", "naive");
    let paths = ratios(&memory, "paths", "naive");
    let memory = memory
        .finding(
            "octant arrays, with the extents of cells, take about 70 % more memory (5.4.2; 50 to 90 % at depths 3 to 5)",
            !arrays.is_empty() && arrays.iter().all(|times| (1.5..=1.9).contains(times)),
            format!("{} times; our octants have their extents in all ways", listed(arrays)),
        )
        .finding(
            "noted on their paths, objects are in many more octants (5.4.5; more memory at depths 3 to 5)",
            all(&paths),
            format!("{} times the memory", listed(paths)),
        )
        .because(because);
    Ok(vec![times, changes, memory])
}
