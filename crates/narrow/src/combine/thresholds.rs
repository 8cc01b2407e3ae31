//! The sizes by which [`Auto`](super::Auto) chooses, and their file format.

use std::fmt;
use std::str::FromStr;

/// The sizes by which [`Auto`](super::Auto) chooses an algorithm for two models. They change times and
/// which proof is returned, never an answer.
///
/// `cargo xtask calibrate` of the project measures them on a machine and writes a file that [`FromStr`]
/// reads: TOML with whole numbers; missing keys have their default values.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Thresholds {
    /// [`Hybrid`](crate::convex::Hybrid) tests two convex models with at most this many vertices, both
    /// together.
    pub convex_vertices: u64,
    /// [`BruteForce`](crate::mesh::BruteForce) tests other models with at most this many pairs of triangles.
    pub brute_force_pairs: u64,
    /// `wide-compact`, whose hierarchies take a third of the memory, tests other models with at least this
    /// many triangles, both together; [`Wide`](crate::mesh::Wide) tests smaller ones.
    pub compact_triangles: u64,
}

impl Thresholds {
    /// More than any model has; the largest whole number of TOML.
    pub const NEVER: u64 = i64::MAX as u64;

    /// The keys with references to their values.
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

/// An invalid line in the text of [`Thresholds`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
#[non_exhaustive]
pub struct ThresholdsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub problem: String,
}

impl FromStr for Thresholds {
    type Err = ThresholdsError;

    fn from_str(text: &str) -> Result<Self, ThresholdsError> {
        let mut thresholds = Self::default();
        let known = thresholds.entries().map(|(key, _)| key).join(", ");
        let mut seen = [false; 3];
        for (index, whole) in text.lines().enumerate() {
            let wrong = |problem| Err(ThresholdsError { line: index + 1, problem });
            let entry = whole.split('#').next().unwrap_or_default().trim();
            if entry.is_empty() {
                continue;
            }
            let Some((key, found)) = entry.split_once('=') else {
                return wrong(format!("found `{entry}`, expected `key = number`"));
            };
            let (key, found) = (key.trim(), found.trim());
            let entries = thresholds.entries().into_iter().zip(&mut seen);
            let Some(((_, value), seen)) = { entries }.find(|((known, _), _)| *known == key) else {
                return wrong(format!("key `{key}` is unknown, expected one of: {known}"));
            };
            if std::mem::replace(seen, true) {
                return wrong(format!("key `{key}` was given before"));
            }
            let Some(number) = number(found) else {
                let expected = "expected a whole number, at least 0";
                return wrong(format!("key `{key}`: found `{found}`, {expected}"));
            };
            *value = number;
        }
        Ok(thresholds)
    }
}

/// A whole number from 0 to 2⁶³ − 1, with `_` between digits as in TOML.
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
