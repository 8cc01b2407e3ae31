//! Output files that are written at the end of a run.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// A file that is opened before a long run, to fail early. Its old content stays until something is
/// written.
pub(crate) struct OutFile {
    path: PathBuf,
    file: File,
}

impl OutFile {
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| Failure::unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Replaces the file's content.
    pub(crate) fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(bytes);
        // A pipe or device cannot be truncated.
        let is_file = self.file.metadata().is_ok_and(|about| about.is_file());
        written
            .and_then(|()| if is_file { self.file.set_len(bytes.len() as u64) } else { Ok(()) })
            .map_err(|error| Failure::unwritable(&self.path, &error))
    }
}
