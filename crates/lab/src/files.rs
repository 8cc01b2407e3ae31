//! Input files and standard input.

use std::ffi::OsString;
use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;

use crate::exit::Failure;

/// The name of standard input in messages.
pub(crate) const STANDARD_INPUT: &str = "standard input";

/// Refuses arguments that name standard input more than once.
pub(crate) fn check_standard_input(arguments: &[OsString]) -> Result<(), Failure> {
    let is_named = |argument: &&OsString| {
        let text = argument.to_string_lossy();
        text == "-" || (text.starts_with("--") && text.ends_with("=-"))
    };
    match arguments.iter().filter(is_named).count() {
        0 | 1 => Ok(()),
        times => Err(Failure::bad_input(format!(
            "found - {times} times, expected it once: standard input can be read once"
        ))),
    }
}

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
            return Ok(Self { name: STANDARD_INPUT.into(), size: None, from });
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| Failure::unreadable(&name, &error))?;
        let size = file.metadata().ok().filter(Metadata::is_file).map(|about| about.len());
        Ok(Self { name, size, from: Box::new(file) })
    }

    /// Reads it to its end.
    pub(crate) fn read(mut self) -> Result<Vec<u8>, Failure> {
        let mut bytes = Vec::new();
        let read = self.from.read_to_end(&mut bytes);
        read.map(|_| bytes).map_err(|error| Failure::unreadable(&self.name, &error))
    }
}

/// The content of a file as text.
pub(crate) fn text(bytes: Vec<u8>, name: &str) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        Failure::bad_input(format!("{name}: byte {byte}: found no UTF-8, expected text"))
    })
}
