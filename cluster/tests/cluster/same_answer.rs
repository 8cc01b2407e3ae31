//! What is found is that of the memory, at each number of partitions and on each host.

use std::error::Error;
use std::num::NonZeroUsize;

use xcollide_clash::Rules;
use xcollide_cluster::{DataFusionEngine, Host, SessionOptions};
use xcollide_lab::clash_engine::{ClashEngine, ClashRequest, EngineError, detect_in_memory};

use crate::tables::{WRONG_ROWS, boxes, told, write};

const RULES: &str = "tolerance = 1.0
    merge = 6.0
    [[test]]
    groups = ['pipes', '*']
    tolerance = 3.0
    [[test]]
    groups = ['*', 'steel']
    touching = false
    [[ignore]]
    groups = ['walls', 'steel']
    [[ignore]]
    ids = ['e1*', 'e2*']
    [[ignore]]
    same = 'floor'";

#[test]
fn embedded_and_in_memory_find_the_same() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    for (seed, rules) in [(1, Rules::new()), (2, Rules::from_toml(RULES)?)] {
        let text = boxes(seed, 160, 40, 5) + WRONG_ROWS;
        let table = write(folder.path(), &text)?;
        let mut request = ClashRequest::new(&table, rules);
        request.depth = true;
        let expected = told(&detect_in_memory(&request)?);
        assert!(expected.lines().count() > 100, "{expected}");
        for partitions in [1, 2, 7, 64] {
            request.partitions = NonZeroUsize::new(partitions);
            let found = ClashEngine::detect(&DataFusionEngine::default(), &request)?;
            assert_eq!(told(&found), expected, "{partitions} partitions");
        }
    }
    Ok(())
}

#[test]
fn a_cluster_and_memory_find_the_same() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let table = write(folder.path(), &(boxes(3, 120, 30, 5) + WRONG_ROWS))?;
    let mut request = ClashRequest::new(&table, Rules::from_toml(RULES)?);
    let expected = told(&detect_in_memory(&request)?);
    for partitions in [1, 7] {
        let options = SessionOptions { host: Host::Standalone, ..SessionOptions::default() };
        request.partitions = NonZeroUsize::new(partitions);
        let found = ClashEngine::detect(&DataFusionEngine::new(options), &request)?;
        assert_eq!(told(&found), expected, "{partitions} partitions");
    }
    Ok(())
}

#[test]
fn many_passes_find_the_same() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let table = write(folder.path(), &boxes(4, 250, 60, 6))?;
    let mut request = ClashRequest::new(&table, Rules::new());
    let expected = told(&detect_in_memory(&request)?);
    let work = folder.path().join("work");
    request.work = Some(work.clone());
    let options = SessionOptions { least_passes: 4, ..SessionOptions::default() };
    let engine = DataFusionEngine::new(options);
    let found = ClashEngine::detect(&engine, &request);
    assert_eq!(told(&found?), expected);
    let marks = (0..4).map(|pass| work.join(format!("found/part-{pass:05}.done")));
    assert!(marks.into_iter().all(|mark| mark.is_file()));
    // It goes on from what is finished: nothing is left but to read the result.
    std::fs::remove_dir_all(work.join("instances"))?;
    assert_eq!(told(&ClashEngine::detect(&engine, &request)?), expected);
    // A pass that was cut off is done again.
    std::fs::remove_file(work.join("found/part-00001.done"))?;
    assert_eq!(told(&ClashEngine::detect(&engine, &request)?), expected);
    request.depth = true;
    let other = ClashEngine::detect(&engine, &request);
    assert!(matches!(other, Err(EngineError::BadInput(text)) if text.contains("another request")));
    Ok(())
}

#[test]
fn tables_without_usable_rows_have_no_clashes() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let header = boxes(1, 0, 0, 1);
    for rows in ["", "missing,no-such-file.off,1,0,0,0,0,1,0,0,0,0,1,0,,\n"] {
        let table = write(folder.path(), &format!("{header}{rows}"))?;
        let request = ClashRequest::new(&table, Rules::new());
        let expected = told(&detect_in_memory(&request)?);
        let found = ClashEngine::detect(&DataFusionEngine::default(), &request)?;
        assert_eq!(told(&found), expected);
    }
    let table = write(folder.path(), "id,model\n")?;
    let found =
        ClashEngine::detect(&DataFusionEngine::default(), &ClashRequest::new(&table, Rules::new()));
    assert!(matches!(found, Err(EngineError::BadInput(text)) if text.contains("m00")));
    Ok(())
}
