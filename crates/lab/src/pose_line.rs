//! Poses as text: one on the command line, or one query per line of a file.
//!
//! A pose is 3, 7, 12 or 16 numbers ([`Placement::from_numbers`]), separated by blanks or commas. A line
//! of a file holds one pose, for B, with A at the identity; or two of the same form, A's first. Lines
//! that begin with `#`, and blank ones, are skipped.

use std::io::{BufRead, Read};

use xcollide::Pose;
use xcollide_scenes::{Placement, PlacementError};

/// The poses of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosePair {
    /// The first model's pose.
    pub a: Pose,
    /// The second model's pose.
    pub b: Pose,
}

/// The poses of a query about motion, at time 0 and at time 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionPoses {
    /// The poses of the first model.
    pub a: [Pose; 2],
    /// The poses of the second model.
    pub b: [Pose; 2],
}

impl MotionPoses {
    /// Whether neither model turns.
    #[must_use]
    pub fn are_translations(&self) -> bool {
        [&self.a, &self.b].iter().all(|[from, to]| from.rotation() == to.rotation())
    }
}

/// Why a text is not a pose.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseTextError {
    /// A part is not a finite number.
    #[error("number {number} is `{found}`, expected a finite number")]
    NotANumber {
        /// Which one, counted from 1.
        number: usize,
        /// The text found, shortened.
        found: String,
    },
    /// Wrong number of numbers.
    #[error("found {found} numbers, expected {expected}")]
    Count {
        /// The number found; counting stops at 65.
        found: usize,
        /// The allowed numbers.
        expected: &'static str,
    },
    /// The numbers are not a pose.
    #[error(transparent)]
    Placement(#[from] PlacementError),
    /// The line is not UTF-8.
    #[error("found bytes that are no UTF-8, expected numbers")]
    NotText,
    /// The line is too long.
    #[error("found a line of more than {LONGEST_LINE} bytes, expected numbers")]
    TooLong,
    /// The file cannot be read.
    #[error("cannot be read: {0}")]
    Unreadable(String),
}

/// More than four poses of sixteen numbers need.
const LONGEST_LINE: u64 = 1 << 16;

/// Parses one pose. A matrix is kept as it is given, bit for bit.
///
/// ```
/// let pose = xcollide_lab::pose_line::pose("0, 0, 2.5,  0, 0, 0, 1")?;
/// assert_eq!(pose.translation(), [0.0, 0.0, 2.5]);
/// # Ok::<(), xcollide_lab::pose_line::PoseTextError>(())
/// ```
///
/// # Errors
/// There are not 3, 7, 12 or 16 finite numbers, or they are no rotation within 1e-6.
pub fn pose(text: &str) -> Result<Pose, PoseTextError> {
    Ok(placement(text)?.pose())
}

/// Parses the placement of a body in a scene, in the form in which it is given.
///
/// # Errors
/// As [`pose`].
pub fn placement(text: &str) -> Result<Placement, PoseTextError> {
    let expected = Placement::NUMBERS;
    let numbers = numbers(text)?;
    of_numbers(&numbers)?.ok_or(PoseTextError::Count { found: numbers.len(), expected })
}

/// Parses the poses of one query: B's, or A's and B's.
///
/// # Errors
/// There are not 3, 7, 12 or 16 finite numbers or twice as many, or they are no rotations within 1e-6.
pub fn pose_pair(text: &str) -> Result<PosePair, PoseTextError> {
    let expected = "3, 7, 12 or 16 (a pose for B), or twice as many (poses for A and B)";
    let poses = poses(text, [1, 2], expected)?;
    Ok(match poses[..] {
        [a, b] => PosePair { a, b },
        _ => PosePair { a: Pose::IDENTITY, b: poses[0] },
    })
}

/// Parses the poses of one query about motion: from and to of B, or from and to of A and of B.
///
/// # Errors
/// There are not 3, 7, 12 or 16 finite numbers a pose, or they are no rotations within 1e-6.
pub fn motion_poses(text: &str) -> Result<MotionPoses, PoseTextError> {
    let expected =
        "twice 3, 7, 12 or 16 (from and to of B), or four times as many (those of A and of B)";
    let poses = poses(text, [2, 4], expected)?;
    Ok(match poses[..] {
        [from_a, to_a, from_b, to_b] => MotionPoses { a: [from_a, to_a], b: [from_b, to_b] },
        _ => MotionPoses { a: [Pose::IDENTITY; 2], b: [poses[0], poses[1]] },
    })
}

/// Parses three numbers.
///
/// # Errors
/// There are not three finite numbers.
pub fn vector(text: &str) -> Result<[f64; 3], PoseTextError> {
    let numbers = numbers(text)?;
    let found = numbers.len();
    numbers.try_into().map_err(|_| PoseTextError::Count { found, expected: "3" })
}

/// Parses origin and direction of a ray.
///
/// # Errors
/// There are not six finite numbers.
pub fn ray(text: &str) -> Result<[[f64; 3]; 2], PoseTextError> {
    match numbers(text)?[..] {
        [x, y, z, u, v, w] => Ok([[x, y, z], [u, v, w]]),
        ref other => {
            Err(PoseTextError::Count { found: other.len(), expected: "6: origin and direction" })
        }
    }
}

/// Parses one of two numbers of poses, all of the same form.
fn poses(
    text: &str,
    counts: [usize; 2],
    expected: &'static str,
) -> Result<Vec<Pose>, PoseTextError> {
    let numbers = numbers(text)?;
    let found = numbers.len();
    let forms = [3, 7, 12, 16].into_iter().flat_map(|form| counts.map(|count| (form, count)));
    let Some((form, _)) = forms.into_iter().find(|(form, count)| form * count == found) else {
        return Err(PoseTextError::Count { found, expected });
    };
    numbers
        .chunks(form)
        .map(|part| Ok(of_numbers(part)?.ok_or(PoseTextError::Count { found, expected })?.pose()))
        .collect()
}

/// The placement of these numbers; `None` if there are not 3, 7, 12 or 16.
fn of_numbers(numbers: &[f64]) -> Result<Option<Placement>, PoseTextError> {
    let placement = match Placement::from_numbers(numbers) {
        Err(PlacementError::Count { .. }) => return Ok(None),
        placement => placement?,
    };
    placement.check()?;
    Ok(Some(placement.normalized()))
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|part| !part.is_empty())
}

/// The finite numbers of a text, at most 65.
fn numbers(text: &str) -> Result<Vec<f64>, PoseTextError> {
    let read = |(index, part): (usize, &str)| match part.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => {
            let found = part.chars().take(40).flat_map(char::escape_debug).collect();
            Err(PoseTextError::NotANumber { number: index + 1, found })
        }
    };
    parts(text).take(65).enumerate().map(read).collect()
}

/// The queries of a file of poses, read line by line.
///
/// ```
/// use xcollide_lab::pose_line::PoseLines;
///
/// let text = "# B comes nearer\n0 0 3  0 0 0 1\n0 0 2  0 0 0 1\n";
/// let mut heights = Vec::new();
/// for line in PoseLines::new(text.as_bytes()) {
///     heights.push(line?.poses.b.translation()[2]);
/// }
/// assert_eq!(heights, [3.0, 2.0]);
/// # Ok::<(), xcollide_lab::pose_line::PoseLineError>(())
/// ```
#[derive(Debug)]
pub struct PoseLines<R, T = PosePair> {
    parse: fn(&str) -> Result<T, PoseTextError>,
    from: R,
    line: u64,
    bytes: u64,
    buffer: Vec<u8>,
    ended: bool,
}

/// The query on one line of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseLine<T = PosePair> {
    /// The line, counted from 1.
    pub line: u64,
    /// The poses.
    pub poses: T,
}

/// An error in a line of a file of poses.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {error}")]
pub struct PoseLineError {
    /// The line, counted from 1.
    pub line: u64,
    /// The error.
    pub error: PoseTextError,
}

impl<R: BufRead> PoseLines<R> {
    /// Reads a file of [poses](pose_pair) from the beginning.
    pub fn new(from: R) -> Self {
        Self::parsed_by(pose_pair, from)
    }
}

impl<R: BufRead> PoseLines<R, MotionPoses> {
    /// Reads a file of [motions](motion_poses) from the beginning.
    pub fn motions(from: R) -> Self {
        Self::parsed_by(motion_poses, from)
    }
}

impl<R: BufRead> PoseLines<R, [[f64; 3]; 2]> {
    /// Reads a file of [rays](ray) from the beginning.
    pub fn rays(from: R) -> Self {
        Self::parsed_by(ray, from)
    }
}

impl<R: BufRead, T> PoseLines<R, T> {
    fn parsed_by(parse: fn(&str) -> Result<T, PoseTextError>, from: R) -> Self {
        Self { parse, from, line: 0, bytes: 0, buffer: Vec::new(), ended: false }
    }

    /// The number of bytes read.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The next line with a query on it.
    fn query(&mut self) -> Result<Option<T>, PoseTextError> {
        loop {
            self.buffer.clear();
            self.line += 1;
            let read = self.from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut self.buffer);
            let read = read.map_err(|error| PoseTextError::Unreadable(error.to_string()))? as u64;
            self.bytes += read;
            if read == 0 {
                return Ok(None);
            }
            if read == LONGEST_LINE && !self.buffer.ends_with(b"\n") {
                return Err(PoseTextError::TooLong);
            }
            let text = std::str::from_utf8(&self.buffer).map_err(|_| PoseTextError::NotText)?;
            let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim();
            if !text.is_empty() && !text.starts_with('#') {
                return (self.parse)(text).map(Some);
            }
        }
    }
}

impl<R: BufRead, T> Iterator for PoseLines<R, T> {
    type Item = Result<PoseLine<T>, PoseLineError>;

    /// The next query. Nothing follows an error.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let query = self.query();
        self.ended = !matches!(query, Ok(Some(_)));
        let line = self.line;
        match query {
            Ok(poses) => poses.map(|poses| Ok(PoseLine { line, poses })),
            Err(error) => Some(Err(PoseLineError { line, error })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: &str = "0 0 0 0 0 0 1";

    fn message(text: &str) -> String {
        pose(text).map_or_else(|error| error.to_string(), |pose| format!("read {pose:?}"))
    }

    #[test]
    fn all_forms_say_the_same_pose() -> Result<(), PoseTextError> {
        let quarter = pose("1,2,3, 0,0,0.7071067811865476,0.7071067811865476")?;
        let matrix = pose("0 -1 0 1   1 0 0 2   0 0 1 3")?;
        assert_eq!(quarter.translation(), matrix.translation());
        let rows = quarter.rotation().iter().zip(matrix.rotation());
        assert!(rows.flat_map(|(p, q)| p.iter().zip(q)).all(|(p, q)| (p - q).abs() < 1e-15));
        assert_eq!(pose("0 -1 0 1   1 0 0 2   0 0 1 3  0 0 0 1")?, matrix);
        assert_eq!(pose("1 0 0 0 0 1 0 0 0 0 1 0")?, pose("0 0 0")?);
        Ok(())
    }

    /// A matrix is what is applied: a quarter turn, and one that is rounded to six decimals.
    #[test]
    fn matrices_are_kept_bit_for_bit() -> Result<(), PoseTextError> {
        let quarter = pose("0 -1 0 1   1 0 0 2   0 0 1 3")?;
        assert_eq!(quarter.rotation(), &[[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        let rounded = pose("0.866025 -0.5 0 0  0.5 0.866025 0 0  0 0 1 0")?;
        assert_eq!(rounded.rotation()[0], [0.866_025, -0.5, 0.0]);
        Ok(())
    }

    #[test]
    fn what_is_no_pose_is_named() {
        assert_eq!(message("0 0 x 0 0 0 1"), "number 3 is `x`, expected a finite number");
        assert_eq!(message("0 0 0 0 nan 0 1"), "number 5 is `nan`, expected a finite number");
        assert_eq!(message("1e999"), "number 1 is `1e999`, expected a finite number");
        assert_eq!(message("0 0"), format!("found 2 numbers, expected {}", Placement::NUMBERS));
        assert!(message("0 0 0 0 0 0 2").contains("the quaternion has length 2, expected 1"));
        assert!(message("2 0 0 0 0 1 0 0 0 0 1 0").contains("row 1 of the matrix has length 2"));
        assert!(message("1 0 0 0 0 1 0 0 0 0 -1 0").contains("a reflection"));
    }

    #[test]
    fn a_line_has_one_pose_or_two_of_a_form() -> Result<(), PoseTextError> {
        let both = pose_pair(&format!("0 0 5 0 0 0 1 {HERE}"))?;
        assert_eq!((both.a.translation()[2], both.b), (5.0, Pose::IDENTITY));
        assert_eq!(pose_pair("0 0 5 0 0 0 1")?.b, both.a);
        let rows = "1 0 0 0 0 1 0 0 0 0 1 7";
        assert_eq!(pose_pair(&format!("{rows} {rows}"))?.a.translation()[2], 7.0);
        let allowed = [3, 6, 7, 12, 14, 16, 24, 32];
        for count in (0..80).filter(|count| !allowed.contains(count)) {
            let found = pose_pair(&"0 ".repeat(count)).map_err(|error| error.to_string());
            let expected = format!("found {} numbers, expected 3, 7", count.min(65));
            assert!(found.is_err_and(|text| text.starts_with(&expected)), "{count}");
        }
        Ok(())
    }

    #[test]
    fn a_motion_has_two_poses_or_four() -> Result<(), PoseTextError> {
        let two = motion_poses("1 2 3 4 5 6")?;
        let [from, to] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]].map(Pose::from_translation);
        assert_eq!((two.a, two.b), ([Pose::IDENTITY; 2], [from, to]));
        let four = motion_poses("1 2 3 4 5 6 4 5 6 1 2 3")?;
        assert_eq!((four.a, four.b), ([from, to], [to, from]));
        assert_eq!(motion_poses(&format!("{HERE} {HERE}"))?.b, [Pose::IDENTITY; 2]);
        let allowed = [6, 12, 14, 24, 28, 32, 48, 64];
        for count in (0..80).filter(|count| !allowed.contains(count)) {
            let found = motion_poses(&"0 ".repeat(count)).map_err(|error| error.to_string());
            let expected = format!("found {} numbers, expected twice 3", count.min(65));
            assert!(found.is_err_and(|text| text.starts_with(&expected)), "{count}");
        }
        Ok(())
    }

    #[test]
    fn comments_and_blank_lines_are_skipped_and_counted() {
        let text = format!("\u{feff}# head\r\n\n{HERE}\r\n  # more\n\t{HERE}");
        let lines: Vec<_> = PoseLines::new(text.as_bytes()).collect();
        let numbers: Vec<_> = lines.iter().map(|line| line.as_ref().map(|l| l.line)).collect();
        assert_eq!(numbers, [Ok(3), Ok(5)]);
    }

    #[test]
    fn an_error_names_its_line_and_is_the_last_item() {
        let text = format!("{HERE}\n\n0 0\n{HERE}\n");
        let mut lines = PoseLines::new(text.as_bytes());
        assert!(lines.next().is_some_and(|line| line.is_ok()));
        let error = lines.next().and_then(Result::err).map(|error| error.to_string());
        assert!(error.is_some_and(|text| text.starts_with("line 3: found 2 numbers")));
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn bytes_without_sense_are_refused_without_being_kept() {
        let endless = std::io::BufReader::new(std::io::repeat(b'1'));
        let error = PoseLines::new(endless).next().and_then(Result::err).map(|e| e.error);
        assert_eq!(error, Some(PoseTextError::TooLong));
        let error = PoseLines::new(&b"\xff\xfe"[..]).next().and_then(Result::err);
        assert_eq!(error.map(|e| e.error), Some(PoseTextError::NotText));
    }
}
