//! Files of queries of moving points, read query by query.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use xcollide::predicates::moving::MovingPoint;

use super::fraction;
use crate::exit::Failure;
use crate::primitives::Primitives;

/// One query.
pub(super) struct Query {
    /// The four points.
    pub(super) points: [MovingPoint; 4],
    /// Whether they meet, as the file says.
    pub(super) truth: bool,
}

/// Longer lines are refused.
const LONGEST_LINE: u64 = 1 << 16;

/// The primitives that the name of a file's folder tells.
pub(super) fn primitives_of(path: &Path) -> Result<Primitives, Failure> {
    let folder = path.parent().and_then(Path::file_name).and_then(|name| name.to_str());
    match folder {
        Some("vertex-face") => Ok(Primitives::VertexFace),
        Some("edge-edge") => Ok(Primitives::EdgeEdge),
        _ => Err(Failure::bad_input(format!(
            "{}: the folder is not called vertex-face or edge-edge, expected --type",
            path.display()
        ))),
    }
}

/// The queries of a file.
pub(super) struct Queries<'a> {
    name: &'a str,
    from: BufReader<Box<dyn Read>>,
    line: u64,
    bytes: u64,
}

impl<'a> Queries<'a> {
    pub(super) fn new(name: &'a str, from: Box<dyn Read>) -> Self {
        Self { name, from: BufReader::new(from), line: 0, bytes: 0 }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next query; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Query>, Failure> {
        let mut positions = [[0.0; 3]; 8];
        let mut truth = None;
        for row in 0..8 {
            let Some(text) = self.row()? else {
                return match row {
                    0 => Ok(None),
                    _ => Err(self
                        .refused(&format!("the file ends after {row} of the 8 lines of a query"))),
                };
            };
            let (position, says) = read(&text).map_err(|problem| self.refused(&problem))?;
            positions[row] = position;
            if *truth.get_or_insert(says) != says {
                return Err(self.refused("found another truth than in the lines before"));
            }
        }
        let points = [0, 1, 2, 3].map(|i| MovingPoint::new(positions[i], positions[i + 4]));
        Ok(Some(Query { points, truth: truth.unwrap_or_default() }))
    }

    fn refused(&self, problem: &str) -> Failure {
        Failure::bad_input(format!("{}, line {}: {problem}", self.name, self.line))
    }

    /// The next line that is not blank.
    fn row(&mut self) -> Result<Option<String>, Failure> {
        loop {
            let mut text = Vec::new();
            let read = self.from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut text);
            let read = read.map_err(|error| Failure::unreadable(self.name, &error))? as u64;
            if read == 0 {
                return Ok(None);
            }
            self.line += 1;
            self.bytes += read;
            if read == LONGEST_LINE && !text.ends_with(b"\n") {
                return Err(
                    self.refused("found a line that is too long, expected seven whole numbers")
                );
            }
            let text = String::from_utf8(text).map_err(|_| {
                self.refused("found bytes that are no UTF-8, expected whole numbers")
            })?;
            if !text.trim().is_empty() {
                return Ok(Some(text));
            }
        }
    }
}

/// Reads a position and the truth.
fn read(text: &str) -> Result<([f64; 3], bool), String> {
    let parts: Vec<&str> = text.trim().split(',').map(str::trim).collect();
    let &[a, b, c, d, e, f, truth] = &parts[..] else {
        return Err(format!("found {} numbers, expected 7", parts.len()));
    };
    let position = [fraction::exact(a, b)?, fraction::exact(c, d)?, fraction::exact(e, f)?];
    match truth {
        "0" => Ok((position, false)),
        "1" => Ok((position, true)),
        other => Err(format!("found the truth `{}`, expected 0 or 1", other.escape_debug())),
    }
}
