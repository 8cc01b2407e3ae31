//! The folder of intermediate tables, and what is finished in it.
//!
//! ```text
//!   request.json               what is asked for: a folder serves one request
//!   instances/part-00000.parquet  …      the rows of the source
//!   placed/part-00000.parquet     …      the same with their boxes, or errors
//!   found/part-00000.parquet      …      the pairs of each pass
//! ```
//!
//! A part is written under another name, a new one each time, then renamed, then its mark `part-00000.done` is written. Work
//! that was cut off goes on with the parts that have no mark. What still writes a part for a job that has ended writes elsewhere.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

use crate::instance_table::part_path;

/// A folder of intermediate tables.
#[derive(Debug)]
pub(crate) struct WorkFolder {
    path: PathBuf,
    /// When this process opened the folder, and how many names for unfinished parts it has given.
    opened: u128,
    names: AtomicU64,
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

const TABLES: [Table; 3] = [Table::Instances, Table::Placed, Table::Found];

/// How the extensions of unfinished parts begin.
const UNFINISHED: &str = "unfinished-";

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
        let opened = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
        let folder = Self { path, opened, names: AtomicU64::new(0), _temporary: temporary };
        for table in TABLES {
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

    /// A path under which a part can be written: a new one with each call, also of other processes.
    pub(crate) fn unfinished(&self, table: Table, number: usize) -> PathBuf {
        let name = self.names.fetch_add(1, Ordering::Relaxed);
        let attempt = format!("{UNFINISHED}{}-{name}.parquet", self.opened);
        self.part(table, number).with_extension(attempt)
    }

    /// Whether a part is finished.
    pub(crate) fn is_done(&self, table: Table, number: usize) -> bool {
        self.mark(table, number).is_file()
    }

    /// Marks a part as finished that was written at this path, or has no rows. What else was written of it is removed.
    pub(crate) fn finish(&self, table: Table, number: usize, written: &Path) -> io::Result<()> {
        let part = self.part(table, number);
        if written.is_file() {
            fs::rename(written, &part)?;
        }
        fs::write(self.mark(table, number), "")?;
        let unfinished = part.with_extension(UNFINISHED);
        let unfinished = unfinished.file_name().unwrap_or_default().to_string_lossy();
        for entry in fs::read_dir(self.table(table))? {
            let entry = entry?;
            if entry.file_name().to_string_lossy().starts_with(&*unfinished) {
                // Who writes it may remove it first.
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    /// How many parts are finished.
    pub(crate) fn finished(&self) -> usize {
        let names = TABLES.into_iter().filter_map(|table| fs::read_dir(self.table(table)).ok());
        let is_mark = |path: &Path| path.extension().is_some_and(|is| is == "done");
        names.flatten().flatten().filter(|entry| is_mark(&entry.path())).count()
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
        let [cut_off, written, left] = [0, 0, 2].map(|part| folder.unfinished(Table::Placed, part));
        for path in [&cut_off, &written, &left] {
            fs::write(path, "rows")?;
        }
        folder.finish(Table::Placed, 0, &written)?;
        folder.finish(Table::Placed, 1, &folder.unfinished(Table::Placed, 1))?;
        assert_eq!([&cut_off, &written, &left].map(|path| path.exists()), [false, false, true]);
        let again = WorkFolder::open(Some(&path), "a")?;
        let done: Vec<bool> = (0..3).map(|part| again.is_done(Table::Placed, part)).collect();
        assert_eq!(done, [true, true, false]);
        assert_eq!(again.finished(), 2);
        assert_eq!(again.files(Table::Placed, 3).len(), 1);
        assert_ne!(again.unfinished(Table::Placed, 2), left);
        assert!(WorkFolder::open(Some(&path), "b").is_err());
        let temporary = WorkFolder::open(None, "a")?;
        let place = temporary.path.clone();
        assert!(place.is_dir());
        drop(temporary);
        assert!(!place.exists());
        Ok(())
    }
}
