//! The folder of intermediate tables, and what is finished in it.
//!
//! ```text
//!   request.json               what is asked for: a folder serves one request
//!   instances/part-00000.parquet  …      the rows of the source
//!   placed/part-00000.parquet     …      the same with their boxes, or errors
//!   found/part-00000.parquet      …      the pairs of each pass
//! ```
//!
//! A part is written under another name, then renamed, then its mark `part-00000.done` is written. Work that was cut off goes on
//! with the parts that have no mark.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::instance_table::part_path;

/// A folder of intermediate tables.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    path: PathBuf,
    /// Removes the folder at the end.
    _temporary: Option<TempDir>,
}

/// A table in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    Instances,
    Placed,
    Found,
}

impl WorkFolder {
    /// Opens a folder for a request, or makes a temporary one.
    ///
    /// # Errors
    /// It cannot be made, or has the tables of another request.
    pub(crate) fn open(path: Option<&Path>, request: &str) -> io::Result<Self> {
        let (path, temporary) = match path {
            Some(path) => (std::path::absolute(path)?, None),
            None => {
                let folder = tempfile::Builder::new().prefix("xcollide-").tempdir()?;
                (folder.path().to_owned(), Some(folder))
            }
        };
        let folder = Self { path, _temporary: temporary };
        for table in [Table::Instances, Table::Placed, Table::Found] {
            fs::create_dir_all(folder.table(table))?;
        }
        let known = folder.path.join("request.json");
        match fs::read_to_string(&known) {
            Ok(text) if text == request => {}
            Ok(_) => {
                let path = folder.path.display();
                let problem = format!(
                    "{path}: found the tables of another request, expected those of this one or an empty folder"
                );
                return Err(io::Error::new(io::ErrorKind::AlreadyExists, problem));
            }
            Err(_) => fs::write(known, request)?,
        }
        Ok(folder)
    }

    /// The folder of a table.
    pub(crate) fn table(&self, table: Table) -> PathBuf {
        self.path.join(match table {
            Table::Instances => "instances",
            Table::Placed => "placed",
            Table::Found => "found",
        })
    }

    /// The path of a part.
    pub(crate) fn part(&self, table: Table, number: usize) -> PathBuf {
        part_path(&self.table(table), number)
    }

    /// The path under which a part is written.
    pub(crate) fn unfinished(&self, table: Table, number: usize) -> PathBuf {
        self.part(table, number).with_extension("unfinished.parquet")
    }

    /// Whether a part is finished.
    pub(crate) fn is_done(&self, table: Table, number: usize) -> bool {
        self.mark(table, number).is_file()
    }

    /// Marks a part as finished that was written under its other name, or has no rows.
    pub(crate) fn finish(&self, table: Table, number: usize) -> io::Result<()> {
        let written = self.unfinished(table, number);
        if written.is_file() {
            fs::rename(written, self.part(table, number))?;
        }
        fs::write(self.mark(table, number), "")
    }

    /// The files of a table with so many parts; parts without rows have none.
    pub(crate) fn files(&self, table: Table, parts: usize) -> Vec<String> {
        let paths = (0..parts).map(|number| self.part(table, number));
        paths
            .filter(|path| path.is_file())
            .map(|path| path.to_string_lossy().into_owned())
            .collect()
    }

    /// A note that is written when it is known, and stays.
    pub(crate) fn note(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    fn mark(&self, table: Table, number: usize) -> PathBuf {
        self.part(table, number).with_extension("done")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_keeps_what_is_finished_and_serves_one_request() -> io::Result<()> {
        let outer = tempfile::tempdir()?;
        let path = outer.path().join("work");
        let folder = WorkFolder::open(Some(&path), "a")?;
        fs::write(folder.unfinished(Table::Placed, 0), "rows")?;
        fs::write(folder.unfinished(Table::Placed, 2), "cut off")?;
        folder.finish(Table::Placed, 0)?;
        folder.finish(Table::Placed, 1)?;
        let again = WorkFolder::open(Some(&path), "a")?;
        let done: Vec<bool> = (0..3).map(|part| again.is_done(Table::Placed, part)).collect();
        assert_eq!(done, [true, true, false]);
        assert_eq!(again.files(Table::Placed, 3).len(), 1);
        assert!(WorkFolder::open(Some(&path), "b").is_err());
        let temporary = WorkFolder::open(None, "a")?;
        let place = temporary.path.clone();
        assert!(place.is_dir());
        drop(temporary);
        assert!(!place.exists());
        Ok(())
    }
}
