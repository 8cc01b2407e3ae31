//! How far the join of boxes reaches: times, memory and growth, as the README tells them.
//!
//! `cargo run --release --no-default-features --example reach` prints the table; each measurement is a process of its own, so that its memory is
//! its own. with `-- join 1000000` it is one of them.

// A program says what it does.
#![allow(clippy::print_stdout)]

use std::error::Error;
use std::fs::File;
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use datafusion::arrow::array::{
    AsArray, FixedSizeBinaryBuilder, Float32Array, RecordBatch, UInt64Array,
};
use datafusion::arrow::datatypes::{DataType, Field, Int64Type, Schema};
use datafusion::common::JoinType;
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::prelude::{DataFrame, ParquetReadOptions, SessionContext, col, lit};
use xcollide_bounds::Aabb;
use xcollide_broad::{Bounds, BroadPhase, Everything, Pairs, ProxyId, WideTree};
use xcollide_cluster::{BoxStatistics, SessionOptions, StoredBox, join_boxes, open, plan_join};

type Done<T> = Result<T, Box<dyn Error>>;

/// The memory of the engine.
const MEMORY: usize = 1 << 30;

fn main() -> Done<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["join", boxes] => measure_join(boxes.parse()?),
        ["inequality", boxes] => measure_inequality(boxes.parse()?),
        ["memory", boxes] => measure_memory(boxes.parse()?),
        _ => table(),
    }
}

/// All measurements.
fn table() -> Done<()> {
    for arguments in [
        &["join", "100000"][..],
        &["inequality", "100000"],
        &["join", "1000000"],
        &["memory", "1000000"],
        &["join", "10000000"],
    ] {
        let status = Command::new(std::env::current_exe()?).args(arguments).status()?;
        if !status.success() {
            return Err(format!("{arguments:?}: {status}").into());
        }
    }
    Ok(())
}

/// Boxes of sides from 1/8 to 1 in a cube whose size makes each overlap some others; coordinates are multiples of 1/64.
fn boxes(count: u64) -> impl Iterator<Item = StoredBox> {
    let mut state = 1_u64;
    let mut below = move |limit: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 24) % limit
    };
    let reach = 64 * (count as f64).cbrt() as u64;
    (0..count).map(move |_| {
        let min = [(); 3].map(|()| below(reach) as f32 / 64.0);
        StoredBox { min, max: min.map(|low| low + (8 + below(57)) as f32 / 64.0) }
    })
}

/// The boxes as a table in a file: `row` and `box`, or a column for each number.
fn write(count: u64, in_columns: bool) -> Done<tempfile::NamedTempFile> {
    let file = tempfile::Builder::new().suffix(".parquet").tempfile()?;
    let mut fields = vec![Field::new("row", DataType::UInt64, false)];
    match in_columns {
        false => fields.push(Field::new("box", DataType::FixedSizeBinary(24), false)),
        true => fields.extend(
            ["x0", "y0", "z0", "x1", "y1", "z1"]
                .map(|name| Field::new(name, DataType::Float32, false)),
        ),
    }
    let schema = Arc::new(Schema::new(fields));
    let mut writer = ArrowWriter::try_new(File::create(file.path())?, schema.clone(), None)?;
    let all: Vec<StoredBox> = boxes(count).collect();
    for (number, some) in all.chunks(1 << 17).enumerate() {
        let first = (number << 17) as u64;
        let rows = UInt64Array::from_iter_values(first..first + some.len() as u64);
        let mut columns: Vec<Arc<dyn datafusion::arrow::array::Array>> = vec![Arc::new(rows)];
        if in_columns {
            for axis in 0..3 {
                let low = some.iter().map(|of| of.min[axis]);
                columns.push(Arc::new(Float32Array::from_iter_values(low)));
            }
            for axis in 0..3 {
                let high = some.iter().map(|of| of.max[axis]);
                columns.push(Arc::new(Float32Array::from_iter_values(high)));
            }
        } else {
            let mut bytes = FixedSizeBinaryBuilder::with_capacity(some.len(), 24);
            some.iter().try_for_each(|of| bytes.append_value(of.to_bytes()))?;
            columns.push(Arc::new(bytes.finish()));
        }
        writer.write(&RecordBatch::try_new(schema.clone(), columns)?)?;
    }
    writer.close()?;
    Ok(file)
}

fn block_on<T>(future: impl Future<Output = Done<T>>) -> Done<T> {
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(future)
}

async fn read(context: &SessionContext, file: &tempfile::NamedTempFile) -> Done<DataFrame> {
    let path = file.path().to_string_lossy().into_owned();
    Ok(context.read_parquet(path, ParquetReadOptions::default()).await?)
}

async fn counted(rows: DataFrame) -> Done<u64> {
    let counts = rows.aggregate(vec![], vec![count(lit(1))])?.collect().await?;
    Ok(counts.iter().map(|batch| batch.column(0).as_primitive::<Int64Type>().value(0) as u64).sum())
}

/// The join on cells.
fn measure_join(boxes: u64) -> Done<()> {
    let file = write(boxes, false)?;
    reset_peak();
    block_on(async {
        let options = SessionOptions { memory: MEMORY, ..SessionOptions::default() };
        let context = open(&options).await?;
        let rows = read(&context, &file).await?;
        let began = Instant::now();
        let BoxStatistics { plan, entries, comparisons, .. } = plan_join(&rows).await?;
        let planned = began.elapsed().as_secs_f64();
        let pairs = counted(join_boxes(&rows, &plan, [0, 1])?).await?;
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "join on cells: {boxes} boxes, {pairs} pairs: {seconds:.2} s, of these statistics {planned:.2} s; {entries} \
             entries, {comparisons} comparisons; {} at most",
            peak()
        );
        Ok(())
    })
}

/// The engine's own plan for the inequalities.
fn measure_inequality(boxes: u64) -> Done<()> {
    let file = write(boxes, true)?;
    reset_peak();
    block_on(async {
        let options = SessionOptions { memory: MEMORY, ..SessionOptions::default() };
        let context = open(&options).await?;
        let rows = read(&context, &file).await?;
        let side = |name: &str| -> Done<DataFrame> {
            let columns = ["row", "x0", "y0", "z0", "x1", "y1", "z1"];
            let named = columns.map(|column| col(column).alias(format!("{name}_{column}")));
            Ok(rows.clone().select(named)?)
        };
        let mut conditions = vec![col("a_row").lt(col("b_row"))];
        for axis in ["x", "y", "z"] {
            let bound = |of: &str, end: u8| col(format!("{of}_{axis}{end}"));
            conditions.push(bound("a", 0).lt_eq(bound("b", 1)));
            conditions.push(bound("b", 0).lt_eq(bound("a", 1)));
        }
        let began = Instant::now();
        let joined = side("a")?.join_on(side("b")?, JoinType::Inner, conditions)?;
        let pairs = counted(joined.select_columns(&["a_row"])?).await?;
        let seconds = began.elapsed().as_secs_f64();
        println!(
            "join on inequalities: {boxes} boxes, {pairs} pairs: {seconds:.2} s; {} at most",
            peak()
        );
        Ok(())
    })
}

/// The broad phase in memory.
fn measure_memory(count: u64) -> Done<()> {
    let all: Vec<StoredBox> = boxes(count).collect();
    reset_peak();
    let began = Instant::now();
    let mut broad = WideTree::parallel();
    for (row, of) in all.iter().enumerate() {
        let of = Aabb { min: of.min.map(f64::from), max: of.max.map(f64::from) };
        broad.insert(ProxyId::new(row as u32, 0), &Bounds::new(of))?;
    }
    let mut pairs = Pairs::new();
    broad.pairs(&Everything, &mut pairs);
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "broad phase in memory: {count} boxes, {} pairs: {seconds:.2} s; {} at most",
        pairs.overlapping.len(),
        peak()
    );
    Ok(())
}

/// Forgets the peak of memory so far, where the system can.
fn reset_peak() {
    // Without it the peak is that of all.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// The largest memory of this process, where the system tells it.
fn peak() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes =
        line.and_then(|text| text.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
    kilobytes.map_or("memory unknown".to_owned(), |kilobytes| format!("{:.2} GB", kilobytes / 1e6))
}
