//! Input files, standard input, and output files that are written at the end.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use crate::exit::Failure;

/// An opened input, to be read as needed.
pub(crate) struct Input {
    pub(crate) name: String,
    /// The size of a file in bytes; `None` for pipes and devices.
    pub(crate) size: Option<u64>,
    pub(crate) from: Box<dyn Read>,
}

impl Input {
    /// Opens a file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            let from = Box::new(std::io::stdin());
            return Ok(Self { name: "standard input".into(), size: None, from });
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Failure::unreadable(&name, &error))?;
        let size = file.metadata().ok().filter(Metadata::is_file).map(|about| about.len());
        Ok(Self { name, size, from: Box::new(file) })
    }
}

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

    pub(crate) fn write(mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.file.write_all(bytes);
        // A pipe or device cannot be truncated.
        let is_file = self.file.metadata().is_ok_and(|about| about.is_file());
        written
            .and_then(|()| if is_file { self.file.set_len(bytes.len() as u64) } else { Ok(()) })
            .map_err(|error| Failure::unwritable(&self.path, &error))
    }
}
