//! The join in space as a logical plan: pairs of overlapping boxes by an equi-join on cells.
//!
//! ```text
//!        boxes (row, box)                       boxes (row, box)
//!             │ cells of its level                   │ cells of its and coarser levels
//!        unnest: own key, box, row              unnest: projected key, box, row
//!             └───────────── join on own key = projected key ─────────────┘
//!                             where xcollide_meet(key, …)
//! ```

use std::collections::BTreeMap;

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{Int16Type, Int64Type, UInt64Type};
use datafusion::common::{JoinType, Result, exec_datafusion_err};
use datafusion::dataframe::DataFrame;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::prelude::{Expr, col, lit};

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
    /// The number of rows of both sides of the join, estimated.
    pub entries: u64,
    /// The number of pairs that the join compares, estimated: those with a cell in common.
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
        entries += (own + projected) * sample;
        // A box is on both sides of its own cells, and not compared with itself.
        let others = (own * projected).saturating_sub(own.min(projected)) * sample * sample;
        // Of coarse levels all boxes are known.
        let listed = occupied.values().find_map(|cells| cells.get(&cell));
        let of_cell = listed.map_or(others, |own| own * projected * sample);
        comparisons += of_cell;
        of_cells.push((cell, of_cell, projected * sample));
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
    let literal = literal(plan)?;
    let side = |is_own: bool, [row, of, key]: [&str; 3]| -> Result<DataFrame> {
        let keys = functions::cells(
            col("box"),
            col("row"),
            literal.clone(),
            lit(is_own),
            lit(pass),
            lit(passes),
        );
        boxes
            .clone()
            .select(vec![col("row").alias(row), col("box").alias(of), keys.alias(key)])?
            .unnest_columns(&[key])
    };
    let own = side(true, ["row_a", "box_a", "key_a"])?;
    let projected = side(false, ["row_b", "box_b", "key_b"])?;
    let told = functions::meet(
        col("key_a"),
        [col("box_a"), col("row_a")],
        [col("box_b"), col("row_b")],
        literal.clone(),
    );
    own.join_on(projected, JoinType::Inner, [col("key_a").eq(col("key_b")), told])?
        .select_columns(&["row_a", "row_b"])
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

/// For cells with boxes of a sample, their number on either side.
async fn count_cells(
    boxes: &DataFrame,
    plan: &CellPlan,
    sample: u64,
) -> Result<BTreeMap<CellKey, [u64; 2]>> {
    let mut counts: BTreeMap<CellKey, [u64; 2]> = BTreeMap::new();
    // Rows next to each other are often near each other: mixing their numbers makes the sample fair.
    let mixed = (col("row") * lit(0x9e37_79b1_u64) / lit(1_u64 << 20)) % lit(sample);
    let some = match sample {
        1 => boxes.clone(),
        _ => boxes.clone().filter(mixed.eq(lit(0_u64)))?,
    };
    for (side, is_own) in [true, false].into_iter().enumerate() {
        let keys = functions::cells(
            col("box"),
            col("row"),
            literal(plan)?,
            lit(is_own),
            lit(0_u64),
            lit(1_u64),
        );
        let keys = some.clone().select(vec![keys.alias("key")])?.unnest_columns(&["key"])?;
        let counted = keys.aggregate(vec![col("key")], vec![count(lit(1)).alias("count")])?;
        for batch in counted.collect().await? {
            let cells = batch.column(0).as_primitive::<UInt64Type>().values();
            let numbers = batch.column(1).as_primitive::<Int64Type>().values();
            for (&cell, &number) in cells.iter().zip(numbers) {
                counts.entry(cell).or_default()[side] += number as u64;
            }
        }
    }
    Ok(counts)
}
