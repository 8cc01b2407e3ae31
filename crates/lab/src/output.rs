//! Standard output: JSON Lines with one object per result, or text.

use std::fmt::Display;
use std::io::{Stdout, Write};
use std::time::Duration;

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::exit::Failure;
use crate::options::Common;
use crate::progress::Progress;

/// The options, results and messages of a command.
pub(crate) struct Session {
    pub(crate) common: Common,
    pub(crate) output: Output,
    pub(crate) progress: Progress,
}

impl Session {
    pub(crate) fn new(common: Common) -> Self {
        let output = Output { to: std::io::stdout(), json: common.json, is_muted: false };
        Self { common, output, progress: Progress::new(&common) }
    }
}

/// Standard output, flushed line by line: the reader of a pipe gets each result at once.
pub(crate) struct Output {
    to: Stdout,
    json: bool,
    is_muted: bool,
}

impl Output {
    /// Whether results and remarks are dropped.
    pub(crate) fn set_muted(&mut self, is_muted: bool) {
        self.is_muted = is_muted;
    }

    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes one result: a JSON object on its own line, or the text.
    pub(crate) fn result(
        &mut self,
        record: &impl Serialize,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.is_muted {
            return Ok(());
        }
        if self.json {
            let line = serde_json::to_string(record).map_err(std::io::Error::from)?;
            writeln!(self.to, "{line}")?;
        } else {
            writeln!(self.to, "{}", text())?;
        }
        Ok(())
    }

    /// Writes text that JSON output omits.
    pub(crate) fn remark(&mut self, text: impl Display) -> Result<(), Failure> {
        if !self.json && !self.is_muted {
            writeln!(self.to, "{text}")?;
        }
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.to.flush()?)
    }
}

/// A JSON object whose keys keep their order.
pub(crate) struct Object<T>(pub(crate) Vec<(&'static str, T)>);

impl<T: Serialize> Serialize for Object<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// Adds a key to a JSON object, unless its value is `None`.
pub(crate) fn optional<M: SerializeMap>(
    object: &mut M,
    key: &'static str,
    value: Option<impl Serialize>,
) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| object.serialize_entry(key, &value))
}

/// The number, if JSON can represent it.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// The point, if JSON can represent it.
pub(crate) fn finite_point(point: [f64; 3]) -> Option<[f64; 3]> {
    point.iter().all(|value| value.is_finite()).then_some(point)
}

/// "1 face", "2 faces".
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

pub(crate) fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

pub(crate) fn time(nanoseconds: u64) -> String {
    let value = nanoseconds as f64;
    let (value, unit) = match nanoseconds {
        0..1_000 => return format!("{nanoseconds} ns"),
        1_000..1_000_000 => (value / 1e3, "µs"),
        1_000_000..1_000_000_000 => (value / 1e6, "ms"),
        _ => (value / 1e9, "s"),
    };
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let shown = [0, 999, 1_000, 12_345, 123_456, 5_000_000, 61_000_000_000].map(time);
        assert_eq!(shown, ["0 ns", "999 ns", "1.00 µs", "12.3 µs", "123 µs", "5.00 ms", "61.0 s"]);
    }

    #[test]
    fn what_json_cannot_hold_is_left_out() {
        assert_eq!(finite(f64::INFINITY), None);
        assert_eq!(finite_point([0.0, f64::NAN, 0.0]), None);
        assert_eq!(finite_point([0.0, -1e300, 0.0]), Some([0.0, -1e300, 0.0]));
    }
}
