//! Input files and standard input.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

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
