//! The queries of a check, from the command line or a file.

use std::io::{BufReader, Read};

use crate::exit::Failure;
use crate::files::Input;
use crate::options::CheckOptions;
use crate::pose_line::{PoseLines, PosePair};

pub(super) const COMMAND_LINE: &str = "--pose-a, --pose-b";

#[derive(Clone, Debug)]
pub(super) struct Placement {
    pub(super) query: u64,
    pub(super) poses: PosePair,
    /// The options or the line of the poses, for messages.
    pub(super) origin: String,
}

/// All queries in order. A file is read as needed, so it may be endless.
pub(super) struct Placements {
    from: From,
    next_query: u64,
}

enum From {
    CommandLine(PosePair),
    File { name: String, size: Option<u64>, lines: PoseLines<BufReader<Box<dyn Read>>> },
}

impl Placements {
    pub(super) fn new(options: &CheckOptions) -> Result<Self, Failure> {
        let from = match &options.poses {
            Some(path) => {
                let Input { name, size, from } = Input::open(path)?;
                From::File { name, size, lines: PoseLines::new(BufReader::new(from)) }
            }
            None => {
                let [a, b] = [options.pose_a, options.pose_b].map(Option::unwrap_or_default);
                From::CommandLine(PosePair { a, b })
            }
        };
        Ok(Self { from, next_query: 0 })
    }

    pub(super) fn are_many(&self) -> bool {
        matches!(self.from, From::File { .. })
    }

    pub(super) fn total_bytes(&self) -> Option<u64> {
        match self.from {
            From::File { size, .. } => size,
            From::CommandLine(_) => None,
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        match &self.from {
            From::File { lines, .. } => lines.bytes(),
            From::CommandLine(_) => 0,
        }
    }
}

impl Iterator for Placements {
    type Item = Result<Placement, Failure>;

    /// The next query. A file without any is bad input.
    fn next(&mut self) -> Option<Self::Item> {
        let query = self.next_query;
        self.next_query += 1;
        match &mut self.from {
            From::CommandLine(poses) => {
                let origin = COMMAND_LINE.to_owned();
                (query == 0).then_some(Ok(Placement { query, poses: *poses, origin }))
            }
            From::File { name, lines, .. } => match lines.next() {
                Some(Ok(found)) => {
                    let origin = format!("{name}: line {}", found.line);
                    Some(Ok(Placement { query, poses: found.poses, origin }))
                }
                Some(Err(error)) => Some(Err(Failure::bad_input(format!("{name}: {error}")))),
                None if query == 0 => {
                    let none = "found no line with a pose, expected at least one";
                    Some(Err(Failure::bad_input(format!("{name}: {none}"))))
                }
                None => None,
            },
        }
    }
}
