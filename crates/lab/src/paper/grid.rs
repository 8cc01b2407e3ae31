//! Memory and time of grids by size, simple or doubly indexed, with aligned or stabbed boxes; and the
//! benefit of grids in a whole pipeline (Zachmann 1994, 5.5.2, figures 5.20 to 5.22 and the tables
//! there).

use xcollide::broad::classic::{Grid, GridSettings};
use xcollide::broad::{AllPairs, Volume};
use xcollide::narrow::Semantics;
use xcollide_scenes::Scene;

use super::experiment::{Stage, Tables, collisions, played, scene, with_registered};
use super::finding::listed;
use super::flying_boxes::FlyingBoxes;
use super::{Cell, Effort, FigureTable};
use crate::compare::{CompareError, Comparison, Figures};

/// The thesis's kilobytes by size: simple, indexed.
const KILOBYTES: [(usize, f64, Option<f64>); 5] = [
    (4, 16.0, Some(24.0)),
    (8, 16.0, Some(40.0)),
    (16, 168.0, Some(744.0)),
    (32, 1808.0, Some(6232.0)),
    (64, 14752.0, None),
];

pub(super) fn run(effort: &Effort, stage: Stage<'_>) -> Tables {
    let frames = effort.frames_or(200);
    let caption =
        "100 objects of size 1³ in a cube of 10³, by cells an axis (in brackets: the thesis)";
    let columns = ["simple, kB", "indexed, kB", "simple, µs", "indexed, µs", "indexed / simple"];
    let mut memory = FigureTable::new(caption, "size", columns);
    let caption = "100 turning boxes of 2 × 0.3 × 0.3: aligned boxes and stabbed ones";
    let columns = ["aligned, µs", "stabbed, µs", "aligned, candidates", "stabbed, candidates"];
    let mut stabbing = FigureTable::new(caption, "size", columns);
    for (size, simple_kb, indexed_kb) in KILOBYTES {
        stage(&format!("{size} cells an axis"));
        let boxes = FlyingBoxes::new(100, 10.0, [0.5; 3], 0.0);
        let settings = GridSettings::new().cell(10.0 / size as f64).universe(&boxes.universe());
        let simple = boxes.play(&mut Grid::with(settings), frames)?;
        let indexed = boxes.play(&mut Grid::with(settings.indexed()), frames)?;
        let ratio = Cell::ours(indexed.microseconds / simple.microseconds);
        memory = memory.row(
            size.to_string(),
            [
                Cell::ours(simple.kilobytes).published(simple_kb),
                Cell::ours(indexed.kilobytes).beside(indexed_kb),
                Cell::ours(simple.microseconds),
                Cell::ours(indexed.microseconds),
                ratio.beside((size == 32).then_some(1.5)),
            ],
        );
        let boxes = FlyingBoxes::new(100, 10.0, [1.0, 0.15, 0.15], 0.1);
        let aligned = boxes.play(&mut Grid::with(settings), frames)?;
        let stabbed = boxes.play(&mut Grid::with(settings.stabbed()), frames)?;
        stabbing = stabbing.row(
            size.to_string(),
            [aligned.microseconds, stabbed.microseconds, aligned.candidates, stabbed.candidates],
        );
    }
    stage("no grid");
    let boxes = FlyingBoxes::new(100, 10.0, [1.0, 0.15, 0.15], 0.1);
    let plain = boxes.play(&mut AllPairs::new(), frames)?;
    let tight = boxes.play(&mut AllPairs::on(Volume::Oriented), frames)?;
    stabbing = stabbing
        .row("none", [plain.microseconds, tight.microseconds, plain.candidates, tight.candidates]);
    let figure = |row: &str, column: &str| memory.figure(row, column).unwrap_or(f64::NAN);
    let slower = figure("32", "indexed / simple");
    let growth = figure("64", "simple, kB") / figure("32", "simple, kB");
    let larger = figure("32", "indexed, kB") / figure("32", "simple, kB");
    let of_a_cell = |kb: f64| 1024.0 * kb / 32.0_f64.powi(3);
    let [simple, indexed] =
        ["simple, kB", "indexed, kB"].map(|column| of_a_cell(figure("32", column)));
    let because = format!(
        "with 32 cells an axis our simple grid takes {simple:.0} bytes a cell and its second index {:.0} more, numbers of four bytes in \
         one table; the thesis's {:.0} and {:.0}, pointers in lists of their own",
        indexed - simple,
        of_a_cell(KILOBYTES[3].1),
        of_a_cell(KILOBYTES[3].2.unwrap_or(f64::NAN) - KILOBYTES[3].1)
    );
    let memory = memory
        .finding(
            "with 32 cells an axis a doubly indexed grid takes 1.5 times as long as a simple one (1.2 to 1.9)",
            (1.2..=1.9).contains(&slower),
            format!("{slower:.2} times"),
        )
        .finding(
            "twice the cells an axis take about eight times the memory (32 to 64 cells: 6 to 10 times)",
            (6.0..=10.0).contains(&growth),
            format!("{growth:.1} times"),
        )
        .finding(
            "the second index takes more than twice the memory more (32 cells: the thesis 3.4 times in all)",
            larger > 3.0,
            format!("{larger:.1} times"),
        )
        .because(because);
    Ok(vec![memory, stabbing])
}

pub(super) fn exact(effort: &Effort, stage: Stage<'_>) -> Tables {
    const NAMES: [&str; 4] = ["all-pairs", "octree", "grid", "auto"];
    let caption = "Tetrahedra in a cage of 5³ with exact tests, µs a frame by broad phase";
    let columns = NAMES.into_iter().chain(["collisions a frame"]);
    let mut table = FigureTable::new(caption, "tetrahedra", columns);
    let comparison = with_registered(Comparison::new().rounds(effort.rounds), [&NAMES, &[], &[]])?;
    let mut stages = Vec::new();
    for count in [10, 20, 50, 100, 200, 400] {
        stage(&format!("{count} tetrahedra"));
        let spec = format!("cage?shape=tetrahedron&objects={count}");
        let scene = scene(&spec, effort.frames_or(100))?;
        let (motion, outcome) = played(&scene, Semantics::Solid, &comparison)?;
        let times = outcome.figures.iter().map(|one| one.median_ns / 1e3);
        stages.push(
            outcome
                .figures
                .first()
                .map_or([f64::NAN; 2], |one| [one.stages_ns[2] / 1e3, one.stages_ns[3] / 1e3]),
        );
        table = table.row(count.to_string(), times.chain([collisions(&motion)]));
    }
    let pays = |column: &str| {
        let ratios = table.column("all-pairs").into_iter().zip(table.column(column));
        ratios.map(|(all_pairs, with)| all_pairs / with).collect::<Vec<f64>>()
    };
    let of_grid = pays("grid");
    let table = table.finding(
        "with exact tests all pairs of boxes are so cheap that no grid pays for up to 100 objects",
        of_grid.iter().take(4).all(|&times| times < 1.0),
        format!("with the grid {} times as fast, by the number of objects", listed(of_grid)),
    )
    .because(format!(
        "comparing all boxes takes {} µs a frame and the exact tests {}, by the number of objects",
        listed(stages.iter().map(|[broad, _]| *broad)),
        listed(stages.iter().map(|[_, narrow]| *narrow))
    ));
    let remark = "The thesis has curves; it found that some thousands of tests of boxes are cheap beside a \
                  few needless exact ones. Exact tests here are those for convex bodies.";
    Ok(vec![table.remark(remark)])
}

pub(super) fn pipeline(effort: &Effort, stage: Stage<'_>) -> Tables {
    /// Broad and narrow phase, and the thesis's ms a frame and pairs after the grid.
    const METHODS: [(&str, &str, &str, [f64; 2]); 3] = [
        ("no grid, no box-trees", "all-pairs", "arbitrary", [260.0, 615.0]),
        ("no grid, with box-trees", "all-pairs", "box-tree", [234.0, 615.0]),
        ("with grid, with box-trees", "grid", "box-tree", [219.0, 155.0]),
    ];
    let by_method = |scene: &Scene, broad: &str, narrow: &str| -> Result<Figures, CompareError> {
        let comparison = Comparison::new().rounds(effort.rounds);
        let comparison = with_registered(comparison, [&[broad], &[narrow], &[]])?;
        Ok(played(scene, Semantics::Surface, &comparison)?.1.figures.swap_remove(0))
    };
    let caption = "30 objects of four kinds, 4758 polygons, and six walls in a cage of 5³ (in brackets: the \
                   thesis, R3000 of 40 MHz)";
    let mut methods =
        FigureTable::new(caption, "method", ["ms a frame", "against the first", "box tests"]);
    let mut stages = Vec::new();
    // 30 objects of about 148 faces; the thesis's had 50 to 750.
    let cage = scene("cage?objects=30&faces=148", effort.frames_or(100))?;
    let mut first = None;
    for (name, broad, narrow, [ms, pairs]) in METHODS {
        stage(name);
        let figures = by_method(&cage, broad, narrow)?;
        let mean = figures.mean_ns / 1e6;
        stages.push([2, 3].map(|stage| figures.stages_ns[stage] / 1e3));
        let reference = *first.get_or_insert(mean);
        let tests = figures.box_tests as f64 / (cage.frames as f64).max(1.0);
        methods = methods.row(
            name,
            [
                Cell::ours(mean).published(ms),
                Cell::ours(mean / reference).published(ms / METHODS[0].3[0]),
                Cell::ours(tests).published(pairs),
            ],
        );
    }
    let caption = "One object of 20 polygons among 500 fixed tetra-flakes, ms a frame (in brackets: the thesis)";
    let mut lone = FigureTable::new(caption, "method", ["ms a frame", "against the first"]);
    let flakes = scene("tetra-flakes", effort.frames_or(200))?;
    let (mut first, mut of_flakes) = (None, Vec::new());
    for (name, broad, ms) in [("without grid", "all-pairs", 1.0), ("with grid", "grid", 0.2)] {
        stage(name);
        let figures = by_method(&flakes, broad, "arbitrary")?;
        let mean = figures.mean_ns / 1e6;
        of_flakes.push([2, 3].map(|stage| figures.stages_ns[stage] / 1e3));
        let reference = *first.get_or_insert(mean);
        lone = lone.row(
            name,
            [Cell::ours(mean).published(ms), Cell::ours(mean / reference).published(ms)],
        );
    }
    let saved =
        |table: &FigureTable, row: &str| table.figure(row, "against the first").unwrap_or(f64::NAN);
    let told = |stages: &[[f64; 2]]| {
        format!(
            "the pairs of boxes take {} µs a frame and the exact tests {}, in the order of the table",
            listed(stages.iter().map(|[broad, _]| *broad)),
            listed(stages.iter().map(|[_, narrow]| *narrow))
        )
    };
    let [without, with_trees, with_grid] = METHODS.map(|(name, ..)| saved(&methods, name));
    let methods = methods
        .finding(
            "box-trees save time, and a grid saves more (the thesis: 1, 0.9, 0.84)",
            without > with_trees && with_trees > with_grid,
            listed([without, with_trees, with_grid]),
        )
        .because(told(&stages));
    let with_grid = saved(&lone, "with grid");
    let lone = lone
        .finding(
            "for one mover among 500 objects a grid is 5 times as fast (at least 2.5 times)",
            with_grid <= 0.4,
            format!("{:.1} times", 1.0 / with_grid),
        )
        .because(told(&of_flakes));
    let remark = "Pairs of the thesis are those left for the exact tests' own box tests; beside them stand \
                  our tests of boxes in the broad phase. Our grids choose their cells themselves.";
    Ok(vec![methods.remark(remark), lone])
}
