//! The join in space as a logical plan: pairs of overlapping boxes, grouped by cells.
//!
//! ```text
//!        boxes (row, box)
//!             │ the cells of its level and of coarser ones
//!        unnest: key, role, row, box
//!             │ group by key: xcollide_pairs
//!        unnest: row_a, row_b
//! ```
//!
//! This is an equi-join of the boxes with themselves on their cells, computed for all rows of a cell at once: an aggregate sees
//! each row once, where a join makes a row of each pair that it compares; and aggregates can write to disk.

use std::collections::BTreeMap;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{Int16Type, Int64Type, UInt64Type};
use datafusion::common::{Result, exec_datafusion_err};
use datafusion::dataframe::DataFrame;
use datafusion::functions_aggregate::expr_fn::{count, sum};
use datafusion::prelude::{Expr, col, ident, lit};

use crate::StoredBox;
use crate::cell_plan::{CellPlan, MAX_PARTS};
use crate::functions;
use crate::grid::{CellKey, Level};

/// What a first pass over the boxes found.
#[derive(Clone, Debug)]
pub struct BoxStatistics {
    /// The plan for the join.
    pub plan: CellPlan,
    /// The number of boxes.
    pub boxes: u64,
    /// The number of boxes in all cells, estimated.
    pub entries: u64,
    /// The number of pairs that are in one cell, one of them own, estimated; those that are apart along x are not compared.
    pub comparisons: u64,
}

/// Of a large table, one box in this many is sampled to count the boxes of each cell.
const SAMPLE: u64 = 64;

/// Tables with fewer boxes are counted in full.
const SMALL: u64 = 100_000;

/// A cell whose boxes need more comparisons than this share of all is split.
const SPLIT_SHARE: f64 = 1.0 / 256.0;

/// And only if they are more than this.
const SPLIT_COMPARISONS: u64 = 1 << 20;

/// Plans the join of boxes with the columns `row` and `box`, by two passes over them: one counts levels, one counts cells, of a
/// sample where there are many boxes. Any plan gives the same pairs.
///
/// # Errors
/// The engine fails.
pub async fn plan_join(boxes: &DataFrame) -> Result<BoxStatistics> {
    let levels = count_levels(boxes).await?;
    let mut plan = CellPlan::new(&levels);
    let all: u64 = levels.values().sum();
    let (sparse, dense) = plan.sparse_levels(&levels);
    let occupied = occupied_cells(boxes, &plan, dense, &sparse).await?;
    for (level, cells) in &occupied {
        plan.set_occupied(*level, cells.keys().copied());
    }
    let sample = if all > SMALL { SAMPLE } else { 1 };
    let counts = count_cells(boxes, &plan, sample).await?;
    let mut entries = 0;
    let mut comparisons = 0;
    let mut of_cells = Vec::with_capacity(counts.len());
    for (cell, [own, projected]) in counts {
        entries += projected * sample;
        let among_own = own * own.saturating_sub(1) / 2;
        let others = (among_own + own * (projected - own)) * sample * sample;
        let projected = projected * sample;
        // Of coarse levels all boxes are known.
        let listed = occupied.values().find_map(|cells| cells.get(&cell));
        let of_cell = listed.map_or(others, |own| own * projected);
        comparisons += of_cell;
        of_cells.push((cell, of_cell, projected));
    }
    let limit = ((comparisons as f64 * SPLIT_SHARE) as u64).max(SPLIT_COMPARISONS);
    for (cell, of_cell, projected) in
        of_cells.into_iter().filter(|(_, of_cell, _)| *of_cell > limit)
    {
        let parts = of_cell.div_ceil(limit).min(u64::from(MAX_PARTS)).min(projected);
        plan.split(cell, parts as u16);
    }
    Ok(BoxStatistics { plan, boxes: all, entries, comparisons })
}

/// The pairs of boxes that overlap, each once, as `row_a` and `row_b`, in one of several passes: each pass joins some of the
/// cells, so it needs less memory.
///
/// # Errors
/// The boxes lack a column.
pub fn join_boxes(
    boxes: &DataFrame,
    plan: &CellPlan,
    [pass, passes]: [u64; 2],
) -> Result<DataFrame> {
    let of_cell = functions::pairs(col("key"), col("role"), col("row"), col("box"));
    in_cells(boxes, plan, [pass, passes])?
        .aggregate(vec![col("key")], vec![of_cell.alias("pair")])?
        .select_columns(&["pair"])?
        .unnest_columns(&["pair"])?
        .unnest_columns(&["pair"])?
        .select(vec![ident("pair.row_a").alias("row_a"), ident("pair.row_b").alias("row_b")])
}

/// A row for each cell of a box: `key` and `role` beside `row` and `box`.
fn in_cells(boxes: &DataFrame, plan: &CellPlan, [pass, passes]: [u64; 2]) -> Result<DataFrame> {
    let pass = [lit(pass), lit(passes)];
    let cells = functions::cells(col("box"), col("row"), literal(plan)?, pass);
    boxes
        .clone()
        .select(vec![col("row"), col("box"), cells.alias("cell")])?
        .unnest_columns(&["cell"])?
        .unnest_columns(&["cell"])?
        .select(vec![
            ident("cell.key").alias("key"),
            ident("cell.role").alias("role"),
            col("row"),
            col("box"),
        ])
}

/// A plan as a literal.
fn literal(plan: &CellPlan) -> Result<Expr> {
    let text = serde_json::to_string(plan).map_err(|error| exec_datafusion_err!("{error}"))?;
    Ok(lit(text))
}

/// How many boxes each level has.
async fn count_levels(boxes: &DataFrame) -> Result<BTreeMap<Level, u64>> {
    let level = functions::level(col("box")).alias("level");
    let counts = boxes
        .clone()
        .select(vec![level])?
        .aggregate(vec![col("level")], vec![count(lit(1)).alias("count")])?;
    let mut levels = BTreeMap::new();
    for batch in counts.collect().await? {
        let of = batch.column(0).as_primitive::<Int16Type>();
        let counts = batch.column(1).as_primitive::<Int64Type>();
        levels.extend(of.values().iter().copied().zip(counts.values().iter().map(|&n| n as u64)));
    }
    Ok(levels)
}

/// The cells of the boxes of the coarsest levels, which have few, and their number in each; `dense` is the level before.
async fn occupied_cells(
    boxes: &DataFrame,
    plan: &CellPlan,
    dense: Option<Level>,
    levels: &[Level],
) -> Result<BTreeMap<Level, BTreeMap<CellKey, u64>>> {
    let few = match dense {
        Some(dense) => boxes.clone().filter(functions::level(col("box")).gt(lit(dense)))?,
        None => boxes.clone(),
    };
    let mut found: BTreeMap<Level, BTreeMap<CellKey, u64>> =
        levels.iter().map(|&level| (level, BTreeMap::new())).collect();
    for batch in few.select(vec![col("box")])?.collect().await? {
        for bytes in batch.column(0).as_fixed_size_binary().iter().flatten() {
            let bytes = bytes.try_into();
            let bytes = bytes.map_err(|_| exec_datafusion_err!("a box has not 24 bytes"))?;
            let of = StoredBox::from_bytes(bytes);
            let level = plan.level(&of);
            if let Some(cells) = found.get_mut(&level) {
                of.cells(level, |cell| *cells.entry(cell).or_default() += 1);
            }
        }
    }
    Ok(found)
}

/// For cells with boxes of a sample, the number of own and of projected ones.
async fn count_cells(
    boxes: &DataFrame,
    plan: &CellPlan,
    sample: u64,
) -> Result<BTreeMap<CellKey, [u64; 2]>> {
    // Rows next to each other are often near each other: mixing their numbers makes the sample fair.
    let mixed = (col("row") * lit(0x9e37_79b1_u64) / lit(1_u64 << 20)) % lit(sample);
    let some = match sample {
        1 => boxes.clone(),
        _ => boxes.clone().filter(mixed.eq(lit(0_u64)))?,
    };
    let own = sum(col("role") & lit(1));
    let counted = in_cells(&some, plan, [0, 1])?
        .aggregate(vec![col("key")], vec![own.alias("own"), count(lit(1)).alias("all")])?;
    let mut counts = BTreeMap::new();
    for batch in counted.collect().await? {
        let cells = batch.column(0).as_primitive::<UInt64Type>().values();
        let own = batch.column(1).as_primitive::<Int64Type>().values();
        let all = batch.column(2).as_primitive::<Int64Type>().values();
        for ((&cell, &own), &all) in cells.iter().zip(own).zip(all) {
            counts.insert(cell, [own as u64, all as u64]);
        }
    }
    Ok(counts)
}
