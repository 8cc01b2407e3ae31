//! The parameters of shapes: what they are called, which values they take, and their defaults.
//!
//! A shape declares each of its parameters once. The parser of a spec, the function of the shape
//! and the help text all read that one declaration.

use std::fmt;

use crate::ShapeError;

/// No shape is made with more faces than this: about a gigabyte of mesh.
pub const MAX_FACES: usize = 10_000_000;

/// Lengths stay within 1e-100 to 1e100, so that volumes neither vanish nor overflow.
const LENGTH: [f64; 2] = [1e-100, 1e100];

/// One parameter of a shape, as in `faces=5000`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameter {
    /// The name left of the `=`.
    pub name: &'static str,
    /// What it means, in a few words.
    pub about: &'static str,
    /// Which values it takes, and which one where none is given.
    pub kind: Kind,
}

/// Which values a parameter takes, ends of ranges included.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Kind {
    /// A whole number.
    Count {
        /// Where none is given.
        default: usize,
        /// The least.
        min: usize,
        /// The greatest.
        max: usize,
    },
    /// A real number.
    Number {
        /// Where none is given.
        default: f64,
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// One of some words; the first where none is given.
    Choice(&'static [&'static str]),
    /// Chooses the random numbers: any whole number below 2⁶⁴; 1 where none is given.
    Seed,
}

impl Parameter {
    pub(crate) const fn faces(default: usize, min: usize) -> Self {
        let kind = Kind::Count { default, min, max: MAX_FACES };
        Self { name: "faces", about: "how many faces, met exactly", kind }
    }

    pub(crate) const fn count(
        name: &'static str,
        about: &'static str,
        [default, min, max]: [usize; 3],
    ) -> Self {
        Self { name, about, kind: Kind::Count { default, min, max } }
    }

    pub(crate) const fn length(name: &'static str, about: &'static str, default: f64) -> Self {
        Self::number(name, about, [default, LENGTH[0], LENGTH[1]])
    }

    pub(crate) const fn number(
        name: &'static str,
        about: &'static str,
        [default, min, max]: [f64; 3],
    ) -> Self {
        Self { name, about, kind: Kind::Number { default, min, max } }
    }

    pub(crate) const fn choice(
        name: &'static str,
        about: &'static str,
        among: &'static [&'static str],
    ) -> Self {
        Self { name, about, kind: Kind::Choice(among) }
    }

    /// Refuses a whole number outside the range.
    pub(crate) fn check_count(&self, found: usize) -> Result<(), ShapeError> {
        match self.kind {
            Kind::Count { min, max, .. } if !(min..=max).contains(&found) => {
                Err(self.refuse(found, self.kind))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a real number outside the range, and NaN.
    pub(crate) fn check_number(&self, found: f64) -> Result<(), ShapeError> {
        match self.kind {
            Kind::Number { min, max, .. } if !(min..=max).contains(&found) => {
                Err(self.refuse(found, self.kind))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn refuse(&self, found: impl ToString, expected: impl ToString) -> ShapeError {
        ShapeError::BadValue {
            parameter: self.name,
            found: found.to_string(),
            expected: expected.to_string(),
        }
    }

    /// The default as it would stand right of the `=`.
    #[must_use]
    pub fn default_text(&self) -> String {
        match self.kind {
            Kind::Count { default, .. } => default.to_string(),
            Kind::Number { default, .. } => default.to_string(),
            Kind::Choice(among) => among.first().copied().unwrap_or_default().to_owned(),
            Kind::Seed => "1".to_owned(),
        }
    }
}

/// The values in words, as in `a whole number from 8 to 10000000`.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { min, max, .. } => write!(f, "a whole number from {min} to {max}"),
            Self::Number { min, max, .. } if [*min, *max] == LENGTH => {
                write!(f, "a length from {min:e} to {max:e}")
            }
            Self::Number { min, max, .. } => write!(f, "a number from {min} to {max}"),
            Self::Choice(among) => write!(f, "one of {}", among.join(", ")),
            Self::Seed => write!(f, "a whole number below 2^64"),
        }
    }
}
