//! The join of boxes alone: all pairs, each once.

use std::error::Error;
use std::sync::Arc;

use datafusion::arrow::array::{AsArray, FixedSizeBinaryBuilder, RecordBatch, UInt64Array};
use datafusion::arrow::datatypes::{DataType, Field, Schema, UInt64Type};
use datafusion::prelude::SessionContext;
use xcollide_cluster::{SessionOptions, StoredBox, join_boxes, open, plan_join};

use crate::random::Random;

/// Boxes of many sizes; a fifth of them is in one place, and one contains all.
fn boxes(count: u64, seed: u64) -> Vec<StoredBox> {
    let mut random = Random(seed);
    let mut all = vec![StoredBox { min: [-2000.0; 3], max: [2000.0; 3] }];
    for number in 1..count {
        let size = 1 << random.below(8);
        let reach = if number % 5 == 0 { 3 } else { 1000 };
        let min = [(); 3].map(|()| random.below(reach) as f32 - 500.0);
        let max = min.map(|low| low + random.below(size) as f32);
        all.push(StoredBox { min, max });
    }
    all
}

fn table(boxes: &[StoredBox]) -> Result<RecordBatch, Box<dyn Error>> {
    let mut column = FixedSizeBinaryBuilder::new(24);
    for of in boxes {
        column.append_value(of.to_bytes())?;
    }
    let rows = UInt64Array::from_iter_values(0..boxes.len() as u64);
    let schema = Schema::new(vec![
        Field::new("row", DataType::UInt64, false),
        Field::new("box", DataType::FixedSizeBinary(24), false),
    ]);
    Ok(RecordBatch::try_new(Arc::new(schema), vec![Arc::new(rows), Arc::new(column.finish())])?)
}

async fn joined(
    context: &SessionContext,
    boxes: &[StoredBox],
    passes: u64,
) -> Result<(Vec<[u64; 2]>, usize), Box<dyn Error>> {
    let rows = context.read_batch(table(boxes)?)?;
    let plan = plan_join(&rows).await?.plan;
    let mut pairs = Vec::new();
    for pass in 0..passes {
        for batch in join_boxes(&rows, &plan, [pass, passes])?.collect().await? {
            let column = |place: usize| batch.column(place).as_primitive::<UInt64Type>().values();
            for (&a, &b) in column(0).iter().zip(column(1)) {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
    pairs.sort_unstable();
    Ok((pairs, plan.split_cells()))
}

#[tokio::test(flavor = "multi_thread")]
async fn each_pair_is_told_once() -> Result<(), Box<dyn Error>> {
    for seed in 0..3 {
        let all = boxes(3000, seed);
        let mut expected = Vec::new();
        for (b, of) in all.iter().enumerate() {
            let others = all[..b].iter().enumerate().filter(|(_, other)| other.overlaps(of));
            expected.extend(others.map(|(a, _)| [a as u64, b as u64]));
        }
        expected.sort_unstable();
        assert!(expected.len() > 10_000);
        for partitions in [1, 7] {
            let options = SessionOptions { partitions, ..SessionOptions::default() };
            let context = open(&options).await?;
            for passes in [1, 3] {
                let (pairs, _) = joined(&context, &all, passes).await?;
                assert_eq!(pairs, expected, "{partitions} partitions, {passes} passes");
            }
        }
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowded_cell_is_split() -> Result<(), Box<dyn Error>> {
    let mut random = Random(5);
    let all: Vec<StoredBox> = (0..3000)
        .map(|_| {
            let min = [(); 3].map(|()| random.below(1000) as f32 / 1000.0);
            // Long, and all in one cell; few of them overlap.
            StoredBox { min, max: [min[0], min[1], min[2] + 1.0] }
        })
        .collect();
    let context = open(&SessionOptions::default()).await?;
    let (pairs, split) = joined(&context, &all, 1).await?;
    let mut expected = 0;
    for (b, of) in all.iter().enumerate() {
        expected += all[..b].iter().filter(|other| other.overlaps(of)).count();
    }
    assert_eq!(pairs.len(), expected);
    assert!(split > 0);
    Ok(())
}
