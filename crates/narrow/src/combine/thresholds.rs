//! The sizes by which [`Auto`](super::Auto) chooses, as a value that can be measured, stored and read.

use std::fmt;
use std::str::FromStr;

/// By which sizes [`Auto`](super::Auto) chooses an algorithm for two models.
///
/// The defaults were measured on one machine; `cargo xtask calibrate` of the project measures them on
/// another and writes them to a file of this form, which [`FromStr`] reads: TOML, whole numbers, keys
/// that are left out as by default.
///
/// ```
/// use xcollide_narrow::combine::{Auto, Thresholds};
///
/// let measured = "# for a machine\nconvex_vertices = 4_000\nbrute_force_pairs = 12\n";
/// let thresholds: Thresholds = measured.parse()?;
/// assert_eq!(thresholds.convex_vertices, 4000);
/// assert_eq!(thresholds.compact_triangles, Thresholds::default().compact_triangles);
/// assert_eq!(thresholds.to_string().parse(), Ok(thresholds));
/// let auto = Auto::with(thresholds);
/// # assert_eq!(auto.thresholds(), thresholds);
/// assert!("convex_vertices = many".parse::<Thresholds>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The answers do not depend on them; which proof is brought may, as it does on the algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// Two convex models of at most so many vertices, both together, are asked about by
    /// [`Hybrid`](crate::convex::Hybrid).
    pub convex_vertices: u64,
    /// Other models are compared by [`BruteForce`](crate::mesh::BruteForce) where there are at most so
    /// many pairs of triangles.
    pub brute_force_pairs: u64,
    /// Other models of at least so many triangles, both together, are asked about by
    /// `wide-compact`, whose hierarchies take a third of the memory; smaller
    /// ones by [`Wide`](crate::mesh::Wide).
    pub compact_triangles: u64,
}

impl Thresholds {
    /// More than any model has; the largest whole number that TOML can tell.
    pub const NEVER: u64 = i64::MAX as u64;

    /// The keys and where their values are.
    fn entries(&mut self) -> [(&'static str, &mut u64); 3] {
        let Self { convex_vertices, brute_force_pairs, compact_triangles } = self;
        [
            ("convex_vertices", convex_vertices),
            ("brute_force_pairs", brute_force_pairs),
            ("compact_triangles", compact_triangles),
        ]
    }
}

impl Default for Thresholds {
    /// Convex models of any size by `hybrid`, everything else by `wide-obb`.
    fn default() -> Self {
        Self { convex_vertices: Self::NEVER, brute_force_pairs: 0, compact_triangles: Self::NEVER }
    }
}

/// A text that is none of thresholds.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThresholdsError {
    /// A line is no `key = value`.
    #[error("line {line}: found `{found}`, expected `key = number`")]
    NoEntry {
        /// Counted from 1.
        line: usize,
        /// What is there.
        found: String,
    },
    /// There is no such key.
    #[error("line {line}: key `{key}` is unknown, expected one of: {}", known())]
    UnknownKey {
        /// Counted from 1.
        line: usize,
        /// What is there.
        key: String,
    },
    /// A key comes twice.
    #[error("line {line}: key `{key}` was given before")]
    Repeated {
        /// Counted from 1.
        line: usize,
        /// Which.
        key: &'static str,
    },
    /// A value is no whole number from 0 to 2⁶³ − 1.
    #[error("line {line}: key `{key}`: found `{found}`, expected a whole number, at least 0")]
    NoNumber {
        /// Counted from 1.
        line: usize,
        /// Of which key.
        key: &'static str,
        /// What is there.
        found: String,
    },
}

/// The keys, for messages.
fn known() -> String {
    Thresholds::default().entries().map(|(key, _)| key).join(", ")
}

impl FromStr for Thresholds {
    type Err = ThresholdsError;

    fn from_str(text: &str) -> Result<Self, ThresholdsError> {
        let mut thresholds = Self::default();
        let mut seen = [false; 3];
        for (index, whole) in text.lines().enumerate() {
            let line = index + 1;
            let entry = whole.split('#').next().unwrap_or_default().trim();
            if entry.is_empty() {
                continue;
            }
            let Some((key, found)) = entry.split_once('=') else {
                return Err(ThresholdsError::NoEntry { line, found: entry.to_owned() });
            };
            let (key, found) = (key.trim(), found.trim());
            let entries = thresholds.entries().into_iter().zip(&mut seen);
            let Some(((key, value), seen)) = { entries }.find(|((known, _), _)| *known == key)
            else {
                return Err(ThresholdsError::UnknownKey { line, key: key.to_owned() });
            };
            if std::mem::replace(seen, true) {
                return Err(ThresholdsError::Repeated { line, key });
            }
            let no_number = || ThresholdsError::NoNumber { line, key, found: found.to_owned() };
            *value = number(found).ok_or_else(no_number)?;
        }
        Ok(thresholds)
    }
}

/// A whole number, with `_` between digits as TOML has it.
fn number(text: &str) -> Option<u64> {
    let digits: String = text.split('_').collect();
    let is_plain = text.split('_').all(|part| !part.is_empty())
        && digits.bytes().all(|digit| digit.is_ascii_digit());
    let value = if is_plain { digits.parse().ok()? } else { return None };
    (value <= Thresholds::NEVER).then_some(value)
}

impl fmt::Display for Thresholds {
    /// All entries, as [`FromStr`] reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, value) in self.clone().entries() {
            writeln!(f, "{key} = {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    /// Whatever is wrong is told with its line; whatever is right comes back.
    #[test]
    fn texts_are_read_as_they_are_written_and_errors_name_the_line() {
        let mut random = Random::new(7);
        for _ in 0..100 {
            let mut thresholds = Thresholds::default();
            for (_, value) in thresholds.entries() {
                let bits = random.bits();
                *value = bits >> (bits % 60) >> 1;
            }
            assert_eq!(thresholds.to_string().parse(), Ok(thresholds));
        }
        let default = Thresholds::default();
        assert_eq!("".parse(), Ok(default));
        assert_eq!("\n  # nothing\r\n".parse(), Ok(default));
        let set = "brute_force_pairs=1_000# so many".parse();
        assert_eq!(set, Ok(Thresholds { brute_force_pairs: 1000, ..default }));
        let error = |text: &str| text.parse::<Thresholds>().map_err(|error| error.to_string());
        let told = |text: &str, what: &str| assert_eq!(error(text), Err(what.to_owned()));
        told("\n[auto]", "line 2: found `[auto]`, expected `key = number`");
        told(
            "convex = 1",
            "line 1: key `convex` is unknown, expected one of: convex_vertices, \
             brute_force_pairs, compact_triangles",
        );
        told(
            "compact_triangles = 1\ncompact_triangles = 1",
            "line 2: key `compact_triangles` was given before",
        );
        for wrong in ["", "-1", "1.5", "1__0", "_1", "many", "9223372036854775808", "1e9"] {
            told(
                &format!("convex_vertices = {wrong}"),
                &format!(
                    "line 1: key `convex_vertices`: found `{wrong}`, expected a whole number, at \
                     least 0"
                ),
            );
        }
    }
}
