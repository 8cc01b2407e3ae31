//! The queries of a check, from the command line or a file.

use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use xcollide::Pose;

use crate::exit::Failure;
use crate::options::CheckOptions;
use crate::pose_line::{PoseLines, PosePair};

/// The poses of one query.
#[derive(Clone, Debug)]
pub struct Placement {
    /// The number of the query, from 0.
    pub query: u64,
    /// The poses.
    pub poses: PosePair,
    /// Their origin, for messages.
    pub origin: Origin,
}

/// The origin of poses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The options.
    CommandLine,
    /// A line of a file.
    Line {
        /// The file as the user named it.
        file: String,
        /// The line, counted from 1.
        line: u64,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CommandLine => f.write_str("--pose-a, --pose-b"),
            Self::Line { file, line } => write!(f, "{file}: line {line}"),
        }
    }
}

/// All queries in order. A file is read as needed, so it may be endless.
pub struct Placements {
    from: From,
    next_query: u64,
}

enum From {
    CommandLine(PosePair),
    File { name: String, size: Option<u64>, lines: PoseLines<Box<dyn BufRead>> },
}

impl Placements {
    /// The queries of these options.
    ///
    /// # Errors
    /// The file of poses cannot be opened.
    pub fn new(options: &CheckOptions) -> Result<Self, Failure> {
        let from = match &options.poses {
            Some(path) => open(path)?,
            None => {
                let pose = |given: Option<Pose>| given.unwrap_or_default();
                From::CommandLine(PosePair { a: pose(options.pose_a), b: pose(options.pose_b) })
            }
        };
        Ok(Self { from, next_query: 0 })
    }

    /// Whether the queries come from a file.
    #[must_use]
    pub fn are_many(&self) -> bool {
        matches!(self.from, From::File { .. })
    }

    /// The size of the file, if known.
    #[must_use]
    pub fn total_bytes(&self) -> Option<u64> {
        match self.from {
            From::File { size, .. } => size,
            From::CommandLine(_) => None,
        }
    }

    /// The number of bytes read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.from {
            From::File { lines, .. } => lines.bytes(),
            From::CommandLine(_) => 0,
        }
    }
}

fn open(path: &Path) -> Result<From, Failure> {
    if path == Path::new("-") {
        let lines = PoseLines::new(Box::new(BufReader::new(std::io::stdin())) as Box<dyn BufRead>);
        return Ok(From::File { name: "standard input".into(), size: None, lines });
    }
    let name = path.display().to_string();
    let file = File::open(path)
        .map_err(|error| Failure::bad_input(format!("{name}: cannot be read: {error}")))?;
    let known = file.metadata().ok().filter(std::fs::Metadata::is_file);
    let lines = PoseLines::new(Box::new(BufReader::new(file)) as Box<dyn BufRead>);
    Ok(From::File { name, size: known.map(|known| known.len()), lines })
}

impl Iterator for Placements {
    type Item = Result<Placement, Failure>;

    /// The next query. A file without any is bad input.
    fn next(&mut self) -> Option<Self::Item> {
        let query = self.next_query;
        self.next_query += 1;
        match &mut self.from {
            From::CommandLine(poses) => {
                let placement = Placement { query, poses: *poses, origin: Origin::CommandLine };
                (query == 0).then_some(Ok(placement))
            }
            From::File { name, lines, .. } => match lines.next() {
                Some(Ok(found)) => {
                    let origin = Origin::Line { file: name.clone(), line: found.line };
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
