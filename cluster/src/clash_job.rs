//! Clash detection in stages. Each stage runs a plan of the engine on each part of its table.
//!
//! 1. *instances*: the rows of the source, written in parts by this process.
//! 2. *placed*: each part with the box of each instance, or what is wrong with it. Models are loaded here.
//! 3. Statistics of the boxes: the plan of the join, and the number of passes.
//! 4. *found*: each pass joins boxes to pairs, pairs to instances, and examines them.

use std::collections::BTreeSet;
use std::path::Path;

use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::{Int64Type, UInt64Type};
use datafusion::common::{JoinType, Result, exec_datafusion_err};
use datafusion::dataframe::{DataFrame, DataFrameWriteOptions};
use datafusion::functions::core::expr_fn::get_field;
use datafusion::functions_aggregate::expr_fn::{count, min};
use datafusion::prelude::{Expr, ParquetReadOptions, SessionContext, col, lit};
use futures::{StreamExt, TryStreamExt, stream};
use serde::{Deserialize, Serialize};
use xcollide_clash::{Instance, InstanceError, Interference, Rules};
use xcollide_lab::clash_engine::{RowFailure, Rows};

use crate::box_join::{BoxStatistics, join_boxes, plan_join};
use crate::cell_plan::CellPlan;
use crate::functions::{self, BOUNDS, ERROR, Examined, Outcome};
use crate::instance_table::{self, instances};
use crate::margins::Margins;
use crate::session::SessionOptions;
use crate::work_folder::{Table, WorkFolder};

/// A clash detection on an engine.
pub(crate) struct ClashJob<'j> {
    pub(crate) context: &'j SessionContext,
    pub(crate) options: &'j SessionOptions,
    pub(crate) rules: &'j Rules,
    pub(crate) depth: bool,
    pub(crate) work: &'j WorkFolder,
}

/// What a job found.
#[derive(Debug, Default)]
pub(crate) struct JobResult {
    /// The number of rows of the source, also those that cannot be used.
    pub(crate) rows: usize,
    /// The rows that cannot be used.
    pub(crate) failures: Vec<RowFailure>,
    pub(crate) candidates: usize,
    /// The pairs that interfere, by their rows.
    pub(crate) clashes: Vec<([u64; 2], Interference)>,
    /// The pairs without an answer.
    pub(crate) unknown: Vec<[u64; 2]>,
    /// The instances of both with their rows and the sources of their models.
    pub(crate) instances: Vec<(u64, Instance, String)>,
}

/// The result of the first stage.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Staged {
    parts: usize,
    rows: usize,
    /// Ids and messages.
    failures: Vec<(String, String)>,
}

/// An id that several rows have.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct RepeatedId {
    id: String,
    /// The first row with it, which is tested.
    first: u64,
    times: usize,
}

/// How the last stage works.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Passes {
    plan: CellPlan,
    margins: Margins,
    passes: u64,
}

/// The columns that rules and results need of an instance.
const SIDE: [&str; 5] = ["id", "source", "pose", "group", "attributes"];

impl ClashJob<'_> {
    /// Runs all stages, or those that are left. `read` gives the rows of the source, whose models in files are in `beside`.
    pub(crate) async fn run(
        &self,
        read: impl FnOnce() -> Result<Rows>,
        beside: &Path,
    ) -> Result<JobResult> {
        let staged = self.stage(read, beside)?;
        self.place(staged.parts).await?;
        let mut result = JobResult { rows: staged.rows, ..JobResult::default() };
        let failures = staged.failures.into_iter().map(|(id, message)| RowFailure { id, message });
        result.failures.extend(failures);
        for RepeatedId { id, times, .. } in self.repeated(Vec::new()).await? {
            let message = InstanceError::RepeatedId.to_string();
            let failure = RowFailure { id, message };
            result.failures.extend(std::iter::repeat_n(failure, times - 1));
        }
        let placed = self.work.files(Table::Placed, staged.parts);
        if placed.is_empty() {
            result.failures.sort();
            return Ok(result);
        }
        let placed = self.table(placed).await?;
        result.failures.extend(failed(&placed).await?);
        result.failures.sort();
        let sound = placed.filter(field("placed", ERROR).is_null())?;
        let passes = self.passes(&sound).await?;
        self.examine(&sound, &passes).await?;
        let found = self.work.files(Table::Found, passes.passes as usize);
        if !found.is_empty() {
            self.collect(&self.table(found).await?, &sound, &mut result).await?;
        }
        Ok(result)
    }

    /// Writes the rows of the source in parts.
    fn stage(&self, read: impl FnOnce() -> Result<Rows>, beside: &Path) -> Result<Staged> {
        self.noted("instances.json", || {
            let rows = read()?;
            let folder = self.work.table(Table::Instances);
            let parts = instance_table::write(&rows, beside, &folder, self.options.partitions)?;
            Ok(Staged {
                parts,
                rows: rows.instances.len() + rows.failures.len(),
                failures: rows.failures.into_iter().map(|row| (row.id, row.message)).collect(),
            })
        })
    }

    /// Bounds all instances.
    async fn place(&self, parts: usize) -> Result<()> {
        let left: Vec<usize> =
            (0..parts).filter(|&part| !self.work.is_done(Table::Placed, part)).collect();
        if left.is_empty() {
            return Ok(());
        }
        let files = self.work.files(Table::Instances, parts);
        let repeated = &self.repeated(files).await?;
        let each = left.into_iter().map(|part| async move {
            let file = self.work.part(Table::Instances, part).to_string_lossy().into_owned();
            let rows = self.table(vec![file]).await?;
            let rows = match repeated.is_empty() {
                true => rows,
                false => {
                    let ids = repeated.iter().map(|repeated| lit(repeated.id.as_str())).collect();
                    let first = repeated.iter().map(|repeated| lit(repeated.first)).collect();
                    let is_first = col("row").in_list(first, false);
                    rows.filter(col("id").in_list(ids, true).or(is_first))?
                }
            };
            let placed = functions::place(col("model"), col("source"), col("pose"));
            let mut columns: Vec<Expr> =
                ["row", "model"].into_iter().chain(SIDE).map(col).collect();
            columns.push(placed.alias("placed"));
            self.write(rows.select(columns)?, Table::Placed, part).await
        });
        self.all(each).await
    }

    /// The ids that several rows have.
    async fn repeated(&self, files: Vec<String>) -> Result<Vec<RepeatedId>> {
        let note = self.work.note("repeated.json");
        if let Some(known) = known(&note)? {
            return Ok(known);
        }
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let counted = self
            .table(files)
            .await?
            .aggregate(
                vec![col("id")],
                vec![count(lit(1)).alias("count"), min(col("row")).alias("first")],
            )?
            .filter(col("count").gt(lit(1_i64)))?;
        let mut repeated = Vec::new();
        for batch in counted.collect().await? {
            let ids = batch.column(0).as_string::<i32>();
            let times = batch.column(1).as_primitive::<Int64Type>();
            let first = batch.column(2).as_primitive::<UInt64Type>();
            for row in 0..batch.num_rows() {
                let (id, first) = (ids.value(row).to_owned(), first.value(row));
                repeated.push(RepeatedId { id, first, times: times.value(row) as usize });
            }
        }
        remember(&note, &repeated)?;
        Ok(repeated)
    }

    /// Decides on margins, cells and passes.
    async fn passes(&self, sound: &DataFrame) -> Result<Passes> {
        let note = self.work.note("passes.json");
        if let Some(known) = known(&note)? {
            return Ok(known);
        }
        let mut groups = BTreeSet::new();
        let distinct = sound.clone().select(vec![col("group")])?.distinct()?;
        for batch in distinct.collect().await? {
            groups.extend(batch.column(0).as_string::<i32>().iter().flatten().map(str::to_owned));
        }
        let margins = Margins::new(self.rules, groups.iter().map(String::as_str));
        let BoxStatistics { plan, boxes, .. } = plan_join(&grown(sound, &margins)?).await?;
        // What the joins of instances keep, with their tables; they do not write to disk.
        let bytes = boxes * 600;
        let passes =
            bytes.div_ceil(self.options.memory as u64).max(self.options.least_passes).max(1);
        let passes = Passes { plan, margins, passes };
        remember(&note, &passes)?;
        Ok(passes)
    }

    /// Joins and examines, pass by pass.
    async fn examine(&self, sound: &DataFrame, passes: &Passes) -> Result<()> {
        let boxes = grown(sound, &passes.margins)?;
        for pass in 0..passes.passes {
            if self.work.is_done(Table::Found, pass as usize) {
                continue;
            }
            let pairs = join_boxes(&boxes, &passes.plan, [pass, passes.passes])?;
            let examined = self.examined(pairs, sound, &passes.margins)?;
            self.write(examined, Table::Found, pass as usize).await?;
        }
        Ok(())
    }

    /// The pairs with their instances, examined.
    fn examined(
        &self,
        pairs: DataFrame,
        sound: &DataFrame,
        margins: &Margins,
    ) -> Result<DataFrame> {
        let side = |side: &str| -> Result<(DataFrame, [Expr; 6])> {
            let named = |name: &str| format!("{name}_of_{side}");
            let mut columns = vec![col("row").alias(named("row"))];
            columns.extend(SIDE.map(|name| col(name).alias(named(name))));
            columns.push(field("placed", BOUNDS).alias(named(BOUNDS)));
            let [id, source, pose, group, attributes] = SIDE.map(|name| col(named(name)));
            let arguments = [id, source, pose, group, attributes, col(named(BOUNDS))];
            Ok((sound.clone().select(columns)?, arguments))
        };
        let ((first, a), (second, b)) = (side("a")?, side("b")?);
        let joined = pairs.join(first, JoinType::Inner, &["row_a"], &["row_of_a"], None)?.join(
            second,
            JoinType::Inner,
            &["row_b"],
            &["row_of_b"],
            None,
        )?;
        let json = |value: serde_json::Result<String>| {
            value.map(lit).map_err(|error| exec_datafusion_err!("{error}"))
        };
        let rules = json(serde_json::to_string(self.rules))?;
        let margins = json(serde_json::to_string(margins))?;
        let examined = functions::examine([a, b], rules, margins, lit(self.depth));
        joined.select(vec![col("row_a"), col("row_b"), examined.alias("found")])
    }

    /// Reads the results of the pairs, and their instances.
    async fn collect(
        &self,
        found: &DataFrame,
        sound: &DataFrame,
        to: &mut JobResult,
    ) -> Result<()> {
        let outcome = || field("found", Examined::OUTCOME);
        let candidates = found.clone().filter(outcome().gt_eq(lit(Examined::CANDIDATE)))?;
        let counted = candidates.aggregate(vec![], vec![count(lit(1)).alias("count")])?;
        for batch in counted.collect().await? {
            to.candidates += batch.column(0).as_primitive::<Int64Type>().value(0) as usize;
        }
        let told = found.clone().filter(outcome().gt_eq(lit(Examined::TOLD)))?;
        for batch in told.clone().collect().await? {
            read_pairs(&batch, to)?;
        }
        let rows = told
            .clone()
            .select(vec![col("row_a").alias("told")])?
            .union(told.select(vec![col("row_b").alias("told")])?)?
            .distinct()?;
        let needed = sound.clone().join(rows, JoinType::LeftSemi, &["row"], &["told"], None)?;
        let columns: Vec<Expr> = ["row", "model"].into_iter().chain(SIDE).map(col).collect();
        for batch in needed.select(columns)?.collect().await? {
            to.instances.extend(instances(&batch)?);
        }
        Ok(())
    }

    /// A table of these files.
    async fn table(&self, files: Vec<String>) -> Result<DataFrame> {
        self.context.read_parquet(files, ParquetReadOptions::default()).await
    }

    /// Writes a part, and marks it as finished.
    async fn write(&self, rows: DataFrame, table: Table, part: usize) -> Result<()> {
        let path = self.work.unfinished(table, part);
        let options = DataFrameWriteOptions::new().with_single_file_output(true);
        rows.write_parquet(&path.to_string_lossy(), options, None).await?;
        Ok(self.work.finish(table, part, &path)?)
    }

    /// Runs jobs, a few at a time.
    async fn all(
        &self,
        jobs: impl Iterator<Item = impl Future<Output = Result<()>>>,
    ) -> Result<()> {
        let at_once = self.options.partitions.clamp(1, 16);
        stream::iter(jobs).buffer_unordered(at_once).try_collect::<Vec<()>>().await?;
        Ok(())
    }

    fn noted<T: Serialize + for<'de> Deserialize<'de>>(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<T>,
    ) -> Result<T> {
        let note = self.work.note(name);
        if let Some(known) = known(&note)? {
            return Ok(known);
        }
        let made = make()?;
        remember(&note, &made)?;
        Ok(made)
    }
}

/// A note that was written by an earlier run.
fn known<T: for<'de> Deserialize<'de>>(note: &Path) -> Result<Option<T>> {
    match std::fs::read(note) {
        Ok(bytes) => {
            let value = serde_json::from_slice(&bytes);
            Ok(Some(value.map_err(|error| exec_datafusion_err!("{}: {error}", note.display()))?))
        }
        Err(_) => Ok(None),
    }
}

fn remember(note: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_vec(value).map_err(|error| exec_datafusion_err!("{error}"))?;
    let unfinished = note.with_extension("unfinished");
    std::fs::write(&unfinished, text)?;
    Ok(std::fs::rename(unfinished, note)?)
}

/// A field of a column.
fn field(column: &str, name: &str) -> Expr {
    get_field(col(column), name)
}

/// The boxes of instances, grown by their margins: `row` and `box`.
fn grown(sound: &DataFrame, margins: &Margins) -> Result<DataFrame> {
    let text = serde_json::to_string(margins).map_err(|error| exec_datafusion_err!("{error}"))?;
    let grown = functions::grow(field("placed", BOUNDS), col("group"), lit(text));
    sound.clone().select(vec![col("row"), grown.alias("box")])
}

/// The instances that cannot be tested.
async fn failed(placed: &DataFrame) -> Result<Vec<RowFailure>> {
    let error = || field("placed", ERROR);
    let wrong = placed.clone().filter(error().is_not_null())?;
    let mut failures = Vec::new();
    for batch in wrong.select(vec![col("id"), error().alias("message")])?.collect().await? {
        let text = |place: usize| batch.column(place).as_string::<i32>();
        for row in 0..batch.num_rows() {
            let (id, message) = (text(0).value(row).to_owned(), text(1).value(row).to_owned());
            failures.push(RowFailure { id, message });
        }
    }
    Ok(failures)
}

/// Reads a batch of pairs.
fn read_pairs(batch: &RecordBatch, to: &mut JobResult) -> Result<()> {
    let row = |place: usize| batch.column(place).as_primitive::<UInt64Type>();
    let examined = Examined::new(batch.column(2).as_struct())?;
    for place in 0..batch.num_rows() {
        let pair = [row(0).value(place), row(1).value(place)];
        match examined.get(place)? {
            Outcome::Clash(interference) => to.clashes.push((pair, interference)),
            Outcome::Failed => to.unknown.push(pair),
            Outcome::NoCandidate | Outcome::Apart => {}
        }
    }
    Ok(())
}
