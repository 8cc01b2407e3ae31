//! Traces of moving boxes: CSV, read frame by frame.

use std::io::Read;

use csv::{ByteRecord, Reader, ReaderBuilder, Trim};
use xcollide::bounds::Aabb;

use crate::exit::Failure;

/// The columns, in this order.
const HEADER: [&str; 8] = ["frame", "id", "min_x", "min_y", "min_z", "max_x", "max_y", "max_z"];

/// A frame of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Its number.
    pub number: u64,
    /// Ids and boxes, in the order of the lines.
    pub boxes: Vec<(u64, Aabb)>,
}

/// Error in a trace: file, line, what was found and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {}{problem}", line.map(|line| format!("line {line}: ")).unwrap_or_default())]
pub struct TraceError {
    /// The file.
    pub file: String,
    /// The line, counted from 1; `None` if the file cannot be read.
    pub line: Option<u64>,
    /// What is wrong.
    pub problem: TraceProblem,
}

/// What is wrong with a trace.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TraceProblem {
    /// The file cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// The first line is not the header.
    #[error("found {found}, expected the header {}", HEADER.join(","))]
    Header {
        /// The first line.
        found: String,
    },
    /// A line has too few or too many values.
    #[error("found {found} values, expected {}", HEADER.len())]
    Count {
        /// The number of values.
        found: usize,
    },
    /// A value is not a number that its column allows.
    #[error("{column}: found {found:?}, expected {expected}")]
    Value {
        /// The column.
        column: &'static str,
        /// The value.
        found: String,
        /// What the column allows.
        expected: &'static str,
    },
    /// A frame follows a later one.
    #[error("found frame {found} after frame {before}, expected frames in ascending order")]
    Order {
        /// The frame.
        found: u64,
        /// The frame before it.
        before: u64,
    },
}

impl From<TraceError> for Failure {
    fn from(error: TraceError) -> Self {
        Self::bad_input(error)
    }
}

/// A line: frame, id, box.
type Line = (u64, u64, Aabb);

/// Reads a trace of any length; only one frame is in memory.
///
/// ```
/// use xcollide_lab::pairs::{Frame, Trace};
///
/// let text = "frame,id,min_x,min_y,min_z,max_x,max_y,max_z\n0,7,0,0,0,1,1,1\n";
/// let mut trace = Trace::new("boxes.csv", text.as_bytes())?;
/// let mut frame = Frame::default();
/// assert!(trace.read(&mut frame)?);
/// assert_eq!((frame.number, frame.boxes[0].0), (0, 7));
/// assert!(!trace.read(&mut frame)?);
/// # Ok::<(), xcollide_lab::pairs::TraceError>(())
/// ```
#[derive(Debug)]
pub struct Trace<R> {
    name: String,
    reader: Reader<R>,
    record: ByteRecord,
    /// The line read last, which begins the next frame, or its error.
    next: Option<Result<Line, TraceError>>,
}

impl<R: Read> Trace<R> {
    /// Reads the header. `name` names the trace in errors.
    ///
    /// # Errors
    /// The first line is not the header.
    pub fn new(name: &str, from: R) -> Result<Self, TraceError> {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(Trim::All)
            .comment(Some(b'#'))
            .buffer_capacity(1 << 16)
            .from_reader(from);
        let mut trace =
            Self { name: name.to_owned(), reader, record: ByteRecord::new(), next: None };
        let found = trace.read_record()?;
        let is_header = found
            && trace.record.len() == HEADER.len()
            // A file may begin with a byte order mark.
            && trace.record.iter().zip(HEADER).all(|(found, expected)| {
                found.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(found) == expected.as_bytes()
            });
        if !is_header {
            let header = String::from_utf8_lossy(trace.record.as_slice());
            let found = if found { format!("{header:?}") } else { "nothing".to_owned() };
            return Err(trace.wrong(TraceProblem::Header { found }));
        }
        trace.next = trace.read_line().transpose();
        Ok(trace)
    }

    /// The number of bytes read.
    pub fn bytes(&self) -> u64 {
        self.reader.position().byte()
    }

    /// Reads the next frame into `frame`; false at the end. An error of one of its lines, or of a line
    /// that may be one of them, is an error of the frame.
    ///
    /// # Errors
    /// A line is invalid, or the trace cannot be read.
    pub fn read(&mut self, frame: &mut Frame) -> Result<bool, TraceError> {
        frame.boxes.clear();
        let Some(first) = self.next.take() else { return Ok(false) };
        let (number, id, aabb) = first?;
        frame.number = number;
        frame.boxes.push((id, aabb));
        loop {
            match self.read_line().transpose() {
                Some(Ok((number, id, aabb))) if number == frame.number => {
                    frame.boxes.push((id, aabb));
                }
                Some(Ok((number, ..))) if number < frame.number => {
                    let before = frame.number;
                    return Err(self.wrong(TraceProblem::Order { found: number, before }));
                }
                Some(Err(error)) if !self.is_after(frame.number) => return Err(error),
                next => {
                    self.next = next;
                    return Ok(true);
                }
            }
        }
    }

    /// Whether the line read last is one of a later frame, whatever else is wrong with it.
    fn is_after(&self, frame: u64) -> bool {
        let number = self.record.get(0).and_then(|bytes| str::from_utf8(bytes).ok()?.parse().ok());
        number.is_some_and(|number: u64| number > frame)
    }

    fn read_line(&mut self) -> Result<Option<Line>, TraceError> {
        if !self.read_record()? {
            return Ok(None);
        }
        if self.record.len() != HEADER.len() {
            let found = self.record.len();
            return Err(self.wrong(TraceProblem::Count { found }));
        }
        let mut sides = [0.0; 6];
        for (column, side) in (2..).zip(&mut sides) {
            let number = |text: &str| text.parse().ok().filter(|number: &f64| !number.is_nan());
            *side = self.parsed(column, number, "a number")?;
        }
        let [a, b, c, d, e, f] = sides;
        let whole =
            |column| self.parsed(column, |text| text.parse().ok(), "a whole number of at least 0");
        Ok(Some((whole(0)?, whole(1)?, Aabb::new([a, b, c], [d, e, f]))))
    }

    fn read_record(&mut self) -> Result<bool, TraceError> {
        let read = self.reader.read_byte_record(&mut self.record);
        read.map_err(|error| {
            let problem = TraceProblem::Unreadable(error.to_string());
            TraceError { file: self.name.clone(), line: None, problem }
        })
    }

    fn parsed<T>(
        &self,
        column: usize,
        parse: impl FnOnce(&str) -> Option<T>,
        expected: &'static str,
    ) -> Result<T, TraceError> {
        let bytes = &self.record[column];
        str::from_utf8(bytes).ok().and_then(parse).ok_or_else(|| {
            let found = String::from_utf8_lossy(bytes).into_owned();
            self.wrong(TraceProblem::Value { column: HEADER[column], found, expected })
        })
    }

    fn wrong(&self, problem: TraceProblem) -> TraceError {
        let line = self.record.position().map_or(1, csv::Position::line);
        TraceError { file: self.name.clone(), line: Some(line), problem }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Result<Vec<Frame>, String> {
        let mut trace = Trace::new("t.csv", text.as_bytes()).map_err(|e| e.to_string())?;
        let (mut frames, mut frame) = (Vec::new(), Frame::default());
        while trace.read(&mut frame).map_err(|error| error.to_string())? {
            frames.push(frame.clone());
        }
        Ok(frames)
    }

    const TITLES: &str = "frame,id,min_x,min_y,min_z,max_x,max_y,max_z\n";

    #[test]
    fn lines_are_gathered_into_frames() {
        let text =
            format!("{TITLES}0,7,0,0,0,1,1,1\n0, 8 ,0,0,-1e3,1,1,inf\n# later\n5,7,1,0,0,0,0,0\n");
        let expected = vec![
            Frame {
                number: 0,
                boxes: vec![
                    (7, Aabb::new([0.0; 3], [1.0; 3])),
                    (8, Aabb::new([0.0, 0.0, -1e3], [1.0, 1.0, f64::INFINITY])),
                ],
            },
            Frame { number: 5, boxes: vec![(7, Aabb::new([1.0, 0.0, 0.0], [0.0; 3]))] },
        ];
        assert_eq!(frames(&text), Ok(expected));
        assert_eq!(frames(TITLES), Ok(vec![]));
    }

    #[test]
    fn errors_name_the_line_and_what_was_expected() {
        let wrong = [
            ("", "t.csv: line 1: found nothing, expected the header frame,id,min_x"),
            ("a,b\n", "t.csv: line 1: found \"ab\", expected the header frame,id,min_x"),
            ("0,1,2,3\n", "t.csv: line 2: found 4 values, expected 8"),
            ("0,1,0,0,0,1,1,x\n", "t.csv: line 2: max_z: found \"x\", expected a number"),
            ("0,1,0,nan,0,1,1,1\n", "t.csv: line 2: min_y: found \"nan\", expected a number"),
            ("0,-1,0,0,0,1,1,1\n", "line 2: id: found \"-1\", expected a whole number of at"),
            (
                "3,1,0,0,0,1,1,1\n2,1,0,0,0,1,1,1\n",
                "t.csv: line 3: found frame 2 after frame 3, expected frames in ascending order",
            ),
        ];
        for (index, (lines, message)) in wrong.into_iter().enumerate() {
            let text = if index < 2 { lines.to_owned() } else { format!("{TITLES}{lines}") };
            let error = frames(&text).err().unwrap_or_default();
            assert!(error.contains(message), "{error}");
        }
    }
}
