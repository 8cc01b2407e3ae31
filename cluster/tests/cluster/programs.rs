//! The program has the options and the output of `xcollide`.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Output};

use crate::tables::{WRONG_ROWS, boxes, write};

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_xcollide-cluster");

/// Runs the program in a folder.
pub(crate) fn run(folder: &Path, arguments: &str) -> std::io::Result<Output> {
    command(folder, arguments).output()
}

/// The program in a folder.
pub(crate) fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments.split_whitespace()).current_dir(folder);
    command.env("SOURCE_DATE_EPOCH", "1700000000");
    command
}

#[test]
fn output_is_the_same_byte_by_byte() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path();
    write(folder, &(boxes(6, 150, 20, 5) + WRONG_ROWS))?;
    for ending in ["csv", "parquet", "bcf"] {
        let options = format!(
            "clash table.csv --json --tolerance 0.5 --merge 3 --depth --volume --out out.{ending}"
        );
        let out = folder.join(format!("out.{ending}"));
        let memory = run(folder, &options)?;
        let in_memory = std::fs::read(&out)?;
        std::fs::remove_file(&out)?;
        let embedded = run(folder, &format!("{options} --engine datafusion --partitions 3"))?;
        assert_eq!(String::from_utf8(embedded.stdout)?, String::from_utf8(memory.stdout)?);
        assert_eq!(String::from_utf8(embedded.stderr)?, "");
        assert!(std::fs::read(&out)? == in_memory, "{ending}");
        assert_eq!((embedded.status.code(), memory.status.code()), (Some(1), Some(1)));
    }
    Ok(())
}

#[test]
fn wrong_use_is_told() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    write(folder.path(), &boxes(1, 10, 0, 2))?;
    for (arguments, status, text) in [
        ("clash no.csv --engine datafusion", 2, "no.csv: cannot be read"),
        ("clash no.csv --partitions 3", 2, "expected --engine datafusion"),
        ("clash table.csv --cluster df://localhost:1", 1, "df://localhost:1: "),
        ("clash table.csv --cluster nowhere", 1, "nowhere: "),
        ("executor --scheduler nowhere", 1, "expected HOST:PORT"),
        ("clash no.csv --engine other", 2, "datafusion"),
    ] {
        let output = run(folder.path(), arguments)?;
        let told = String::from_utf8(output.stderr)?;
        assert!(told.contains(text), "{arguments}: {told}");
        assert_eq!(output.status.code(), Some(status), "{arguments}");
    }
    Ok(())
}
